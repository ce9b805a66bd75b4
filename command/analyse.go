package command

import (
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
	"trefoil/internal/cli"
	"trefoil/internal/pipe"
	"trefoil/options"
	"trefoil/search"
)

type analyse struct {
	Nodes   cli.Nodes   `placeholder:"N" help:"Nodes of each search; 1000000 if there is no other limit."`
	Depth   searchDepth `placeholder:"N" help:"Depth of each search, 0 to 100; 0: no limit."`
	Time    cli.Timeout `placeholder:"T" help:"Time of each search, such as 500ms or 2s."`
	Hash    cli.MiB     `default:"256" help:"Size of the table in MiB."`
	Threads cli.Threads `default:"1" help:"Search threads, which share the table."`
	Format  string      `enum:"${formats}" default:"auto" help:"Format of the games: ${enum}. auto goes by the name of the file (.pgn, .kif, .kifu, .csa), else by its beginning."`
	Output  string      `short:"o" placeholder:"FILE" help:"Write the games to this file; - is standard output, the default."`
	File    string      `arg:"" optional:"" help:"The games; standard input if there is no file or it is -."`
}

// Help is printed by -h.
func (*analyse) Help() string {
	return `Searches every position of the games in a file and writes the games with scores, marks and best
lines. Tags, comments and variations are kept. The positions of a game are searched from the last
to the first, with one table.

A move is marked by how much of the expected result it loses against the best move. The expected
result is 1 / (1 + exp(-score / scale)), and 1 for a mate:

    chess   scale 271.6   ?! from 5 %, ? from 10 %, ?? from 15 %         (as lichess)
    shogi   scale 600     緩手 from 5 %, 疑問手 from 10 %, 悪手 from 20 %  (as ShogiHome)

For each game, the summary on standard error has the moves that lost most and, for each side, the
marked moves, the average centipawn loss (scores beyond 1000 count as 1000), and the average
accuracy of the moves by the formula of https://lichess.org/page/accuracy, without its weights.

PGN: the score after a move is a comment, [%eval 0.23] or [%eval #5], from White's point of view.
A marked move gets its mark, unless it has one already, and the best line as a variation.

KIF and CSA, in UTF-8 or Shift_JIS: a comment after each move has the score, from Black's point of
view, and the best line, in the format of ShogiGUI. Another comment names a move that lost much.

A game that cannot be read is reported with its number, line and move, and is not written; the
others are. After Ctrl-C, the games that are finished are written. An output file is replaced only
at the end, as a whole, and is never the input.

Exit status: 0 on success; 1 if a game could not be read; 2 on wrong usage or failure; 130 after
Ctrl-C.`
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
const beginning = 64

// format returns the format of the games, and a reader of the whole input.
func (a *analyse) format(in io.Reader) (*analysis.Format, io.Reader, error) {
	for _, f := range analysis.Formats {
		if f.Name == a.Format {
			return f, in, nil
		}
	}
	if f := analysis.FormatOf(a.File); f != nil {
		return f, in, nil
	}
	head, err := io.ReadAll(io.LimitReader(in, beginning))
	if err != nil {
		return nil, nil, err
	}
	if len(head) < beginning { // a terminal would have to be closed twice
		in = strings.NewReader("")
	}
	f := analysis.Recognise(head)
	if f == nil {
		f = analysis.Formats[0]
	}
	return f, io.MultiReader(bytes.NewReader(head), in), nil
}

func (a *analyse) Run(ctx context.Context, std *cli.Console) (err error) {
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
	format, err := pipe.Within(ctx, func() (f *analysis.Format, err error) {
		f, in, err = a.format(in)
		return f, err
	})
	if err != nil {
		return err
	}
	if f := analysis.FormatOf(a.Output); f != nil && f != format {
		return fmt.Errorf("%s: games in %s cannot be converted to %s", a.Output, format.Name, f.Name)
	}
	e, err := a.engine(ctx, format.Variant)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	run := analyser{analyse: a, std: std, engine: e, out: std.Out}
	if a.Output == "" || a.Output == cli.Standard {
		return run.games(ctx, format.Open(in))
	}
	if err := writable([]string{a.Output}, a.File); err != nil {
		return err
	}
	out, err := atomicfile.Create(a.Output, format.Check)
	if err != nil {
		return err
	}
	run.out = out
	err = run.games(ctx, format.Open(in))
	if run.written == 0 || run.failed {
		return errors.Join(err, out.Discard())
	}
	return errors.Join(out.Commit(), err)
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
	written int  // games
	failed  bool // to write
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

// name is the name of the input.
func (a *analyser) name() string {
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
	for side, name := range record.Sides() {
		if s := r.Summary(side); s.Moves > 0 {
			print("  %s: %s, %s, %s; average centipawn loss %.0f, accuracy %.1f %%", name,
				count(s.Marks[analysis.Inaccuracy], "inaccuracy", "inaccuracies"),
				count(s.Marks[analysis.Mistake], "mistake", "mistakes"),
				count(s.Marks[analysis.Blunder], "blunder", "blunders"), s.Centipawns, s.Accuracy)
		}
	}
	for _, i := range r.Worst(worst) {
		print("  %s lost %.0f %%; best was %s", record.MoveText(i), 100*r.Loss(i).Expected,
			record.LineText(i, r.Positions[i].Line[:1]))
	}
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
