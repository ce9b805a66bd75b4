package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"trefoil/game/ultimate"
	ultimatennue "trefoil/game/ultimate/nnue"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// TestDecodeUltimate: a sample has the features of the position, for both sides, and images of a
// record are positions that differ in places only.
func TestDecodeUltimate(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 200 {
		pos, err := ultimateSubject.opening(rng, false, i%60)
		if err != nil {
			t.Fatal(err)
		}
		rec := make([]byte, record.UltimateBytes)
		ultimateSubject.put(rec, pos)
		record.Tail{Score: -300, Half: 1}.Put(rec)
		images := map[string]bool{}
		for image := range ultimateImages {
			turned := slices.Clone(rec)
			turnUltimate(turned, image)
			images[string(turned)] = true
			if image == 0 && !bytes.Equal(turned, rec) {
				t.Fatal("image 0 is not the record")
			}
			checkSample(t, turned, len(sample(t, rec).Us))
		}
		if i%60 > 4 && i%60 < 41 && len(images) != ultimateImages {
			t.Errorf("%s: %d images", pos.Setup(), len(images))
		}
	}
}

// sample decodes a record.
func sample(t *testing.T, rec []byte) (s train.Sample) {
	t.Helper()
	s.Us = []uint16{1, 2, 3}
	if err := decodeUltimate(rec, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// checkSample compares the sample of a record with its position, which has a number of features.
func checkSample(t *testing.T, rec []byte, features int) {
	t.Helper()
	p, err := record.Ultimate(rec)
	if err != nil {
		t.Fatal(err)
	}
	b, s := ultimatennue.BoardOf(&p), sample(t, rec)
	us, them := b.Append(nil, p.Side()), b.Append(nil, p.Side().Other())
	if !slices.Equal(s.Us, us) || !slices.Equal(s.Them, them) || len(us) != features ||
		s.Bucket != b.Bucket() || s.Score != -300 {
		t.Fatalf("%s: %+v, want %v and %v", p, s, us, them)
	}
}

func TestDecodeUltimateRefuses(t *testing.T) {
	for at, value := range map[int]byte{1: 255, 18: 2, 19: 10, 22: 3} {
		rec := make([]byte, record.UltimateBytes)
		start := ultimate.Start()
		record.PutUltimate(rec, &start)
		rec[at] = value
		if err := decodeUltimate(rec, new(train.Sample)); err == nil {
			t.Errorf("byte %d is %d: accepted", at, value)
		}
	}
}

// Games of Ultimate Tic-Tac-Toe are played to their end, and a net is trained on them.
func TestUltimateGames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "u")
	for _, args := range [][]string{
		{"games", "-game", "ultimate", "-n", "24", "-shard", "24", "-nodes", "30", "-o", name},
		trainArgs(filepath.Join(dir, "u.net"), name+"-0000.game"),
		{"check", filepath.Join(dir, "u.net"), name + "-0000.game"},
		{"games", "-game", "ultimate", "-n", "2", "-nodes", "30", "-net", filepath.Join(dir, "u.net"), "-o", filepath.Join(dir, "v")},
	} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	results := map[int]bool{}
	plies, _ := pliesOf(t, &ultimateSubject, name+"-0000.game")
	for _, p := range plies {
		results[p.half] = true
	}
	if len(results) != 3 {
		t.Errorf("results %v", results)
	}
}
