package main

import (
	"context"
	"errors"
	"flag"
	"io"
)

// info is the command of that name.
func info(context.Context, *flag.FlagSet, []string, io.Writer) error {
	return errors.New("info: not written yet")
}
