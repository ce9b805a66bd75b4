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
	"slices"

	"trefoil/game"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// labeller gives games new scores.
type labeller struct {
	game       *subject
	net        string // name of its file, empty for the hand-written evaluation
	evaluation evaluation
	nodes      uint64 // of a search; 0 for the static evaluation
	heldOut    bool   // only games that are held out of training
}

// label is the command of that name.
func label(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var l labeller
	set.Uint64Var(&l.nodes, "nodes", 0, "nodes of the search that gives the score; 0 for the static evaluation")
	set.StringVar(&l.net, "net", "", "evaluate by the net in `FILE`, not by the hand-written evaluation")
	set.BoolVar(&l.heldOut, "held-out", false, "only games that are held out of training, for net check")
	folder := set.String("o", "",
		"write files of the same names in this `FOLDER`; games that they already have are not scored again")
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
		if ctx.Err() != nil {
			break
		}
		if err := l.file(ctx, name, filepath.Join(*folder, filepath.Base(name)), *workers, out); err != nil {
			return err
		}
	}
	return nil
}

// file writes the games of a file with new scores to another one. A context that ends is no error.
func (l labeller) file(ctx context.Context, from, to string, workers int, out io.Writer) (err error) {
	if same(from, to) {
		return fmt.Errorf("label: %s would be replaced: name another folder", from)
	}
	h, games, err := readAll(from)
	if err != nil {
		return err
	}
	if l.heldOut {
		games = slices.DeleteFunc(games, func(g gameData) bool { return !train.HeldOut(uint16(g.number)) })
		h.Games += ", held out"
	}
	if l.game, err = selfplay.Subject(subjects, h.Game); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if l.evaluation, err = evaluationBy(l.game, l.net); err != nil {
		return err
	}
	h.Scores = searchScores(l.nodes, l.evaluation.name)
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
			return l.score(ctx, player, games[i].data)
		}
		err = selfplay.InOrder(ctx, w.Games(), workers, tableMiB, work, func(i int, data []byte) (bool, error) {
			err := w.Append(games[i].number, data)
			return i+1 < len(games), err
		})
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	fmt.Fprintf(out, "%s: %d of %d games\n", to, w.Games(), len(games))
	return nil
}

// score returns a game with new scores. Plies from which no net learns, in check or with a move that is not
// quiet, keep theirs.
func (l labeller) score(ctx context.Context, player *selfplay.Player, data []byte) ([]byte, error) {
	n, evaluate, before := l.game.Bytes, l.evaluation.function(), 0
	if len(data) < n {
		return nil, errShort
	}
	scored := bytes.Clone(data[:n])
	var list game.List
	err := replay(l.game, data, func(pos selfplay.Board, m game.Move, score, _ int) error {
		if m.Quiet() && !pos.InCheck() {
			pos.EvaluateBy(evaluate)
			var err error
			if score, err = l.value(ctx, player, pos); err != nil {
				return err
			}
		}
		scored = record.AppendPly(scored, record.Ply{Rank: rank(pos, m, &list), Score: score}, before)
		before = score
		return nil
	})
	return scored, err
}

// value is the score of a position that has a legal move and is not in check.
func (l labeller) value(ctx context.Context, player *selfplay.Player, pos selfplay.Board) (int, error) {
	if l.nodes == 0 {
		return pos.Eval(), nil
	}
	line, err := player.Best(ctx, pos, selfplay.Hard(l.nodes))
	return line.Value, err
}

// same reports whether two names are of one file.
func same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// A gameData is a game of a file.
type gameData struct {
	number int
	data   []byte
}

// readAll returns the games of a file.
func readAll(name string) (h record.Header, games []gameData, err error) {
	h, err = eachGame(name, nil, func(number int, data []byte) error {
		games = append(games, gameData{number, bytes.Clone(data)})
		return nil
	})
	return h, games, err
}
