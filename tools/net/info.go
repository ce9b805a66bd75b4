package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"runtime"

	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// info is the command of that name: it describes files and replays every game of them.
func info(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var from positions
	from.mostFlag(set)
	workers := set.Int("workers", runtime.NumCPU(), "files read at a time")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *workers < 1 {
		return errors.New("info: -workers must be at least 1")
	}
	if err := from.open(set.Args()); err != nil {
		return fmt.Errorf("info: %w", err)
	}
	all := summary{game: from.game, seen: map[uint64]struct{}{}, seed: maphash.MakeSeed()}
	err := from.each(*workers, func(name string, h record.Header, records []byte) error {
		before := all.games
		all.last = -1
		for at := 0; at < len(records); at += from.game.Bytes {
			all.count(records[at:][:from.game.Bytes])
		}
		all.files++
		fmt.Fprintf(out, "%s: %s, %d positions of %d games\n  games:  %s\n  scores: %s\n",
			name, h.Game, len(records)/from.game.Bytes, all.games-before, h.Games, h.Scores)
		return ctx.Err()
	})
	if err == nil {
		all.print(out)
	}
	return err
}

// summary is what info counts.
type summary struct {
	game                  *subject
	files, games, records int
	last                  int    // number of the last game of the file, -1 before its first
	half                  [3]int // records by half points of the side to move
	held                  int    // records of games that are held out
	scores                [len(scoreBounds) + 1]int
	sum, squares          float64                     // of the scores
	phases                [(mostPieces + 3) / 4]phase // by number of pieces: 1 to 4, 5 to 8, …
	seen                  map[uint64]struct{}         // hashes of the positions
	seed                  maphash.Seed
}

// A phase counts records with similar numbers of pieces.
type phase struct {
	records, drawn int
	scores         scores
}

// scoreBounds are the upper bounds of the classes of |score|, in centipawns.
var scoreBounds = [...]int{25, 50, 100, 200, 400, 800, 1600, 3200}

// count counts a record. Games without one do not count.
func (s *summary) count(rec []byte) {
	tail := record.TailOf(rec)
	if int(tail.Number) != s.last {
		s.games, s.last = s.games+1, int(tail.Number)
	}
	s.records++
	s.half[tail.Half]++
	if train.HeldOut(tail.Number) {
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
	b := &s.phases[(s.game.pieces(rec)-1)/4]
	b.records++
	if tail.Half == 1 {
		b.drawn++
	}
	b.scores.add(int(tail.Score), int(tail.Half))
	s.seen[maphash.Bytes(s.seed, record.Place(rec))] = struct{}{}
}

// print prints what has been counted.
func (s *summary) print(out io.Writer) {
	n := float64(max(s.records, 1))
	share := func(k int) float64 { return 100 * float64(k) / n }
	mean := s.sum / n
	fmt.Fprintf(out, "%d positions of %d games in %d files, %.1f a game\n", s.records, s.games, s.files,
		float64(s.records)/float64(max(s.games, 1)))
	fmt.Fprintf(out, "duplicates %.2f %%, held out %.2f %%\n", share(s.records-len(s.seen)), share(s.held))
	fmt.Fprintf(out, "result of the side to move: win %.1f %%, draw %.1f %%, loss %.1f %%\n", share(s.half[2]),
		share(s.half[1]), share(s.half[0]))
	fmt.Fprintf(out, "score: mean %.1f, standard deviation %.1f centipawns\n", mean,
		math.Sqrt(max(s.squares/n-mean*mean, 0)))
	for class, k := range s.scores {
		bound := "more"
		if class < len(scoreBounds) {
			bound = fmt.Sprint(scoreBounds[class])
		}
		fmt.Fprintf(out, "  |score| to %4s: %5.1f %%\n", bound, share(k))
	}
	for i := range s.phases {
		if b := &s.phases[i]; b.records > 0 {
			fmt.Fprintf(out, "  %2d to %2d pieces: %5.1f %%, drawn %5.1f %%, K %.0f\n", 4*i+1, 4*i+4, share(b.records),
				100*float64(b.drawn)/float64(b.records), b.scores.fit())
		}
	}
}
