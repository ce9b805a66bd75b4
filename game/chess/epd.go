package chess

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"trefoil/game"
)

// cutOperations returns the fields of a position and what follows them: after four fields all that is no number,
// after six everything. A semicolon ends a number.
func cutOperations(s string) (fields, operations string) {
	rest := s
	for n := 0; n < len(fieldNames); n++ {
		field, after := game.NextField(rest)
		if n >= 4 {
			number, _, _ := strings.Cut(field, ";")
			if !isNumber(number) {
				break
			}
			after = rest[strings.Index(rest, number)+len(number):]
		}
		if n == 0 && strings.EqualFold(field, "fen") {
			n--
		}
		rest = after
	}
	fields, operations = s[:len(s)-len(rest)], rest
	if field, _ := game.NextField(rest); field == "" {
		operations = ""
	}
	return fields, strings.Trim(operations, "; \t")
}

// isNumber reports whether a field can only be a number of a FEN, or stand for a number.
func isNumber(field string) bool {
	digits := strings.TrimLeft(field, "+-")
	return field != "" && strings.Trim(digits, "0123456789") == ""
}

// Operations visits the operations of an EPD, each with its operands as one text.
func Operations(text string) iter.Seq2[string, string] {
	return func(yield func(opcode, operands string) bool) {
		for text != "" {
			end := endOfOperation(text)
			opcode, operands := strings.TrimSpace(text[:end]), ""
			if i := strings.IndexFunc(opcode, unicode.IsSpace); i >= 0 {
				opcode, operands = opcode[:i], strings.TrimSpace(opcode[i:])
			}
			if opcode != "" && !yield(opcode, operands) {
				return
			}
			text = text[min(end+1, len(text)):]
		}
	}
}

// StatedMoves returns the length of a mate that operations state as dm N or bm #N, in moves, negative if the
// side to move is mated; 0 if they state none.
func StatedMoves(operations string) (moves int, err error) {
	for opcode, operands := range Operations(operations) {
		digits, isMate := strings.CutPrefix(operands, "#")
		if opcode != "dm" && (opcode != "bm" || !isMate) {
			continue
		}
		if moves, err = strconv.Atoi(digits); err != nil || moves == 0 {
			return 0, fmt.Errorf("%s %.20s is not a number of moves", opcode, operands)
		}
	}
	return moves, nil
}

// endOfOperation returns where the first operation of text ends: at a semicolon that is not in quotes.
func endOfOperation(text string) int {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ';' && !quoted:
			return i
		}
	}
	return len(text)
}

// maxNamed is how many of the operations that are ignored are named: a line may have millions.
const maxNamed = 8

// ignore records the operations that say nothing about the position.
func (r *reader) ignore(operations string) {
	var ignored []string
	for opcode := range Operations(operations) {
		if slices.Contains(numberOpcodes[:], opcode) || slices.Contains(ignored, opcode) {
			continue
		}
		if len(ignored) == maxNamed {
			ignored = append(ignored, "…")
			break
		}
		ignored = append(ignored, opcode)
	}
	if ignored != nil {
		r.Repairs = append(r.Repairs, fmt.Sprintf("FEN: ignored after the position: %s", strings.Join(ignored, ", ")))
	}
}
