package engine

import (
	"slices"
	"strings"
	"testing"

	"trefoil/options"
)

// defaults returns the defaults of Threads and of the size of the table in a protocol.
func defaults(e *Engine, p options.Protocol) (list []string) {
	for _, o := range e.Options().List(p) {
		if o.UCI == "Threads" || o.UCI == "Hash" {
			list = append(list, o.Default)
		}
	}
	return list
}

// TestDefaultsOfUSI: in USI the defaults of Threads and USI_Hash are for the machine, with one message. Nothing is
// allocated, and UCI keeps its own.
func TestDefaultsOfUSI(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		machine       Machine
		threads, hash string
	}{
		{Machine{0, 0}, "1", "16"}, {Machine{1, 128 << 20}, "1", "16"}, {Machine{2, 256<<20 - 1}, "1", "16"},
		{Machine{3, 256 << 20}, "2", "32"}, {Machine{8, 4*gib - 1}, "7", "256"}, {Machine{9, 4 * gib}, "8", "512"},
		{Machine{10, 8 * gib}, "8", "1024"}, {Machine{256, 1 << 50}, "8", "1024"},
	} {
		e := started(t).On(c.machine)
		limit(e, 10_000)
		if got := defaults(e, options.UCI); !slices.Equal(got, []string{"16", "1"}) || e.Start(options.UCI) != nil {
			t.Errorf("in UCI %q", got)
		}
		if lines := e.Notices(); len(lines) > 0 {
			t.Errorf("in UCI %q", lines)
		}
		if err := e.Start(options.USI); err != nil {
			t.Fatal(err)
		}
		got, lines := defaults(e, options.USI), e.Notices()
		values := []string{e.Options().Find(options.UCI, "Hash").Value(), e.Options().Find(options.UCI, "Threads").Value()}
		if want := []string{c.hash, c.threads}; !slices.Equal(got, want) || !slices.Equal(values, want) {
			t.Errorf("%+v: defaults %q, values %q, want %q", c.machine, got, values, want)
		}
		if len(lines) != 1 || !strings.Contains(lines[0], "Threads "+c.threads+" (") ||
			!strings.Contains(lines[0], "USI_Hash "+c.hash+" (") || hasTable(e) {
			t.Errorf("%+v: %q, a table %v", c.machine, lines, hasTable(e))
		}
		set(t, e, "Threads", "3")
		if err := e.Start(options.USI); err != nil || len(e.Notices()) > 0 || e.options.Threads.Value() != 3 {
			t.Errorf("again: error %v, %d threads", err, e.options.Threads.Value())
		}
	}
}

// TestDefaultsFit: the threads by default fit into memory beside the table by default, and no more do.
func TestDefaultsFit(t *testing.T) {
	e := limited(t, 125).On(Machine{8, 125 << 20})
	if err := e.Start(options.USI); err != nil {
		t.Fatal(err)
	}
	threads := e.options.Threads.Value()
	if lines := e.Notices(); threads < 2 || threads > 6 || len(lines) != 1 || parts(e) > 125 {
		t.Errorf("%d threads, %q", threads, lines)
	}
	if r, texts := nodes(e, 100); r.Best == "" || strings.Contains(strings.Join(texts, "\n"), "refused") {
		t.Errorf("best %q, %q", r.Best, texts)
	}
	if e.setThreads(threads+1) == nil {
		t.Errorf("%d threads fit, and %d by default", threads+1, threads)
	}
}
