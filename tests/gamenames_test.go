package tests

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/internal/filetest"
)

// TestNoGameNamed: code that all games share takes what it needs from their declarations, and names none.
func TestNoGameNamed(t *testing.T) {
	name := regexp.MustCompile(`(?i)["'` + "`" + `](` + strings.Join(engine.Games().Names(), "|") + `)["'` + "`" + `]`)
	checked := 0
	for _, pattern := range []string{"web/page/*.js", "web/*.go", "engine/*.go", "engine/registry/*.go",
		"engine/config/*.go", "protocol/*.go", "cmd/trefoil-queue/prove*.go", "internal/*/*.go"} {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			base := filepath.Base(file)
			if strings.HasSuffix(base, "_test.go") || base == "doc.go" || base == "pieces.js" {
				continue // a package comment has examples; pieces are drawn for one game
			}
			text := filetest.Read(t, file)
			checked++
			for i, line := range strings.Split(string(text), "\n") {
				if name.MatchString(line) {
					t.Errorf("%s:%d names a game: %s", file, i+1, strings.TrimSpace(line))
				}
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d files", checked)
	}
}
