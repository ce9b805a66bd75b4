// Package text reads the text files of users.
package text

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
)

// Reader returns a reader of a text. UTF-16 with a byte order mark, as PowerShell 5 writes it, becomes UTF-8
// without the mark; everything else is left as it is.
func Reader(in io.Reader) io.Reader { return &reader{in: in} }

type reader struct{ in, text io.Reader }

func (r *reader) Read(p []byte) (int, error) {
	if r.text == nil {
		r.text = decode(r.in)
	}
	return r.text.Read(p)
}

func decode(in io.Reader) io.Reader {
	r := bufio.NewReader(in)
	switch mark, err := r.Peek(2); {
	case err == io.EOF: // a terminal would have to be closed twice
		return bytes.NewReader(mark)
	case string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Reader(r)
	}
	return r
}
