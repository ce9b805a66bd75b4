package config

import (
	"testing"

	"trefoil/engine/memory"
	"trefoil/options"
	"trefoil/ttanalysis"
)

// TestRequest: the memory that the options ask for, by default and with other values.
func TestRequest(t *testing.T) {
	o := New(Uses{})
	if r := o.Request(); r != (memory.Request{Hash: 16 << 20, Threads: 1}) {
		t.Errorf("by default %+v", r)
	}
	for _, s := range [][2]string{{"Hash", "3"}, {"Threads", "5"}, {"HashStats", "true"}, {"HashAudit", "count"}} {
		if err := o.Set.Set(t.Context(), options.UCI, s[0], s[1]); err != nil {
			t.Fatal(err)
		}
	}
	// A KiB of the table has 96 entries, each with a second key of 8 bytes.
	want := memory.Request{Hash: 3 << 20, Threads: 5, Audit: 96 * 8, Stats: ttanalysis.MaxShadowBytes}
	if r := o.Request(); r != want {
		t.Errorf("%+v, want %+v", r, want)
	}
}

// TestAtOnce: the debug log can be opened while a search runs; other options wait for its end.
func TestAtOnce(t *testing.T) {
	for _, s := range New(Uses{}).Set.List(options.UCI) {
		if s.AtOnce != (s.UCI == "Debug Log File") {
			t.Errorf("%s: at once %v", s.UCI, s.AtOnce)
		}
	}
}
