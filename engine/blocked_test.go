package engine

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	chessnnue "trefoil/game/chess/nnue"
	"trefoil/game/connect4"
	"trefoil/game/connect4/book"
	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/internal/disk"
	"trefoil/options"
)

// A disk that does not answer holds up no end of a dialogue: whatever call a load waits for, the load ends with its
// context, and the old value stays. Afterwards the file can be loaded.
func TestBlockedDisk(t *testing.T) {
	columns := filepath.Join(t.TempDir(), "columns")
	one := func(context.Context, connect4.Position) (int, error) { return 1, nil }
	if err := book.Make(t.Context(), columns, connect4.Standard, 0, book.Each(one), nil); err != nil {
		t.Fatal(err)
	}
	hash := filepath.Join(t.TempDir(), "hash")
	e := kept(t, "chess", hash)
	deep(e, 1)
	set(t, e, "Save Hash", "")
	const positions = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
	for _, c := range []struct{ game, option, value string }{
		{"chess", "Load Hash", ""},
		{"chess", "EvalFile", netFile(t, chessnnue.Shape, 1)},
		{"chess", "BookFile", polyglotBook(t, map[byte]uint16{'e': 1})},
		{"shogi", "Shogi EvalFile", netFile(t, shoginnue.Shape, 1)},
		{"shogi", "EvalDir", evalFolder(t, 1)},
		{"shogi", "Shogi BookFile", written(t, []byte(positions))},
		{"connect4", "Connect4 Book", columns},
	} {
		set(t, e, "UCI_Variant", c.game)
		option := e.Options().Find(options.UCI, c.option)
		before := option.Value()
		for calls := range int64(3) { // what the file is, opening it, reading
			err := blocked(t, calls, func(ctx context.Context) error { return option.Set(ctx, c.value) })
			if !errors.Is(err, errBlocked) || option.Value() != before {
				t.Errorf("%s after %d calls: %v, the value is %q", c.option, calls, err, option.Value())
			}
		}
		set(t, e, c.option, c.value)
	}
}

var errBlocked = errors.New("the disk does not answer")

// blocked calls do while the disk answers some calls, and no more after those. Then the context ends.
func blocked(t *testing.T, calls int64, do func(context.Context) error) error {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	released := make(chan struct{})
	defer close(released)
	folder := filepath.Dir(t.TempDir())
	var made atomic.Int64
	disk.Inject(func(op, path string, _ int) (int, error) {
		if strings.HasPrefix(path, folder) && op != "close" && made.Add(1) > calls {
			cancel(errBlocked)
			<-released
		}
		return 0, nil
	})
	defer disk.Inject(nil)
	return do(ctx)
}
