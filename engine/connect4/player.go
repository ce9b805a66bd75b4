package connect4

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/container"
	"trefoil/internal/mem"
	"trefoil/options"
	"trefoil/remainder"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/exact"
)

// player plays Connect Four by the exact solver, and by a book.
type player struct {
	options *config.Options
	notices *table.Notices
	table   *table.Owner[*exact.Solver]
	env     registry.Env
	board   *rules.Board
	size    memory.Size // of table
	pages   mem.Pages   // of table
	pos     rules.Position
	moves   string // the columns that led to pos
	book    *book.Book
	file    string // from which the book is; "" for that of the program and for none
}

var _ registry.Hasher = (*player)(nil)

// newPlayer returns a player at the empty board.
func newPlayer(env registry.Env) registry.Player {
	p := &player{options: env.Options, notices: env.Notices, env: env, board: rules.Standard, book: book.Start()}
	p.table = table.NewOwner(env.Notices, p.describe)
	file := options.NewText(env.Options.Set, options.Decl{UCI: "Connect4 Book", Games: []string{name},
		Help:    "a file made by `trefoil book connect4`",
		Details: "Empty: the scores of the first eight plies of the standard game. `none`: no book"})
	file.OnRead(p.openBook)
	size := options.NewText(env.Options.Set,
		options.Decl{UCI: "Connect4 Board", Games: []string{name}, SetsPosition: true,
			Help:    "width and height of the board, such as `8x7`, at least 4 each, with width × (height + 1) at most 128",
			Details: "Empty: `7x6`. A change sets up the empty board"})
	connect := options.NewSpin(env.Options.Set,
		options.Decl{UCI: "Connect4 Line", Games: []string{name}, SetsPosition: true,
			Help: "how many stones in a row win", Details: "A change sets up the empty board"}, rules.Standard.Connect,
		rules.MinConnect, rules.MaxConnect)
	size.OnChange(func(text string) error {
		err := p.setBoard(text, connect.Value())
		if err == nil && text != size.Value() { // a change, perhaps to another name of the same board
			p.pos, p.moves = p.board.Start(), ""
		}
		return err
	})
	connect.OnChange(func(n int) error { return p.setBoard(size.Value(), n) })
	return p
}

// setBoard changes the board, and sets up the empty one.
func (p *player) setBoard(size string, connect int) error {
	b, err := rules.ParseBoard(cmp.Or(size, "7x6"), connect)
	if err != nil || b == p.board {
		return err
	}
	old := p.board
	p.board = b
	if !p.table.Empty() {
		if err := p.replace(p.size, p.pages); err != nil {
			p.board = old
			return err
		}
	}
	p.pos, p.moves = b.Start(), ""
	p.checkBook()
	return nil
}

// describe returns the line about a table.
func (p *player) describe(s *exact.Solver) string {
	return fmt.Sprintf("hash %v: %s, %s", p.size, s, p.table.Pages(s.Memory()))
}

// noBook has no positions.
var noBook = new(book.Book)

// openBook opens the book in a file, or the book of the program if path is empty.
func (p *player) openBook(ctx context.Context, path string) error {
	switch path {
	case "":
		p.book, p.file = book.Start(), ""
		return nil
	case "none":
		p.book, p.file = noBook, ""
		return nil
	}
	b, err := book.OpenFrom(container.File(path).Within(ctx))
	if err != nil {
		return err
	}
	p.book, p.file = b, path
	p.checkBook()
	return nil
}

// checkBook tells the user if the book in a file is for another board. It is kept, as the board may be set later.
func (p *player) checkBook() {
	if p.file != "" && p.book.Board() != p.board {
		p.notices.Add(fmt.Sprintf("Connect4 Book %s is for the board %v: it has no effect with %v", p.file,
			p.book.Board(), p.board))
	}
}

// NewGame is registry.Hasher.NewGame.
func (p *player) NewGame(keep bool) {
	if !keep {
		p.Clear()
	}
}

// Clear is registry.Hasher.Clear.
func (p *player) Clear() { p.table.Clear() }

// Settle is registry.Hasher.Settle. If the table cannot be made, the first search says why.
func (p *player) Settle(ctx context.Context) {
	_ = p.ensure()
	p.table.AwaitTouched(ctx)
}

// ensure makes a table unless there is one.
func (p *player) ensure() error {
	if !p.table.Empty() {
		return nil
	}
	size, why := p.env.FirstSize(p)
	return p.table.First(size, why, p.resize)
}

// Close is registry.Hasher.Close.
func (p *player) Close() error { return p.table.Close() }

// hashFull returns how full the table is in permille, or −1 while its memory is being touched: a
// sample of a thousand entries would then wait for a thousand pages.
func (p *player) hashFull() int {
	if !p.table.Touched() {
		return -1
	}
	return p.table.Table().Full()
}

// Resize is registry.Hasher.Resize.
func (p *player) Resize(_ context.Context, bytes uint64) error {
	if err := p.env.Fit(p, memory.Hash, bytes); err != nil {
		return err
	}
	return p.resize(memory.Whole(bytes))
}

// resize makes a table of that size, unless there is one.
func (p *player) resize(size memory.Size) error { return p.remake(size, p.options.HashPages.Value()) }

// Use is registry.Hasher.Use.
func (p *player) Use() memory.Use {
	u := memory.Use{Worker: exact.WorkerBytes(p.board), Ordinary: p.table.Ordinary()}
	if !p.table.Empty() {
		u.Table = p.size.Bytes
	}
	return u
}

// Repage is registry.Hasher.Repage.
func (p *player) Repage(pages mem.Pages) error {
	if p.table.Empty() {
		return nil
	}
	return p.remake(p.size, pages)
}

// remake replaces the table unless it is as requested already.
func (p *player) remake(size memory.Size, pages mem.Pages) error {
	if !p.table.Empty() && size == p.size && pages == p.pages {
		return nil
	}
	return p.replace(size, pages)
}

// replace makes a new table.
func (p *player) replace(size memory.Size, pages mem.Pages) error {
	s, err := exact.New(exact.Options{
		Board: p.board, Hash: int(size.MiB()), Threads: p.options.Threads.Value(), Memory: p.table.Memory(size, pages),
	})
	if err != nil {
		return err
	}
	p.table.Stop() // describe may be running
	p.size, p.pages = size, pages
	p.table.Replace(s)
	return nil
}

// SetThreads is registry.Hasher.SetThreads.
func (p *player) SetThreads(n int) {
	if !p.table.Empty() {
		p.table.Table().SetThreads(n)
	}
}

// TableLine is registry.Hasher.TableLine.
func (p *player) TableLine() string { return p.table.Line((*exact.Solver).Full) }

// Plan is registry.Hasher.Plan.
func (p *player) Plan(mib uint64, print func(string)) error {
	s, err := exact.Shape(p.board, int(mib))
	if err != nil {
		return err
	}
	entries := "words of 8 bytes"
	if p.board.Small == nil {
		entries = "entries of 16 bytes"
	}
	print(fmt.Sprintf("table     %d buckets of %d %s, %d key bits: exact, as %d · 2^%d exceeds the "+
		"largest key, %v",
		s.Buckets, s.EntriesPerBucket, entries, s.KeyBits, s.Buckets, s.KeyBits,
		remainder.Key{High: p.board.MaxHigh, Low: p.board.MaxKey}))
	table.PrintMachine(s.Bytes(), p.options.HashPages.Value(), print)
	return nil
}

// SetPosition sets up the empty board ("startpos") or the position after a string of columns, and plays the
// moves: every token is one column or several.
func (p *player) SetPosition(setup string, moves []string) error {
	var b strings.Builder
	if setup != "startpos" {
		if strings.ContainsAny(setup, " \t") {
			return fmt.Errorf("%.60q is not a sequence of columns", setup)
		}
		b.WriteString(setup)
	}
	for _, m := range moves {
		b.WriteString(m)
	}
	pos, err := p.board.Parse(b.String())
	if err != nil {
		return err
	}
	p.pos, p.moves = pos, b.String()
	return nil
}

func (p *player) Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	if _, over := p.pos.Over(); over {
		report(search.Info{MultiPV: 1, Score: distance(p.pos, p.pos.FinalScore()), HashFull: -1})
		return search.Result{}
	}
	cols := p.columns(limits.SearchMoves, report)
	if err := p.ensure(); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: rules.Text(cols[0])}
	}
	for _, line := range p.notices.Take() {
		report(search.Info{Text: line})
	}
	side := p.pos.Ply() & 1
	p.table.AwaitReady(ctx, clock.ClearTimeout(&limits, side))
	timing := clock.Solver(side, (p.board.Cells-p.pos.Ply()+1)/2, p.options.Clock())
	ctx, cancel := timing.Context(ctx, limits)
	defer cancel()
	half, stop := timing.HalfContext(ctx, limits)
	p.table.AwaitTouched(half)
	stop()
	s := &solverSearch{player: p, limits: limits, book: p.book, report: report}
	if limits.NoBook {
		s.book = noBook
	}
	if len(limits.SearchMoves) == 0 && p.options.MultiPV.Value() == 1 {
		return s.position(ctx)
	}
	return s.moves(ctx, cols)
}

// columns returns the columns that may be searched, from the middle outwards.
func (p *player) columns(wanted []string, report func(search.Info)) (cols []int) {
	allowed := make([]bool, p.board.Width)
	some := false
	for _, text := range wanted {
		col, err := p.pos.ParseMove(text)
		if err != nil {
			report(search.Info{Text: "searchmoves: " + err.Error()})
			continue
		}
		allowed[col], some = true, true
	}
	if len(wanted) > 0 && !some {
		report(search.Info{Text: registry.NoneLegal})
	}
	for _, col := range p.board.MiddleFirst {
		if p.pos.CanPlay(col) && (allowed[col] || !some) {
			cols = append(cols, col)
		}
	}
	return cols
}

// Draw prints the board, the columns that led to it, and whose turn it is.
func (p *player) Draw(print func(string)) {
	registry.PrintLines(p.pos.String(), print)
	print("Moves: " + p.moves)
	side, other := "x", "o"
	if p.pos.Ply()&1 == 1 {
		side, other = other, side
	}
	switch won, over := p.pos.Over(); {
	case won:
		print("Over: " + other + " has won")
	case over:
		print("Over: a draw")
	default:
		print("To move: " + side)
	}
	high, low := p.pos.WideKey()
	print(fmt.Sprintf("Key: %v", remainder.Key{High: high, Low: low}))
}

func (p *player) Perft(depth int) *registry.Perft { return perft(p.pos, depth) }
