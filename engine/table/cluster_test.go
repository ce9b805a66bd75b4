package table

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/engine/memory"
	"trefoil/internal/container"
	"trefoil/internal/mem"
)

// spec is a table on ordinary pages.
func spec(mib uint64, index cluster.Index, keyBits int) Spec {
	return Spec{Size: memory.Whole(mib << 20), Index: index, KeyBits: keyBits, Pages: mem.SmallPages}
}

const someKey = 0x6c1f_93a4_d07e_285a

var someEntry = cluster.Entry{Move: 12, Value: 5, Quality: cluster.Quality{Depth: 9, Bound: cluster.Exact}}

// TestClusterOwner: what is reported when tables are made, and which entries they keep.
func TestClusterOwner(t *testing.T) {
	notices := new(Notices)
	c := NewClusterOwner(notices)
	file := container.Replace(filepath.Join(t.TempDir(), "hash"))
	if _, err := c.Save(t.Context(), file, cluster.Label{}, nil); err != ErrNone {
		t.Error(err)
	}
	if c.Line() != ErrNone.Error() || c.Lost() || c.Shared() || c.Kept() {
		t.Error(c.Line())
	}
	c.Clear() // which does nothing
	for _, step := range []struct {
		Spec
		made, kept bool
		says       string
	}{
		{spec(2, cluster.Auto, cluster.MaxKeyBits), true, false, "hash 2 MiB: 65536 clusters, index mul32"},
		{spec(2, cluster.Auto, cluster.MaxKeyBits), false, true, ""},
		{spec(3, cluster.Auto, cluster.MaxKeyBits), true, true, ", kept 1 of 1 entries"},
		{spec(3, cluster.Mul64, cluster.MaxKeyBits), true, false, "the entries of the hash are not kept: "},
		{spec(3, cluster.Mul64, 16), true, true, ", only 16 key bits"},
	} {
		old, used := c.Table(), (*cluster.Table)(nil)
		if err := c.Resize(t.Context(), step.Spec, func(made *cluster.Table) { used = made }); err != nil {
			t.Fatal(err)
		}
		c.AwaitTouched(t.Context())
		said := strings.Join(notices.Take(), "|")
		if (c.Table() != old) != step.made || (used != nil) != step.made || used != nil && used != c.Table() ||
			!strings.Contains(said, step.says) || (said == "") != (step.says == "") {
			t.Errorf("%v: made %v, %q", step.Spec, c.Table() != old, said)
		}
		if strings.Contains(said, ", kept ") && !step.kept {
			t.Errorf("%v: %q", step.Spec, said)
		}
		if _, kept := c.Table().Probe(someKey); kept != step.kept || c.Size() != step.Size {
			t.Errorf("%v: kept %v, size %v", step.Spec, kept, c.Size())
		}
		c.Table().Store(someKey, someEntry)
	}
	if line := c.Line(); !strings.HasSuffix(line, "full 0 permille") && !strings.Contains(line, ", full ") ||
		strings.Contains(line, "other processes") {
		t.Error(line)
	}
	c.Clear()
	c.AwaitReady(t.Context(), 0)
	if _, kept := c.Table().Probe(someKey); kept {
		t.Error("Clear leaves an entry")
	}
	if err := c.Resize(t.Context(), spec(cluster.MaxMiB+1, cluster.Auto, 16), func(*cluster.Table) {}); err == nil {
		t.Error("a table of more than MaxMiB")
	}
	notices.Take()
	c.Warn(spec(2, cluster.Auto, 16))
	if said := notices.Take(); len(said) > 0 {
		t.Errorf("%q", said)
	}
	c.Warn(spec(1_000_000, cluster.Auto, 16))
	if said := notices.Take(); len(said) != 1 || !strings.HasPrefix(said[0], "Hash of 1000000 MiB needs ") {
		t.Errorf("%q", said)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestSize: the size of a table is what was asked for, also where the index takes less.
func TestSize(t *testing.T) {
	c := NewClusterOwner(new(Notices))
	defer c.Close()
	err := c.Resize(t.Context(), spec(3, cluster.Pow2, cluster.MaxKeyBits), func(*cluster.Table) {})
	if want := memory.Whole(3 << 20); err != nil || c.Size() != want || left(c.Table()) != want {
		t.Errorf("%v, %v, %v, want %v", err, c.Size(), left(c.Table()), want)
	}
}

// TestClusterFiles: a table is saved and loaded after clearing, and an error says which option would make a file fit.
func TestClusterFiles(t *testing.T) {
	c, label := NewClusterOwner(new(Notices)), cluster.Label{Game: "toy", Seed: "s", Evaluation: "e"}
	path := filepath.Join(t.TempDir(), "hash")
	remake := func(s Spec) {
		t.Helper()
		if err := errors.Join(c.Resize(t.Context(), s, func(*cluster.Table) {}), c.Table().Clear(t.Context())); err != nil {
			t.Fatal(err)
		}
		c.AwaitTouched(t.Context())
	}
	save := func() {
		t.Helper()
		c.Table().Store(someKey, someEntry)
		if _, err := c.Save(t.Context(), container.Replace(path), label, nil); err != nil {
			t.Fatal(err)
		}
	}
	load := func(s Spec, label cluster.Label, says string) {
		t.Helper()
		remake(s)
		_, err := c.Load(t.Context(), container.File(path), label, nil)
		_, has := c.Table().Probe(someKey)
		if says == "" && (err != nil || !has || !c.Kept()) || says != "" && (err == nil ||
			!strings.HasSuffix(err.Error(), says) || has) {
			t.Errorf("%v: %v, has the entry %v, loaded %v", s, err, has, c.Kept())
		}
		c.Clear()
		if c.Kept() {
			t.Error("a table that is cleared is not from a file")
		}
	}
	other := cluster.Label{Game: "toy", Seed: "s", Evaluation: "f"}
	remake(spec(2, cluster.Auto, 18))
	save()
	load(spec(2, cluster.Auto, 18), label, "")
	load(spec(3, cluster.Auto, 17), label, "")
	load(spec(3, cluster.Auto, 18), other, "evaluation is e, expected f")
	load(spec(2, cluster.Mul64, 18), label, ": set HashIndex to mul32 for it")
	load(spec(2, cluster.Auto, 19), label, ": set HashKeyBits to 18 for it")
	remake(spec(4, cluster.Pow2, 18))
	save()
	load(spec(2, cluster.Pow2, 18), label, " of the same size, 4 MiB")
	load(spec(4, cluster.Pow2, 18), label, "")
	if _, err := c.Load(t.Context(), container.File(path), label, nil); err != nil || !c.Kept() {
		t.Error(err)
	}
	if remake(spec(4, cluster.Mul64, 18)); c.Kept() {
		t.Error("a new table is not from a file")
	}

	remake(spec(2, cluster.Auto, 18))
	ended, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	stuck := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	c.ClearBy(stuck)
	_, err := c.Save(ended, container.Replace(path+"2"), label, nil)
	if !errors.Is(err, stopped) || !strings.HasPrefix(err.Error(), "saving the hash: ") {
		t.Error(err)
	}
	_, err = c.Load(ended, container.File(path), label, nil)
	if !errors.Is(err, stopped) || !strings.HasPrefix(err.Error(), "loading the hash: ") {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
