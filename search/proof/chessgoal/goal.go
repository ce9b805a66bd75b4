// Package chessgoal defines mates in chess as goals of search/proof: keys, initial proof numbers,
// and results without a search.
package chessgoal

import (
	"slices"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/search/proof"
	"trefoil/zobrist"
)

// A Goal is that one side, the attacker, mates within a number of its moves. A failure within n
// moves says nothing about n+1, so the moves left are part of the key, with all else that a mate in
// time depends on:
//
//   - the attacker;
//   - the count of reversible plies, where the fifty-move rule could end the game before the
//     moves are used up;
//   - the positions that have occurred twice already, if any can still be repeated: the third
//     time the game is drawn.
//
// Repetitions below the root need no test. They do not help the attacker, which mates from the
// first occurrence at least as soon as from the second; and the defender cannot repeat a position
// against the shortest mate, as every move brings the mate nearer. So results do not depend on the
// path (there is no graph-history interaction), and the graph of positions with moves left has no
// cycles.
//
// A Goal belongs to one goroutine.
type Goal struct {
	p        *chess.Position
	attacker chess.Colour
	left     int         // moves that the attacker may still make
	root     int         // plies before the root
	twice    []uint64    // keys of positions that have occurred twice
	tag      uint64      // key of twice
	only     []game.Move // at the root, nil: all
	onlyTag  uint64      // key of only
	ending   *ending     // that the root is one of, nil: none
	moves    game.List
	inner    game.List
}

// MaxMoves is the largest limit on the moves of a Goal.
const MaxMoves = 250

// words are the key words of the goal, which are XORed with the key of the position.
var words struct {
	left     [MaxMoves + 1]uint64
	attacker [2]uint64
	half     [102]uint64
}

func init() {
	src := zobrist.NewSource("trefoil chess claim") // the text is part of all keys
	src.Fill(words.left[:])
	src.Fill(words.attacker[:])
	src.Fill(words.half[:])
}

// New returns the goal that a side mates within a number of its moves, at most MaxMoves.
// The position and its history are copied.
func New(p *chess.Position, attacker chess.Colour, moves int) *Goal {
	g := &Goal{p: p.Copy(), attacker: attacker, left: min(moves, MaxMoves), root: p.Played()}
	count := map[uint64]int{p.Key(): 1}
	for _, key := range p.RepeatableKeys() {
		if count[key]++; count[key] == 2 {
			g.twice = append(g.twice, key)
			g.tag ^= zobrist.Mix(key)
		}
	}
	g.ending, _ = endingOf(p, attacker)
	return g
}

// Attacker returns the side to move, or its opponent.
func Attacker(p *chess.Position, opponent bool) chess.Colour {
	side := chess.Colour(p.Side())
	if opponent {
		return side.Other()
	}
	return side
}

// Only restricts the root to these moves, at least one and all legal; nil means all moves.
func (g *Goal) Only(moves []game.Move) {
	g.only, g.onlyTag = moves, 0
	for _, m := range moves {
		g.onlyTag ^= zobrist.Mix(uint64(m.Move16()))
	}
}

// restricted reports whether only some moves are considered here.
func (g *Goal) restricted() bool { return g.only != nil && g.p.Played() == g.root }

// PositionKey returns the key of the position, whatever the moves left.
func (g *Goal) PositionKey() uint64 {
	if g.restricted() {
		return g.p.Key() ^ g.onlyTag
	}
	return g.p.Key()
}

// Clock returns the plies since the last capture or pawn move.
func (g *Goal) Clock() int { return g.p.Rule50() }

// Left returns the number of moves that the attacker may still make.
func (g *Goal) Left() int { return g.left }

// SetLeft changes the number of moves that the attacker may still make.
func (g *Goal) SetLeft(moves int) { g.left = moves }

// SetRoot does nothing: no result depends on the path.
func (g *Goal) SetRoot() {}

// Attacking reports whether the attacker is to move.
func (g *Goal) Attacking() bool { return g.p.Side() == int(g.attacker) }

// Key returns the key of position and goal.
func (g *Goal) Key() uint64 {
	key := g.PositionKey() ^ words.left[g.left] ^ words.attacker[g.attacker] ^ g.tag
	plies := 2 * g.left
	if g.Attacking() {
		plies--
	}
	if n := g.p.Rule50(); n+plies > 100 {
		key ^= words.half[min(n, 101)]
	}
	return key
}

// Make plays a move of Expand.
func (g *Goal) Make(m game.Move) {
	if g.Attacking() {
		g.left--
	}
	g.p.Make(m)
}

// Undo takes the last move back.
func (g *Goal) Undo() {
	g.p.Undo()
	if g.Attacking() {
		g.left++
	}
}

// Move16 returns the 16 bits of a move for the table.
func (g *Goal) Move16(m game.Move) uint16 { return m.Move16() }

// FromMove16 returns the legal move with these 16 bits, or None.
func (g *Goal) FromMove16(m16 uint16) game.Move {
	m, ok := g.p.FromMove16(m16)
	if !ok {
		return game.None
	}
	return m
}

// Text writes a move in the notation of the game.
func (g *Goal) Text(m game.Move) string { return g.p.Text(m) }

// Drawn reports whether the game is over without a mate: by stalemate, insufficient material,
// fifty moves without a capture or pawn move, or a third occurrence of the position.
func (g *Goal) Drawn() bool {
	p := g.p
	if p.MoveCount() == 0 {
		return !p.InCheck()
	}
	return p.Rule50() >= 100 || p.InsufficientMaterial() || p.Occurrences() > 2
}

// Mated reports whether the side to move is mated.
func (g *Goal) Mated() bool { return g.p.Mated() }

// drawn reports whether the attacker cannot mate from the present position, which has a legal move: by the
// fifty-move rule, as it repeats a position that has occurred twice when the search begins, by insufficient
// material, or as the attacker has only its king.
func (g *Goal) drawn() bool {
	p := g.p
	if p.Rule50() >= 100 {
		return true
	}
	if p.Played() > g.root && g.repeatable() && slices.Contains(g.twice, p.Key()) {
		return true
	}
	return p.InsufficientMaterial() || !p.Colour(g.attacker).Many()
}

// repeatable reports whether a position that has occurred twice when the search begins can still be repeated.
func (g *Goal) repeatable() bool { return g.twice != nil && g.p.Rule50() >= g.p.Played()-g.root }

// Evaluate fills in what is known of the position without a search.
func (g *Goal) Evaluate(s *proof.Child) {
	s.Key = g.Key()
	if !g.Attacking() {
		switch n, escapes := g.p.MoveCounts(); {
		case n == 0 && g.p.InCheck():
			s.Lose()
		case n == 0 || g.left == 0 || g.drawn():
			s.Win()
		default:
			g.initDefence(s, g.p.LastMove(), n, escapes)
		}
		return
	}
	g.evaluateAttack(s)
}

// Expand appends the moves that matter: of the attacker's one that mates, else all; of the
// defender's one after which the attacker is known to fail, else all.
func (g *Goal) Expand(to []proof.Child, table proof.Prefetcher) []proof.Child {
	g.moves.Reset()
	g.p.Moves(game.All, &g.moves)
	if g.restricted() {
		g.moves.Reset()
		for _, m := range g.only {
			g.moves.Add(m)
		}
	}
	if g.Attacking() {
		return g.attacks(to, table)
	}
	return g.defences(to, table)
}

// attacks is Expand for the attacker.
func (g *Goal) attacks(to []proof.Child, table proof.Prefetcher) []proof.Child {
	from := len(to)
	if g.left == 0 {
		return to
	}
	if next, ok := g.endingMove(); ok {
		return append(to, next)
	}
	for _, m := range g.moves.All() {
		next := proof.Child{Move: m}
		g.Make(m)
		switch n, escapes := g.p.MoveCounts(); {
		case n == 0 && g.p.InCheck():
			g.Undo()
			next.Lose()
			return append(to[:from], next)
		case n == 0:
			next.Win()
		case g.left == 0 || g.drawn():
			next.Key = g.Key()
			next.Win()
		default:
			next.Key = g.Key()
			table.Prefetch(next.Key)
			g.initDefence(&next, m, n, escapes)
		}
		g.Undo()
		to = append(to, next)
	}
	return to
}

// defences is Expand for the defender.
func (g *Goal) defences(to []proof.Child, table proof.Prefetcher) []proof.Child {
	from := len(to)
	for _, m := range g.moves.All() {
		next := proof.Child{Move: m}
		g.Make(m)
		next.Key = g.Key()
		g.evaluateAttack(&next)
		g.Undo()
		if next.Delta == 0 {
			return append(to[:from], next)
		}
		if next.Phi != 0 {
			table.Prefetch(next.Key)
		}
		to = append(to, next)
	}
	return to
}

// evaluateAttack fills in the numbers of a position of the attacker.
func (g *Goal) evaluateAttack(s *proof.Child) {
	p := g.p
	if g.left == 0 || (p.Rule50() >= 100 || g.twice != nil || p.InsufficientMaterial()) &&
		p.Played() > g.root && g.drawn() {
		s.Lose()
		return
	}
	if g.solveEnding(s) {
		return
	}
	escapes := p.EscapeSquares(g.attacker.Other())
	if g.restricted() {
		g.initAttack(s, p.LastMove(), 0, escapes.Count())
		return
	}
	mate, checks := p.MateInOne(escapes, &g.inner)
	switch {
	case mate != game.None:
		s.Win()
	case g.left == 1:
		s.Lose()
	default:
		g.initAttack(s, p.LastMove(), checks, escapes.Count())
	}
}
