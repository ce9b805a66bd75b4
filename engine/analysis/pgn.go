package analysis

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"trefoil/game/chess/pgn"
	"trefoil/search"
)

var pgnFormat = Format{Name: "pgn", Extensions: []string{".pgn"}, Variant: "chess", Check: looksLike("PGN", "["),
	Open: openPGN, Contents: pgnContents}

func openPGN(in io.Reader) func() (Record, error) {
	return records[*pgn.Error](pgn.NewReader(in).Next, func(g *pgn.Game) Record { return pgnRecord{g} })
}

// records returns a function that reads the next game. An error of the type E is about this game alone.
func records[E error, G any](next func() (*G, error), record func(*G) Record) func() (Record, error) {
	return func() (Record, error) {
		g, err := next()
		if _, ok := errors.AsType[E](err); ok {
			err = &RecordError{err}
		}
		if g == nil {
			return nil, err
		}
		return record(g), err
	}
}

// chessScale is the curve and the thresholds of lichess, which states them for winning chances from
// -1 to 1 (https://lichess.org/page/accuracy, lila's Advice.scala).
var chessScale = Scale{Spread: 1 / 0.00368208, Thresholds: [3]float64{0.05, 0.10, 0.15}}

// pgnRecord is a game of chess.
type pgnRecord struct{ *pgnGame }

type pgnGame = pgn.Game // so that the field and the method Game have two names

func (p pgnRecord) Scale() Scale     { return chessScale }
func (p pgnRecord) Sides() [2]string { return [2]string{"White", "Black"} }
func (p pgnRecord) Title() string    { return fmt.Sprintf("%s %s", p.Players(), p.Result) }

func (p pgnRecord) Game() Game {
	// The moves are compared with moves of the engine, whose UCI_Chess960 is off.
	g := Game{Setup: p.Setup, Moves: p.UCIMoves(false), Drawn: p.Result == "1/2-1/2" && p.Drawn()}
	if !p.White(0) {
		g.First = 1
	}
	return g
}

func (p pgnRecord) MoveText(i int) string { return p.MoveNumber(i) + " " + p.Moves[i].SAN }

func (p pgnRecord) LineText(i int, line []string) string { return p.Variation(i, line, maxLine) }

// maxLine is how many moves of a best line are written.
const maxLine = 12

// evaluation is a score in a comment.
var evaluation = regexp.MustCompile(`\s*\[%eval [^\]]*\]\s*`)

// marks are the numbers that PGN has for marks.
var marks = map[Mark]int{Inaccuracy: 6, Mistake: 2, Blunder: 4}

// Annotate writes the score after each move as lichess does, in place of one that is there. A marked
// move gets ?!, ? or ?? unless it is judged already, and the best line as a variation.
func (p pgnRecord) Annotate(r *Report, program string) {
	for i := range p.Moves {
		m := &p.Moves[i]
		for n, c := range m.Comments {
			m.Comments[n] = strings.TrimSpace(evaluation.ReplaceAllString(c, " "))
		}
		m.Comments = slices.DeleteFunc(m.Comments, func(c string) bool { return c == "" })
		if after := &r.Positions[i+1]; len(after.Line) > 0 || !after.Score.Mate {
			text := "[%eval " + evalText(after.Score, p.White(i+1)) + "]"
			if len(m.Comments) > 0 {
				m.Comments[0] = text + " " + m.Comments[0]
			} else {
				m.Comments = []string{text}
			}
		}
		mark := r.Loss(i).Mark
		if mark == None {
			continue
		}
		if !slices.ContainsFunc(m.Marks, func(n int) bool { return n >= 1 && n <= 6 }) {
			m.Marks = append([]int{marks[mark]}, m.Marks...)
		}
		if best := p.LineText(i, r.Positions[i].Line); !slices.Contains(m.Variations, best) {
			m.Variations = append(m.Variations, best)
		}
	}
	if p.Tag("Annotator") == "" {
		p.Tags = append(p.Tags, pgn.Tag{Name: "Annotator", Value: program})
	}
}

// evalText is a score in pawns, or #N for a mate in N moves, for White.
func evalText(s search.Score, whiteToMove bool) string {
	sign := 1
	if !whiteToMove {
		sign = -1
	}
	if !s.Mate {
		return fmt.Sprintf("%.2f", float64(sign*s.Centipawns)/100)
	}
	if s.Plies <= 0 {
		sign, s.Plies = -sign, -s.Plies
	}
	return fmt.Sprintf("#%d", sign*((s.Plies+1)/2))
}
