package chess

import (
	"trefoil/engine/alphabetagame"
	"trefoil/engine/config"
	rules "trefoil/game/chess"
	"trefoil/options"
)

// noise is alphabetagame.Strength.Noise of chess.
const noise = 400

// ratings are the Elo of some levels by the games in docs/rating.md. Between two of them Elo grows evenly with
// the level.
var ratings = []struct{ elo, level float64 }{{600, -7}, {785, -4}, {950, -2}, {1200, 0}, {1435, 4}, {1560, 5},
	{2045, 8}, {2315, 10}, {2510, 12}, {2690, 14}}

// loneKing is the level at which levels from 0 on mate a lone king, without errors: players of that strength
// have learned how.
const loneKing = 14

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

// value returns the strength that is set, in pos.
func (s *strength) value(pos *rules.Position) alphabetagame.Strength {
	level := float64(s.level.Value())
	if s.limit.Value() {
		level = levelOf(float64(s.elo.Value()))
	}
	return strengthIn(pos, level)
}

// strengthIn is the strength of a level in pos.
func strengthIn(pos *rules.Position, level float64) alphabetagame.Strength {
	if them := rules.Colour(pos.Side() ^ 1); level >= 0 && pos.Colour(them) == pos.Pieces(them, rules.King) {
		return alphabetagame.Strength{Level: max(level, loneKing)}
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
