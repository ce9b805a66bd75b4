package command

import (
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/cli"
	"trefoil/internal/filetest"
)

// TestAnalysePage: a page has the curve of each game and a board for each marked move, and names of a file
// are text.
func TestAnalysePage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	page := func(code int, games string) (html, errs string) {
		t.Helper()
		out, errs := analyseText(t, code, games, "--html", path)
		if code == 0 && out == "" {
			t.Error("no games are written")
		}
		return string(filetest.Read(t, path)), errs
	}
	chess, _ := page(0, "[White \"<script>alert('&')</script>\x1b[2J\"]\n\n1. e4 f6 2. d4 g5 3. a3 a6 *\n\n[White \"B\"]\n\n*\n")
	for text, n := range map[string]int{
		"<!DOCTYPE html>": 1, "<section>": 2, "<script": 0, "\x1b": 0, "&lt;script&gt;alert(": 1, "<h2>B - ? *</h2>": 1,
		"Expected result of White</text>": 1, "<div><p>2... g5 lost ": 1, `<tr class="main"><th scope="row">3. a3</th>`: 1,
		`<th scope="row">2... g5</th><td>mate -1</td>`: 1, // White mates in one
		`<tr class="main">`:                            strings.Count(chess, "\n<div><p>"),
		"<h2>":                                         2, "http://": strings.Count(chess, `xmlns="http://`), "src=": 0, "href=": 0,
	} {
		if got := strings.Count(chess, text); got != n {
			t.Errorf("%q occurs %d times, want %d", text, got, n)
		}
	}
	shogi, _ := page(0, "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 ５二玉(51)\n   5 投了\n")
	for _, text := range []string{"White to move; in hand: Black B, White nothing", "Expected result of Black</text>"} {
		if !strings.Contains(shogi, text) {
			t.Errorf("no %q", text)
		}
	}
	if again, _ := page(cli.StatusWrong, "1. e5 *\n"); again != shogi {
		t.Error("replaced although no game could be read")
	}
	filetest.Write(t, path, "something else")
	kept, errs := page(cli.StatusFailed, "1. e4 *\n")
	if kept != "something else" || !strings.Contains(errs, "not replaced") {
		t.Errorf("%q, %s", kept, errs)
	}
}
