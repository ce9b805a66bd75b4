package engine

import (
	"errors"
	"fmt"
	"time"

	"trefoil/cluster"
)

// keeper is a game whose table can be kept in a file.
type keeper interface {
	// save writes the table to a file, load replaces it by what is in one; after an error
	// the old file or the old table is as it was. They tell how far they are.
	save(path string, tell func(done, total uint64)) (cluster.Header, error)
	load(path string, tell func(done, total uint64)) (cluster.Header, error)
}

var (
	_ keeper = (*chessVariant)(nil)
	_ keeper = (*shogiVariant)(nil)
)

// keep does what Save Hash or Load Hash asks for, and tells what came of it. what names the
// work while it lasts, done when it is done.
func (e *Engine) keep(what, done string, do func(keeper, string, func(done, total uint64)) (cluster.Header, error)) error {
	path := e.opts.HashFile.Value()
	if path == "" {
		return errors.New("no file is named: set Hash File first")
	}
	k, ok := e.played.(keeper)
	if !ok {
		return fmt.Errorf("the table of %s is not kept in files, only those of chess and shogi are", e.game())
	}
	start := time.Now()
	h, err := do(k, path, func(done, total uint64) {
		e.notices.SetProgress(fmt.Sprintf("%s the hash: %d %%", what, 100*done/total))
	})
	e.notices.SetProgress("")
	if err != nil {
		return err
	}
	e.notices.Add(fmt.Sprintf("the hash is %s %s: %d MiB, %d entries, %.2f s",
		done, path, h.Clusters/cluster.ClustersPerMiB, h.Entries, time.Since(start).Seconds()))
	return nil
}

// keepsOn refuses what would empty the table without being meant to.
func (e *Engine) keepsOn() error {
	if e.opts.NeverClearHash.Value() {
		return errors.New("NeverClearHash is on: set it to false first")
	}
	return nil
}

func (s *searching) save(path string, tell func(done, total uint64)) (cluster.Header, error) {
	return s.table.Save(path, s.label, tell)
}

func (s *searching) load(path string, tell func(done, total uint64)) (cluster.Header, error) {
	if s.table.Empty() {
		if err := s.resize(uint64(s.opts.Hash.Value())); err != nil {
			return cluster.Header{}, err
		}
	}
	h, err := s.table.Load(path, s.label, tell)
	if err == nil {
		s.monitor.Close() // it describes the entries of before
	}
	return h, err
}
