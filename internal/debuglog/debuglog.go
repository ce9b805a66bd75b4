// Package debuglog writes the lines of a dialogue to a file: ">> " before lines that the engine reads, "<<
// " before lines that it writes.
package debuglog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
)

// A Log appends lines to a file, each at once and whole. The zero value has no file. Its methods may be
// called by several goroutines.
type Log struct {
	mu   sync.Mutex
	file *os.File // nil: none
}

// Open makes path the file, which is created if it does not exist; "" means none. After an error the
// old file stays.
func (l *Log) Open(path string) error {
	var file *os.File
	if path != "" {
		// Opening a named pipe would wait for its reader.
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.Mode().IsRegular():
			return fmt.Errorf("%s: it is not a regular file", path)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.file.Close() // nil has no effect
	l.file = file
	return nil
}

// Record appends lines that were read (input) or written. An error is returned once: it closes the
// file.
func (l *Log) Record(input bool, lines ...string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	prefix := "<< "
	if input {
		prefix = ">> "
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(prefix + line + "\n")
	}
	_, err := l.file.WriteString(b.String())
	if err != nil {
		_ = l.file.Close()
		l.file = nil
		err = fmt.Errorf("the debug log is closed: %w", err)
	}
	return err
}
