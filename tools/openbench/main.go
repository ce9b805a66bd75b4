// Command openbench helps to test branches with OpenBench (https://github.com/AndyGrant/OpenBench), a server and
// workers that play matches. docs/openbench.md is the guide.
//
//	openbench check [FILE…]   checks settings as the server reads them; openbench/Trefoil.json by default
//	openbench test [flags]    asks a server to play a match
//	openbench github [flags]  answers for GitHub from a repository on this machine
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"trefoil/tools/internal/program"
)

// defaultSettings is the file of this engine.
const defaultSettings = "openbench/Trefoil.json"

const usage = `usage: openbench check [FILE…]
       openbench test [flags]
       openbench github [flags]`

func main() { program.Main("openbench", run) }

// run is the command with its arguments and outputs.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch args[0] {
	case "check":
		return check(args[1:], out, errs)
	case "test":
		return createTest(ctx, args[1:], out, errs)
	case "github":
		return standIn(ctx, args[1:], out, errs)
	case "-h", "-help", "--help":
		_, err := fmt.Fprintln(out, usage)
		return err
	}
	return fmt.Errorf("unknown command %q\n%s", args[0], usage)
}

// check reads files of settings and says what is wrong with them.
func check(args []string, out, errs io.Writer) error {
	set := program.Flags("openbench check [FILE…]", errs)
	if err := set.Parse(args); err != nil {
		return err
	}
	files := set.Args()
	if len(files) == 0 {
		files = []string{defaultSettings}
	}
	for _, file := range files {
		s, err := readSettings(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %d presets of tests, %d of tuning, %d of games for training\n",
			file, len(s.presets["test_presets"]), len(s.presets["tune_presets"]), len(s.presets["datagen_presets"]))
	}
	return nil
}

// readSettings reads a file of settings. Each line of its error names the file.
func readSettings(file string) (*settings, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := parseSettings(text)
	if err != nil {
		return nil, fmt.Errorf("%s:\n%w", file, err)
	}
	return s, nil
}
