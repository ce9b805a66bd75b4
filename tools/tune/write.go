package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"trefoil/game/chess/eval"
)

// vector is the weights as one row of pointers, in the order of their
// declaration, with their names.
type vector struct {
	scores []*eval.Score
	names  []string
}

// flatten gives the vector of w. It panics if Weights holds anything but Scores,
// which is a mistake in package eval, not in any input.
func flatten(w *eval.Weights) vector {
	var v vector
	v.walk(reflect.ValueOf(w).Elem(), "")
	return v
}

func (v *vector) walk(x reflect.Value, name string) {
	switch p := x.Addr().Interface().(type) {
	case *eval.Score:
		v.scores = append(v.scores, p)
		v.names = append(v.names, name)
		return
	}
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			v.walk(x.Field(i), strings.TrimPrefix(name+"."+x.Type().Field(i).Name, "."))
		}
	case reflect.Array:
		for i := range x.Len() {
			v.walk(x.Index(i), fmt.Sprintf("%s[%d]", name, i))
		}
	default:
		panic("eval.Weights holds a " + x.Type().String())
	}
}

// source is the Go file that declares w as the weights in play.
func source(w *eval.Weights, note string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("package eval\n\n")
	for line := range strings.Lines(note) {
		b.WriteString("// " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("var tuned = ")
	literal(&b, reflect.ValueOf(w).Elem())
	b.WriteString("\n")
	return format.Source(b.Bytes())
}

// literal writes x as a composite literal: fields on lines of their own, boards
// eight squares (the king's four) to a line, other tables on one line.
func literal(b *bytes.Buffer, x reflect.Value) {
	if s, ok := x.Interface().(eval.Score); ok {
		fmt.Fprintf(b, "S(%d, %d)", s.MG(), s.EG())
		return
	}
	if x.Kind() == reflect.Struct {
		fmt.Fprintf(b, "%s{\n", x.Type().Name())
		for i := range x.NumField() {
			fmt.Fprintf(b, "%s: ", x.Type().Field(i).Name)
			literal(b, x.Field(i))
			b.WriteString(",\n")
		}
		b.WriteString("}")
		return
	}
	row, nested := 0, x.Type().Elem().Kind() == reflect.Array
	switch n := x.Len(); {
	case nested:
		row = 1
	case n == 64:
		row = 8
	case n == 32:
		row = 4
	case n > 8:
		row = 7
	}
	// The type of an inner array is already said by the outer one.
	fmt.Fprintf(b, "%s{", strings.ReplaceAll(x.Type().String(), "eval.", ""))
	for i := range x.Len() {
		if row > 0 && i%row == 0 {
			b.WriteString("\n")
		}
		if nested {
			var inner bytes.Buffer
			literal(&inner, x.Index(i))
			b.WriteString(inner.String()[strings.IndexByte(inner.String(), '{'):])
		} else {
			literal(b, x.Index(i))
		}
		if i+1 < x.Len() || row > 0 {
			b.WriteString(", ")
		}
	}
	if row > 0 {
		b.WriteString("\n")
	}
	b.WriteString("}")
}

// replace writes a file whole or not at all.
func replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".tune-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(0o644)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
