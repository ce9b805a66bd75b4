package shogi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/game/shogi/halfkp"
	"trefoil/options"
)

// evalDir is the name of that option.
const evalDir = "EvalDir"

// evaluationFile is the file in the folder EvalDir, as YaneuraOu names it.
const evaluationFile = "nn.bin"

// optionsFile is a file beside it, which YaneuraOu reads too. Its FV_SCALE has precedence over the option.
const optionsFile = "eval_options.txt"

const maxOptions = 1 << 16 // bytes

// evaluations are what the options say about the evaluation: EvalDir and FV_SCALE, and EvalFile, which
// counts while EvalDir is empty.
type evaluations struct {
	net        *halfkp.Net // nil: EvalDir is empty
	scale      int
	scaleInDir int // by optionsFile, 0 if it has none
	file       evaluation
}

// evaluation returns the evaluation that the options stand for.
func (e *evaluations) evaluation() evaluation {
	if e.net == nil {
		return e.file
	}
	net, scale := e.net, cmp.Or(e.scaleInDir, e.scale)
	return evaluation{
		Name: fmt.Sprintf("%s %08x, FV_SCALE %d", evaluationFile, net.Checksum(), scale),
		New:  func() evaluator { return halfkpEvaluator{halfkp.NewEvaluator(net, scale)} },
		Unit: 100,
	}
}

// declareEvaluations declares the options of the evaluation. A change calls set.
func declareEvaluations(env registry.Env, set func(evaluation) error) {
	now := evaluations{scale: halfkp.DefaultScale, file: own}
	change := func(to evaluations) error {
		if err := set(to.evaluation()); err != nil {
			return err
		}
		now = to
		return nil
	}
	evalFile.Declare(env.Options.Set, func(e evaluation) error {
		to := now
		to.file = e
		return change(to)
	})
	// fixed tells the budget what the net takes after a change, and returns the error of the change.
	fixed := func(err error) error {
		env.Memory.Free(evalDir)
		if now.net != nil {
			bytes := now.net.TransformerBytes()
			_, _ = env.Memory.FixAtMost(evalDir, bytes, bytes) // it is there whether it fits or not
		}
		return err
	}
	dir := options.NewText(env.Options.Set, options.Decl{USI: evalDir, Games: []string{name},
		Help: "the folder of a YaneuraOu evaluation file, `nn.bin` with the features HalfKP or K-P, or SFNN; " +
			"empty for `EvalFile`, which has no effect otherwise",
		Details: "HalfKP 256x2 takes 64 MB of memory; see [nets.md](nets.md#evaluation-files-of-yaneuraou)"})
	dir.OnRead(func(ctx context.Context, folder string) error {
		to := now
		to.net, to.scaleInDir = nil, 0
		if folder != "" {
			var err error
			if to.scaleInDir, err = readOptionsFile(ctx, folder); err != nil {
				return err
			}
			to.net, err = readEvalDir(ctx, folder, func(bytes uint64) error { return env.Memory.Fix(evalDir, bytes) })
			if err != nil {
				return fixed(err)
			}
		}
		if err := fixed(change(to)); err != nil {
			return err
		}
		if to.net != nil {
			env.Notices.Add(fmt.Sprintf("%s: the feature transformer takes %.0f MB of memory", to.net.Architecture(),
				float64(to.net.TransformerBytes())/1e6))
			if note := to.net.Note(); note != "" {
				env.Notices.Add(filepath.Join(folder, evaluationFile) + ": " + note)
			}
			if to.scaleInDir > 0 {
				env.Notices.Add(fmt.Sprintf("FV_SCALE is %d by %s", to.scaleInDir, filepath.Join(folder, optionsFile)))
			}
		}
		return nil
	})
	scale := options.NewSpin(env.Options.Set, options.Decl{USI: "FV_SCALE", Games: []string{name},
		Help: "the divisor for values by the file in `EvalDir`; `eval_options.txt` there has precedence"},
		now.scale, halfkp.MinScale, halfkp.MaxScale)
	scale.OnChange(func(v int) error {
		to := now
		to.scale = v
		if to.net != nil && to.scaleInDir == 0 {
			return change(to)
		}
		if now = to; to.net != nil {
			env.Notices.Add(fmt.Sprintf("FV_SCALE stays %d by %s", to.scaleInDir, optionsFile))
		}
		return nil
	})
}

// readEvalDir reads the file in a folder.
func readEvalDir(ctx context.Context, folder string, reserve func(bytes uint64) error) (*halfkp.Net, error) {
	path := filepath.Join(folder, evaluationFile)
	f, err := alphabetagame.OpenNet(ctx, path, halfkp.MaxBytes, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no %s", path)
	case err != nil:
		return nil, err
	}
	defer f.Close()
	net, err := halfkp.Read(f, f.Size(), reserve)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return net, nil
}

// readOptionsFile returns the FV_SCALE of the file with options in a folder, 0 if it has none or there is no
// such file.
func readOptionsFile(ctx context.Context, folder string) (int, error) {
	path := filepath.Join(folder, optionsFile)
	f, err := alphabetagame.OpenNet(ctx, path, halfkp.MaxBytes, name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if f.Size() > maxOptions {
		return 0, fmt.Errorf("%s: %d bytes, more than %d", path, f.Size(), maxOptions)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return 0, err
	}
	scale, err := scaleIn(string(text))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return scale, nil
}

// scaleIn returns the FV_SCALE that lines set as "FV_SCALE 24", "FV_SCALE=24" or, as in an answer to usi, "option
// name FV_SCALE … default 24 …"; 0 if none does. The last one counts. Other options are left to YaneuraOu.
func scaleIn(text string) (scale int, err error) {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		words := strings.Fields(strings.ReplaceAll(line, "=", " "))
		if len(words) > 2 && words[0] == "option" && words[1] == "name" {
			_, value, _ := strings.Cut(line, " default ")
			words = append(words[2:3:3], strings.Fields(value)...)
		}
		if len(words) == 0 || !strings.EqualFold(words[0], "FV_SCALE") {
			continue
		}
		value := strings.Join(words[1:min(2, len(words))], "")
		if scale, err = strconv.Atoi(value); err != nil || scale < halfkp.MinScale || scale > halfkp.MaxScale {
			return 0, fmt.Errorf("FV_SCALE %q, expected %d to %d", value, halfkp.MinScale, halfkp.MaxScale)
		}
	}
	return scale, nil
}

// halfkpEvaluator evaluates in centipawns.
type halfkpEvaluator struct{ *halfkp.Evaluator }

func (e halfkpEvaluator) Evaluate(p *rules.Position) int {
	return min(max(halfkp.Centipawns(e.Evaluator.Evaluate(p)), -eval.Limit), eval.Limit)
}
