// Command licenses writes the licences of a program and of all that is linked into it: the standard library and
// the modules, from the module cache. go generate ./command ./cmd/... runs it.
//
//	licenses [-dir ROOT] -o FILE [PACKAGE]
package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"trefoil/internal/atomicfile"
	"trefoil/tools/internal/program"
)

// systems are the systems that the program is released for. A module may be linked on a single system only.
var systems = []string{"linux", "darwin", "windows"}

// licenceName matches the names of files and folders with licences and notices.
var licenceName = regexp.MustCompile(`(?i)^(third_party_)?(licen[cs]e|copying|notice|patents)`)

func main() { program.Main("licenses", run) }

func run(_ context.Context, args []string, _, errs io.Writer) error {
	set := program.Flags("licenses [-dir ROOT] -o FILE [PACKAGE]", errs)
	root := set.String("dir", ".", "root of the module")
	name := set.String("o", "", "`FILE` to write")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 1 {
		return fmt.Errorf("unexpected argument %q", set.Arg(1))
	}
	if *name == "" {
		return fmt.Errorf("-o FILE is missing")
	}
	list, err := collect(*root, cmp.Or(set.Arg(0), "."))
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(*name, atomicfile.Any, []byte(text(list)))
}

// licence is one file with a licence or a notice.
type licence struct{ of, file, text string }

// goName is the name under which the licence of the standard library stands.
const goName = "Go (standard library)"

// heading is the line above a licence.
func (l *licence) heading() string { return fmt.Sprintf("==== %s: %s ====", l.of, l.file) }

// text is the licences below one another.
func text(list []licence) string {
	var b strings.Builder
	b.WriteString("This program contains what is listed here, each part under its own licence.\n")
	for _, l := range list {
		fmt.Fprintf(&b, "\n%s\n\n%s\n", l.heading(), strings.Trim(l.text, "\n"))
	}
	return b.String()
}

// collect returns the licences of the module in a folder, of the standard library and of all modules with packages
// that a main package of it is linked with.
func collect(root, main string) ([]licence, error) {
	own, err := read("Trefoil", root, root)
	if err != nil {
		return nil, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	folder := string(bytes.TrimSpace(goroot))
	list, err := read(goName, folder, folder)
	if err != nil {
		return nil, err
	}
	list = append(own, list...)
	packages, err := linked(root, main)
	if err != nil {
		return nil, err
	}
	done := make(map[licence]bool)
	for _, p := range packages {
		of := p.module + " " + p.version
		found, err := read(of, p.root, p.folder)
		if err != nil {
			return nil, err
		}
		for _, l := range found {
			if !done[l] {
				done[l] = true
				list = append(list, l)
			}
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no licence in %s", of, p.root)
		}
	}
	return list, nil
}

// linkedPackage is a package of another module.
type linkedPackage struct{ module, version, root, folder string }

// linked returns the packages of other modules that a main package of the module in a folder is linked with
// on any of the systems, in the order of their modules.
func linked(root, main string) (packages []linkedPackage, err error) {
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", main)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 4 {
				packages = append(packages, linkedPackage{f[0], f[1], f[2], f[3]})
			}
		}
	}
	slices.SortStableFunc(packages, func(a, b linkedPackage) int { return strings.Compare(a.module, b.module) })
	return packages, nil
}

// read returns the licences in the folder of a package and in all folders above it, up to the root of its module,
// which come first.
func read(of, root, folder string) (list []licence, err error) {
	if folder != root {
		if list, err = read(of, root, filepath.Dir(folder)); err != nil {
			return nil, err
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !licenceName.MatchString(e.Name()) {
			continue
		}
		names := []string{filepath.Join(folder, e.Name())}
		if e.IsDir() {
			if names, err = filepath.Glob(filepath.Join(names[0], "*")); err != nil {
				return nil, err
			}
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			file, err := filepath.Rel(root, name)
			if err != nil {
				return nil, err
			}
			list = append(list, licence{of, filepath.ToSlash(file), strings.ReplaceAll(string(text), "\r\n", "\n")})
		}
	}
	return list, nil
}
