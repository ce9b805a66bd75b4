package chess

import (
	"trefoil/engine/alphabetagame"
	"trefoil/engine/config"
	"trefoil/options"
)

// noise is alphabetagame.Strength.Noise of chess.
const noise = 400

// ratings are the Elo of some levels by the games in docs/rating.md. Between two of them Elo grows evenly with
// the level.
var ratings = []struct{ elo, level float64 }{{1000, -4}, {1145, 0}, {1410, 4}, {1530, 5}, {2045, 8},
	{2315, 10}, {2510, 12}, {2690, 14}}

// strength are the options that say how strong chess is played.
type strength struct {
	level *options.Spin
	limit *options.Check
	elo   *options.Spin
}

// newStrength declares the options of strength that only chess has.
func newStrength(o *config.Options) strength {
	lowest, highest := int(ratings[0].elo), int(ratings[len(ratings)-1].elo)
	return strength{
		level: o.SkillLevel,
		limit: options.NewCheck(o.Set, options.Decl{UCI: "UCI_LimitStrength", Games: []string{name},
			Help: "plays at the strength of `UCI_Elo`; `Skill Level` then has no effect"}, false),
		elo: options.NewSpin(o.Set, options.Decl{UCI: "UCI_Elo", Games: []string{name},
			Help:    "playing strength in Elo with `UCI_LimitStrength`",
			Details: "Measured against Stockfish; see [rating.md](rating.md#weaker-levels)"}, highest, lowest, highest),
	}
}

// value returns the strength that is set.
func (s *strength) value() alphabetagame.Strength {
	level := float64(s.level.Value())
	if s.limit.Value() {
		level = levelOf(float64(s.elo.Value()))
	}
	return alphabetagame.Strength{Level: level, Noise: noise}
}

// levelOf returns the level with that Elo.
func levelOf(elo float64) float64 {
	i := 1
	for i < len(ratings)-1 && ratings[i].elo < elo {
		i++
	}
	low, high := ratings[i-1], ratings[i]
	return low.level + (elo-low.elo)/(high.elo-low.elo)*(high.level-low.level)
}
