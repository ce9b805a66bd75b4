package retrograde

import (
	"cmp"
	"math"
	"slices"
)

// A value is the result of a position for the side to move, with a distance in plies: 0 for a draw, n for
// a win in n plies, −1 − n for a loss in n. No distance with four pieces is above 86, so a byte suffices.
type value int8

const illegal value = math.MinInt8

func win(plies int) value  { return value(plies) }
func loss(plies int) value { return value(-1 - plies) }

// plies returns the distance, which is 0 for a draw.
func (v value) plies() int {
	if v >= 0 {
		return int(v)
	}
	return int(-1 - v)
}

// sign returns 1 for a win, −1 for a loss.
func (v value) sign() WDL { return WDL(cmp.Compare(v, 0)) }

// A Metric says what a distance counts to.
type Metric int

const (
	ToMate Metric = iota
	ToZeroing
	numMetrics
)

// before returns the distance before a move whose successor has the distance n, in a won or lost
// position. To zeroing, a position after a zeroing move counts as new, but what is won or lost only
// without the rule of fifty moves stays so.
func (m Metric) before(n int, zeroing bool) int {
	switch {
	case m == ToMate || !zeroing:
		return n + 1
	case n > fiftyMoves:
		return fiftyMoves + 1
	}
	return 1
}

// step returns the value before a move, for the side that makes it, from the value after it.
func (m Metric) step(after value, zeroing bool) value {
	switch {
	case after > 0:
		return loss(m.before(after.plies(), zeroing))
	case after < 0:
		return win(m.before(after.plies(), zeroing))
	}
	return 0
}

// better reports whether the side to move prefers a to b.
func better(a, b value) bool {
	if a > 0 && b > 0 || a < 0 && b < 0 {
		return a < b // the nearer win, the farther loss
	}
	return a > b
}

// fiftyMoves is the number of plies after which the rule of fifty moves applies.
const fiftyMoves = 100

// A solution computes the values of one slice of a table: of all positions with the same pawns, so that
// all moves within it are quiet. The results of zeroing moves are known before.
//
// The algorithm is Dial's: candidates are listed by the distance that they have if nothing nearer decides
// them, and the lists are read in order. A position is won at the first distance at which a move leads to a
// lost position. It is lost when all moves lead to won positions; this is checked whenever a further move
// does.
type solution struct {
	*Table
	metric       Metric
	first        int         // the first index of the slice
	cells        []cell      // of the slice, as are the indices below
	wins, losses [][]uint32  // candidates, by distance
	list         []successor // of start
	found        []uint32    // by predecessors
}

// A cell is what is known of a position.
type cell struct {
	value value // 0 while undecided, and for a draw
	// earliest is the lowest distance at which the position may be lost, considering its zeroing moves
	// and the candidates that are listed already.
	earliest int8
}

// These values of earliest say that a position is not lost.
const (
	willWin = math.MaxInt8 - iota // a quiet move wins, and the candidate is listed
	never
)

// solve computes all values of a table for a metric, slice by slice in the order in which pawns move.
func (t *Table) solve(m Metric) {
	t.values[m] = make([]value, t.size())
	size := 2 << (6 * (t.n - t.pawns()))
	if t.pawns() == 0 {
		size = t.size()
	}
	slicesOf := make([]int, t.size()/size)
	for i := range slicesOf {
		slicesOf[i] = i
	}
	moved := func(slice int) (ranks int) {
		s, _ := t.decode(slice * size)
		for i := range t.pawns() {
			if t.pieces[i].side() == White {
				ranks += s[i].rank()
			} else {
				ranks += 7 - s[i].rank()
			}
		}
		return ranks
	}
	slices.SortStableFunc(slicesOf, func(a, b int) int { return moved(b) - moved(a) })
	s := &solution{Table: t, metric: m, cells: make([]cell, size)}
	for _, slice := range slicesOf {
		s.first = slice * size
		s.markIllegal()
		for i := range s.cells {
			if s.cells[i].value != illegal {
				s.start(i)
			}
		}
		s.propagate()
		for i := range s.cells {
			t.values[m][s.first+i] = s.cells[i].value
		}
	}
}

func (s *solution) markIllegal() {
	for i := range s.cells {
		p := s.position(s.first + i)
		s.cells[i] = cell{}
		if !p.legal() || s.index(p.square, p.side) != s.first+i {
			s.cells[i].value = illegal
		}
	}
}

// start lists a position as a candidate for what its zeroing moves, or no legal moves at all, make it.
func (s *solution) start(i int) {
	p := s.position(s.first + i)
	best, moves := value(0), 0
	s.list = p.appendZeroing(s.list[:0])
	for k := range s.list {
		v := s.lookup(&s.list[k].Position, s.metric)
		if v == illegal {
			continue
		}
		v = s.metric.step(v, true)
		if moves == 0 || better(v, best) {
			best = v
		}
		moves++
	}
	switch {
	case best > 0:
		s.cells[i].earliest = never
		s.addWin(i, best.plies())
	case best < 0:
		s.addLoss(i, best.plies())
	case moves > 0:
		s.cells[i].earliest = never
	case s.quietMoves(i):
	case p.inCheck(p.side):
		s.addLoss(i, 0)
	default:
		s.cells[i].earliest = never // stalemate
	}
}

func (s *solution) addWin(i, plies int) {
	for len(s.wins) <= plies {
		s.wins = append(s.wins, nil)
	}
	s.wins[plies] = append(s.wins[plies], uint32(i))
}

func (s *solution) addLoss(i, plies int) {
	for len(s.losses) <= plies {
		s.losses = append(s.losses, nil)
	}
	s.losses[plies] = append(s.losses[plies], uint32(i))
	s.cells[i].earliest = int8(plies)
}

// propagate decides the candidates, in the order of their distances, and leaves the lists empty. Losses
// in n plies come before wins in n, because they need successors that are won in less than n.
func (s *solution) propagate() {
	for n := 0; n < max(len(s.wins), len(s.losses)); n++ {
		if n < len(s.losses) {
			for _, i := range s.losses[n] {
				s.decideLoss(int(i), n)
			}
			s.losses[n] = s.losses[n][:0]
		}
		if n < len(s.wins) {
			for _, i := range s.wins[n] {
				s.decideWin(int(i), n)
			}
			s.wins[n] = s.wins[n][:0]
		}
	}
}

func (s *solution) decideLoss(i, plies int) {
	c := &s.cells[i]
	if c.value != 0 || c.earliest != int8(plies) || !s.quietMovesLose(i) {
		return
	}
	c.value = loss(plies)
	for _, j := range s.predecessors(i) {
		if p := &s.cells[j]; p.value == 0 && p.earliest != willWin {
			p.earliest = willWin
			s.addWin(int(j), plies+1)
		}
	}
}

func (s *solution) decideWin(i, plies int) {
	c := &s.cells[i]
	if c.value != 0 {
		return
	}
	c.value = win(plies)
	for _, j := range s.predecessors(i) {
		if p := &s.cells[j]; p.value == 0 && int(p.earliest) <= plies {
			s.addLoss(int(j), plies+1)
		}
	}
}

// quiet calls f with the value of every legal quiet move's successor until f returns false.
func (s *solution) quiet(i int, f func(value) bool) {
	squares, side := s.decode(s.first + i)
	occupied := s.occupied(squares)
	for k, p := range s.pieces[:s.n] {
		if p.side() != side || p.kind() == pawn {
			continue
		}
		from := squares[k]
		for targets := attacks(p, from, occupied) &^ occupied; targets != 0; {
			squares[k] = targets.pop()
			v := s.cells[s.index(squares, side^1)-s.first].value
			if v != illegal && !f(v) {
				return
			}
		}
		squares[k] = from
	}
}

// quietMoves reports whether there is a legal quiet move.
func (s *solution) quietMoves(i int) (found bool) {
	s.quiet(i, func(value) bool { found = true; return false })
	return found
}

// quietMovesLose reports whether all legal quiet moves lead to positions known to be won.
func (s *solution) quietMovesLose(i int) bool {
	lose := true
	s.quiet(i, func(v value) bool { lose = v > 0; return lose })
	return lose
}

// predecessors returns the legal positions from which a quiet move leads to position i. The result is
// valid until the next call.
func (s *solution) predecessors(i int) []uint32 {
	s.found = s.found[:0]
	squares, side := s.decode(s.first + i)
	occupied := s.occupied(squares)
	for k, p := range s.pieces[:s.n] {
		if p.side() == side || p.kind() == pawn {
			continue
		}
		to := squares[k]
		for origins := attacks(p, to, occupied) &^ occupied; origins != 0; {
			squares[k] = origins.pop()
			j := s.index(squares, side^1) - s.first
			if s.cells[j].value != illegal {
				s.found = append(s.found, uint32(j))
			}
		}
		squares[k] = to
	}
	return s.found
}
