package syzygy

import (
	"math/bits"
	"strings"
)

// MaxPieces is the largest number of pieces, kings included, for which there are tables.
const MaxPieces = 7

// material counts the pieces other than kings: four bits for each kind, White's pawns lowest, Black's
// pieces in the upper half.
//
//	 63        52 51   48 47   44 43   40 39   36 35   32   31  20 19  16 …  3   0
//	┌────────────┬───────┬───────┬───────┬───────┬───────┬────────┬──────┬──┬──────┐
//	│     0      │   Q   │   R   │   B   │   N   │   P   │   0    │  Q   │… │  P   │
//	└────────────┴───────┴───────┴───────┴───────┴───────┴────────┴──────┴──┴──────┘
//	              Black                                            White
type material uint64

// materialOf counts the pieces of p; no count is above 15 where a table is looked up.
func materialOf(p *Position) (m material) {
	for k := Pawn; k < King; k++ {
		b := *p.of(k)
		m += material(bits.OnesCount64(b&p.White)) << shift(k, false)
		m += material(bits.OnesCount64(b&p.Black)) << shift(k, true)
	}
	return m
}

// shift is where the count of a kind and colour begins.
func shift(k Kind, black bool) uint {
	s := 4 * uint(k-Pawn)
	if black {
		s += 32
	}
	return s
}

// mirrored swaps the colours.
func (m material) mirrored() material { return m<<32 | m>>32 }

// count is the number of pieces of a kind and colour other than kings.
func (m material) count(k Kind, black bool) int { return int(m >> shift(k, black) & 15) }

// letters are the letters of the kinds in the names of tables, in their order there.
const letters = "KQRBNP"

func letterKind(i int) Kind { return King - Kind(i) }

// parseName reads the name of a table, as KRPvKN: the material, and the number of pieces. ok is false for
// a name that no table has.
func parseName(name string) (m material, pieces int, ok bool) {
	white, black, found := strings.Cut(name, "v")
	if !found || len(white)+len(black) > MaxPieces || len(white)+len(black) < 3 {
		return 0, 0, false
	}
	for i, side := range []string{white, black} {
		last := 0
		for j := range len(side) {
			at := strings.IndexByte(letters, side[j])
			if at < last || (at == 0) != (j == 0) { // one king, first, and the pieces in order
				return 0, 0, false
			}
			last = at
			if at > 0 {
				m += 1 << shift(letterKind(at), i == 1)
			}
		}
		if side == "" {
			return 0, 0, false
		}
	}
	return m, len(white) + len(black), true
}

// name is the name of the table with that material, its stronger side first: more pieces, then the
// better ones.
func (m material) name() string {
	var sides [2]string
	for i := range sides {
		for at := range len(letters) {
			n := 1
			if at > 0 {
				n = m.count(letterKind(at), i == 1)
			}
			sides[i] += strings.Repeat(letters[at:at+1], n)
		}
	}
	if m.weaker() {
		sides[0], sides[1] = sides[1], sides[0]
	}
	return sides[0] + "v" + sides[1]
}

// weaker reports whether White comes second in the name.
func (m material) weaker() bool {
	white, black := 0, 0
	for k := Pawn; k < King; k++ {
		white += m.count(k, false)
		black += m.count(k, true)
	}
	if white != black {
		return white < black
	}
	for k := Queen; k >= Pawn; k-- {
		if w, b := m.count(k, false), m.count(k, true); w != b {
			return w < b
		}
	}
	return false
}

// successors calls f with the material after each capture, and after each promotion, that m has.
func (m material) successors(f func(material)) {
	for _, black := range []bool{false, true} {
		for k := Pawn; k < King; k++ {
			if m.count(k, black) > 0 {
				f(m - 1<<shift(k, black))
			}
		}
		if m.count(Pawn, black) > 0 {
			for k := Knight; k < King; k++ {
				f(m - 1<<shift(Pawn, black) + 1<<shift(k, black))
			}
		}
	}
}
