package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/command"
	"trefoil/internal/filetest"
)

// makeBook starts a coordinator of a book.
func makeBook(t *testing.T, url, flags, path string) *process {
	return launch(t, strings.Fields("book connect4 --ack-wait 1s --queue "+url+" "+flags+" "+path)...)
}

// sameBook expects the book that is made without a queue.
func sameBook(t *testing.T, flags, path string) {
	t.Helper()
	alone := filepath.Join(t.TempDir(), "alone")
	if status := command.Run(strings.Fields("book connect4 "+flags+" "+alone), nil, io.Discard,
		t.Output()); status != 0 {
		t.Fatalf("exit status %d", status)
	}
	want := filetest.Read(t, alone)
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another book: %v", err)
	}
}

// TestBookKilled: workers, coordinator and server are killed; the book is the same as the book of one
// process.
func TestBookKilled(t *testing.T) {
	t.Parallel()
	const flags = "--size 6x4 --ply 4" // hundreds of positions of a millisecond
	path := filepath.Join(t.TempDir(), "book")
	coordinator, _ := survive(t, func(url string) *process {
		_ = os.Remove(path) // there is a book if the last coordinator was fast
		return makeBook(t, url, flags+" --batch 1", path)
	})
	if out, _ := coordinator.ends(0); !strings.Contains(out, "430 positions up to ply 4") {
		t.Error(out)
	}
	sameBook(t, flags, path)
}

// small are the flags of a book of 66 positions, 49 of them jobs of a millisecond.
const small = "--size 5x4 --ply 3"

// TestBookStays: the scores stay at the queue, so that the book can be made again without workers. Without
// --unconfirmed they are confirmed first.
func TestBookStays(t *testing.T) {
	t.Parallel()
	s := serveQueue(t, t.TempDir(), "127.0.0.1:0")
	worker := launch(t, "work", "--queue", s.worker, "--hash", "8")
	dir := t.TempDir()
	makeBook(t, s.url, small+" --unconfirmed", filepath.Join(dir, "first")).ends(0)
	worker.interrupt()
	worker.ends(0)
	makeBook(t, s.url, small+" --unconfirmed", filepath.Join(dir, "second")).ends(0)
	sameBook(t, small, filepath.Join(dir, "second"))
	makeBook(t, s.url, small, filepath.Join(dir, "third")).ends(0) // by the coordinator
	sameBook(t, small, filepath.Join(dir, "third"))
}

// TestBookLiar: a worker whose scores are wrong is named, and the book is right. A worker of another
// version gets no jobs.
func TestBookLiar(t *testing.T) {
	t.Parallel()
	s := serveQueue(t, t.TempDir(), "127.0.0.1:0")
	otherVersion(t, s.url)
	path := filepath.Join(t.TempDir(), "book")
	coordinator := makeBook(t, s.url, small, path)
	coordinator.says(`worker "old machine-`)
	eventually(t, "the book in the state", func() bool {
		out, _ := launch(t, "queue", "status", "--queue", s.url).ends(0)
		return strings.Contains(out, "book connect4 5x4 ply 3: 0 jobs done, ") &&
			strings.Contains(out, "0 of 49 positions solved")
	})
	startLiar(t, s.url, func(result any) (any, bool) {
		r := result.(jobs.Scored)
		for i := range r.Scores {
			r.Scores[i]++
		}
		return r, true
	})
	launch(t, "work", "--queue", s.worker, "--hash", "8")
	if _, errs := coordinator.ends(0); !strings.Contains(errs, liarNamed) {
		t.Error(errs)
	}
	sameBook(t, small, path)
}

// TestBookQueueFlags: flags that are missing or wrong.
func TestBookQueueFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, message string }{
		{"book", "missing flags: --queue=URL"},
		{"--queue x", "missing argument <file>"},
		{"--queue x --json book", `unknown flag "--json"`},
		{"--queue x --batch 257 book", "--batch"},
		{"--queue nowhere book", `"nowhere" is neither a URL such as nats://host:4222 nor a file that holds one`},
	} {
		if _, errs := launch(t, append([]string{"book", "connect4"},
			strings.Fields(c.args)...)...).ends(2); !strings.Contains(errs, c.message) {
			t.Errorf("%s: %s", c.args, errs)
		}
	}
}
