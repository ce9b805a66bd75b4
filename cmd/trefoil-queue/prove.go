package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/game/certificate"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/container"
)

type prove struct {
	Game    string      `arg:"" enum:"${proofs}" help:"${proofshelp}."`
	Queue   string      `setting:"-" placeholder:"URL" xor:"listen,dir" help:"Use this queue: a URL such as nats://host:4222, or a file that holds one, such as coordinator.url. By default the program serves its own."`
	Listen  string      `setting:"-" placeholder:"HOST:PORT" xor:"listen" help:"Serve the queue of this program to other machines at this address."`
	Workers *workers    `setting:"-" placeholder:"N" help:"Workers in this process; by default one, or none with --queue."`
	Threads cli.Threads `setting:"-" placeholder:"N" help:"Threads of each worker, which share one table; by default the processors are divided among the workers."`
	Hash    cli.MiB     `setting:"-" default:"64" help:"Size of each worker's table in MiB."`
	Nodes   cli.Nodes   `setting:"-" default:"262144" help:"Fewest nodes of a job; the jobs of a long proof get more."`
	AckWait cli.Timeout `setting:"-" placeholder:"TIME" help:"Give the job of a worker that is silent for this time to another one; by default 30s, or what an earlier coordinator has set."`
	Cert    string      `name:"certificate" setting:"-" placeholder:"FILE" help:"Write a proof of the value of a single position, for trefoil verify; - is standard output."`
	queueFolder
	jobs.Access
	batch.Flags
	File string `arg:"" optional:"" setting:"-" help:"The positions; standard input if there is no file or it is -."`
}

// workers is a number of workers.
type workers int

// UnmarshalText reads a whole number from 0 to 1,024.
func (w *workers) UnmarshalText(text []byte) (err error) {
	*w, err = cli.Whole[workers](text, 0, 1024)
	return err
}

// proofVars are the variables of the tags of prove.
func proofVars() kong.Vars {
	var names, help []string
	for _, p := range games.Proofs() {
		names, help = append(names, p.Name), append(help, p.Name+": "+p.Help)
	}
	return kong.Vars{"proofs": strings.Join(names, ","), "proofshelp": strings.Join(help, "; ")}
}

// Help is printed by -h.
func (*prove) Help() string {
	return `Finds the value of hard positions with many workers, each with its own table. This process, the
coordinator, keeps the top of the tree and sends positions of it to workers as jobs, through a
queue. Input and output are those of trefoil solve: one position per line, with or without the
expected value.

Without --queue, no set-up is needed: the program serves a queue itself and starts workers. With
--listen, workers on other machines can join, and --tlscert and --tlskey are the certificate of the
queue. Workers need the file worker.url from its folder, which has the address and their password:

    trefoil-queue prove --listen 0.0.0.0:4222 GAME FILE          # here
    scp SERVER:.local/state/trefoil/queue/worker.url worker.url  # on each of the others
    trefoil-queue work --queue worker.url --threads 8 --hash 4096

With --queue, the queue is a NATS server with JetStream, such as trefoil-queue queue serve, whose
file coordinator.url has the password of coordinators. TLS and credentials are those of NATS. All
results stay in the queue, so coordinator, workers and server may end at any moment, and the same
command continues from there; a position that was proved before is answered at once.

Results from the network are not trusted: those that the proof rests on are searched a second
time, by another worker or by the coordinator. A worker whose results are contradicted is named,
and all its results are dropped.

With --certificate, the input is a single position. Workers send the moves that show the results on
which the proof rests, and nothing is believed that they do not show. The file has a move for every
position of the proof, as in trefoil solve. That there is no mate cannot be shown.

A line on standard error shows once a minute how far each proof is; on a terminal, a bar shows it
all the time. trefoil-queue queue status shows the same from elsewhere. The time left is estimated from
the proof numbers and is usually too low.

Exit status: 0 on success; 1 after a wrong value or a bad line; 2 on wrong usage or failure, also
to make a certificate; 130 after Ctrl-C.`
}

// Summary summarises records, for trefoil-queue merge.
func (*prove) Summary() *batch.Summary { return batch.NewSummary(&proofTotals{}) }

func (c *prove) Run(ctx context.Context, std *cli.Console) (err error) {
	cert, err := c.certificate(ctx, std)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	q, where, closeQueue, err := c.open(ctx, std, stop)
	if err != nil {
		return err
	}
	defer closeQueue()
	var working sync.WaitGroup
	defer working.Wait()
	defer stop(nil)
	for i := range c.localWorkers() {
		name := jobs.ProcessName()
		working.Go(func() {
			as := queue.NewIdentity(fmt.Sprintf("%s.%d", name, i+1))
			if err := runWorker(ctx, q, as, c.threads(), uint64(c.Hash)); err != nil {
				stop(err)
			}
		})
	}
	std.Warnf("%s here; queue and results: %s", cli.Count(c.localWorkers(), "worker"), where)
	totals := &proofTotals{}
	run := batch.Run[proved]{Flags: c.Flags, Console: std, Totals: totals}
	run.Open = func(_ context.Context, screen *batch.Screen) (batch.Solver[proved], error) {
		proofs := games.Proofs()
		i := slices.IndexFunc(proofs, func(p games.Proof) bool { return p.Name == c.Game })
		p := &prover{prove: c, game: proofs[i].Game, queue: q, screen: screen, totals: totals, cert: cert}
		if c.Cert != "" {
			p.failed = certificate.ErrNone // until there is one
		}
		return p, nil
	}
	err = run.File(ctx, c.File)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// certificate returns where the certificate is written.
func (c *prove) certificate(ctx context.Context, std *cli.Console) (out container.Output, err error) {
	if c.Cert == "" {
		return out, nil
	}
	if c.Divided() {
		return out, certificate.ErrDivided
	}
	if err := std.CheckOutputs(cli.Use{What: "--certificate", Path: c.Cert}); err != nil {
		return out, err
	}
	if out, err = std.Output(ctx, c.Cert); err == nil {
		err = certificate.Writable(out)
	}
	return out, err
}

// open connects to the queue, or serves one, whose failure stops the run. It also says where that is.
func (c *prove) open(ctx context.Context, std *cli.Console,
	stop context.CancelCauseFunc) (q *queue.Queue, where string, closeAll func(), err error) {
	if c.Queue != "" {
		q, err := c.Access.Open(ctx, std, c.Queue, queue.Options{AckWait: time.Duration(c.AckWait)})
		if err != nil {
			return nil, "", nil, err
		}
		return q, c.Queue, q.Close, nil
	}
	if err := c.unused(); err != nil {
		return nil, "", nil, err
	}
	s, err := c.serve(std, c.Listen, c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, "", nil, err
	}
	go func() {
		select {
		case <-s.Failed():
			stop(s.Err())
		case <-ctx.Done():
		}
	}()
	q, err = queue.Connect(ctx, queue.Options{Server: s, Name: jobs.ProcessName(), AckWait: time.Duration(c.AckWait),
		Warn: std.Warnf})
	if err != nil {
		s.Close()
		return nil, "", nil, err
	}
	where = fmt.Sprintf("%s; to join: trefoil-queue work --queue %s", filepath.Dir(s.WorkerFile()), s.WorkerFile())
	return q, where, func() { q.Close(); s.Close() }, nil
}

// unused returns an error if there is a flag for access to a queue that has no use without --queue.
func (c *prove) unused() error {
	server := jobs.Access{TLSCert: c.TLSCert, TLSKey: c.TLSKey}
	switch {
	case c.Access != server:
		return errors.New("--user, --password, --creds, --nkey and --tlsca need --queue")
	case c.Listen == "" && server != jobs.Access{}:
		return errors.New("--tlscert and --tlskey need --queue or --listen")
	}
	return nil
}

// localWorkers is the number of workers in this process. One with all threads takes fewer nodes than several with a
// table each.
func (c *prove) localWorkers() int {
	switch {
	case c.Workers != nil:
		return int(*c.Workers)
	case c.Queue != "":
		return 0
	}
	return 1
}

// threads is the number of threads of each worker.
func (c *prove) threads() int {
	if c.Threads > 0 {
		return int(c.Threads)
	}
	return max(1, runtime.GOMAXPROCS(0)/max(1, c.localWorkers()))
}

// prover proves the positions of a run.
type prover struct {
	*prove
	game   jobproof.Game
	queue  *queue.Queue
	screen *batch.Screen
	totals *proofTotals
	cert   container.Output
	failed error // of the certificate
	proved bool  // a position
}

// Close says whether there is a certificate that was asked for.
func (p *prover) Close() error { return p.failed }

// proved is what a record says about a position.
type proved struct {
	Value    string  `json:"value"`
	Expected string  `json:"expected,omitempty"`
	Nodes    uint64  `json:"nodes"`
	Seconds  float64 `json:"seconds"`
	PV       string  `json:"pv"`
	Jobs     int     `json:"jobs"`

	position string
}

// Text is the answer as a line.
func (p proved) Text(l batch.Line) string {
	return fmt.Sprintf("%d\t%s\t%s\t%d\t%d\t%s", l.Line, p.position, p.Value, p.Nodes, int64(1000*p.Seconds), p.PV)
}

// Solve proves the position of a line.
func (p *prover) Solve(ctx context.Context, l batch.Line) (answer *batch.Answer[proved], err error) {
	position, expected, tree, err := p.parse(l.Text)
	if err != nil {
		return nil, err
	}
	if p.Cert != "" && p.proved {
		return nil, certificate.ErrSecond
	}
	p.proved = true
	own := jobs.NewWorker(jobs.ProcessName(), 1, uint64(p.Hash))
	defer func() { err = errors.Join(err, own.Close()) }()
	proof := newProofTask(tree, own, p.screen.Warnf)
	began := time.Now()
	task := jobs.Task(jobproof.Version(p.game), fmt.Sprintf("prove %s %s", p.game.Name(), position))
	log := jobs.EachMinute(p.screen.Warnf)
	task.Report = func(s queue.Status) {
		p.screen.Note("%s", s.Line())
		log(s)
	}
	err = p.queue.Coordinate(ctx, task, proof)
	var line []string
	if err == nil {
		line, err = proof.line(ctx, p.game)
	}
	if err != nil {
		return nil, &batch.Failure{Err: err}
	}
	if p.Cert != "" {
		p.certify(ctx, proof)
	}
	value, _ := tree.Done()
	s := tree.Stats()
	answer = &batch.Answer[proved]{Fields: proved{
		Value: value, Expected: expected, Nodes: s.Nodes, Seconds: time.Since(began).Seconds(), PV: strings.Join(line, " "),
		Jobs: s.Results, position: position,
	}}
	if expected != "" && expected != value {
		answer.Wrong = fmt.Sprintf("the value is %s, not %s", value, expected)
	}
	return answer, nil
}

// certify writes the certificate of a position that is proved.
func (p *prover) certify(ctx context.Context, t *proofTask) {
	proof, err := t.certificate(ctx)
	var positions uint64
	if err == nil {
		positions, err = certificate.Write(ctx, p.cert, proof, func(done uint64) {
			p.screen.Note("certificate: %d positions", done)
		})
	}
	switch {
	case err == nil:
		p.failed = nil
		p.totals.certificate = fmt.Sprintf("# %s: %s\n", p.cert.Name, cli.Count(positions, "position"))
	case ctx.Err() == nil:
		p.failed = errors.Join(p.failed, err)
	}
}

// parse reads POSITION or POSITION EXPECTED.
func (p *prover) parse(text string) (position, expected string, tree *jobproof.Tree, err error) {
	position = text
	if problem, err := p.game.Problem(text); err == nil {
		expected = problem.Stated
	}
	if i := strings.LastIndexAny(text, " \t"); i > 0 {
		before, last := strings.TrimSpace(text[:i]), text[i+1:]
		if problem, err := p.game.Problem(before); err == nil && slices.Contains(problem.Values, last) {
			position, expected = before, last
		}
	}
	o := jobproof.Options{Nodes: uint64(p.Nodes), Unconfirmed: p.Queue == "" && p.Listen == ""}
	if p.Cert != "" {
		o.Known = certificate.NewMoves()
	}
	tree, err = jobproof.New(p.game, position, o)
	return position, expected, tree, err
}

// proofTotals are counted for the summary.
type proofTotals struct {
	mu      sync.Mutex
	proved  int
	nodes   uint64
	seconds float64

	certificate string // what is said about it
}

// Add counts an answer.
func (s *proofTotals) Add(p proved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proved++
	s.nodes += p.Nodes
	s.seconds += p.Seconds
}

// Text is the last line of the output.
func (s *proofTotals) Text(n batch.Counts) string {
	return s.certificate + fmt.Sprintf("# %d proved, %d wrong, %s: %d nodes, %v", s.proved, n.Wrong,
		cli.Count(n.Bad, "bad line"), s.nodes, time.Duration(s.seconds*float64(time.Second)).Round(time.Millisecond))
}
