package tests

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// benchNumber matches what OpenBench takes for the signature of a commit. It reads
// the last match of a message, so there may be only one.
var benchNumber = regexp.MustCompile(`(?i)(?:bench|nodes)[ :=]+[0-9,]+`)

// TestLastCommitMessage holds the message of the last commit to the signature that
// tests/bench.txt has in that commit.
func TestLastCommitMessage(t *testing.T) {
	if _, err := os.Stat("../.git"); err != nil {
		t.Skip("not a git checkout")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	// git log does not know the parents of a commit in a clone of depth 1.
	header, _, _ := strings.Cut(git(t, "cat-file", "commit", "HEAD"), "\n\n")
	if strings.Count(header, "\nparent ") > 1 {
		t.Skip("a merge")
	}
	want, err := chessSignature(git(t, "show", "HEAD:tests/bench.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := checkMessage(git(t, "log", "-1", "--format=%B"), want); err != nil {
		t.Error(err)
	}
}

func TestCheckMessage(t *testing.T) {
	for _, test := range []struct {
		message string
		ok      bool
	}{
		{"A subject\n\nBench: 1234567\n", true},
		{"A subject\n\nTwo nodes fewer, 12 % more nodes per second.\n\nBench of shogi: 42\nBench: 1234567\n\n", true},
		{"A subject\n\nNo functional change\n", false},
		{"A subject\n\nBench: 1234568\n", false},
		{"A subject\n\nbench 1234567\n", false},
		{"A subject\n\nBench: 1234567\n\nSigned-off-by: A. Writer\n", false},
		{"A subject\n\nThe first takes nodes: 12,345.\n\nBench: 1234567\n", false},
		{"bench 12 is faster\n\nBench: 1234567\n", false},
		{"", false},
	} {
		if err := checkMessage(test.message, 1234567); (err == nil) != test.ok {
			t.Errorf("checkMessage(%q) = %v, want ok %v", test.message, err, test.ok)
		}
	}
}

// checkMessage says what is wrong with a commit message: its last line has to be
// the signature, and nothing before it may read as one.
func checkMessage(message string, signature uint64) error {
	message = strings.TrimSpace(message)
	body, last := "", message
	if i := strings.LastIndexByte(message, '\n'); i >= 0 {
		body, last = message[:i], message[i+1:]
	}
	if want := fmt.Sprint("Bench: ", signature); last != want {
		return fmt.Errorf("the last line is %q, expected %q", last, want)
	}
	if found := benchNumber.FindString(body); found != "" {
		return fmt.Errorf("%q reads as a signature: say it in other words", found)
	}
	return nil
}

// chessSignature is the node count of the deepest bench of chess in bench.txt,
// whose lines are: game, depth, nodes.
func chessSignature(bench string) (uint64, error) {
	deepest, signature := -1, uint64(0)
	for line := range strings.Lines(bench) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] != "chess" {
			continue
		}
		depth, err := strconv.Atoi(fields[1])
		if err != nil {
			return 0, fmt.Errorf("bench.txt: depth in %q: %v", line, err)
		}
		nodes, err := strconv.ParseUint(fields[2], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("bench.txt: nodes in %q: %v", line, err)
		}
		if depth > deepest {
			deepest, signature = depth, nodes
		}
	}
	if deepest < 0 {
		return 0, fmt.Errorf("bench.txt: no line of chess")
	}
	return signature, nil
}

// git runs git in the root of the module and returns what it prints.
func git(t *testing.T, args ...string) string {
	t.Helper()
	// the files may belong to another user
	cmd := exec.Command("git", append([]string{"-c", "safe.directory=*"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}
