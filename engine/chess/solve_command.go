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
	"trefoil/internal/cli"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
	"trefoil/window"
)

// solveCommand is the subcommand solve mate.
type solveCommand struct {
	Threads cli.Threads `default:"1" help:"Threads over one table."`
	Hash    cli.MiB     `default:"64" help:"Size of the table in MiB."`
	Time    cli.Timeout `default:"5s" help:"Give up a position, or the proof that its mate is the shortest, after this time; 0: never."`
	Moves   mateMoves   `default:"250" help:"Moves of the longest mate to look for, 1 to 250."`
	File    string      `arg:"" optional:"" help:"The positions, or games (.pgn); standard input if there is none or it is -."`
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
	return `Looks for forced mates in positions of chess. Each line has a position as EPD or FEN,
unless it is empty or begins with #:

    POSITION [bm #N;] [dm N;]   N moves to the mate, if that is known; negative: the
                                side to move is mated. Other operations are ignored

A file of games (.pgn) stands for all positions of its games, in their order; line N is
position N then.

Positions are read as by the command position: what is wrong with one but can be repaired
is reported with the number of the line.

The answer to each has, with tabs between them: mate N, no mate or unknown; nodes;
milliseconds; the line. Every mate is proved: the line has exactly that length, and no
defence is better. It need not be the shortest mate if time was short. No mate means that
it is proved that neither side mates within --moves.

The last line says how many mates were found of the length that was stated (exact), how
many were longer or shorter, and how many were not found (failed). A mate that is shorter
than stated, of the other side, or proved not to exist, and a line that holds no position,
are reported with the number of the line, and the run continues.

Exit status: 0; 1 after a wrong length or a bad line; 2 on wrong usage or failure;
130 after Ctrl-C.`
}

func (c *solveCommand) Run(ctx context.Context, std *cli.Console) error {
	s := &lineSolver{Lines: cli.NewLines(std), solveCommand: c}
	s.Comments = true
	if strings.EqualFold(filepath.Ext(c.File), ".pgn") {
		s.Source = gamePositions
	}
	return s.Lines.Run(ctx, c.File, s)
}

// gamePositions returns a function that returns the positions of the games of a file.
func gamePositions(in io.Reader) func() (string, error) {
	games := pgn.NewReader(in)
	var fens []string
	return func() (string, error) {
		for len(fens) == 0 {
			g, err := games.Next()
			if bad := (*pgn.Error)(nil); errors.As(err, &bad) {
				err = &cli.BadInput{Err: err}
			}
			if err != nil {
				return "", err
			}
			fens = g.Positions()
		}
		fen := fens[0]
		fens = fens[1:]
		return fen, nil
	}
}

// lineSolver solves the lines of a run.
type lineSolver struct {
	*cli.Lines
	*solveCommand

	table  *window.Table
	finder *mate.Finder

	exact, longer, shorter, failed, unstated int
	nodes                                    uint64
	spent                                    time.Duration
}

func (s *lineSolver) Open(ctx context.Context) (err error) {
	if s.table, err = window.New(uint64(s.Hash)); err != nil {
		return err
	}
	s.finder = mate.New(s.table, int(s.Threads), s.report)
	_ = s.table.Prefault(ctx) // its only error is that of ctx
	return nil
}

// Close prints the summary and frees the table.
func (s *lineSolver) Close() error {
	if s.table == nil {
		return nil
	}
	if s.Solved+s.failed+s.unstated+s.Bad > 0 {
		s.summary()
	}
	return s.table.Close()
}

// summary prints the last line.
func (s *lineSolver) summary() {
	seconds := max(s.spent, time.Nanosecond).Seconds()
	s.Answer("# %d solved (%d exact, %d longer, %d shorter), %d failed, %d not stated, %d bad lines: %d nodes, %v, %.0f nodes/s",
		s.Solved, s.exact, s.longer, s.shorter, s.failed, s.unstated, s.Bad,
		s.nodes, s.spent.Round(time.Millisecond), float64(s.nodes)/seconds)
}

// report shows the state of the running search.
func (s *lineSolver) report(p mate.Progress) {
	s.Report("%s? φ %d δ %d, %d nodes, %.0f nodes/s, hash %.1f %%",
		mateText(p.Moves, p.Opponent), p.Phi, p.Delta, p.Nodes,
		float64(p.Nodes)/max(p.Time, time.Millisecond).Seconds(), float64(p.HashFull)/10)
}

func mateText(moves int, opponent bool) string {
	if opponent {
		moves = -moves
	}
	return "mate " + strconv.Itoa(moves)
}

// Line solves the position of one line and prints the answer.
func (s *lineSolver) Line(ctx context.Context, n int, text string) {
	p, stated, repairs, err := parseMate(text)
	if err != nil {
		s.BadLine(n, text, err)
		return
	}
	for _, repair := range repairs {
		s.Warnf("line %d: %s", n, repair)
	}
	if s.table.Clear(ctx) != nil {
		return // Ctrl-C
	}
	a, err := s.find(ctx, p)
	if err != nil {
		s.BadLine(n, text, err)
		return
	}
	value, none := "unknown", a.Failed == [2]int{int(s.Moves), int(s.Moves)}
	switch {
	case a.Moves > 0 || a.Over:
		value = mateText(a.Moves, a.Opponent)
	case none:
		value = "no mate"
	}
	s.Answer("%s\t%d\t%d\t%s", value, a.Nodes, a.Time.Milliseconds(), strings.Join(alphabetagame.LineTexts(p.Copy(), a.Line), " "))
	s.nodes += a.Nodes
	s.spent += a.Time
	if stated == 0 {
		s.unstated++
		return
	}
	if wrong := s.count(&a, stated); wrong || none {
		s.Wrong++
		s.Warnf("line %d: %s, not %s: %q", n, value, mateText(stated, false), text)
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

// count counts an answer and reports whether it contradicts what was stated.
func (s *lineSolver) count(a *mate.Answer, stated int) (wrong bool) {
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
	s.Solved++
	return wrong
}

// parseMate reads a line of EPD or a FEN. stated is the length of the mate by bm or dm, 0 if
// they do not say.
func parseMate(text string) (p *rules.Position, stated int, repairs []string, err error) {
	p, operations, repairs, err := rules.ReadEPD(text)
	if err != nil {
		return nil, 0, nil, err
	}
	for opcode, operand := range rules.Operations(operations) {
		digits, isMate := strings.CutPrefix(operand, "#")
		if opcode != "dm" && (opcode != "bm" || !isMate) {
			continue
		}
		if stated, err = strconv.Atoi(digits); err != nil || stated == 0 {
			return nil, 0, nil, fmt.Errorf("%s %s is not a number of moves", opcode, operand)
		}
	}
	return p, stated, repairs, nil
}
