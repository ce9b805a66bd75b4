package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"trefoil/tools/mutants/mutant"
)

const mutantPackage = "trefoil/tools/mutants/mutant"

// mutated is a package with all its mutants, and the tests built with it.
type mutated struct {
	target
	dir     string // of what is built
	changes []change
	hash    string // of the sources
	tests   []*test
	omitted []string // tests that fail without a mutant
	lock    sync.Mutex
}

// test is one test of a suite.
type test struct {
	suite, name, binary, dir string
	time                     time.Duration
	reached                  []byte // by mutant
	runs, kills              int    // under mutated.lock
}

// load reads and type-checks a package, and returns the text of its files with all mutants.
func (p *mutated) load(ctx context.Context) (overlay map[string][]byte, err error) {
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	out, err := goCommand(ctx, "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", p.pkg)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	var last listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath], last = l.Export, l
	}
	fset := token.NewFileSet()
	texts := map[string][]byte{}
	var files []*ast.File
	for _, name := range last.GoFiles {
		path := filepath.Join(last.Dir, name)
		if texts[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, path, texts[path], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup)}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}}
	pkg, err := config.Check(last.ImportPath, fset, files, info)
	if err != nil {
		return nil, err
	}
	overlay = map[string][]byte{}
	for _, f := range files {
		path := fset.Position(f.Package).Filename
		s := &source{fset: fset, info: info, pkg: pkg, file: f,
			name: strings.TrimPrefix(p.pkg, "./") + "/" + filepath.Base(path), text: texts[path], nextID: len(p.changes)}
		generated := bytes.HasPrefix(texts[path], []byte("// Code generated"))
		if p.files == nil && !generated || slices.Contains(p.files, filepath.Base(path)) {
			overlay[path] = s.mutate()
			p.changes = append(p.changes, s.changes...)
		}
	}
	p.hash = hash(texts)
	return overlay, nil
}

// build loads the package and builds the programs of its suites of tests.
func (p *mutated) build(ctx context.Context) error {
	overlay, err := p.load(ctx)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for path, text := range overlay {
		replace[path] = filepath.Join(p.dir, filepath.Base(path))
		if err := os.WriteFile(replace[path], text, 0o666); err != nil {
			return err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.overlay(), data, 0o666); err != nil {
		return err
	}
	built := map[string]string{} // by package
	for _, s := range p.suites {
		binary, known := built[s.pkg]
		if !known {
			binary = filepath.Join(p.dir, "test"+strconv.Itoa(len(built))+".exe")
			built[s.pkg] = binary
			if err := p.buildTests(ctx, s.pkg, binary); err != nil {
				return err
			}
		}
		if strings.Contains(s.run, "/") { // subtests, which -test.list does not list
			p.tests = append(p.tests, &test{suite: s.pkg, name: s.run, binary: binary, dir: s.pkg})
			continue
		}
		list := exec.CommandContext(ctx, binary, "-test.list", s.run)
		list.Dir, list.Env = s.pkg, p.environment()
		out, err := list.Output()
		if err != nil {
			return fmt.Errorf("%s -test.list: %w", s.pkg, err)
		}
		for name := range strings.FieldsSeq(string(out)) {
			if isTest(name) {
				p.tests = append(p.tests, &test{suite: s.pkg, name: name, binary: binary, dir: s.pkg})
			}
		}
	}
	return nil
}

// buildTests builds the program of the tests of a package.
func (p *mutated) buildTests(ctx context.Context, pkg, binary string) error {
	if pkg == "./tests" { // which otherwise build the engine, each time that they run
		if _, err := goCommand(ctx, "build", "-buildvcs=false", "-overlay", p.overlay(), "-o", p.program(), "."); err != nil {
			return err
		}
	}
	_, err := goCommand(ctx, "test", "-c", "-vet=off", "-overlay", p.overlay(), "-o", binary, pkg)
	return err
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Example") || strings.HasPrefix(name, "Fuzz")
}

func (p *mutated) overlay() string { return filepath.Join(p.dir, "overlay.json") }
func (p *mutated) program() string { return filepath.Join(p.dir, "trefoil.exe") }

// environment returns the environment of a test. Programs that the test builds have the mutants too.
func (p *mutated) environment(more ...string) []string {
	return append(os.Environ(),
		append([]string{"GOFLAGS=-buildvcs=false -overlay=" + p.overlay(), "TMPDIR=" + p.dir, "TREFOIL_TESTDATA=",
			"GOMAXPROCS=2", mutant.Program + "=" + p.program()}, more...)...)
}

// trace runs every test without a mutant, and notes its time and the mutants that it reaches.
func (p *mutated) trace(ctx context.Context, workers int) error {
	var omitted sync.Map
	err := parallel(workers, p.tests, func(i int, t *test) error {
		record := filepath.Join(p.dir, "reached"+strconv.Itoa(i))
		if err := os.WriteFile(record, make([]byte, len(p.changes)), 0o666); err != nil {
			return err
		}
		start := time.Now()
		if passed, out := p.run(ctx, t.binary, t.dir, "^"+t.name+"$", 10*time.Minute, mutant.Reached+"="+record); !passed {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			omitted.Store(t, out)
		}
		t.time = time.Since(start)
		var err error
		t.reached, err = os.ReadFile(record)
		return err
	})
	p.tests = slices.DeleteFunc(p.tests, func(t *test) bool {
		out, fails := omitted.Load(t)
		if fails {
			p.omitted = append(p.omitted, t.suite+" "+t.name+": "+lastLines(out.(string)))
		}
		return fails
	})
	return err
}

// run runs the tests whose names a pattern matches, and reports whether they pass in that time.
func (p *mutated) run(ctx context.Context, binary, dir, names string, limit time.Duration,
	env ...string) (passed bool, out string) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.failfast", "-test.run", names, "-test.timeout",
		limit.String())
	cmd.Dir, cmd.Env = dir, p.environment(env...)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	cmd.WaitDelay = time.Second
	group(cmd)
	return cmd.Run() == nil, text.String()
}

// kills reports whether a test fails when the mutant acts, and which one.
func (p *mutated) kills(ctx context.Context, c change) (by string, reached, killed bool) {
	const together = time.Second // tests that take no longer run in one process
	tests := p.order(c)
	for len(tests) > 0 {
		n, sum := 1, tests[0].time
		for n < len(tests) && tests[n].binary == tests[0].binary && sum+tests[n].time <= together {
			sum += tests[n].time
			n++
		}
		names := make([]string, n)
		for i, t := range tests[:n] {
			names[i] = t.name
		}
		passed, out := p.run(ctx, tests[0].binary, tests[0].dir, "^"+strings.Join(names, "$|^")+"$", 10*time.Second+8*sum,
			mutant.Active+"="+strconv.Itoa(c.id))
		if by = failed(out, names); !passed {
			p.count(tests[:n], by)
			return by, true, true
		}
		p.count(tests[:n], "")
		tests, reached = tests[n:], true
	}
	return "", reached, false
}

// failed returns which of the tests has failed, or all if the output does not say so.
func failed(out string, names []string) string {
	for _, name := range names {
		if strings.Contains(out, "--- FAIL: "+name+" ") {
			return name
		}
	}
	return strings.Join(names, " or ")
}

// order returns the tests that reach a mutant: first quick tests that have killed many others.
func (p *mutated) order(c change) (tests []*test) {
	p.lock.Lock()
	defer p.lock.Unlock()
	cost := map[*test]float64{}
	for _, t := range p.tests {
		if t.reached[c.id] != 0 {
			tests = append(tests, t)
			cost[t] = t.time.Seconds() * float64(t.runs+2) / float64(t.kills+1)
		}
	}
	slices.SortStableFunc(tests, func(a, b *test) int { return cmp.Compare(cost[a], cost[b]) })
	return tests
}

// count notes that tests have run, and which one has failed.
func (p *mutated) count(tests []*test, failed string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, t := range tests {
		t.runs++
		if t.name == failed {
			t.kills++
		}
	}
}

// parallel calls f for every element, in some goroutines, until one fails.
func parallel[T any](workers int, list []T, f func(int, T) error) error {
	var wait sync.WaitGroup
	work := make(chan int)
	failures := make(chan error, workers)
	for range workers {
		wait.Go(func() {
			for i := range work {
				if err := f(i, list[i]); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	var err error
	for i := range list {
		select {
		case work <- i:
			continue
		case err = <-failures:
		}
		break
	}
	close(work)
	wait.Wait()
	select {
	case err = <-failures:
	default:
	}
	return err
}

func goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", cmd, err, errs.String(), out)
	}
	return out, nil
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-6):], "\n\t")
}
