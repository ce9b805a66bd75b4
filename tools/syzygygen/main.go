// Command syzygygen solves chess endgames of up to four pieces and writes their tables in the format of
// Syzygy, a .rtbw and a .rtbz file for each:
//
//	go run ./tools/syzygygen -o FOLDER KQvK KRvK KPvK
//
// A table of KPvK is of use only beside the tables of KQvK, KRvK, KBvK and KNvK, into which it can turn.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"trefoil/internal/atomicfile"
	"trefoil/tools/referee/retrograde"
	"trefoil/tools/referee/syzygyfile"
)

func main() {
	folder := flag.String("o", "", "the `folder` of the files, which must exist")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: syzygygen -o FOLDER MATERIAL...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *folder == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*folder, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "syzygygen:", err)
		os.Exit(1)
	}
}

// run checks all names before it solves anything.
func run(folder string, materials []string, out io.Writer) error {
	if info, err := os.Stat(folder); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("not a folder: %s", folder)
	}
	for _, name := range materials {
		if err := retrograde.Check(name); err != nil {
			return err
		}
		if name == "KvK" {
			return errors.New("KvK has no table")
		}
	}
	solver := retrograde.NewSolver(retrograde.ToZeroing)
	for _, name := range materials {
		start := time.Now()
		t, err := solver.Solve(name)
		if err != nil {
			return err
		}
		wdl, err := syzygyfile.WDL(t)
		if err != nil {
			return err
		}
		dtz, err := syzygyfile.DTZ(t)
		if err != nil {
			return err
		}
		path := filepath.Join(folder, t.Name())
		if err := write(path+".rtbw", wdl); err != nil {
			return err
		}
		if err := write(path+".rtbz", dtz); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %d and %d bytes, %v\n", t.Name(), len(wdl), len(dtz), time.Since(start).Round(time.Millisecond))
	}
	return nil
}

// write replaces only a file of the same kind.
func write(path string, data []byte) error {
	return atomicfile.WriteBytes(path, atomicfile.Prefix(string(data[:4])), data)
}
