// Package lab compares designs of transposition tables on what real searches do with
// theirs.
//
//	search ── Writer ──▶ trace ── Reader ──▶ Replay ──┬─▶ Design, size ──▶ Count
//	                    (file)                        ├─▶ Design, size ──▶ Count
//	                                                  └─▶ …
//
// A Writer records every probe and store of a search in a trace, 16 bytes each; a Reader
// gives them back, checked. A Design is a table as a few choices: index, ways, bytes,
// check bits, replacement. Replay does to the tables of many designs and sizes what the
// search did to its own, and counts hits, cutoffs and false hits: a table of the lab keeps
// whole keys beside what its design would keep, so it knows which hits are false.
//
// # What a replay cannot know
//
// A search that had found something else would have gone on otherwise: every cutoff that
// another design misses would have cost nodes, with probes and stores that are not in the
// trace, and every one it gains would have saved some that are. So rates of a replay compare
// designs under one load; they are not the rates that a search with such a table would see,
// and the fewer its hits, the better a design looks here. A cutoff is counted by depth,
// bound and window alone; the search may have had other reasons to go on, and
// distances to mate are compared as they stand in the table.
package lab
