package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"trefoil/cluster"
	"trefoil/engine/registry"
)

// hashFile is the action of Save Hash or Load Hash. doing and done are the words for the operation
// in reports.
func (e *Engine) hashFile(ctx context.Context, doing, done string, do func(registry.Saver, context.Context, string, func(done, total uint64)) (cluster.Header, error)) error {
	path := e.options.HashFile.Value()
	if path == "" {
		return errors.New("no file is named: set Hash File first")
	}
	saver, ok := e.current.player.(registry.Saver)
	if !ok {
		return fmt.Errorf("the table of %s cannot be saved: only those of %s can", e.current.game.Name, strings.Join(namesOf[registry.Saver](e), ", "))
	}
	start := time.Now()
	h, err := do(saver, ctx, path, func(done, total uint64) {
		e.notices.SetProgress(fmt.Sprintf("%s the hash: %d %%", doing, 100*done/total))
	})
	e.notices.SetProgress("")
	if err != nil {
		return err
	}
	e.notices.Add(fmt.Sprintf("the hash is %s %s: %s, %d entries, %.2f s",
		done, path, h.Size(), h.Entries, time.Since(start).Seconds()))
	return nil
}

// clearHash is the action of Clear Hash.
func (e *Engine) clearHash() error {
	if e.options.NeverClearHash.Value() {
		return errors.New("NeverClearHash is on: set it to false first")
	}
	if h, ok := e.current.player.(registry.Hasher); ok {
		h.Clear()
	}
	return nil
}
