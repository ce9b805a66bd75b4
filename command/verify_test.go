package command

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/certificate"
	"trefoil/game/gametest"
	"trefoil/internal/cli"
	"trefoil/internal/container"
)

// TestVerifyInterrupted: after Ctrl-C verify fails, also if that came while the answer about a proof was printed, since
// the files behind it are not checked.
func TestVerifyInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proof")
	mated := certificate.ChessMate(gametest.Chess(t, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), 0, nil)
	if _, err := certificate.Write(t.Context(), container.Replace(path), mated, func(uint64) {}); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	var out strings.Builder
	printed := func(b []byte) (int, error) {
		interrupt()
		return out.Write(b)
	}
	std := &cli.Console{Out: writerFunc(printed), Err: io.Discard}
	err := (&verify{Files: []string{path, path}}).Run(ctx, std)
	if !errors.Is(err, context.Canceled) || strings.Count(out.String(), "mate 0") != 1 {
		t.Errorf("%v: %s", err, out.String())
	}
}

// writerFunc is a function as an io.Writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
