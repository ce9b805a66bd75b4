package ttanalysis

import (
	"encoding/binary"
	"fmt"

	"trefoil/cluster"
	"trefoil/internal/container"
)

// A TraceWriter records the use of one table by one thread. Recording does not allocate. An error is kept
// for Close; later records are dropped, and so are records after Close.
type TraceWriter struct {
	file     *container.Writer // nil after Close or Discard
	name     string            // of the file, in errors
	err      error             // besides that of file
	searches uint64
	records  uint64
	used     int // bytes of block
	block    [perBlock * recordBytes]byte
}

// CreateTrace begins a trace. Close puts it at path, and replaces an older trace there. Any other
// file, a link, a trace that another TraceWriter is writing, and a header that no trace can have are
// refused.
func CreateTrace(path string, head TraceHeader) (*TraceWriter, error) {
	return WriteTrace(container.Replace(path), head)
}

// WriteTrace is CreateTrace for any output. Without Close a stream is not complete, and no reader accepts it.
func WriteTrace(out cluster.Output, head TraceHeader) (*TraceWriter, error) {
	if err := head.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", out.Name, err)
	}
	file, err := container.Create(out, container.Trace, head)
	if err != nil {
		return nil, err
	}
	return &TraceWriter{file: file, name: out.Name}, nil
}

// NewSearch records that a search begins.
func (w *TraceWriter) NewSearch() {
	w.add(Record{w.searches, uint64(KindSearch)})
	w.searches++
}

// Clear records that the table was cleared.
func (w *TraceWriter) Clear() { w.add(Record{0, uint64(KindClear)}) }

// Probe records a ProbeRecord. A cutoff without a hit, and an alpha above beta, are errors.
func (w *TraceWriter) Probe(key uint64, depth, alpha, beta int, pv, hit, cutoff bool) {
	r := ProbeRecord(key, depth, alpha, beta, pv, hit, cutoff)
	if err := r.check(w.searches); err != nil && w.file != nil && w.Err() == nil {
		w.err = fmt.Errorf("%s: record %d: %w", w.name, w.records+1, err)
	}
	w.add(r)
}

// Store records a StoreRecord.
func (w *TraceWriter) Store(key uint64, e cluster.Entry) { w.add(StoreRecord(key, e)) }

func (w *TraceWriter) add(r Record) {
	if w.file == nil {
		return
	}
	binary.LittleEndian.PutUint64(w.block[w.used:], r.Key)
	binary.LittleEndian.PutUint64(w.block[w.used+8:], r.Word)
	w.used += recordBytes
	w.records++
	if w.used == len(w.block) {
		w.flush()
	}
}

// flush writes the block. The container keeps an error for Close.
func (w *TraceWriter) flush() {
	_ = w.file.WriteBlock(w.block[:w.used])
	w.used = 0
}

// Err returns the error that Close will return or has returned, nil if there is none so far.
func (w *TraceWriter) Err() error {
	if w.err != nil || w.file == nil {
		return w.err
	}
	return w.file.Err()
}

// Records returns the number of records so far.
func (w *TraceWriter) Records() uint64 { return w.records }

// Close ends the trace and the TraceWriter. After an error, even one at an earlier record, there is
// no new file, and the old one, if any, is unchanged.
func (w *TraceWriter) Close() error {
	if w.file == nil {
		return nil
	}
	if w.err == nil {
		if w.used > 0 {
			w.flush()
		}
		w.err = w.file.Commit(traceSummary{w.records})
		w.file = nil
	}
	w.Discard()
	if w.err != nil {
		w.err = fmt.Errorf("writing the trace: %w", w.err)
	}
	return w.err
}

// Discard ends the TraceWriter and leaves no trace. After Close it does nothing.
func (w *TraceWriter) Discard() {
	if w.file != nil {
		w.file.Discard()
		w.file = nil
	}
}
