package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/shogi"
	"trefoil/search"
)

// Start is the position that a game starts from: the usual one, or one of the
// 960 of Chess960 chosen by rng.
func Start(rng *rand.Rand, chess960 bool) (*chess.Position, error) {
	if !chess960 {
		return chess.ParseFEN(chess.StartFEN)
	}
	rank := shuffle(rng)
	return shuffled(rank, rank)
}

// shuffled is the start position with those back ranks.
func shuffled(white, black string) (*chess.Position, error) {
	p, err := chess.ParseFEN(black + "/pppppppp/8/8/8/8/PPPPPPPP/" + strings.ToUpper(white) +
		" w " + strings.ToUpper(rights(white)) + rights(black) + " - 0 1")
	if err == nil {
		p.SetChess960(true)
	}
	return p, err
}

// rights are the castling rights of a back rank in Shredder-FEN.
func rights(rank string) string {
	return string([]byte{'a' + byte(strings.LastIndexByte(rank, 'r')), 'a' + byte(strings.IndexByte(rank, 'r'))})
}

// shuffle is a back rank of Chess960, each of the 960 as likely: bishops on
// squares of both colours, then queen and knights anywhere, then the king
// between the rooks.
func shuffle(rng *rand.Rand) string {
	var rank [8]byte
	rank[2*rng.IntN(4)] = 'b'
	rank[2*rng.IntN(4)+1] = 'b'
	place := func(n int, piece byte) {
		for i := range rank {
			if rank[i] != 0 {
				continue
			}
			if n == 0 {
				rank[i] = piece
				return
			}
			n--
		}
	}
	place(rng.IntN(6), 'q')
	place(rng.IntN(5), 'n')
	place(rng.IntN(4), 'n')
	for _, piece := range "rkr" {
		place(0, byte(piece))
	}
	return string(rank[:])
}

// An Opening returns the position after that many random plies from the start position or, if one is wanted and the
// game has them, from a start position of double Chess960, in which the back ranks of both sides are shuffled.
type Opening func(rng *rand.Rand, chess960 bool, plies int) (Board, error)

// ChessOpening is the Opening of chess.
func ChessOpening(rng *rand.Rand, chess960 bool, plies int) (Board, error) {
	for {
		pos, err := Start(rng, false)
		if chess960 {
			pos, err = shuffled(shuffle(rng), shuffle(rng))
		}
		if err != nil {
			return nil, err
		}
		if board := Chess(pos); RandomMoves(rng, board, plies) {
			return board, nil
		}
	}
}

// ShogiOpening is the Opening of shogi.
func ShogiOpening(rng *rand.Rand, _ bool, plies int) (Board, error) {
	for {
		pos, err := shogi.ParseSFEN(shogi.StartSFEN)
		if err != nil {
			return nil, err
		}
		if board := Shogi(pos); RandomMoves(rng, board, plies) {
			return board, nil
		}
	}
}

// tries is the number of openings that Balanced tries.
const tries = 1000

// Balanced returns the first opening that a search within limits values between -within and within
// centipawns. The caller has begun a new game, so that the choice does not depend on earlier ones.
func (p *Player) Balanced(ctx context.Context, limits search.Limits, within int,
	opening func() (Board, error)) (Board, error) {
	for range tries {
		pos, err := opening()
		if err != nil {
			return nil, err
		}
		line, err := p.Best(ctx, pos, limits)
		if err != nil {
			return nil, err
		}
		if abs(line.Value) <= within {
			return pos, nil
		}
	}
	return nil, fmt.Errorf("none of %d random openings has a value within %d", tries, within)
}

// RandomMoves plays random legal moves, and reports whether the game is not over after them.
func RandomMoves(rng *rand.Rand, p Board, plies int) bool {
	var l game.List
	for range plies {
		l.Reset()
		p.Moves(game.All, &l)
		if l.Len() == 0 {
			return false
		}
		p.Make(l.At(rng.IntN(l.Len())))
	}
	l.Reset()
	p.Moves(game.All, &l)
	_, over := p.Adjudicate(0)
	return l.Len() > 0 && !over
}
