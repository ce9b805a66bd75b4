package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"trefoil/engine"
	"trefoil/engine/analysis"
	"trefoil/internal/atomicfile"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/pipe"
	"trefoil/internal/text"
	"trefoil/options"
	"trefoil/search"
)

type analyse struct {
	Nodes   cli.Nodes   `placeholder:"N" help:"Nodes of each search; 1000000 if there is no other limit."`
	Depth   searchDepth `placeholder:"N" help:"Depth of each search, 0 to 100; 0: no limit."`
	Time    cli.Timeout `placeholder:"T" help:"Time of each search, such as 500ms or 2s."`
	Hash    cli.MiB     `default:"256" help:"Size of the table in MiB."`
	Threads cli.Threads `default:"1" help:"Search threads, which share the table."`
	Format  string      `enum:"${formats}" default:"auto" setting:"-" help:"Format of the input: ${enum}. auto goes by the name of the file, else by its beginning."`
	Output  string      `short:"o" placeholder:"FILE" setting:"-" help:"Write the games to this file; - is standard output, the default."`
	HTML    string      `name:"html" placeholder:"FILE" setting:"-" help:"Write the games, with curves and boards, also as an HTML page to this file."`
	batch.Flags
	File string `arg:"" optional:"" setting:"-" help:"The games or positions; standard input if there is no file or it is -."`
}

// Help is printed by -h.
func (*analyse) Help() string {
	return `Searches every position of the games in a file and writes the games with scores, marks and best
lines. Tags, comments and variations are kept. The positions of a game are searched from the last
to the first, with one table. Positions of a list are searched each with an empty table.

A move is marked by how much of the expected result it loses against the best move. The expected
result is 1 / (1 + exp(-score / scale)), and 1 for a mate:

    chess   scale 271.6   ?! from 5 %, ? from 10 %, ?? from 15 %         (as lichess)
    shogi   scale 600     緩手 from 5 %, 疑問手 from 10 %, 悪手 from 20 %  (as ShogiHome)

For each game, the summary on standard error has the moves that lost most and, for each side, the
marked moves, the average centipawn loss (scores beyond 1000 count as 1000), and the average
accuracy of the moves by the formula of https://lichess.org/page/accuracy, without its weights.

PGN: the score after a move is a comment, [%eval 0.23] or [%eval #5], from White's point of view.
A marked move gets its mark, unless it has one already, and the best line as a variation.

KIF and CSA, in UTF-8 or Shift_JIS; KI2, JKF, and a game or a position in USI's notation, which are
written in KIF: a comment after each move has the score, from Black's point of
view, and the best line, in the format of ShogiGUI. Another comment names a move that lost much.

A game that cannot be read is reported with its number, line and move, and ends at the error, or is
left out if no move precedes. After Ctrl-C, the games that are finished are written. An output file
is replaced only at the end, as a whole, and is never the input.

A list has a position on each line, of chess as FEN or EPD, of shogi as SFEN, unless the line is
empty or begins with #. Operations of an EPD may follow, each with a semicolon after it:

    bm MOVES        any of these moves is right, such as bm Qg6 Rd1; or bm g3g6;
    am MOVES        these moves are wrong
    dm N, bm #N     there is a mate in N moves, or a shorter one; negative: the side to move is mated
    c0 "MOVE=N, …"  the points of moves, as in the Strategic Test Suite
    id "TEXT"       a name

The answer to each position has these fields, separated by tabs: the number of the line; the id or
the position; the move; cp and centipawns, or mate and moves, for the side to move; depth; nodes;
milliseconds; right, wrong or -, and the points, if any; the best line. The last line is a summary.
Wrong answers, and lines that hold no position or a move that is not legal, are reported and the run
continues.

With --json or --resume, a file of games stands for all positions of its games, in order.

Exit status: 0 on success; 1 if a game or a line could not be read or an answer is wrong; 2 on wrong
usage or failure; 130 after Ctrl-C.`
}

// defaultNodes limits each search if nothing else does.
const defaultNodes = 1_000_000

// limits returns the limits of each search.
func (a *analyse) limits() search.Limits {
	l := search.Limits{Nodes: uint64(a.Nodes), Depth: int(a.Depth), MoveTime: time.Duration(a.Time)}
	if l.Nodes == 0 && l.Depth == 0 && l.MoveTime == 0 {
		l.Nodes = defaultNodes
	}
	return l
}

// beginning is how many bytes of a text tell its format.
const beginning = 256

// source is what is analysed: games, or a list if games is nil.
type source struct {
	games *analysis.Format
	list  *analysis.List // of the game of the games
	in    io.Reader      // of the whole input
}

// source returns what is analysed.
func (a *analyse) source(in io.Reader) (s source, err error) {
	in = text.Reader(in)
	s.in = in
	for _, l := range analysis.Lists {
		if l.Name == a.Format {
			s.list = l
		}
	}
	for _, f := range analysis.Formats {
		if f.Name == a.Format {
			s.games = f
		}
	}
	if s.list == nil && s.games == nil {
		s.list, s.games = analysis.ListOf(a.File), analysis.FormatOf(a.File)
	}
	if s.list == nil && s.games == nil {
		var head []byte
		if head, s.in, err = peek(in); err != nil {
			return s, err
		}
		if s.list = analysis.RecogniseList(head); s.list == nil {
			s.games = analysis.Guess(head)
		}
		if s.list == nil && s.games == nil {
			return s, fmt.Errorf("%s: it begins like no format of games or positions; --format names it: %s", a.name(),
				strings.Join(formats()[1:], ", "))
		}
	}
	for _, l := range analysis.Lists {
		if s.games != nil && l.Variant == s.games.Variant {
			s.list = l
		}
	}
	return s, nil
}

// peek returns the beginning of a text, more of it if that is a comment, and a reader of the whole text.
func peek(in io.Reader) (head []byte, whole io.Reader, err error) {
	r := bufio.NewReader(in)
	head, err = r.Peek(beginning)
	if bytes.HasPrefix(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("#")) {
		head, err = r.Peek(r.Size())
	}
	if err == io.EOF { // a terminal would have to be closed twice
		return head, bytes.NewReader(head), nil
	}
	return head, r, err
}

func (a *analyse) Run(ctx context.Context, std *cli.Console) error {
	in := std.In
	if a.File != "" && a.File != cli.Standard {
		std.NotePipe(a.File)
		f, err := pipe.Within(ctx, func() (*os.File, error) { return os.Open(a.File) })
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	s, err := pipe.Within(ctx, func() (source, error) { return a.source(in) })
	if err != nil {
		return err
	}
	if a.JSON || a.Resume != "" || s.games == nil {
		return a.positions(ctx, std, s)
	}
	if a.Divided() {
		return errors.New("--shard and --jobs are for positions: with games they need --json or --resume")
	}
	return a.games(ctx, std, s.games, s.in)
}

// games analyses games and writes them.
func (a *analyse) games(ctx context.Context, std *cli.Console, format *analysis.Format, in io.Reader) (err error) {
	if f := analysis.FormatOf(a.Output); f != nil && f != format.Output() {
		return fmt.Errorf("%s: games in %s are written in %s, not in %s", a.Output, format.Name, format.Output().Name, f.Name)
	}
	e, err := a.engine(ctx, format.Variant)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	run := analyser{analyse: a, std: std, engine: e, out: std.Out}
	if a.HTML != "" {
		if run.page, err = a.createPage(e.Name(), format.Variant); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, run.page.close()) }()
	}
	if a.Output == "" || a.Output == cli.Standard {
		err = run.games(ctx, format.Open(in))
		run.interrupted(ctx, "standard output")
		return err
	}
	if err := writable([]string{a.Output}, a.File); err != nil {
		return err
	}
	out, err := atomicfile.Create(a.Output, format.Output().Check)
	if err != nil {
		return err
	}
	run.out = out
	err = run.games(ctx, format.Open(in))
	if run.written == 0 || run.failed {
		err = errors.Join(err, out.Discard())
	} else if failed := out.Commit(); failed != nil {
		return errors.Join(failed, err)
	}
	run.interrupted(ctx, a.Output)
	return err
}

// engine returns an engine of a game with the options of the command line.
func (a *analyse) engine(ctx context.Context, variant string) (*engine.Engine, error) {
	e := engine.New()
	for _, o := range [][2]string{
		{"UCI_Variant", variant}, {"Threads", strconv.Itoa(int(a.Threads))}, {"Hash", strconv.FormatUint(uint64(a.Hash), 10)},
	} {
		if err := e.Options().Set(ctx, options.UCI, o[0], o[1]); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	return e, nil
}

// analyser is a run over a file.
type analyser struct {
	*analyse
	std     *cli.Console
	engine  *engine.Engine
	out     io.Writer
	page    *analysisPage // of --html, or nil
	written int           // games
	failed  bool          // to write
}

// games analyses and writes the games that next returns.
func (a *analyser) games(ctx context.Context, next func() (analysis.Record, error)) error {
	bad := 0
	for n := 1; ; n++ {
		record, err := pipe.Within(ctx, next)
		switch wrong := (*analysis.RecordError)(nil); {
		case err == io.EOF && n == 1:
			return fmt.Errorf("%s: no games", a.name())
		case err == io.EOF && bad > 0:
			return &cli.Status{Code: cli.StatusWrong}
		case err == io.EOF:
			return nil
		case errors.As(err, &wrong):
			bad++
			if record == nil {
				a.std.Warnf("%s: %s", a.name(), printable(err.Error()))
				continue
			}
			a.std.Warnf("%s: %s; the game ends there", a.name(), printable(err.Error()))
		case err != nil:
			return err
		}
		if err := a.game(ctx, n, record); err != nil {
			return err
		}
	}
}

// interrupted says after Ctrl-C what was written to the output.
func (a *analyser) interrupted(ctx context.Context, output string) {
	switch {
	case ctx.Err() == nil || a.failed:
	case a.written == 0:
		a.std.Warnf("interrupted before a game was finished: nothing is written to %s", output)
	default:
		a.std.Warnf("interrupted: %s written to %s", count(a.written, "finished game is", "finished games are"), output)
	}
}

// name is the name of the input.
func (a *analyse) name() string {
	if a.File == "" || a.File == cli.Standard {
		return "standard input"
	}
	return a.File
}

// game analyses one game and writes it.
func (a *analyser) game(ctx context.Context, n int, record analysis.Record) error {
	g := record.Game()
	bar := cli.NewProgress(a.std.Err, len(g.Moves)+1)
	title := printable(record.Title())
	bar.Note = fmt.Sprintf("game %d: %s", n, title)
	r, err := analysis.Analyse(ctx, a.engine, g, record.Scale(), a.limits(), bar.Show)
	bar.Clear()
	if err != nil {
		return err
	}
	record.Annotate(r, a.engine.Name())
	if _, err := record.WriteTo(a.out); err != nil {
		a.failed = true
		return err
	}
	a.written++
	a.summary(n, title, record, r)
	if a.page != nil {
		return a.page.add(title, record, r)
	}
	return nil
}

// printable replaces what is not to be printed on a terminal, such as the codes that control it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// worst is how many moves a summary lists.
const worst = 5

// summary prints what is to be said about a game.
func (a *analyser) summary(n int, title string, record analysis.Record, r *analysis.Report) {
	print := func(format string, args ...any) { fmt.Fprintf(a.std.Err, format+"\n", args...) }
	print("game %d: %s, %s, %d nodes, %v", n, title, count(len(r.Game.Moves), "ply", "plies"), r.Nodes,
		r.Time.Round(10*time.Millisecond))
	for _, text := range r.SideTexts(record.Sides()) {
		print("  %s", text)
	}
	for _, i := range r.Worst(worst) {
		print("  %s", lossText(record, r, i))
	}
}

// lossText is what move i lost.
func lossText(record analysis.Record, r *analysis.Report, i int) string {
	return fmt.Sprintf("%s lost %.0f %%; best was %s", record.MoveText(i), 100*r.Loss(i).Expected,
		record.LineText(i, r.Positions[i].Line[:1]))
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
