package eval

import (
	"testing"

	"trefoil/game/gametest"
	"trefoil/game/shogi"
)

// TestFeatures counts, in small positions, what each weight counts: for Black less for White, and for each king.
func TestFeatures(t *testing.T) {
	const (
		bare     = "4k4/9/9/9/9/9/9/9/4K4 b - 1"
		hands    = "4k4/9/9/9/9/9/9/9/4K4 w R3P2p 1"
		armies   = "1k1g5/9/9/9/4B4/9/9/6P2/L2+RGG1K1 b - 1"
		hanging  = "k8/9/9/2s1R1+p2/9/9/4l4/9/4G3K b - 1"
		pinned   = "4k4/4s4/9/9/4L4/9/9/9/7K1 b - 1"
		attacked = "4k4/9/3SG4/4R4/9/9/9/9/4K4 b G2Pg 1"
		defended = "3gkg3/9/4P1N2/9/9/9/9/9/4K4 b G 1"
	)
	for _, test := range []struct {
		name, sfen string
		weight     func(*Weights) *Score
		want       int
	}{
		{"tempo", bare, func(w *Weights) *Score { return &w.Tempo }, 1},
		{"tempo of White", hands, func(w *Weights) *Score { return &w.Tempo }, -1},
		{"pawns in hand", hands, func(w *Weights) *Score { return &w.Hand[shogi.Pawn] }, 3 - 2},
		{"any pawn in hand", hands, func(w *Weights) *Score { return &w.First[shogi.Pawn] }, 0},
		{"rook in hand", hands, func(w *Weights) *Score { return &w.Hand[shogi.Rook] }, 1},
		{"any rook in hand", hands, func(w *Weights) *Score { return &w.First[shogi.Rook] }, 1},
		{"golds", armies, func(w *Weights) *Score { return &w.Material[shogi.Gold] }, 2 - 1},
		{"a dragon", armies, func(w *Weights) *Score { return &w.Material[shogi.Dragon] }, 1},
		{"golds on their last rank", armies, func(w *Weights) *Score { return &w.Gold[0] }, 2 - 1},
		{"a pawn on its second rank", armies, func(w *Weights) *Score { return &w.Pawn[1] }, 1},
		{"a gold three files beside its king", armies, func(w *Weights) *Score { return &w.Guard.Gold[5*files+3] }, 1},
		{"golds two files beside their king", armies, func(w *Weights) *Score { return &w.Guard.Gold[5*files+2] }, 0},
		{"a bishop four ranks below the king", armies, func(w *Weights) *Score { return &w.Near.Bishop[1*files+3] }, 1},
		{"a pawn before its king", armies, func(w *Weights) *Score { return &w.Guard.Pawn[6*files+1] }, 1},
		{"a pawn far from the king", armies, func(w *Weights) *Score { return &w.Near.Pawn[0*files+5] }, 1},
		{"squares of a bishop", armies, func(w *Weights) *Score { return &w.BishopMobility }, 15},
		{"squares of a dragon", armies, func(w *Weights) *Score { return &w.RookMobility }, 8 + 2 + 2},
		{"squares of a lance", armies, func(w *Weights) *Score { return &w.LanceMobility }, 8},
		{"kings by place", armies, func(w *Weights) *Score { return &w.King[0][3] }, 0},
		{"a king three files from the middle", pinned, func(w *Weights) *Score { return &w.King[0][3] }, 1},
		{"a king in the corner", hanging, func(w *Weights) *Score { return &w.King[0][4] }, 0},
		{"a silver that hangs", hanging, func(w *Weights) *Score { return &w.Hanging[shogi.Silver] }, -1},
		{"a gold of Black that hangs", hanging, func(w *Weights) *Score { return &w.Hanging[shogi.Gold] }, 1},
		{"a promoted pawn that hangs", hanging, func(w *Weights) *Score { return &w.Hanging[shogi.ProPawn] }, -1},
		{"a lance between", hanging, func(w *Weights) *Score { return &w.Hanging[shogi.Lance] }, -1},
		{"a rook between", hanging, func(w *Weights) *Score { return &w.Hanging[shogi.Rook] }, 0},
		{"a pinned silver", pinned, func(w *Weights) *Score { return &w.Pinned[shogi.Silver] }, -1},
	} {
		var w Weights
		*test.weight(&w) = S(1, 0)
		sum := NewWith(&w).Sum(gametest.Shogi(t, test.sfen))
		if got := sum.Score.Calm(); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
	for _, test := range []struct {
		name   string
		weight func(*Danger) *Score
		// White's king in the positions attacked and defended.
		attacked, defended int
	}{
		{"Base", func(d *Danger) *Score { return &d.Base }, 1, 1},
		{"Attacker of pawns", func(d *Danger) *Score { return &d.Attacker[shogi.Pawn] }, 0, 1},
		{"Attacker of knights", func(d *Danger) *Score { return &d.Attacker[shogi.Knight] }, 0, 1},
		{"Attacker of silvers", func(d *Danger) *Score { return &d.Attacker[shogi.Silver] }, 1, 0},
		{"Attacker of golds", func(d *Danger) *Score { return &d.Attacker[shogi.Gold] }, 1, 0},
		{"Attacker of rooks", func(d *Danger) *Score { return &d.Attacker[shogi.Rook] }, 0, 0},
		{"Hit", func(d *Danger) *Score { return &d.Hit }, 5, 2},
		{"Far", func(d *Danger) *Score { return &d.Far }, 2 + 1 + 1, 0},
		{"Weak", func(d *Danger) *Score { return &d.Weak }, 3, 1},
		{"WeakTwice", func(d *Danger) *Score { return &d.WeakTwice }, 2, 0},
		{"Hand of pawns", func(d *Danger) *Score { return &d.Hand[shogi.Pawn] }, 1, 0},
		{"Hand of golds", func(d *Danger) *Score { return &d.Hand[shogi.Gold] }, 1, 1},
		{"More of pawns", func(d *Danger) *Score { return &d.More[shogi.Pawn] }, 1, 0},
		{"More of golds", func(d *Danger) *Score { return &d.More[shogi.Gold] }, 0, 0},
		{"Outer", func(d *Danger) *Score { return &d.Outer }, 7, 1},
		{"WeakDrop", func(d *Danger) *Score { return &d.WeakDrop }, 3, 0},
		{"Defender", func(d *Danger) *Score { return &d.Defender }, 0, 2},
		{"Defended", func(d *Danger) *Score { return &d.Defended }, 0, 3},
		{"DefendedTwice", func(d *Danger) *Score { return &d.DefendedTwice }, 0, 1},
		{"FarDefended", func(d *Danger) *Score { return &d.FarDefended }, 0, 4},
		{"Escape", func(d *Danger) *Score { return &d.Escape }, 2, 2},
	} {
		var w Weights
		*test.weight(&w.Danger) = S(1, 0)
		e := NewWith(&w)
		for sfen, want := range map[string]int{attacked: test.attacked, defended: test.defended} {
			p := gametest.Shogi(t, sfen)
			sum, turned := e.Sum(p), e.Sum(flipped(t, p))
			if got := sum.Danger[shogi.White].Calm(); got != want {
				t.Errorf("%s, %s: %d, want %d", test.name, sfen, got, want)
			}
			if turned.Danger[shogi.Black] != sum.Danger[shogi.White] || turned.Danger[shogi.White] != sum.Danger[shogi.Black] {
				t.Errorf("%s, %s: %v, with colours exchanged %v", test.name, sfen, sum.Danger, turned.Danger)
			}
		}
	}
	var w Weights
	w.Danger.Hand[shogi.Rook] = S(1, 0)
	if sum := NewWith(&w).Sum(gametest.Shogi(t, hands)); sum.Danger != [2]Score{0, S(1, 0)} {
		t.Errorf("danger of a rook in hand: %v", sum.Danger)
	}
}

// TestValue: the heat of both kings weighs the halves of the score, and a danger costs by its square.
func TestValue(t *testing.T) {
	for _, test := range []struct {
		sum  Sum
		want int
	}{
		{Sum{S(100, 200), [2]Score{}}, 100},
		{Sum{S(100, 200), [2]Score{S(0, Hottest/4), S(-50, Hottest/4)}}, 150},
		{Sum{S(100, 200), [2]Score{S(0, -30), S(0, Hottest/2)}}, 150},
		{Sum{S(100, 200), [2]Score{S(0, Hottest), S(0, 1)}}, 200},
		{Sum{S(100, 200), [2]Score{S(320, 0), S(0, 0)}}, 0},
		{Sum{S(100, 200), [2]Score{S(0, 0), S(160, 0)}}, 125},
		{Sum{S(100, 200), [2]Score{S(1600, 0), S(1601, 0)}}, 100},
	} {
		if got := test.sum.Value(); got != test.want {
			t.Errorf("%v: %d, want %d", test.sum, got, test.want)
		}
	}
}

// TestExplainTable: the whole table, with White to move.
func TestExplainTable(t *testing.T) {
	w := Weights{Tempo: S(10, 20)}
	w.Material[shogi.Pawn], w.Hand[shogi.Gold] = S(100, 120), S(500, 550)
	w.Danger.Base, w.Danger.Hit = S(320, 70), S(320, 70)
	const want = `term (calm, hot)             Black           White           total
pieces                 +1.00 +1.20     +0.00 +0.00     +1.00 +1.20
hands                  +5.00 +5.50     +0.00 +0.00     +5.00 +5.50
near the enemy         +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
around the king        +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
mobility               +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
king's place           +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
hanging and pinned     +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
tempo                                                  -0.10 -0.20
sum                                                    +5.90 +6.50
danger                         320             640, 15 % hot
costs                        -1.00           -4.00
value +8.99 for Black
`
	if got := NewWith(&w).Explain(gametest.Shogi(t, "4k4/9/4P4/9/9/9/9/9/4K4 w G 1")); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
