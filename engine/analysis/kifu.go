package analysis

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"trefoil/game/shogi/kifu"
	"trefoil/search"
)

var (
	kifFormat = kifuFormat(kifu.KIF, Format{Name: "kif", Extensions: []string{".kif", ".kifu"},
		Check: looksLike("KIF", kifBeginnings...)})
	csaFormat = kifuFormat(kifu.CSA, Format{Name: "csa", Extensions: []string{".csa"},
		Check: looksLike("CSA", "V", "'", "N+", "N-", "$", "PI", "P1", "P+", "P-", "+", "-")})
	ki2Format = kifuFormat(kifu.KIF, Format{Name: "ki2", Extensions: []string{".ki2", ".ki2u"},
		Check: kifFormat.Check, Written: &kifFormat})
	jkfFormat = kifuFormat(kifu.JKF, Format{Name: "jkf", Extensions: []string{".jkf"},
		Check: matches("JKF", `\{\s*"`), Written: &kifFormat})
	usiFormat = kifuFormat(kifu.USI, Format{Name: "usi", Extensions: []string{".usi"},
		Check:   matches("USI", `(position\s+)?(startpos|sfen)\b|`+sfenRow+`(/`+sfenRow+`){8} [bw]\s`),
		Written: &kifFormat})
)

// kifuFormat completes a format that package kifu reads.
func kifuFormat(read kifu.Format, f Format) Format {
	f.Variant = "shogi"
	f.Open = func(in io.Reader) func() (Record, error) { return openKifu(in, read) }
	f.Contents = func(in io.Reader) func() (Entry, error) { return kifuContents(in, read) }
	return f
}

// sfenRow is a rank of an sfen.
const sfenRow = `[1-9PLNSGBRK+plnsgbrk]+`

// kifBeginnings are #, ▲, and headers with which files begin, the latter in Shift_JIS too.
var kifBeginnings = []string{"#", "▲", "\x81\xa3",
	"手合割", "\x8e\xe8\x8d\x87\x8a\x84", "開始日時", "\x8a\x4a\x8e\x6e\x93\xfa\x8e\x9e", "棋戦", "\x8a\xfb\x90\xed",
	"先手", "\x90\xe6\x8e\xe8", "後手", "\x8c\xe3\x8e\xe8", "下手", "\x89\xba\x8e\xe8", "上手", "\x8f\xe3\x8e\xe8",
	"対局", "\x91\xce\x8b\xc7", "表題", "\x95\x5c\x91\xe8"}

func openKifu(in io.Reader, format kifu.Format) func() (Record, error) {
	return records[*kifu.Error](kifu.NewReader(in, format).Next, func(g *kifu.Game) Record { return kifuRecord{g} })
}

// shogiScale is the curve and the first thresholds of ShogiHome, by default.
var shogiScale = Scale{Spread: 600, Thresholds: [3]float64{0.05, 0.10, 0.20}}

// kifuRecord is a game of shogi.
type kifuRecord struct{ *kifuGame }

type kifuGame = kifu.Game // as pgnGame

func (k kifuRecord) Scale() Scale     { return shogiScale }
func (k kifuRecord) Sides() [2]string { return [2]string{"Black", "White"} }

func (k kifuRecord) Title() string {
	title := ""
	for side, name := range k.Names {
		title += [...]string{"", " - "}[side] + cmp.Or(name, "?")
	}
	return strings.TrimSpace(title + " " + k.End)
}

func (k kifuRecord) Game() Game {
	return Game{Setup: k.Setup, First: int(k.Side(0)), Moves: k.Moves, Drawn: k.Drawn}
}

func (k kifuRecord) MoveText(i int) string {
	return fmt.Sprintf("%d %s", i+1, k.LineText(i, k.Moves[i:i+1]))
}

func (k kifuRecord) LineText(i int, line []string) string { return k.Line(i, line, maxLine) }

// kifuMarks are the words of ShogiHome for bad moves.
var kifuMarks = map[Mark]string{Inaccuracy: "緩手", Mistake: "疑問手", Blunder: "悪手"}

// Beginnings of the lines that Annotate writes.
const (
	kifuAnalysis = "*解析 "
	kifuMate     = "#詰み="
)

// mateValue stands for a mate where a number is needed, as in ShogiHome.
const mateValue = 30000

// Annotate writes the score of each position and its best line as ShogiGUI does, in place of existing ones,
// and a line about each move that lost much.
func (k kifuRecord) Annotate(r *Report, _ string) {
	k.RemoveComments(func(line string) bool {
		for _, mark := range kifuMarks {
			if strings.HasPrefix(line, "【"+mark+"】") {
				return true
			}
		}
		return strings.HasPrefix(line, kifuAnalysis) || strings.HasPrefix(line, kifuMate)
	})
	for i := range r.Positions {
		if i > 0 {
			if l := r.Loss(i - 1); l.Mark > None {
				k.Comment(i, fmt.Sprintf("【%s】期待勝率 -%.0f%% 最善手 %s", kifuMarks[l.Mark], 100*l.Expected,
					k.LineText(i-1, r.Positions[i-1].Line[:1])))
			}
		}
		p := &r.Positions[i]
		black := r.Side(i) == 0
		if p.Score.Mate && len(p.Line) > 0 {
			k.Comment(i, mateText(p.Score, black))
		}
		if text := k.LineText(i, p.Line); text != "" {
			k.Comment(i, fmt.Sprintf("%s深さ %d ノード数 %d 評価値 %d 読み筋 %s", kifuAnalysis, p.Depth, p.Nodes,
				forBlack(p.Score, black), text))
		}
	}
}

// forBlack is a score as a number, for Black.
func forBlack(s search.Score, blackToMove bool) int {
	value := s.Centipawns
	if s.Mate {
		value = int(math.Copysign(mateValue, float64(s.Plies)))
	}
	if !blackToMove {
		value = -value
	}
	return value
}

// mateText says who mates in how many plies, as ShogiHome does.
func mateText(s search.Score, blackToMove bool) string {
	winner := "先手勝ち"
	if (s.Plies > 0) != blackToMove {
		winner = "後手勝ち"
	}
	return fmt.Sprintf("%s%s:%d手", kifuMate, winner, max(s.Plies, -s.Plies))
}
