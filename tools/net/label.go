package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// labeller gives records new scores.
type labeller struct {
	game       subject
	net        string // name of its file, empty for the hand-written evaluation
	evaluation evaluation
	nodes      uint64 // of a search; 0 for the static evaluation
}

// label is the command of that name.
func label(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var l labeller
	set.Uint64Var(&l.nodes, "nodes", 0, "nodes of the search that gives the score; 0 for the static evaluation")
	set.StringVar(&l.net, "net", "", "evaluate by the net in `FILE`, not by the hand-written evaluation")
	folder := set.String("o", "", "write files of the same names in this `FOLDER`; games that they already have are not scored again")
	workers := set.Int("workers", 1, "games scored at a time; the files do not depend on it")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case *folder == "":
		return errors.New("label: -o FOLDER is missing")
	case set.NArg() == 0:
		return errors.New("label: no file of positions")
	case *workers < 1:
		return errors.New("label: -workers must be at least 1")
	}
	if err := os.MkdirAll(*folder, 0o777); err != nil {
		return err
	}
	for _, name := range set.Args() {
		if err := l.file(ctx, name, filepath.Join(*folder, filepath.Base(name)), *workers, out); err != nil {
			return err
		}
	}
	return nil
}

// file writes the records of a file with new scores to another one. A context that ends is no error.
func (l labeller) file(ctx context.Context, from, to string, workers int, out io.Writer) (err error) {
	if same(from, to) {
		return fmt.Errorf("label: %s would be replaced: name another folder", from)
	}
	h, games, err := readAll(from)
	if err != nil {
		return err
	}
	if l.game, err = subjectIn(from, h); err != nil {
		return err
	}
	if l.evaluation, err = evaluationBy(l.game, l.net); err != nil {
		return err
	}
	h.Scores = staticScores(l.evaluation.name)
	if l.nodes > 0 {
		h.Scores = searchScores(l.nodes, l.evaluation.name)
	}
	w, err := record.Resume(to, h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if w.Games() < len(games) {
		work := func(ctx context.Context, player *selfplay.Player, i int) ([]byte, error) {
			if i >= len(games) { // InOrder works ahead
				return nil, nil
			}
			return l.score(ctx, player, games[i].records)
		}
		err = selfplay.InOrder(ctx, w.Games(), workers, tableMiB, work, func(i int, records []byte) (bool, error) {
			err := w.Append(games[i].number, records)
			return i+1 < len(games), err
		})
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	fmt.Fprintf(out, "%s: %d of %d games\n", to, w.Games(), len(games))
	return nil
}

// score returns records with new scores, without those that have none that can be kept.
func (l labeller) score(ctx context.Context, player *selfplay.Player, records []byte) ([]byte, error) {
	scored := make([]byte, 0, len(records))
	n, evaluate := l.game.bytes(), l.evaluation.function()
	for at := 0; at < len(records); at += n {
		rec := records[at : at+n]
		pos, err := l.game.get(rec)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", at/n, err)
		}
		pos.EvaluateBy(evaluate)
		value, ok, err := l.value(ctx, player, pos)
		if err != nil {
			return nil, err
		}
		if !ok || !l.game.keeps(pos, value) {
			continue
		}
		scored = append(scored, rec...)
		tail := record.TailOf(rec)
		tail.Score = int16(value)
		tail.Put(scored[len(scored)-n:])
	}
	return scored, nil
}

// value is the score of a position; ok is false if it has none, or if the best move of a search is not
// quiet.
func (l labeller) value(ctx context.Context, player *selfplay.Player, pos selfplay.Board) (v int, ok bool, err error) {
	if l.nodes == 0 {
		if pos.InCheck() {
			return 0, false, nil
		}
		return pos.Eval(), true, nil
	}
	lines, err := player.Search(ctx, pos, l.nodes, 1)
	if err != nil || len(lines) == 0 {
		return 0, false, err
	}
	return lines[0].Value, lines[0].Move.Quiet(), nil
}

// same reports whether two names are of one file.
func same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// gameRecords are the records of a game.
type gameRecords struct {
	number  int
	records []byte
}

// readAll returns the games of a file.
func readAll(name string) (h record.Header, games []gameRecords, err error) {
	r, err := record.Open(name)
	if err != nil {
		return h, nil, err
	}
	defer r.Close()
	for {
		number, records, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Header, games, nil
		}
		if err != nil {
			return h, nil, err
		}
		games = append(games, gameRecords{number, bytes.Clone(records)})
	}
}
