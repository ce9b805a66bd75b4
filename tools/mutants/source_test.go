package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

const sample = `package sample

const limit = 3

const old = limit < 2

type text string

func f(a, b int, ok bool) (n int) {
	if a < b && !ok {
		n += max(a, -b)
	}
	for i := range [2]int{} {
		if i == limit {
			break
		}
		g(i, func() bool { return true })
	}
	switch {
	case ok:
		n = a << 1
	}
	return n
}

func g(int, func() bool) {}

type kind int

func h(kind kind) bool {
	if old {
		return false
	}
	return kind == kind+1
}

func (t text) join(u text) text { return t + u }
`

// mutants of sample, as they are listed.
var sampleMutants = strings.Split(`a < b && !ok → a < b || !ok
a < b → a >= b
a < b → a <= b
!ok → !!ok
n += max(a, -b) → n -= max(a, -b)
n += max(a, -b) → (nothing)
max(a, -b) → min(a, -b)
-b → b
i == limit → i != limit
break → (nothing)
g(i, func() bool { return true }) → (nothing)
true → false
n = a << 1 → (nothing)
a << 1 → a >> 1
old → true
false → true
kind == kind+1 → kind != kind+1`, "\n")

// TestMutate: the mutants of a file, and that the file with all of them is a program.
func TestMutate(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "sample.go", sample, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}}
	pkg, err := new(types.Config).Check("sample", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{fset: fset, info: info, pkg: pkg, file: file, name: "sample.go", text: []byte(sample)}
	text := s.mutate()
	var got []string
	for i, c := range s.changes {
		if c.id != i {
			t.Errorf("mutant %d has number %d", i, c.id)
		}
		_, key, _ := strings.Cut(c.key(), ": ")
		got = append(got, key)
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(sampleMutants))
	if !slices.Equal(got, want) {
		t.Errorf("mutants\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if file, err = parser.ParseFile(fset, "mutated.go", text, 0); err == nil {
		_, err = (&types.Config{Importer: withMutant{}}).Check("sample", fset, []*ast.File{file}, nil)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if lines, want := strings.Count(string(text), "\n"), strings.Count(sample, "\n"); lines != want {
		t.Errorf("%d lines, want %d", lines, want)
	}
}

// withMutant imports package mutant, and what that needs.
type withMutant struct{}

func (withMutant) Import(path string) (*types.Package, error) {
	if path != mutantPackage {
		return importer.Default().Import(path)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "mutant/mutant.go", nil, 0)
	if err != nil {
		return nil, err
	}
	return (&types.Config{Importer: withMutant{}}).Check(path, fset, []*ast.File{file}, nil)
}

func TestExplanations(t *testing.T) {
	list, err := parseExplanations("# comment\na.go:f: x → y\na.go:g: **\n\tthe reason\n")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a.go:f: x → y": "the reason", "a.go:f: x → y #2": "",
		"a.go:g: 1 → 1 + 1": "the reason", "b.go:g: 1": ""} {
		if got := explain(list, key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	for text, want := range map[string]string{"a.go:f: x → y\n": "has no reason",
		"\tfor nothing\n": "without mutants"} {
		if _, err := parseExplanations(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := parseExplanations(explanations); err != nil {
		t.Error(err)
	}
}
