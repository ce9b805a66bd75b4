package chess

import (
	"testing"

	"trefoil/search"
)

func TestExpected(t *testing.T) {
	for v := -3000; v <= 3000; v += 7 {
		w, o := expected(search.Score{Centipawns: v}), expected(search.Score{Centipawns: -v})
		if w[0]+w[1]+w[2] != 1000 || w[0] < 0 || w[1] < 0 || w[2] < 0 || w[0] != o[2] {
			t.Fatalf("%d: %v, mirrored %v", v, w, o)
		}
	}
	if expected(search.Score{Mate: true, Plies: 3}) != (search.WDL{1000, 0, 0}) || expected(search.Score{Mate: true}) != (search.WDL{0, 0, 1000}) {
		t.Error("mates are certain")
	}
}
