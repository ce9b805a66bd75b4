package cluster

import (
	"path/filepath"
	"testing"
)

// TestLoadedSearch: the present search of a loaded table is that of the file.
func TestLoadedSearch(t *testing.T) {
	saved, loaded := mustNew(t, 1, Mul32), mustNew(t, 1, Mul32)
	saved.Store(stream(3, 0), entryOf(stream(3, 0)))
	saved.NewSearch()
	saved.Store(stream(3, 1), entryOf(stream(3, 1)))
	path := filepath.Join(t.TempDir(), "hash")
	if _, err := saved.Save(t.Context(), Replace(path), Label{}, nil); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		loaded.NewSearch()
	}
	if _, err := loaded.Load(t.Context(), File(path), Label{}, nil); err != nil {
		t.Fatal(err)
	}
	if c, err := loaded.Census(t.Context()); err != nil || c.Used != 2 || c.Current != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
