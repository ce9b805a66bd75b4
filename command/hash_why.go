package command

import (
	"context"
	"fmt"
	"strconv"

	"trefoil/engine"
	"trefoil/internal/cli"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/report"
)

type hashWhy struct {
	Size cli.MiB `placeholder:"MIB" help:"Size of the table in MiB; by default the recorded one."`
	Most uint    `default:"10" help:"Probes to list, the deepest ones."`
	Key  string  `xor:"position" placeholder:"HEX" help:"Show the history of the position with this key, which d prints."`
	FEN  string  `name:"fen" xor:"position" placeholder:"FEN" help:"The same for a FEN, or an SFEN, of the recorded game."`
	File string  `arg:"" setting:"-" help:"The trace; - is standard input."`
}

// Help is printed by -h.
func (*hashWhy) Help() string {
	return `Replays a trace of hash trace against the recorded table, and counts the probes that missed a
position whose entry was lost: stored since the table was last cleared, then overwritten by another
position. The causes are the depth of the store that evicted it, beside the depth of the entry, and
whether the entry was of the same search: stored or hit in it. Of those misses for which the entry
had sufficient depth, it lists the deepest, with the number of the record, from 1, and the cluster as
the store found it.

With --key or --fen, it prints what happened to one position: each probe and store of it, and each
store by which it lost its entry.

A trace of another program is replayed against a table of this one, of the recorded size. Besides
the table, the replay takes 8 bytes for each entry and about 64 for each lost position.

Exit status: 0 on success; 2 on wrong usage or failure; 130 after Ctrl-C.`
}

func (w *hashWhy) Run(ctx context.Context, std *cli.Console) error {
	trace, err := ttanalysis.ReadTrace(std.Input(ctx, w.File))
	if err != nil {
		return err
	}
	defer trace.Close()
	key, one, err := w.position(trace.TraceHeader)
	if err != nil {
		return err
	}
	replay, err := ttanalysis.NewLossReplay(trace, uint64(w.Size))
	if err != nil {
		return err
	}
	defer replay.Close()
	std.Println(fmt.Sprintf("trace     %s: %s\nrecorded  %s\nreplayed  %s",
		trace.Game, trace.Note, trace.Table(), replay.Table.Table()))
	if one {
		return printHistory(ctx, std, replay, key)
	}
	progress, show := replayProgress(std)
	losses, err := replay.Losses(ctx, int(min(w.Most, 1<<20)), show)
	progress.Clear()
	if err != nil {
		return err
	}
	return report.WriteLosses(std.Out, losses)
}

// printHistory prints what happened to one position.
func printHistory(ctx context.Context, std *cli.Console, replay *ttanalysis.LossReplay, key uint64) error {
	events := 0
	progress, show := replayProgress(std)
	err := replay.History(ctx, key, show, func(u ttanalysis.PositionUse) {
		if progress.Clear(); events == 0 {
			report.WriteHistoryHead(std.Out, key)
		}
		events++
		report.WriteUse(std.Out, key, u)
	})
	progress.Clear()
	if err == nil && events == 0 {
		std.Println(fmt.Sprintf("no probe or store of %016x", key))
	}
	return err
}

// position returns the key of the position to show, if there is one. A FEN is of the recorded game.
func (w *hashWhy) position(h ttanalysis.TraceHeader) (key uint64, one bool, err error) {
	if w.Key != "" {
		if key, err = strconv.ParseUint(w.Key, 16, 64); err != nil {
			err = fmt.Errorf("--key: %.40q is not a key: expected 1 to 16 hexadecimal digits", w.Key)
		}
		return key, true, err
	}
	if w.FEN == "" {
		return 0, false, nil
	}
	g, err := engine.Games().FindAlphaBeta(h.Game)
	if err != nil {
		return 0, false, err
	}
	if seed := g.AlphaBeta.Seed; h.Seed != seed {
		return 0, false, fmt.Errorf("--fen: the keys of the trace are of the seed %q, expected %q; use --key", h.Seed, seed)
	}
	root, err := g.AlphaBeta.NewRoots()(w.FEN)
	if err != nil {
		return 0, false, err
	}
	return root.Key(), true, nil
}
