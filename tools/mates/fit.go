package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"trefoil/internal/atomicfile"
	"trefoil/search/proof"
	"trefoil/tools/internal/selfplay"
)

// coefficients are the coefficients of the initial numbers: ln φ = level − trust·z + weight·w for the
// attacker, ln δ = level + trust·z + weight·w, where z is the logit of the chance that it mates and w the
// logarithm of the work, less its value for a typical position. For the defender φ and δ are exchanged.
type coefficients struct{ level, trust, weight float64 }

const typical = 4 // the logarithm of nodes

// fit is the subcommand fit.
func fit(_ context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	variant := set.String("game", "shogi", "the game: chess, shogi or ultimate")
	prior := set.Float64("prior", 1, "regularisation of every feature towards 0, in samples")
	blank := set.Bool("blank", false, "make all initial numbers 1, to gather the first samples of new features")
	name := set.String("o", "", "file to rewrite (default: that of the game in the project's root)")
	if err := set.Parse(args); err != nil {
		return err
	}
	sub, err := selfplay.Subject(subjects, *variant)
	if err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	if *name == "" {
		*name = sub.file
	}
	if *blank != (set.NArg() == 0) {
		return errors.New("fit: neither or both of -blank and files of samples: give one")
	}
	if !(*prior > 0) {
		return fmt.Errorf("fit: -prior %v is not above 0", *prior)
	}
	if err := atomicfile.Writable(*name, atomicfile.Prefix(sub.head)); err != nil {
		return fmt.Errorf("fit: run in the project's root or give -o: %w", err)
	}
	t, models := sub.coefficients, [2]model{}
	note := "nothing"
	if *blank {
		t = coefficients{}
		models = [2]model{sub.blankModel(true), sub.blankModel(false)}
	} else {
		all, err := sub.readAll(set.Args())
		if err != nil {
			return err
		}
		note = fmt.Sprintf("%d positions", len(all))
		for i, attacking := range []bool{true, false} {
			if models[i], err = sub.learn(side(all, attacking), attacking, *prior, out); err != nil {
				return err
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, fitted by tools/mates to %s (docs/tuning.md).\n", sub.head, note)
	for i, attacking := range []bool{true, false} {
		if err := sub.declare(&b, &models[i], attacking, t); err != nil {
			return err
		}
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(*name, atomicfile.Prefix(sub.head), text)
}

// readAll returns the samples of all files. Problems are numbered on from file to file.
func (sub *subject) readAll(names []string) (all []sample, err error) {
	first := 0
	for _, name := range names {
		more, err := sub.read(name, first)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
		first = all[len(all)-1].problem + 1
	}
	return all, nil
}

// side returns the samples of one side.
func side(all []sample, attacking bool) (rows []sample) {
	for _, s := range all {
		if s.attacking == attacking {
			rows = append(rows, s)
		}
	}
	return rows
}

// A model predicts the outcome of samples: each vector has a number for every feature.
type model struct{ chance, work *mat.VecDense }

// blankModel returns a model of zeros.
func (sub *subject) blankModel(attacking bool) model {
	n := sub.size(attacking)
	return model{chance: mat.NewVecDense(n, nil), work: mat.NewVecDense(n, nil)}
}

// block is the number of neighbouring problems, mostly of one game, that go together into the
// training or the test set; every fifth block is for the test.
const block = 100

// learn fits a model to all rows, and prints before how well one fitted to four fifths of the
// problems predicts the others.
func (sub *subject) learn(rows []sample, attacking bool, prior float64, out io.Writer) (m model, err error) {
	if len(rows) < 1000 {
		return m, fmt.Errorf("%d positions with attacking %v are too few: gather at least 1000", len(rows), attacking)
	}
	var train, test []sample
	var count [3]int
	for _, r := range rows {
		count[r.result]++
		if r.problem/block%5 == 0 {
			test = append(test, r)
		} else {
			train = append(train, r)
		}
	}
	fmt.Fprintf(out, "attacking %v: %d proved, %d disproved, %d open\n", attacking, count[proof.Proved],
		count[proof.Disproved], count[proof.Unknown])
	if len(train) > 0 && len(test) > 0 {
		if m, err = sub.fitted(train, attacking, prior); err != nil {
			return m, err
		}
		m.evaluate(test, float64(count[proof.Proved])/float64(count[proof.Proved]+count[proof.Disproved]), out)
	}
	return sub.fitted(rows, attacking, prior)
}

// fitted returns the model of rows: the chance by logistic regression over the solved rows, with Newton's
// method, the work by least squares.
func (sub *subject) fitted(rows []sample, attacking bool, prior float64) (m model, err error) {
	m = sub.blankModel(attacking)
	n := m.chance.Len()
	const steps = 12
	for range steps {
		e := newEquations(n, prior)
		for i := range n {
			e.right.SetVec(i, -prior*m.chance.AtVec(i))
		}
		for i := range rows {
			if r := &rows[i]; r.result != proof.Unknown {
				p := logistic(sum(m.chance, r))
				e.add(r, p*(1-p), truth(r.result == proof.Proved)-p)
			}
		}
		step, err := e.solve()
		if err != nil {
			return m, err
		}
		m.chance.AddVec(m.chance, step)
	}
	e := newEquations(n, prior)
	for i := range rows {
		e.add(&rows[i], 1, effort(&rows[i])-typical)
	}
	m.work, err = e.solve()
	return m, err
}

// effort returns the logarithm of the work that a sample takes; one that is not solved counts as e
// times the nodes spent.
func effort(s *sample) float64 {
	return math.Log(float64(s.nodes+1)) + truth(s.result == proof.Unknown)
}

// equations are the normal equations of a weighted least-squares fit.
type equations struct {
	left  *mat.SymDense
	right *mat.VecDense
}

func newEquations(n int, prior float64) equations {
	e := equations{mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)}
	for i := range n {
		e.left.SetSym(i, i, prior)
	}
	return e
}

// add adds a sample with a weight and a residual that is multiplied by the weight.
func (e *equations) add(s *sample, weight, residual float64) {
	for i, f := range s.features {
		e.right.SetVec(int(f), e.right.AtVec(int(f))+residual)
		for _, g := range s.features[i:] {
			e.left.SetSym(int(f), int(g), e.left.At(int(f), int(g))+weight)
		}
	}
}

func (e *equations) solve() (*mat.VecDense, error) {
	var c mat.Cholesky
	if !c.Factorize(e.left) {
		return nil, errors.New("equations without a solution: give a larger -prior")
	}
	x := new(mat.VecDense)
	return x, c.SolveVecTo(x, e.right)
}

func sum(v *mat.VecDense, s *sample) (x float64) {
	for _, f := range s.features {
		x += v.AtVec(int(f))
	}
	return x
}

func logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// evaluate prints how well rows are predicted: the share of correct predictions and the mean cross entropy
// of the solved rows, the latter also for a constant chance; which part of the variance of the work is
// explained.
func (m *model) evaluate(rows []sample, chance float64, out io.Writer) {
	solved, correct, loss, base, mean := 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range rows {
		r := &rows[i]
		mean += effort(r) / float64(len(rows))
		if r.result == proof.Unknown {
			continue
		}
		p, q := logistic(sum(m.chance, r)), chance
		if r.result == proof.Disproved {
			p, q = 1-p, 1-q
		}
		solved++
		correct += truth(p > 0.5)
		loss -= math.Log(max(p, 1e-9))
		base -= math.Log(max(q, 1e-9))
	}
	errors, variance := 0.0, 0.0
	for i := range rows {
		y := effort(&rows[i])
		d := y - typical - sum(m.work, &rows[i])
		errors += d * d
		variance += (y - mean) * (y - mean)
	}
	fmt.Fprintf(out,
		"  of other problems %.1f %% predicted, loss %.3f, %.3f without features; %.0f %% of the work explained\n",
		100*correct/solved, loss/solved, base/solved, 100*(1-errors/variance))
}

// declare writes the weights of the features. The level is added to the features of the first group,
// because every position has one feature of it.
func (sub *subject) declare(b *bytes.Buffer, m *model, attacking bool, t coefficients) error {
	name := "defence"
	sign := -1.0
	if attacking {
		name, sign = "attack", 1
	}
	fmt.Fprintf(b, "\nvar %sWeights = [...]weight{\n", name)
	at := 0
	for _, n := range sub.groups(attacking) {
		for i := range n {
			z, w := t.trust*m.chance.AtVec(at+i), t.weight*m.work.AtVec(at+i)
			if at == 0 {
				w += t.level
			}
			phi, delta := sub.steps(w-sign*z), sub.steps(w+sign*z)
			if most := math.Abs(phi) + math.Abs(delta); !(most <= math.MaxInt16) {
				return fmt.Errorf("fit: a weight of %v and %v is too large", phi, delta)
			}
			fmt.Fprintf(b, "{%.0f, %.0f},", phi, delta)
			if i%8 == 7 || i == n-1 {
				b.WriteByte('\n')
			}
		}
		at += n
	}
	b.WriteString("}\n")
	return nil
}

// steps returns a natural logarithm in the unit of a weight.
func (sub *subject) steps(x float64) float64 { return math.Round(x/math.Ln2*sub.octave) + 0 }
