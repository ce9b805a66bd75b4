//go:build unix

package engine

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"trefoil/internal/filetest"
	"trefoil/options"
)

// hashPipe returns a named pipe; neither end is open.
func hashPipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

// A hash goes through a pipe as through a file. What is cut short leaves the table as it was.
func TestHashGoesThroughAPipe(t *testing.T) {
	defer func(a, b time.Duration) { partnerTimeout, idleTimeout = a, b }(partnerTimeout, idleTimeout)
	partnerTimeout, idleTimeout = time.Hour, time.Hour
	file, pipe := filepath.Join(t.TempDir(), "hash"), hashPipe(t)
	e := kept(t, "chess", file)
	deep(e, 8)
	set(t, e, "Save Hash", "")
	want := filetest.Read(t, file)
	set(t, e, "Hash File", pipe)
	read := make(chan []byte)
	go func() {
		data, _ := os.ReadFile(pipe)
		read <- data
	}()
	set(t, e, "Save Hash", "")
	if got := <-read; string(got) != string(want) {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
	write := func(data []byte) {
		go func() {
			if f, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
				_, _ = f.Write(data)
				_ = f.Close()
			}
		}()
	}
	write(want[:len(want)/2])
	refused(t, e, "Load Hash", pipe, "cut short: it has ")
	deep(e, 8)
	write(want)
	set(t, e, "Load Hash", "")
	if said := strings.Join(e.Notices(), "|"); !strings.Contains(said, "the hash is loaded from "+pipe+": 4 MiB, ") {
		t.Errorf("%q", said)
	}
	set(t, e, "Hash File", file)
	set(t, e, "Save Hash", "")
	if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
		t.Errorf("another table, %v", err)
	}
}

// While a hash is saved, notices say how far that is.
func TestProgress(t *testing.T) {
	pipe := hashPipe(t)
	e := kept(t, "chess", pipe)
	set(t, e, "Hash", "12")
	deep(e, 5)
	said := make(chan string)
	go func() {
		var all strings.Builder
		f, err := os.Open(pipe)
		for err == nil {
			_, err = io.CopyN(io.Discard, f, 1<<16)
			all.WriteString(strings.Join(e.Notices(), "|"))
		}
		f.Close()
		said <- all.String()
	}()
	set(t, e, "Save Hash", "")
	if s := <-said; !strings.Contains(s, "saving the hash: 33 %") || !strings.Contains(s, "saving the hash: 66 %") {
		t.Errorf("%q", s)
	}
}

// A pipe without a program at its other end, or with one that does nothing, does not hold up a dialogue.
func TestIdlePipes(t *testing.T) {
	defer func(a, b, c time.Duration) {
		partnerTimeout, idleTimeout, quitTimeout = a, b, c
	}(partnerTimeout, idleTimeout, quitTimeout)
	partnerTimeout, idleTimeout, quitTimeout = time.Millisecond, time.Hour, time.Millisecond
	pipe := hashPipe(t)
	e := kept(t, "chess", pipe)
	deep(e, 1)
	refused(t, e, "Load Hash", "loading the hash: "+pipe+": no program has opened it for writing within 1ms")
	refused(t, e, "Save Hash", "saving the hash: "+pipe+": no program has opened it for reading within 1ms")
	partnerTimeout = time.Minute
	idle, err := os.OpenFile(pipe, os.O_RDWR, 0) // both ends
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	stopped := errors.New("stopped")
	for _, name := range []string{"Load Hash", "Save Hash"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(time.Millisecond, func() { cancel(stopped) })
		if err := e.Options().Set(ctx, options.UCI, name, ""); !errors.Is(err, stopped) {
			t.Errorf("%s: %v", name, err)
		}
	}
	idleTimeout = time.Millisecond
	for _, name := range []string{"Load Hash", "Save Hash"} {
		refused(t, e, name, "ing the hash: "+pipe+": the program at its other end has done nothing for 1ms")
	}
}

// The streams of the protocol are not files of the hash.
func TestStreamsOfTheProtocol(t *testing.T) {
	pipe := hashPipe(t)
	f, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e := kept(t, "chess", "-")
	e.UseStreams(os.Stdin, f)
	deep(e, 1)
	for _, path := range []string{"-", pipe} {
		set(t, e, "Hash File", path)
		for _, name := range []string{"Load Hash", "Save Hash"} {
			refused(t, e, name, path+": the protocol uses this stream: name a file or another pipe")
		}
	}
}
