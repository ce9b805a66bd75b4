package tests

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/internal/shm"
)

// process is an engine in a process of its own.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// start starts an engine, which is killed at the end of the test at the latest.
func start(t *testing.T) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(trefoil)}
	in, err1 := p.cmd.StdinPipe()
	out, err2 := p.cmd.StdoutPipe()
	if err := p.cmd.Start(); err != nil || err1 != nil || err2 != nil {
		t.Fatal(err, err1, err2)
	}
	p.in, p.out = in, bufio.NewScanner(out)
	t.Cleanup(p.kill)
	return p
}

// kill ends the engine at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// quit ends the engine in good order.
func (p *process) quit() {
	p.t.Helper()
	p.send("quit")
	for p.out.Scan() {
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Error(err)
	}
}

func (p *process) send(lines ...string) {
	// an engine that ended is noticed when it does not answer
	_, _ = io.WriteString(p.in, strings.Join(lines, "\n")+"\n")
}

// until returns what the engine prints up to a line that begins with word.
func (p *process) until(word string) (lines []string) {
	p.t.Helper()
	for p.out.Scan() {
		lines = append(lines, p.out.Text())
		if strings.HasPrefix(p.out.Text(), word) {
			return lines
		}
	}
	p.t.Fatalf("the engine ended without %q: %q", word, lines)
	return nil
}

// says sends lines and fails unless a line of the answer has each of the words.
func (p *process) says(words []string, lines ...string) {
	p.t.Helper()
	p.send(append(lines, "isready")...)
	got := p.until("readyok")
	for _, w := range words {
		if !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, w) }) {
			p.t.Errorf("%q: %q, want %q", lines, got, w)
		}
	}
}

// sharedName returns the name of a shared table that no other test has, and its file.
func sharedName(t *testing.T) (name, file string) {
	t.Helper()
	dir, err := shm.Default()
	if err != nil {
		t.Skip(err)
	}
	name = fmt.Sprintf("test-%016x", rand.Uint64())
	t.Cleanup(func() { _, _ = dir.Remove(name) })
	return name, filepath.Join(string(dir), "trefoil-hash-"+name)
}

// hashShared runs `trefoil hash shared` and returns the columns of the table of a name, nil if there
// is none.
func hashShared(t *testing.T, name string) []string {
	t.Helper()
	out, _ := exec.Command(trefoil, "hash", "shared").Output() // its status may be that of another table
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); f[0] == name {
			return f
		}
	}
	return nil
}

// A process that joins finds what the other one has searched: its first report has about that depth.
func TestSharedHash(t *testing.T) {
	name, file := sharedName(t)
	a, b := start(t), start(t)
	a.says([]string{`hash 8 MiB shared as "` + name + `"`}, "setoption name Hash value 8",
		"setoption name Hash Shared value "+name)
	b.says([]string{"already has 8 MiB: Hash 3 has no effect", `hash 8 MiB shared as "` + name + `"`},
		"setoption name Hash value 3", "setoption name Hash Shared value "+name)
	if got := hashShared(t, name); !slices.Equal(got, []string{name, "8", "MiB", "chess", "2", "8", "MiB"}) {
		t.Errorf("%q", got)
	}
	a.send("position startpos moves e2e4 c7c5", "go depth 10")
	a.until("bestmove")
	b.send("position startpos moves e2e4 c7c5", "go depth 10")
	if reports := b.until("bestmove"); strings.Contains(strings.Join(reports, "\n"), "info depth 4 ") {
		t.Errorf("it did not resume: %q", reports)
	}

	uses := `shared hash "` + name + `": 1 other process uses it`
	b.says([]string{"not cleared: " + uses}, "ucinewgame")
	b.says([]string{"not cleared: " + uses}, "setoption name Clear Hash")
	b.says([]string{uses}, "setoption name Hash File value "+filepath.Join(t.TempDir(), "d"),
		"setoption name Save Hash", "setoption name Load Hash")
	b.says([]string{`size is 8 MiB, and 1 other process uses it; it stays 3`}, "setoption name Hash value 5")
	b.says([]string{`index is mul32, expected mul64; it stays auto`}, "setoption name HashIndex value mul64")
	b.says([]string{"HashAudit and Hash Shared cannot be used together"}, "setoption name HashAudit value count")
	b.says([]string{", other processes 1"}, "d")
	a.quit()
	b.says([]string{`hash 5 MiB shared as "` + name + `"`, "other processes 0"}, "setoption name Hash value 5",
		"ucinewgame", "d")
	b.says([]string{"hash 5 MiB: "}, "setoption name Hash Shared value <empty>")
	if _, err := os.Lstat(file); err == nil {
		t.Error("the last one did not take it away")
	}
	b.says([]string{"the table of Connect Four cannot be shared; only those of chess and shogi", "it stays <empty>"},
		"setoption name UCI_Variant value connect4", "setoption name Hash Shared value "+name)
	b.says([]string{"cannot be used together"}, "setoption name UCI_Variant value chess",
		"setoption name HashAudit value count", "setoption name Hash Shared value "+name)
	b.quit()
}

// A shared table is of one evaluation: while others use it that cannot change, and a process with another
// one is refused. A process that is alone changes it and loses the entries.
func TestSharedHashAndEvalFile(t *testing.T) {
	name, _ := sharedName(t)
	net := filepath.Join(writeNets(t), "chess.net")
	a, b := start(t), start(t)
	share := "setoption name Hash Shared value " + name
	a.says([]string{"shared as"}, "setoption name Hash value 2", share)
	a.send("go depth 8")
	a.until("bestmove")
	a.says([]string{"evaluation: net", "shared as"}, "setoption name EvalFile value "+net)
	a.send("go depth 8")
	if reports := a.until("bestmove"); !strings.Contains(strings.Join(reports, "\n"), "info depth 7 ") {
		t.Errorf("it resumed a search by another evaluation: %q", reports)
	}
	b.says([]string{"evaluation is "}, share)
	b.says([]string{"evaluation: net", "shared as"}, "setoption name EvalFile value "+net, share)
	for _, p := range []*process{a, b} {
		p.says([]string{`shared hash "` + name + `": evaluation is `, "; it stays " + net},
			"setoption name EvalFile value none")
	}
	a.quit()
	b.says([]string{"evaluation: hand-written", ", other processes 0"}, "setoption name EvalFile value none", "d")
	b.quit()
}

// A table of another user is listed with its owner, and is no error.
func TestSharedHashOfAnotherUser(t *testing.T) {
	name, file := sharedName(t)
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	list := func() string {
		out, err := exec.Command(trefoil, "hash", "shared").CombinedOutput()
		if err != nil && !strings.Contains(strings.ReplaceAll(string(out), name, ""), `shared hash "test-`) {
			t.Error(err) // not because of a table of another test
		}
		return string(out)
	}
	for _, suffix := range []string{"", ".lock"} { // a lock alone is of a process that makes the table
		if err := os.WriteFile(file+suffix, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Remove(file + suffix) })
		if err := os.Chown(file+suffix, 54321, -1); err != nil {
			t.Skip(err) // a container need not have that user
		}
		if got := list(); !strings.Contains(got, `shared hash "`+name+`": of another user, 54321`) {
			t.Errorf("%q", got)
		}
		_ = os.Remove(file + suffix)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(trefoil, "hash", "shared").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "cut short") {
		t.Errorf("%q, %v", out, err)
	}
}

// If all its processes are killed, the next one gets the table in the size that it asks for, with the
// entries.
func TestSharedHashOfKilled(t *testing.T) {
	name, _ := sharedName(t)
	size := "8"
	for _, next := range []string{"3", "16", "8"} {
		p := start(t)
		p.says([]string{"hash " + size + ` MiB shared as "` + name + `"`}, "setoption name Hash value "+size,
			"setoption name Hash Shared value "+name)
		p.send("position startpos moves e2e4 c7c5", "go depth 10")
		if reports := p.until("bestmove"); size != "8" &&
			strings.Contains(strings.Join(reports, "\n"), "info depth 4 ") {
			t.Errorf("it did not resume: %q", reports)
		}
		p.kill()
		size = next
	}
}

// A table that cannot be used is refused by name with the reason, and the engine keeps the one it has.
func TestSharedHashRefused(t *testing.T) {
	name, file := sharedName(t)
	e := start(t)
	refused := func(reason string) {
		t.Helper()
		e.says([]string{`option "Hash Shared": shared hash "` + name + `": ` + reason, "it stays <empty>",
			"hash 2 MiB: "}, "setoption name Hash value 2", "setoption name Hash Shared value "+name, "d")
	}
	for _, bad := range []string{"a/b", "..", "a b", "ü", strings.Repeat("x", 41)} {
		e.says([]string{"shared hash ", "it stays <empty>"}, "setoption name Hash Shared value "+bad)
	}
	other := start(t)
	other.says(nil, "setoption name UCI_Variant value shogi", "setoption name Hash value 1",
		"setoption name Hash Shared value "+name)
	refused("game is shogi, expected chess")
	e.says([]string{"other processes 0"}, "setoption name Hash Shared value "+name+"2", "d")
	e.says([]string{`hash 2 MiB: `}, "setoption name Hash Shared value <empty>")
	other.kill()
	refused("game is shogi, expected chess")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	other = start(t)
	other.says(nil, "setoption name Hash value 1", "setoption name Hash Shared value "+name)
	other.kill()
	for _, c := range []struct {
		change func() error
		reason string
	}{
		{func() error { return os.Chmod(file, 0o644) }, file + ": its mode is 0644, expected 0600"},
		{func() error { return os.Chmod(file, 0o600) }, ""},
		{func() error { return os.Truncate(file, 3<<20-1) }, file + ": its size is "},
		{func() error { return os.WriteFile(file, []byte("TREFOIL\n"), 0o600) }, file + ": cut short"},
		{func() error { return os.Remove(file) }, ""},
		{func() error { return os.Mkdir(file, 0o700) }, file + ": it is not a regular file"},
		{func() error { return os.Remove(file) }, ""},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		if c.reason != "" {
			refused(c.reason)
		}
	}
	// A game that finds another one's table at its first search uses one of its own.
	other = start(t)
	other.says([]string{"shared as"}, "setoption name Hash value 1", "setoption name Hash Shared value "+name)
	e.says([]string{`shared as "` + name + `"`}, "setoption name Hash Shared value "+name)
	e.send("setoption name UCI_Variant value shogi", "go depth 1")
	if got := strings.Join(e.until("bestmove"), "\n"); !strings.Contains(got,
		"game is chess, expected shogi; this process uses a hash of its own") {
		t.Error(got)
	}
}

// A table that is removed while it is in use serves on; the name is free.
func TestSharedHashRemoved(t *testing.T) {
	name, file := sharedName(t)
	a, b := start(t), start(t)
	for _, p := range []*process{a, b} {
		p.says([]string{"shared as"}, "setoption name Hash Shared value "+name)
		p.send("go infinite")
		p.until("info depth ")
	}
	out, err := exec.Command(trefoil, "hash", "shared", "--remove", name).CombinedOutput()
	if want := fmt.Sprintf("shared hash %q is removed; processes that keep it until they end: 2\n", name); err != nil ||
		string(out) != want {
		t.Errorf("%q, %v", out, err)
	}
	out, err = exec.Command(trefoil, "hash", "shared", "--remove", name).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "there is none") {
		t.Errorf("%q, %v", out, err)
	}
	c := start(t)
	c.says([]string{"shared as"}, "setoption name Hash Shared value "+name)
	for _, p := range []*process{a, b} {
		p.send("stop")
		p.until("bestmove")
		p.says([]string{"not cleared: ", "it was removed"}, "ucinewgame")
		p.send("go depth 3")
		p.until("bestmove")
		p.quit()
	}
	c.says([]string{"other processes 0"}, "d")
	c.quit()
	if _, err := os.Lstat(file); err == nil {
		t.Error("the last one did not take it away")
	}
}

// Engines are killed at any moment: while they make, join, clear, resize or search the table. The next
// one uses it, and no dead one counts.
func TestSharedHashSurvivesKills(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not on this system")
	}
	rounds := 15
	if *long {
		rounds = 300
	}
	name, file := sharedName(t)
	for range rounds {
		var killed []*process
		for range 2 {
			p := start(t)
			p.send("setoption name Hash Shared value "+name, "go nodes 2000", "ucinewgame",
				"setoption name Hash value 3", "go infinite")
			killed = append(killed, p)
		}
		time.Sleep(time.Duration(rand.IntN(80)) * time.Millisecond) // any moment will do
		for _, p := range killed {
			p.kill()
		}
		p := start(t)
		p.says([]string{`shared as "` + name + `"`, "other processes 0"}, "setoption name Hash Shared value "+name, "d")
		if got := hashShared(t, name); len(got) < 5 || got[4] != "1" {
			t.Fatalf("%q", got)
		}
		p.send("position startpos", "go depth 5")
		p.until("bestmove")
		if rand.IntN(2) == 0 {
			p.quit()
			if _, err := os.Lstat(file); err == nil {
				t.Fatal("the last one did not take it away")
			}
		} else {
			p.kill()
			if got := hashShared(t, name); len(got) < 5 || got[4] != "0" {
				t.Fatalf("%q", got)
			}
		}
	}
}
