package halfkp

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
	"trefoil/game/shogi"
	"trefoil/game/shogi/nnue"
	"trefoil/nnue/nnuetest"
)

// TestConvert compares the values of a net and of the file made of it, in positions without promoted minor pieces. The
// file has fewer steps for weights and activations; the error is less than 3 % (root mean square).
func TestConvert(t *testing.T) {
	net := nnuetest.Random(t, nnue.Shape(32), 1)
	file, fvScale, err := Convert(net)
	if err != nil {
		t.Fatal(err)
	}
	read := mustRead(file)
	if note := read.Note(); note != "" {
		t.Error(note)
	}
	ours, theirs := nnue.NewEvaluator(net), NewEvaluator(read, fvScale)
	rng := rand.New(rand.NewPCG(1, 0))
	var list game.List
	positions, squares, errors := 0, 0, 0
	for range 20 {
		p := position(t, shogi.StartSFEN)
		for range 150 {
			list.Reset()
			if p.Moves(game.All, &list); list.Len() == 0 {
				break
			}
			m := list.At(rng.IntN(list.Len()))
			if k := shogi.KindOf(m.Piece()); m.Promotes() && k != shogi.Bishop && k != shogi.Rook {
				continue
			}
			if p.Make(m); p.InCheck() {
				continue
			}
			v, w := ours.Evaluate(p), Centipawns(theirs.Evaluate(p))
			positions++
			squares += v * v
			errors += (v - w) * (v - w)
		}
	}
	if positions < 1000 || errors*1000 > squares {
		t.Errorf("%d positions: the sum of squares of the errors is %d, of the values %d", positions, errors, squares)
	}
}
