package main

import (
	"context"
	"errors"
	"flag"
	"io"
)

// train is the command of that name.
func train(context.Context, *flag.FlagSet, []string, io.Writer) error {
	return errors.New("train: not written yet")
}
