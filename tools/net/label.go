package main

import (
	"context"
	"errors"
	"flag"
	"io"
)

// label is the command of that name.
func label(context.Context, *flag.FlagSet, []string, io.Writer) error {
	return errors.New("label: not written yet")
}
