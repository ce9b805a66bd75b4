package main

import (
	"context"
	"errors"
	"flag"
	"io"
)

// games is the command of that name.
func games(context.Context, *flag.FlagSet, []string, io.Writer) error {
	return errors.New("games: not written yet")
}
