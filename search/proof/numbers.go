package proof

import "trefoil/game"

// summary is what the children of a position come to.
type summary struct {
	phi, delta uint32 // of the position
	second     uint32 // δ of the second best child
	best       int    // the child of least δ, -1 if there is none
}

// summarise computes the numbers of a position. If others search here too, best and second
// are by virtual numbers: a child with others in it counts as worse.
func (w *worker) summarise(kids []game.Successor, common bool) summary {
	s := summary{phi: Infinity, second: Infinity, best: -1}
	sum, most, least := uint64(0), uint64(0), uint32(Infinity)
	for i := range kids {
		k := &kids[i]
		if k.After && !k.Solved() && waits(kids[:i]) {
			continue
		}
		delta := k.Delta
		s.phi = min(s.phi, delta)
		sum += uint64(k.Phi)
		most = max(most, uint64(k.Phi))
		if k.Phi == 0 {
			continue
		}
		if common {
			delta = w.virtual(k)
		}
		if delta < least || s.best < 0 {
			s.second, least, s.best = least, delta, i
		} else if delta < s.second {
			s.second = delta
		}
	}
	switch {
	case s.phi == 0:
		s.delta = Infinity
	case s.phi == Infinity:
		s.delta = 0
	default:
		s.delta = uint32(min(most+(sum-most)*w.tuning.share/16, Infinity-1))
	}
	return s
}

// waits reports whether a child that comes after others waits for one of them.
func waits(before []game.Successor) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if !before[i].Solved() {
			return true
		}
		if !before[i].After {
			return false
		}
	}
	return false
}

// room returns the threshold of φ for a child: what brings the position to its threshold of δ.
func (w *worker) room(s *summary, phi, tDelta uint32) uint32 {
	others := uint64(s.delta) - min(uint64(phi), uint64(s.delta))
	return uint32(min(max(uint64(tDelta)-min(others, uint64(tDelta)), uint64(phi)+1), Infinity))
}

// virtual is δ of a child with others in it.
func (w *worker) virtual(k *game.Successor) uint32 {
	n := w.shared.flights.below(k.Key)
	if n == 0 || k.Delta == 0 {
		return k.Delta
	}
	d := uint64(k.Delta)
	return uint32(min(d+(d*w.tuning.heavy/16+1)*uint64(n), Infinity-1))
}
