//go:build linux || darwin

package table

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/engine/memory"
	"trefoil/internal/shm"
)

// toyShared is a Spec of a table that a test shares under a name.
func toyShared(t *testing.T, test string) Spec {
	t.Helper()
	if _, err := shm.Default(); err != nil {
		t.Skip(err)
	}
	s := spec(2, cluster.Auto, cluster.MaxKeyBits)
	s.Sharing = cluster.Sharing{Name: fmt.Sprintf("test-%s-%d", test, os.Getpid()),
		Label: cluster.Label{Game: "toy", Seed: "s", Evaluation: "e"}}
	return s
}

// TestSharedRelabelled: a table with another evaluation has no entries of the one before, which an engine that joins it
// would take for its own.
func TestSharedRelabelled(t *testing.T) {
	shared := toyShared(t, "relabelled")
	c := NewClusterOwner(new(Notices))
	for _, evaluation := range []string{"e", "f"} {
		shared.Sharing.Label.Evaluation = evaluation
		if err := c.Resize(t.Context(), shared, func(*cluster.Table) {}); err != nil {
			t.Fatal(err)
		}
		c.AwaitTouched(t.Context())
		if _, ok := c.Table().Probe(someKey); ok {
			t.Error(evaluation, "has an entry")
		}
		c.Table().Store(someKey, someEntry)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestSharedTable: a shared table is not cleared while another process uses it; one whose file is cut short is lost,
// and replaced by the next Resize, also of the same size.
func TestSharedTable(t *testing.T) {
	shared := toyShared(t, "table")
	name := shared.Sharing.Name
	notices := new(Notices)
	a, b := NewClusterOwner(notices), NewClusterOwner(new(Notices))
	for _, c := range []*ClusterOwner{a, b} {
		if err := c.Resize(t.Context(), shared, func(*cluster.Table) {}); err != nil {
			t.Fatal(err)
		}
		c.AwaitTouched(t.Context())
	}
	larger, c := shared, NewClusterOwner(new(Notices))
	larger.Size = memory.Whole(3 << 20)
	err := c.Resize(t.Context(), larger, func(*cluster.Table) {})
	if size := c.Size(); err != nil || size != larger.Size || c.Close() != nil {
		t.Errorf("%v, size %v, which was asked for but is 2 MiB", err, size)
	}
	b.Table().Store(someKey, someEntry)
	if !a.Shared() || !strings.Contains(a.Line(), fmt.Sprintf("shared as %q", name)) ||
		!strings.HasSuffix(a.Line(), ", other processes 1") {
		t.Error(a.Line())
	}
	notices.Take()
	a.Clear()
	a.AwaitReady(t.Context(), 0)
	said := strings.Join(notices.Take(), "|")
	if _, ok := a.Table().Probe(someKey); !ok || !strings.HasPrefix(said, "not cleared: ") {
		t.Errorf("kept %v, %q", ok, said)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	dir, err := shm.Default()
	if err == nil {
		err = os.Truncate(filepath.Join(string(dir), "trefoil-hash-"+name), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	a.Table().Full() // finds out
	if said := strings.Join(notices.Take(), "|"); !a.Lost() || a.Size() != memory.Whole(2<<20) ||
		!strings.HasSuffix(said, "its file was cut short; this process goes on with an empty hash of its own, 2 MiB") {
		t.Errorf("lost %v, size %v, %q", a.Lost(), a.Size(), said)
	}
	old := a.Table()
	if err := a.Resize(t.Context(), shared, func(*cluster.Table) {}); err != nil || a.Table() == old || a.Lost() {
		t.Errorf("%v, another table: %v, lost %v", err, a.Table() != old, a.Lost())
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
