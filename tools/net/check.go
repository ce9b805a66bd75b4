package main

import (
	"context"
	"errors"
	"flag"
	"io"
)

// check is the command of that name.
func check(context.Context, *flag.FlagSet, []string, io.Writer) error {
	return errors.New("check: not written yet")
}
