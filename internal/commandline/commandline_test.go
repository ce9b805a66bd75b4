package commandline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"trefoil/internal/cli"
)

// TestStatus: all errors of a subcommand are printed, and the worst one decides the exit status.
func TestStatus(t *testing.T) {
	a, b, wrong := errors.New("a"), errors.New("b"), &cli.Status{Code: cli.StatusWrong}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		err               error
		status, afterStop int
		printed           string
	}{
		{nil, 0, 0, ""}, {a, 2, 130, "p: a\n"}, {wrong, 1, 1, ""}, {&cli.Status{Code: 1, Err: a}, 1, 1, "p: a\n"},
		{errors.Join(a, wrong), 2, 130, "p: a\n"}, {errors.Join(errors.Join(wrong, a), b), 2, 130, "p: a\nb\n"},
		{errors.Join(&cli.Status{Code: 1, Err: a}, b), 2, 130, "p: a\nb\n"},
		{fmt.Errorf("x: %w", context.Canceled), 2, 130, ""}, {errors.Join(a, context.Canceled), 2, 130, "p: a\n"},
		{&cli.Status{Code: 130, Err: errors.Join(context.Canceled, a)}, 130, 130, "p: a\n"},
	} {
		for ctx, want := range map[context.Context]int{t.Context(): c.status, ended: c.afterStop} {
			var errs strings.Builder
			if got := status(ctx, c.err, &cli.Console{Prefix: "p", Err: &errs}); got != want || errs.String() != c.printed {
				t.Errorf("%v: status %d, %q, want %d", c.err, got, errs.String(), want)
			}
		}
	}
}

// half is a subcommand that finds something wrong with its input.
type half struct{}

func (*half) Run(std *cli.Console) error {
	std.Println("an answer")
	return &cli.Status{Code: cli.StatusWrong}
}

// full is a writer without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// TestLostOutput: output that is lost is reported, also where some of the input is wrong.
func TestLostOutput(t *testing.T) {
	p := &Program{Name: "toys", MaxThreads: 2, MaxMiB: 2, Root: func() any {
		return &struct {
			Shared
			Half half `cmd:"" help:"A toy."`
		}{}
	}}
	for out, want := range map[io.Writer]int{io.Discard: cli.StatusWrong, full{}: cli.StatusFailed} {
		var errs strings.Builder
		if got := p.Run([]string{"half"}, nil, out, &errs); got != want ||
			(errs.String() == "toys: half: no space\n") != (want == cli.StatusFailed) {
			t.Errorf("status %d, %q, want %d", got, errs.String(), want)
		}
	}
}
