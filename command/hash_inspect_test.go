package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/internal/container"
	"trefoil/internal/newtable"
	"trefoil/window"
)

// hashSays runs a subcommand of hash, and compares its exit status and what it prints.
func hashSays(t *testing.T, status int, says string, args ...string) {
	t.Helper()
	var out, errs strings.Builder
	got := Run(append([]string{"hash"}, args...), strings.NewReader(""), &out, &errs)
	if said := out.String() + errs.String(); got != status || !strings.Contains(said, says) {
		t.Errorf("%q: status %d, want %d; says %q, want %q", args, got, status, said, says)
	}
}

// A file as hash inspect and hash verify report it, before and after it is damaged.
func TestSavedHash(t *testing.T) {
	table := newtable.Cluster(t, 5, cluster.Mul64)
	for i := range uint64(5000) {
		table.Store((i+1)*0x9e3779b97f4a7c15, cluster.Entry{Move: 7})
	}
	path := filepath.Join(t.TempDir(), "hash")
	if _, err := table.Save(context.Background(), cluster.Replace(path),
		cluster.Label{Game: "chess", Seed: "a seed", Evaluation: "1a2b3c4d"}, nil); err != nil {
		t.Fatal(err)
	}
	hashSays(t, 0, `
game        chess
key seed    a seed
evaluation  1a2b3c4d
size        5 MiB of 5 requested: 163840 clusters of 32 bytes
index       mul64
key bits    21
generation  0
entries     5000 (1.0 %)
blocks      2 of up to 4 MiB
to load it  any Hash, HashIndex mul64
`, "inspect", path)
	hashSays(t, 0, path+" is intact: 2 blocks, 5000 entries\n", "verify", path)

	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	second := info.Size() - 512 - (4 + 1<<20 + 4) // where the second block begins
	if _, err := f.WriteAt([]byte{1}, 5e6); err != nil {
		t.Fatal(err)
	}
	hashSays(t, 0, "entries     5000", "inspect", path)
	hashSays(t, 1, "trefoil: hash verify: "+path+": checksum of block 2 of 2, at byte "+fmt.Sprint(second)+", is 0x",
		"verify", path)
	if _, err := f.WriteAt([]byte{1}, 100); err != nil {
		t.Fatal(err)
	}
	hashSays(t, 1, path+": checksum of the header is 0x", "inspect", path)
	hashSays(t, 1, path+": checksum of the header is 0x", "verify", path)
	other := filepath.Join(t.TempDir(), "proof")
	if err := os.WriteFile(other, []byte("TREFOIL\ncert\x00\x00\x00\x00\x02\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{"inspect", "verify"} {
		hashSays(t, 2, "hash "+c+": missing argument <file>", c)
		hashSays(t, 2, `unexpected argument "b"`, c, "a", "b")
		hashSays(t, 2, path+"x: no such file", c, path+"x")
		hashSays(t, 2, filepath.Dir(path)+": it is a directory", c, filepath.Dir(path))
		hashSays(t, 1, ": it is a certificate, expected a saved hash\n", c, other)
		hashSays(t, 0, "; 1 if the file is damaged, incomplete or no saved\n", c, "-h")
	}
}

// The same with a saved table of proofs.
func TestSavedProofs(t *testing.T) {
	table := newtable.Window(t, 3)
	h := table.Handle()
	for i := range uint64(1000) {
		h.Store((i+1)*0x9e3779b97f4a7c15, window.Entry{Phi: uint32(i % 4), Delta: 1 << 20, Work: i})
	}
	path := filepath.Join(t.TempDir(), "proofs")
	if _, err := table.Save(context.Background(), container.Replace(path),
		window.Label{Game: "ultimate", Convention: "X wins", Seed: "a seed"}, nil); err != nil {
		t.Fatal(err)
	}
	hashSays(t, 0, `
game        ultimate
goal        X wins
key seed    a seed
size        3.0 MiB: 95324 slots of 33 bytes
generation  1
entries     1000 (1.0 %)
blocks      1 of up to 4 MiB
to load it  solve ultimate --load, any --hash
`, "inspect", path)
	hashSays(t, 0, path+" is intact: 1 block, 1000 entries, 250 of them solved\n", "verify", path)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte{77}, 5000); err != nil {
		t.Fatal(err)
	}
	hashSays(t, 0, "entries     1000", "inspect", path)
	hashSays(t, 1, "trefoil: hash verify: "+path+": checksum of block 1 of 1, at byte ", "verify", path)
	if err := f.Truncate(900); err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{"inspect", "verify"} {
		hashSays(t, 1, path+": ", c, path)
	}
}
