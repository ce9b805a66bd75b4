//go:build !race

package remainder

// checked says whether Probe and Store check their arguments.
const checked = false
