package window

import (
	"context"
	"fmt"
	"time"

	"trefoil/internal/container"
)

// A Saver saves a table to a file at an interval, while workers use it.
type Saver struct {
	table *Table
	path  string
	label Label
	stop  context.CancelFunc
	ended chan struct{}
}

// SaveEvery starts to save the table at an interval. It returns an error at once if the file cannot
// be written; a file of that name stays as it is until the first save is complete. One goroutine
// calls report with the error of every save, nil if it succeeded.
func (t *Table) SaveEvery(path string, label Label, every time.Duration, report func(error)) (*Saver, error) {
	if every <= 0 {
		return nil, fmt.Errorf("saving the table every %v: expected more than 0", every)
	}
	if err := container.Writable(container.Replace(path), container.Proofs); err != nil {
		return nil, fmt.Errorf("saving the table: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Saver{table: t, path: path, label: label, stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if _, err := t.Save(ctx, container.Replace(path), label, nil); ctx.Err() == nil {
				report(err)
			}
		}
	}()
	return s, nil
}

// Close stops saving at the interval, saves the table once more and returns the error of that.
func (s *Saver) Close(ctx context.Context) error {
	s.stop() // a save in progress would be older
	<-s.ended
	_, err := s.table.Save(ctx, container.Replace(s.path), s.label, nil)
	return err
}
