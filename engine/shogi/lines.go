package shogi

import (
	"slices"

	rules "trefoil/game/shogi"
)

// repetitionWords are the words with which YaneuraOu ends a line.
var repetitionWords = [...]string{
	rules.RepetitionDraw: "rep_draw", rules.RepetitionWin: "rep_win", rules.RepetitionLoss: "rep_lose",
	rules.RepetitionSuperior: "rep_sup", rules.RepetitionInferior: "rep_inf",
}

// isRepetition reports whether a word of a line is not a move but one of repetitionWords.
func isRepetition(word string) bool { return slices.Contains(repetitionWords[:], word) }

// withRepetition ends a line where a position repeats, with the word for what that means to the side to move.
func (p *player) withRepetition(line []string) []string {
	pos := p.pos.Copy()
	for i, text := range line {
		m, err := pos.ParseMove(text)
		if err != nil {
			break
		}
		pos.Make(m)
		if r := pos.Repeats(i + 1); r != rules.RepetitionNone {
			return append(line[:i+1:i+1], repetitionWords[r])
		}
	}
	return line
}
