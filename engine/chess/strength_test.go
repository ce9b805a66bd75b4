package chess

import (
	"math"
	"testing"

	"trefoil/engine/config"
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
