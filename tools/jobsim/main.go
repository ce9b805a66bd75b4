// Jobsim simulates clusters that prove positions by job-level proof search (docs/scale.md).
//
//	go run ./tools/jobsim -workers 1,2,4 positions
//	go run ./tools/jobsim -workers 2 -record lengths positions
//	go run ./tools/jobsim -workers 10,100,1000 -recorded lengths -coordinator 50us -queue 100us -latency 1ms
//
// In the first form the workers search for real, each over a table of its own, one after the other on this
// machine, and a clock counts a fixed time for each node. So the figures do not depend on the machine, nor
// on what else it does. The second form writes nodes and seconds of every job too. In the third nothing is
// searched: jobs of the recorded lengths show what coordinator and queue can serve.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"trefoil/search/jobproof"
	"trefoil/search/jobproof/games"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("jobsim: ")
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// settings are the flags.
type settings struct {
	game       string
	hash       uint64
	node       time.Duration
	each       bool
	oneTable   bool
	options    jobproof.Options
	simulation jobproof.Simulation
	record     io.Writer // nil: nothing is recorded
}

func run(args []string, out io.Writer) (err error) {
	s := settings{}
	flags := flag.NewFlagSet("jobsim", flag.ContinueOnError)
	flags.StringVar(&s.game, "game", "ultimate", "ultimate, chess or shogi")
	flags.Uint64Var(&s.hash, "hash", 64, "table of each worker, MiB")
	flags.BoolVar(&s.oneTable, "one-table", false, "one table for all workers, which shows what separate tables cost")
	flags.DurationVar(&s.node, "node", time.Microsecond, "time of a node on the simulated clock")
	flags.BoolVar(&s.each, "each", false, "a line for each position")
	flags.Uint64Var(&s.options.Nodes, "nodes", jobproof.DefaultNodes, "least budget of a job")
	flags.Uint64Var(&s.options.MostNodes, "most", jobproof.DefaultMostNodes, "greatest budget of a job")
	flags.BoolVar(&s.options.Unconfirmed, "unconfirmed", false, "no second search")
	loss := flags.Uint("loss", jobproof.DefaultVirtualLoss, "virtual loss, in 1/16")
	flags.DurationVar(&s.simulation.Coordinator, "coordinator", 0, "time of a message at the coordinator")
	flags.DurationVar(&s.simulation.Queue, "queue", 0, "time of a message in the queue")
	flags.DurationVar(&s.simulation.Latency, "latency", 0, "time of a message on its way")
	flags.IntVar(&s.simulation.Ahead, "ahead", 0, "jobs given beyond one for each worker")
	workers := flags.String("workers", "1,2,4", "numbers of workers")
	record := flags.String("record", "", "write nodes and seconds of every job to this `file`")
	recorded := flags.String("recorded", "", "simulate jobs of the lengths in this `file`")
	jobs := flags.Int("jobs", 100000, "how many of these")
	scale := flags.Float64("scale", 1, "times their length")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s.options.VirtualLoss = uint32(*loss)
	counts, err := parseCounts(*workers)
	if err != nil {
		return err
	}
	if *recorded != "" {
		lengths, err := readLengths(*recorded, *scale)
		if err != nil {
			return err
		}
		return s.queueing(counts, lengths, *jobs, out)
	}
	if *record != "" {
		file, err := os.Create(*record)
		if err != nil {
			return err
		}
		defer func() {
			if closed := file.Close(); err == nil {
				err = closed
			}
		}()
		s.record = file
	}
	data, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	return s.proofs(counts, string(data), out)
}

func parseCounts(text string) (counts []int, err error) {
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-workers: %q is no number of workers", word)
		}
		counts = append(counts, n)
	}
	return counts, nil
}

// readLengths reads the seconds of recorded jobs.
func readLengths(path string, scale float64) (lengths []time.Duration, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var nodes uint64
		var seconds float64
		if _, err := fmt.Sscan(lines.Text(), &nodes, &seconds); err != nil {
			return nil, fmt.Errorf("%s: %q has no nodes and seconds", path, lines.Text())
		}
		lengths = append(lengths, time.Duration(seconds*scale*float64(time.Second)))
	}
	if len(lengths) == 0 {
		return nil, fmt.Errorf("%s: no jobs", path)
	}
	return lengths, nil
}

// queueing simulates clusters with jobs of recorded lengths.
func (s *settings) queueing(counts []int, lengths []time.Duration, jobs int, out io.Writer) error {
	for _, n := range counts {
		source := &jobproof.Recorded{Lengths: lengths, Jobs: jobs}
		simulation := s.simulation
		simulation.Workers, simulation.Search = n, source.Search
		r, err := simulation.Run(source)
		if err != nil {
			return err
		}
		share := func(busy time.Duration, of int) float64 { return busy.Seconds() / r.Time.Seconds() / float64(of) }
		fmt.Fprintf(out, "%d workers\t%v\t%.0f jobs/s\tbusy: workers %.2f\tcoordinator %.2f\tqueue %.2f\n", n,
			r.Time.Round(time.Millisecond),
			float64(r.Jobs)/r.Time.Seconds(), share(r.WorkersBusy, n), share(r.CoordinatorBusy, 1), share(r.QueueBusy, 1))
	}
	return nil
}

// proofs simulates clusters that prove positions, one a line.
func (s *settings) proofs(counts []int, positions string, out io.Writer) error {
	for _, n := range counts {
		var sum jobproof.Report
		var spent time.Duration
		for line := range strings.Lines(positions) {
			position := strings.TrimSpace(line)
			if position == "" || position[0] == '#' {
				continue
			}
			r, coordinating, err := s.prove(n, position)
			if err != nil {
				return fmt.Errorf("%s: %w", position, err)
			}
			if s.each {
				fmt.Fprintf(out, "%d\t%s\t%d\t%d\t%d\t%v\t%s\n", n, r.Value, r.Jobs, r.Nodes-r.Confirming, r.Confirming,
					r.Time, position)
			}
			sum.Jobs += r.Jobs
			sum.Nodes += r.Nodes
			sum.Confirming += r.Confirming
			sum.Time += r.Time
			sum.WorkersBusy += r.WorkersBusy
			spent += coordinating
		}
		fmt.Fprintf(out, "%d workers\t%d jobs\t%d nodes\t%d to confirm\t%v\tbusy %.2f\tcoordinator %v a job\n", n, sum.Jobs,
			sum.Nodes-sum.Confirming, sum.Confirming,
			sum.Time.Round(time.Millisecond), sum.WorkersBusy.Seconds()/sum.Time.Seconds()/float64(n),
			(spent / time.Duration(max(sum.Jobs, 1))).Round(time.Microsecond))
	}
	return nil
}

// timed is a source that measures how long it takes.
type timed struct {
	*jobproof.Tree
	spent time.Duration
}

func (t *timed) Next() (jobproof.Job, bool) {
	defer t.add(time.Now())
	return t.Tree.Next()
}

func (t *timed) Apply(r jobproof.Result) error {
	defer t.add(time.Now())
	return t.Tree.Apply(r)
}

func (t *timed) add(began time.Time) { t.spent += time.Since(began) }

// prove proves a position with n workers, and measures the time that the coordinator has taken.
func (s *settings) prove(n int, position string) (r jobproof.Report, coordinating time.Duration, err error) {
	game, err := games.Find(s.game)
	if err != nil {
		return r, 0, err
	}
	tree, err := jobproof.New(game, position, s.options)
	if err != nil {
		return r, 0, err
	}
	workers := make([]*jobproof.Worker, n+1)
	for i := range workers {
		if workers[i], err = jobproof.NewWorker(jobproof.WorkerOptions{Name: jobproof.WorkerName(i), Hash: s.hash,
			Threads: 1}, game); err != nil {
			return r, 0, err
		}
		defer workers[i].Close()
	}
	simulation := s.simulation
	simulation.Workers = n
	simulation.Search = func(worker int, job jobproof.Job) (jobproof.Result, time.Duration, error) {
		w := workers[worker]
		if s.oneTable && worker > 0 {
			w = workers[1]
		}
		r, err := w.Run(context.Background(), job)
		if s.record != nil && job.Purpose == jobproof.Search && err == nil {
			_, err = fmt.Fprintf(s.record, "%d\t%.6f\n", r.Nodes, r.Seconds)
		}
		r.Worker = jobproof.WorkerName(worker)
		return r, time.Duration(r.Nodes) * s.node, err
	}
	source := &timed{Tree: tree}
	r, err = simulation.Run(source)
	return r, source.spent, err
}
