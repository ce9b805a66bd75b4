package batch

import (
	"bytes"
	"encoding/json"
)

// Record is what the records of all subcommands have in common; those of a line that holds no position have an
// error and no further fields.
type Record struct {
	Line    int    `json:"line"`
	Input   string `json:"input"`
	Number  int    `json:"number"`
	Of      int    `json:"of,omitempty"` // lines that are not skipped, 0 if not known
	Command string `json:"command"`
	Wrong   string `json:"wrong,omitempty"`
	Error   string `json:"error,omitempty"`
}

// encode returns a record with its further fields, unless those are nil, and a line end.
func encode(r Record, fields any) ([]byte, error) {
	line, err := object(r)
	if err != nil || fields == nil {
		return append(line, '\n'), err
	}
	more, err := object(fields)
	if err == nil && len(more) > len("{}") {
		line = append(append(line[:len(line)-1], ','), more[1:]...)
	}
	return append(line, '\n'), err
}

// object returns the JSON of a struct, in which < > and & are as they are.
func object(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
