// Command mutants measures what the tests notice. It changes the code in small ways, one at a time, runs the
// tests that reach the change, and lists the mutants that survive them.
//
//	go run ./tools/mutants [-state FILE] [-only REGEXP] [-sample N] [NAME...]
//
// A NAME is in the list of targets, or it is the folder of a package. Without one, all targets are measured.
//
// The mutants of a package are compiled into one test program, in which an environment variable chooses the
// mutant that acts: see mutant.On. So a mutant costs a run of its tests, quickest first, and no build. A
// mutant is
//
//   - a comparison negated, or moved by one: a < b becomes a >= b and a <= b;
//   - a condition negated, && for ||;
//   - another operator: + for -, * for /, & for |, << for >>, min for max, and in assignments;
//   - a constant plus one, true for false;
//   - a statement left out: a call, an assignment, break, continue, a return without a value.
//
// Constants and tables of a package are not changed where they are declared, but where they are used.
//
// A mutant is killed if a test fails, ends the process or takes eight times as long. explained.txt lists
// mutants that change nothing but the speed, or nothing at all, with reasons. With -state a run that was
// stopped goes on, and only what survived runs again, while the sources of the package are the same.
package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"trefoil/internal/atomicfile"
	"trefoil/tools/internal/program"
)

// target is a package, and the tests that may notice its mutants.
type target struct {
	name, pkg string
	files     []string // nil: all
	suites    []suite
}

// suite is the tests of a package whose names match a pattern.
type suite struct {
	pkg, run string // with a slash run is one test, and the subtests of it
}

// own is the suite of a package itself.
func own(pkg string) suite { return suite{pkg: pkg, run: "."} }

// transcripts is the dialogues and command lines of tests/testdata/transcripts whose names match a pattern.
func transcripts(run string) suite {
	return suite{pkg: "./tests", run: "TestTranscripts/(" + run + ").*"}
}

// trees is the tests of games with variations.
var trees = suite{pkg: "./web", run: "Trees|Records|Import|Games|Unplayable|Contents"}

var targets = []target{
	{name: "cluster", pkg: "./cluster", suites: []suite{own("./cluster")}},
	{name: "remainder", pkg: "./remainder", suites: []suite{own("./remainder")}},
	{name: "window", pkg: "./window", suites: []suite{own("./window")}},
	{name: "protocol", pkg: "./protocol", suites: []suite{own("./protocol")}},
	{name: "clock", pkg: "./search/clock", suites: []suite{own("./search/clock")}},
	{name: "alphabeta", pkg: "./search/alphabeta", suites: []suite{
		own("./search/alphabeta"), {pkg: "./engine", run: "WorkerBytes|GoesThroughAFile"},
		{pkg: "./tests", run: "TestBenchSignature"}, {pkg: "./ttanalysis/observe", run: "Pairs|ChangesNothing"},
	}},
	{name: "exact", pkg: "./search/exact", suites: []suite{own("./search/exact")}},
	{name: "proof", pkg: "./search/proof", suites: []suite{
		own("./search/proof"),
		{pkg: "./search/mate", run: "TestSignature|TestShortTsume"}, // shogi: dominance by hands, delayed children
	}},
	{name: "mate", pkg: "./search/mate", suites: []suite{own("./search/mate")}},
	{name: "chessgoal", pkg: "./search/proof/chessgoal", suites: []suite{
		own("./search/proof/chessgoal"), own("./search/mate"),
	}},
	{name: "shogigoal", pkg: "./search/proof/shogigoal", suites: []suite{
		own("./search/proof/shogigoal"), own("./search/mate"),
	}},
	{name: "ultimategoal", pkg: "./search/proof/ultimategoal", suites: []suite{
		own("./search/proof/ultimategoal"), own("./search/proof"),
		{pkg: "./cmd/trefoil-queue/internal/jobproof/games", run: "Certif"},
	}},
	{name: "internal/mem", pkg: "./internal/mem", suites: []suite{
		own("./internal/mem"), own("./engine/memory"), own("./internal/shm"), own("./window"),
	}},
	{name: "internal/cli", pkg: "./internal/cli", suites: []suite{own("./internal/cli"), own("./command")}},
	{name: "internal/commandline", pkg: "./internal/commandline", suites: []suite{
		own("./internal/commandline"), own("./command"),
	}},
	{name: "command", pkg: "./command", suites: []suite{
		own("./command"), transcripts("^analyse|^perft|^merge|^games-as"), transcripts("^arguments|^bench|^saved"),
		transcripts("^hash-[ae]"), transcripts("^hash-replay"), transcripts("^hash-report"),
	}},
	{name: "game", pkg: "./game", suites: []suite{
		own("./game"), own("./game/chess"), own("./game/shogi"), own("./web/board"), trees,
	}},
	{name: "game/chess/pgn", pkg: "./game/chess/pgn", suites: []suite{own("./game/chess/pgn"), trees}},
	{name: "game/shogi/kifu", pkg: "./game/shogi/kifu", suites: []suite{own("./game/shogi/kifu"), trees}},
	{name: "game/shogi", pkg: "./game/shogi", suites: []suite{
		own("./game/shogi"), own("./game/shogi/eval"), {pkg: "./tests", run: "TestBenchSignature"},
	}},
	{name: "nnue/accumulator", pkg: "./nnue/accumulator", suites: []suite{
		own("./game/chess/nnue"), own("./game/shogi/nnue"), own("./game/ultimate/nnue"),
	}},
	{name: "internal/batch", pkg: "./internal/batch", suites: []suite{
		own("./internal/batch"), own("./command"), transcripts("^solve|^analyse"),
	}},
	{name: "engine", pkg: "./engine", suites: []suite{
		own("./engine"), transcripts("^hash-[rsv]|^usi-(hello|numbers)|^unknown-c|^genfens|^flip|^connect4-w|^keep-hash"),
	}},
	{name: "engine/analysis", pkg: "./engine/analysis", suites: []suite{
		own("./engine/analysis"), transcripts("^analyse"), trees,
	}},
	{name: "engine/alphabetagame", pkg: "./engine/alphabetagame", suites: []suite{
		own("./engine/alphabetagame"), {pkg: "./engine/chess", run: "Shared"}, {pkg: "./engine", run: "NewGame|TestResize$|" +
			"Mates|Empties|BookChanges|Weaker|Analysis|GivenBack|NeverClear|TestNotices$|Room"},
	}},
	{name: "engine/bench", pkg: "./engine/bench", suites: []suite{own("./engine/bench"), transcripts("^hash-advise")}},
	{name: "engine/chess", pkg: "./engine/chess", suites: []suite{
		own("./engine/chess"), transcripts("^mate|syzygy|skill|searchmoves|chess960"),
	}},
	{name: "engine/config", pkg: "./engine/config", suites: []suite{
		own("./engine/config"), {pkg: "./tests", run: "TestOptionTable|TestHandshakes"},
	}},
	{name: "engine/connect4", pkg: "./engine/connect4", suites: []suite{
		own("./engine/connect4"), {pkg: "./command", run: "TestBestColumn|TestFull|TestOutputFails|TestBook"},
		{pkg: "./engine", run: "Column|Variant|StopsAtOnce|SolvesAgain|BookAnswers"},
		{pkg: "./web", run: "Kinds|Values"}, transcripts("connect4"), transcripts("^book|^solve$"),
	}},
	{name: "engine/mates", pkg: "./engine/mates", suites: []suite{own("./engine/mates"), transcripts("^solve-mate")}},
	{name: "engine/table", pkg: "./engine/table", suites: []suite{
		own("./engine/table"), {pkg: "./engine", run: "Resize|Settle|Room|Clear|Memory|Commands|Share"},
	}},
	{name: "engine/registry", pkg: "./engine/registry", suites: []suite{own("./engine/registry")}},
	{name: "engine/shogi", pkg: "./engine/shogi", suites: []suite{
		own("./engine/shogi"), {pkg: "./engine", run: "Shogi|Declares|NoFalseMates|TestEval(Dir|Options)|TestBook"},
		transcripts("^usi-[^l]|shogi"),
	}},
	{name: "engine/ultimate", pkg: "./engine/ultimate", suites: []suite{
		own("./engine/ultimate"), transcripts("^ultimate"), transcripts("^solve-ultimate"),
	}},
	{name: "web/board", pkg: "./web/board", suites: []suite{
		own("./web/board"), {pkg: "./web", run: "Position|TextBoard|Castling960|Values"}, trees,
	}},
	{name: "jobs", pkg: "./cmd/trefoil-queue/internal/jobs", suites: []suite{own("./cmd/trefoil-queue/internal/jobs")}},
	{name: "jobproof", pkg: "./cmd/trefoil-queue/internal/jobproof", suites: []suite{
		own("./cmd/trefoil-queue/internal/jobproof"), own("./cmd/trefoil-queue/internal/jobproof/games"),
	}},
	{name: "queue", pkg: "./cmd/trefoil-queue/internal/queue", suites: []suite{own("./cmd/trefoil-queue/internal/queue")}},
}

//go:embed explained.txt
var explanations string

func main() { program.Main("mutants", run) }

// options are the flags.
type options struct {
	state   string
	only    *regexp.Regexp
	sample  int
	workers int
	list    bool
}

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	set := program.Flags("mutants [-state FILE] [-only REGEXP] [-sample N] [-workers N] [-list] [NAME...]", errs)
	var o options
	set.StringVar(&o.state, "state", "", "`FILE` of results, read and written")
	only := set.String("only", "", "only mutants whose line in the list matches `REGEXP`")
	set.IntVar(&o.sample, "sample", 0, "at most `N` mutants of each package, chosen at random with a fixed seed (0 = all)")
	set.IntVar(&o.workers, "workers", max(runtime.NumCPU()/2, 1), "`N` tests at a time")
	set.BoolVar(&o.list, "list", false, "list the mutants, do not run them")
	if err := set.Parse(args); err != nil {
		return err
	}
	if o.workers < 1 {
		return errors.New("mutants: -workers must be at least 1")
	}
	var err error
	if o.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	chosen := targets
	if set.NArg() > 0 {
		chosen = nil
		for _, name := range set.Args() {
			t := target{name: name, pkg: "./" + name, suites: []suite{own("./" + name)}}
			if i := slices.IndexFunc(targets, func(t target) bool { return t.name == name }); i >= 0 {
				t = targets[i]
			}
			chosen = append(chosen, t)
		}
	}
	known, err := parseExplanations(explanations)
	if err != nil {
		return err
	}
	results, err := readResults(o.state)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "package\tmutants\tkilled\texplained\tsurvived\tkilled or explained\t")
	for _, t := range chosen {
		sum, err := t.measure(ctx, o, known, results, out)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%.1f %%\t\n", t.name, sum.all, sum.killed, sum.explained, sum.survived,
			100*float64(sum.killed+sum.explained)/float64(max(sum.all, 1)))
	}
	if o.list {
		return nil
	}
	return table.Flush()
}

type summary struct{ all, killed, explained, survived int }

// measure runs the mutants of a package and prints the survivors.
func (t target) measure(ctx context.Context, o options, known []explanation, results *results,
	out io.Writer) (sum summary, err error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return sum, err
	}
	defer os.RemoveAll(dir)
	p := &mutated{target: t, dir: dir}
	if err := p.build(ctx); err != nil {
		return sum, err
	}
	chosen := o.choose(p.changes)
	if o.list {
		for _, c := range chosen {
			fmt.Fprintf(out, "%s (line %d)\n", c.key(), c.line)
		}
		return sum, nil
	}
	if err := p.trace(ctx, o.workers); err != nil {
		return sum, err
	}
	for _, name := range p.omitted {
		fmt.Fprintf(out, "left out, since it fails without a mutant: %s\n", name)
	}
	results.begin(t.name, p.hash)
	var lock sync.Mutex
	err = parallel(o.workers, chosen, func(_ int, c change) error {
		key := c.key()
		killed := results.killed(t.name, key)
		reached := true
		by := ""
		if !killed && explain(known, key) == "" {
			by, reached, killed = p.kills(ctx, c)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		lock.Lock()
		defer lock.Unlock()
		sum.all++
		switch {
		case killed:
			sum.killed++
			return results.kill(t.name, key, by)
		case explain(known, key) != "":
			sum.explained++
		default:
			sum.survived++
			note := ""
			if !reached {
				note = ", not reached"
			}
			fmt.Fprintf(out, "survived: %s (line %d%s)\n", key, c.line, note)
		}
		return nil
	})
	for _, e := range known {
		if file, _, _ := strings.Cut(e.pattern, ":"); path.Dir(file) == strings.TrimPrefix(t.pkg, "./") &&
			!slices.ContainsFunc(p.changes, func(c change) bool { return e.matches(c.key()) }) {
			fmt.Fprintf(out, "explained, but there is no such mutant: %s\n", e.pattern)
		}
	}
	return sum, err
}

// choose returns the mutants that are asked for.
func (o options) choose(all []change) (chosen []change) {
	for _, c := range all {
		if o.only.MatchString(c.key()) {
			chosen = append(chosen, c)
		}
	}
	if o.sample > 0 && o.sample < len(chosen) {
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:o.sample]
		slices.SortFunc(chosen, func(a, b change) int { return cmp.Compare(a.id, b.id) })
	}
	return chosen
}

// explanation says why a test cannot notice mutants.
type explanation struct {
	pattern string // of a line in the list, ** is any text
	regexp  *regexp.Regexp
	reason  string
}

func (e explanation) matches(key string) bool { return e.regexp.MatchString(key) }

// explain returns the reason for a mutant, or "".
func explain(known []explanation, key string) string {
	for _, e := range known {
		if e.matches(key) {
			return e.reason
		}
	}
	return ""
}

// parseExplanations reads a list: lines with patterns, then an indented line with the reason for them.
func parseExplanations(text string) (list []explanation, err error) {
	begun := 0 // the first without a reason yet
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t"):
			if begun == len(list) {
				return nil, fmt.Errorf("explained.txt: a reason without mutants: %q", trimmed)
			}
			for ; begun < len(list); begun++ {
				list[begun].reason = trimmed
			}
		default:
			r := "^" + strings.ReplaceAll(regexp.QuoteMeta(trimmed), `\*\*`, ".*") + "$"
			list = append(list, explanation{pattern: trimmed, regexp: regexp.MustCompile(r)})
		}
	}
	if begun < len(list) {
		return nil, fmt.Errorf("explained.txt: %q has no reason", list[begun].pattern)
	}
	return list, nil
}

// results are the mutants killed so far, by package, in a file.
type results struct {
	file  string
	lock  sync.Mutex
	state map[string]*packageResults
}

type packageResults struct {
	Sources string            // their hash
	Killed  map[string]string // mutant: the test
}

func readResults(file string) (*results, error) {
	r := &results{file: file, state: map[string]*packageResults{}}
	if file == "" {
		return r, nil
	}
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &r.state)
	}
	return r, err
}

// begin forgets the results of a package whose sources have changed.
func (r *results) begin(name, hash string) {
	if p := r.state[name]; p == nil || p.Sources != hash {
		r.state[name] = &packageResults{Sources: hash, Killed: map[string]string{}}
	}
}

func (r *results) killed(name, key string) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	_, ok := r.state[name].Killed[key]
	return ok
}

func (r *results) kill(name, key, by string) error {
	r.lock.Lock()
	defer r.lock.Unlock()
	if _, ok := r.state[name].Killed[key]; ok {
		return nil
	}
	r.state[name].Killed[key] = by
	if r.file == "" {
		return nil
	}
	data, err := json.MarshalIndent(r.state, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(r.file, atomicfile.Any, data)
}

// hash returns a hash of the texts of files.
func hash(texts map[string][]byte) string {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintln(h, filepath.Base(path), len(texts[path]))
		h.Write(texts[path])
	}
	return hex.EncodeToString(h.Sum(nil))
}
