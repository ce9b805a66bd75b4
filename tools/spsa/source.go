package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"trefoil/internal/atomicfile"
)

// The files of the parameters, in the folder of the search.
const (
	sourceName    = "params.go"
	generatedName = "params_tune.go"
)

// A source is the text of params.go and the constants in it.
type source struct {
	text      []byte
	constants []declared
}

// declared is a constant as it is declared.
type declared struct {
	name            string
	tuned           bool // it is a parameter
	value, min, max int
	from, to        int // offsets of the number
}

// note is the part of a comment that says how a parameter is tuned.
var note = regexp.MustCompile(`\btune: (?:(no)\b|(-?\d+) to (-?\d+)\b)?`)

// parseSource reads the text of params.go.
func parseSource(text []byte) (*source, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, sourceName, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{text: text}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			return nil, fmt.Errorf("%s: only constants are expected", files.Position(d.Pos()))
		}
		for _, spec := range g.Specs {
			c, err := parseSpec(files, spec.(*ast.ValueSpec), g.Doc.Text())
			if err != nil {
				return nil, fmt.Errorf("%s: %w", files.Position(spec.Pos()), err)
			}
			s.constants = append(s.constants, c)
		}
	}
	return s, nil
}

// parseSpec reads the declaration of one constant. comment is the comment of its block; with "tune: no" there the
// constant is no parameter.
func parseSpec(files *token.FileSet, spec *ast.ValueSpec, comment string) (p declared, err error) {
	if len(spec.Names) != 1 || len(spec.Values) != 1 || spec.Type != nil {
		return p, errors.New("not of the form name = number")
	}
	p.name = spec.Names[0].Name
	p.from, p.to = files.Position(spec.Values[0].Pos()).Offset, files.Position(spec.Values[0].End()).Offset
	value, negative := spec.Values[0], false
	if minus, ok := value.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		value, negative = minus.X, true
	}
	number, ok := value.(*ast.BasicLit)
	if ok {
		p.value, err = strconv.Atoi(number.Value)
	}
	if !ok || err != nil {
		return p, fmt.Errorf("%s is not a whole number", p.name)
	}
	p.min, p.max = 1, 2*p.value
	if negative {
		p.value = -p.value
		p.min, p.max = 2*p.value, -1
	}
	if found := note.FindStringSubmatch(comment); found != nil && found[1] != "" {
		return p, nil
	}
	if found := note.FindStringSubmatch(spec.Doc.Text() + spec.Comment.Text()); found != nil {
		if found[1] != "" {
			return p, nil
		}
		var errs [2]error
		p.min, errs[0] = strconv.Atoi(found[2])
		p.max, errs[1] = strconv.Atoi(found[3])
		if errors.Join(errs[:]...) != nil {
			return p, fmt.Errorf(`%s: its comment says neither "tune: no" nor "tune: MIN to MAX"`, p.name)
		}
	}
	if p.value < p.min || p.value > p.max || p.min == p.max {
		return p, fmt.Errorf("%s: %d and the bounds %d to %d", p.name, p.value, p.min, p.max)
	}
	p.tuned = true
	return p, nil
}

// generate returns params_tune.go: a constant for each constant that is not tuned, a variable for each parameter,
// and the list of the parameters.
func (s *source) generate() ([]byte, error) {
	var constants, variables, list bytes.Buffer
	for _, c := range s.constants {
		if !c.tuned {
			fmt.Fprintf(&constants, "%s = %d\n", c.name, c.value)
			continue
		}
		fmt.Fprintf(&variables, "%s = %d\n", c.name, c.value)
		fmt.Fprintf(&list, "{%q, %d, %d, &%s},\n", c.name, c.min, c.max, c.name)
	}
	return format.Source(fmt.Appendf(nil, `// Code generated from %s by tools/spsa; DO NOT EDIT.

//go:build tune

package alphabeta

const (
%s)

var (
%s)

func init() {
parameters = []Parameter{
%s}
}
`, sourceName, &constants, &variables, &list))
}

// with returns the text of params.go with other values of some parameters; all else stays.
func (s *source) with(values map[string]int) ([]byte, error) {
	var b bytes.Buffer
	at, missing := 0, maps.Clone(values)
	for _, c := range s.constants {
		if value, ok := values[c.name]; ok && c.tuned {
			b.Write(s.text[at:c.from])
			fmt.Fprint(&b, value)
			at = c.to
			delete(missing, c.name)
		}
	}
	b.Write(s.text[at:])
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s has no %s", sourceName, strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return format.Source(b.Bytes())
}

// readSource reads params.go in a folder.
func readSource(folder string) (*source, error) {
	text, err := os.ReadFile(filepath.Join(folder, sourceName))
	if err != nil {
		return nil, err
	}
	return parseSource(text)
}

func writeFile(folder, name string, text []byte) error {
	return atomicfile.WriteBytes(filepath.Join(folder, name), atomicfile.Any, text)
}

// generate is the command of that name, which go generate runs.
func generate(set *flag.FlagSet, args []string) error {
	folder := set.String("dir", ".", "folder of "+sourceName)
	if err := parse(set, args, 0); err != nil {
		return err
	}
	s, err := readSource(*folder)
	if err != nil {
		return err
	}
	text, err := s.generate()
	if err != nil {
		return err
	}
	return writeFile(*folder, generatedName, text)
}
