package alphabeta

import "fmt"

// A Parameter is a number of params.go that can be changed in a build with the tag tune. All games
// share it.
type Parameter struct {
	Name     string
	Min, Max int
	value    *int
}

// parameters are set by params_tune.go.
var parameters []Parameter

// Parameters returns the parameters in the order of params.go. Without the tag tune there are none:
// they are constants.
func Parameters() []Parameter { return parameters }

// Value is the present value.
func (p *Parameter) Value() int { return *p.value }

// Step is a change of the value that a match can measure: a twentieth of the range, but at least
// a half.
func (p *Parameter) Step() float64 { return max(float64(p.Max-p.Min)/20, 0.5) }

// DefaultRate is the default of the rate of SPSA at the end of a tune (r_end).
const DefaultRate = 0.002

// SPSA is the parameter as OpenBench reads it: name, type, value, bounds, c_end and r_end.
func (p *Parameter) SPSA(rate float64) string {
	return fmt.Sprintf("%s, int, %d, %d, %d, %g, %g", p.Name, p.Value(), p.Min, p.Max, p.Step(), rate)
}

// Set changes the value. No search may be running. A value out of bounds is refused.
func (p *Parameter) Set(value int) error {
	if value < p.Min || value > p.Max {
		return fmt.Errorf("%s: %d is outside %d to %d", p.Name, value, p.Min, p.Max)
	}
	if value == *p.value {
		return nil
	}
	*p.value = value
	if p.Name == "lmrScale" {
		reductions = lateMoveReductions()
	}
	return nil
}
