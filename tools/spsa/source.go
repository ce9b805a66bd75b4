package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// sourceName is the file of the values, in the folder of the search.
const sourceName = "values.go"

// A source is the text of values.go and the numbers of one variable of it.
type source struct {
	text    []byte
	numbers []number
}

// number is the value of a field.
type number struct {
	name     string
	value    int
	from, to int // its offsets
}

// parseSource reads the text of values.go. The variable of that name is a pointer to a composite literal of whole
// numbers with keys.
func parseSource(text []byte, variable string) (*source, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, sourceName, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{text: text}
	for spec := range ast.Preorder(file) {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || v.Names[0].Name != variable || len(v.Values) != 1 {
			continue
		}
		for e := range ast.Preorder(v.Values[0]) {
			field, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			from, to := files.Position(field.Value.Pos()).Offset, files.Position(field.Value.End()).Offset
			value, err := strconv.Atoi(string(text[from:to]))
			if err != nil {
				return nil, fmt.Errorf("%s: %s is not a whole number", files.Position(field.Pos()), text[from:to])
			}
			key, ok := field.Key.(*ast.Ident)
			if !ok {
				return nil, fmt.Errorf("%s: the key is no name", files.Position(field.Pos()))
			}
			s.numbers = append(s.numbers, number{key.Name, value, from, to})
		}
		return s, nil
	}
	return nil, fmt.Errorf("%s has no variable %s", sourceName, variable)
}

// with returns the text with other values of some fields; all else stays.
func (s *source) with(values map[string]int) ([]byte, error) {
	var b bytes.Buffer
	at, missing := 0, maps.Clone(values)
	for _, n := range s.numbers {
		if value, ok := values[n.name]; ok {
			b.Write(s.text[at:n.from])
			fmt.Fprint(&b, value)
			at = n.to
			delete(missing, n.name)
		}
	}
	b.Write(s.text[at:])
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s has no %s", sourceName, strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return format.Source(b.Bytes())
}
