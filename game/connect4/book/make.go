package book

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"trefoil/game/connect4"
)

// Make writes the book of all positions up to ply to a file that must not exist.
//
// Only the positions of the last ply are solved; the scores of the others follow
// from theirs. solve returns the exact score of a position, or an error, which ends
// Make. tell, if not nil, hears how many of them are done.
//
// What is solved stands at once in a second file, path.part, from which a later Make
// goes on. Each of its lines has a checksum; one that does not fit is forgotten, but the
// journal of another ply is refused: to end with this book would throw it away. It is
// removed when the book is complete.
func Make(ctx context.Context, path string, ply int, solve func(context.Context, connect4.Position) (int, error), tell func(done, total int)) error {
	if path == "" {
		return errors.New("book: a file without a name")
	}
	if ply < 0 || ply > MaxPly {
		return fmt.Errorf("book: ply %d is not from 0 to %d", ply, MaxPly)
	}
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("book: %s exists already", path)
	}
	levels, err := positions(ctx, ply)
	if err != nil {
		return err
	}
	last := levels[ply]
	j, err := openJournal(path+".part", last)
	if err != nil {
		return fmt.Errorf("book: %w", err)
	}
	defer j.file.Close()
	for i, p := range last {
		if tell != nil {
			tell(i, len(last))
		}
		if _, known := j.scores[canonical(p)]; known {
			continue
		}
		score, err := solve(ctx, p)
		if err == nil {
			err = j.add(canonical(p), score)
		}
		if err != nil {
			return fmt.Errorf("book: %d of %d positions are solved: %w", len(j.scores), len(last), err)
		}
	}
	if tell != nil {
		tell(len(last), len(last))
	}
	b := &Book{ply: ply}
	for key, score := range backUp(levels, j.scores) {
		b.words = append(b.words, word(key, score))
	}
	slices.Sort(b.words)
	if err := b.write(path); err != nil {
		return err
	}
	return errors.Join(j.file.Close(), os.Remove(path+".part"))
}

// positions returns, for every ply up to the last, the positions that are not over,
// of two mirror images one, in the order of their keys.
func positions(ctx context.Context, last int) ([][]connect4.Position, error) {
	levels := [][]connect4.Position{{{}}}
	for range last {
		next := make(map[uint64]connect4.Position)
		for _, p := range levels[len(levels)-1] {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("book: no position is solved yet: %w", context.Cause(ctx))
			}
			for _, q := range children(p) {
				if _, over := q.Over(); !over {
					next[canonical(q)] = q
				}
			}
		}
		level := make([]connect4.Position, 0, len(next))
		for _, key := range slices.Sorted(maps.Keys(next)) {
			level = append(level, next[key])
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// children are the positions after one move.
func children(p connect4.Position) (after []connect4.Position) {
	for col := range connect4.Width {
		if p.CanPlay(col) {
			after = append(after, p.Play(col))
		}
	}
	return after
}

// backUp adds to the scores of the last level those of all before it.
func backUp(levels [][]connect4.Position, scores map[uint64]int) map[uint64]int {
	for _, level := range slices.Backward(levels[:len(levels)-1]) {
		for _, p := range level {
			best := -connect4.Cells
			for _, q := range children(p) {
				score := (connect4.Cells + 1 - p.Ply()) / 2 // of a win by this move
				if won, _ := q.Over(); !won {
					score = -scores[canonical(q)]
				}
				best = max(best, score)
			}
			scores[canonical(p)] = best
		}
	}
	return scores
}

// journal is what is solved so far, in memory and in a file of lines
//
//	key score checksum
//
// with the key and the CRC-32 of what stands before it in hexadecimal.
type journal struct {
	file   *os.File
	scores map[uint64]int
}

// openJournal reads the lines about wanted positions from a file, and opens it for
// more. It is made if it does not exist.
func openJournal(path string, wanted []connect4.Position) (*journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	keys := make(map[uint64]bool, len(wanted))
	for _, p := range wanted {
		keys[canonical(p)] = true
	}
	j := &journal{file: f, scores: make(map[uint64]int, len(wanted))}
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			if line != "" { // the last write was cut short: begin a line
				_, err = f.WriteString("\n")
				return j, err
			}
			return j, nil
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if key, score, ok := parseLine(strings.TrimSuffix(line, "\n")); ok {
			if !keys[key] {
				err := fmt.Errorf("%s holds positions of another ply: finish that book, or remove it", path)
				return nil, errors.Join(err, f.Close())
			}
			j.scores[key] = score
		}
	}
}

// parseLine reads one line, if it is whole.
func parseLine(line string) (key uint64, score int, ok bool) {
	var sum uint32
	n, err := fmt.Sscanf(line, "%x %d %x", &key, &score, &sum)
	return key, score, n == 3 && err == nil && line == journalLine(key, score)
}

func journalLine(key uint64, score int) string {
	text := fmt.Sprintf("%x %d", key, score)
	return fmt.Sprintf("%s %08x", text, crc32.ChecksumIEEE([]byte(text)))
}

// add writes a score down and remembers it.
func (j *journal) add(key uint64, score int) error {
	if _, err := j.file.WriteString(journalLine(key, score) + "\n"); err != nil {
		return err
	}
	j.scores[key] = score
	return nil
}
