//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"trefoil/internal/filetest"
)

var long = flag.Bool("long", false, "play a test on a server and a worker of OpenBench, minutes")

// patience is how long a step may take, on a loaded machine too.
const patience = 10 * time.Minute

// TestLoopback follows docs/openbench.md without GitHub: server, worker and the stand-in run on the loopback interface
// until the server has decided an SPRT of HashIndex. TREFOIL_OPENBENCH names the sources of OpenBench; python3 has its
// packages, and fastchess is installed.
func TestLoopback(t *testing.T) {
	sources := checkout(t)
	if !*long {
		t.Skip("-long is not set")
	}
	for _, name := range []string{"bash", "git", "make", "jq", "python3", "fastchess", "unshare"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(root, filepath.Join(dir, "trefoil")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "clone", "--quiet", sources,
		filepath.Join(dir, "OpenBench")).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	page := filetest.Read(t, filepath.Join(root, "docs", "openbench.md"))
	g := &guide{dir: dir, text: string(page)}
	// Other ports than the ports of the page, and a book that is made soon.
	g.text = strings.NewReplacer("127.0.0.1:8000", freeAddress(t), "127.0.0.1:3128", freeAddress(t),
		"-n 1200", "-n 60", "-ca github.pem", "-ca "+dir+"/github.pem", "$PWD/trefoil/github.pem", dir+"/github.pem",
		// Few nodes, bounds that are soon decided.
		"-dev main book_name=trefoil.epd",
		"-dev HEAD book_name=trefoil.epd both_time_control=N=500 workload_size=16 'test_bounds=[-200.00, 0.00]'",
		// The client kills by name; it gets a namespace of its own.
		"python3 client.py", "unshare --map-root-user --pid --fork --kill-child --mount-proc python3 client.py",
	).Replace(g.text)

	account := g.block(t, "The server", 1)
	environment, _, _ := strings.Cut(account, "\n")
	github := g.block(t, "Without GitHub", 1)
	g.run(t, "", g.block(t, "The server", 0))
	g.run(t, "", account)
	g.run(t, "", g.block(t, "Without GitHub", 2))
	g.start(t, "trefoil", g.block(t, "Without GitHub", 0))
	await(t, "certificate", func() bool { _, err := os.Stat(filepath.Join(dir, "github.pem")); return err == nil })
	g.start(t, "", github+g.block(t, "The server", 2))
	server := regexp.MustCompile(`http://[0-9.:]+`).FindString(environment)
	await(t, "server", func() bool {
		response, err := http.Get(server + "/index/")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	g.run(t, "trefoil", environment+"\n"+g.block(t, "HashIndex auto against pow2", 0))
	g.start(t, "", github+environment+"\n"+strings.Replace(g.block(t, "A worker", 0), "client.py ",
		"client.py --no-client-downloads ", 1))
	state := ""
	await(t, "end of the test", func() bool {
		state = g.run(t, "", environment+"\n"+g.block(t, "HashIndex auto against pow2", 1))
		var test struct{ Finished bool }
		if err := json.Unmarshal([]byte(state), &test); err != nil {
			t.Fatalf("%v: %s", err, state)
		}
		return test.Finished
	})
	response, err := http.Get(server + "/api/workload/1/info/")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	info, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var test struct {
		Info struct {
			Games                 int
			Passed, Failed, Error bool
		}
	}
	if err := json.Unmarshal(info, &test); err != nil || test.Info.Games == 0 || test.Info.Error ||
		test.Info.Passed == test.Info.Failed {
		t.Errorf("the test ended in the state %s, %v", info, err)
	}
	t.Log(state)
}

// guide is the page, followed in a folder.
type guide struct{ dir, text string }

// block returns a block of commands of a section.
func (g *guide) block(t *testing.T, section string, n int) string {
	t.Helper()
	_, text, ok := strings.Cut(g.text, "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	blocks := regexp.MustCompile(`(?m)(?:^    .*\n?)+`).FindAllString(text, -1)
	if !ok || n >= len(blocks) {
		t.Fatalf("the page has no block %d in section %q", n, section)
	}
	return regexp.MustCompile(`(?m)^    `).ReplaceAllString(blocks[n], "")
}

func (g *guide) command(folder, text string, out io.Writer) *exec.Cmd {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", text)
	cmd.Dir = filepath.Join(g.dir, folder)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd
}

// run runs commands to their end and returns what they print.
func (g *guide) run(t *testing.T, folder, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := g.command(folder, text, &out).Run(); err != nil {
		t.Fatalf("%s\n%v\n%s", text, err, out.String())
	}
	return out.String()
}

// start runs commands until the test ends.
func (g *guide) start(t *testing.T, folder, text string) {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := g.command(folder, text, log)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that its children end with it
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
		log.Close()
		if t.Failed() {
			out, _ := os.ReadFile(log.Name())
			t.Logf("%s\n%s", text, out)
		}
	})
}

// await waits for something.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Second) {
		if time.Now().After(end) {
			t.Fatalf("no %s", what)
		}
	}
}

// freeAddress is an address of the loopback interface that nothing uses now.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr())
}
