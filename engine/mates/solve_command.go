// Package mates is the subcommand solve mate, and the mates that chess and shogi search for.
//
// # Useless interpositions
//
// Published lengths of mate problems in shogi leave useless interpositions (無駄合) out, and so does solve
// mate, but only where nothing else is left to the defender: a mate in effect ends the problem
// (shogi.Position.MatedInEffect). The checker itself has to capture each piece at once, and with the last
// capture the king is mated, so whatever is captured is not needed. These are the useless interpositions
// that composers agree on, type X of the exceptional ones in https://w.atwiki.jp/mudaai/pages/17.html, and
// a part of what KomoringHeights left out before its version 1.0: there any mate after the capture would
// do, if it held with the piece given back to the defender (its issue 5). That is asked here too.
//
// Where opinions differ interpositions count: before the end of a mate, even if the same moves follow; and
// if another piece has to capture. go mate of USI and certificates count all, as KomoringHeights now does.
package mates

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"trefoil/engine/alphabetagame"
	"trefoil/game"
	"trefoil/game/certificate"
	"trefoil/game/chess"
	"trefoil/game/chess/pgn"
	"trefoil/game/shogi"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
	"trefoil/window"
)

// SolveCommand is the subcommand solve mate.
type SolveCommand struct {
	Threads cli.Threads `default:"1" setting:"-" help:"Search threads, which share one table."`
	Hash    cli.MiB     `default:"64" setting:"-" help:"Size of the table in MiB."`
	Time    cli.Timeout `default:"5s" help:"Time limit for each position, including the proof that its mate is the shortest; 0: none."`
	Moves   mateMoves   `default:"250" help:"Longest mate to look for in chess, in moves, 1 to 250."`
	Cooks   bool        `help:"Look for other moves that mate, too."`
	Useless bool        `help:"In shogi, let useless interpositions count."`
	Cert    string      `name:"certificate" placeholder:"FILE" setting:"-" help:"Write a proof of the mate in a single position, for trefoil verify; - is standard output."`
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
func (*SolveCommand) Help() string {
	return `Looks for forced mates in positions of chess, EPD or FEN, and in mate problems of shogi, SFEN. Each
line holds a position, unless it is empty or begins with #:

    POSITION [bm #N;] [dm N;]   N moves to the mate, if that is known; negative: the
                                side to move is mated. Other operations are ignored

In shogi the side to move is to mate by checks only, in any number of moves; a mate in N moves
takes 2N-1 plies, and no mate means that there is none at all. A mate ends where only useless
interpositions are left: the piece that gives check captures each, and the king is mated. With
--useless or --certificate they count.

A file of games (.pgn) stands for all positions of its games, in order; line N is then position N,
and a game that cannot be read counts as one position.

Positions are read as by the command position; in chess, repairs are reported with the number of
the line.

The answer to each position has these fields, separated by tabs: the number of the line; the
position; mate N, no mate or unknown; nodes; milliseconds; the moves. Every mate is proved: the
moves have exactly that length, and no defence is better. It need not be the shortest mate if time
was short, or with --time 0, which ends the search for a shorter one after about as many nodes
again. No mate means that it is proved that neither side mates within --moves.

The last line says how many mates have the stated length (exact), how many are longer or shorter,
and how many were not found (failed); and of the positions without a stated length, how many have a
mate (not stated), how many are proved to have none, and how many are unknown. A mate that is
shorter than stated, of the other side, or proved not to exist, and a line that holds no position,
are reported with the number of the line, and the run continues.

With --cooks, a mate by the side to move has two more fields. The first says whether the problem is
sound: the mate is proved to be the shortest, and each of its moves but the last to be the only one;
or cooked; or unknown, if time was short. The second lists the other moves that mate, each with its
ply and a length, which need not be the shortest. In chess they mate in no more moves, in shogi in
any number; moves in another order, detours and choices of promotion count. --time is for the
position and for each search for a cook; with 0 every search goes on until it is done.

With --certificate, the input is a single position. The file has a move for every position of the
side that mates, whatever the defence. No solver is needed to check it. If no mate is found, no
file is written.

Exit status: 0 on success; 1 after a wrong length or a bad line; 2 on wrong usage or failure, also
to make a certificate; 130 after Ctrl-C.`
}

// Summary returns an empty summary of records, for trefoil merge.
func (*SolveCommand) Summary() *batch.Summary { return batch.NewSummary(&totals{}) }

func (c *SolveCommand) Run(ctx context.Context, std *cli.Console) error {
	if err := c.Fits(uint64(c.Hash)); err != nil {
		return err
	}
	cert, err := std.Output(ctx, c.Cert)
	if c.Cert != "" {
		if c.Divided() {
			err = certificate.ErrDivided
		}
		if err = cmp.Or(err, std.CheckOutputs(cli.Use{What: "--certificate", Path: c.Cert})); err == nil {
			err = certificate.Writable(cert)
		}
	}
	if err != nil {
		return err
	}
	sum := &totals{}
	run := batch.Run[solved]{Flags: c.Flags, Console: std, Totals: sum}
	if strings.EqualFold(filepath.Ext(c.File), ".pgn") {
		run.Source = gamePositions
	}
	run.Open = func(ctx context.Context, screen *batch.Screen) (batch.Solver[solved], error) {
		return c.open(screen, cert, sum)
	}
	return run.File(ctx, c.File)
}

// gamePositions returns a function that returns the positions of the games of a file.
func gamePositions(in io.Reader) func() (string, error) {
	games := pgn.NewReader(in)
	return batch.Positions(func() ([]string, error) {
		g, err := games.Next()
		if _, ok := errors.AsType[*pgn.Error](err); ok {
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
	*SolveCommand
	screen *batch.Screen
	table  *window.Table
	finder *mate.Finder
	sum    *totals
	cert   container.Output
	failed error // of the certificate
	solved int   // positions
}

// open returns a solver with a table of its own.
func (c *SolveCommand) open(screen *batch.Screen, cert container.Output, sum *totals) (_ *lineSolver, err error) {
	s := &lineSolver{SolveCommand: c, screen: screen, cert: cert, sum: sum}
	if c.Cert != "" {
		s.failed = certificate.ErrNone // until there is one
	}
	if s.table, err = window.New(uint64(s.Hash), window.Growing()); err != nil {
		return nil, err
	}
	s.finder = mate.New(s.table, int(s.Threads), s.report)
	return s, nil
}

// Close frees the table.
func (s *lineSolver) Close() error { return errors.Join(s.failed, s.table.Close()) }

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
	// Soundness is of a mate by the side to move, with --cooks.
	Soundness *soundness `json:"soundness,omitempty"`

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
	text := fmt.Sprintf("%d\t%s\t%s\t%d\t%d\t%s", l.Line, s.position, s.text(), s.Nodes, int64(1000*s.Seconds), s.PV)
	if s.Soundness != nil {
		text += "\t" + s.Soundness.text()
	}
	return text
}

// Solve answers a line.
func (s *lineSolver) Solve(ctx context.Context, l batch.Line) (*batch.Answer[solved], error) {
	m, err := parse(l.Text, int(s.Moves), s.Useless || s.Cert != "")
	if err != nil {
		return nil, err
	}
	if s.Cert != "" && s.solved > 0 {
		return nil, certificate.ErrSecond
	}
	s.solved++
	if s.table.Clear(ctx) != nil {
		return nil, nil // Ctrl-C
	}
	found, err := s.find(ctx, m.Problem, mate.Limits{Thorough: s.Time > 0 || s.Cooks})
	if err != nil {
		return nil, err
	}
	var sound *soundness
	if s.Cooks && found.Moves > 0 && !found.Opponent {
		if sound, err = s.cooks(ctx, &m, &found); err != nil {
			return nil, err
		}
	}
	a := &batch.Answer[solved]{Notes: m.repairs}
	f := &a.Fields
	*f = solved{Value: "unknown", Expected: m.stated, Nodes: found.Nodes, Seconds: found.Time.Seconds(),
		Soundness: sound, position: m.text}
	f.PV = strings.Join(m.texts(found.Line), " ")
	switch {
	case found.Moves > 0 || found.Over:
		f.Value, f.Mate = "mate", &found.Moves
		if found.Opponent {
			*f.Mate = -found.Moves
		}
		if s.Cert != "" {
			s.certify(ctx, m.proof(*f.Mate, found.Strategy))
		}
	case found.Failed[0] == m.Moves && (m.Alone || found.Failed[1] == m.Moves):
		f.Value = "no mate"
	}
	if f.contradicts(&m.Problem) {
		a.Wrong = fmt.Sprintf("%s, not %s: %q", f.text(), mateText(m.stated, false), l.Text)
	}
	return a, nil
}

// contradicts reports whether the answer to a problem and what was stated cannot both be true.
func (s *solved) contradicts(p *mate.Problem) bool {
	switch {
	case s.Expected == 0 || s.Value == "unknown":
		return false
	case s.Mate == nil:
		return max(s.Expected, -s.Expected) <= p.Moves && (s.Expected > 0 || !p.Alone)
	}
	return s.compare() < 0
}

// compare returns how much longer the mate is than that stated, -1 if it is shorter or not of the side that
// was stated.
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
func (s *lineSolver) find(ctx context.Context, p mate.Problem, limits mate.Limits) (mate.Answer, error) {
	if s.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(s.Time))
		defer cancel()
	}
	p.Strategy = s.Cert != ""
	return s.finder.Find(ctx, p, limits, nil)
}

// certify writes the certificate of a mate.
func (s *lineSolver) certify(ctx context.Context, p certificate.Proof) {
	positions, err := certificate.Write(ctx, s.cert, p, func(done uint64) {
		s.screen.Note("certificate: %d positions", done)
	})
	switch {
	case err == nil:
		s.failed = nil
		s.sum.certificate = fmt.Sprintf("# %s: %s\n", s.cert.Name, cli.Count(positions, "position"))
	case ctx.Err() == nil:
		s.failed = err
	}
}

// totals are the sums over the answers of a run.
type totals struct {
	exact, longer, shorter, unstated int // mates; of the last no length was stated
	failed                           int // no mate, where a length was stated
	without, unknown                 int // where none was: proved not to exist, or neither found nor proved not to exist
	nodes                            uint64
	seconds                          float64
	certificate                      string // what is said about it
}

// Add counts an answer.
func (t *totals) Add(s solved) {
	t.nodes += s.Nodes
	t.seconds += s.Seconds
	switch {
	case s.Expected == 0 && s.Mate != nil:
		t.unstated++
	case s.Expected == 0 && s.Value == "unknown":
		t.unknown++
	case s.Expected == 0:
		t.without++
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
	return t.certificate + fmt.Sprintf(
		"# %d solved (%d exact, %d longer, %d shorter, %d not stated), %d failed, %d without a mate, %d unknown, %s: "+
			"%d nodes, %v, %.0f nodes/s",
		t.exact+t.longer+t.shorter+t.unstated, t.exact, t.longer, t.shorter, t.unstated, t.failed, t.without, t.unknown,
		cli.Count(c.Bad, "bad line"),
		t.nodes, spent.Round(time.Millisecond), float64(t.nodes)/max(t.seconds, 1e-9))
}

// problem is what a line says.
type problem struct {
	mate.Problem
	text    string // of the position
	stated  int    // length of the mate by bm or dm, 0 if they do not say
	repairs []string
	texts   func([]game.Move) []string // of a line
	variations
	proof func(moves int, s mate.Strategy) certificate.Proof // of a mate
}

// parse reads a line of EPD, a FEN or an SFEN. Mates in chess are looked for within some moves, in shogi
// with or without useless interpositions.
func parse(text string, moves int, useless bool) (m problem, err error) {
	var operations string
	if ranks, _ := game.NextField(strings.TrimPrefix(text, "sfen ")); strings.Count(ranks, "/") == 8 {
		operations, err = m.shogi(text, useless)
	} else {
		operations, err = m.chess(text, moves)
	}
	if err != nil {
		return m, err
	}
	m.stated, err = chess.StatedMoves(operations)
	return m, err
}

// chess reads a position of chess, and returns the operations of an EPD.
func (m *problem) chess(text string, moves int) (operations string, err error) {
	var p *chess.Position
	if p, operations, m.repairs, err = chess.ReadEPD(text); err != nil {
		return "", err
	}
	m.Problem = Chess(p, moves, nil)
	m.text = strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimRight(text, "; \t"), operations)), " ")
	m.texts = func(line []game.Move) []string { return alphabetagame.LineTexts(p.Copy(), line) }
	m.variations = variationsOf(p, func(p *chess.Position, l *game.List) { p.Moves(game.All, l) }, Chess)
	m.proof = func(moves int, s mate.Strategy) certificate.Proof {
		return certificate.ChessMate(p, moves, mate.Mover(s, (*chess.Position).Rule50))
	}
	return operations, nil
}

// shogi reads a position of shogi, behind which there may be operations.
func (m *problem) shogi(text string, useless bool) (string, error) {
	sfen, operations := shogi.CutOperations(text)
	p, err := shogi.ParseCrowded(sfen)
	if err != nil {
		return "", err
	}
	mates := Tsume
	if useless {
		mates = Shogi
	}
	m.Problem, m.text = mates(p, nil), strings.Join(strings.Fields(sfen), " ")
	m.texts = func(line []game.Move) []string { return alphabetagame.LineTexts(p.Copy(), line) }
	m.variations = variationsOf(p, (*shogi.Position).Checks,
		func(p *shogi.Position, _ int, only []game.Move) mate.Problem { return mates(p, only) })
	m.proof = func(moves int, s mate.Strategy) certificate.Proof {
		return certificate.ShogiMate(p, moves, mate.Mover[*shogi.Position](s, nil))
	}
	return operations, nil
}
