// Package newtable makes tables for tests, which end if that fails. The end of a test closes them.
package newtable

import (
	"testing"

	"trefoil/cluster"
	"trefoil/internal/tabletest"
	"trefoil/window"
)

// Cluster is cluster.New.
func Cluster(t testing.TB, mib uint64, index cluster.Index, opts ...cluster.Option) *cluster.Table {
	t.Helper()
	table, err := cluster.New(mib, index, opts...)
	tabletest.CloseAtEnd(t, table, err)
	return table
}

// Window is window.New.
func Window(t testing.TB, mib uint64, opts ...window.Option) *window.Table {
	t.Helper()
	table, err := window.New(mib, opts...)
	tabletest.CloseAtEnd(t, table, err)
	return table
}
