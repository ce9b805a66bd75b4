package ttanalysis

import (
	"encoding/binary"
	"fmt"

	"trefoil/internal/container"
)

// A TraceReader reads a trace from its first record to its last.
type TraceReader struct {
	TraceHeader
	file     *container.Reader
	read     uint64 // records
	searches uint64
}

// OpenTrace begins to read a trace. Its error names what is wrong with the file: not a regular
// file, not a trace, another version, truncated, or a bad header. Next finds damage of blocks.
func OpenTrace(path string) (*TraceReader, error) {
	var head TraceHeader
	var summary traceSummary
	file, err := container.Open(path, container.Trace, &head, &summary)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	head.Records = summary.Records
	err = head.check()
	if err == nil && (file.Bytes()%recordBytes != 0 || file.Bytes()/recordBytes != head.Records) {
		err = fmt.Errorf("length of all blocks is %d, want %d for each of %d records", file.Bytes(), recordBytes, head.Records)
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("trace: %w", file.Errorf("%v", err))
	}
	return &TraceReader{TraceHeader: head, file: file}, nil
}

// Next appends the records of the next block to list. It refuses a record that no TraceWriter
// writes. After the last block the error is io.EOF.
func (r *TraceReader) Next(list []Record) ([]Record, error) {
	block, err := r.file.Next()
	if err != nil {
		return list, err
	}
	if len(block)%recordBytes != 0 {
		return list, r.file.Errorf("length of a block is %d, want a multiple of %d", len(block), recordBytes)
	}
	for ; len(block) > 0; block = block[recordBytes:] {
		rec := Record{binary.LittleEndian.Uint64(block), binary.LittleEndian.Uint64(block[8:])}
		r.read++
		if err := rec.check(r.searches); err != nil {
			return list, r.file.Errorf("record %d: %v", r.read, err)
		}
		if rec.Kind() == KindSearch {
			r.searches++
		}
		list = append(list, rec)
	}
	return list, nil
}

// Checksum is that of the file.
func (r *TraceReader) Checksum() uint32 { return r.file.Checksum() }

// Close ends reading.
func (r *TraceReader) Close() error { return r.file.Close() }
