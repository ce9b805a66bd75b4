package deploytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long anything may take, on a loaded machine too. Nothing depends on it but when a test fails.
const patience = 4 * time.Minute

// shards is how many parts the recipes make.
const shards = 8

// program and queueProgram are absolute paths of the programs that are tested.
var program, queueProgram string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "deploytest")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	program, queueProgram = filepath.Join(dir, "trefoil"), filepath.Join(dir, "trefoil-queue")
	if err := buildQueue(queueProgram, ""); err != nil {
		fmt.Println(err)
		return 1
	}
	if given := os.Getenv("TREFOIL"); given != "" {
		if given, err = filepath.Abs(given); err == nil {
			err = os.Link(given, program)
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
		return m.Run()
	}
	build := exec.Command("go", "build", "-C", filepath.Join("..", "..", "..", ".."),
		"-buildvcs=false", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Printf("go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// buildQueue builds trefoil-queue of a commit that the build is told.
func buildQueue(path, commit string) error {
	build := exec.Command("go", "build", "-C", filepath.Join("..", "..", "..", ".."), "-buildvcs=false",
		"-ldflags", "-X trefoil/internal/version.stamp="+commit, "-o", path, "./cmd/trefoil-queue")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// needs skips a test where a program is absent.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

// commands returns the blocks of commands in a section of docs/scale.md.
func commands(t *testing.T, section string) []string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "scale.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), "\n### "+section+"\n")
	if !ok {
		t.Fatalf("docs/scale.md has no section %q", section)
	}
	if end := regexp.MustCompile(`(?m)^##`).FindStringIndex(text); end != nil {
		text = text[:end[0]]
	}
	var blocks []string
	for _, m := range regexp.MustCompile(`(?m)(?:^    .*\n)+`).FindAllString(text, -1) {
		blocks = append(blocks, regexp.MustCompile(`(?m)^    `).ReplaceAllString(m, ""))
	}
	return blocks
}

// sample returns positions of Connect Four after some moves. The second position of shard 3 takes the longest, so that
// there is time to kill that shard when its first record stands.
var sample = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "search", "exact", "testdata", "positions.txt"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(string(source)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		moves := 13
		if n++; n == shards+victim {
			moves = 7
		}
		b.WriteString(line[:moves] + "\n")
	}
	return b.String(), nil
})

// victim is the shard that is killed.
const victim = 3

// expected is what one run prints, without times.
var expected = sync.OnceValues(func() ([]string, error) {
	positions, err := sample()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "solve", "connect4", "--json")
	cmd.Stdin = strings.NewReader(positions)
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	return records(out)
})

// records returns lines of JSON without the times, and without what a run cannot know whose input is a pipe.
func records(text []byte) (list []string, err error) {
	for line := range bytes.Lines(text) {
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			return nil, fmt.Errorf("%v: %q", err, line)
		}
		delete(record, "seconds")
		delete(record, "of")
		text, err := json.Marshal(record)
		if err != nil {
			return nil, err
		}
		list = append(list, string(text))
	}
	return list, nil
}

// workspace is a folder with the positions and the recipes, in which a test runs commands.
type workspace struct {
	dir string
	env []string
}

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	positions, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{dir: t.TempDir()}
	if err := os.WriteFile(w.path("positions"), []byte(positions), 0o644); err != nil {
		t.Fatal(err)
	}
	recipes, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	folder := w.path("cmd", "trefoil-queue")
	if err := errors.Join(os.MkdirAll(folder, 0o755),
		os.Symlink(recipes, filepath.Join(folder, "deploy"))); err != nil {
		t.Fatal(err)
	}
	w.env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "HOME="+w.dir)
	return w
}

func (w *workspace) path(elements ...string) string {
	return filepath.Join(append([]string{w.dir}, elements...)...)
}

// start begins commands of a shell.
func (w *workspace) start(t *testing.T, text string) *script {
	t.Helper()
	s := &script{cmd: exec.Command("bash", "-euo", "pipefail", "-c", text), done: make(chan struct{})}
	s.cmd.Dir, s.cmd.Env = w.dir, w.env
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.out
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		s.err = s.cmd.Wait()
	}()
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		<-s.done
		if t.Failed() {
			t.Logf("%s\n%s", text, s.out.String())
		}
	})
	return s
}

// output runs commands of a shell to their end and returns what they print.
func (w *workspace) output(t *testing.T, text string) string {
	t.Helper()
	s := w.start(t, text)
	if err := s.wait(t); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s.out.String()
}

// script is a shell with commands.
type script struct {
	cmd  *exec.Cmd
	out  bytes.Buffer
	done chan struct{}
	err  error
}

func (s *script) wait(t *testing.T) error {
	t.Helper()
	select {
	case <-s.done:
		return s.err
	case <-time.After(patience):
		t.Fatal("no end")
		return nil
	}
}

// until waits for something.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s", what)
		}
	}
}

// firstRecord waits for the first record of a file.
func firstRecord(t *testing.T, file string) (record string) {
	t.Helper()
	until(t, "record in "+file, func() bool {
		text, _ := os.ReadFile(file)
		line, _, ok := strings.Cut(string(text), "\n")
		record = line
		return ok
	})
	return record
}

// checkMerged compares what merge has written with one run, and holds the file of the shard that was killed
// to its first record: that position was not solved again.
func (w *workspace) checkMerged(t *testing.T, merged, shard, record string) {
	t.Helper()
	text, err := os.ReadFile(w.path(merged))
	if err != nil {
		t.Fatal(err)
	}
	got, err := records(text)
	if err != nil {
		t.Fatal(err)
	}
	want, err := expected()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("merged:\n%s\none run:\n%s", got, want)
	}
	if again := firstRecord(t, w.path(shard)); again != record {
		t.Errorf("%s begins with\n%s\nbefore it was killed\n%s", shard, again, record)
	}
}

// kill ends the process of the program that has this argument at once, and reports whether there was one.
func kill(t *testing.T, argument string) bool {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		args, err := os.ReadFile(filepath.Join(process, "cmdline"))
		if err != nil || !strings.Contains("\x00"+string(args), "\x00"+argument+"\x00") {
			continue
		}
		if path, err := os.Readlink(filepath.Join(process, "exe")); err != nil || path != program {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(process), "%d", &pid); err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(pid)
		return err == nil && p.Kill() == nil
	}
	return false
}
