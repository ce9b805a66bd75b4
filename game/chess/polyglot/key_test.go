package polyglot

import (
	"math/bits"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/gametest"
)

// The keys that the description of the format publishes, of positions after moves and of FENs.
func TestPublishedKeys(t *testing.T) {
	for _, test := range []struct {
		moves, fen string
		key        uint64
	}{
		{"", chess.StartFEN, 0x463b96181691fc9c},
		{"e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196},
		{"e2e4 d7d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0},
		{"e2e4 d7d5 e4e5", "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4},
		{"e2e4 d7d5 e4e5 f7f5", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78},
		{"e2e4 d7d5 e4e5 f7f5 e1e2", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1},
		{"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9},
		{"a2a4 b7b5 h2h4 b5b4 c2c4", "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637},
		{"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560},
	} {
		if got := Key(gametest.Chess(t, chess.StartFEN, test.moves)); got != test.key {
			t.Errorf("after %q: %016x, want %016x", test.moves, got, test.key)
		}
		if got := Key(gametest.Chess(t, test.fen)); got != test.key {
			t.Errorf("%s: %016x, want %016x", test.fen, got, test.key)
		}
	}
}

// An en passant capture that would be illegal counts, if there is a pawn for it: played or set up.
func TestEnPassantOfPinnedPawn(t *testing.T) {
	const before = "4k3/2p5/8/KP5r/8/8/8/8 b - - 0 1" // after c7c5, bxc6 would uncover the rook
	without := Key(gametest.Chess(t, "4k3/8/8/KPp4r/8/8/8/8 w - - 0 2"))
	want := without ^ random[enPassantWords+2]
	played := gametest.Chess(t, before, "c7c5")
	if played.EnPassant() != 0 {
		t.Fatal("the capture is legal")
	}
	if got := Key(played); got != want {
		t.Errorf("played: %016x, want %016x", got, want)
	}
	if got := Key(gametest.Chess(t, "4k3/8/8/KPp4r/8/8/8/8 w - c6 0 2")); got != want {
		t.Errorf("set up: %016x, want %016x", got, want)
	}
	if got := Key(gametest.Chess(t, before, "c7c5 a5a4 h5h4")); got == want {
		t.Error("it counts later too")
	}
}

// A double step is the last move of the flipped position too.
func TestEnPassantFlipped(t *testing.T) {
	for _, p := range []*chess.Position{
		gametest.Chess(t, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"), gametest.Chess(t, chess.StartFEN, "e2e4 a7a6 e4e5 d7d5"),
	} {
		f := p.Flipped()
		if got, want := Key(f), Key(gametest.Chess(t, f.FEN(), "")); got != want {
			t.Errorf("%s: %016x, want %016x", f.FEN(), got, want)
		}
	}
}

// In Chess960 a right counts by its wing; the letters of the FEN make no difference.
func TestChess960Castling(t *testing.T) {
	key := func(rights string) uint64 {
		return Key(gametest.Chess(t, "rk2r3/8/8/8/8/8/8/RK2R3 w "+rights+" - 0 1"))
	}
	none := key("-")
	for rights, words := range map[string][]int{
		"K": {0}, "E": {0}, "Q": {1}, "A": {1}, "k": {2}, "e": {2}, "q": {3}, "a": {3}, "KQkq": {0, 1, 2, 3}, "AEae": {0, 1, 2, 3}, "Ka": {0, 3},
	} {
		want := none
		for _, w := range words {
			want ^= random[castlingWords+w]
		}
		if got := key(rights); got != want {
			t.Errorf("%s: %016x, want %016x", rights, got, want)
		}
	}
}

// The table is the table of PolyGlot 2.0.4: the published keys alone do not use all of it.
func TestTable(t *testing.T) {
	var all uint64
	for i, r := range random {
		all = bits.RotateLeft64(all, 1) ^ r*uint64(2*i+1)
	}
	if all != 0x27c157394caf49d5 {
		t.Errorf("checksum %016x", all)
	}
}
