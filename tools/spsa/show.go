package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"trefoil/internal/atomicfile"
	"trefoil/search/alphabeta"
	"trefoil/tools/internal/selfplay"
)

// inputs is the command of that name.
func inputs(_ context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	choice := choiceFlags(set)
	name := set.String("game", "chess", "the game: chess, shogi or ultimate")
	r := set.Float64("r", alphabeta.DefaultRate, "the rate at the end")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	g, err := selfplay.Subject(subjects, *name)
	if err != nil {
		return err
	}
	parameters, err := choice.choose(g.params)
	if err != nil {
		return err
	}
	for _, p := range parameters {
		fmt.Fprintln(out, p.SPSA(*r))
	}
	return nil
}

// show is the command of that name.
func show(_ context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	if err := parse(set, args, 1); err != nil {
		return err
	}
	s, err := readState(set.Arg(0))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %d of %d games of %d nodes a move, +%d -%d =%d\n\n", s.Plan.Game, s.Done, s.Plan.Games,
		s.Plan.Nodes, s.Wins, s.Losses, s.Draws)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "parameter\tfrom\tto\tvalue\tmin\tmax\tsteps moved\t")
	for _, t := range s.Parameters {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%d\t%d\t%+.2f\t\n", t.Name, t.Start, t.rounded(), t.Value, t.Min, t.Max, t.moved())
	}
	return w.Flush()
}

// apply is the command of that name.
func apply(_ context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	folder := set.String("dir", "search/alphabeta", "folder of "+sourceName)
	if err := parse(set, args, 1); err != nil {
		return err
	}
	s, err := readState(set.Arg(0))
	if err != nil {
		return err
	}
	name := filepath.Join(*folder, sourceName)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	values := map[string]int{}
	for _, t := range s.Parameters {
		values[t.Name] = t.rounded()
	}
	if text, err = withValues(text, s.Plan.Game, values); err != nil {
		return err
	}
	if err := atomicfile.WriteBytes(name, atomicfile.Any, text); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d parameters are written\n", len(values))
	return nil
}
