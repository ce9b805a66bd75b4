package chess

import (
	"math"
	"testing"

	"trefoil/engine/config"
	"trefoil/game/gametest"
)

// Each Elo has a level of its own, weaker than full strength, and a higher one than all lower Elo.
func TestLevelOf(t *testing.T) {
	before := math.Inf(-1)
	for elo := ratings[0].elo; elo <= ratings[len(ratings)-1].elo; elo++ {
		level := levelOf(elo)
		if level <= before || level >= config.FullSkill {
			t.Fatalf("Elo %v: level %v after %v", elo, level, before)
		}
		before = level
	}
	for _, r := range ratings {
		if got := levelOf(r.elo); got != r.level {
			t.Errorf("Elo %v: level %v, want %v", r.elo, got, r.level)
		}
	}
}

// From level 0 on a lone king is mated without errors; below, and against more than a king, the level is as set.
func TestLoneKing(t *testing.T) {
	const rook, pawn = "8/8/8/4k3/8/8/8/KR6 w - - 0 1", "8/8/4p3/4k3/8/8/8/KR6 w - - 0 1"
	for _, c := range []struct {
		fen          string
		level, want  int
		withoutNoise bool
	}{
		{rook, 0, loneKing, true}, {rook, 19, 19, true}, {rook, -1, -1, false}, {pawn, 0, 0, false},
		{"8/8/8/4k3/8/8/8/KR6 b - - 0 1", 0, 0, false},
	} {
		pos := gametest.Chess(t, c.fen)
		got := strengthIn(pos, float64(c.level))
		if got.Level != float64(c.want) || (got.Noise == 0) != c.withoutNoise {
			t.Errorf("%s, level %d: %+v", c.fen, c.level, got)
		}
	}
}
