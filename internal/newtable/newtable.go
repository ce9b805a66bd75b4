// Package newtable makes tables for tests, which end if that fails. The end of a test closes them.
package newtable

import (
	"io"
	"testing"

	"trefoil/cluster"
	"trefoil/window"
)

// Cluster is cluster.New.
func Cluster(t testing.TB, mib uint64, index cluster.Index, opts ...cluster.Option) *cluster.Table {
	t.Helper()
	table, err := cluster.New(mib, index, opts...)
	closeAtEnd(t, table, err)
	return table
}

// Window is window.New.
func Window(t testing.TB, mib uint64, opts ...window.Option) *window.Table {
	t.Helper()
	table, err := window.New(mib, opts...)
	closeAtEnd(t, table, err)
	return table
}

func closeAtEnd(t testing.TB, table io.Closer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
}
