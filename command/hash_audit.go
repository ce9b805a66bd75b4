package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"trefoil/cluster"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/observe"
	"trefoil/ttanalysis/report"
)

type hashAudit struct {
	KeyBits   []keyBits     `name:"keybits" default:"8,10,12,14,16,21" help:"Numbers of check bits to compare, 8 to 21."`
	Variant   string        `enum:"${alphabeta}" default:"${game}" help:"The game: ${enum}."`
	Hash      cli.MiB       `default:"16" help:"Size of the table in MiB."`
	Index     cluster.Index `enum:"${indexes}" default:"auto" help:"How keys are mapped to clusters: ${enum}."`
	Nodes     cli.Nodes     `default:"200000" help:"Nodes to search in each position; 0: no limit, only with --depth."`
	Depth     searchDepth   `placeholder:"N" help:"Depth of each search, 0 to 100; 0: no limit."`
	Threads   cli.Threads   `default:"1" help:"Search threads, which share one table."`
	Seeds     keySeeds      `default:"1" help:"Number of key seeds to repeat the audit with, for intervals."`
	FEN       string        `name:"fen" placeholder:"FEN" help:"Search this position only, a FEN or SFEN."`
	gameFlags `embed:""`
	Blame     uint   `placeholder:"N" help:"Look for N false hits that alone change the best move."`
	Only      uint64 `placeholder:"K" help:"Accept only false hit number K."`
	TSV       string `name:"tsv" placeholder:"FILE" setting:"-" help:"Write the counts, or the false hits of --blame, to this file, separated by tabs."`
	Plot      string `placeholder:"NAME" setting:"-" help:"Draw measured and expected false hits: NAME.svg."`
	batch.Flags
	File string `arg:"" optional:"" setting:"-" help:"Positions, one per line, as FEN, EPD or SFEN; or games. By default the positions of bench."`
}

// keySeeds is a number of key seeds.
type keySeeds int

// UnmarshalText reads it.
func (n *keySeeds) UnmarshalText(text []byte) (err error) {
	*n, err = cli.Whole[keySeeds](text, 1, 1000)
	return err
}

// Help is printed by -h.
func (*hashAudit) Help() string {
	return `Searches positions, each with an empty table, with different numbers of check bits. A hit on an
entry of another position (a false hit) is detected by a second, independent key beside each
entry, which takes 75 % more memory.

For each number of check bits, it prints the false hits; their first occurrences, that is, without
further hits of the same position on the same entry; the number expected of independent keys; the
ratio of these two; the distinct differences between the two positions (any two positions with the
same difference have the same check bits: Zobrist's clustering); what the false hits were used
for; those with an illegal move; and the searches whose best move is not that of the search with
all bits.

A file of games (.pgn; shogi: .kif, .ki2, .csa, .jkf, .usi) stands for all positions of its games.
--pgn FILE takes the positions of one game and keeps the table from move to move.

With --seeds N, the audit is repeated with N seeds of the Zobrist keys, and the counts are added
up. Each seed is one independent sample, so the ratio has a 95 % interval, by Student's
distribution over the seeds. An interval from the counts of one seed would be too narrow, because
its false hits come in groups.

With --json, there is a record for each position. --shard, --jobs and --resume divide the
positions; without --json, the table covers the positions of this run. trefoil merge prints the
table of all records.

With --blame, it looks for false hits that change the best move when they alone are accepted. It
prints both positions with both keys, and the command with --only that repeats the search.

Exit status: 0 on success; 1 if, with --json, --shard, --jobs or --resume, a line holds no
position; 2 on wrong usage or failure; 130 after Ctrl-C.`
}

func (a *hashAudit) Run(ctx context.Context, line *kong.Context, std *cli.Console) error {
	if err := a.check(); err != nil {
		return err
	}
	if err := writable(a.outputs(), a.File+a.PGN); err != nil {
		return err
	}
	made := newOrigin(line.Args)
	if a.JSON || a.Divided() {
		return a.sweepPositions(ctx, made, std)
	}
	suite, err := a.suite(ctx, std)
	if err != nil {
		return err
	}
	a.configure(&suite)
	switch {
	case a.Only > 0:
		return a.acceptOnly(ctx, suite, made, std.Out)
	case a.Blame > 0:
		return a.findDecisive(ctx, suite, made, std.Out)
	}
	return a.sweep(ctx, suite, made, std)
}

// configure sets how a suite is searched.
func (a *hashAudit) configure(s *observe.Suite) {
	s.MiB, s.Index, s.KeyBits = uint64(a.Hash), a.Index, int(a.KeyBits[0])
	s.Nodes, s.Depth, s.Threads = uint64(a.Nodes), int(a.Depth), int(a.Threads)
}

// sweepOptions are the audits of every position, one for each number of check bits and key seed.
func (a *hashAudit) sweepOptions() observe.SweepOptions {
	o := observe.SweepOptions{Seeds: int(a.Seeds)}
	for _, n := range a.KeyBits {
		if !slices.Contains(o.KeyBits, int(n)) {
			o.KeyBits = append(o.KeyBits, int(n))
		}
	}
	return o
}

// title says what is audited.
func (a *hashAudit) title(s observe.Suite) string {
	return fmt.Sprintf("%s; the audit keeps 8 bytes an entry, %.1f MiB", s.Title(), float64(s.MiB)*3/4)
}

// suite returns the positions to search.
func (a *hashAudit) suite(ctx context.Context, std *cli.Console) (observe.Suite, error) {
	if a.PGN != "" {
		return a.gameFlags.suite(ctx, std, a.Variant)
	}
	return newSuite(ctx, std, a.Variant, a.FEN, a.File)
}

// check refuses flags that contradict each other.
func (a *hashAudit) check() error {
	single := a.Only > 0 || a.Blame > 0
	switch {
	case len(a.KeyBits) == 0:
		return errors.New("--keybits: expected at least one number")
	case single && (len(a.KeyBits) != 1 || a.Threads > 1 || a.Seeds > 1):
		return errors.New("--only and --blame need one number of --keybits, one thread and one key seed")
	case a.Only > 0 && a.FEN == "":
		return errors.New("--only needs --fen")
	case a.Only > 0 && a.Blame > 0:
		return errors.New("--only and --blame cannot be used together")
	case single && a.Plot != "":
		return errors.New("--plot cannot be used with --only or --blame")
	case a.PGN == "" && a.Game != 1:
		return errGameAlone
	case a.PGN != "" && (a.FEN != "" || a.File != ""):
		return errors.New("--pgn cannot be used with --fen or a file of positions")
	case a.PGN != "" && single:
		return errors.New("--only and --blame need an empty table for each position: they cannot be used with --pgn")
	case (a.PGN != "" || single) && (a.JSON || a.Divided()):
		return errors.New("--json, --shard, --jobs and --resume need independent positions: they cannot be used with " +
			"--pgn, --only or --blame")
	case a.Nodes == 0 && a.Depth == 0:
		return errors.New("--nodes 0 without --depth: the search would not end")
	case a.FEN != "" && a.File != "":
		return fmt.Errorf("--fen and the file %s cannot be used together", a.File)
	}
	return nil
}

// outputs returns the files that will be written.
func (a *hashAudit) outputs() (paths []string) {
	if a.TSV != "" {
		paths = append(paths, a.TSV)
	}
	if a.Plot != "" {
		paths = append(paths, a.Plot+".svg")
	}
	return paths
}

// sweep prints a line for each number of check bits, and writes the output files.
func (a *hashAudit) sweep(ctx context.Context, s observe.Suite, made report.Origin, std *cli.Console) error {
	o := a.sweepOptions()
	progress := cli.NewProgress(std.Err, 0)
	o.Progress = func(done, total int) {
		progress.Total = total
		progress.Show(done)
	}
	var results []ttanalysis.AuditResult
	err := s.Sweep(ctx, o, func(r ttanalysis.AuditResult) {
		progress.Clear()
		if len(results) == 0 {
			std.Println(a.title(s) + "\n\n" + report.SweepHead())
		}
		std.Println(report.SweepLine(&r))
		results = append(results, r)
	})
	progress.Clear()
	if err != nil {
		return err
	}
	std.Println("\n" + strings.Join(report.SweepNotes(results), "\n"))
	return a.save(results, s.Title(), made)
}

// save writes the output files.
func (a *hashAudit) save(results []ttanalysis.AuditResult, title string, made report.Origin) error {
	if files := a.outputs(); len(results) == 0 && len(files) > 0 {
		return fmt.Errorf("%s: not written: no position was audited", strings.Join(files, ", "))
	}
	if a.TSV != "" {
		if err := report.SaveSweep(a.TSV, title, results, made); err != nil {
			return err
		}
	}
	if a.Plot != "" {
		return report.DrawSweep(a.Plot+".svg", results)
	}
	return nil
}

// acceptOnly prints a false hit and its effect, and writes the output file.
func (a *hashAudit) acceptOnly(ctx context.Context, s observe.Suite, made report.Origin, out io.Writer) error {
	b, err := s.AcceptOnly(ctx, a.Only)
	if err != nil {
		return err
	}
	printDecisive(out, b)
	return a.saveDecisive(s, fmt.Sprintf("false hit %d", a.Only),
		[]report.Decisive{{DecisiveHit: b, Command: made.Command}}, made)
}

// findDecisive prints false hits that alone change the best move, and the command that repeats
// each search, and writes the output file.
func (a *hashAudit) findDecisive(ctx context.Context, s observe.Suite, made report.Origin, out io.Writer) error {
	var hits []report.Decisive
	tried, err := s.FindDecisive(ctx, int(a.Blame), func(b ttanalysis.DecisiveHit) {
		index := ""
		if s.Index != cluster.Auto {
			index = fmt.Sprintf(" --index %s", s.Index)
		}
		command := fmt.Sprintf("trefoil hash audit --variant %s --hash %d%s --nodes %d --depth %d --keybits %d --only "+
			"%d --fen '%s'",
			s.Game, s.MiB, index, s.Nodes, s.Depth, s.KeyBits, b.Hit.Number, b.Setup)
		hits = append(hits, report.Decisive{DecisiveHit: b, Command: command})
		fmt.Fprintf(out, "%d. %s\n", len(hits), b.Setup)
		printDecisive(out, b)
		fmt.Fprintf(out, "  %s\n\n", command)
	})
	if err != nil {
		return err
	}
	summary := fmt.Sprintf("tried %s one by one; %d change the best move", cli.Count(tried, "false hit"), len(hits))
	if _, err := fmt.Fprintln(out, summary); err != nil {
		return err
	}
	return a.saveDecisive(s, summary, hits, made)
}

// saveDecisive writes false hits to the output file.
func (a *hashAudit) saveDecisive(s observe.Suite, summary string, hits []report.Decisive, made report.Origin) error {
	if a.TSV == "" {
		return nil
	}
	title := fmt.Sprintf("%s, %d check bits; %s", s.Title(), s.KeyBits, summary)
	return report.SaveDecisive(a.TSV, title, s.Game, hits, made)
}

// printDecisive prints a false hit and its effect.
func printDecisive(out io.Writer, b ttanalysis.DecisiveHit) {
	h := b.Hit
	fmt.Fprintf(out, "best move without false hits %s, with this one %s\n", b.Without, b.With)
	fmt.Fprintf(out, "  false hit %d, used for %s: value %d, depth %d, eval %d\n", h.Number, h.Use, h.Entry.Value,
		h.Entry.Depth, h.Entry.Eval)
	for _, side := range []struct {
		what string
		id   ttanalysis.Identity
	}{{"probed", h.Probed}, {"stored", h.Stored}} {
		fmt.Fprintf(out, "  %-6s  key %016x  second key %016x  %s\n", side.what, side.id.Key, side.id.Second, side.id.Text)
	}
}
