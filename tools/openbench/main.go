// Command openbench helps to test branches with OpenBench (https://github.com/AndyGrant/OpenBench), a server and
// workers that play matches. docs/openbench.md is the guide.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"trefoil/tools/internal/program"
)

// defaultSettings is the file of this engine.
const defaultSettings = "openbench/Trefoil.json"

func main() { program.Main("openbench", run) }

var run = program.Commands("openbench",
	program.Command{Form: "check [FILE…]", Help: "check settings as the server reads them", Run: check},
	program.Command{Form: "test -dev BRANCH [flags] [FIELD=VALUE…]", Help: "have a server play a match", Run: createTest},
	program.Command{Form: "github [flags]", Help: "answer for GitHub from a repository on this machine", Run: standIn},
)

// check reads files of settings and says what is wrong with them.
func check(_ context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
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
