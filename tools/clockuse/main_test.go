package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
)

// TestRun: the same flags give the same shares, and no move is late.
func TestRun(t *testing.T) {
	row := regexp.MustCompile(`(?m)^all +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ % +[0-9.]+ % +0$`)
	for _, args := range []string{
		"-games 2 -plies 60 -time 10s -inc 100ms -nodes 3",
		"-games 1 -plies 100 -time 2s -moves 10 -nodes 5",
		"-variant shogi -games 1 -plies 60 -time 10s -byoyomi 200ms -worst 50ms -nodes 2",
	} {
		var outs [2]bytes.Buffer
		for i := range outs {
			if err := run(t.Context(), strings.Fields(args), &outs[i], io.Discard); err != nil {
				t.Fatalf("%s: %v", args, err)
			}
		}
		if got := outs[0].String(); got != outs[1].String() || !row.MatchString(got) {
			t.Errorf("%s:\n%s\n%s", args, got, &outs[1])
		}
	}
}

// TestFlags: bad flags are refused by name.
func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-variant connect4":      "connect4",
		"-games 0":               "-games",
		"-nodes 0":               "-nodes",
		"-moves -1":              "-moves",
		"-byoyomi -1s":           "-byoyomi",
		"-time 0s":               "no time to move",
		"sixty":                  `unexpected argument "sixty"`,
		"-time 1s -time sixteen": "sixteen",
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
