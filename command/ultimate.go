package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"trefoil/game"
	"trefoil/game/ultimate"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
	"trefoil/window"
)

const ultimateUsage = `usage: trefoil solve ultimate [FLAGS] [FILE]

Solves positions of Ultimate Tic-Tac-Toe, one a line from FILE or standard input:

  POSITION [EXPECTED]   side;nine boards of the big board;board 0/…/board 8, or
                        startpos; and win, draw or loss if that is expected

and prints for each, with tabs between them: win, draw or loss for the side to move, or
unknown after --time or Ctrl-C; nodes; milliseconds; the main line. A move is the letter
of the board and that of the cell, a to i from left to right and from top to bottom. Of an
unknown position the line is the move that promises most. The last line is a summary.

What is found out about one position stays in the table and helps with the next, unless
--fresh is given. With --save it survives the program too: FILE is replaced at every
interval and at the end, also after Ctrl-C, and is whole at any moment; what ends the
program otherwise loses at most one interval. --load goes on from there, also with another
--hash.

A value that is not the expected one is reported, and so is a line that is no position, by
its number; the rest goes on. Lines that are empty or begin with # are passed over.

exit status: 0; 1 after a wrong value or a bad line; 2 if nothing could be done, or the
table could not be saved; 130 after Ctrl-C

`

// lineNodes is how much is searched again for one move of a main line, where the table has
// lost it.
const lineNodes = 1 << 20

// nine solves Ultimate Tic-Tac-Toe.
type nine struct {
	batch
	threads int
	hash    uint64
	limit   time.Duration
	fresh   bool
	save    string
	every   time.Duration
	load    string

	table    *window.Table
	solver   *proof.Solver
	saver    *window.Saver
	failures chan error // of saving
	done     int        // lines
	searched bool       // something, since the generation began
	unknown  int
	nodes    uint64
	spent    time.Duration
}

// solveUltimate runs solve ultimate.
func solveUltimate(args []string, std streams) int {
	flags := newFlags("solve ultimate")
	s := &nine{batch: newBatch(std), failures: make(chan error, 1)}
	flags.IntVar(&s.threads, "threads", 1, "`N` workers over one table")
	flags.Uint64Var(&s.hash, "hash", 64, "size of the table in `MIB`")
	flags.DurationVar(&s.limit, "time", 0, "give up a position after `T`, such as 90s or 1h30m (0: never)")
	flags.BoolVar(&s.fresh, "fresh", false, "empty the table before every position")
	flags.StringVar(&s.save, "save", "", "save the table in `FILE`")
	flags.DurationVar(&s.every, "every", 10*time.Minute, "save it every `T`")
	flags.StringVar(&s.load, "load", "", "begin with the table that was saved in `FILE`")
	if status, ok := parseFlags(flags, args, 1, ultimateUsage, std); !ok {
		return status
	}
	if err := s.check(isSet(flags, "every")); err != nil {
		fmt.Fprintf(std.err, "trefoil: solve ultimate: %v\n", err)
		return statusMisuse
	}
	return s.run(flags.Arg(0), std, s)
}

// check refuses flags that make no sense, and a --save that would destroy what it cannot
// replace.
func (s *nine) check(everySet bool) error {
	const most = 256
	switch {
	case s.threads < 1 || s.threads > most:
		return fmt.Errorf("threads %d: want 1 to %d", s.threads, most)
	case s.limit < 0:
		return fmt.Errorf("time %v: want 0 or more", s.limit)
	case everySet && s.save == "":
		return errors.New("every: there is nothing to save without --save")
	case s.fresh && (s.save != "" || s.load != ""):
		return errors.New("fresh: an empty table is neither saved nor loaded")
	case s.save != "" && s.save != s.load:
		if _, err := os.Stat(s.save); err == nil {
			return fmt.Errorf("save: there is a %s already: --load it too, or choose another name", s.save)
		}
	}
	return nil
}

// label says what is in the files of this command.
var label = window.Label{Game: "ultimate", Convention: ultimategoal.Convention, Seed: ultimategoal.Seed}

func (s *nine) open(ctx context.Context) (err error) {
	if s.table, err = window.New(s.hash, window.Overwrite); err != nil {
		return err
	}
	s.solver = proof.New(s.table, proof.Options{Threads: s.threads, Report: s.report})
	if s.load != "" {
		if err := s.table.Load(ctx, s.load, label); err != nil {
			return err
		}
	}
	_ = s.table.Prefault(ctx) // it ends early at Ctrl-C only
	if s.save != "" {
		s.saver, err = s.table.SaveEvery(s.save, label, s.every, s.saved)
	}
	return err
}

// saved is told of every save. The latest failure is kept until there is somebody to tell it.
func (s *nine) saved(err error) {
	select {
	case <-s.failures:
	default:
	}
	if err != nil {
		s.failures <- err
	}
}

// warn tells of a save that has failed.
func (s *nine) warn() {
	select {
	case err := <-s.failures:
		s.complain("%v", err)
	default:
	}
}

// close saves the table, sums up and gives it back.
func (s *nine) close() (err error) {
	if s.table == nil {
		return nil
	}
	if s.saver != nil {
		err = s.saver.Close(context.Background())
	}
	if s.solved+s.unknown+s.bad > 0 || err != nil {
		s.summary()
	}
	return errors.Join(err, s.table.Close())
}

// summary prints the last line.
func (s *nine) summary() {
	seconds := max(s.spent, time.Nanosecond).Seconds()
	s.say("# %d solved, %d unknown, %d wrong, %d bad lines: %d nodes, %v, %.0f nodes/s",
		s.solved, s.unknown, s.wrong, s.bad, s.nodes, s.spent.Round(time.Millisecond), float64(s.nodes)/seconds)
}

// report shows how the proof that is under way stands.
func (s *nine) report(p proof.Progress) {
	s.warn()
	what := "win"
	if p.Second {
		what = "no win; loss"
	}
	s.bar.note = fmt.Sprintf("%s? φ %d δ %d, %d nodes, %.0f nodes/s, hash %.1f %%",
		what, p.Phi, p.Delta, p.Nodes, float64(p.Nodes)/max(p.Time, time.Millisecond).Seconds(), float64(p.HashFull)/10)
	s.bar.show(s.done)
}

// line solves the position of one line and prints what came of it.
func (s *nine) line(ctx context.Context, n int, text string) {
	s.bar.note = ""
	if text = strings.TrimSpace(text); text != "" && text[0] != '#' {
		s.position(ctx, n, text)
	}
	s.done = n
}

func (s *nine) position(ctx context.Context, n int, text string) {
	p, expected, err := parsePosition(text)
	if err != nil {
		s.badLine(n, text, err)
		return
	}
	switch {
	case s.fresh:
		if s.table.Clear(ctx) != nil {
			return // Ctrl-C before it began
		}
	case s.searched: // what was loaded, or found at once, is as good as what will be found
		s.table.NewSearch()
		s.searched = false
	}
	value, d, moves, err := s.decide(ctx, p)
	if err != nil {
		s.badLine(n, text, err)
		return
	}
	s.warn()
	s.say("%s\t%d\t%d\t%s", value, d.Nodes(), d.Time().Milliseconds(), moves)
	s.nodes += d.Nodes()
	s.spent += d.Time()
	if !d.Known {
		s.unknown++
		return
	}
	s.solved++
	if expected != "" && expected != value {
		s.wrong++
		s.complain("line %d: it is a %s, not a %s: %q", n, value, expected, text)
	}
}

// decide finds the value of a position and its main line.
func (s *nine) decide(ctx context.Context, p ultimate.Position) (value string, d proof.Decision, line string, err error) {
	claim := func(who ultimate.Side) func() proof.Game {
		return func() proof.Game { return ultimategoal.New(p, who) }
	}
	wins, loses := claim(p.Side()), claim(p.Side().Other())
	if d, err = s.solver.Decide(ctx, wins, loses, proof.Limits{Time: s.limit}); err != nil {
		return "", d, "", err
	}
	s.searched = s.searched || d.Nodes() > 0
	moves, err := s.solver.Main(ctx, d, wins, loses, proof.Limits{Nodes: lineNodes})
	if value = "unknown"; d.Known {
		value = outcomes[d.Outcome-game.Loss]
	}
	return value, d, ultimategoal.Text(moves), err
}

var outcomes = [...]string{"loss", "draw", "win"}

// parsePosition reads POSITION [EXPECTED].
func parsePosition(text string) (p ultimate.Position, expected string, err error) {
	words := strings.Fields(text)
	if words[0] == "startpos" {
		p = ultimate.Start()
	} else if p, err = ultimate.Parse(words[0]); err != nil {
		return p, "", err
	}
	if len(words) > 1 {
		expected = words[1]
		switch {
		case len(words) > 2:
			return p, "", errors.New("more than two words")
		case expected != "win" && expected != "draw" && expected != "loss":
			return p, "", fmt.Errorf("the expected value %.40q is none of win, draw, loss", expected)
		}
	}
	return p, expected, nil
}
