package bench

import (
	"context"
	"fmt"
	"time"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/internal/cli"
	"trefoil/search"
)

// Options are what a bench is run with. A zero field stands for its value in the bench of the signature.
type Options struct {
	MiB     uint64
	Threads int
	Limits  search.Limits // of each position: Depth, Nodes or MoveTime
	Setups  []string      // positions in the notation of the game
}

// Usage is what ParseOptions reads.
const Usage = "[DEPTH | HASH THREADS [LIMIT [default|current|FILE [depth|nodes|movetime]]]]"

// MaxDepth bounds the depth of a bench.
const MaxDepth = 100

// The largest limits of a bench.
const (
	maxNodes    = 1 << 40
	maxMoveTime = 1 << 31 // ms
	maxSeconds  = 24 * 60 * 60
)

// positions is the place of the argument that says which positions a bench searches.
const positions = 3

// UsesCurrent reports whether these arguments are for the current position.
func UsesCurrent(args []string) bool { return len(args) > positions && args[positions] == "current" }

// ParseOptions reads the arguments of bench: the arguments of Stockfish's bench, or a depth alone. current
// returns the position that the word "current" stands for. note is passed to ReadSetups.
func ParseOptions(ctx context.Context, args []string, current func() (string, error),
	note func(string)) (o Options, err error) {
	if len(args) == 1 {
		o.Limits.Depth, err = whole("depth", args[0], MaxDepth)
		return o, err
	}
	if len(args) > 5 {
		return o, fmt.Errorf("unexpected argument %.40q; usage: bench %s", args[5], Usage)
	}
	if len(args) > 1 {
		if o.MiB, err = whole[uint64]("hash", args[0], cluster.MaxMiB); err != nil {
			return o, err
		}
		if o.Threads, err = whole("threads", args[1], config.MaxThreads); err != nil {
			return o, err
		}
	}
	if len(args) > 2 {
		kind := "depth"
		if len(args) > 4 {
			kind = args[4]
		}
		if err = o.limit(kind, args[2]); err != nil {
			return o, err
		}
	}
	if len(args) > positions {
		o.Setups, err = setups(ctx, args[positions], current, note)
	}
	return o, err
}

// limit sets a limit of a kind.
func (o *Options) limit(kind, text string) (err error) {
	switch kind {
	case "depth":
		o.Limits.Depth, err = whole(kind, text, MaxDepth)
	case "nodes":
		o.Limits.Nodes, err = whole[uint64](kind, text, maxNodes)
	case "movetime":
		var ms int
		ms, err = whole(kind, text, maxMoveTime)
		o.Limits.MoveTime = time.Duration(ms) * time.Millisecond
	default:
		err = fmt.Errorf("limit type %.40q is not one of depth, nodes, movetime", kind)
	}
	return err
}

// setups returns the positions that a word stands for, nil for the positions of the bench.
func setups(ctx context.Context, word string, current func() (string, error), note func(string)) ([]string, error) {
	switch word {
	case "default":
		return nil, nil
	case "current":
		setup, err := current()
		return []string{setup}, err
	}
	return ReadSetups(ctx, word, note)
}

// whole reads a whole number from 1 to most; its error begins with a name.
func whole[T ~int | ~uint64](name, text string, most T) (T, error) {
	n, err := cli.Whole([]byte(text), 1, most)
	if err != nil {
		err = fmt.Errorf("%s %w", name, err)
	}
	return n, err
}
