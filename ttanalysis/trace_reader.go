package ttanalysis

import (
	"context"
	"encoding/binary"
	"io"

	"trefoil/cluster"
	"trefoil/internal/container"
)

// A TraceReader reads a trace from its first record to its last. The number of records of a stream is 0 until Next
// has returned io.EOF.
type TraceReader struct {
	TraceHeader
	file     *container.Reader
	summary  traceSummary
	read     uint64 // records
	searches uint64
}

// OpenTrace begins to read the trace at path. Its error names what is wrong with the file: not a regular
// file, not a trace, another version, truncated, or a bad header. Next finds damage of blocks.
func OpenTrace(path string) (*TraceReader, error) { return ReadTrace(container.File(path)) }

// DecodeTrace is OpenTrace for the contents of a file, which errors call name.
func DecodeTrace(data []byte, name string) (*TraceReader, error) {
	r := new(TraceReader)
	file, err := container.Read(data, name, container.Trace, &r.TraceHeader, &r.summary)
	if err != nil {
		return nil, err
	}
	return r, r.begin(file)
}

// ReadTrace is OpenTrace for any input. In a stream, truncation and a wrong number of records are found by Next.
func ReadTrace(in cluster.Input) (*TraceReader, error) {
	r := new(TraceReader)
	file, err := container.Open(in, container.Trace, &r.TraceHeader, &r.summary)
	if err != nil {
		return nil, err
	}
	if err := r.begin(file); err != nil {
		_ = file.Close()
		return nil, err
	}
	return r, nil
}

// begin checks the header, and of a complete file the number of records.
func (r *TraceReader) begin(file *container.Reader) error {
	r.file = file
	if err := r.check(); err != nil {
		return file.Errorf("%v", err)
	}
	if file.Complete() {
		return r.complete()
	}
	return nil
}

// complete compares the number of records with the length of the file.
func (r *TraceReader) complete() error {
	r.Records = r.summary.Records
	if n := r.file.Bytes(); n%recordBytes != 0 || n/recordBytes != r.Records {
		return r.file.Errorf("length of all blocks is %d, expected %d for each of %d records", n, recordBytes, r.Records)
	}
	return nil
}

// Next appends the records of the next block to list. It refuses a record that no TraceWriter
// writes. After the last block the error is io.EOF.
func (r *TraceReader) Next(list []Record) ([]Record, error) {
	block, err := r.file.Next()
	if err == io.EOF {
		if wrong := r.complete(); wrong != nil {
			err = wrong
		}
	}
	if err != nil {
		return list, err
	}
	if len(block)%recordBytes != 0 {
		return list, r.file.Errorf("length of a block is %d, expected a multiple of %d", len(block), recordBytes)
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

// Checksum is the checksum of the file; of a stream only once its end has been read.
func (r *TraceReader) Checksum() uint32 { return r.file.Checksum() }

// Keep makes it possible to read a stream again, from a temporary file that gets a copy of what is read. It is called
// before Next, and does nothing for a regular file.
func (r *TraceReader) Keep() error { return r.file.Keep() }

// Rewind makes Next begin with the first record again. A stream must have been kept, and read to its end.
func (r *TraceReader) Rewind() error {
	r.read, r.searches = 0, 0
	return r.file.Rewind()
}

// Again returns another TraceReader of the same trace, which any goroutine may use beside r, as long as r
// is open. A stream must have been kept, and read to its end.
func (r *TraceReader) Again() (*TraceReader, error) {
	file, err := r.file.Again()
	if err != nil {
		return nil, err
	}
	return &TraceReader{TraceHeader: r.TraceHeader, summary: r.summary, file: file}, nil
}

// ReadAhead rewinds. It first reads a stream to its end and keeps it, so that the number of records and the
// checksum are known.
func (r *TraceReader) ReadAhead(ctx context.Context) error {
	if err := r.file.ReadAhead(ctx); err != nil {
		return err
	}
	if err := r.complete(); err != nil {
		return err
	}
	return r.Rewind()
}

// Close ends reading.
func (r *TraceReader) Close() error { return r.file.Close() }
