// Command module gives the module another path, so that go get and go install can fetch it from there: in go.mod and
// the modules of tests, in imports, linker flags and documentation. All files are read and checked before the first
// is written. make module runs it.
//
//	module [-dir ROOT] PATH
package main

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"trefoil/tools/internal/program"
)

func main() { program.Main("module", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	set := program.Flags("module [-dir ROOT] PATH", errs)
	dir := set.String("dir", ".", "root of the module")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() != 1 {
		return fmt.Errorf("usage: module [-dir ROOT] PATH, such as example.org/trefoil")
	}
	to := set.Arg(0)
	if !published.MatchString(to) {
		return fmt.Errorf("%q: not the path of a module that can be fetched, such as example.org/trefoil", to)
	}
	rename, err := renamer(ctx, *dir, to)
	if err != nil {
		return err
	}
	changed, err := changes(*dir, rename)
	if err != nil {
		return err
	}
	for name, text := range changed {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s: %d files changed\n", to, len(changed))
	return nil
}

// published matches the paths of modules that can be fetched: their first element has a dot.
var published = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// renamer returns the function that renames the module of a folder in a text: before the path of a package, and after
// words such as module.
func renamer(ctx context.Context, dir, to string) (func([]byte) []byte, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-f", "{{.Module.Path}} {{.ImportPath}}", "./...")
	cmd.Dir = dir
	var errs strings.Builder
	cmd.Stderr = &errs
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, errs.String())
	}
	from, folders := "", []string{}
	for line := range strings.Lines(string(list)) {
		module, pkg, _ := strings.Cut(strings.TrimSpace(line), " ")
		folder, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/"), "/")
		if from = module; folder != "" && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	from = regexp.QuoteMeta(from)
	packages := regexp.MustCompile(`(?m)(^|[^\w./-])` + from + `(/(?:` + strings.Join(folders, "|") + `)\b)`)
	module := regexp.MustCompile(`\b((?:module|require|replace)(?: = "| ))` + from + `\b`)
	return func(text []byte) []byte {
		text = packages.ReplaceAll(text, []byte("${1}"+to+"${2}"))
		return module.ReplaceAll(text, []byte("${1}"+to))
	}, nil
}

// changes returns the files that rename changes, with their new text.
func changes(dir string, rename func([]byte) []byte) (map[string][]byte, error) {
	changed := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch ext := filepath.Ext(name); {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular() || ext != ".go" && ext != ".mod" && ext != ".md" && entry.Name() != "Makefile":
			return nil
		}
		old, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text := rename(old)
		if bytes.Equal(text, old) {
			return nil
		}
		if filepath.Ext(name) == ".go" { // imports may have another order
			if text, err = format.Source(text); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		changed[name] = text
		return nil
	})
	return changed, err
}
