package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/game/certificate"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

// hard and shorter have positions of Ultimate Tic-Tac-Toe, and their value: hard takes six hundred jobs by hardNodes,
// so that there is work left when programs have been killed, and shorter, two plies later, a hundred by shorterNodes.
const (
	hard    = "X;@...O..X.;....X..O./O.O.XX.../..XXX.O../.....OO../.O..O.OO./O.O...X../.X..XX.OX/X..XX...X/..O...OOX win"
	shorter = "X;....O@.X.;X...XO.O./O.O.XX.../..XXX.O../.....OO../.O..O.OO./O.O...X../.X..XX.OX/X..XX...X/..O...OOX win"
)

const hardNodes, shorterNodes = "2000", "200"

// tooHard is a position that is not proved in the time of a test.
const tooHard = "startpos"

// proofRecord is a record of trefoil-queue prove --json.
type proofRecord struct {
	Value string `json:"value"`
	Jobs  int    `json:"jobs"`
	Wrong string `json:"wrong"`
	PV    string `json:"pv"`
}

// proves waits until the program has proved a position.
func (p *process) proves() (r proofRecord) {
	p.t.Helper()
	out, errs := p.ends(0)
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Value != "win" || r.PV == "" {
		p.t.Fatalf("%v: %s%s", err, out, errs)
	}
	return r
}

// positions returns a file with positions.
func positions(t *testing.T, lines ...string) string {
	return filetest.New(t, "positions", strings.Join(lines, "\n")+"\n")
}

// coordinate starts a coordinator of a position.
func coordinate(t *testing.T, url, nodes, position string) *process {
	return launch(t, "prove", "--queue", url, "--nodes", nodes, "--ack-wait", "1s", "--json", "ultimate",
		positions(t, position))
}

// TestProveKilled: workers, coordinator and server are killed; no result that was stored is lost, and the proof
// is found.
func TestProveKilled(t *testing.T) {
	t.Parallel()
	coordinator, before := survive(t, func(url string) *process { return coordinate(t, url, hardNodes, hard) })
	if r := coordinator.proves(); r.Jobs < before {
		t.Errorf("%d jobs, but %d were done before", r.Jobs, before)
	}
}

// TestProveAlone: one command without set-up; killed, it continues from there.
func TestProveAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	prove := func(lines ...string) *process {
		return launch(t, "prove", "--dir", dir, "--workers", "2", "--nodes", hardNodes, "--hash", "8", "--json",
			"ultimate", positions(t, lines...))
	}
	p := prove(hard, tooHard) // it does not end, however long this process is suspended
	p.says("to join: trefoil-queue work --queue " + filepath.Join(dir, "worker.url"))
	count := results(t, filepath.Join(dir, "coordinator.url"))
	eventually(t, "results", func() bool { return count() >= 10 })
	out, errs := launch(t, "prove", "--dir", dir, "ultimate", positions(t, hard)).ends(2)
	if out != "" || !strings.Contains(errs, "another process serves this queue") {
		t.Errorf("%s%s", out, errs)
	}
	joined := launch(t, "work", "--queue", filepath.Join(dir, "worker.url"), "--hash", "8")
	joined.says("worker ")
	before := count()
	if out, _ := p.output(); out != "" { // some of these results are of the second position
		var r proofRecord
		if err := json.NewDecoder(strings.NewReader(out)).Decode(&r); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		before = r.Jobs
	}
	p.kill()
	joined.kill()
	if r := prove(hard).proves(); r.Jobs < before {
		t.Errorf("%d jobs, but %d were done before", r.Jobs, before)
	}
}

// TestProveListen: one process serves the queue and coordinates, workers join, and the state is shown.
func TestProveListen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := launch(t, "prove", "--dir", dir, "--listen", "127.0.0.1:0", "--workers", "0", "--nodes", shorterNodes,
		"--json", "ultimate", positions(t, shorter))
	p.says("0 workers here; queue and results: ")
	eventually(t, "the proof in the state", func() bool {
		out, _ := launch(t, "queue", "status", "--dir", dir).ends(0)
		return strings.Contains(out, "prove ultimate X;....O@.X.;") && strings.Contains(out, ": 0 jobs done, ")
	})
	launch(t, "work", "--queue", filepath.Join(dir, "worker.url"), "--hash", "8")
	p.proves()
}

// TestProveLiar: a worker that says the opposite of what it finds is named and does not decide the value.
func TestProveLiar(t *testing.T) {
	t.Parallel()
	s := serveQueue(t, t.TempDir(), "127.0.0.1:0")
	coordinator := coordinate(t, s.url, shorterNodes, shorter)
	startLiar(t, s.url, func(result any) (any, bool) {
		r := result.(jobproof.Result)
		if r.Phi > 0 && r.Delta > 0 {
			return r, false
		}
		r.Phi, r.Delta = r.Delta, r.Phi
		return r, true
	})
	launch(t, "work", "--queue", s.worker, "--hash", "8", "--name", "honest")
	coordinator.proves()
	if _, errs := coordinator.output(); !strings.Contains(errs, liarNamed) {
		t.Error(errs)
	}
}

// TestWorkerFile: a coordinator with the file of workers is told at once which file it needs.
func TestWorkerFile(t *testing.T) {
	t.Parallel()
	s := serveQueue(t, t.TempDir(), "127.0.0.1:0")
	for _, args := range []string{
		"prove --queue " + s.worker + " ultimate " + positions(t, hard), "book connect4 " + small + " --queue " + s.worker + " -",
		"queue status --queue " + s.worker,
	} {
		if _, errs := launch(t, strings.Fields(args)...).ends(2); !strings.Contains(errs, "use coordinator.url") {
			t.Errorf("%s: %s", args, errs)
		}
	}
}

// TestProveVersions: a worker of another version gets no jobs, and both sides say why.
func TestProveVersions(t *testing.T) {
	t.Parallel()
	s := serveQueue(t, t.TempDir(), "127.0.0.1:0")
	q := connectQueue(t, s.url)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	coordinated := make(chan error, 1)
	go func() {
		coordinated <- q.Coordinate(ctx,
			queue.Task{Name: "x", Title: "x", Version: "0", Coordinator: "old machine"}, endless{})
	}()
	coordinatorVersion(t, q)
	_, errs := launch(t, "work", "--queue", s.worker).ends(2)
	if !strings.Contains(errs,
		"does not fit coordinator old machine, which has 0: use the same build of Trefoil on all machines") {
		t.Error(errs)
	}
	cancel()
	if err := <-coordinated; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	otherVersion(t, s.url)
	coordinator := coordinate(t, s.url, shorterNodes, shorter)
	coordinator.says(`worker "old machine-`)
	launch(t, "work", "--queue", s.worker, "--hash", "8")
	coordinator.proves()
}

// TestProveDiskFull: a full disk under the queue ends the server with an error; with room it goes on, and no result
// that was stored is lost.
func TestProveDiskFull(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if runtime.GOOS != "linux" {
		t.Skip("a small file system is mounted on Linux only")
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small file system can be mounted: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	s := serveQueue(t, filepath.Join(dir, "queue"), ownAddress())
	count := results(t, s.url)
	worker := launch(t, "work", "--queue", s.worker, "--hash", "8")
	coordinator := coordinate(t, s.url, hardNodes, hard)
	eventually(t, "results", func() bool { return count() >= 10 || coordinator.ended() })
	before := count()
	fill := filepath.Join(dir, "fill")
	if err := os.WriteFile(fill, make([]byte, 32<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	_, errs := s.ends(2)
	if !strings.Contains(errs, "cannot be written") || !strings.Contains(errs, "no space left on device") {
		t.Error(errs)
	}
	worker.says("the connection to the queue")
	eventually(t, "the message of the coordinator", func() bool {
		_, errs := coordinator.output()
		return strings.Contains(errs, "the connection to the queue") || coordinator.ended()
	})
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	serveQueue(t, s.dir, s.address)
	if coordinator.ended() { // it was done before the disk was full
		coordinator.proves()
		coordinator = coordinate(t, s.url, hardNodes, hard)
	}
	if r := coordinator.proves(); r.Jobs < before {
		t.Errorf("%d jobs, but %d were done before", r.Jobs, before)
	}
}

// TestProofMemory: the state of a proof says what the tree takes, with one warning where as much is not
// free.
func TestProofMemory(t *testing.T) {
	tree, err := jobproof.New(games.Ultimate(), tooHard, jobproof.Options{})
	if err != nil {
		t.Fatal(err)
	}
	warnings := 0
	p := newProofTask(tree, nil, func(string, ...any) { warnings++ })
	for _, free := range []uint64{1 << 60, 1, 1} {
		p.fits = func(bytes uint64) error {
			if bytes <= free {
				return nil
			}
			return errors.New("refused")
		}
		if detail, text := p.Status(); detail.(proofStatus).Memory == 0 || !strings.Contains(text, ", memory ") ||
			warnings > 0 == (free > 1) {
			t.Errorf("%+v, %q, %d warnings", detail, text, warnings)
		}
	}
	if warnings != 1 {
		t.Errorf("%d warnings", warnings)
	}
}

// TestQueueStatusGone: the state of a queue that does not answer is not waited for without end.
func TestQueueStatusGone(t *testing.T) {
	t.Parallel()
	_, errs := launch(t, "queue", "status", "--timeout", "200ms", "--queue", "nats://127.0.0.1:1").ends(2)
	if !strings.Contains(errs, "nats://127.0.0.1:1") ||
		!strings.Contains(errs, "the queue has not answered within 200ms") {
		t.Error(errs)
	}
}

// TestQueueStatusPatient: a timeout of 0 is none.
func TestQueueStatusPatient(t *testing.T) {
	t.Parallel()
	s := serveQueue(t, t.TempDir(), "127.0.0.1:0")
	launch(t, "queue", "status", "--timeout", "0", "--queue", s.url).ends(0)
}

// TestProveVariables: the variables for access to a queue are not for the queue that prove serves.
func TestProveVariables(t *testing.T) {
	t.Setenv("NATS_CERT", "client.pem")
	t.Setenv("NATS_USER", "someone")
	file := positions(t, "8/5P1k/5K2/8/8/8/8/8 w - - bm #2;")
	out, errs := launch(t, "prove", "--dir", t.TempDir(), "mate", file).ends(0)
	if !strings.Contains(out, "\tmate in 2\t") {
		t.Errorf("%s%s", out, errs)
	}
}

// TestProveWrong: bad positions and wrong values are named, and the run continues.
func TestProveWrong(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "positions")
	text := "# a comment\nno position\n" + strings.TrimSuffix(shorter, "win") + "loss\n" +
		strings.TrimSuffix(shorter, " win") + "\n"
	filetest.Write(t, file, text)
	out, errs := launch(t, "prove", "--dir", t.TempDir(), "--workers", "1", "ultimate", file).ends(1)
	if !strings.Contains(errs, "line 2: ") || !strings.Contains(errs, "line 3: the value is win, not loss") ||
		!strings.Contains(out, "\n4\t") || !strings.Contains(out, "# 2 proved, 1 wrong, 1 bad line") {
		t.Errorf("%s%s", out, errs)
	}
	mates := filepath.Join(t.TempDir(), "mates")
	const position = "5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - "
	filetest.Write(t, mates, position+"bm #3;\n"+position+"bm #4;\n"+position+"0 1\n")
	out, errs = launch(t, "prove", "--dir", t.TempDir(), "--workers", "1", "mate", mates).ends(1)
	if !strings.Contains(errs, "line 1: the value is no mate in 3, not mate in 3") ||
		!strings.Contains(out, "\tmate in 4\t") || !strings.Contains(out, "\tmate\t") ||
		!strings.Contains(out, "# 3 proved, 1 wrong, 0 bad lines") {
		t.Errorf("%s%s", out, errs)
	}
	for _, c := range []struct{ args, message string }{
		{"prove chess " + file, "chess"},
		{"prove --queue x --listen :0 ultimate " + file, "can't be used together"},
		{"prove --queue x --dir y ultimate " + file, "can't be used together"},
		{"queue status --queue x --dir y", "can't be used together"},
		{"prove --user x --dir " + t.TempDir() + " ultimate " + file, "--user, --password, --creds, --nkey and --tlsca need --queue"},
		{"prove --tlscert x --tlskey y --dir " + t.TempDir() + " ultimate " + file, "--tlscert and --tlskey need --queue or --listen"},
		{"prove --listen 127.0.0.1:0 --tlscert no --tlskey no --dir " + t.TempDir() + " ultimate " + file, "no such file"},
		{"prove --queue nowhere ultimate " + file, `"nowhere" is neither a URL such as nats://host:4222 nor a file that holds one`},
		{"prove --dir " + t.TempDir() + " --listen x ultimate " + file, `"x" is not HOST:PORT`},
		{"prove --dir " + t.TempDir() + " --hash 33554432 ultimate " + positions(t, hard),
			"prove: hash of 33554432 MiB refused"},
		{"work", "--queue"},
		{"work --queue " + file, "its first line is not a URL"},
		{"queue serve --listen 127.0.0.1:0 --tlscert no --tlskey no --dir " + t.TempDir(), "no such file"},
	} {
		if _, errs := launch(t, strings.Fields(c.args)...).ends(2); !strings.Contains(errs, c.message) {
			t.Errorf("%s: %s", c.args, errs)
		}
	}
}

// TestProveCertificate: proofs of all games have certificates, also those that were proved before without one.
func TestProveCertificate(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "proof")
	prove := func(game, position string, args ...string) *process {
		return launch(t, append(append([]string{"prove", "--dir", dir, "--workers", "1", "--nodes", "500"}, args...),
			game, positions(t, strings.Split(position, "\n")...))...)
	}
	const mate = "5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - bm #4;"
	prove("mate", mate).ends(0)
	for _, c := range []struct{ game, position, says string }{
		{"mate", mate, "mate 4"},
		{"shogi", "1r5k1/l3ggs2/2sp3pL/p1p1p4/6p2/PPP1P2P1/1Ks2+pP1+p/2+n6/L4R3 w B2GS2NLbn4p 106", "mate 2"},
		{"ultimate",
			"X;X.....O@.;X.OXO.X../OX.O...../X.X...XOO/..OX.OXO./OX..X..../...O.X.O./..X...OOO/O.OX.X.X./.O.....XX",
			"win"},
	} {
		out, errs := prove(c.game, c.position, "--certificate", file).ends(0)
		s, err := certificate.Verify(t.Context(), container.File(file), func(_, _ uint64) {})
		if err != nil || s.Value != c.says || !strings.Contains(out, "# "+file+": ") {
			t.Errorf("%s: %+v, %v: %s%s", c.position, s, err, out, errs)
		}
	}
	before, _ := os.ReadFile(file)
	for _, c := range []struct {
		position, args, message string
		status                  int
	}{
		{strings.Replace(mate, "4", "3", 1), "--certificate " + file,
			"no certificate was written\na certificate cannot show that there is no mate", 2},
		{mate + "\n" + mate, "--certificate " + file + "2", "line 2: --certificate is for one position", 1},
		{"8/8/8/8/8/8/8/K1k5 w - - 0 1", "--certificate nowhere/" + t.Name(), "nowhere", 2}, // before it is searched
		{mate, "--shard 1/2 --certificate " + file, "it cannot be used with --jobs, --shard", 2},
	} {
		_, errs := prove("mate", c.position, strings.Fields(c.args)...).ends(c.status)
		if !strings.Contains(errs, c.message) {
			t.Errorf("%s: %s", c.args, errs)
		}
	}
	if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
		t.Error("the certificate is another one")
	}
}

// TestThreeMachines runs the commands of the section of docs/scale.md, with one machine for three.
func TestThreeMachines(t *testing.T) {
	t.Parallel()
	page := filetest.Read(t, "../../docs/scale.md")
	_, section, _ := strings.Cut(string(page), "\n## Three machines\n")
	section, _, _ = strings.Cut(section, "\n## ")
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "positions"), shorter+"\n")
	run := func(line string) *process {
		t.Helper()
		words := strings.Fields(strings.NewReplacer("0.0.0.0:4222", "127.0.0.1:0", "4096", "8", "--threads 8",
			"--threads 1", "alpha:", "", "--ply 10", "--ply 3 --size 5x4").Replace(line))
		for i, w := range words {
			switch w {
			case "worker.url", "coordinator.url", "positions", "queue/worker.url", "queue/coordinator.url",
				"cert.pem", "key.pem", "ten.book":
				words[i] = filepath.Join(dir, w)
			case "queue":
				if i > 0 && words[i-1] == "--dir" {
					words[i] = filepath.Join(dir, w)
				}
			}
		}
		switch words[0] {
		case "scp":
			data, err := os.ReadFile(words[1])
			if err == nil {
				err = os.WriteFile(words[2], data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			return nil
		case "openssl":
			for i, w := range words {
				words[i] = strings.Replace(w, "DNS:alpha", "IP:127.0.0.1", 1)
			}
			if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
				t.Skip("no openssl")
			} else if err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
			return nil
		}
		return launch(t, words[1:]...)
	}
	var serve, work, prove *process
	books := 0
	for line := range strings.Lines(section) {
		line, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		switch {
		case !ok:
		case strings.HasPrefix(line, "trefoil-queue queue serve"):
			if serve != nil {
				serve.interrupt()
				work.interrupt()
			}
			serve = run(line)
			serve.says("serving at")
		case strings.HasPrefix(line, "trefoil-queue work"):
			if prove != nil { // with TLS: the address has changed
				run("scp queue/worker.url worker.url")
			}
			work = run(line)
			work.says("worker ")
		case strings.HasPrefix(line, "trefoil-queue prove"):
			prove = run(line)
			if out, errs := prove.ends(0); !strings.Contains(out, "\twin\t") {
				t.Errorf("%s%s", out, errs)
			}
		case strings.HasPrefix(line, "trefoil-queue book"):
			books++
			if out, errs := run(line).ends(0); !strings.Contains(out, "66 positions up to ply 3") {
				t.Errorf("%s%s", out, errs)
			}
		case strings.HasPrefix(line, "trefoil-queue queue status"):
			if out, _ := run(line).ends(0); !regexp.MustCompile(
				`(?m)^worker .*: \d+ jobs? done, version `).MatchString(out) {
				t.Error(out)
			}
		case strings.HasPrefix(line, "scp "), strings.HasPrefix(line, "openssl "):
			run(line)
		}
	}
	work.interrupt()
	if _, errs := work.ends(0); strings.Contains(errs, "certificate") || books != 1 {
		t.Errorf("%d books; %s", books, errs)
	}
}
