//go:build linux || darwin

package shm

import (
	"context"
	"os"
	"testing"

	"trefoil/internal/container"
)

// FuzzSegment joins a segment whose file has any bytes. It is refused and stays, or it is one that the header
// describes, and can be used.
func FuzzSegment(f *testing.F) {
	good, err := container.EncodeHeader(container.Shared, header{"chess", 4096})
	if err != nil {
		f.Fatal(err)
	}
	other, err := container.EncodeHeader(container.Shared, header{"chess", 1 << 62})
	if err != nil {
		f.Fatal(err)
	}
	for _, beginning := range [][]byte{good, other, good[:len(good)-1], nil} {
		f.Add(beginning, int64(contentsAt+4096))
		f.Add(beginning, int64(contentsAt))
		f.Add(beginning, int64(len(beginning)))
		f.Add(beginning, int64(1<<20))
	}
	f.Fuzz(func(t *testing.T, beginning []byte, length int64) {
		d := Dir(t.TempDir())
		path := d.file("x", "")
		if err := os.WriteFile(path, beginning, 0o600); err != nil {
			t.Fatal(err)
		}
		length = min(max(length, 0), 1<<20)
		if err := os.Truncate(path, length); err != nil {
			t.Fatal(err)
		}
		s, err := d.Join(context.Background(), "x", want(8192))
		if info, gone := os.Stat(path); gone != nil || info.Size() != length {
			t.Fatalf("%v: the file has changed: %v", err, gone)
		}
		if err != nil {
			holds(t, d, 0, "x", "x.lock")
			return
		}
		if s.Made() || s.Contents().Size() != uint64(length-contentsAt) {
			t.Fatalf("made: %v, %d bytes of a file of %d", s.Made(), s.Contents().Size(), length)
		}
		words := s.Contents().Words()
		words[0], words[len(words)-1] = 1, 2
		if err := s.Leave(); err != nil {
			t.Fatal(err)
		}
		holds(t, d, 0)
	})
}
