package alphabetagame

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"trefoil/engine/config"
	"trefoil/engine/registry"
	"trefoil/game"
	"trefoil/options"
	"trefoil/search"
)

// BookMove is a move that an opening book has for a position.
type BookMove struct {
	game.Move
	Weight       uint64 // how often it is played, in proportion to the others; 0 is never
	Value, Depth int    // centipawns for the side to move and plies, 0 if the book has none
	Reply        string // the expected reply, not necessarily legal; "" if the book has none
	Excluded     string // the option by which the move is not played; "" for none
}

// Book is an opening book that is open.
type Book[P any] interface {
	// Moves returns the legal moves for a position, the best one first.
	Moves(P) ([]BookMove, error)
	Close() error
}

// BookLines is implemented by books that report all their moves for a position, with the moves that follow.
type BookLines[P any] interface {
	// Line returns a move and the moves that follow, as P writes them.
	Line(P, BookMove) []string
}

// BookPosition is what a position needs besides the rules so that a book is used.
type BookPosition interface {
	Rules
	Undo()
	Key() uint64
	Occurrences() int
	MoveNumber() int // of the next move, as the notation counts
}

// OwnBook plays moves of an opening book, if the options say so.
type OwnBook[P BookPosition] struct {
	options *config.Options
	file    *options.Text // BookFile
	book    Book[P]       // nil: there is no file
}

// BookFile declares the option BookFile. d has its names and says which format the file has. open opens a
// book, unless ctx ends, and describes it in words.
func BookFile[P BookPosition](env registry.Env, d options.Decl,
	open func(ctx context.Context, path string) (b Book[P], about string, err error)) *OwnBook[P] {
	o := &OwnBook[P]{options: env.Options, file: options.NewText(env.Options.Set, d)}
	o.file.OnRead(func(ctx context.Context, path string) (err error) {
		var book Book[P]
		if path != "" && path != noBook {
			var about string
			book, about, err = open(ctx, path)
			if err == nil {
				if err = o.fix(env, book, d.Name(options.UCI)); err != nil {
					book.Close()
				}
			}
			if err != nil {
				_ = o.fix(env, o.book, d.Name(options.UCI)) // that stays
				return err
			}
			env.Notices.Add("book " + path + ": " + about)
		} else {
			env.Memory.Free(d.Name(options.UCI))
		}
		if o.book != nil {
			o.book.Close() // it was only read
		}
		o.book = book
		return nil
	})
	return o
}

// noBook is how YaneuraOu and GUIs for it write that there is no book.
const noBook = "no_book"

// fix tells the budget what a book, nil or not, has in memory, or returns an error if it does not fit.
func (o *OwnBook[P]) fix(env registry.Env, book Book[P], option string) error {
	indexed, ok := book.(interface{ Bytes() uint64 })
	if !ok {
		env.Memory.Free(option)
		return nil
	}
	return env.Memory.Fix(option, indexed.Bytes())
}

// Search returns a move of the book and reports that it is one. ok is false if the search has to find
// a move: the book is off or has none, or the user wants an analysis.
func (o *OwnBook[P]) Search(pos P, limits *search.Limits, report func(search.Info)) (r search.Result, ok bool) {
	if !o.allowed(limits) || pos.MoveNumber() > o.options.BookDepth.Value() {
		return r, false
	}
	all, err := o.book.Moves(pos)
	if err != nil {
		report(search.Info{Text: fmt.Sprintf("book %s: %v", o.file.Value(), err)})
		return r, false
	}
	moves := o.playable(pos, all)
	if len(moves) == 0 {
		if len(all) > 0 && all[0].Excluded != "" {
			report(search.Info{Text: fmt.Sprintf("book move %s is not played: %s", pos.Text(all[0].Move), all[0].Excluded)})
		}
		return r, false
	}
	best := o.options.BestBookMove.Value()
	i := 0
	if !best {
		i = choose(moves, o.random(pos.Key()))
	}
	m := moves[i]
	text := pos.Text(m.Move)
	report(search.Info{Text: fmt.Sprintf("book move %s: %s", text, describe(moves, i, best))})
	r = search.Result{Best: text, Time: time.Since(limits.Start)}
	shown := []BookMove{m}
	line := func(pos P, m BookMove) []string { return []string{pos.Text(m.Move)} }
	if b, ok := o.book.(BookLines[P]); ok {
		line = b.Line
		shown = append(shown, slices.DeleteFunc(all, func(other BookMove) bool { return other.Move == m.Move })...)
	}
	for i, m := range shown {
		pv := line(pos, m)
		if i == 0 && len(pv) > 1 {
			r.Ponder = pv[1]
		}
		report(search.Info{
			Depth: m.Depth, SelDepth: m.Depth, MultiPV: i + 1, Score: search.Score{Centipawns: m.Value},
			Time: r.Time, HashFull: -1, PV: pv,
		})
	}
	return r, true
}

// allowed reports whether a search within limits may be answered by the book.
func (o *OwnBook[P]) allowed(l *search.Limits) bool {
	if o.book == nil || !o.options.OwnBook.Value() || o.options.MultiPV.Value() > 1 {
		return false
	}
	return !l.NoBook && !l.Infinite && !l.Ponder && l.Mate == 0 && !l.Checks && len(l.SearchMoves) == 0
}

// maxWeight bounds a weight, so that the sum of all moves does not overflow.
const maxWeight = 1 << 48

// playable returns the moves that may be played: moves with a weight that are not excluded and do not repeat a
// position of the game.
func (o *OwnBook[P]) playable(pos P, moves []BookMove) (playable []BookMove) {
	for _, m := range moves {
		pos.Make(m.Move)
		repeats := pos.Occurrences() > 1
		pos.Undo()
		if m.Weight = min(m.Weight, maxWeight); m.Weight > 0 && m.Excluded == "" && !repeats {
			playable = append(playable, m)
		}
	}
	return playable
}

// random returns a random source. With a BookSeed it is always the same in a position.
func (o *OwnBook[P]) random(key uint64) *rand.Rand {
	return rand.New(rand.NewPCG(cmp.Or(uint64(o.options.BookSeed.Value()), rand.Uint64()), key))
}

// choose returns the index of a move, at random in proportion to the weights.
func choose(moves []BookMove, random *rand.Rand) (i int) {
	left := random.Uint64N(sum(moves))
	for i = 0; left >= moves[i].Weight; i++ {
		left -= moves[i].Weight
	}
	return i
}

// sum returns the sum of the weights.
func sum(moves []BookMove) (all uint64) {
	for _, m := range moves {
		all += m.Weight
	}
	return all
}

// describe says why move i is played.
func describe(moves []BookMove, i int, best bool) string {
	switch {
	case len(moves) == 1:
		return "the only one"
	case best:
		return fmt.Sprintf("the best of %d", len(moves))
	}
	return fmt.Sprintf("one of %d, chosen with a probability of %.0f %%", len(moves),
		100*float64(moves[i].Weight)/float64(sum(moves)))
}
