package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"

	"trefoil/game"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// positions are the positions of games in files that a net is trained on: those that it would have to
// evaluate. They are not in check, the move played is neither a capture nor a promotion, the score is
// within bounds, and the game keeps them.
type positions struct {
	game   *subject
	names  []string
	most   int     // centipawns
	lambda float64 // of learned
	ending int     // positions of at most that many pieces learn the result
	k      float64 // centipawns that make a score an expected result, see fit
}

// mostFlag declares the flag of positions.most.
func (p *positions) mostFlag(set *flag.FlagSet) {
	set.IntVar(&p.most, "most", 1500, "leave out positions whose score is beyond that, in `centipawns`")
}

// open sets the game to the game of the first file.
func (p *positions) open(names []string) error {
	if len(names) == 0 {
		return errors.New("no file of games")
	}
	r, err := record.Open(names[0])
	if err != nil {
		return err
	}
	defer r.Close()
	p.names = names
	if p.game, err = selfplay.Subject(subjects, r.Game); err != nil {
		return fmt.Errorf("%s: %w", names[0], err)
	}
	return nil
}

// A recordFile is what a file of games becomes.
type recordFile struct {
	header  record.Header
	records []byte
}

// each calls use with the records of each file, in order.
func (p *positions) each(workers int, use func(name string, h record.Header, records []byte) error) error {
	return eachFile(p.names, workers, p.read, func(name string, f recordFile) error {
		return use(name, f.header, f.records)
	})
}

// eachFile calls use with what read makes of each file, in order. It reads several files at a time.
func eachFile[T any](names []string, workers int, read func(name string) (T, error),
	use func(name string, v T) error) error {
	type result struct {
		value T
		err   error
	}
	ctx, cancel := context.WithCancel(context.Background())
	results := make([]chan result, workers)
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	for k := range results {
		results[k] = make(chan result)
		wait.Go(func() {
			for i := k; i < len(names); i += workers {
				var r result
				r.value, r.err = read(names[i])
				select {
				case results[k] <- r:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	for i, name := range names {
		r := <-results[i%workers]
		if r.err != nil {
			return r.err
		}
		if err := use(name, r.value); err != nil {
			return err
		}
	}
	return nil
}

// plies returns the scores of the plies of a game, each for the side to move, and the half points of the side to move
// after the last one.
func (p *positions) plies(data []byte) (scores []int, half int, err error) {
	n := p.game.Bytes
	if len(data) < n {
		return nil, 0, errShort
	}
	if half = int(record.TailOf(data[:n]).Half); half > 2 {
		return nil, 0, fmt.Errorf("%d half points", half)
	}
	var ply record.Ply
	for data = data[n:]; len(data) > 0; half = 2 - half {
		if ply, data, err = record.TakePly(data, ply.Score); err != nil {
			return nil, 0, err
		}
		scores = append(scores, ply.Score)
	}
	return scores, half, nil
}

// fit sets k, unless it is set, to that by which the scores of all plies predict the results best.
func (p *positions) fit() error {
	switch {
	case !(p.lambda >= 0 && p.lambda <= 1):
		return fmt.Errorf("-lambda must be from 0 to 1, not %v", p.lambda)
	case p.ending < 0:
		return fmt.Errorf("-ending must not be negative, but is %d", p.ending)
	case p.k != 0:
		return nil
	}
	var all scores
	for _, name := range p.names {
		_, err := eachGame(name, p.game, func(_ int, data []byte) error {
			scores, half, err := p.plies(data)
			for _, score := range slices.Backward(scores) {
				half = 2 - half
				if max(score, -score) <= p.most {
					all.add(score, half)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	p.k = all.fit()
	return nil
}

// learned returns the scores that a net learns, from the scores and the numbers of pieces at the plies of a game,
// and the half points of the side to move after them. As expected results they are the λ-return: (1 - λ)·score +
// λ·λ-return of the next ply, and after the last ply the result. In an ending λ is 1.
func (p *positions) learned(scores, pieces []int, half int) []int {
	if p.lambda == 0 && p.ending == 0 {
		return scores
	}
	learned, expected := make([]int, len(scores)), float64(half)/2
	for i, score := range slices.Backward(scores) {
		expected = 1 - expected
		if pieces[i] > p.ending {
			expected = (1-p.lambda)/(1+math.Exp(-float64(score)/p.k)) + p.lambda*expected
		}
		logit := math.Log(expected / (1 - expected))
		learned[i] = int(math.Round(min(max(p.k*logit, math.MinInt16), math.MaxInt16)))
	}
	return learned
}

// data returns what train needs of them.
func (p *positions) data(workers int) train.Data {
	return func(use func(records []byte) error) error {
		return p.each(workers, func(name string, _ record.Header, records []byte) error {
			if len(records) == 0 {
				return fmt.Errorf("%s: no positions", name)
			}
			return use(records)
		})
	}
}

// total returns about the length of the records: a position that is kept takes 4 bytes of a file.
func (p *positions) total() (total int64, err error) {
	for _, name := range p.names {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		total += info.Size() / 4 * int64(p.game.Bytes)
	}
	return total, nil
}

// read reads a file.
func (p *positions) read(name string) (f recordFile, err error) {
	f.header, err = eachGame(name, p.game, func(number int, data []byte) error {
		f.records, err = p.append(f.records, number, data)
		return err
	})
	return f, err
}

// append appends the records of a game.
func (p *positions) append(records []byte, number int, data []byte) ([]byte, error) {
	scores, half, err := p.plies(data)
	if err != nil {
		return nil, err
	}
	n, first := p.game.Bytes, len(records)
	var pieces, kept []int
	rec := make([]byte, n)
	err = replay(p.game, data, func(pos selfplay.Board, m game.Move, score, half int) error {
		p.game.put(rec, pos)
		if p.game.output != nil {
			score = p.game.output(pos, score)
		}
		scores[len(pieces)] = score
		pieces = append(pieces, p.game.pieces(rec))
		if !m.Quiet() || max(score, -score) > p.most || pos.InCheck() || !p.game.keeps(pos) {
			return nil
		}
		tail := record.TailOf(rec)
		tail.Half, tail.Number = uint8(half), uint16(number)
		tail.Put(rec)
		records, kept = append(records, rec...), append(kept, len(pieces)-1)
		return nil
	})
	if err != nil {
		return nil, err
	}
	learned := p.learned(scores, pieces, half)
	for i, ply := range kept {
		rec := records[first+i*n:][:n]
		tail := record.TailOf(rec)
		tail.Score = int16(learned[ply])
		tail.Put(rec)
	}
	return records, nil
}

// eachGame calls use with the games of a file, which must be of a game unless that is nil, and returns its header, also
// if it has no game. Errors name the file and the game.
func eachGame(name string, of *subject, use func(number int, data []byte) error) (h record.Header, err error) {
	r, err := record.Open(name)
	if err != nil {
		return h, err
	}
	defer r.Close()
	if of != nil && r.Game != of.name {
		return h, fmt.Errorf("%s: games of %s, want %s", name, r.Game, of.name)
	}
	for {
		number, data, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Header, nil
		}
		if err != nil {
			return h, err
		}
		if err := use(number, data); err != nil {
			return h, fmt.Errorf("%s: game %d: %w", name, number, err)
		}
	}
}

// errShort is returned for games without a first position.
var errShort = errors.New("the first position is missing")

// replay calls visit with each position of a game, the move played in it, its score and the half points of the
// side to move. visit must not change the position.
func replay(g *subject, data []byte, visit func(pos selfplay.Board, m game.Move, score, half int) error) error {
	n := g.Bytes
	if len(data) < n {
		return errShort
	}
	pos, err := g.get(data[:n])
	if err != nil {
		return err
	}
	half := int(record.TailOf(data[:n]).Half)
	var ply record.Ply
	var l game.List
	for data = data[n:]; len(data) > 0; half = 2 - half {
		if ply, data, err = record.TakePly(data, ply.Score); err != nil {
			return err
		}
		l.Reset()
		pos.Moves(game.All, &l)
		if ply.Rank >= l.Len() {
			return fmt.Errorf("%s: move %d of %d", pos.Setup(), ply.Rank, l.Len())
		}
		moves := l.All()
		slices.SortFunc(moves, byMove16)
		if err := visit(pos, moves[ply.Rank], ply.Score, half); err != nil {
			return err
		}
		pos.Make(moves[ply.Rank])
	}
	return nil
}

// byMove16 is the order of moves in a record.Ply.
func byMove16(a, b game.Move) int { return int(a.Move16()) - int(b.Move16()) }

// rank returns the record.Ply's Rank of a legal move.
func rank(pos selfplay.Board, m game.Move, l *game.List) (n int) {
	l.Reset()
	pos.Moves(game.All, l)
	for _, other := range l.All() {
		if byMove16(other, m) < 0 {
			n++
		}
	}
	return n
}
