package tests

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDocumentedDialogues plays the dialogues of the documentation: indented blocks whose first line begins with >.
// Lines with > are sent, and the others are expected, with or without <. … stands for any text, and on a line of its own for any
// lines.
func TestDocumentedDialogues(t *testing.T) {
	dir := t.TempDir()
	for _, page := range documentation(t) {
		source, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		for n, block := range dialogueBlock.FindAllString("\n"+string(source), -1) {
			dialogue := steps(page, block)
			if elsewhere.MatchString(block) || !strings.Contains(dialogue, "\n... ") {
				continue
			}
			script := "talk dialogue\n-- dialogue --\n" + dialogue
			name := strings.TrimSuffix(path.Base(page), ".md")
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.txtar", name, n+1)), []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	testscript.Run(t, testscript.Params{Dir: dir, Cmds: map[string]func(*testscript.TestScript, bool, []string){"talk": talkCommand}})
}

var (
	dialogueBlock = regexp.MustCompile(`\n\n    > .*(\n    .*)*`)
	// elsewhere is in dialogues that need files or depend on the memory of the machine.
	elsewhere = regexp.MustCompile(`File value|Path value|Dir value| MiB in all, `)
)

// steps turns a dialogue of a page into those of a transcript.
func steps(page, block string) string {
	var b strings.Builder
	if strings.HasPrefix(page, "docs/usi") {
		b.WriteString("> usi\n... usiok\n")
	}
	for line := range strings.Lines(strings.TrimSpace(block)) {
		line = strings.TrimSpace(line)
		switch expected := strings.TrimPrefix(line, "< "); {
		case strings.HasPrefix(line, "> "):
			b.WriteString(line + "\n")
		case expected != "…":
			b.WriteString("... " + strings.ReplaceAll(regexp.QuoteMeta(expected), "…", ".*") + "\n")
		}
	}
	return b.String()
}
