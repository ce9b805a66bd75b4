package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/maphash"
	"io"
	"math"

	"trefoil/tools/net/internal/record"
)

// info is the command of that name: it describes files and checks every record of them.
func info(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() == 0 {
		return errors.New("info: no file of positions")
	}
	all := summary{seen: map[uint64]struct{}{}, seed: maphash.MakeSeed()}
	for _, name := range set.Args() {
		if err := all.add(ctx, name, out); err != nil {
			return err
		}
	}
	all.print(out)
	return nil
}

// summary is what info counts.
type summary struct {
	files, games, empty, records int
	half                         [3]int // records by half points of the side to move
	held                         int    // records of every twentieth game
	scores                       [len(scoreBounds) + 1]int
	sum, squares                 float64             // of the scores
	pieces                       [82]int             // records by number of pieces
	seen                         map[uint64]struct{} // hashes of the positions
	seed                         maphash.Seed
}

// scoreBounds are the upper bounds of the classes of |score|, in centipawns.
var scoreBounds = [...]int{25, 50, 100, 200, 400, 800, 1600, 3200}

// heldOut is the number of games of which one is held out for validation.
const heldOut = 20

// add counts the records of a file and prints its header.
func (s *summary) add(ctx context.Context, name string, out io.Writer) error {
	h, games, err := readAll(name)
	if err != nil {
		return err
	}
	g, err := subjectIn(name, h)
	if err != nil {
		return err
	}
	before := s.records
	for _, one := range games {
		for at := 0; at < len(one.records); at += h.Bytes {
			rec := one.records[at : at+h.Bytes]
			if _, err := g.get(rec); err != nil {
				return fmt.Errorf("%s: game %d, record %d: %w", name, one.number, at/h.Bytes, err)
			}
			s.count(g, rec)
		}
		if len(one.records) == 0 {
			s.empty++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.files++
	s.games += len(games)
	fmt.Fprintf(out, "%s: %s, kind %s, %d positions of %d games\n  games:  %s\n  scores: %s\n",
		name, h.Game, h.Kind, s.records-before, len(games), h.Games, h.Scores)
	return nil
}

// count counts a record.
func (s *summary) count(g subject, rec []byte) {
	tail := record.TailOf(rec)
	s.records++
	s.half[tail.Half]++
	if tail.Number%heldOut == 0 {
		s.held++
	}
	v := float64(tail.Score)
	s.sum += v
	s.squares += v * v
	class := 0
	for class < len(scoreBounds) && math.Abs(v) > float64(scoreBounds[class]) {
		class++
	}
	s.scores[class]++
	s.pieces[g.pieces(rec)]++
	s.seen[maphash.Bytes(s.seed, record.Place(rec))] = struct{}{}
}

// print prints what has been counted.
func (s *summary) print(out io.Writer) {
	n := float64(max(s.records, 1))
	share := func(k int) float64 { return 100 * float64(k) / n }
	mean := s.sum / n
	fmt.Fprintf(out, "%d positions of %d games in %d files, %.1f a game, %d games without one\n",
		s.records, s.games, s.files, n/float64(max(s.games, 1)), s.empty)
	fmt.Fprintf(out, "duplicates %.2f %%, held out %.2f %%\n", share(s.records-len(s.seen)), share(s.held))
	fmt.Fprintf(out, "result of the side to move: win %.1f %%, draw %.1f %%, loss %.1f %%\n", share(s.half[2]), share(s.half[1]), share(s.half[0]))
	fmt.Fprintf(out, "score: mean %.1f, standard deviation %.1f centipawns\n", mean, math.Sqrt(max(s.squares/n-mean*mean, 0)))
	for class, k := range s.scores {
		bound := "more"
		if class < len(scoreBounds) {
			bound = fmt.Sprint(scoreBounds[class])
		}
		fmt.Fprintf(out, "  |score| to %4s: %5.1f %%\n", bound, share(k))
	}
	for low := 1; low < len(s.pieces); low += 4 {
		count := 0
		for _, k := range s.pieces[low:min(low+4, len(s.pieces))] {
			count += k
		}
		if count > 0 {
			fmt.Fprintf(out, "  %2d to %2d pieces: %5.1f %%\n", low, low+3, share(count))
		}
	}
}
