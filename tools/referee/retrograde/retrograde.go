// Package retrograde solves chess endgames of up to four pieces, kings included: for every legal position
// of a material, with either side to move, it computes the result with best play and the distances to mate
// and to the next zeroing move.
//
// It is the reference for what plays and reads endgames, so it has its own board, moves and keys and
// shares no code with game/chess: an error in one does not hide in the other. There is no castling, and no
// counter of the rule of fifty moves: positions are as after a zeroing move.
package retrograde

import (
	"fmt"
	"iter"
)

// WDL is a result for the side to move, numbered as in Syzygy tables.
type WDL int

// A cursed win and a blessed loss are decided without the rule of fifty moves, and drawn with it.
const (
	Loss WDL = iota - 2
	BlessedLoss
	Draw
	CursedWin
	Win
)

// A Result is what is known of a position. Distances are positive for a win and negative for a loss; a
// draw has none. If the side to move is mated, both are 0.
type Result struct {
	WDL WDL
	// DTM is the distance to mate in plies without the rule of fifty moves: the winner mates as soon,
	// and the loser as late as possible.
	DTM int
	// DTZ is the distance in plies to a capture, a pawn move or mate that keeps the result: the winner wants
	// it early, the loser late. Wins and losses over 100 plies are cursed and blessed, and so are wins and
	// losses whose zeroing move leads to a cursed or blessed result.
	DTZ int
}

// A Table has the results of one material.
type Table struct {
	material
	family map[material]*Table // with all that captures and promotions lead to
	values [numMetrics][]value
}

// A Solver keeps the tables that it has solved.
type Solver struct {
	family  map[material]*Table
	metrics []Metric
}

// NewSolver returns a solver of some metrics, which takes less time, or of all if none is given. The
// other distances are then 0, and with ToMate alone, wins count as such without the rule of fifty moves.
func NewSolver(only ...Metric) *Solver {
	if len(only) == 0 {
		only = []Metric{ToMate, ToZeroing}
	}
	return &Solver{map[material]*Table{}, only}
}

// Solve solves a material like KBNvK, after all that captures and promotions lead to. Which side has
// which pieces does not matter.
func (s *Solver) Solve(name string) (*Table, error) {
	m, err := parseMaterial(name)
	if err != nil {
		return nil, err
	}
	return s.solve(m.normal()), nil
}

func (s *Solver) solve(m material) *Table {
	if t := s.family[m]; t != nil {
		return t
	}
	for _, next := range m.successors() {
		s.solve(next)
	}
	t := &Table{material: m, family: s.family}
	s.family[m] = t // pawn moves look up their own table
	for _, metric := range s.metrics {
		t.solve(metric)
	}
	return t
}

// Name returns the name of the material, with the stronger side first.
func (t *Table) Name() string { return t.material.String() }

// Probe returns the result of a position of the table's material or one that it solved on the way.
func (t *Table) Probe(p Position) (Result, error) {
	if t.table(&p) == nil {
		return Result{}, fmt.Errorf("%v was not solved for %v", p.material.normal(), t.material)
	}
	if !p.legal() {
		return Result{}, fmt.Errorf("the side to move could take the king: %s", p.FEN())
	}
	return t.result(&p), nil
}

func (t *Table) result(p *Position) (r Result) {
	if t.values[ToMate] != nil {
		v := t.lookup(p, ToMate)
		r.WDL, r.DTM = 2*v.sign(), int(v.sign())*v.plies()
	}
	if t.values[ToZeroing] != nil {
		v := t.lookup(p, ToZeroing)
		r.WDL, r.DTZ = 2*v.sign(), int(v.sign())*v.plies()
		if v.plies() > fiftyMoves {
			r.WDL = v.sign()
		}
	}
	return r
}

// BestMove returns the shortest way to mate, else a draw, else the longest way to be mated, false if there is no legal
// move.
func (t *Table) BestMove(p Position) (best Move, ok bool, err error) {
	if _, err := t.Probe(p); err != nil {
		return best, false, err
	}
	var most value
	for _, next := range p.appendQuiet(p.appendZeroing(nil)) {
		v := t.lookup(&next.Position, ToMate)
		if v == illegal {
			continue
		}
		if v = ToMate.step(v, next.zeroing); !ok || better(v, most) {
			best, most, ok = next.move, v, true
		}
	}
	return best, ok, nil
}

// All lists the legal positions with their results. Among positions that are reflections of each other it
// lists only one. No position has an en passant square.
func (t *Table) All() iter.Seq2[Position, Result] {
	return func(yield func(Position, Result) bool) {
		for i := range t.size() {
			if t.unused(i) {
				continue
			}
			p := t.position(i)
			if !yield(p, t.result(&p)) {
				return
			}
		}
	}
}

// unused reports whether no legal position has an index.
func (t *Table) unused(i int) bool {
	for _, values := range t.values {
		if values != nil {
			return values[i] == illegal
		}
	}
	return true
}

// table returns the table that has a position, or nil.
func (t *Table) table(p *Position) *Table { return t.family[p.material.normal()] }

// lookup returns the value of a position in the solved tables, or illegal.
func (t *Table) lookup(p *Position, m Metric) value {
	if p.strength(Black) > p.strength(White) {
		mirrored := p.mirrored()
		return t.lookup(&mirrored, m)
	}
	next := t.family[p.material]
	v := next.values[m][next.index(p.square, p.side)]
	if v != illegal && p.canCaptureEnPassant() {
		return t.best(p, m)
	}
	return v
}

// best returns the value of the best move, from the values of the positions after all moves.
func (t *Table) best(p *Position, m Metric) value {
	best, found := value(0), false
	for _, next := range p.appendQuiet(p.appendZeroing(nil)) {
		if v := t.lookup(&next.Position, m); v != illegal {
			v = m.step(v, next.zeroing)
			if !found || better(v, best) {
				best, found = v, true
			}
		}
	}
	if !found && p.inCheck(p.side) {
		return loss(0)
	}
	return best
}
