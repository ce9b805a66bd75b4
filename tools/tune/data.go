package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// A file of games is text: a header, then for each game its positions, one a
// line, and a line that ends it.
//
//	# trefoil self-play: seed 1, nodes 5000, random plies 9, chess960 false
//	r1bqkb1r/… w KQkq - 2 7;35;1          FEN or sfen; score; half points 0, 1 or 2
//	# game 0
//
// Data after the last ended game was cut off while it was written.

// sample is a position and what the search thought of it, in centipawns of the
// first player, whose half points are half.
type sample struct {
	setup string
	score int
	half  int
	game  int // counts the games of all files
}

const gameEnd = "# game "

// write is game i as text.
func write(kept []sample, half, i int) []byte {
	var b bytes.Buffer
	for _, s := range kept {
		fmt.Fprintf(&b, "%s;%d;%d\n", s.setup, s.score, half)
	}
	fmt.Fprintf(&b, "%s%d\n", gameEnd, i)
	return b.Bytes()
}

// resume opens the file of a plan for writing behind its last whole game and
// returns the number of games it holds. A file of another plan is refused.
func resume(name string, p plan) (f *os.File, done int, err error) {
	f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	r := bufio.NewReaderSize(f, 1<<20)
	head, err := r.ReadString('\n')
	if errors.Is(err, io.EOF) && head == "" {
		_, err = f.WriteString(p.header() + "\n")
		return f, 0, err
	}
	if head != p.header()+"\n" {
		return nil, 0,
			fmt.Errorf("%s begins with %.80q: it is not a file of this seed and these flags; choose another name", name, head)
	}
	at := int64(len(head))
	end := at
	for {
		line, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, 0, err
		}
		if at += int64(len(line)); strings.HasPrefix(line, gameEnd) {
			end = at
			done++
		}
	}
	if err = f.Truncate(end); err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	return f, done, err
}

// read calls visit with every position of a file's whole games, in order;
// games are counted from first on. It returns the number of games.
func read(name string, first int, visit func(sample) error) (n int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var one []sample
	sc := bufio.NewScanner(f)
	for line := 1; sc.Scan(); line++ {
		text := sc.Text()
		switch {
		case strings.HasPrefix(text, gameEnd):
			for _, s := range one {
				if err := visit(s); err != nil {
					return n, fmt.Errorf("%s: game %d: %w", name, n, err)
				}
			}
			one = one[:0]
			n++
		case strings.HasPrefix(text, "#"):
		default:
			s, err := parse(text)
			if err != nil {
				return n, fmt.Errorf("%s:%d: %w", name, line, err)
			}
			s.game = first + n
			one = append(one, s)
		}
	}
	if err := sc.Err(); err != nil {
		return n, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// parse reads a line of a position; the position is looked at later.
func parse(line string) (s sample, err error) {
	fields := strings.Split(line, ";")
	if len(fields) != 3 {
		return s, fmt.Errorf("%.80q is not position;score;half points", line)
	}
	s.setup = fields[0]
	if s.score, err = strconv.Atoi(fields[1]); err != nil {
		return s, fmt.Errorf("score %.20q is not a number", fields[1])
	}
	if s.half, err = strconv.Atoi(fields[2]); err != nil || s.half < 0 || s.half > 2 {
		return s, fmt.Errorf("half points %.20q are not 0, 1 or 2", fields[2])
	}
	return s, nil
}
