package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"trefoil/internal/atomicfile"
)

// stateFormat is the first field of a state file, and statePrefix is how one begins.
const (
	stateFormat = "trefoil spsa 1"
	statePrefix = "{\n\t\"format\": \"trefoil spsa "
)

// maxStateBytes is more than a state file has.
const maxStateBytes = 1 << 20

// readState reads a state file.
func readState(name string) (*state, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxStateBytes+1))
	if err != nil {
		return nil, err
	}
	s, err := parseState(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// parseState reads the text of a state file, and tests that a tune can have come to it.
func parseState(text []byte) (*state, error) {
	if !bytes.HasPrefix(text, []byte(statePrefix)) {
		return nil, errors.New("not a state file of spsa")
	}
	if len(text) > maxStateBytes {
		return nil, fmt.Errorf("longer than %d bytes", maxStateBytes)
	}
	s := new(state)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more follows its end")
	}
	if s.Format != stateFormat {
		return nil, fmt.Errorf("format %q, not %q", s.Format, stateFormat)
	}
	if err := s.Plan.check(); err != nil {
		return nil, err
	}
	return s, s.check()
}

// check tests the numbers of a plan. Its errors name flags.
func (p *plan) check() error {
	const most = 1 << 40
	switch {
	case p.Nodes < 1 || p.Nodes > most:
		return fmt.Errorf("-nodes %d is not from 1 to %d", p.Nodes, uint64(most))
	case p.Games < 2 || p.Games > 1<<30 || p.Games%2 != 0:
		return fmt.Errorf("-games %d is not an even number from 2 to %d", p.Games, 1<<30)
	case p.Pairs < 1 || p.Pairs > 1<<16:
		return fmt.Errorf("-pairs %d is not from 1 to %d", p.Pairs, 1<<16)
	case p.Random < 0 || p.Random > 100:
		return fmt.Errorf("-random %d is not from 0 to 100", p.Random)
	case p.Within < 1:
		return fmt.Errorf("-within %d is less than 1", p.Within)
	case !(p.C >= 0.01 && p.C <= 100):
		return fmt.Errorf("-c %g is not from 0.01 to 100", p.C)
	case !(p.R > 0 && p.R <= 10):
		return fmt.Errorf("-r %g is not above 0 and at most 10", p.R)
	}
	return nil
}

// check tests the rest of a state.
func (s *state) check() error {
	batch := 2 * s.Plan.Pairs
	switch {
	case s.Done < 0 || s.Done > s.Plan.Games || s.Done%batch != 0 && s.Done != s.Plan.Games:
		return fmt.Errorf("%d games are not a number of iterations", s.Done)
	case min(s.Wins, s.Draws, s.Losses) < 0 || s.Wins > s.Done || s.Losses > s.Done || s.Wins+s.Draws+s.Losses != s.Done:
		return fmt.Errorf("%d wins, %d draws and %d losses in %d games", s.Wins, s.Draws, s.Losses, s.Done)
	case len(s.Parameters) == 0:
		return errors.New("no parameters")
	}
	seen := map[string]bool{}
	for _, t := range s.Parameters {
		const most = math.MaxInt32
		switch {
		case seen[t.Name]:
			return fmt.Errorf("%q occurs twice", t.Name)
		case t.Min < -most || t.Max > most || t.Min >= t.Max || t.Start < t.Min || t.Start > t.Max:
			return fmt.Errorf("%q: start %d, bounds %d to %d", t.Name, t.Start, t.Min, t.Max)
		case !(t.Step > 0 && t.Step <= most):
			return fmt.Errorf("%q: step %g", t.Name, t.Step)
		case !(t.Value >= float64(t.Min) && t.Value <= float64(t.Max)):
			return fmt.Errorf("%q: %g is outside %d to %d", t.Name, t.Value, t.Min, t.Max)
		}
		seen[t.Name] = true
	}
	return nil
}

// text is the contents of a state file.
func (s *state) text() []byte {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		panic(err) // a mistake of the program
	}
	return append(text, '\n')
}

// write replaces a state file by s.
func (s *state) write(name string) error {
	return atomicfile.WriteBytes(name, atomicfile.Prefix(statePrefix), s.text())
}

// resume returns the state in a file, which must be of the plan and the parameters of s; s itself if
// there is no such file.
func (s *state) resume(name string) (*state, error) {
	old, err := readState(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, s.write(name)
	}
	if err != nil {
		return nil, err
	}
	if what := old.differs(s); what != "" {
		return nil, fmt.Errorf("%s is of another tune: %s", name, what)
	}
	return old, nil
}

// differs says in what the plan and the parameters of s differ from o, "" if nothing does.
func (s *state) differs(o *state) string {
	theirs := o.Plan.fields()
	for i, f := range s.Plan.fields() {
		if f.value != theirs[i].value {
			return fmt.Sprintf("%s %v, not %v", f.name, f.value, theirs[i].value)
		}
	}
	if len(s.Parameters) != len(o.Parameters) {
		return fmt.Sprintf("%d parameters, not %d", len(s.Parameters), len(o.Parameters))
	}
	for i, t := range s.Parameters {
		u := o.Parameters[i]
		t.Value, u.Value = 0, 0
		if t != u {
			return fmt.Sprintf("%s from %d in %d to %d, not %s from %d in %d to %d", t.Name, t.Start, t.Min, t.Max, u.Name,
				u.Start, u.Min, u.Max)
		}
	}
	return ""
}

// A field of a plan.
type field struct {
	name  string // of its flag, if it has one
	value any
}

func (p *plan) fields() []field {
	return []field{
		{"-game", p.Game}, {"evaluation", p.Evaluation}, {"-nodes", p.Nodes}, {"-games", p.Games}, {"-pairs", p.Pairs},
		{"-random", p.Random}, {"-within", p.Within}, {"-seed", p.Seed}, {"-c", p.C}, {"-r", p.R},
	}
}
