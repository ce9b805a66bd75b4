package connect4

import (
	"strings"
	"testing"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/search/exact"
)

func TestParseLine(t *testing.T) {
	for _, c := range []struct {
		text, moves string
		ply         int
		expected    any
		says        string
	}{
		{"startpos", "startpos", 0, nil, ""},
		{"startpos 1", "startpos", 0, 1, ""},
		{" 4453\t-2\r", "4453", 4, -2, ""},
		{"7", "7", 1, nil, ""},
		{"4453 +3", "4453", 4, 3, ""},
		{"4458", "", 0, nil, "ply 4"},
		{"4453 2 1", "", 0, nil, `unexpected word "1"`},
		{"4453 1.5", "", 0, nil, `"1.5" is not a whole number`},
		{"\x00\xff", "", 0, nil, "ply 1"},
	} {
		moves, p, expected, err := parseLine(rules.Standard, c.text)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		want, _ := rules.Parse(strings.TrimPrefix(c.moves, "startpos"))
		if err != nil || moves != c.moves || p != want || p.Ply() != c.ply ||
			(expected == nil) != (c.expected == nil) || expected != nil && *expected != c.expected {
			t.Errorf("%q: %q %v %v %v", c.text, moves, p, expected, err)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0.00"}, {1234, "1.23"}, {99 * time.Microsecond, "99.00"}, {1234567, "1235"}, {3 * time.Second, "3000000"},
	} {
		if got := microseconds(c.d); got != c.want {
			t.Errorf("%v: %s", c.d, got)
		}
	}
	if got := scoreText(exact.Result{Lower: -3, Upper: 2}); got != "-3..2" {
		t.Error(got)
	}
	if got := scoreText(exact.Result{Score: -3, Lower: -3, Upper: -3, Exact: true}); got != "-3" {
		t.Error(got)
	}
}
