package container

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// TestKinds: every kind has a name and a tag of its own, by which its files are known.
func TestKinds(t *testing.T) {
	tags := map[string]bool{}
	for kind := Kind(1); kind < kinds; kind++ {
		tag, name := kind.info().tag, kind.String()
		if tag == "" || len(tag) > kindBytes || tags[tag] || !strings.HasPrefix(name, "a ") {
			t.Errorf("kind %d: %q, %q", kind, tag, name)
		}
		tags[tag] = true
		path := filetest.New(t, "a.file", encoded(t, kind, header{"chess"}, blocksOf(1, 1)))
		file, stream := File(path), Stream(bytes.NewReader(encoded(t, kind, header{"chess"}, nil)), "stream")
		for _, in := range []*Input{&file, &stream} {
			if got, err := in.Kind(); got != kind || err != nil {
				t.Errorf("%s: %v, %v, want %v", in.Name, got, err, kind)
			}
			if r, err := Open(*in, kind, new(header), new(summary)); err != nil {
				t.Error(err)
			} else if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	missing := File(filepath.Join(t.TempDir(), "missing"))
	if kind, err := missing.Kind(); kind != 0 || err == nil {
		t.Errorf("%v, %v", kind, err)
	}
	if text := kinds.String(); text != "kind 9" {
		t.Error(text)
	}
}

// TestBounds: a header, a summary and blocks of the greatest length are read again, as a file and as a stream. One
// byte more is refused.
func TestBounds(t *testing.T) {
	type text struct {
		Text string `json:"text"`
	}
	long := func(n int) text { return text{strings.Repeat("x", n-len(`{"text":""}`))} }
	blocks := [][]byte{bytes.Repeat([]byte("b"), MaxBlock), {1}}
	var out bytes.Buffer
	e := encoder{out: &out}
	for _, err := range []error{e.begin(Hash, long(MaxHeader)), e.block(blocks[0]), e.block(blocks[1]),
		e.end(long(summaryBytes))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(r *Reader, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := each(r); err != nil || !slices.EqualFunc(got, blocks, bytes.Equal) {
			t.Errorf("%d blocks: %v", len(got), err)
		}
	}
	var head, end text
	read(Read(out.Bytes(), "a.file", Hash, &head, &end))
	if head != long(MaxHeader) || end != long(summaryBytes) {
		t.Error("another header or summary")
	}
	read(Open(Stream(&out, "a.file"), Hash, &head, &end))
	for want, err := range map[string]error{"at most 65536 fit": e.begin(Hash, long(MaxHeader+1)),
		"at most 488 fit": e.end(long(summaryBytes + 1)), "4194305 bytes": e.block(make([]byte, MaxBlock+1)),
		"of 0 bytes": e.block(nil)} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	out.Reset()
	e = encoder{out: &out}
	number := binary.LittleEndian.AppendUint32(nil, MaxBlock+1)
	err := errors.Join(e.begin(Hash, head), e.write(number), e.write(make([]byte, MaxBlock+1)), e.writeSum())
	e.blocks, e.bytes = 1, MaxBlock+1
	if err := errors.Join(err, e.end(end)); err != nil {
		t.Fatal(err)
	}
	for _, open := range []func() (*Reader, error){
		func() (*Reader, error) { return Read(out.Bytes(), "a.file", Hash, &head, &end) },
		func() (*Reader, error) {
			return Open(Stream(bytes.NewReader(out.Bytes()), "a.file"), Hash, &head, &end)
		},
	} {
		r, err := open()
		if err == nil {
			_, err = r.Next()
		}
		if err == nil || !strings.Contains(err.Error(), "is 4194305, expected 1 to 4194304") {
			t.Error(err)
		}
	}
}

// seeking is a stream that could be read from any offset.
type seeking struct{ *bytes.Reader }

func (seeking) Close() error { return nil }

// TestStreamThatSeeks: what is said to be a stream is read as one.
func TestStreamThatSeeks(t *testing.T) {
	in := Input{Name: "a.file", Open: func() (io.ReadCloser, error) {
		return seeking{bytes.NewReader(encoded(t, Hash, header{"chess"}, blocksOf(1, 1)))}, nil
	}}
	r, err := Open(in, Hash, new(header), new(summary))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil || r.Complete() {
		t.Errorf("complete %v, %v", r.Complete(), err)
	}
}

// TestDecodeHeader: a header that stands alone, as in shared memory, is decoded, and nothing else is.
func TestDecodeHeader(t *testing.T) {
	memory, err := EncodeHeader(Shared, header{"chess"})
	if err != nil {
		t.Fatal(err)
	}
	whole := append(memory, make([]byte, endBytes)...)
	var h header
	if err := DecodeHeader(whole, "x", Shared, &h); err != nil || h.Game != "chess" {
		t.Errorf("%+v, %v", h, err)
	}
	unknown, err := EncodeHeader(Shared, map[string]int{"toy": 1})
	if err != nil {
		t.Fatal(err)
	}
	for want, bad := range map[string][]byte{
		"cut short":         whole[:len(whole)-1],
		"checksum of the":   append(slices.Concat(memory[:len(memory)-5], []byte("y"), memory[len(memory)-4:]), whole[len(memory):]...),
		"header is invalid": append(unknown, make([]byte, endBytes)...),
		"it is not":         bytes.Repeat([]byte("x"), len(whole)),
	} {
		if err := DecodeHeader(bad, "a.file", Shared, &h); err == nil || !strings.HasPrefix(err.Error(), "a.file: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
