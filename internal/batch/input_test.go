package batch

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"trefoil/internal/cli"
)

// TestPositions: the positions of all games in order; a game that cannot be read is an error, and the next
// one follows.
func TestPositions(t *testing.T) {
	games := [][]string{{"a", "b"}, {}, nil, {"c"}}
	errBad := &BadInput{errors.New("bad")}
	next := Positions(func() ([]string, error) {
		if len(games) == 0 {
			return nil, io.EOF
		}
		g := games[0]
		games = games[1:]
		if g == nil {
			return nil, errBad
		}
		return g, nil
	})
	for _, want := range []struct {
		position string
		err      error
	}{{"a", nil}, {"b", nil}, {"", errBad}, {"c", nil}, {"", io.EOF}, {"", io.EOF}} {
		if got, err := next(); got != want.position || err != want.err {
			t.Errorf("%q, %v, want %+v", got, err, want)
		}
	}
}

// TestMark: a byte order mark before the first line is skipped, and UTF-16 read.
func TestMark(t *testing.T) {
	for _, in := range []string{"\ufeff# x\nab\n", "\xff\xfea\x00b\x00\n\x00", "\xfe\xff\x00a\x00b"} {
		if l, err := newReader(strings.NewReader(in), nil).read(); l.Text != "ab" || err != nil {
			t.Errorf("%q: %+v, %v", in, l, err)
		}
	}
}

// TestLineEnds: LF, CR LF and CR end a line, and count as one line each.
func TestLineEnds(t *testing.T) {
	r := newReader(strings.NewReader("a\nb\r\nc\r\rd\r\n\ne"), nil)
	for _, want := range []Line{{Line: 1, Text: "a"}, {Line: 2, Text: "b"}, {Line: 3, Text: "c"}, {Line: 5, Text: "d"},
		{Line: 7, Text: "e"}} {
		if got, err := r.read(); got.Line != want.Line || got.Text != want.Text || err != nil {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	if _, err := r.read(); err != io.EOF {
		t.Error(err)
	}
}

// TestRead: the records of a file, up to an error of what reads them, or the end of the context.
func TestRead(t *testing.T) {
	const record = `{"line":1,"input":"a","number":1,"command":"shout"}` + "\n"
	path := write(t, record+strings.ReplaceAll(record, "1", "2"))
	std := &cli.Console{In: strings.NewReader(record), Err: io.Discard}
	for _, c := range []struct {
		path string
		stop int // the line with an error
		want string
		err  string
	}{{path, 0, "aa", ""}, {"-", 0, "a", ""}, {path, 2, "aa", path + ": line 2: stopped"},
		{path + "x", 0, "", path + "x"}} {
		got := ""
		err := Read(t.Context(), c.path, std, func(r Record, text []byte) error {
			got += r.Input
			if r.Line == c.stop {
				return errors.New("stopped")
			}
			return nil
		})
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.path, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Read(ctx, path, std, func(Record, []byte) error {
		t.Error("a record is read")
		return nil
	}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
