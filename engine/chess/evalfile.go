package chess

import (
	"fmt"
	"os"

	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	chessnnue "trefoil/game/chess/nnue"
	"trefoil/internal/atomicfile"
	"trefoil/nnue"
)

// evaluator evaluates positions for one worker.
type evaluator interface {
	Evaluate(*rules.Position) int
}

// newEvaluator returns an evaluator by a net, or the hand-written one without a net.
func newEvaluator(net *nnue.Net) evaluator {
	if net == nil {
		return eval.New()
	}
	return chessnnue.NewEvaluator(net)
}

// embeddedNet returns the net of the program: none yet.
func embeddedNet() *nnue.Net { return nil }

// handWritten is the value of EvalFile without a net.
const handWritten = "none"

// netOf returns the net that a value of EvalFile stands for, nil for the hand-written evaluation.
func netOf(value string) (*nnue.Net, error) {
	switch value {
	case "":
		return embeddedNet(), nil
	case handWritten:
		return nil, nil
	}
	return readNet(value)
}

// maxNetBytes is more than any net of chess has.
const maxNetBytes = 2 << 20

// readNet reads a file.
func readNet(path string) (*nnue.Net, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // to open a pipe could wait without end
		return nil, atomicfile.NotRegular(path, info)
	case info.Size() > maxNetBytes:
		return nil, fmt.Errorf("%s: %d bytes, more than any net of chess has", path, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	net, err := chessnnue.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return net, nil
}

// setEvalFile is the action of EvalFile. The hash is emptied only if the evaluation is another one.
func (p *player) setEvalFile(value string) error {
	net, err := netOf(value)
	if err != nil {
		return err
	}
	old := p.evaluators
	if checksum(net) != checksum(old.net) {
		p.evaluators = evaluatorPool{net: net}
		if err := p.Reevaluate(); err != nil {
			p.evaluators = old
			return err
		}
	}
	p.Notices.Add("evaluation: " + describe(net))
	return nil
}

// checksum identifies a net; it is negative without one.
func checksum(net *nnue.Net) int64 {
	if net == nil {
		return -1
	}
	return int64(net.Checksum())
}

// describe says in words what evaluates.
func describe(net *nnue.Net) string {
	if net == nil {
		return "hand-written"
	}
	return fmt.Sprintf("net %08x, %d neurons", net.Checksum(), net.Hidden)
}
