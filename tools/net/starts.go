package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"

	"trefoil/game"
	"trefoil/tools/internal/selfplay"
)

// mostPieces is the greatest number of pieces in a position of any game, the stones of Ultimate Tic-Tac-Toe.
const mostPieces = 81

// starts are games from whose positions other games start.
type starts struct {
	game   *subject
	pieces int // a start position has at most that many
	games  [][]byte
	sum    uint32 // checksum of the games
}

// readStarts reads the games of files.
func readStarts(g *subject, pieces int, files []string) (*starts, error) {
	s := &starts{game: g, pieces: pieces}
	for _, file := range files {
		_, err := eachGame(file, g, func(_ int, data []byte) error {
			s.games = append(s.games, bytes.Clone(data))
			s.sum = crc32.Update(s.sum, crc32.IEEETable, data)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(s.games) == 0 {
		return nil, fmt.Errorf("%s: no games", files[0])
	}
	return s, nil
}

// String describes the starts in a header.
func (s *starts) String() string {
	return fmt.Sprintf("positions of at most %d pieces of %d games, checksum %08x", s.pieces, len(s.games), s.sum)
}

// tries is the number of positions of which pick takes the first with few enough pieces.
const tries = 1000

// pick returns a random position of a random game, and how many plies of the game led to it.
func (s *starts) pick(rng *rand.Rand) (selfplay.Board, int, error) {
	rec, p := make([]byte, s.game.Bytes), positions{game: s.game}
	for range tries {
		data := s.games[rng.IntN(len(s.games))]
		scores, _, err := p.plies(data)
		if err != nil {
			return nil, 0, err
		}
		if len(scores) == 0 {
			continue
		}
		ply, at := 0, rng.IntN(len(scores))
		err = replay(s.game, data, func(pos selfplay.Board, _ game.Move, _, _ int) error {
			if ply++; ply <= at {
				return nil
			}
			s.game.put(rec, pos)
			return errPicked
		})
		if !errors.Is(err, errPicked) {
			return nil, 0, err
		}
		if s.game.pieces(rec) <= s.pieces {
			pos, err := s.game.get(rec)
			return pos, at, err
		}
	}
	return nil, 0, fmt.Errorf("none of %d positions has at most %d pieces", tries, s.pieces)
}

// errPicked ends a replay.
var errPicked = errors.New("picked")
