package alphabetagame

import (
	"context"
	"errors"
	"fmt"
	"io"

	"trefoil/internal/atomicfile"
	"trefoil/options"
)

// EvalFile is the option of that name of a game: which evaluations its values stand for.
type EvalFile[P any] struct {
	Game        string
	UCI, USI    string        // the name of the option
	Own         Evaluation[P] // that of the program: the value is empty
	HandWritten Evaluation[P] // the value is "none"
	// Read makes an evaluation of the contents of a file, of at most MaxBytes bytes.
	Read     func(data []byte) (Evaluation[P], error)
	MaxBytes int64
}

// noNet is the value of EvalFile without a net.
const noNet = "none"

// Declare declares the option. A change calls set with the evaluation.
func (f *EvalFile[P]) Declare(s *options.Set, set func(Evaluation[P]) error) {
	o := options.NewText(s, options.Decl{UCI: f.UCI, USI: f.USI, Games: []string{f.Game},
		Help:    "the file of the net for the evaluation; empty for the embedded net, `none` for the hand-written evaluation",
		Details: "Another evaluation empties the table; see [nets.md](nets.md#playing)"})
	o.OnRead(func(ctx context.Context, value string) error {
		e, err := f.evaluation(ctx, value)
		if err != nil {
			return err
		}
		return set(e)
	})
}

// evaluation returns the evaluation that a value stands for.
func (f *EvalFile[P]) evaluation(ctx context.Context, value string) (e Evaluation[P], err error) {
	switch value {
	case "":
		return f.Own, nil
	case noNet:
		return f.HandWritten, nil
	}
	data, err := readNet(ctx, value, f.MaxBytes, f.Game)
	if err != nil {
		return e, err
	}
	if e, err = f.Read(data); err != nil {
		return e, fmt.Errorf("%s: %w", value, err)
	}
	return e, nil
}

// readNet returns the contents of the file of a net.
func readNet(ctx context.Context, path string, most int64, game string) ([]byte, error) {
	f, err := OpenNet(ctx, path, most, game)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// OpenNet opens a file of at most most bytes, which should be a net of a game, unless ctx ends. The error
// names the file.
func OpenNet(ctx context.Context, path string, most int64, game string) (*atomicfile.Regular, error) {
	f, err := atomicfile.OpenRegular(ctx, path)
	if err == nil && f.Size() > most {
		return nil, errors.Join(fmt.Errorf("%s: %d bytes, more than any net of %s has", path, f.Size(), game), f.Close())
	}
	return f, err
}
