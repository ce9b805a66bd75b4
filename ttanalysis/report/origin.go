package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// An Origin says where figures come from. Any of its texts may be empty.
type Origin struct {
	Command string // that repeats them
	Version string // of the program
	Machine string
	Date    string
}

// A heading is what a file of counts says before its columns.
type heading struct {
	Title string // the positions and the settings
	Origin
}

// titlePrefix begins the lines of a heading. The first is the title.
const titlePrefix = "# "

// A field is a line of a heading after the title.
type field struct {
	name string
	text *string
}

func (h *heading) fields() []field {
	return []field{{"command", &h.Command}, {"version", &h.Version}, {"machine", &h.Machine}, {"date", &h.Date}}
}

// saveTable writes a heading, columns and rows to a file of tab-separated values.
func saveTable(path string, h heading, columns []string, rows [][]string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = '\t'
	_ = w.Write([]string{titlePrefix + h.Title})
	for _, f := range h.fields() {
		if *f.text != "" {
			_ = w.Write([]string{titlePrefix + f.name + ": " + *f.text})
		}
	}
	_ = w.Write(columns)
	_ = w.WriteAll(rows)
	return writeFile(path, b.Bytes())
}

// A table is a file of saveTable. The heading may be missing.
type table struct {
	path, what string // what the file should be
	heading
	columns []string
	rows    [][]string
	lines   []int // of the rows in the file
}

// loadTable reads a file of saveTable. what names the command that writes such files.
func loadTable(path, what string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord = '\t', -1
	t := &table{path: path, what: what}
	for n := 0; ; n++ {
		row, err := r.Read()
		switch {
		case err == io.EOF && t.columns == nil:
			return nil, fmt.Errorf("%s: not a file of %s: no columns", path, what)
		case err == io.EOF:
			return t, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		case t.columns == nil && len(row) == 1:
			t.readHeading(strings.TrimPrefix(row[0], titlePrefix), n == 0)
			continue
		case t.columns == nil:
			t.columns = row
			continue
		}
		line, _ := r.FieldPos(0)
		t.rows, t.lines = append(t.rows, row), append(t.lines, line)
		if len(row) != len(t.columns) {
			return nil, t.wrong(len(t.rows)-1, "%d columns, expected %d", len(row), len(t.columns))
		}
	}
}

// readHeading reads a line of the heading. The first line is the title.
func (t *table) readHeading(line string, first bool) {
	if first {
		t.Title = line
		return
	}
	for _, f := range t.fields() {
		if text, ok := strings.CutPrefix(line, f.name+": "); ok {
			*f.text = text
		}
	}
}

// wrong returns an error in a row.
func (t *table) wrong(row int, format string, args ...any) error {
	return fmt.Errorf("%s: line %d: "+format, append([]any{t.path, t.lines[row]}, args...)...)
}

// requireRows refuses a file that has no row or lacks a column.
func (t *table) requireRows(columns ...string) error {
	if len(t.rows) == 0 {
		return fmt.Errorf("%s: not a file of %s: no rows", t.path, t.what)
	}
	return t.require(columns...)
}

// require refuses a file that lacks a column.
func (t *table) require(columns ...string) error {
	for _, name := range columns {
		if !slices.Contains(t.columns, name) {
			return fmt.Errorf("%s: not a file of %s: no column %q", t.path, t.what, name)
		}
	}
	return nil
}

// text returns a cell, "" if there is no such column.
func (t *table) text(row int, column string) string {
	if i := slices.Index(t.columns, column); i >= 0 {
		return t.rows[row][i]
	}
	return ""
}

// count returns a cell that is a count, 0 if there is no such column.
func (t *table) count(row int, column string) (uint64, error) {
	if !slices.Contains(t.columns, column) {
		return 0, nil
	}
	n, err := strconv.ParseUint(t.text(row, column), 10, 64)
	if err != nil {
		return 0, t.wrong(row, "%s %q is not a count", column, t.text(row, column))
	}
	return n, nil
}
