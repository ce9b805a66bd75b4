package ttanalysis

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"trefoil/cluster"
)

// partSuffix comes after the name of a file that is being written.
const partSuffix = ".part"

// A TraceWriter records the use of one table by one thread. No record allocates. An error of
// the disk is kept for Close; what comes after it is dropped.
type TraceWriter struct {
	file     *os.File
	path     string
	head     TraceHeader
	searches uint64
	blocks   uint64
	used     int // bytes of block
	block    [blockBytes]byte
	err      error
}

// CreateTrace begins a trace. Until Close there is a file with ".part" after its name; only
// then, whole, it takes the place of an older trace. Anything else of the name is refused.
func CreateTrace(path string, head TraceHeader) (*TraceWriter, error) {
	if _, err := head.bytes(); err != nil {
		return nil, err
	}
	if err := replaceable(path); err != nil {
		return nil, fmt.Errorf("trace %s: %w", path, err)
	}
	f, err := os.Create(path + partSuffix)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	w := &TraceWriter{file: f, path: path, head: head}
	w.head.Records = 0
	if _, err := f.Write(make([]byte, headerBytes)); err != nil { // it says that there is no trace yet
		w.err = err
		return nil, w.Close()
	}
	return w, nil
}

// replaceable refuses what a trace may not take the place of: who writes `hash trace
// games.epd` means to read that file.
func replaceable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil // it is not there, or to be told by who creates it
	case info.IsDir():
		return errors.New("is a directory")
	case !info.Mode().IsRegular():
		return errors.New("is no regular file")
	case info.Size() == 0:
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	top := make([]byte, len(magic))
	if _, err := io.ReadFull(f, top); err != nil || string(top) != magic {
		return errors.New("is there and is no trace: it is not replaced")
	}
	return nil
}

// NewSearch records that a search begins.
func (w *TraceWriter) NewSearch() {
	w.add(Record{w.searches, uint64(KindSearch)})
	w.searches++
}

// Clear records that the table was emptied.
func (w *TraceWriter) Clear() { w.add(Record{0, uint64(KindClear)}) }

// Probe records a ProbeRecord.
func (w *TraceWriter) Probe(key uint64, need, alpha, beta int, pv, hit, cutoff bool) {
	w.add(ProbeRecord(key, need, alpha, beta, pv, hit, cutoff))
}

// Store records a StoreRecord.
func (w *TraceWriter) Store(key uint64, e cluster.Entry) { w.add(StoreRecord(key, e)) }

func (w *TraceWriter) add(r Record) {
	binary.LittleEndian.PutUint64(w.block[w.used:], r.Key)
	binary.LittleEndian.PutUint64(w.block[w.used+8:], r.Word)
	w.used += recordBytes
	w.head.Records++
	if w.used == perBlock*recordBytes {
		w.flush()
	}
}

// flush writes the block.
func (w *TraceWriter) flush() {
	binary.LittleEndian.PutUint32(w.block[w.used:], blockSum(w.blocks, w.block[:w.used]))
	if w.err == nil {
		_, w.err = w.file.Write(w.block[:w.used+sumBytes])
	}
	w.used = 0
	w.blocks++
}

// Err is the error that Close will return because of what has been recorded so far.
func (w *TraceWriter) Err() error { return w.err }

// Records is how many records there are so far.
func (w *TraceWriter) Records() uint64 { return w.head.Records }

// Close ends the trace, and the Writer. On an error, be it of an earlier record, there is
// no new file and the old one, if any, is as it was.
func (w *TraceWriter) Close() error {
	if w.file == nil {
		return nil
	}
	if w.err == nil {
		w.err = w.finish()
	}
	part := w.path + partSuffix
	if err := w.file.Close(); w.err == nil {
		w.err = err
	}
	w.file = nil
	if w.err == nil {
		w.err = os.Rename(part, w.path)
	}
	if w.err != nil {
		return fmt.Errorf("trace %s: %w", w.path, errors.Join(w.err, os.Remove(part)))
	}
	return nil
}

// Discard ends the Writer and leaves no trace.
func (w *TraceWriter) Discard() {
	if w.file != nil {
		w.err = errors.New("discarded")
		_ = w.Close()
	}
}

func (w *TraceWriter) finish() error {
	w.add(Record{w.head.Records, uint64(KindEnd)})
	if w.used > 0 {
		w.flush()
	}
	if w.err != nil {
		return w.err
	}
	top, err := w.head.bytes()
	if err != nil {
		return err
	}
	if _, err := w.file.WriteAt(top, 0); err != nil {
		return err
	}
	return w.file.Sync()
}
