package certificate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrTooLong is the error of a proof that has too many positions.
var ErrTooLong = errors.New("the proof is too long")

// Entries returns the moves of a proof, checked, as the blocks of a certificate have them. It returns
// ErrTooLong if that would be more than some bytes.
func (p Proof) Entries(ctx context.Context, most int) (entries []byte, err error) {
	_, err = p.play(ctx, func(entry []byte) error {
		if entries = append(entries, entry...); len(entries) > most {
			return ErrTooLong
		}
		return nil
	}, func(uint64) {})
	return entries, err
}

// Mate returns within how many moves somebody mates according to the claim of the proof; 0 if it is about
// Ultimate Tic-Tac-Toe.
func (p Proof) Mate() int {
	moves, _ := strconv.Atoi(strings.TrimPrefix(p.claim.Value, "mate "))
	return max(moves, -moves)
}

// Moves are moves of proofs by their positions. They take memory for each position.
type Moves struct{ entries map[string][]byte }

// NewMoves returns no moves.
func NewMoves() *Moves { return &Moves{map[string][]byte{}} }

// add adds the entry of a position, unless there is a better one.
func (m *Moves) add(s strategy, code string, entry []byte) {
	key := s.group() + code
	if old, ok := m.entries[key]; ok && within(old) <= within(entry) {
		return
	}
	m.entries[key] = entry
}

// within is within how many moves a mate comes, 0 in Ultimate Tic-Tac-Toe.
func within(entry []byte) int {
	if len(entry) < 4 {
		return 0
	}
	return int(binary.LittleEndian.Uint16(entry[2:]))
}

// Add adds the moves of a proof that are in entries, as Entries returns them. It returns an error, and adds
// none, if they do not prove the claim.
func (m *Moves) Add(ctx context.Context, p Proof, entries []byte) error {
	var all []func()
	size := p.rules.entry
	_, err := p.check(ctx, func(s strategy, _ int, code string) ([]byte, error) {
		entry := entries[:size]
		entries = entries[size:]
		all = append(all, func() { m.add(s, code, entry) })
		return entry, nil
	}, func() uint64 { return uint64(len(entries) / size) }, func(uint64) {})
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%d bytes are left", len(entries))
	}
	if err != nil {
		return err
	}
	for _, add := range all {
		add()
	}
	return nil
}

// Put adds a move, in the notation of the game, for the position of a claim, with the side to move that has
// something to show.
func (m *Moves) Put(p Proof, move string) error {
	if p.err != nil {
		return p.err
	}
	for _, s := range p.strategies {
		err := s.begin(func(_ int, code string) error {
			entry, err := s.move(code, move)
			if err == nil {
				m.add(s, code, entry)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// find returns the entry of a position. The proof of a shorter mate may have it without the clock, where one
// with more moves left has it with the clock.
func (m *Moves) find(s strategy, code string) (entry []byte, ok bool) {
	if entry, ok = m.entries[s.group()+code]; ok {
		return entry, true
	}
	other, most := s.withoutClock(code)
	entry, ok = m.entries[s.group()+other]
	return entry, ok && within(entry) <= most
}

// From returns the proof with these moves, and its own in other positions.
func (p Proof) From(m *Moves) Proof {
	own := p.entry
	p.entry = func(ctx context.Context, s strategy, level int, code string) ([]byte, error) {
		if entry, ok := m.find(s, code); ok {
			return entry, nil
		}
		return own(ctx, s, level, code)
	}
	return p
}
