package ultimategoal

import (
	"math/bits"
	"sync"

	"trefoil/game/ultimate"
	"trefoil/game/ultimate/chance"
)

// A goal is about two roles, not about X and O.
const (
	attacker = 0
	defender = 1
)

// A local board is a number of nine ternary digits, cell 0 lowest: 0 is empty, 1 the
// attacker's stone, 2 the defender's.
const localBoards = ultimate.BoardCodes

// symmetries of a board, the identity first.
const symmetries = 8

// known is what is known of a local board; arrays of two are by role.
type known struct {
	empty uint16    // cells, none of a board that is won
	wins  [2]uint16 // cells that win the board
	orbit uint16    // the least class of all images
	class [symmetries]uint16
	_     [2]uint16 // 32 bytes in all
	// chance is the chance, in 1/255, that a role wins the board if both play at random and a random
	// role moves at every turn.
	chance [2]uint8
	// stones is how many a role needs at least to win the board: 0 if it has won it, dead if it cannot.
	stones [2]uint8
}

// tables hold what is computed once about all local boards.
//
// Local boards of one class are equivalent: they have the same empty cells and, for each
// role, the same sets of empty cells that would complete a line without an enemy stone in it,
// supersets of others left out. Whatever is played, such boards stay equivalent. Late in a game
// most stones are dead, so the key of a position has its classes, not its stones.
type tables struct {
	known  [localBoards]known
	words  []uint64                  // by class
	done   [1 << boards]uint64       // decided boards
	aim    [2][symmetries][16]uint64 // the board to play on under a symmetry, by role to move
	useful [2][1 << boards]uint64    // the boards of lines that a role can complete
	has    [2][1 << boards]uint64    // those of them that it has won
	// image[s][b] is where symmetry s takes cell b, free included; origin is its inverse.
	image, origin [symmetries][16]uint8
	through       [boards]race                    // 1 in the byte of each line through a board
	lines         [1 << boards]uint16             // union of the lines in a set
	completes     [1 << boards]uint16             // cells that complete a line of the set
	images        [symmetries][1 << boards]uint16 // of sets
}

// theTables are built when the first goal is made: it takes some milliseconds.
var theTables = sync.OnceValue(func() *tables {
	t := new(tables)
	t.fillSymmetries()
	t.fillLines()
	t.fillLocal()
	t.fillWords()
	return t
})

// ring are the cells around the centre, corners at even places; onRing are their places on it.
var (
	ring   = [8]uint8{0, 1, 2, 5, 8, 7, 6, 3}
	onRing = [16]uint8{0: 0, 1: 1, 2: 2, 5: 3, 8: 4, 7: 5, 6: 6, 3: 7}
)

const centre = 4

// fillSymmetries numbers the symmetries: 2k takes corner k of the ring to cell 0 and keeps
// the direction, 2k+1 reverses it.
func (t *tables) fillSymmetries() {
	for s := range symmetries {
		t.image[s][4], t.image[s][free] = 4, free
		for i, from := range ring {
			to := (i - s/2*2 + 8) % 8
			if s%2 == 1 {
				to = (s/2*2 - i + 8) % 8
			}
			t.image[s][from] = ring[to]
		}
		for from, to := range t.image[s][:boards+1] {
			t.origin[s][to] = uint8(from)
		}
		for set := range t.images[s] {
			for from, to := range t.image[s][:boards] {
				t.images[s][set] |= uint16(set) >> from & 1 << to
			}
		}
	}
}

// shape identifies a class.
type shape struct {
	empty uint16
	sets  [2][8]uint16 // the least sets of cells that win, in rising order of line, by role
}

// toWin returns how many stones a board takes at least to be won, dead if that is impossible.
func toWin(own, enemy uint16) (n uint8) {
	n = dead
	if ultimate.HasLine(enemy) {
		return n
	}
	for _, l := range ultimate.Lines() {
		if l&enemy == 0 {
			n = min(n, uint8(count(l&^own)))
		}
	}
	return n
}

// fillLines fills in the lines of all sets of cells, and those through each.
func (t *tables) fillLines() {
	for i, l := range ultimate.Lines() {
		for b := range t.through {
			t.through[b] |= race(l>>b&1) << (8 * i)
		}
	}
	for set := range uint16(1 << boards) {
		t.completes[set] = ultimate.Completing(set)
		for _, l := range ultimate.Lines() {
			if l&^set == 0 {
				t.lines[set] |= l
			}
		}
	}
}

func (t *tables) fillLocal() {
	chances := chance.Table()
	classes := map[shape]uint16{}
	var identity [localBoards]uint16
	for code := range localBoards {
		t.known[code].chance = chances[code]
		stones := ultimate.BoardStones(uint16(code))
		for role := range stones {
			t.known[code].stones[role] = toWin(stones[role], stones[1-role])
		}
		if ultimate.HasLine(stones[0]) || ultimate.HasLine(stones[1]) {
			continue
		}
		sh := shape{empty: all &^ (stones[0] | stones[1])}
		t.known[code].empty = sh.empty
		for role := range 2 {
			sets := lineSets(stones[role], stones[1-role])
			for _, set := range sets {
				if set&(set-1) == 0 {
					t.known[code].wins[role] |= set
				}
			}
			copy(sh.sets[role][:], sets)
		}
		id, known := classes[sh]
		if !known {
			id = uint16(len(classes) + 1) // 0 is a decided board
			classes[sh] = id
		}
		identity[code] = id
	}
	t.words = make([]uint64, len(classes)+1)
	var weight [symmetries][boards]uint16
	for s := range symmetries {
		for c := range boards {
			weight[s][c] = ultimate.Power[t.image[s][c]]
		}
	}
	for code := range localBoards {
		t.known[code].orbit = identity[code]
		for s := range symmetries {
			to := uint16(0)
			for c, rest := 0, code; rest > 0; c, rest = c+1, rest/3 {
				to += uint16(rest%3) * weight[s][c]
			}
			t.known[code].class[s] = identity[to]
			t.known[code].orbit = min(t.known[code].orbit, identity[to])
		}
	}
}

// lineSets returns the sets of empty cells that complete a line of own stones without an enemy stone in it,
// sorted; no set is part of another.
func lineSets(own, enemy uint16) (sets []uint16) {
	for _, l := range ultimate.Lines() {
		if l&enemy == 0 {
			sets = insertMinimal(sets, l&^own)
		}
	}
	return sets
}

// insertMinimal adds a set to a sorted list in which no set contains another, and keeps it so.
func insertMinimal(sets []uint16, set uint16) []uint16 {
	at := 0
	kept := sets[:0]
	for _, s := range sets {
		if s&^set == 0 {
			return sets // s is part of the new one, so nothing was removed before
		}
		if set&^s != 0 {
			kept = append(kept, s)
		}
	}
	for at < len(kept) && kept[at] < set {
		at++
	}
	kept = append(kept, 0)
	copy(kept[at+1:], kept[at:])
	kept[at] = set
	return kept
}

func count(set uint16) int { return bits.OnesCount16(set) }

// single reports whether a set has at most one cell.
func single(set uint16) bool { return set&(set-1) == 0 }

// bit is the set of a board or cell.
func bit(b uint8) uint16 { return 1 << (b & 15) }
