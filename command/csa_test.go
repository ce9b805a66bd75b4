package command

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// runCSA runs the subcommand, and returns what it prints and its status.
func runCSA(args ...string) (out, errs string, status int) {
	var o, e strings.Builder
	status = Run(append([]string{"csa"}, args...), nil, &o, &e)
	return o.String(), e.String(), status
}

// TestCSA plays a game that the other side resigns, with the password of a file.
func TestCSA(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	heard := make(chan []string, 1)
	go func() {
		var lines []string
		defer func() { heard <- lines }()
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		in := bufio.NewScanner(c)
		for _, answer := range []string{"LOGIN:me OK\nBEGIN Game_Summary\nGame_ID:g1\nYour_Turn:+\nBEGIN Position\nPI\n+\n" +
			"END Position\nBEGIN Time\nTotal_Time:60\nEND Time\nEND Game_Summary\n", "START:g1\n",
			"MOVE,T1\n%TORYO,T1\n#RESIGN\n#WIN\n", ""} {
			if !in.Scan() {
				return
			}
			lines = append(lines, in.Text())
			if text, ok := strings.CutPrefix(answer, "MOVE"); ok {
				answer = in.Text() + text
			}
			fmt.Fprint(c, answer)
		}
	}()
	folder := t.TempDir()
	password := filepath.Join(folder, "password")
	filetest.Write(t, password, "\ufeffsecret\r\nnote\r\n")
	out, errs, code := runCSA(l.Addr().String(), "--name=me", "--password-file="+password, "--game=floodgate-60-0",
		"--records="+folder, "--option=NodesLimit=100", "--option=USI_Hash=1", "--option=Threads=1")
	if code != 0 || !strings.Contains(out, "#WIN #RESIGN") || strings.Contains(out+errs, "secret") {
		t.Errorf("status %d: %q, %q", code, out, errs)
	}
	l.Close()
	lines := <-heard
	if len(lines) != 4 || lines[0] != "LOGIN me floodgate-60-0,secret" || lines[1] != "AGREE" || lines[3] != "LOGOUT" {
		t.Errorf("the server heard %q", lines)
	}
	record, err := os.ReadFile(filepath.Join(folder, "g1.csa"))
	if err != nil || !strings.Contains(string(record), "\nT1\n") {
		t.Errorf("record %q, error %v", record, err)
	}
}

func TestCSARefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"127.0.0.1:1", "--name=me"}, "a name and a password without blanks are needed"},
		{[]string{"127.0.0.1:1", "--name=me", "--game=x"}, "a name and a password without blanks are needed"},
		{[]string{"127.0.0.1:1", "--name=m e", "--password=x"}, "a name and a password without blanks are needed"},
		{[]string{"127.0.0.1:1", "--name=me", "--password=x", "--option=Threads"}, `--option: "Threads" is not NAME=VALUE`},
		{[]string{"127.0.0.1:1", "--name=me", "--password=x", "--option=Nothing=1"}, `--option: `},
		{[]string{"127.0.0.1:1", "--name=me", "--password=x", "--records=nowhere"}, "--records: nowhere is no folder"},
		{[]string{"127.0.0.1:1", "--name=me", "--password-file=nowhere"}, "nowhere"},
		{[]string{"127.0.0.1:1", "--name=me", "--password=x", "--games=-1"}, "not a whole number"},
	} {
		if _, errs, code := runCSA(c.args...); code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("%q: status %d, %q, want %q", c.args, code, errs, c.want)
		}
	}
}
