// Package program is what the main functions of developer tools have in common.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a tool with the arguments of the process until it is done; Ctrl-C and a request to end
// stop its context. An error other than flag.ErrHelp is printed after the tool's name, and the process
// exits with 1.
func Main(name string, run func(ctx context.Context, args []string, out, errs io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		stop()
		os.Exit(1)
	}
}

// Flags returns a set of flags whose -h prints the usage: the form of the command line, which begins
// with the name of the tool, and the flags.
func Flags(form string, errs io.Writer) *flag.FlagSet {
	set := flag.NewFlagSet(form, flag.ContinueOnError)
	set.SetOutput(errs)
	set.Usage = func() {
		fmt.Fprintf(errs, "usage: %s\n", form)
		set.PrintDefaults()
	}
	return set
}
