package web

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"trefoil/engine/analysis"
	"trefoil/search"
	"trefoil/web/board"
)

// infoJSON is the event info.
type infoJSON struct {
	ID       uint64      `json:"id"`
	Depth    int         `json:"depth"`
	SelDepth int         `json:"seldepth"`
	Line     int         `json:"line"`
	Score    scoreJSON   `json:"score"`
	Bound    string      `json:"bound"`
	WDL      *search.WDL `json:"wdl,omitempty"`
	Nodes    uint64      `json:"nodes"`
	NPS      uint64      `json:"nps"`
	MS       int64       `json:"ms"`
	HashFull *int        `json:"hashfull,omitempty"`
	PV       []string    `json:"pv"`
	Text     []string    `json:"text"`
	Kanji    []string    `json:"kanji,omitempty"`
}

// scoreJSON has Centipawns, or Plies and Result, and Mate if the game has mates.
type scoreJSON struct {
	Centipawns *int   `json:"cp,omitempty"`
	Mate       *int   `json:"mate,omitempty"`  // in moves, negative if the side to move is mated
	Plies      *int   `json:"plies,omitempty"` // to the end of the game
	Result     string `json:"result,omitempty"`
}

// infoOf writes a report.
func (j *job) infoOf(i search.Info) infoJSON {
	r := infoJSON{
		ID: j.id, Depth: i.Depth, SelDepth: i.SelDepth, Line: max(i.MultiPV, 1), Score: j.score(&i),
		Bound: [...]string{"exact", "lower", "upper"}[i.Bound],
		WDL:   i.WDL, Nodes: i.Nodes, MS: i.Time.Milliseconds(), PV: []string{}, Text: []string{},
	}
	r.NPS = uint64(float64(i.Nodes) / max(i.Time, time.Millisecond).Seconds())
	if i.HashFull >= 0 {
		r.HashFull = &i.HashFull
	}
	for _, m := range j.view.Line(i.PV) {
		r.PV, r.Text = append(r.PV, m.Move), append(r.Text, m.Text)
		if m.Kanji != "" {
			r.Kanji = append(r.Kanji, m.Kanji)
		}
	}
	return r
}

// solved reports whether a report of a solver is of a known result: it has one then, because UCI_ShowWDL is set.
func (j *job) solved(i *search.Info) bool { return j.game.mode() == valuesMode && i.WDL != nil }

// score writes the score of a report.
func (j *job) score(i *search.Info) (s scoreJSON) {
	plies := max(i.Score.Plies, -i.Score.Plies)
	switch {
	case j.solved(i) && i.Score.Mate:
		s.Result, s.Plies = result(i.Score), &plies
	case j.solved(i):
		s.Result = result(i.Score)
	case i.Score.Mate:
		moves := (i.Score.Plies + 1) / 2
		if i.Score.Plies <= 0 {
			moves = i.Score.Plies / 2
		}
		s.Mate, s.Plies = &moves, &plies
	default:
		s.Centipawns = &i.Score.Centipawns
	}
	return s
}

// result names the result of a decided score, for the side to move.
func result(s search.Score) string {
	switch {
	case !s.Mate:
		return "draw"
	case s.Plies > 0:
		return "win"
	}
	return "loss"
}

// valueJSON is what is known of a move, for the side that makes it: a result, or how far its proof is.
type valueJSON struct {
	Result string `json:"result,omitempty"`
	Plies  int    `json:"plies,omitempty"`
	Score  *int   `json:"score,omitempty"` // as the game counts it
	Text   string `json:"text,omitempty"`
	Goal   string `json:"goal,omitempty"` // that is to be proved: win or loss
	Phi    uint32 `json:"phi,omitempty"`
	Delta  uint32 `json:"delta,omitempty"`
}

// value takes the value of a move from a report of a solver.
func (j *job) value(i search.Info) {
	if j.values == nil || len(i.PV) == 0 {
		return
	}
	var v valueJSON
	switch {
	case j.solved(&i) && i.Bound == search.Exact:
		v = j.result(i.Score)
	case i.Proof != nil:
		v = valueJSON{Goal: "loss", Phi: i.Proof.Phi, Delta: i.Proof.Delta}
		if i.Proof.Wins {
			v.Goal = "win"
		}
	default:
		return
	}
	j.mu.Lock()
	known := j.values[i.PV[0]]
	changed := known.Result == "" && known != v
	if changed {
		j.values[i.PV[0]] = v
	}
	j.mu.Unlock()
	if changed {
		j.tellValues(false)
	}
}

// result writes a proved result.
func (j *job) result(s search.Score) valueJSON {
	v := valueJSON{Result: result(s), Text: "draw"}
	if s.Mate {
		v.Plies = max(s.Plies, -s.Plies)
		v.Text = fmt.Sprintf("%s in %d", map[string]string{"win": "wins", "loss": "loses"}[v.Result], (v.Plies+1)/2)
	}
	if p, ok := j.view.Position.(board.Scored); ok {
		score := p.Score(s)
		v.Score = &score
	}
	return v
}

// valuesJSON is the event values.
type valuesJSON struct {
	ID    uint64               `json:"id"`
	Moves map[string]valueJSON `json:"moves"`
	Done  bool                 `json:"done"` // the search has ended
}

// tellValues tells all values that are known.
func (j *job) tellValues(done bool) {
	j.mu.Lock()
	v := valuesJSON{ID: j.id, Moves: maps.Clone(j.values), Done: done}
	j.mu.Unlock()
	j.put("values", "values", func() any { return v })
}

// bestJSON is the event best.
type bestJSON struct {
	ID     uint64   `json:"id"`
	Move   string   `json:"move,omitempty"`
	Ponder string   `json:"ponder,omitempty"`
	Line   []string `json:"line,omitempty"` // of a forced mate
	Reason string   `json:"reason,omitempty"`
	// Result is the last exact score, in a game with marks.
	Result *resultJSON `json:"result,omitempty"`
}

// bestOf writes the result of a search that why has ended early, if anything has. The moves are written as the position
// has them, which in Chess960 is not how the engine writes castling.
func (j *job) bestOf(r search.Result, why error) bestJSON {
	b := bestJSON{ID: j.id, Move: r.Best, Ponder: r.Ponder}
	if r.Best != "" {
		for i, m := range j.view.Line([]string{r.Best, r.Ponder}) {
			*[...]*string{&b.Move, &b.Ponder}[i] = m.Move
		}
	}
	j.mu.Lock()
	found := j.found
	j.mu.Unlock()
	if _, ok := analysis.ScaleOf(j.game.Name); ok && len(found.Line) > 0 {
		b.Result = &resultJSON{Score: j.score(&search.Info{Score: found.Score})}
		for _, m := range j.view.Line(found.Line[:1]) {
			b.Result.Move = m.Move
		}
	}
	switch {
	case errors.Is(why, errStopped):
		b.Reason = "stopped"
	case why != nil:
		b.Reason = "error: " + why.Error()
	case r.Resigns:
		b.Reason = "resigns"
	case r.Declares:
		b.Reason = "declares a win"
	case r.Checkmate == nil:
	case r.Checkmate.None:
		b.Reason = "no mate"
	case len(r.Checkmate.Line) == 0:
		b.Reason = "unknown"
	default:
		b.Line = slices.Clone(r.Checkmate.Line)
		for i, m := range j.view.Line(b.Line) {
			b.Line[i] = m.Move
		}
		b.Move = b.Line[0]
	}
	return b
}
