package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"trefoil/search/alphabeta"
	"trefoil/tools/internal/selfplay"
)

// tune is the command run.
func tune(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var p plan
	set.StringVar(&p.Game, "game", "chess", "the game: chess, shogi or ultimate")
	set.Uint64Var(&p.Nodes, "nodes", 3000, "nodes searched for a move")
	set.IntVar(&p.Games, "games", 20000, "games in the whole tune")
	set.IntVar(&p.Pairs, "pairs", 8, "pairs of games in an iteration")
	set.IntVar(&p.Random, "random", 8, "random plies before each pair of games")
	set.IntVar(&p.Within, "within", 150, "centipawns between which the value of an opening must be")
	set.Uint64Var(&p.Seed, "seed", 1, "seed of the openings and of the perturbations")
	set.Float64Var(&p.C, "c", 1, "the perturbation at the end, in steps")
	set.Float64Var(&p.R, "r", alphabeta.DefaultRate, "the rate at the end")
	choice := choiceFlags(set)
	name := set.String("o", "", "`FILE` of the state of the tune; with the same flags it is resumed")
	workers := set.Int("workers", runtime.NumCPU(), "games played at a time; the result does not depend on it")
	every := set.Int("every", 200, "games between two lines of progress")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	g, err := selfplay.Subject(subjects, p.Game)
	switch {
	case *name == "":
		return errors.New("-o FILE is missing")
	case *workers < 1 || *every < 1:
		return errors.New("-workers and -every must be at least 1")
	case err != nil:
		return err
	}
	p.Evaluation = g.evaluation
	if err := p.check(); err != nil {
		return err
	}
	parameters, err := choice.parameters(g.params)
	if err != nil {
		return err
	}
	s, err := (&state{Format: stateFormat, Plan: p, Parameters: parameters}).resume(*name)
	if err != nil {
		return err
	}
	referees, err := newReferees(*workers)
	if err != nil {
		return err
	}
	defer referees.close()
	fmt.Fprintf(out, "%d parameters; %d of %d games are there\n", len(s.Parameters), s.Done, p.Games)
	err = s.iterate(ctx, referees.play, func() error {
		if err := s.write(*name); err != nil {
			return err
		}
		if s.over() || s.Done / *every > (s.Done-2*p.Pairs) / *every {
			fmt.Fprintln(out, s.progress())
		}
		return nil
	})
	if ctx.Err() != nil {
		fmt.Fprintf(out, "stopped after %d games\n", s.Done)
		return nil
	}
	return err
}

// iterate plays all iterations that are left. play returns the half points of plus in some games, in
// their order; done is called after every iteration.
func (s *state) iterate(ctx context.Context, play func(context.Context, []job) ([]int, error),
	done func() error) error {
	var names []string
	for _, t := range s.Parameters {
		names = append(names, t.Name)
	}
	for !s.over() {
		p := s.perturb()
		var jobs []job
		for i := s.Done; i < min(s.Done+2*s.Plan.Pairs, s.Plan.Games); i++ {
			jobs = append(jobs, job{Plan: s.Plan, Number: i, Names: names, Plus: p.plus, Minus: p.minus})
		}
		halves, err := play(ctx, jobs)
		if err != nil {
			return err
		}
		s.update(p, halves)
		if err := done(); err != nil {
			return err
		}
	}
	return nil
}

// progress is a line on the state: the results of plus against minus, and what has moved most.
func (s *state) progress() string {
	most := slices.Clone(s.Parameters)
	slices.SortStableFunc(most, func(a, b tuned) int { return cmp.Compare(math.Abs(b.moved()), math.Abs(a.moved())) })
	var b strings.Builder
	done, all := s.iterations()
	fmt.Fprintf(&b, "iteration %d of %d, %d games, +%d -%d =%d; moved most, in steps:", done, all, s.Done, s.Wins,
		s.Losses, s.Draws)
	for _, t := range most[:min(5, len(most))] {
		fmt.Fprintf(&b, " %s %d (%+.2f)", t.Name, t.rounded(), t.moved())
	}
	return b.String()
}

// choice is a choice of parameters by their names.
type choice struct{ only, skip *string }

func choiceFlags(set *flag.FlagSet) choice {
	return choice{
		set.String("params", "", "only the parameters whose names match this `REGEXP`"),
		set.String("skip", "", "not the parameters whose names match this `REGEXP`"),
	}
}

// parameters returns the chosen parameters as they are now, at the beginning of a tune.
func (c choice) parameters(params *alphabeta.Params) (start []tuned, err error) {
	chosen, err := c.choose(params)
	for _, p := range chosen {
		start = append(start, tuned{p.Name, p.Value(), p.Min, p.Max, p.Step(), float64(p.Value())})
	}
	return start, err
}

// choose returns the chosen ones of params.
func (c choice) choose(params *alphabeta.Params) (chosen []alphabeta.Parameter, err error) {
	only, err := regexp.Compile(*c.only)
	if err != nil {
		return nil, fmt.Errorf("-params: %w", err)
	}
	skip, err := regexp.Compile(*c.skip)
	if err != nil {
		return nil, fmt.Errorf("-skip: %w", err)
	}
	for _, p := range params.List() {
		if only.MatchString(p.Name) && (*c.skip == "" || !skip.MatchString(p.Name)) {
			chosen = append(chosen, p)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("-params and -skip leave no parameter")
	}
	return chosen, nil
}
