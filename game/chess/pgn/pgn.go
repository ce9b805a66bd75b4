// Package pgn reads and writes games of chess in PGN, one at a time, so a file may have any size.
//
//	Reader ── lexer ── tags, comments, variations ─────────────┐
//	                └─ a word ── legal moves of package chess ──┴──▶ Game ── WriteTo
//
// Games of Chess960 are read too. Everything but the moves is kept as it is: tags, comments, variations, marks.
package pgn

import (
	"fmt"
	"strconv"
	"strings"

	rules "trefoil/game/chess"
)

// Game is a game of a file.
type Game struct {
	Number int // in the file, from 1
	Tags   []Tag
	Setup  string   // the first position as FEN
	Before []string // comments before the first move
	Moves  []Move
	Result string // 1-0, 0-1, 1/2-1/2 or *
}

// Tag is a tag pair.
type Tag struct{ Name, Value string }

// Move is a move with what follows it.
type Move struct {
	SAN        string   // in short algebraic notation
	UCI        string   // as the engine reads it
	Marks      []int    // numeric annotation glyphs, such as 4 for ??
	Comments   []string // without braces
	Variations []string // without the outer parentheses
}

// Tag returns the value of the tag of that name, "" if there is none.
func (g *Game) Tag(name string) string {
	for _, t := range g.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value
		}
	}
	return ""
}

// Players names the players, as far as the tags do.
func (g *Game) Players() string {
	name := func(tag string) string {
		if v := g.Tag(tag); v != "" {
			return v
		}
		return "?"
	}
	return name("White") + " - " + name("Black")
}

// Positions returns the positions of the game as FEN, the first one included.
func (g *Game) Positions() (fens []string) {
	p := g.start()
	fens = append(fens, p.FEN())
	for _, m := range g.Moves {
		play(p, m.UCI)
		fens = append(fens, p.FEN())
	}
	return fens
}

// UCIMoves returns the moves as an engine writes them whose option UCI_Chess960 is on or off: castling as king takes
// rook, or from the e-file as the king's step.
func (g *Game) UCIMoves(chess960 bool) (moves []string) {
	p := g.start()
	p.SetChess960(chess960)
	for _, m := range g.Moves {
		play(p, m.UCI)
		moves = append(moves, p.Text(p.LastMove()))
	}
	return moves
}

// Drawn reports whether the last position is drawn by the third occurrence, fifty moves or too
// little material.
func (g *Game) Drawn() bool {
	p := g.start()
	for _, m := range g.Moves {
		play(p, m.UCI)
	}
	_, drawn := p.Adjudicate(0)
	return drawn
}

// start is the first position, by the rules of package chess.
func (g *Game) start() *rules.Position {
	p, err := rules.ParseFEN(g.Setup)
	if err != nil {
		panic(fmt.Sprintf("pgn: %v", err)) // Reader.Next has read it
	}
	return p
}

// play makes a move that is legal.
func play(p *rules.Position, uci string) {
	m, err := p.ParseMove(uci)
	if err != nil {
		panic(fmt.Sprintf("pgn: %v", err)) // Reader.Next has played it
	}
	p.Make(m)
}

// MoveNumber returns the number before move i, such as "12." or "12...".
func (g *Game) MoveNumber(i int) string {
	dots := "."
	if !g.White(i) {
		dots = "..."
	}
	return strconv.Itoa(g.ply(i)/2+1) + dots
}

// White reports whether White makes move i.
func (g *Game) White(i int) bool { return g.ply(i)%2 == 0 }

// ply counts plies from the first move of White with number 1.
func (g *Game) ply(i int) int {
	number, black := firstNumber(g.Setup)
	i += 2 * (number - 1)
	if black {
		i++
	}
	return i
}

// firstNumber returns the number of the first move of a FEN, and whether Black makes it.
func firstNumber(fen string) (number int, black bool) {
	words := strings.Fields(fen)
	number, err := strconv.Atoi(words[len(words)-1])
	if err != nil || number < 1 {
		number = 1
	}
	return number, words[1] == "b"
}

// Variation writes a line of moves in UCI's notation from the position before move i, as far as
// they are legal, with at most limit moves. i may be the number of moves.
func (g *Game) Variation(i int, line []string, limit int) string {
	p := g.start()
	for _, m := range g.Moves[:i] {
		play(p, m.UCI)
	}
	var text []string
	for n, uci := range line[:min(limit, len(line))] {
		m, err := p.ParseMove(uci)
		if err != nil {
			break
		}
		if n == 0 || g.White(i+n) {
			text = append(text, g.MoveNumber(i+n))
		}
		text = append(text, p.SAN(m))
		p.Make(m)
	}
	return strings.Join(text, " ")
}
