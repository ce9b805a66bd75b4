// Package ttanalysis measures transposition tables. It counts what a search does with its
// cluster.Table, detects false hits with a second key, records the use of the table in a
// trace, and replays traces against tables of other designs and sizes.
//
//	worker 0 ─┐              ┌─ Counters: probes, hits, cutoffs, stores, evictions
//	worker 1 ─┼─ Observer ───┼─ Audit: a second key beside each entry detects false hits
//	…         ┘              ├─ Shadow: the hits of tables of other sizes, from a sample of the keys
//	                         └─ TraceWriter ──▶ trace file
//
//	trace file ── TraceReader ──▶ Replay ──┬─▶ Design, size ──▶ ReplayCounts
//	                                       └─▶ Design, size ──▶ ReplayCounts
//
// An Observer stands between the workers of a search and their table. A search without an
// Observer calls the table directly. An Observer changes no node of a search with one thread,
// unless its Audit refuses false hits.
//
// Larger parts are built from these: a Monitor observes the searches of a running engine; a Suite
// searches a list of positions and has Record, which writes a trace, Sweep, which audits it with
// different numbers of check bits, and FindDecisive, which finds false hits that change the best
// move; a Comparison replays a trace against a list of designs. Package report prints
// their results as tables, files, charts and an HTML page. The subcommands of trefoil hash call
// them.
//
// # Measuring another table
//
// ParseDesign makes designs of clusters from a preset ("stockfish"), from parameters
// ("entries=4+bytes=64+replace=two-tier"), or from both ("stockfish+refresh=1"). Presets lists
// the tables of other engines; tools/designcheck compares them with the originals. Any other table
// is a type with the four methods of Table, made by a SimpleDesign or by a Design of your own; the
// example of SimpleDesign has one.
//
// An engine records its traces with a TraceWriter, or in C and C++ with trace/trefoil_trace.h: one
// call per search, probe and store. Record describes the events, docs/formats.md the file, and
// docs/trace.md what to record.
//
// # Other programs
//
// Traces, records, designs, Replay and Comparison need no engine of this module; docs/library.md has
// a program that uses them. Observer, Audit, Shadow, Monitor and Suite measure searches of package
// alphabeta.
//
// # Limits of a replay
//
// A search whose probes had other results would have searched other nodes. Each cutoff that a
// design misses would have cost nodes whose probes and stores are not in the trace, and each
// additional cutoff would have saved some that are. The rates of a replay therefore compare
// designs under the same load. They are not the rates of a search with such a table, and they
// understate the differences. A cutoff is decided by depth, bound and window alone, although
// the search may have other reasons to go on, and mate scores are compared as stored.
package ttanalysis
