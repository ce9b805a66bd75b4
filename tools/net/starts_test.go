package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/internal/filetest"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/record"
)

// Games from the positions of others start with positions of those that have few enough pieces, and do not
// depend on the number of workers.
func TestGamesFromPositions(t *testing.T) { inEachGame(t, testGamesFromPositions) }

func testGamesFromPositions(t *testing.T, variant string) {
	sources, pieces := filepath.Join(t.TempDir(), "a"), "30"
	play(t, variant, sources, "3")
	sources += "-0000.game"
	g := subjects[variant]
	seen, rec := map[string]bool{}, make([]byte, g.Bytes)
	_, games, err := readAll(sources)
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range games {
		err := replay(g, source.data, func(pos selfplay.Board, _ game.Move, _, _ int) error {
			g.put(rec, pos)
			seen[string(record.Place(rec))] = g.pieces(rec) <= 30
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	args := func(name string) []string {
		return []string{"games", "-game", variant, "-n", "5", "-shard", "3", "-nodes", "40", "-within", "5000",
			"-pieces", pieces, "-o", name, sources}
	}
	one, three := t.TempDir(), t.TempDir()
	call(t, args(filepath.Join(one, "b"))...)
	call(t, append([]string{"games", "-workers", "3"}, args(filepath.Join(three, "b"))[1:]...)...)
	differ(t, "three workers", folder(t, one), folder(t, three))
	h, games, err := readAll(filepath.Join(one, "b-0000.game"))
	if err != nil || len(games) != 3 || !strings.Contains(h.Games, "positions of at most 30 pieces of 3 games") {
		t.Fatalf("%v, %d games, %+v", err, len(games), h)
	}
	for _, played := range games {
		if !seen[string(record.Place(played.data[:g.Bytes]))] {
			t.Errorf("game %d starts from another position", played.number)
		}
	}
}

// Bad files and flags are refused.
func TestGamesFromPositionsErrors(t *testing.T) {
	dir := t.TempDir()
	play(t, "chess", filepath.Join(dir, "a"), "1")
	file, text := filepath.Join(dir, "a-0000.game"), filepath.Join(dir, "text")
	filetest.Write(t, text, "none\n")
	for i, c := range []struct{ args, want string }{
		{"-game shogi " + file, "games of chess, want shogi"},
		{"-pieces 1 " + file, "none of 1000 positions has at most 1 pieces"},
		{"-random 3 " + file, "-random and -chess960"},
		{"-chess960 0 " + file, "-random and -chess960"},
		{"-pieces 5", "-pieces"},
		{text, "the file ends in its header"},
		{filepath.Join(dir, "none"), "no such file"},
	} {
		args := []string{"games", "-n", "1", "-nodes", "1", "-o", filepath.Join(dir, fmt.Sprint("b", i))}
		args = append(args, strings.Fields(c.args)...)
		fails(t, c.want, args...)
	}
}
