package record

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
)

// shogiRecord writes and reads a position. Only the number of the move is lost.
func shogiRecord(t testing.TB, p *shogi.Position) []byte {
	t.Helper()
	rec := make([]byte, ShogiBytes)
	PutShogi(rec, p)
	q, err := Shogi(rec)
	if err != nil {
		t.Fatalf("%s: %v", p.SFEN(), err)
	}
	want, got := p.SFEN(), q.SFEN()
	if want[:strings.LastIndexByte(want, ' ')] != got[:strings.LastIndexByte(got, ' ')] || p.Key() != q.Key() {
		t.Fatalf("%s is read as %s", want, got)
	}
	if bytes.Count(rec[ShogiBytes-tailBytes:], []byte{0}) != tailBytes {
		t.Fatalf("%s: the tail is % x", want, rec)
	}
	b, err := ReadShogiBoard(rec)
	if err != nil {
		t.Fatal(err)
	}
	if b.N != p.Occupied().Count() || ShogiPieces(rec) != b.N || int(b.Side) != p.Side() {
		t.Fatalf("%s: %d pieces, side %d", want, b.N, b.Side)
	}
	for i, s := range b.Squares[:b.N] {
		if p.At(s) != b.Codes[i] {
			t.Fatalf("%s: %v has code %d", want, s, b.Codes[i])
		}
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		for k := shogi.Pawn; k < shogi.King; k++ {
			if b.Hands[c][k] != p.Hand(c).Count(k) {
				t.Fatalf("%s: hands %v", want, b.Hands)
			}
		}
		if b.Kings[c] != p.King(c) {
			t.Fatalf("%s: kings %v", want, b.Kings)
		}
	}
	return rec
}

func TestShogiRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var l game.List
	for range 30 {
		p := gametest.Shogi(t, shogi.StartSFEN)
		for range 300 {
			shogiRecord(t, p)
			l.Reset()
			p.Moves(game.All, &l)
			if l.Len() == 0 {
				break
			}
			p.Make(l.At(rng.IntN(l.Len())))
		}
	}
	for _, sfen := range []string{
		"4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
		"k8/9/9/9/9/9/9/9/8K w RBG2S3Nrb3g2sn4l18p 1",
		"1+P1+L1+N1+S1/9/4k4/9/1+R5+B1/9/4K4/9/1+p1+l1+n1+s1 b - 1",
	} {
		shogiRecord(t, gametest.Shogi(t, sfen))
	}
}

// TestShogiBytes checks one record by hand: files depend on it.
func TestShogiBytes(t *testing.T) {
	rec := shogiRecord(t, gametest.Shogi(t, "k8/9/9/9/9/9/9/9/8K w Pr 1"))
	// Black's king, code 15, on 1i, bit 8; White's, 16, on 9a, bit 72; then a pawn, 1, and a rook, 14.
	want := make([]byte, ShogiBytes)
	want[1], want[9], want[10] = 1, 1, 0x80
	codes := 15 | 16<<5 | 1<<10 | 14<<15
	want[11], want[12], want[13] = byte(codes), byte(codes>>8), byte(codes>>16)
	if !bytes.Equal(rec, want) {
		t.Errorf("% x, want % x", rec, want)
	}
}

func TestDamagedShogiRecords(t *testing.T) {
	set := func(rec []byte, i, code int) { // piece i
		at := 5 * i
		for bit := range 5 {
			b := &rec[11+(at+bit)/8]
			*b = *b&^(1<<((at+bit)%8)) | byte(code>>bit&1)<<((at+bit)%8)
		}
	}
	const sfen = "4k4/9/9/9/9/9/9/9/4K4 b RPbp 1" // codes 16, 15, 1, 13, 2, 12
	for _, c := range []struct {
		what   string
		damage func(rec []byte)
		want   string
	}{
		{"zeros", func(rec []byte) { clear(rec) }, "no king of colour 0"},
		{"a square without a piece", func(rec []byte) { rec[0] = 1; set(rec, 0, 0) }, "no piece on 1a"},
		{"41 pieces", func(rec []byte) {
			for i := range 6 {
				rec[i] = 255
			}
			for i := range 40 {
				set(rec, i, 1)
			}
		}, "more than 18 pieces of kind 0"},
		{"no kind", func(rec []byte) { set(rec, 0, 25) }, "piece code 25 on 5a"},
		{"code 31", func(rec []byte) { set(rec, 0, 31) }, "piece code 31 on 5a"},
		{"code 31 in hand", func(rec []byte) { set(rec, 2, 31) }, "piece code 31 in hand"},
		{"two kings of White", func(rec []byte) { set(rec, 1, 16) }, "two kings of colour 1"},
		{"no king of White", func(rec []byte) { set(rec, 0, 10) }, "no king of colour 1"},
		{"three kings", func(rec []byte) { set(rec, 2, 15) }, "more than 2 pieces of kind 7"},
		{"three rooks", func(rec []byte) { set(rec, 2, 13); set(rec, 4, 14); set(rec, 5, 14) }, "more than 2 pieces of kind 6"},
		{"promoted in hand", func(rec []byte) { set(rec, 5, 28) }, "piece code 28 in hand"},
		{"out of order", func(rec []byte) { set(rec, 2, 13); set(rec, 3, 1) }, "piece code 1 in hand out of order"},
		{"after none", func(rec []byte) { set(rec, 7, 12) }, "piece code 12 in hand out of order"},
		{"squares beyond the board", func(rec []byte) { rec[10] |= 2 }, "squares beyond the board: 0x2"},
		{"clock", func(rec []byte) { rec[39] = 1 }, "a clock of 1"},
		{"half points", func(rec []byte) { rec[38] = 3 }, "3 half points"},
	} {
		rec := shogiRecord(t, gametest.Shogi(t, sfen))
		c.damage(rec)
		if _, err := Shogi(rec); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	// What only the rules refuse: two pawns on a file, a king that can be taken.
	for want, sfen := range map[string]string{
		"two pawns":     "4k4/9/9/9/4P4/9/9/9/4K4 b R 1",
		"take the king": "4k4/9/9/9/9/9/9/9/4K4 b RP 1",
	} {
		rec := shogiRecord(t, gametest.Shogi(t, sfen))
		if want == "two pawns" { // the rook in hand becomes a pawn behind the other
			rec[4] |= 1 << 6
			set(rec, 3, 15)
			set(rec, 2, 1)
		} else { // the pawn, as a gold before the king
			rec[4] |= 1 << 5
			set(rec, 1, 9)
			set(rec, 2, 15)
			set(rec, 3, 13)
		}
		if _, err := Shogi(rec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// FuzzShogi reads anything without a panic; what is read is written as it was.
func FuzzShogi(f *testing.F) {
	f.Add(shogiRecord(f, gametest.Shogi(f, shogi.StartSFEN)))
	f.Add(shogiRecord(f, gametest.Shogi(f, "k8/9/9/9/9/9/9/9/8K w RBG2S3Nrb3g2sn4l18p 1")))
	f.Fuzz(func(t *testing.T, rec []byte) { rewrite(t, rec, ShogiBytes, Shogi, PutShogi) })
}
