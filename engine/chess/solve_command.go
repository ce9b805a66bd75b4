package chess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"trefoil/engine/alphabetagame"
	rules "trefoil/game/chess"
	"trefoil/game/chess/pgn"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
	"trefoil/window"
)

// solveCommand is the subcommand solve mate.
type solveCommand struct {
	Threads cli.Threads `default:"1" setting:"-" help:"Search threads, which share one table."`
	Hash    cli.MiB     `default:"64" setting:"-" help:"Size of the table in MiB."`
	Time    cli.Timeout `default:"5s" help:"Time limit for each position, including the proof that its mate is the shortest; 0: none."`
	Moves   mateMoves   `default:"250" help:"Longest mate to look for, in moves, 1 to 250."`
	batch.Flags
	File string `arg:"" optional:"" setting:"-" help:"The positions, or games (.pgn); standard input if there is no file or it is -."`
}

// mateMoves is the length of a mate.
type mateMoves int

// UnmarshalText reads a length that the solver can prove.
func (m *mateMoves) UnmarshalText(text []byte) (err error) {
	*m, err = cli.Whole[mateMoves](text, 1, chessgoal.MaxMoves)
	return err
}

// Help is printed by -h.
func (*solveCommand) Help() string {
	return `Looks for forced mates in positions of chess. Each line holds a position as EPD or FEN, unless it
is empty or begins with #:

    POSITION [bm #N;] [dm N;]   N moves to the mate, if that is known; negative: the
                                side to move is mated. Other operations are ignored

A file of games (.pgn) stands for all positions of its games, in order; line N is then position N,
and a game that cannot be read counts as one position.

Positions are read as by the command position: what is wrong but can be repaired is reported with
the number of the line.

The answer to each position has these fields, separated by tabs: the number of the line; the
position; mate N, no mate or unknown; nodes; milliseconds; the moves. Every mate is proved: the
moves have exactly that length, and no defence is better. It need not be the shortest mate if time
was short. No mate means that it is proved that neither side mates within --moves.

The last line says how many mates have the stated length (exact), how many are longer or shorter,
and how many were not found (failed). A mate that is shorter than stated, of the other side, or
proved not to exist, and a line that holds no position, are reported with the number of the line,
and the run continues.

Exit status: 0 on success; 1 after a wrong length or a bad line; 2 on wrong usage or failure; 130
after Ctrl-C.`
}

// Summary returns an empty summary of records, for trefoil merge.
func (*solveCommand) Summary() *batch.Summary { return batch.NewSummary(&totals{}) }

func (c *solveCommand) Run(ctx context.Context, std *cli.Console) error {
	if err := c.Fits(uint64(c.Hash)); err != nil {
		return err
	}
	run := batch.Run[solved]{Flags: c.Flags, Console: std, Totals: &totals{}}
	if strings.EqualFold(filepath.Ext(c.File), ".pgn") {
		run.Source = gamePositions
	}
	run.Open = func(ctx context.Context, screen *batch.Screen) (batch.Solver[solved], error) {
		return c.open(ctx, screen)
	}
	return run.File(ctx, c.File)
}

// gamePositions returns a function that returns the positions of the games of a file.
func gamePositions(in io.Reader) func() (string, error) {
	games := pgn.NewReader(in)
	return batch.Positions(func() ([]string, error) {
		g, err := games.Next()
		if bad := (*pgn.Error)(nil); errors.As(err, &bad) {
			err = &batch.BadInput{Err: err}
		}
		if err != nil {
			return nil, err
		}
		return g.Positions(), nil
	})
}

// lineSolver solves the lines of a run.
type lineSolver struct {
	*solveCommand
	screen *batch.Screen
	table  *window.Table
	finder *mate.Finder
}

// open returns a solver with a table of its own.
func (c *solveCommand) open(ctx context.Context, screen *batch.Screen) (_ *lineSolver, err error) {
	s := &lineSolver{solveCommand: c, screen: screen}
	if s.table, err = window.New(uint64(s.Hash), window.Growing()); err != nil {
		return nil, err
	}
	s.finder = mate.New(s.table, int(s.Threads), s.report)
	return s, nil
}

// Close frees the table.
func (s *lineSolver) Close() error { return s.table.Close() }

// report shows the state of the running search.
func (s *lineSolver) report(p mate.Progress) {
	s.screen.Note("%s? φ %d δ %d, %d nodes, %.0f nodes/s, hash %.1f %%",
		mateText(p.Moves, p.Opponent), p.Phi, p.Delta, p.Nodes,
		float64(p.Nodes)/max(p.Time, time.Millisecond).Seconds(), float64(p.HashFull)/10)
}

func mateText(moves int, opponent bool) string {
	if opponent {
		moves = -moves
	}
	return "mate " + strconv.Itoa(moves)
}

// solved is what a record says about a position.
type solved struct {
	Value    string  `json:"value"`              // mate, no mate or unknown
	Mate     *int    `json:"mate,omitempty"`     // moves, negative if the side to move is mated
	Expected int     `json:"expected,omitempty"` // likewise, 0 if not stated
	Nodes    uint64  `json:"nodes"`
	Seconds  float64 `json:"seconds"`
	PV       string  `json:"pv"`

	position string
}

// text is the value, with the length of a mate.
func (s *solved) text() string {
	if s.Mate != nil {
		return mateText(*s.Mate, false)
	}
	return s.Value
}

// Text is the answer as a line.
func (s solved) Text(l batch.Line) string {
	return fmt.Sprintf("%d\t%s\t%s\t%d\t%d\t%s", l.Line, s.position, s.text(), s.Nodes, int64(1000*s.Seconds), s.PV)
}

// Solve answers a line.
func (s *lineSolver) Solve(ctx context.Context, l batch.Line) (*batch.Answer[solved], error) {
	m, err := parseMate(l.Text)
	if err != nil {
		return nil, err
	}
	if s.table.Clear(ctx) != nil {
		return nil, nil // Ctrl-C
	}
	found, err := s.find(ctx, m.p)
	if err != nil {
		return nil, err
	}
	a := &batch.Answer[solved]{Notes: m.repairs}
	f := &a.Fields
	*f = solved{Value: "unknown", Expected: m.stated, Nodes: found.Nodes, Seconds: found.Time.Seconds(), position: m.text}
	f.PV = strings.Join(alphabetagame.LineTexts(m.p.Copy(), found.Line), " ")
	switch {
	case found.Moves > 0 || found.Over:
		f.Value, f.Mate = "mate", &found.Moves
		if found.Opponent {
			*f.Mate = -found.Moves
		}
	case found.Failed == [2]int{int(s.Moves), int(s.Moves)}:
		f.Value = "no mate"
	}
	if f.contradicts() {
		a.Wrong = fmt.Sprintf("%s, not %s: %q", f.text(), mateText(m.stated, false), l.Text)
	}
	return a, nil
}

// contradicts reports whether the answer and what was stated cannot both be true.
func (s *solved) contradicts() bool {
	switch {
	case s.Expected == 0 || s.Value == "unknown":
		return false
	case s.Mate == nil:
		return true
	}
	return s.compare() < 0
}

// compare returns how much longer the mate is than that stated, -1 if it is shorter or not of the side that was stated.
func (s *solved) compare() int {
	switch n := *s.Mate; {
	case n == 0 || n < 0 != (s.Expected < 0):
		return -1
	case n < 0:
		return max(-1, s.Expected-n)
	default:
		return max(-1, n-s.Expected)
	}
}

// find looks for a mate in a position.
func (s *lineSolver) find(ctx context.Context, p *rules.Position) (mate.Answer, error) {
	if s.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(s.Time))
		defer cancel()
	}
	return s.finder.Find(ctx, mateProblem(p, int(s.Moves), nil), mate.Limits{Thorough: s.Time > 0}, nil)
}

// totals are the sums over the answers of a run.
type totals struct {
	exact, longer, shorter, failed, unstated int
	nodes                                    uint64
	seconds                                  float64
}

// Add counts an answer.
func (t *totals) Add(s solved) {
	t.nodes += s.Nodes
	t.seconds += s.Seconds
	switch {
	case s.Expected == 0:
		t.unstated++
	case s.Mate == nil || *s.Mate == 0 || *s.Mate < 0 != (s.Expected < 0):
		t.failed++
	case s.compare() == 0:
		t.exact++
	case s.compare() > 0:
		t.longer++
	default:
		t.shorter++
	}
}

// Text is the last line of the output.
func (t *totals) Text(c batch.Counts) string {
	spent := time.Duration(t.seconds * float64(time.Second))
	return fmt.Sprintf("# %d solved (%d exact, %d longer, %d shorter), %d failed, %d not stated, %s: %d nodes, %v, "+
		"%.0f nodes/s",
		t.exact+t.longer+t.shorter, t.exact, t.longer, t.shorter, t.failed, t.unstated, cli.Count(c.Bad, "bad line"),
		t.nodes, spent.Round(time.Millisecond), float64(t.nodes)/max(t.seconds, 1e-9))
}

// problem is what a line says.
type problem struct {
	p       *rules.Position
	text    string // of the position
	stated  int    // length of the mate by bm or dm, 0 if they do not say
	repairs []string
}

// parseMate reads a line of EPD or a FEN.
func parseMate(text string) (m problem, err error) {
	var operations string
	if m.p, operations, m.repairs, err = rules.ReadEPD(text); err != nil {
		return m, err
	}
	m.text = strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimRight(text, "; \t"), operations)), " ")
	for opcode, operand := range rules.Operations(operations) {
		digits, isMate := strings.CutPrefix(operand, "#")
		if opcode != "dm" && (opcode != "bm" || !isMate) {
			continue
		}
		if m.stated, err = strconv.Atoi(digits); err != nil || m.stated == 0 {
			return m, fmt.Errorf("%s %s is not a number of moves", opcode, operand)
		}
	}
	return m, nil
}
