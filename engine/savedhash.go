package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"trefoil/cluster"
	"trefoil/engine/registry"
	"trefoil/internal/container"
	"trefoil/internal/pipe"
)

// saveHash is the action of Save Hash: see options.Button.OnSave.
func (e *Engine) saveHash(ctx, asked context.Context) error {
	return e.hashFile("saving", "saved in",
		func(s registry.ClusterHasher, path string, progress func(done, total uint64)) (cluster.Header, error) {
			return s.Save(ctx, hashOutput(ctx, asked, path), progress)
		})
}

// loadHash is the action of Load Hash.
func (e *Engine) loadHash(ctx context.Context) error {
	err := e.hashFile("loading", "loaded from",
		func(s registry.ClusterHasher, path string, progress func(done, total uint64)) (cluster.Header, error) {
			return s.Load(ctx, hashInput(ctx, path), progress)
		})
	e.keep() // it makes the table if there is none
	return err
}

// hashFile saves or loads. doing and done are the words for that in reports.
func (e *Engine) hashFile(doing, done string,
	do func(s registry.ClusterHasher, path string, progress func(done, total uint64)) (cluster.Header, error)) error {
	path := e.options.HashFile.Value()
	if path == "" {
		return errors.New("no file is named: set Hash File first")
	}
	if err := e.checkHashFile(path); err != nil {
		return err
	}
	saver, ok := e.current.player.(registry.ClusterHasher)
	if !ok {
		return fmt.Errorf("the table of %s cannot be saved; only those of %s can", e.current.game.Title,
			strings.Join(namesOf[registry.ClusterHasher](e), " and "))
	}
	start := time.Now()
	h, err := do(saver, path, func(done, total uint64) {
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

// UseStreams says over which files the dialogue goes. Hash File must be a different file.
func (e *Engine) UseStreams(files ...*os.File) { e.streams = files }

// checkHashFile refuses the streams of the dialogue.
func (e *Engine) checkHashFile(path string) error {
	if path == "-" || slices.ContainsFunc(e.streams, func(f *os.File) bool { return pipe.Same(path, f) }) {
		return fmt.Errorf("%s: the protocol uses this stream: name a file or another pipe", path)
	}
	return nil
}

// Limits for pipes in a dialogue, whose other commands wait; variables for the tests.
var (
	partnerTimeout = 5 * time.Second // for the program at the other end to open the pipe
	idleTimeout    = time.Minute     // for that program to write or to read something
	quitTimeout    = 5 * time.Second // for it to read something, after quit
)

// hashInput returns what a hash is loaded from.
func hashInput(ctx context.Context, path string) container.Input {
	if !pipe.Is(path) {
		return container.File(path).Within(ctx)
	}
	return container.Input{Name: path, Open: func() (io.ReadCloser, error) {
		opening, cancel := partner(ctx, path, "writing")
		defer cancel()
		return pipe.Open(opening, ctx, path, pipe.Limits{Idle: idleTimeout})
	}}
}

// hashOutput returns what a hash is saved to. A save goes on after quit, which ends asked, as long as the pipe takes
// something.
func hashOutput(ctx, asked context.Context, path string) container.Output {
	if !pipe.Is(path) {
		return container.Replace(path)
	}
	return container.Output{Name: path, Open: func() (io.WriteCloser, error) {
		opening, cancel := partner(ctx, path, "reading")
		defer cancel()
		return pipe.Create(opening, asked, path, pipe.Limits{Idle: idleTimeout, Ended: quitTimeout})
	}}
}

// partner returns a context in which to open a pipe.
func partner(ctx context.Context, path, purpose string) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, partnerTimeout,
		fmt.Errorf("%s: no program has opened it for %s within %v", path, purpose, partnerTimeout))
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
