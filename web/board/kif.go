package board

import (
	"fmt"
	"strings"

	"trefoil/game/shogi/kifu"
)

// writeKIF is Record.Write. The tags are Black and White, the players, and Result of a game that
// has not ended by rule: 1-0 or 0-1. The side to move has lost on time if the tag Termination says so, as
// in PGN, otherwise it resigns.
func writeKIF(v *View, tags map[string]string) (string, error) {
	winner, known := map[string]int{"1-0": 0, "0-1": 1}[tags["Result"]]
	end, summary := "", ""
	switch {
	case v.Ended != nil:
		end = endByRule(v)
	case !known:
	case winner != v.Side && tags["Termination"] == "time forfeit":
		end = "切れ負け"
	case winner != v.Side:
		end = "投了" // the side to move resigns
	case v.Declares:
		end = "入玉勝ち"
	default: // no end of KIF says that the side resigns that is not to move
		summary = fmt.Sprintf("まで%d手で%sの勝ち\n", len(v.Played), [...]string{"先手", "後手"}[winner])
	}
	moves := make([]string, len(v.Played))
	for i, m := range v.Played {
		moves[i] = m.Move
	}
	var b strings.Builder
	err := kifu.Write(&b, v.Setup, moves, [2]string{tags["Black"], tags["White"]}, end)
	return b.String() + summary, err
}

// endByRule is how a game ended, for the side to move.
func endByRule(v *View) string {
	switch {
	case v.Ended.Winner == Drawn:
		return "千日手"
	case len(v.Legal) == 0:
		return "詰み"
	case v.Ended.Winner == v.Side: // the opponent has given perpetual check
		return "反則勝ち"
	}
	return "反則負け"
}
