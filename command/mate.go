package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"trefoil/game/chess"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
	"trefoil/window"
)

const mateUsage = `usage: trefoil solve mate [FLAGS] [FILE]

Looks for forced mates in positions of chess, one a line from FILE or standard input, as
EPD or FEN:

  POSITION [bm #N;] [dm N;]   N moves to the mate, if that is known; negative: the side
                              to move is mated. Other operations are passed over

and prints for each, with tabs between them: mate N, no mate or unknown; nodes;
milliseconds; the line. Every mate is proved: the line has exactly that length, and no
defence is better. It need not be the shortest mate if time was short. No mate means that
it is proved that neither side mates within --moves.

The last line says how many mates were found of the length that was stated (exact), and how
many were longer or shorter, or not found (failed). A mate that is shorter than stated, of
the other side, or proved not to exist, is reported, and so is a line that is no position,
by its number; the rest goes on. Lines that are empty or begin with # are passed over.

exit status: 0; 1 after a wrong length or a bad line; 2 if nothing could be done; 130
after Ctrl-C

`

// mating solves mates.
type mating struct {
	batch
	threads int
	hash    uint64
	limit   time.Duration
	moves   int

	table  *window.Table
	finder *mate.Finder
	done   int // lines

	exact, longer, shorter, failed, unstated int
	nodes                                    uint64
	spent                                    time.Duration
}

// solveMate runs solve mate.
func solveMate(args []string, std streams) int {
	flags := newFlags("solve mate")
	s := &mating{batch: newBatch(std)}
	flags.IntVar(&s.threads, "threads", 1, "`N` workers over one table")
	flags.Uint64Var(&s.hash, "hash", 64, "size of the table in `MIB`")
	flags.DurationVar(&s.limit, "time", 5*time.Second, "give up a position, or a mate that may not be the shortest, after `T` (0: never)")
	flags.IntVar(&s.moves, "moves", chessgoal.MostMoves, "the longest mate of interest has `N` moves")
	if status, ok := parseFlags(flags, args, 1, mateUsage, std); !ok {
		return status
	}
	if err := s.check(); err != nil {
		fmt.Fprintf(std.err, "trefoil: solve mate: %v\n", err)
		return statusMisuse
	}
	return s.run(flags.Arg(0), std, s)
}

// check refuses flags that make no sense.
func (s *mating) check() error {
	const most = 256
	switch {
	case s.threads < 1 || s.threads > most:
		return fmt.Errorf("threads %d: want 1 to %d", s.threads, most)
	case s.limit < 0:
		return fmt.Errorf("time %v: want 0 or more", s.limit)
	case s.moves < 1 || s.moves > chessgoal.MostMoves:
		return fmt.Errorf("moves %d: want 1 to %d", s.moves, chessgoal.MostMoves)
	}
	return nil
}

func (s *mating) open(ctx context.Context) (err error) {
	if s.table, err = window.New(s.hash, window.Overwrite); err != nil {
		return err
	}
	s.finder = mate.New(s.table, s.threads, s.report)
	_ = s.table.Prefault(ctx) // it ends early at Ctrl-C only
	return nil
}

// close sums up and gives the table back.
func (s *mating) close() error {
	if s.table == nil {
		return nil
	}
	if s.solved+s.failed+s.unstated+s.bad > 0 {
		s.summary()
	}
	return s.table.Close()
}

// summary prints the last line.
func (s *mating) summary() {
	seconds := max(s.spent, time.Nanosecond).Seconds()
	s.say("# %d solved (%d exact, %d longer, %d shorter), %d failed, %d not stated, %d bad lines: %d nodes, %v, %.0f nodes/s",
		s.solved, s.exact, s.longer, s.shorter, s.failed, s.unstated, s.bad,
		s.nodes, s.spent.Round(time.Millisecond), float64(s.nodes)/seconds)
}

// report shows how the search that is under way stands.
func (s *mating) report(p mate.Progress) {
	s.bar.note = fmt.Sprintf("%s? φ %d δ %d, %d nodes, %.0f nodes/s, hash %.1f %%",
		mateText(p.Moves, p.Opponent), p.Phi, p.Delta, p.Nodes,
		float64(p.Nodes)/max(p.Time, time.Millisecond).Seconds(), float64(p.HashFull)/10)
	s.bar.show(s.done)
}

func mateText(moves int, opponent bool) string {
	if opponent {
		moves = -moves
	}
	return "mate " + strconv.Itoa(moves)
}

// line solves the position of one line and prints what came of it.
func (s *mating) line(ctx context.Context, n int, text string) {
	s.bar.note = ""
	if text = strings.TrimSpace(text); text != "" && text[0] != '#' {
		s.position(ctx, n, text)
	}
	s.done = n
}

func (s *mating) position(ctx context.Context, n int, text string) {
	p, stated, err := parseMate(text)
	if err != nil {
		s.badLine(n, text, err)
		return
	}
	if s.table.Clear(ctx) != nil {
		return // Ctrl-C before it began
	}
	a, err := s.find(ctx, p)
	if err != nil {
		s.badLine(n, text, err)
		return
	}
	value, none := "unknown", a.Failed == [2]int{s.moves, s.moves}
	switch {
	case a.Moves > 0 || a.Over:
		value = mateText(a.Moves, a.Opponent)
	case none:
		value = "no mate"
	}
	s.say("%s\t%d\t%d\t%s", value, a.Nodes, a.Time.Milliseconds(), lineText(p, &a))
	s.nodes += a.Nodes
	s.spent += a.Time
	if stated == 0 {
		s.unstated++
		return
	}
	if wrong := s.judge(&a, stated); wrong || none {
		s.wrong++
		s.complain("line %d: %s, not %s: %q", n, value, mateText(stated, false), text)
	}
}

// find looks for a mate in a position.
func (s *mating) find(ctx context.Context, p *chess.Position) (mate.Answer, error) {
	if s.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.limit)
		defer cancel()
	}
	problem := mate.Problem{Moves: s.moves, Claim: func(opponent bool, moves int) mate.Claim {
		return chessgoal.New(p, chessgoal.Attacker(p, opponent), moves)
	}}
	return s.finder.Find(ctx, problem, mate.Limits{Thorough: s.limit > 0}, nil)
}

// judge counts an answer and reports whether it contradicts what was stated.
func (s *mating) judge(a *mate.Answer, stated int) (wrong bool) {
	side := a.Opponent == (stated < 0)
	switch want := max(stated, -stated); {
	case a.Moves == 0 || !side:
		s.failed++
		return a.Moves > 0 || a.Over
	case a.Moves == want:
		s.exact++
	case a.Moves > want:
		s.longer++
	default:
		s.shorter++
		wrong = true
	}
	s.solved++
	return wrong
}

// lineText writes the line of an answer.
func lineText(p *chess.Position, a *mate.Answer) string {
	p = p.Copy()
	texts := make([]string, len(a.Line))
	for i, m := range a.Line {
		texts[i] = p.Text(m)
		p.Make(m)
	}
	return strings.Join(texts, " ")
}

// parseMate reads a line of EPD or a FEN. stated is the length of the mate by bm or dm, 0 if
// they do not say.
func parseMate(text string) (p *chess.Position, stated int, err error) {
	words := strings.Fields(text)
	n := min(4, len(words))
	for n < min(6, len(words)) && strings.Trim(words[n], "0123456789") == "" {
		n++
	}
	if p, err = chess.ParseFEN(strings.Join(words[:n], " ")); err != nil {
		return nil, 0, err
	}
	for operation := range strings.SplitSeq(strings.Join(words[n:], " "), ";") {
		code, value, _ := strings.Cut(strings.TrimSpace(operation), " ")
		digits, isMate := strings.CutPrefix(value, "#")
		if code != "dm" && (code != "bm" || !isMate) {
			continue
		}
		if stated, err = strconv.Atoi(digits); err != nil || stated == 0 {
			return nil, 0, errors.New(code + " " + value + ": that is no number of moves")
		}
	}
	return p, stated, nil
}
