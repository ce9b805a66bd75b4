// Package report presents the results of ttanalysis: text tables, files of tab-separated values,
// SVG charts, and an HTML page of them. It also prints the expected number of false hits of a
// table by formula.
package report
