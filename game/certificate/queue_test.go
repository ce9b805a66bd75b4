package certificate

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// A queue passes on what a set has, in order, whether it fits in memory or not.
func TestQueue(t *testing.T) {
	defer crowded()()
	t.Setenv("TMPDIR", t.TempDir())
	r := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		q, set := queue{left: func() uint64 { return 1 << 62 }}, map[key]bool{}
		left := 300
		add := func(above int) {
			for range 1 + r.IntN(30) {
				if level := above + 1 + r.IntN(100); left > 0 && level <= maxLevel {
					k := newKey(level, strings.Repeat("x", r.IntN(3))+string('a'+byte(r.IntN(5))))
					if left--; k.level() != level || q.add(k) != nil {
						t.Fatalf("level %d of key %q", level, k)
					}
					set[k] = true
				}
			}
		}
		last := key("")
		add(r.IntN(maxLevel))
		if err := q.each(func(k key) error {
			if k <= last || !set[k] {
				t.Fatalf("%q after %q, which the set has: %v", k, last, set[k])
			}
			last = k
			delete(set, k)
			add(k.level())
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(set) > 0 {
			t.Errorf("%d positions are missing", len(set))
		}
	}
	if rest, _ := os.ReadDir(os.Getenv("TMPDIR")); len(rest) > 0 {
		t.Errorf("temporary files are left: %v", rest)
	}
}

// An error in reading a temporary file ends the merge.
func TestQueueFails(t *testing.T) {
	defer crowded()()
	q := queue{left: func() uint64 { return 1 << 62 }}
	defer q.close()
	for i := 0; ; i++ {
		q.later = append(q.later, newKey(1, strings.Repeat("x", i)))
		if len(q.files) == mostFiles {
			break
		}
		if err := q.spill(); err != nil {
			t.Fatal(err)
		}
	}
	q.files[0].Close()
	if err := q.spill(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("error %v", err)
	}
}
