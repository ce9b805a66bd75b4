//go:build race

package remainder

// checked is whether Probe and Store look at their arguments. They do in race builds,
// where time does not matter: a key or a value out of bounds would make an exact table lie.
const checked = true
