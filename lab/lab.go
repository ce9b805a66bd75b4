// Package lab compares designs of transposition tables on what real searches do with
// theirs.
//
// A Writer records every probe and store of a search in a trace, 16 bytes each; a Reader
// gives them back, checked.
package lab
