// Command designcheck replays a trace against the table of another engine, compiled from its own
// source, and against the preset of that name, and compares what every probe finds.
//
//	go run ./tools/designcheck [-sizes MIB,...] TRACE NAME=DIR...
//
// It is run in the root of the repository. TRACE is a file, which is read several times. Standard input (-) and pipes
// are copied to a temporary file. NAME is the preset of an engine; DIR is the folder of its sources that has tt.cpp,
// transposition.c or hash.c. It needs gcc and g++ for x86-64. Each line of the result has the
// size, the probes, the hits of the engine's table and of the preset, and the number of probes with
// different results: hit or miss, depth, value or bound. The last column identifies all results of
// the engine's table; ttanalysis/presets_test.go has it for a trace of its own.
//
// The drivers are programs of trace/trefoil_replay.h.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"trefoil/internal/pipe"
	"trefoil/ttanalysis"
)

const drivers = "tools/designcheck/drivers"

// engine says how a table is compiled.
type engine struct {
	driver, source string
	flags          []string
	alone          []string // files that are copied, so that they find the headers of drivers
	empty          []string // headers that are made empty beside them
}

var engines = map[string]engine{
	"stockfish": {driver: "stockfish.cpp", source: "tt.cpp",
		flags: []string{"-std=c++20", "-DIS_64BIT", "-DUSE_PTHREADS"}},
	"yaneuraou-2018": {driver: "yaneuraou2018.cpp", source: "tt.cpp", flags: []string{"-std=c++17"},
		alone: []string{"tt.h", "tt.cpp"}, empty: []string{"misc.h"}},
	"yaneuraou-2026": {driver: "yaneuraou2026.cpp", source: "tt.cpp",
		flags: []string{"-std=c++17", "-include", drivers + "/yaneuraou2026.h"}, alone: []string{"tt.h", "tt.cpp"},
		empty: []string{"types.h", "misc.h", "memory.h", "thread.h", "engine.h", "extra/key128.h", "testcmd/unit_test.h"}},
	"ethereal": {driver: "ethereal.c", source: "transposition.c"},
	"weiss":    {driver: "weiss.c", source: "transposition.c"},
	"berserk":  {driver: "berserk.c", source: "transposition.c"},
	"crafty":   {driver: "crafty.c", source: "hash.c", flags: []string{"-DUNIX", "-DCPUS=1"}},
}

func main() {
	sizes := flag.String("sizes", "0.125,0.5,2", "sizes of the tables in MiB")
	flag.Parse()
	if err := run(*sizes, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "designcheck:", err)
		os.Exit(1)
	}
}

func run(sizes string, args []string) error {
	if len(args) < 2 {
		return errors.New("usage: designcheck [-sizes MIB,...] TRACE NAME=DIR …")
	}
	temp, err := os.MkdirTemp("", "designcheck")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	path, err := traceFile(args[0], temp)
	if err != nil {
		return err
	}
	fmt.Printf("%-14s %10s %10s %10s %10s %10s  %s\n", "design", "MiB", "probes", "table", "preset", "different", "digest")
	for _, arg := range args[1:] {
		name, dir, _ := strings.Cut(arg, "=")
		e, ok := engines[name]
		if !ok {
			return fmt.Errorf("no engine %q", name)
		}
		exe, err := e.build(filepath.Join(temp, name), dir)
		if err != nil {
			return err
		}
		design, err := ttanalysis.ParseDesign(name)
		if err != nil {
			return err
		}
		for text := range strings.SplitSeq(sizes, ",") {
			mib, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return err
			}
			c := comparison{ClusterDesign: design}
			if err := c.run(path, exe, mib); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Printf("%-14s %10s %10d %10d %10d %10d  %016x\n", name, text, c.probes, c.theirs, c.ours, c.different, c.digest)
		}
	}
	return nil
}

// traceFile returns the file of a trace: a copy in the folder temp if it is a stream.
func traceFile(path, temp string) (string, error) {
	in := os.Stdin
	if path != "-" {
		info, err := os.Stat(path)
		if err != nil || !pipe.Stream(info) {
			return path, err
		}
		if in, err = os.Open(path); err != nil {
			return "", err
		}
		defer in.Close()
	}
	file := filepath.Join(temp, "stream")
	return file, save(in, file)
}

// save writes a stream to a file.
func save(in io.Reader, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, in)
	return errors.Join(err, f.Close())
}

// build compiles the driver and the source of an engine in the folder temp.
func (e engine) build(temp, dir string) (exe string, err error) {
	if err := os.Mkdir(temp, 0o755); err != nil {
		return "", err
	}
	for _, name := range e.alone {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(temp, name), text, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	for _, name := range e.empty {
		file := filepath.Join(temp, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
			return "", err
		}
	}
	if e.alone != nil {
		dir = temp
	}
	exe = filepath.Join(temp, "driver")
	compilers := map[string]string{".c": "gcc", ".cpp": "g++"}
	compiler := compilers[filepath.Ext(e.driver)]
	args := append([]string{"-O2", "-DNDEBUG", "-w", "-I" + drivers, "-Itrace", "-I" + dir}, e.flags...)
	args = append(args, filepath.Join(drivers, e.driver), filepath.Join(dir, e.source), "-lpthread", "-o", exe)
	return exe, command(compiler, args...)
}

func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// A comparison is a design whose table compares what it finds with the results of a driver.
type comparison struct {
	ttanalysis.ClusterDesign
	results *bufio.Reader
	err     error // of reading them

	probes, ours, theirs, different uint64
	digest                          uint64 // FNV-1a of the driver's results, word by word
}

// run replays a trace against a driver and a design of the same size.
func (c *comparison) run(path, driver string, mib float64) error {
	trace, err := ttanalysis.OpenTrace(path)
	if err != nil {
		return err
	}
	defer trace.Close()
	if trace.KeyBits == 0 && c.Side == ttanalysis.SideWord { // the keys of another engine
		c.Side = ttanalysis.SideInKey
	}
	ctx, kill := context.WithCancel(context.Background())
	defer kill()
	cmd := exec.CommandContext(ctx, driver, "--results", path, strconv.FormatFloat(mib, 'g', -1, 64))
	cmd.Stderr = os.Stderr
	output, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.results, c.digest = bufio.NewReaderSize(output, 1<<16), 14695981039346656037
	_, err = ttanalysis.Replay(ctx, trace, []*ttanalysis.Run{{Design: c, Bytes: uint64(mib * (1 << 20))}}, nil)
	if err == nil && c.err == nil {
		if _, end := c.results.ReadByte(); end == nil {
			err = errors.New("results of the driver: more than the trace has probes")
		}
	}
	if err != nil {
		kill() // it may wait for its results to be read
		_ = cmd.Wait()
		return err
	}
	return errors.Join(c.err, cmd.Wait())
}

// New implements ttanalysis.Design.
func (c *comparison) New(bytes uint64) (ttanalysis.Table, error) {
	t, err := c.ClusterDesign.New(bytes)
	return &comparingTable{t, c}, err
}

type comparingTable struct {
	ttanalysis.Table
	*comparison
}

// Probe implements ttanalysis.Table.
func (t *comparingTable) Probe(probe ttanalysis.Record) (ttanalysis.Record, bool) {
	found, hit := t.Table.Probe(probe)
	ours, theirs := uint64(0), [8]byte{}
	if hit {
		e := found.Entry()
		ours = 1 | uint64(e.Bound)<<4 | uint64(e.Depth)<<8 | uint64(uint16(e.Value))<<16
	}
	if _, err := io.ReadFull(t.results, theirs[:]); err != nil && t.err == nil {
		t.err = fmt.Errorf("results of the driver: %w", err)
	}
	word := binary.LittleEndian.Uint64(theirs[:])
	t.probes++
	t.ours += ours & 1
	t.theirs += word & 1
	if ours != word {
		t.different++
	}
	t.digest = (t.digest ^ word) * 1099511628211
	return found, hit
}
