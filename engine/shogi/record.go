package shogi

import (
	"strings"

	"trefoil/engine/registry"
	"trefoil/game/shogi/kifu"
)

// writeKIF is registry.Record.Write. The tags are Black and White, the players, and Result of a game that has not ended by
// rule: 1-0 or 0-1, by resignation.
func writeKIF(v *registry.View, tags map[string]string) (string, error) {
	end := ""
	switch {
	case v.Ended == nil && (tags["Result"] == "1-0" || tags["Result"] == "0-1"):
		end = "投了"
	case v.Ended == nil:
	case v.Ended.Winner == registry.Drawn:
		end = "千日手"
	case len(v.Legal) == 0:
		end = "詰み"
	case v.Ended.Winner == v.Side: // the opponent has given perpetual check
		end = "反則勝ち"
	default:
		end = "反則負け"
	}
	moves := make([]string, len(v.Played))
	for i, m := range v.Played {
		moves[i] = m.Move
	}
	var b strings.Builder
	err := kifu.Write(&b, v.Setup, moves, [2]string{tags["Black"], tags["White"]}, end)
	return b.String(), err
}
