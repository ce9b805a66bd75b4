// Package ttanalysis measures transposition tables. It records the use of a table in a trace, replays
// traces against tables of other designs and sizes, and predicts from a sample of the keys what tables of
// other sizes would hit.
//
//	search ──▶ TraceWriter ──▶ trace file
//	search ──▶ Shadow ──▶ Predictions
//
//	trace file ── TraceReader ──▶ Replay ──┬─▶ Design, size ──▶ ReplayCounts
//	                                       └─▶ Design, size ──▶ ReplayCounts
//
// A Comparison replays a trace against a list of designs. Film shows the tables during a replay. A LossReplay shows
// which entries were missed after they were lost, and why. Counters, FalseHit and AuditResult are what package
// observe finds out about the searches of this module. Package report prints results as tables, files, charts and
// an HTML page. The subcommands of trefoil hash call them.
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
// The package needs no engine of this module; docs/library.md has a program that uses it.
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
