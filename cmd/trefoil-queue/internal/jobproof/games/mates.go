package games

import (
	"fmt"
	"strconv"
	"strings"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/game"
	"trefoil/game/certificate"
	"trefoil/game/chess"
	"trefoil/game/shogi"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
	"trefoil/search/proof/shogigoal"
)

// Chess returns mates of chess. A problem is a FEN or EPD, whose operation `bm #N` or `dm N` asks for a
// mate within N moves, by the opponent if N is negative. Without it a mate by the side to move within
// chessgoal.MaxMoves moves is asked for.
func Chess() jobproof.Game {
	return mates{
		name: "chess", convention: "mates within a number of moves; trefoil chess claim", sides: [2]string{"white", "black"},
		most: chessgoal.MaxMoves,
		samples: []string{
			"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - dm 40",
			"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - dm 40",
			"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - dm -40", "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - dm 20",
			"3k4/8/8/8/8/8/2Q1R3/4K3 w - - 80 100 dm 20",
		},
		read: func(text string) (string, int, string, error) {
			p, operations, _, err := chess.ReadEPD(text)
			if err != nil {
				return "", 0, "", err
			}
			return p.FEN(), p.Side(), operations, nil
		},
		play: func(text, moves string) (position, error) {
			return playAll(chess.ParseFEN, (*chess.Position).FEN, text, moves)
		},
		goal: func(p position, attacker, moves int) mateGoal {
			return chessgoal.New(p.(*chess.Position), chess.Colour(attacker), moves)
		},
		claim: func(p position, moves int, s mate.Strategy) certificate.Proof {
			return certificate.ChessMate(p.(*chess.Position), moves, mate.Mover(s, (*chess.Position).Rule50))
		},
	}
}

// Shogi returns mates of shogi with checks only. A problem is an SFEN, behind which `dm N` asks for a mate
// within N moves of the attacker, that is 2N-1 plies. Without it any mate is asked for.
func Shogi() jobproof.Game {
	return mates{
		name: "shogi", convention: "mates by checks; trefoil shogi claim", sides: [2]string{"black", "white"},
		most: mate.Endless,
		samples: []string{
			"lns1kgsnl/1r2g2b1/p1pppp1pp/4s1p2/2K6/1P2P2PP/P1PP1PP2/1+r1+nG2S1/L6NL w Pbg 58",
			"l1+R6/3g4+B/ppnks4/5p2P/P1Gp5/4P4/1PP1G4/2K6/LN1P3+p1 b RG2S4Pbs2n2l3p 121 dm 7",
			"1n4Gnl/2s1g4/3pppksp/L1p3n2/5r2P/p5np1/2PPGP1bL/1+l2KS3/7g1 w B2Prs5p 112",
			"1ns3p1l/4+R3p/2kg5/LNpps+b2P/1G5pK/4PP1r1/1+b1P2PP1/1+p2+s1g2/4g2NL w L4Psn2p 116",
			"l1+P6/4g2+R1/n2pp4/p1p2pk2/3S5/PRP4S1/4PP+pP1/3GG4/b3K2N1 b BG2SN2L4Pnl2p 113 dm 9",
			"4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
		},
		read: func(text string) (string, int, string, error) {
			text, operations := shogi.CutOperations(text)
			p, err := shogi.ParseCrowded(text)
			if err != nil {
				return "", 0, "", err
			}
			return p.SFEN(), p.Side(), operations, nil
		},
		play: func(text, moves string) (position, error) {
			return playAll(shogi.ParseCrowded, (*shogi.Position).SFEN, text, moves)
		},
		goal: func(p position, attacker, moves int) mateGoal {
			return shogigoal.New(p.(*shogi.Position), shogi.Colour(attacker), moves)
		},
		claim: func(p position, moves int, s mate.Strategy) certificate.Proof {
			return certificate.ShogiMate(p.(*shogi.Position), moves, mate.Mover[*shogi.Position](s, nil))
		},
	}
}

// mateGoal is a goal of either game.
type mateGoal interface {
	mate.Goal
	Text(game.Move) string
}

// mates is a game whose problems are mates.
type mates struct {
	name, convention string
	sides            [2]string // names, by colour
	most             int       // moves without another limit
	samples          []string
	// read returns a position written out in full, its side to move, and the operations behind it.
	read func(text string) (position string, side int, operations string, err error)
	// play returns the position after some moves, without the moves.
	play func(position, moves string) (position, error)
	goal func(p position, attacker, moves int) mateGoal
	// claim returns a proof that the side to move mates, or its opponent if the number is negative.
	claim func(p position, moves int, s mate.Strategy) certificate.Proof
}

func (m mates) Name() string { return m.name }

func (m mates) Convention() string { return m.convention }

func (m mates) Samples() []string { return m.samples }

// Problem returns the goal that a side mates. The value is for the side to move.
func (m mates) Problem(text string) (p jobproof.Problem, err error) {
	position, side, operations, err := m.read(text)
	if err != nil {
		return p, err
	}
	moves, err := chess.StatedMoves(operations)
	if err != nil {
		return p, err
	}
	word, length := "mate", moves
	if moves < 0 {
		word, side, length = "mated", 1-side, -moves
	}
	if length == 0 {
		length = m.most
	}
	if length > m.most {
		return p, fmt.Errorf("a mate in %d moves: the most is %d", length, m.most)
	}
	goal, within, mates := m.sides[side]+" mates", "", word
	if length != mate.Endless {
		within = fmt.Sprintf(" in %d", length)
		goal += " within " + strconv.Itoa(length)
	}
	if moves != 0 {
		mates += within
		p.Stated = mates
	}
	p.Goals, p.Values = []string{goal + ": " + position}, []string{mates, "no " + word + within}
	return p, nil
}

// Goal reads SIDE mates: POSITION or SIDE mates within N: POSITION.
func (m mates) Goal(text string) (func() jobproof.Goal, error) {
	position, attacker, moves, err := m.parse(text)
	if err != nil {
		return nil, err
	}
	p, err := m.play(position, "")
	return func() jobproof.Goal { return m.goal(p, attacker, moves) }, err
}

// parse returns what the text of a goal says.
func (m mates) parse(text string) (position string, attacker, moves int, err error) {
	head, position, _ := strings.Cut(text, ": ")
	words := strings.Fields(head)
	moves = m.most
	switch {
	case len(words) == 2 && m.most == mate.Endless:
	case len(words) == 4 && words[2] == "within":
		if moves, err = strconv.Atoi(words[3]); err != nil || moves < 1 || moves > m.most {
			return "", 0, 0, fmt.Errorf("%.20q is not a number of moves", words[3])
		}
	default:
		return "", 0, 0, fmt.Errorf("%.60q is not of the form SIDE mates within N: POSITION", text)
	}
	for attacker, side := range m.sides {
		if words[0] == side && words[1] == "mates" {
			return position, attacker, moves, nil
		}
	}
	return "", 0, 0, fmt.Errorf("%.60q does not begin with a side that mates", text)
}
