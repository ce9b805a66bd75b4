package main

import (
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/shogi/halfkp"
	"trefoil/internal/atomicfile"
	"trefoil/nnue/nnuetest"
)

// TestYaneuraOu checks that the engine's reader takes the files.
func TestYaneuraOu(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.net")
	net := nnuetest.Random(t, subjects["shogi"].shape(32), 5)
	if err := atomicfile.Write(name, netHead, net.Write); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time over the files of the first
		call(t, "yaneuraou", "-o", filepath.Join(dir, "eval"), name)
	}
	files := folder(t, filepath.Join(dir, "eval"))
	file := files["nn.bin"]
	read, err := halfkp.Read(strings.NewReader(file), int64(len(file)), func(uint64) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if a := read.Architecture(); a != "SFNN HalfKA_hm2(Friend) 128-15-32" {
		t.Error(a)
	}
	if o := files["eval_options.txt"]; !strings.HasPrefix(o, "FV_SCALE ") {
		t.Errorf("eval_options.txt: %q", o)
	}
}
