package main

import (
	"bytes"
	"fmt"
	"go/format"
	"reflect"
	"strings"
)

// vector is the weights as one row of scores, in the order of their declaration,
// with their names.
type vector struct {
	game   subject
	scores []reflect.Value
	names  []string
}

// flatten gives the vector of the weights that w points to.
func flatten(g subject, w any) vector {
	v := vector{game: g}
	v.walk(reflect.ValueOf(w).Elem(), "")
	return v
}

func (v *vector) walk(x reflect.Value, name string) {
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
		v.scores = append(v.scores, x)
		v.names = append(v.names, name)
	}
}

// get returns the halves of score i, set changes them.
func (v *vector) get(i int) (first, second int) { return v.game.split(v.scores[i].Int()) }

func (v *vector) set(i, first, second int) { v.scores[i].SetInt(v.game.join(first, second)) }

// source is the Go file that declares the weights that w points to as the weights in play.
func source(g subject, w any, note string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("package eval\n\n")
	for line := range strings.Lines(note) {
		b.WriteString("// " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("var tuned = ")
	literal(g, &b, reflect.ValueOf(w).Elem())
	b.WriteString("\n")
	return format.Source(b.Bytes())
}

// rows are the lengths of tables that are boards, and of a row of them: chess's
// squares and half board, shogi's cells around a king.
var rows = map[int]int{64: 8, 32: 4, 66: 6}

// literal writes x as a composite literal: fields on lines of their own, boards by
// rows, other tables on one line.
func literal(g subject, b *bytes.Buffer, x reflect.Value) {
	if x.CanInt() {
		first, second := g.split(x.Int())
		fmt.Fprintf(b, "S(%d, %d)", first, second)
		return
	}
	if x.Kind() == reflect.Struct {
		fmt.Fprintf(b, "%s{\n", x.Type().Name())
		for i := range x.NumField() {
			fmt.Fprintf(b, "%s: ", x.Type().Field(i).Name)
			literal(g, b, x.Field(i))
			b.WriteString(",\n")
		}
		b.WriteString("}")
		return
	}
	n, nested := x.Len(), x.Type().Elem().Kind() == reflect.Array
	row, board := rows[n]
	switch {
	case nested:
		row = 1
	case !board && n > 8:
		row = 7
	}
	// The type of an inner array is already said by the outer one.
	fmt.Fprintf(b, "%s{", strings.ReplaceAll(x.Type().String(), "eval.", ""))
	for i := range n {
		if row > 0 && i%row == 0 {
			b.WriteString("\n")
		}
		if nested {
			var inner bytes.Buffer
			literal(g, &inner, x.Index(i))
			b.WriteString(inner.String()[strings.IndexByte(inner.String(), '{'):])
		} else {
			literal(g, b, x.Index(i))
		}
		if i+1 < n || row > 0 {
			b.WriteString(", ")
		}
	}
	if row > 0 {
		b.WriteString("\n")
	}
	b.WriteString("}")
}
