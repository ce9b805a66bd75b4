//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"trefoil/internal/filetest"
)

// fifo returns the path of a new named pipe.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

// TestPipes: what is read from a named pipe, or written to one, is announced, and nothing else is.
func TestPipes(t *testing.T) {
	path := fifo(t)
	var errs strings.Builder
	c := &Console{Prefix: "p", Err: &errs}
	for _, other := range []string{filepath.Dir(path), path + "2", os.DevNull} {
		c.NotePipe(other)
	}
	out, err := c.Output(t.Context(), os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	w, err := out.Open()
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	if errs.Len() > 0 {
		t.Errorf("announced: %s", errs.String())
	}
	both, err := os.OpenFile(path, os.O_RDWR, 0) // so that no open waits
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	if out, err = c.Output(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if w, err = out.Open(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(w, "text")
	_ = w.Close()
	r, err := c.Input(t.Context(), path).Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text := make([]byte, 4)
	if _, err := io.ReadFull(r, text); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if got, want := errs.String(), "p: writing to the pipe "+path+"\np: reading from the pipe "+path+"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// wrapper is a writer that passes everything on.
type wrapper struct{ io.Writer }

func (w wrapper) Unwrap() io.Writer { return w.Writer }

// TestStandardStreams: the path - is a standard stream. When standard output is taken for a file, results go
// to standard error.
func TestStandardStreams(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var errs strings.Builder
	c := &Console{In: strings.NewReader("text"), Out: wrapper{file}, Err: &errs}
	in, err := c.Input(t.Context(), Standard).Open()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(in); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if in := c.Input(t.Context(), file.Name()); in.Name != file.Name() || in.Open != nil {
		t.Errorf("%+v", in)
	}
	defer signal.Reset(syscall.SIGPIPE)
	out, err := c.Output(t.Context(), Standard)
	if err != nil {
		t.Fatal(err)
	}
	w, err := out.Open()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(w, "text")
	c.Println("result")
	if text, err := os.ReadFile(file.Name()); err != nil || string(text) != "text" || errs.String() != "result\n" {
		t.Errorf("%q, %v, %q", text, err, errs.String())
	}
	if !signal.Ignored(syscall.SIGPIPE) {
		t.Error("a reader that is gone ends the program")
	}
}

// TestUses: a standard stream is used once, under whatever name.
func TestUses(t *testing.T) {
	path, c := fifo(t), new(Console)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	defer func(old *os.File) { os.Stdin = old }(os.Stdin)
	os.Stdin = f
	if err := c.CheckInputs(Positions(""), Use{"--load", "file"}, Use{"--book", ""}); err != nil {
		t.Error(err)
	}
	const want = "standard input is named for both the positions and --load: name a file for one of them"
	for _, second := range []string{Standard, path} {
		if err := c.CheckInputs(Positions(""), Use{"--load", second}); err == nil || err.Error() != want {
			t.Error(err)
		}
		if err := c.CheckInputs(Positions("file"), Use{"--load", second}); err != nil {
			t.Error(err)
		}
	}
}

// TestOutputs: a file is written once, under whatever name.
func TestOutputs(t *testing.T) {
	c := new(Console)
	for second, want := range map[string]string{
		"": "", "other": "", Standard: "",
		"file":        "file is named for both --save and --certificate: name another file for one of them",
		"./a/../file": "./a/../file is named for both --save and --certificate: name another file for one of them",
	} {
		err := c.CheckOutputs(Use{"--save", "file"}, Use{"--certificate", second})
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v", second, err)
		}
	}
	if err := c.CheckOutputs(Use{"--save", ""}, Use{"--certificate", ""}); err != nil {
		t.Error(err)
	}
}

// TestCheckNew: a file is not replaced; a stream is no file.
func TestCheckNew(t *testing.T) {
	path := fifo(t)
	t.Chdir(filepath.Dir(path))
	filetest.Write(t, Standard, "")
	for path, ok := range map[string]bool{Standard: true, "pipe": true, "new": true, "./-": false} {
		err := CheckNew(path)
		if (err == nil) != ok || !ok && err.Error() != "--save: ./- exists: --load it too, or choose another name" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestInputEnds: reading a file ends with its context.
func TestInputEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if in, err := (&Console{In: strings.NewReader("text")}).Input(ctx, Standard).Open(); err != nil {
		t.Fatal(err)
	} else if text, err := io.ReadAll(in); len(text) > 0 || err != context.Canceled {
		t.Errorf("%q, %v", text, err)
	}
}
