// Package ttanalysis measures transposition tables. It counts what a search does with its
// cluster.Table, finds false hits with a second key, records the table's use in a trace, and
// replays traces against tables of other designs and sizes.
//
//	worker 0 ─┐              ┌─ Counters: probes, hits, cutoffs, stores, evictions
//	worker 1 ─┼─ Observer ───┼─ Audit: a second key beside each entry finds false hits
//	…         ┘              └─ TraceWriter ──▶ trace file
//
//	trace file ── TraceReader ──▶ Replay ──┬─▶ Design, size ──▶ ReplayCounts
//	                                       └─▶ Design, size ──▶ ReplayCounts
//
// An Observer stands between the workers of a search and its table; each worker counts on
// cache lines of its own. A search without an Observer calls the table directly. An Observer
// that only counts does not change the search.
//
// A trace has a 16-byte Record for every probe and store. A Design is a table described by
// index, entries per cluster, check bits and replacement. Replay applies the recorded operations to
// tables of several designs and sizes and counts hits, cutoffs and false hits. A replayed
// table keeps the whole key of each entry beside what its design would keep, so false hits are known.
//
// # Limits of a replay
//
// A search whose probes had other results would have searched other nodes. Each cutoff that a
// design misses would have cost nodes whose probes and stores are not in the trace, and each
// additional cutoff would have saved some that are. The rates of a replay therefore compare designs under the same
// load; they are not the rates of a search with such a table, and they understate the
// differences. A cutoff is decided by depth, bound and window alone, although the search may
// have other reasons to go on, and mate scores are compared as they are stored.
package ttanalysis
