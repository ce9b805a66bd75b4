package main

import (
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// subject is a game whose positions are written.
type subject interface {
	// name is the game, bytes the length of its records.
	name() string
	bytes() int
	// opening is a position after that many random plies, from a start position of Chess960 if the
	// game has them and one is wanted.
	opening(rng *rand.Rand, chess960 bool, plies int) (selfplay.Board, error)
	// ends returns the limits by which games are adjudicated.
	ends() selfplay.Ends
	// keeps reports whether a position, not in check and of that value, is one that a net would have
	// to evaluate.
	keeps(pos selfplay.Board, value int) bool
	// put writes a position to a record, of that length; get reads it.
	put(rec []byte, pos selfplay.Board)
	get(rec []byte) (selfplay.Board, error)
	// pieces is the number of pieces of a record.
	pieces(rec []byte) int
}

// subjects are the games by name.
var subjects = map[string]subject{"chess": chessSubject{}}

// subjectOf returns the game of a name.
func subjectOf(name string) (subject, error) {
	if s, ok := subjects[name]; ok {
		return s, nil
	}
	return nil, fmt.Errorf("game %q: known are %s", name, strings.Join(slices.Sorted(maps.Keys(subjects)), ", "))
}

// subjectIn returns the game of the records in a file with that header.
func subjectIn(name string, h record.Header) (subject, error) {
	g, err := subjectOf(h.Game)
	if err == nil && h.Bytes != g.bytes() {
		err = fmt.Errorf("records of %d bytes, those of %s have %d", h.Bytes, h.Game, g.bytes())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g, nil
}

// fingerprint names the evaluation of a game by a checksum of its values in some random positions.
func fingerprint(g subject) (string, error) {
	var values []byte
	for i := range 512 {
		pos, err := g.opening(rand.New(rand.NewPCG(0, uint64(i))), i%4 == 0, 1+i%96)
		if err != nil {
			return "", err
		}
		if !pos.InCheck() {
			values = fmt.Append(values, pos.Eval(), " ")
		}
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(values)), nil
}
