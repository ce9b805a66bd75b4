package tests

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is the longest line of Go code, in characters; a tab counts as one.
const maxColumns = 120

// maxString is the longest string literal, in characters with its quotes, that does not excuse a long line in a
// test. A longer one would have to be cut into pieces.
const maxString = 100

// pronounChain matches phrases in which a pronoun or a number word stands for the thing that a sentence is
// about. A reader has to look for that thing; its name is clearer.
var pronounChain = regexp.MustCompile(`\b(that|those|one|ones|all|both|any|none|some|each) of\b|\bof which\b`)

// commonChain matches the phrases of pronounChain that are counted in the comments of tests, too.
var commonChain = regexp.MustCompile(`\b(?i)((that|those) of|of which)\b`)

// maxChains is how many such phrases there may be in 1,000 lines of comments.
const maxChains = 8

// exampleOutput matches the comment with the output of an example.
var exampleOutput = regexp.MustCompile(`^(?i)(unordered )?output:`)

// isComment reports whether a line is nothing but a comment.
func isComment(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, "\t "), "//") }

// goFiles calls visit with the Go files of the module and of the modules within it, by their names with slashes.
func goFiles(t *testing.T, visit func(name string, source []byte)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err == nil {
			visit(name, source)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// longLines returns the lines of a file that have more than maxColumns characters, as file:line and their length.
// Generated files have no such limit, and a line that ends with the tag of a field has none: Go has no way to break
// a tag. In tests the rows of tables and lines with a long string have none, nor has the output of an example.
func longLines(t *testing.T, name string, source []byte) (long []string) {
	t.Helper()
	test := strings.HasSuffix(name, "_test.go")
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if ast.IsGenerated(file) {
		return nil
	}
	exempt, rows := map[int]bool{}, map[int]bool{}
	if test {
		rows = longRows(set, file)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && f.Tag != nil {
			exempt[set.Position(f.Tag.End()).Line] = true
		}
		return true
	})
	for _, group := range file.Comments {
		for _, c := range group.List {
			if test && exampleOutput.MatchString(group.Text()) {
				exempt[set.Position(c.Pos()).Line] = true
			}
		}
	}
	for i, line := range strings.Split(string(source), "\n") {
		columns := utf8.RuneCountInString(strings.TrimSuffix(line, "\r"))
		if columns > maxColumns && !exempt[i+1] && (!rows[i+1] || isComment(line)) {
			long = append(long, fmt.Sprintf("%s:%d: %d characters", name, i+1, columns))
		}
	}
	return long
}

// longRows returns the lines of code that may be long in a test. These are lines in a composite literal of several
// lines, except in the body of a function there; lines of a raw string of several lines; and lines with a single
// string literal, if it is longer than maxString.
func longRows(set *token.FileSet, file *ast.File) map[int]bool {
	line := func(p token.Pos) int { return set.Position(p).Line }
	rows, strings := map[int]bool{}, map[int][]string{}
	mark := func(from, to int, long bool) {
		for ; from <= to; from++ {
			rows[from] = long
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if len(n.Elts) > 0 {
				mark(line(n.Lbrace)+1, line(n.Elts[len(n.Elts)-1].End()), true)
			}
		case *ast.FuncLit:
			mark(line(n.Body.Lbrace)+1, line(n.Body.Rbrace)-1, false)
		case *ast.BasicLit:
			if from, to := line(n.Pos()), line(n.End()); from < to {
				mark(from, to, true)
			} else if n.Kind == token.STRING {
				strings[from] = append(strings[from], n.Value)
			}
		}
		return true
	})
	for l, list := range strings {
		rows[l] = rows[l] || len(list) == 1 && utf8.RuneCountInString(list[0]) > maxString
	}
	return rows
}

// TestLineLength holds the lines of Go files to maxColumns.
func TestLineLength(t *testing.T) {
	files := 0
	goFiles(t, func(name string, source []byte) {
		files++
		for _, line := range longLines(t, name, source) {
			t.Errorf("%s, at most %d", line, maxColumns)
		}
	})
	if files < 100 {
		t.Errorf("only %d Go files found", files)
	}
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("é", maxColumns-3)
	sum := strings.Repeat("b + ", maxColumns/4) + "b"
	for _, c := range []struct {
		name, source string
		want         int
	}{
		{"a.go", "package a\n\n// " + long + "\n", 0},
		{"a.go", "package a\n\n// " + long + "e\n", 1},
		{"a_test.go", "package a\n\n// " + long + "e\n", 1},
		{"a.go", "package a\n\nvar a = `" + long + "`\n", 1},
		{"a_test.go", "package a\n\nvar a = `" + long + "`\n", 0},
		{"a_test.go", "package a\n\nvar a = `" + long + "` + `b`\n", 1},
		{"a_test.go", "package a\n\nvar a = `\n" + long + long + "\n`\n", 0},
		{"a_test.go", "package a\n\nvar a = " + sum + "\n", 1},
		{"a_test.go", "package a\n\nvar a = `" + strings.Repeat("é", maxString-2) + "` + " + sum + "\n", 1},
		{"a_test.go", "package a\n\nvar a = `" + strings.Repeat("é", maxString-1) + "` + " + sum + "\n", 0},
		{"a_test.go", "package a\n\nvar a = []int{" + sum + "}\n", 1},
		{"a_test.go", "package a\n\nvar a = []int{\n\t" + sum + ",\n}\n", 0},
		{"a_test.go", "package a\n\nvar a = []int{1,\n\t" + sum + "}\n", 0},
		{"a_test.go", "package a\n\nvar a = []int{\n\t// " + long + "e\n\t1,\n}\n", 1},
		{"a_test.go", "package a\n\nvar a = []func(){\n\tfunc() {\n\t\tb = " + sum + "\n\t},\n}\n", 1},
		{"a.go", "package a\n\nvar a = []int{\n\t" + sum + ",\n}\n", 1},
		{"a_test.go", "package a\n\nfunc a() {\n\t// Output:\n\t// " + long + "e\n}\n", 0},
		{"a.go", "// Code generated by hand. DO NOT EDIT.\n\npackage a\n\n// " + long + "e\n", 0},
		{"a.go", "package a\n\ntype a struct {\n\tB int `c:\"" + long + "\"`\n}\n", 0},
	} {
		if got := longLines(t, c.name, []byte(c.source)); len(got) != c.want {
			t.Errorf("%s: %q has the long lines %q, want %d", c.name, c.source, got, c.want)
		}
	}
}

// TestPronounChains counts the phrases of pronounChain in the comments of the program, and the phrases of
// commonChain in the comments of all files.
func TestPronounChains(t *testing.T) {
	for _, c := range []struct {
		where   string
		phrases *regexp.Regexp
		tests   bool
	}{{"of the program", pronounChain, false}, {"of all Go files", commonChain, true}} {
		lines := 0
		var found []string
		goFiles(t, func(name string, source []byte) {
			if strings.HasSuffix(name, "_test.go") && !c.tests {
				return
			}
			for i, line := range strings.Split(string(source), "\n") {
				if !isComment(line) {
					continue
				}
				lines++
				for range c.phrases.FindAllString(line, -1) {
					found = append(found, fmt.Sprintf("%s:%d: %s", name, i+1, strings.TrimSpace(line)))
				}
			}
		})
		t.Logf("%d phrases in %d lines of comments %s", len(found), lines, c.where)
		if lines == 0 || 1000*len(found) > maxChains*lines {
			t.Errorf("%d phrases such as \"that of\" in %d lines of comments %s, at most %d in 1,000; "+
				"name the thing instead:\n%s", len(found), lines, c.where, maxChains, strings.Join(found, "\n"))
		}
	}
}
