package book

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"sync"

	"trefoil/game/connect4"
	"trefoil/internal/atomicfile"
	"trefoil/internal/disk"
)

// journal is what is solved so far, in memory and in a file of lines
//
//	key score checksum
//
// with the key and the CRC-32 of what stands before it in hexadecimal, after a first line that
// journalTitle returns. A line whose checksum is wrong is ignored, and its position solved again.
type journal struct {
	file   *disk.File
	scores map[uint64]int
	err    error // the first of add: a line behind half a line would be lost
}

func journalTitle(on *connect4.Board, ply int) string {
	board := ""
	if on != connect4.Standard {
		board = fmt.Sprintf(", %v", on)
	}
	return fmt.Sprintf("trefoil: solved positions of a book of Connect Four%s, ply %d\n", board, ply)
}

// openJournal returns an empty journal without a file if path is empty. Otherwise it reads the journal in a
// file and opens it for more lines. It is created if it does not exist. A link, a file that is not a
// journal, and the journal of another ply are refused and left unchanged.
func openJournal(path string, on *connect4.Board, ply int, wanted []connect4.Position) (*journal, error) {
	if path == "" {
		return &journal{scores: make(map[uint64]int, len(wanted))}, nil
	}
	f, err := atomicfile.OpenAppend(path)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, scores: make(map[uint64]int, len(wanted))}
	if err := j.read(journalTitle(on, ply), wanted); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return j, nil
}

func (j *journal) read(title string, wanted []connect4.Position) error {
	keys := make(map[uint64]bool, len(wanted))
	for _, p := range wanted {
		keys[canonical(p)] = true
	}
	in := bufio.NewReader(j.file)
	slice, err := in.ReadSlice('\n')
	first := string(slice)
	if err == io.EOF && strings.HasPrefix(title, first) { // it is new, or its first write was cut short
		_, err = j.file.WriteString(title[len(first):])
		return err
	}
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return err
	}
	if first != title {
		return fmt.Errorf("its first line is %.80q, expected %q: finish the book that it belongs to, or remove it",
			first, title)
	}
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			if line != "" { // the last write was cut short: begin a new line
				_, err = j.file.WriteString("\n")
				return err
			}
			return nil
		}
		if err != nil {
			return err
		}
		if key, score, ok := parseLine(strings.TrimSuffix(line, "\n")); ok && keys[key] {
			j.scores[key] = score
		}
	}
}

// parseLine reads one line, if it is whole and a book can hold the score.
func parseLine(line string) (key uint64, score int, ok bool) {
	var sum uint32
	n, err := fmt.Sscanf(line, "%x %d %x", &key, &score, &sum)
	return key, score, n == 3 && err == nil && score >= -zero && score < zero && line == journalLine(key, score)
}

func journalLine(key uint64, score int) string {
	text := fmt.Sprintf("%x %d", key, score)
	return fmt.Sprintf("%s %08x", text, crc32.ChecksumIEEE([]byte(text)))
}

// solve finds the missing scores of wanted positions and adds them to the journal. done is called after
// each new score.
func (j *journal) solve(ctx context.Context, wanted []connect4.Position, solver Solver, done func()) error {
	var left []connect4.Position
	for _, p := range wanted {
		if _, known := j.scores[canonical(p)]; !known {
			left = append(left, p)
		}
	}
	if len(left) == 0 {
		return nil
	}
	var mu sync.Mutex
	err := solver(ctx, left, func(p connect4.Position, score int) error {
		mu.Lock()
		defer mu.Unlock()
		if err := j.add(canonical(p), score); err != nil {
			return err
		}
		done()
		return nil
	})
	switch {
	case len(j.scores) == len(wanted): // the context may have ended since
		return nil
	case err == nil:
		return errors.New("the solver has left positions out")
	}
	return err
}

// close closes the file.
func (j *journal) close() {
	if j.file != nil {
		_ = j.file.Close()
	}
}

// add adds a score to the file, if there is one, and to scores.
func (j *journal) add(key uint64, score int) error {
	if j.file == nil {
		j.scores[key] = score
		return nil
	}
	if j.err == nil {
		_, j.err = j.file.WriteString(journalLine(key, score) + "\n")
	}
	if j.err == nil {
		j.scores[key] = score
	}
	return j.err
}
