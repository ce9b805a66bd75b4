// Package shogi has the rules of shogi: positions and their keys, the legal
// moves, repetition and declaration, what an exchange wins, and the notation of
// positions (sfen) and moves (USI).
//
// Squares count from 1a = 0 down the files to 9i = 80, so that a file is nine
// neighbouring bits; a set of squares is two words, files 1 to 7 and 8 to 9:
//
//	 9  8 │ 7  6  5  4  3  2  1        the words of a Bitboard as Black sees them
//	72 63 │54 45 36 27 18  9  0  a
//	73 64 │55 46 37 28 19 10  1  b
//	      …
//	80 71 │62 53 44 35 26 17  8  i
//
// A piece code is 1 + 2·kind + colour. The low 16 bits of a move, which a table
// keeps, are
//
//	 15   14  13            7 6             0
//	┌────┬────┬──────────────┬───────────────┐
//	│ +  │  * │    origin    │    target     │
//	└────┴────┴──────────────┴───────────────┘
//
// + is promotion, * a drop, whose origin is 81 + the kind dropped. The piece of a promotion is the piece
// before it, the piece of a drop is the piece dropped.
//
// Only legal moves are ever generated, restored from 16 bits or parsed; Make trusts its argument to be such
// a move. One king may be missing, as in mate problems.
//
// Arrays by square, kind or piece code are indexed with s&127, k&15 or code&31: the mask drops
// the bounds check and changes no valid index.
package shogi

import (
	"trefoil/game"
	"trefoil/zobrist"
)

// The marks of a move, in the top two bits of its Move16.
const (
	drop      game.Move = 1 << 14
	promotion game.Move = 1 << 15
)

// Position is a position and the moves that led to it. It belongs to one
// goroutine; Copy makes another.
type Position struct {
	state
	kinds    [16]Bitboard // by Kind
	colours  [2]Bitboard
	kings    [2]Square
	board    [128]uint8 // piece codes; nothing stands Nowhere
	side     Colour
	ply      int // plies since the first move of the game
	rule     EnteringKingRule
	maxMoves int     // moves after which the game is drawn, 0 = no limit
	history  []state // the states before this one, oldest first
	// seen counts the positions of the game, this one too, by bits of their board
	// keys: where it is 1 nothing has repeated.
	seen [seenSize]uint16
}

// state is what a move changes and Undo cannot recompute.
type state struct {
	key      uint64    // of all
	boardKey uint64    // of the board and the side to move, without the hands
	parts    [5]uint64 // keys of the pieces of a class: see classes
	checkers Bitboard  // the enemies that give check
	hands    [2]Hand
	move     game.Move // the move that led here
	back     int32     // plies since the beginning or a null move
	checks   [2]int32  // plies during which every move of a side has given check
}

const seenSize = 2048

// classes are the classes of pieces that have a key of their own, by kind: pawns;
// other minor pieces of Black; of White; major pieces and king of Black; of White.
var classes = [2][16]uint8{
	{Lance: 1, 1, 1, 1, Bishop: 3, 3, 3, 1, 1, 1, 1, Horse: 3, 3},
	{Lance: 2, 2, 2, 2, Bishop: 4, 4, 4, 2, 2, 2, 2, Horse: 4, 4},
}

// sets are the second sets that the kinds belong to.
var sets = [16]Kind{
	others, others, others, others, golds, others, others, others,
	golds, golds, golds, golds, others, others, others, others,
}

// keyWords are the words of a key.
type keyWords struct {
	game   uint64          // in every key: distinguishes this game's from others'
	pieces [32][128]uint64 // by piece code
	hand   [2][8][19]uint64
}

// Seed names the key words. Keys of equal seeds are comparable, so they may be saved in files.
const Seed = "trefoil shogi"

// words are the words of the key.
var words = *drawWords(Seed)

// drawWords returns the words of a seed. Their order in its stream is part of every file
// that holds keys.
func drawWords(seed string) *keyWords {
	src, w := zobrist.NewSource(seed), new(keyWords)
	w.game = src.Word()
	for code := 1; code <= 30; code++ {
		if k := KindOf(code); k != golds {
			src.Fill(w.pieces[code][:Nowhere])
		}
	}
	for c := Black; c <= White; c++ {
		for k := Pawn; k < King; k++ {
			src.Fill(w.hand[c][k][1:]) // an empty hand has no word
		}
	}
	return w
}

// Copy returns an independent position with the same history. No two copies lie
// on one cache line: each is for another goroutine, which writes it at every move.
func (p *Position) Copy() *Position {
	c := &struct {
		Position
		_ [64]byte
	}{Position: *p}
	c.history = make([]state, len(p.history), len(p.history)+256)
	copy(c.history, p.history)
	return &c.Position
}

// Pieces returns where the pieces of a colour and kind stand.
func (p *Position) Pieces(c Colour, k Kind) Bitboard { return p.kinds[k&15].And(p.colours[c&1]) }

// Kind returns where the pieces of a kind stand.
func (p *Position) Kind(k Kind) Bitboard { return p.kinds[k&15] }

// Colour returns where the pieces of a colour stand.
func (p *Position) Colour(c Colour) Bitboard { return p.colours[c&1] }

// Occupied returns where pieces stand.
func (p *Position) Occupied() Bitboard { return p.colours[Black].Or(p.colours[White]) }

// At returns the code of the piece on s, 0 if there is none.
func (p *Position) At(s Square) int { return int(p.board[s&127]) }

// Hand returns what c has in hand.
func (p *Position) Hand(c Colour) Hand { return p.hands[c&1] }

// King returns where the king of c stands.
func (p *Position) King(c Colour) Square { return p.kings[c&1] }

// Side returns the side to move.
func (p *Position) Side() int { return int(p.side) }

// Ply returns the number of plies since the first move of the game, as the sfen
// counted them.
func (p *Position) Ply() int { return p.ply }

// MoveNumber returns the number of the next move as an sfen counts.
func (p *Position) MoveNumber() int { return p.ply + 1 }

// LastMove returns the move that led here, None after a null move or at the beginning.
func (p *Position) LastMove() game.Move { return p.move }

// Played returns the number of moves made since the position was set up.
func (p *Position) Played() int { return len(p.history) }

// KeyAt returns the key of the position after the first i moves, 0 ≤ i < Played().
func (p *Position) KeyAt(i int) uint64 { return p.history[i].key }

// BoardKeyAt returns the board key of the position after the first i moves.
func (p *Position) BoardKeyAt(i int) uint64 { return p.history[i].boardKey }

// HandAt returns what c had in hand after the first i moves.
func (p *Position) HandAt(i int, c Colour) Hand { return p.history[i].hands[c&1] }

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return p.checkers.Any() }

// Checkers returns the pieces that give check.
func (p *Position) Checkers() Bitboard { return p.checkers }

// Key returns the key of the position; bit 0 is the side to move.
func (p *Position) Key() uint64 { return p.key }

// BoardKey returns the key of the board and the side to move, without the hands.
func (p *Position) BoardKey() uint64 { return p.boardKey }

// MayRepeat reports false if no position of the game has this board key.
func (p *Position) MayRepeat(boardKey uint64) bool { return p.seen[boardKey>>1%seenSize] > 0 }

// CorrectionKeys fills keys with the keys of the pawns, of Black's other pieces, of White's other
// pieces, and of the minor pieces of both sides.
func (p *Position) CorrectionKeys(keys *[4]uint64) int {
	*keys = [4]uint64{
		p.parts[0],
		p.parts[1] ^ p.parts[3],
		p.parts[2] ^ p.parts[4],
		p.parts[1] ^ p.parts[2],
	}
	return 4
}

// HistoryDimensions returns the size of history tables: piece codes are below 31.
func (p *Position) HistoryDimensions() (pieces, squares int) { return 31, 81 }

// togglePiece puts a piece on an empty square, or takes it away, in all sets but board.
func (p *Position) togglePiece(code int, s Square) {
	k, bit := KindOf(code)&15, squares[s&127]
	p.kinds[k] = p.kinds[k].Xor(bit)
	also := sets[k] & 15
	p.kinds[also] = p.kinds[also].Xor(bit)
	c := &p.colours[ColourOf(code)]
	*c = c.Xor(bit)
}

// toggleKeys adds a piece to the keys, or takes it away.
func (p *Position) toggleKeys(code int, s Square) {
	word := words.pieces[code&31][s&127]
	p.key ^= word
	p.boardKey ^= word
	p.parts[classes[ColourOf(code)][KindOf(code)&15]] ^= word
}

// AttackersOf returns the pieces of c that attack s when occ is occupied.
func (p *Position) AttackersOf(s Square, occ Bitboard, c Colour) Bitboard {
	a := &around[c&1^1][s&127]
	found := a.pawn.And(p.kinds[Pawn]).
		Or(a.knight.And(p.kinds[Knight])).
		Or(a.silver.And(p.kinds[Silver])).
		Or(a.gold.And(p.kinds[golds])).
		Or(a.king.And(p.kinds[King].Or(p.kinds[Horse]).Or(p.kinds[Dragon])))
	if a.lance.And(p.kinds[Lance]).Meets(p.colours[c&1]) {
		found = found.Or(LanceAttacks(c^1, s, occ).And(p.kinds[Lance]))
	}
	if sliders := p.kinds[Bishop].Or(p.kinds[Horse]); a.bishop.And(sliders).Meets(p.colours[c&1]) {
		found = found.Or(BishopAttacks(s, occ).And(sliders))
	}
	if sliders := p.kinds[Rook].Or(p.kinds[Dragon]); a.rook.And(sliders).Meets(p.colours[c&1]) {
		found = found.Or(RookAttacks(s, occ).And(sliders))
	}
	return found.And(p.colours[c&1])
}

// Attacked reports whether a piece of c attacks s when occ is occupied. Minor
// pieces come first: most attacked squares are attacked by them.
func (p *Position) Attacked(s Square, occ Bitboard, c Colour) bool {
	own, a := p.colours[c&1], &around[c&1^1][s&127]
	small := a.pawn.And(p.kinds[Pawn]).
		Or(a.knight.And(p.kinds[Knight])).
		Or(a.silver.And(p.kinds[Silver])).
		Or(a.gold.And(p.kinds[golds])).
		Or(a.king.And(p.kinds[King].Or(p.kinds[Horse]).Or(p.kinds[Dragon])))
	if small.Meets(own) {
		return true
	}
	if sliders := p.kinds[Rook].Or(p.kinds[Dragon]).And(own); a.rook.Meets(sliders) && RookAttacks(s, occ).Meets(sliders) {
		return true
	}
	if sliders := p.kinds[Bishop].Or(p.kinds[Horse]).And(own); a.bishop.Meets(sliders) &&
		BishopAttacks(s, occ).Meets(sliders) {
		return true
	}
	lances := p.kinds[Lance].And(own)
	return a.lance.Meets(lances) && LanceAttacks(c^1, s, occ).Meets(lances)
}

// snipers returns the pieces of c that would attack a king on s if nothing stood
// between.
func (p *Position) snipers(s Square, c Colour) Bitboard {
	a := &around[c&1^1][s&127]
	return a.lance.And(p.kinds[Lance]).
		Or(a.bishop.And(p.kinds[Bishop].Or(p.kinds[Horse]))).
		Or(a.rook.And(p.kinds[Rook].Or(p.kinds[Dragon]))).
		And(p.colours[c&1])
}

// blockers returns the pieces, of either colour, that alone stand between the
// king on s and a slider of c.
func (p *Position) blockers(s Square, c Colour) (found Bitboard) {
	occ := p.Occupied()
	for snipers := p.snipers(s, c); snipers.Any(); {
		var from Square
		from, snipers = snipers.Next()
		if b := Between(s, from).And(occ); !b.Many() {
			found = found.Or(b)
		}
	}
	return found
}

// Pinned returns the pieces of c that alone stand between their king and an enemy
// slider.
func (p *Position) Pinned(c Colour) Bitboard {
	return p.blockers(p.kings[c&1], c^1).And(p.colours[c&1])
}

// zone returns the ranks where c promotes.
func zone(c Colour) Bitboard { return zones[c&1] }

// dead returns the squares where a piece of c and kind k could not move any more.
func dead(c Colour, k Kind) Bitboard { return deads[c&1][k&15] }

var (
	zones = [2]Bitboard{ranks(0, 2), ranks(6, 8)}
	deads = [2][16]Bitboard{
		{Pawn: ranks(0, 0), Lance: ranks(0, 0), Knight: ranks(0, 1)},
		{Pawn: ranks(8, 8), Lance: ranks(8, 8), Knight: ranks(7, 8)},
	}
)
