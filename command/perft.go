package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"trefoil/engine"
	"trefoil/engine/registry"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
)

type perft struct {
	Variant string `enum:"${games}" default:"${game}" help:"The game: ${enum}."`
	File    string `placeholder:"FILE" setting:"-" help:"Count the leaves of the positions in this file, one per line; - is standard input."`
	batch.Flags
	Depth    perftDepth `arg:"" help:"The depth, 1 to 40."`
	Position []string   `arg:"" optional:"" passthrough:"partial" help:"A position in the notation of the game, or startpos, the default."`
}

// perftDepth is deeper than any count that ends.
type perftDepth int

// UnmarshalText reads a depth.
func (d *perftDepth) UnmarshalText(text []byte) (err error) {
	*d, err = cli.Whole[perftDepth](text, 1, maxPerftDepth)
	return err
}

const maxPerftDepth = 40

// Help is printed by -h.
func (*perft) Help() string {
	var b strings.Builder
	b.WriteString(`Prints the number of leaves below every move, the time, and the total.

With --file, each line of the file holds a position, unless it is empty or begins with #:

    POSITION [;D1 20] [;D2 400] ...   optionally with the expected leaves at some depths

The answer to each position has these fields, separated by tabs: the number of the line, the
position, the depth, the leaves, and milliseconds. Depths that the line states are counted in
order, up to that of the argument, and the last of them is printed; a line that states none is
counted to the depth of the argument. A count that differs from the stated one, and a line that
holds no position, are reported, and the run continues. The last line is a summary.

Notation of a position:
`)
	for _, g := range engine.Games().Games() {
		fmt.Fprintf(&b, "\n  %-10s %s", g.Name, g.Notation)
	}
	b.WriteString(`

Exit status: 0 on success; 1 after a wrong count or a bad line; 2 on wrong usage or failure;
130 after Ctrl-C.`)
	return b.String()
}

// Summary returns an empty summary of records, for trefoil merge.
func (*perft) Summary() *batch.Summary { return batch.NewSummary(&perftTotals{}) }

func (p *perft) Run(ctx context.Context, std *cli.Console) error {
	g, err := engine.Games().Find(p.Variant)
	if err != nil {
		return err
	}
	if p.File != "" {
		if len(p.Position) > 0 {
			return fmt.Errorf("--file and the position %.80q cannot be used together", strings.Join(p.Position, " "))
		}
		run := batch.Run[counted]{Flags: p.Flags, Console: std, Totals: &perftTotals{}}
		run.Open = func(context.Context, *batch.Screen) (batch.Solver[counted], error) {
			return &perftSolver{g, int(p.Depth)}, nil
		}
		return run.File(ctx, p.File)
	}
	if p.JSON || p.Divided() {
		return errors.New("--json, --shard, --jobs and --resume are for many positions: they need --file")
	}
	count, err := g.Perft(cmp.Or(strings.Join(p.Position, " "), "startpos"), int(p.Depth))
	if err != nil {
		return err
	}
	return count.Run(ctx, std.Println)
}

// perftSolver counts the positions of a file.
type perftSolver struct {
	game  *registry.Game
	depth int
}

// counted is what a record says about a position.
type counted struct {
	Depth    int     `json:"depth"`
	Leaves   uint64  `json:"leaves"`
	Expected *uint64 `json:"expected,omitempty"`
	Seconds  float64 `json:"seconds"`

	position string
}

// Text is the answer as a line.
func (c counted) Text(l batch.Line) string {
	return fmt.Sprintf("%d\t%s\t%d\t%d\t%d", l.Line, c.position, c.Depth, c.Leaves, int64(1000*c.Seconds))
}

// perftTotals are the sums over the answers of a run.
type perftTotals struct {
	positions int
	leaves    uint64
	seconds   float64
}

// Add counts an answer.
func (t *perftTotals) Add(c counted) {
	t.positions++
	t.leaves += c.Leaves
	t.seconds += c.Seconds
}

// Text is the last line of the output.
func (t *perftTotals) Text(c batch.Counts) string {
	return fmt.Sprintf("# %s, %d wrong, %s: %d leaves, %v", cli.Count(t.positions, "position"), c.Wrong,
		cli.Count(c.Bad, "bad line"), t.leaves,
		time.Duration(t.seconds*float64(time.Second)).Round(time.Millisecond))
}

func (s *perftSolver) Close() error { return nil }

// Solve counts the position of a line to every stated depth, until a count is wrong.
func (s *perftSolver) Solve(ctx context.Context, l batch.Line) (*batch.Answer[counted], error) {
	setup, stated, err := cutCounts(l.Text, s.depth)
	if err != nil {
		return nil, err
	}
	if len(stated) == 0 {
		stated = []depthCount{{depth: s.depth}}
	}
	start, a := time.Now(), &batch.Answer[counted]{}
	a.Fields.position = strings.Join(strings.Fields(setup), " ")
	for _, want := range stated {
		count, err := s.game.Perft(setup, want.depth)
		if err != nil {
			return nil, err
		}
		leaves, err := count.Total(ctx)
		if err != nil {
			return nil, nil // Ctrl-C
		}
		a.Notes = count.Notes
		a.Fields.Depth, a.Fields.Leaves, a.Fields.Expected = want.depth, leaves, want.leaves
		if want.leaves != nil && *want.leaves != leaves {
			a.Wrong = fmt.Sprintf("%d leaves at depth %d, not %d: %q", leaves, want.depth, *want.leaves, l.Text)
			break
		}
	}
	a.Fields.Seconds = time.Since(start).Seconds()
	return a, nil
}

// depthCount is a number of leaves at a depth, nil if it is not stated.
type depthCount struct {
	depth  int
	leaves *uint64
}

// statedCounts are the counts behind a position.
var statedCounts = regexp.MustCompile(`(?:\s*;\s*D\d+\s+\d+)+[\s;]*$`)

// cutCounts returns the position of a line, and the counts that it states for depths up to a greatest one.
func cutCounts(text string, greatest int) (setup string, stated []depthCount, err error) {
	counts := statedCounts.FindString(text)
	setup = strings.TrimRight(strings.TrimSuffix(text, counts), " \t;")
	for entry := range strings.SplitSeq(counts, ";") {
		words := strings.Fields(entry)
		if len(words) == 0 {
			continue
		}
		depth, err := cli.Whole([]byte(words[0][1:]), 0, maxPerftDepth)
		if err != nil {
			return "", nil, fmt.Errorf("depth %w", err)
		}
		leaves, err := strconv.ParseUint(words[1], 10, 64)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", words[0], err)
		}
		if depth > 0 && depth <= greatest {
			stated = append(stated, depthCount{depth, &leaves})
		}
	}
	return setup, stated, nil
}
