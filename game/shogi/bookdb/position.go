package bookdb

import (
	"bytes"
	"errors"
)

// handLetters are the pieces that hands hold. Black's are capital.
const handLetters = "PLNSGBRplnsgbr"

// A canonical position is the same text for every sfen of a position, whatever its move number and the
// order of its hands: the board, the side to move, and how many of handLetters there are in hand.
type canonical []byte

const tailBytes = 1 + len(handLetters)

// appendCanonical appends the canonical position of the fields of an sfen: board, side, hands and, if it
// is there, the move number. Only what it reads is checked.
func appendCanonical(dst canonical, sfen []byte) (canonical, error) {
	board, rest := nextField(sfen)
	side, rest := nextField(rest)
	hands, rest := nextField(rest)
	if len(hands) == 0 {
		return dst, errors.New("it has fewer than three fields")
	}
	if _, rest = nextField(rest); len(bytes.TrimSpace(rest)) > 0 {
		return dst, errors.New("it has more than four fields")
	}
	if bytes.Count(board, []byte{'/'}) != 8 {
		return dst, errors.New("its board does not have 9 ranks")
	}
	if string(side) != "b" && string(side) != "w" {
		return dst, errors.New("its side to move is neither b nor w")
	}
	dst = append(append(dst, board...), side[0])
	counts := len(dst)
	dst = append(dst, make([]byte, len(handLetters))...)
	if string(hands) == "-" {
		return dst, nil
	}
	n := 0
	for _, letter := range hands {
		i := bytes.IndexByte([]byte(handLetters), letter)
		switch {
		case letter >= '0' && letter <= '9' && n < 10:
			n = 10*n + int(letter-'0')
			continue
		case i < 0:
			return dst, errors.New("its hands are not letters of pieces with their numbers")
		}
		dst[counts+i] += byte(max(n, 1))
		n = 0
	}
	return dst, nil
}

// flipped returns the position turned round: the board rotated by half a turn, and colours exchanged.
func (c canonical) flipped() canonical {
	board, tail := c[:len(c)-tailBytes], c[len(c)-tailBytes:]
	out := make(canonical, 0, len(c))
	for i := len(board) - 1; i >= 0; i-- {
		plus := i > 0 && board[i-1] == '+'
		if plus {
			out = append(out, '+')
		}
		out = append(out, otherCase(board[i]))
		if plus {
			i--
		}
	}
	out = append(out, 'b'+'w'-tail[0])
	half := len(handLetters) / 2
	return append(append(out, tail[1+half:]...), tail[1:1+half]...)
}

// otherCase returns a letter in the other case, and anything else as it is.
func otherCase(b byte) byte {
	if b|32 >= 'a' && b|32 <= 'z' {
		b ^= 32
	}
	return b
}

// flippedMove returns a move, in the notation of USI, turned round like a flipped position.
func flippedMove(text string) string {
	b := []byte(text)
	for i, letter := range b {
		switch {
		case letter >= '1' && letter <= '9':
			b[i] = '1' + '9' - letter
		case letter >= 'a' && letter <= 'i':
			b[i] = 'a' + 'i' - letter
		}
	}
	return string(b)
}

// nextField returns the text up to the first blank or tab, and the text after it. Blanks before it do not
// count.
func nextField(text []byte) (field, rest []byte) {
	blank := func(b byte) bool { return b == ' ' || b == '\t' }
	start := 0
	for start < len(text) && blank(text[start]) {
		start++
	}
	end := start
	for end < len(text) && !blank(text[end]) {
		end++
	}
	return text[start:end], text[end:]
}
