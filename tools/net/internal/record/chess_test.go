package record

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/tools/internal/selfplay"
)

// roundTrip writes and reads a position. Only the number of the move is lost, and in Chess960 which
// rook a castling right is of when another one stands outside of it.
func roundTrip(t *testing.T, p *chess.Position) {
	t.Helper()
	rec := make([]byte, ChessBytes)
	PutChess(rec, p)
	q, err := Chess(rec)
	if err != nil {
		t.Fatalf("%s: %v", p.FEN(), err)
	}
	want, got := strings.Fields(p.FEN()), strings.Fields(q.FEN())
	want[5] = got[5]
	if !innerRook(p) && (p.Key() != q.Key() || !p.Chess960() && !slices.Equal(want, got)) {
		t.Fatalf("%s is read as %s", p.FEN(), q.FEN())
	}
	again := make([]byte, ChessBytes)
	PutChess(again, q)
	if !bytes.Equal(rec, again) {
		t.Fatalf("%s: % x, then % x", p.FEN(), rec, again)
	}
	b, err := ChessBoard(rec)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range b.Squares[:b.N] {
		if int(b.Codes[i]) != int(p.At(s))-1 {
			t.Fatalf("%s: code %d on %v", p.FEN(), b.Codes[i], s)
		}
	}
	if int(b.Side) != p.Side() || b.N != p.Occupied().Count() || ChessPieces(rec) != b.N {
		t.Fatalf("%s: side %d, %d pieces", p.FEN(), b.Side, b.N)
	}
	for c, king := range b.Kings {
		if king != p.King(chess.Colour(c)) {
			t.Fatalf("%s: kings %v", p.FEN(), b.Kings)
		}
	}
}

// innerRook reports whether a rook stands outside of one that may castle.
func innerRook(p *chess.Position) bool {
	for c := chess.White; c <= chess.Black; c++ {
		king := p.King(c)
		home := chess.Bitboard(255) << (56 * c)
		west := p.Pieces(c, chess.Rook) & home & (king.Bit() - 1)
		east := p.Pieces(c, chess.Rook) & home &^ (king.Bit() - 1)
		rights := p.CastlingRooks(c)
		if rights&west != 0 && west.First() != (rights&west).First() ||
			rights&east != 0 && east.Last() != (rights&east).Last() {
			return true
		}
	}
	return false
}

func TestRoundTripOfGames(t *testing.T) {
	for i := range 60 {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		p, err := selfplay.Start(rng, i%2 == 1)
		if err != nil {
			t.Fatal(err)
		}
		var l game.List
		for range 300 {
			roundTrip(t, p)
			l.Reset()
			p.Moves(game.All, &l)
			if l.Len() == 0 {
				break
			}
			p.Make(l.At(rng.IntN(l.Len())))
		}
	}
}

func TestRoundTripOfPositions(t *testing.T) {
	for _, fen := range []string{
		chess.StartFEN,
		"8/8/4k3/8/8/3PK3/8/8 b - - 99 80",
		"QQQQQQQk/QQQQQQQ1/8/8/8/8/8/K7 b - - 0 1", // promoted pieces
		"r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 20",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
		"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
		"rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
		"k7/8/8/8/8/8/8/K6R w - - 300 200",
	} {
		p := gametest.Chess(t, fen)
		if p.Rule50() <= 255 {
			roundTrip(t, p)
		}
		rec := make([]byte, ChessBytes)
		PutChess(rec, p)
		if want := min(p.Rule50(), 255); int(TailOf(rec).Clock) != want {
			t.Errorf("%s: clock %d", fen, TailOf(rec).Clock)
		}
	}
}

func TestTail(t *testing.T) {
	rec := make([]byte, ChessBytes)
	for _, want := range []Tail{{}, {-32768, 2, 255, 65535}, {32767, 1, 3, 258}} {
		want.Put(rec)
		if got := TailOf(rec); got != want {
			t.Errorf("%+v is read as %+v", want, got)
		}
	}
	if bytes.Count(rec[:26], []byte{0}) != 26 {
		t.Errorf("the tail is not at the end: % x", rec)
	}
}

// start is the record of the initial position.
func start(t testing.TB) []byte {
	p := gametest.Chess(t, chess.StartFEN)
	rec := make([]byte, ChessBytes)
	PutChess(rec, p)
	return rec
}

func TestDamagedRecords(t *testing.T) {
	for _, c := range []struct {
		what   string
		damage func(rec []byte)
		want   string
	}{
		{"zeros", func(rec []byte) { clear(rec) }, "0 kings"},
		{"33 pieces", func(rec []byte) { rec[2] = 1 }, "33 pieces"},
		{"piece code", func(rec []byte) { rec[8] |= 15 }, "piece code 15 on a1"},
		{"two kings", func(rec []byte) { rec[8] = rec[8]&0xf0 | 10 }, "2 kings"},
		{"a piece too many", func(rec []byte) { rec[7] = 0; clear(rec[20:24]) }, "0 kings"},
		{"a nibble behind the last", func(rec []byte) { rec[6] = 0 }, "piece 25 of 24"},
		{"17 pieces", func(rec []byte) { rec[20] &= 0xf0 }, "17 pieces of colour 0"},
		{"a pawn on rank 1", func(rec []byte) { rec[8] &= 0xf0 }, "a pawn on rank 1"},
		{"flags", func(rec []byte) { rec[24] |= 32 }, "castling rights 0x3e"},
		{"en passant", func(rec []byte) { rec[25] = 9 }, "en passant 9"},
		{"no en passant", func(rec []byte) { rec[25] = 4 }, "en passant 4, where no pawn can capture"},
		{"no rook", func(rec []byte) { rec[8] = rec[8]&0xf0 | 2 }, "rights 0x1e, where the kings and rooks allow 0x1a"},
		{"half points", func(rec []byte) { rec[28] = 3 }, "3 half points"},
	} {
		rec := start(t)
		c.damage(rec)
		if _, err := Chess(rec); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	// The capture on e3 would open the rank of the black king.
	p := gametest.Chess(t, "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1")
	rec := make([]byte, ChessBytes)
	PutChess(rec, p)
	rec[25] = 5
	if _, err := Chess(rec); err == nil || !strings.Contains(err.Error(), "en passant 5, where no pawn can capture") {
		t.Errorf("an illegal en passant capture: %v", err)
	}
}

// FuzzChess reads anything without a panic; what is read is written as it was.
func FuzzChess(f *testing.F) {
	f.Add(start(f))
	f.Fuzz(func(t *testing.T, rec []byte) { rewrite(t, rec, ChessBytes, Chess, PutChess) })
}

// rewrite reads a record of a size. What is read is written as it was.
func rewrite[P any](t *testing.T, rec []byte, size int, read func([]byte) (P, error), put func([]byte, P)) {
	if len(rec) != size {
		return
	}
	p, err := read(rec)
	if err != nil {
		return
	}
	again := make([]byte, size)
	put(again, p)
	if !bytes.Equal(Place(rec), Place(again)) {
		t.Errorf("% x is written as % x", rec, again)
	}
}
