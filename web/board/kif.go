package board

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"trefoil/game"
)

// writerOf returns Record.Write for a format of shogi. The tags are Black and White, the players, and Result of a
// game that has not ended by rule: 1-0 or 0-1. The side to move has lost on time if the tag Termination says so,
// as in PGN, otherwise it resigns.
func writerOf(
	write func(w io.Writer, setup string, t *game.Tree) error,
) func(*View, *game.Tree, map[string]string) (string, error) {
	return func(v *View, t *game.Tree, tags map[string]string) (string, error) {
		finish(v, t, tags)
		var b strings.Builder
		err := write(&b, v.Setup, t)
		return b.String(), err
	}
}

// finish puts what is known of the players and the end of a game into its tree, in the words of KIF.
func finish(v *View, t *game.Tree, tags map[string]string) {
	main := t.Main()
	end := &t.Nodes[main[len(main)-1]].End
	winner, known := map[string]int{"1-0": 0, "0-1": 1}[tags["Result"]]
	switch {
	case v.Ended != nil:
		*end = endByRule(v)
	case !known:
	case winner != v.Side && tags["Termination"] == "time forfeit":
		*end = "切れ負け"
	case winner != v.Side:
		*end = "投了" // the side to move resigns
	case v.Declares:
		*end = "入玉勝ち"
	default: // no end of KIF says that the side resigns that is not to move
		*end = fmt.Sprintf("まで%d手で%sの勝ち", len(v.Played), [...]string{"先手", "後手"}[winner])
	}
	for _, player := range [][3]string{{"先手", "下手", tags["Black"]}, {"後手", "上手", tags["White"]}} {
		i := slices.IndexFunc(t.Headers, func(h [2]string) bool { return h[0] == player[0] || h[0] == player[1] })
		if i < 0 {
			t.Headers = append(t.Headers, [2]string{player[0], player[2]})
		} else if player[2] != "" {
			t.Headers[i][1] = player[2]
		}
	}
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
