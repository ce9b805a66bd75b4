package proof

import (
	"math"

	"trefoil/game"
	"trefoil/window"
)

// tuning are the numbers that a search is done with.
type tuning struct {
	epsilon uint64 // the ε of thresholds, in 1/16
	share   uint64 // what all children but the one of the greatest φ add to δ, in 1/16
	portion uint64 // work between two looks at the whole, if others search too
	small   uint64 // positions of less work are not entered as flights
	heavy   uint64 // what a flight adds to δ, in 1/16
}

var defaults = tuning{epsilon: 6, share: 12, portion: 1000, small: 300, heavy: 2}

// patrol is how many nodes a worker searches between two reports to the others.
const patrol = 256

// A worker searches. Its kids are the moves of all positions on its path, one position's
// after the other's; kids[0] is the root.
type worker struct {
	game   Game
	table  *window.Handle
	shared *shared
	tuning tuning
	kids   []game.Successor
	ply    int
	nodes  uint64
	told   uint64 // nodes that the others know of
	single bool
	stocks Stocks // the game, if it compares positions
	near   game.Prefetcher
}

func (w *worker) reset(g Game, table *window.Handle, shared *shared, tuning tuning) {
	kids := w.kids[:0]
	*w = worker{game: g, table: table, shared: shared, tuning: tuning, kids: kids, single: !shared.parallel}
	w.near = table
	if w.stocks, _ = g.(Stocks); w.stocks != nil {
		w.near = memory{table}
	}
}

// run searches from the root until it is settled or somebody stops.
func (w *worker) run(root game.Successor) {
	w.kids = append(w.kids[:0], root)
	portion := w.tuning.portion
	if w.single {
		portion = 1 << 20
	}
	for !w.shared.stop.Load() {
		at := &w.kids[0]
		if e, ok := w.table.Probe(at.Key); ok && (e.Solved() || e.Work > at.Work) {
			fill(at, e)
		}
		if w.kids[0].Solved() {
			break
		}
		w.mid(0, Infinity, Infinity, portion)
		w.shared.move.Store(uint32(w.game.Widen(w.kids[0].Hint)))
		w.shared.numbers.Store(uint64(w.kids[0].Phi)<<32 | uint64(w.kids[0].Delta))
	}
	if w.kids[0].Solved() {
		w.shared.stop.Store(true)
	}
	w.tell()
}

// tell reports nodes to the others, and stops all if that is enough of them.
func (w *worker) tell() {
	spent := w.shared.spent.Add(w.nodes - w.told)
	w.told = w.nodes
	if w.shared.limit > 0 && spent >= w.shared.limit {
		w.shared.stop.Store(true)
	}
}

// fill takes over what the table knows.
func fill(s *game.Successor, e window.Entry) {
	s.Phi, s.Delta, s.Work, s.Hint, s.Plies = e.Phi, e.Delta, e.Work, e.Move, e.Plies
	if s.Solved() {
		s.Stock = (s.Phi | s.Delta) &^ Infinity
		s.Phi, s.Delta = s.Phi&Infinity, s.Delta&Infinity
	}
}

// mid searches the position that w.game is at, whose record is w.kids[at], until its
// numbers reach a threshold, so much work is done, or somebody stops. It brings the record up
// to date, stores it, and returns the work, at least 1.
func (w *worker) mid(at int, tPhi, tDelta uint32, budget uint64) uint64 {
	w.nodes++
	if w.nodes-w.told >= patrol {
		w.tell()
	}
	first := len(w.kids)
	w.kids = w.game.Expand(w.kids, w.near)
	w.table.PrefetchEntries(w.kids[at].Key)
	w.look(w.kids[first:])
	chosen := w.resume(at, first)
	work, before := uint64(1), w.kids[at].Work
	common := false
	var sum summary
	for {
		if common = !w.single && before+work >= w.tuning.small; common {
			w.refresh(w.kids[first:])
			sum = w.summarise(w.kids[first:], true)
		} else {
			sum = w.summarise(w.kids[first:], false)
		}
		if sum.phi >= tPhi || sum.delta >= tDelta || work >= budget || w.shared.stop.Load() {
			break
		}
		if chosen < 0 || chosen != sum.best && !w.stay(&w.kids[first+chosen], &sum, tPhi) {
			chosen = sum.best
		}
		work += w.descend(first, chosen, &sum, tPhi, tDelta, budget-work, common)
	}
	w.settle(at, first, &sum, work)
	w.kids = w.kids[:first]
	return work
}

// look fills in what the table knows of the children that are not solved at sight: first all
// index bytes, then all entries that they promise, so that waiting for memory is done once.
// Where positions are compared Expand has asked for them.
func (w *worker) look(kids []game.Successor) {
	if len(kids) == 1 && kids[0].Solved() {
		return
	}
	if w.stocks != nil {
		w.compare(kids)
		return
	}
	var held [4]uint64 // bits of the children that the table may have
	for i := range kids {
		if !kids[i].Solved() && w.table.MayHold(kids[i].Key) {
			held[i>>6&3] |= 1 << (i & 63)
		}
	}
	if held != [4]uint64{} {
		for i := range kids {
			if held[i>>6&3]>>(i&63)&1 != 0 && !kids[i].Solved() {
				if e, ok := w.table.Probe(kids[i].Key); ok {
					fill(&kids[i], e)
				}
			}
		}
	}
}

// refresh takes over what other workers have found out about children that are worth it.
func (w *worker) refresh(kids []game.Successor) {
	for i := range kids {
		k := &kids[i]
		if k.Solved() || k.Work < w.tuning.small && w.shared.flights.below(k.Key) == 0 {
			continue
		}
		if e, ok := w.table.Probe(k.Key); ok && (e.Solved() || e.Work > k.Work) {
			fill(k, e)
		}
	}
}

// resume returns which child was looked at last, or -1.
func (w *worker) resume(at, first int) int {
	if w.kids[at].Hint == 0 {
		return -1
	}
	m := w.game.Widen(w.kids[at].Hint)
	for i := range w.kids[first:] {
		if w.kids[first+i].Move == m && !w.kids[first+i].Solved() {
			return i
		}
	}
	return -1
}

// stay reports whether to go on with the child of the last time, though another is better:
// as long as its δ is below the threshold it would get.
func (w *worker) stay(last *game.Successor, sum *summary, tPhi uint32) bool {
	return last.Delta < min(tPhi, w.raise(sum.phi)) && !last.Solved()
}

// raise returns the δ up to which a child is searched if the next best has so much.
func (w *worker) raise(delta uint32) uint32 {
	d := uint64(delta)
	return uint32(min(max(d+1, d+d*w.tuning.epsilon/16), Infinity))
}

// descend searches child number i.
func (w *worker) descend(first, i int, sum *summary, tPhi, tDelta uint32, budget uint64, common bool) uint64 {
	k := &w.kids[first+i]
	next := sum.second
	if i != sum.best {
		next = sum.phi
	}
	kidPhi := w.room(sum, k.Phi, tDelta)
	kidDelta := max(min(tPhi, w.raise(next)), k.Delta+1)
	key := k.Key
	if common {
		w.shared.flights.enter(key)
	}
	w.game.Make(k.Move)
	w.ply++
	work := w.mid(first+i, kidPhi, kidDelta, budget)
	w.ply--
	w.game.Undo()
	if common {
		w.shared.flights.leave(key)
	}
	return work
}

// settle writes what was found out about a position into its record and the table.
func (w *worker) settle(at, first int, sum *summary, work uint64) {
	node := &w.kids[at]
	node.Phi, node.Delta = sum.phi, sum.delta
	node.Work += work
	node.Loop = 0
	if node.Solved() {
		i := w.witness(w.kids[first:])
		if i >= 0 {
			node.Hint = w.game.Short(w.kids[first+i].Move)
		}
		node.Loop, node.Plies = w.loop(w.kids[first:]), length(w.kids[first:])
		if w.stocks != nil && i >= 0 {
			node.Stock = w.stocks.Suffices(w.kids[first:], i, node.Phi == 0)
		} else if w.stocks != nil {
			node.Stock = w.stocks.Suffices(nil, -1, node.Phi == 0)
		}
	} else if sum.best >= 0 {
		node.Hint = w.game.Short(w.kids[first+sum.best].Move)
	}
	if node.Loop == 0 {
		w.store(node)
	}
}

// store writes the record of a position into the table.
func (w *worker) store(node *game.Successor) {
	e := window.Entry{Phi: node.Phi, Delta: node.Delta, Work: node.Work, Move: node.Hint, Plies: node.Plies}
	if w.stocks != nil && node.Solved() {
		w.storeClass(node, &e)
	}
	w.table.Store(node.Key, e)
}

// length returns within how many plies a solved position is over: by the winning move that is
// the fastest, else by the longest defence.
func length(kids []game.Successor) uint16 {
	longest, fastest := uint16(0), uint16(math.MaxUint16)
	for i := range kids {
		longest = max(longest, kids[i].Plies)
		if kids[i].Delta == 0 {
			fastest = min(fastest, kids[i].Plies)
		}
	}
	return min(longest, fastest) + 1
}

// witness returns the child that a solved position is to be answered by: the winning move
// of the least work, else the move that held out longest.
func (w *worker) witness(kids []game.Successor) int {
	best := -1
	for i := range kids {
		switch {
		case best < 0:
			best = i
		case kids[i].Delta == 0 && (kids[best].Delta != 0 || faster(&kids[i], &kids[best])):
			best = i
		case kids[best].Delta != 0 && kids[i].Work > kids[best].Work:
			best = i
		}
	}
	return best
}

// faster reports whether a winning move is better than another.
func faster(a, b *game.Successor) bool {
	if a.Plies != b.Plies {
		return a.Plies < b.Plies
	}
	return a.Work < b.Work
}

// answer finds the move of a root that is solved at sight.
func (w *worker) answer(root *game.Successor) {
	w.kids = w.game.Expand(w.kids[:0], w.table)
	if i := w.witness(w.kids); i >= 0 {
		root.Hint = w.game.Short(w.kids[i].Move)
	}
}

// loop returns what a solved position depends on: nothing, or a position that has occurred
// before, as game.Successor.Loop. A verdict that depends only on the position itself, or on
// one below it, depends on nothing.
func (w *worker) loop(kids []game.Successor) uint16 {
	on := uint16(0)
	for i := range kids {
		k := &kids[i]
		if k.Delta == 0 {
			if on = k.Loop; on == 0 {
				return 0 // a win without conditions
			}
			break
		}
		if k.Loop != 0 && (on == 0 || k.Loop < on) {
			on = k.Loop
		}
	}
	if int(on) >= w.ply+2 {
		return 0
	}
	return on
}
