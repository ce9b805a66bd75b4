package text

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/unicode"
)

func TestReader(t *testing.T) {
	texts := []string{"", "a", "\n", "\ufeffa", "\xff", "\xff\xff", "日本\r\n", strings.Repeat("Žižka ♘𝄞\n", 5000)}
	for _, s := range texts {
		if got, err := io.ReadAll(Reader(iotest.OneByteReader(strings.NewReader(s)))); err != nil || string(got) != s {
			t.Errorf("%.20q: %.20q, %v", s, got, err)
		}
	}
	for _, order := range []unicode.Endianness{unicode.BigEndian, unicode.LittleEndian} {
		for _, s := range texts[6:] {
			wide, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(s)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(Reader(iotest.HalfReader(strings.NewReader(wide))))
			if err != nil || string(got) != s {
				t.Errorf("UTF-16, %v: %.20q: %.20q, %v", order, s, got, err)
			}
		}
	}
	if _, err := io.ReadAll(Reader(iotest.ErrReader(io.ErrClosedPipe))); err != io.ErrClosedPipe {
		t.Error(err)
	}
}
