package container

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// A stream has what the file has, however its bytes arrive, and its end is known at its end.
func TestStream(t *testing.T) {
	for _, n := range []int{0, 1, 5} {
		blocks := blocksOf(1, n)
		file := encoded(t, Hash, header{"chess"}, blocks)
		for name, in := range map[string]io.Reader{
			"whole": bytes.NewReader(file), "bytes": iotest.OneByteReader(bytes.NewReader(file)),
			"halves": iotest.HalfReader(bytes.NewReader(file)), "early": iotest.DataErrReader(bytes.NewReader(file)),
		} {
			var h header
			var s summary
			r, err := Open(Stream(in, "a.file"), Hash, &h, &s)
			if err != nil {
				t.Fatal(err)
			}
			if r.Complete() || h.Game != "chess" || s.Entries != 0 {
				t.Errorf("%s: %v, %+v, %+v", name, r.Complete(), h, s)
			}
			got, err := each(r)
			if err != nil || !slices.EqualFunc(got, blocks, bytes.Equal) || !r.Complete() || s.Entries != n ||
				r.Blocks() != uint64(n) || r.Size() != uint64(len(file)) {
				t.Errorf("%s: %v, %d blocks, %d bytes, %+v", name, err, r.Blocks(), r.Size(), s)
			}
			if _, err := r.Again(); err == nil {
				t.Errorf("%s: another reader", name)
			}
			if _, err := r.Next(); err != io.EOF {
				t.Errorf("%s: after the end %v", name, err)
			}
			if err := r.Each(context.Background(), nil); n > 0 &&
				(err == nil || !strings.Contains(err.Error(), "a.file: it cannot be read twice")) {
				t.Errorf("%s: again %v", name, err)
			}
		}
	}
}

// A stream is refused where it is cut, wherever that is, where a bit is wrong, and where more follows.
func TestDamagedStream(t *testing.T) {
	good := encoded(t, Hash, header{"chess"}, blocksOf(1, 3))
	check := func(file []byte, want string) {
		t.Helper()
		_, _, _, err := streamed(bytes.NewReader(file), Hash)
		if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), "a.file: ") ||
			!strings.Contains(err.Error(), want) {
			t.Fatalf("%d bytes: %v, want %q", len(file), err, want)
		}
	}
	for n := range good {
		check(good[:n], fmt.Sprintf("cut short: it has %d bytes", n))
	}
	for bit := range 8 * len(good) {
		bad := bytes.Clone(good)
		bad[bit/8] ^= 1 << (bit % 8)
		check(bad, "")
	}
	check(append(bytes.Clone(good), 0), fmt.Sprintf("there is more after its end, from byte %d on", len(good)))
	check(append(bytes.Clone(good), good...), "there is more after its end")
	check(encoded(t, Trace, header{"chess"}, nil), "it is a trace, expected a saved hash")
	if _, _, _, err := streamed(io.MultiReader(bytes.NewReader(good[:200]), iotest.ErrReader(os.ErrDeadlineExceeded)),
		Hash); !errors.Is(err, os.ErrDeadlineExceeded) || !strings.HasPrefix(err.Error(), "a.file: ") {
		t.Error(err)
	}
}

// Expect bounds what a stream may have before it is read, and is exact at its end.
func TestExpect(t *testing.T) {
	file := encoded(t, Hash, header{"chess"}, blocksOf(1, 3))
	bytesOfData := uint64(30 + 33 + 36)
	for want, says := range map[uint64]string{
		bytesOfData: "", bytesOfData - 1: "length of block 3, at byte", bytesOfData + 1: "length of all blocks is 99, expected 100", 0: "length of block 1, at byte 44, is 30, expected 1 to 0",
	} {
		r, err := Open(Stream(bytes.NewReader(file), "a.file"), Hash, new(header), new(summary))
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(r.Expect(want), r.Each(context.Background(), func([]byte, uint64) error { return nil }))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%d: %v, want %q", want, err, says)
		}
	}
}

// A stream that is kept can be read again; its copy goes with the reader.
func TestKeep(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	blocks := blocksOf(1, 4)
	file := encoded(t, Hash, header{"chess"}, blocks)
	var s summary
	r, err := Open(Stream(iotest.HalfReader(bytes.NewReader(file)), "a.file"), Hash, new(header), &s)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.ReadAhead(context.Background()); err != nil || !r.Complete() || s.Entries != 4 || r.Bytes() == 0 {
		t.Fatal(err, s)
	}
	for range 2 {
		if got, err := each(r); err != nil || !slices.EqualFunc(got, blocks, bytes.Equal) {
			t.Errorf("%v, %d blocks", err, len(got))
		}
	}
	if again, err := r.Again(); err != nil {
		t.Error(err)
	} else if b, err := again.Next(); err != nil || !bytes.Equal(b, blocks[0]) {
		t.Errorf("another reader: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	t.Setenv("TMPDIR", temp+"/nowhere")
	r, err = Open(Stream(bytes.NewReader(file), "a.file"), Hash, new(header), new(summary))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Keep(); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("no folder for the copy: %v", err)
	}
}

// Kind looks at the first bytes of a stream and takes none of them away.
func TestKindOfStream(t *testing.T) {
	for _, kind := range []Kind{Hash, Proofs, Scores} {
		in := Stream(iotest.OneByteReader(bytes.NewReader(encoded(t, kind, header{"x"}, nil))), "a.file")
		if got, err := in.Kind(); got != kind || err != nil {
			t.Errorf("%v, want %v: %v", got, kind, err)
		}
		if _, err := Open(in, kind, new(header), new(summary)); err != nil {
			t.Error(err)
		}
	}
	in := Stream(strings.NewReader("short"), "a.file")
	if got, err := in.Kind(); got != 0 || err != nil {
		t.Error(got, err)
	}
}

// What is written to a stream is the file, byte for byte; an error names the stream.
func TestWriteStream(t *testing.T) {
	blocks := blocksOf(1, 3)
	write := func(to io.Writer) error {
		return Write(WriteStream(to, "a pipe"), Hash, header{"chess"}, func(w *Writer) (any, error) {
			for _, b := range blocks {
				if err := w.WriteBlock(b); err != nil {
					return nil, err
				}
			}
			return summary{3}, nil
		})
	}
	var out bytes.Buffer
	if err := write(&out); err != nil || !bytes.Equal(out.Bytes(), encoded(t, Hash, header{"chess"}, blocks)) {
		t.Errorf("%d bytes, %v", out.Len(), err)
	}
	if err := write(full{}); err == nil || err.Error() != "a pipe: no space" {
		t.Error(err)
	}
	if err := Writable(WriteStream(full{}, "a pipe"), Hash); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	out.Reset()
	err := Write(WriteStream(&out, "a pipe"), Hash, header{"chess"}, func(w *Writer) (any, error) {
		return nil, errors.Join(w.WriteBlock(make([]byte, 1<<20)), broken)
	})
	if _, _, _, wrong := streamed(&out, Hash); !errors.Is(err, broken) || wrong == nil {
		t.Errorf("%v; read: %v", err, wrong)
	}
}
