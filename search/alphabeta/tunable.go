package alphabeta

import (
	"fmt"
	"reflect"
)

// A Parameter is one of the Params, as a tuner sees it.
type Parameter struct {
	Name     string
	Min, Max int
	value    *int
}

// List returns the parameters of p in their order. They may be set while no search is running. A parameter
// lies between 1 and twice its value unless its tag says tune:"MIN to MAX".
func (p *Params) List() (list []Parameter) {
	fields := reflect.ValueOf(p).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		value := (*int)(fields.Field(i).Addr().UnsafePointer())
		q := Parameter{Name: field.Name, Min: min(1, 2**value), Max: max(-1, 2**value), value: value}
		if tag, ok := field.Tag.Lookup("tune"); ok {
			if _, err := fmt.Sscanf(tag, "%d to %d", &q.Min, &q.Max); err != nil {
				panic(err) // a wrong tag
			}
		}
		list = append(list, q)
	}
	return list
}

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

// Set changes the value. A value out of bounds is refused.
func (p *Parameter) Set(value int) error {
	if value < p.Min || value > p.Max {
		return fmt.Errorf("%s: %d is outside %d to %d", p.Name, value, p.Min, p.Max)
	}
	*p.value = value
	return nil
}
