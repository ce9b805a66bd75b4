package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"trefoil/engine/config"
	connect4game "trefoil/engine/connect4"
	"trefoil/engine/table"
	"trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/exact"
)

// connect4Variant is Connect Four: the exact solver, and a book if the user has one.
type connect4Variant struct {
	opts    *config.Options
	notices *table.Notices
	table   *table.Owner[*exact.Solver]
	asked   uint64 // MiB
	pos     connect4.Position
	played  string // the columns that led to pos
	book    *book.Book
}

// newConnect4 returns Connect Four at the empty board.
func newConnect4(opts *config.Options, told *table.Notices) *connect4Variant {
	c := &connect4Variant{opts: opts, notices: told}
	c.table = table.NewOwner(told, c.text)
	bookFile := options.NewText(opts.Set, options.Decl{UCI: "Connect4 Book", Games: []string{"connect4"},
		Help: "a file made by `trefoil book connect4`"})
	bookFile.OnChange(c.open)
	return c
}

// text tells about the table.
func (c *connect4Variant) text(s *exact.Solver) string {
	return fmt.Sprintf("hash %d MiB: %s, %s", c.asked, s, c.table.Pages(s.Size(), s.HugeBytes))
}

// open takes the book in a file, none if path is empty.
func (c *connect4Variant) open(path string) (err error) {
	if path == "" {
		c.book = nil
		return nil
	}
	b, err := book.Open(path)
	if err == nil {
		c.book = b
	}
	return err
}

func (c *connect4Variant) newGame(keep bool) {
	if !keep {
		c.clear()
	}
}

func (c *connect4Variant) clear() { c.table.Clear() }

// full is how full the table is in permille, −1 while its memory is being touched: to
// look at a thousand places would then wait for a thousand pages.
func (c *connect4Variant) full() int {
	if !c.table.Touched() {
		return -1
	}
	return c.table.Table().Full()
}

// resize replaces the table by one of another size, unless it has that already. If that
// fails the old table stays.
func (c *connect4Variant) resize(mib uint64) error {
	if !c.table.Empty() && mib == c.asked {
		return nil
	}
	o := exact.Options{Hash: int(mib), Threads: c.opts.Threads.Value(), Releasing: c.table.Table()}
	s, err := exact.New(o)
	if err != nil {
		return err
	}
	c.table.Stop() // it tells what was asked for
	c.asked = mib
	c.table.Replace(s)
	return nil
}

func (c *connect4Variant) setThreads(n int) {
	if !c.table.Empty() {
		c.table.Table().SetThreads(n)
	}
}

func (c *connect4Variant) leave() error { return c.table.Close() }

// setPosition sets up the empty board ("startpos") or the one that a string of
// columns leads to, and plays the moves: every token is one column or several.
func (c *connect4Variant) setPosition(setup string, moves []string) error {
	var b strings.Builder
	if setup != "startpos" {
		if strings.ContainsAny(setup, " \t") {
			return fmt.Errorf("%.60q is not columns played one after the other", setup)
		}
		b.WriteString(setup)
	}
	for _, m := range moves {
		b.WriteString(m)
	}
	played := b.String()
	pos, err := connect4.Parse(played)
	if err != nil {
		return err
	}
	c.pos, c.played = pos, played
	return nil
}

func (c *connect4Variant) search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	if _, over := c.pos.Over(); over {
		report(search.Info{MultiPV: 1, Score: distance(c.pos, value(c.pos)), HashFull: -1})
		return search.Result{}
	}
	cols := c.columns(limits.SearchMoves, report)
	if err := c.table.Ensure(uint64(c.opts.Hash.Value()), c.resize); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: connect4.Text(cols[0])}
	}
	for _, line := range c.notices.Take() {
		report(search.Info{Text: line})
	}
	c.table.AwaitCleared(ctx, clock.ClearTimeout(&limits, c.pos.Ply()&1))
	timing := c.timing()
	ctx, cancel := timing.Context(ctx, limits)
	defer cancel()
	awaitTouched(ctx, timing, &limits, c.table.AwaitTouched)
	s := &solving{variant: c, limits: limits, report: report}
	if len(limits.SearchMoves) == 0 && c.opts.MultiPV.Value() == 1 {
		return s.position(ctx)
	}
	return s.moves(ctx, cols)
}

// bookLine is a line of best play for as long as the book knows it.
func (c *connect4Variant) bookLine(p connect4.Position) (line []int) {
	for c.book != nil && p.Ply() < c.book.Ply() {
		best, most := -1, -connect4.Cells
		for _, col := range middleFirst {
			if !p.CanPlay(col) {
				continue
			}
			after := p.Play(col)
			score, ok := c.book.Score(after)
			if _, over := after.Over(); over {
				score, ok = value(after), true
			}
			if ok && -score > most {
				best, most = col, -score
			}
		}
		if best < 0 {
			break // the game is over
		}
		line = append(line, best)
		p = p.Play(best)
	}
	return line
}

// middleFirst are the columns in the order in which they promise most.
var middleFirst = [...]int{3, 2, 4, 1, 5, 0, 6}

// columns are those that may be searched, from the middle outwards.
func (c *connect4Variant) columns(wanted []string, report func(search.Info)) (cols []int) {
	allowed := uint64(0)
	for _, text := range wanted {
		col, err := c.pos.ParseMove(text)
		if err != nil {
			report(search.Info{Text: "searchmoves: " + err.Error()})
			continue
		}
		allowed |= connect4.Column(col)
	}
	if allowed == 0 {
		if len(wanted) > 0 {
			report(search.Info{Text: noneLegal})
		}
		allowed = connect4.Board
	}
	for _, col := range middleFirst {
		if c.pos.CanPlay(col) && connect4.Column(col)&allowed != 0 {
			cols = append(cols, col)
		}
	}
	return cols
}

// timing is that of a game that ends when the board is full.
func (c *connect4Variant) timing() clock.Params {
	return clock.Solver(c.pos.Ply()&1, (connect4.Cells-c.pos.Ply()+1)/2, moveOverhead(c.opts))
}

// draw prints the board, the columns that led to it, and whose turn it is.
func (c *connect4Variant) draw(print func(string)) {
	lines(c.pos.String(), print)
	print("Moves: " + c.played)
	turn := [...]string{"x", "o"}[c.pos.Ply()&1]
	switch won, over := c.pos.Over(); {
	case won:
		print("Over: " + [...]string{"o", "x"}[c.pos.Ply()&1] + " has won")
	case over:
		print("Over: a draw")
	default:
		print("To move: " + turn)
	}
	print(fmt.Sprintf("Key: %d", c.pos.Key()))
}

func (c *connect4Variant) explain(func(string)) error {
	return errors.New("eval: Connect Four is solved, there is no static evaluation")
}

func (c *connect4Variant) perft(ctx context.Context, depth int, print func(string)) error {
	return connect4game.Perft(ctx, c.pos, depth, print)
}

func (c *connect4Variant) tableLine() string {
	return c.table.Line((*exact.Solver).Full)
}

// plan prints what a table of a size would be, and what the machine has for it.
// Nothing is allocated.
func (c *connect4Variant) plan(mib uint64, print func(string)) error {
	s, err := exact.Shape(int(mib))
	if err != nil {
		return err
	}
	print(fmt.Sprintf("table     %d buckets of %d words of 8 bytes, %d key bits: exact, as %d · 2^%d exceeds the largest key, %d",
		s.Buckets, s.EntriesPerBucket, s.KeyBits, s.Buckets, s.KeyBits, connect4.MaxKey))
	table.PrintMachine(s.Bytes(), print)
	return nil
}
