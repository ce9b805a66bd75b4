package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"trefoil/engine"
	"trefoil/engine/analysis"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/pipe"
	"trefoil/search"
)

// Summary returns an empty summary of records, for trefoil merge.
func (*analyse) Summary() *batch.Summary { return batch.NewSummary(&analysedTotals{}) }

// positions searches the positions of a list or of games, each with an empty table.
func (a *analyse) positions(ctx context.Context, std *cli.Console, s source) error {
	if file := cmp.Or(a.Output, a.HTML); file != "" {
		return fmt.Errorf("%s: -o and --html are for games that are written back; --resume is for records", file)
	}
	if err := a.Fits(uint64(a.Hash)); err != nil {
		return err
	}
	run := batch.Run[analysed]{Flags: a.Flags, Console: std, Totals: &analysedTotals{}}
	if s.games != nil {
		run.Source = gamePositions(s.games)
	}
	run.Open = func(ctx context.Context, screen *batch.Screen) (batch.Solver[analysed], error) {
		e, err := a.engine(ctx, s.list.Variant)
		return &positionAnalyser{engine: e, list: s.list, limits: a.limits(), screen: screen}, err
	}
	file := a.File
	if file == "" || file == cli.Standard || pipe.Is(file) { // its beginning has been read
		std.In, file = s.in, cli.Standard
	}
	return run.File(ctx, file)
}

// positionAnalyser searches the lines of a run.
type positionAnalyser struct {
	engine *engine.Engine
	list   *analysis.List
	limits search.Limits
	screen *batch.Screen
}

// Close frees the table.
func (s *positionAnalyser) Close() error { return s.engine.Close() }

// analysed is what a record says about a position.
type analysed struct {
	ID      string  `json:"id,omitempty"`
	Move    string  `json:"move,omitempty"` // missing if the game is over
	CP      *int    `json:"cp,omitempty"`   // centipawns for the side to move, or
	Mate    *int    `json:"mate,omitempty"` // moves to a mate, negative if the side to move is mated
	Depth   int     `json:"depth"`
	Right   *bool   `json:"right,omitempty"`  // missing if the line does not tell
	Points  *int    `json:"points,omitempty"` // of the move
	Most    int     `json:"most,omitempty"`   // points of the best move
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
	PV      string  `json:"pv"`

	name, move, score, line string // of the answer without --json
}

// Text is the answer as a line.
func (a analysed) Text(l batch.Line) string {
	verdict := "-"
	switch {
	case a.Right != nil && *a.Right:
		verdict = "right"
	case a.Right != nil:
		verdict = "wrong"
	}
	if a.Points != nil {
		verdict += fmt.Sprintf(" %d/%d", *a.Points, a.Most)
	}
	return fmt.Sprintf("%d\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s", l.Line, a.name, a.move, a.score, a.Depth, a.Nodes,
		int64(1000*a.Seconds), verdict, a.line)
}

// Solve searches the position of a line.
func (s *positionAnalyser) Solve(ctx context.Context, l batch.Line) (*batch.Answer[analysed], error) {
	p, err := s.list.Problem(l.Text)
	if err != nil {
		return nil, err
	}
	s.engine.NewGame()
	if err := s.engine.SetPosition(p.Setup, nil); err != nil {
		return nil, err
	}
	s.engine.Settle(ctx)
	start := time.Now()
	found, err := analysis.Search(ctx, s.engine, s.limits, func(info search.Info) {
		if len(info.PV) > 0 {
			s.screen.Note("line %d: depth %d, %s, %s, %d nodes", l.Line, info.Depth, p.Name(info.PV[0]),
				analysis.ScoreText(info.Score), info.Nodes)
		}
	})
	if err != nil {
		return nil, nil // Ctrl-C
	}
	a := &batch.Answer[analysed]{Notes: p.Repairs, Fields: newAnalysed(p, &found)}
	a.Fields.Seconds = time.Since(start).Seconds()
	if wrong, judged := p.Judge(found.Best, found.Score); judged {
		right := wrong == ""
		if a.Fields.Right = &right; !right {
			a.Wrong = fmt.Sprintf("%s: %.200q", wrong, a.Fields.name)
		}
	}
	return a, nil
}

// newAnalysed returns what is found, and the points of the move.
func newAnalysed(p *analysis.Problem, found *analysis.Position) analysed {
	pv := found.Line
	if found.Best != "" && (len(pv) == 0 || pv[0] != found.Best) {
		pv = []string{found.Best}
	}
	a := analysed{
		ID: p.ID, Move: found.Best, Depth: found.Depth, Nodes: found.Nodes, PV: strings.Join(pv, " "),
		name: printable(p.ID), move: "-", score: analysis.ScoreText(found.Score), line: p.LineText(pv),
	}
	if a.name == "" {
		a.name = p.Setup
	}
	if found.Best != "" {
		a.move = p.Name(found.Best)
	}
	if moves := analysis.MateMoves(found.Score); found.Score.Mate {
		a.Mate = &moves
	} else {
		a.CP = &found.Score.Centipawns
	}
	if p.Points != nil {
		points := p.Points[found.Best]
		a.Points, a.Most = &points, slices.Max(slices.Collect(maps.Values(p.Points)))
	}
	return a
}

// analysedTotals are the sums over the answers of a run.
type analysedTotals struct {
	positions, judged, right, points, most int
	nodes                                  uint64
	seconds                                float64
}

// Add counts an answer.
func (t *analysedTotals) Add(a analysed) {
	t.positions++
	t.nodes += a.Nodes
	t.seconds += a.Seconds
	t.most += a.Most
	if a.Points != nil {
		t.points += *a.Points
	}
	if a.Right != nil {
		t.judged++
		if *a.Right {
			t.right++
		}
	}
}

// Text is the last line of the output.
func (t *analysedTotals) Text(c batch.Counts) string {
	text := "# " + cli.Count(t.positions, "position")
	if t.judged > 0 {
		text += fmt.Sprintf(", %d of %d right (%.1f %%)", t.right, t.judged, 100*float64(t.right)/float64(t.judged))
	}
	if t.most > 0 {
		text += fmt.Sprintf(", %d of %d points", t.points, t.most)
	}
	spent := time.Duration(t.seconds * float64(time.Second))
	return text + fmt.Sprintf(", %s: %d nodes, %v, %.0f nodes/s", cli.Count(c.Bad, "bad line"), t.nodes,
		spent.Round(time.Millisecond), float64(t.nodes)/max(t.seconds, 1e-9))
}
