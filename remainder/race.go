//go:build race

package remainder

// checked says whether Probe and Store check their arguments. They do in race builds, where time
// does not matter: with a key or a value out of bounds the table is not exact.
const checked = true
