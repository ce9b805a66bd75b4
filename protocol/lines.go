package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest line that is read: enough for three million moves.
const maxLine = 16 << 20

var errLong = errors.New("line too long")

// lines reads lines of at most maxLine bytes in bounded memory.
type lines struct {
	r     *bufio.Reader
	buf   []byte
	begun bool
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 1<<16)} }

// next returns the next line without its line end, which the last one may lack. A
// line that is too long is skipped whole and reported as errLong; any other error
// is the end of the input.
func (l *lines) next() (string, error) {
	if cap(l.buf) > 1<<16 {
		l.buf = nil // frees the memory of a long line
	}
	l.buf = l.buf[:0]
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(l.buf)+len(part) > maxLine; !long {
			l.buf = append(l.buf, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && len(part) == 0 && len(l.buf) == 0 && !long:
			return "", io.EOF
		case long:
			return "", errLong
		}
		break
	}
	line := bytes.TrimRight(l.buf, "\r\n")
	if !l.begun {
		// Some shells put a byte order mark before what they pipe.
		l.begun = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return string(line), nil
}
