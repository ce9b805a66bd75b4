package window

import (
	"context"
	"fmt"
	"time"

	"trefoil/internal/intact"
)

// A Saver saves a table to one file again and again, while workers go on.
type Saver struct {
	table *Table
	path  string
	label Label
	stop  context.CancelFunc
	ended chan struct{}
}

// SaveEvery begins to save the table at an interval. It refuses a file that cannot be written
// at once, before days have gone by, and leaves what is under its name as it is until the
// first save is whole. tell is called with what came of every save, by one goroutine.
func (t *Table) SaveEvery(path string, label Label, every time.Duration, tell func(error)) (*Saver, error) {
	if every <= 0 {
		return nil, fmt.Errorf("window: saving every %v: want more than none", every)
	}
	if _, err := (header{label: label}).bytes(); err != nil {
		return nil, err
	}
	if err := intact.Writable(path, magic); err != nil {
		return nil, fmt.Errorf("window: saving: %w", err)
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
			if err := t.Save(ctx, path, label); ctx.Err() == nil {
				tell(err)
			}
		}
	}()
	return s, nil
}

// Close ends the saving: it saves the table once more and returns what came of that.
func (s *Saver) Close(ctx context.Context) error {
	s.stop() // what is being written now would be older
	<-s.ended
	return s.table.Save(ctx, s.path, s.label)
}
