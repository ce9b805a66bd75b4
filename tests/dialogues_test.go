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

	"trefoil/internal/filetest"
)

// TestDocumentedDialogues plays the dialogues of the documentation: blocks whose first line begins with >.
// Lines with > are sent, and the others are expected, with or without <. … stands for any text, and on a
// line of its own for any lines. Times, speeds and pages of memory may differ. The dialogues of a page use
// one folder.
func TestDocumentedDialogues(t *testing.T) {
	dir := t.TempDir()
	for _, page := range documentation(t) {
		source := filetest.Read(t, filepath.Join("..", filepath.FromSlash(page)))
		var talks, dialogues strings.Builder
		for n, block := range dialogueBlock.FindAllString(string(source), -1) {
			dialogue := steps(page, block)
			if elsewhere.MatchString(block) || !strings.Contains(dialogue, "\n... ") {
				continue
			}
			fmt.Fprintf(&talks, "talk %d\n", n+1)
			fmt.Fprintf(&dialogues, "-- %d --\n%s", n+1, dialogue)
		}
		if talks.Len() == 0 {
			continue
		}
		name := strings.TrimSuffix(path.Base(page), ".md")
		if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(talks.String()+dialogues.String()),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t,
		testscript.Params{Dir: dir, Cmds: map[string]func(*testscript.TestScript, bool, []string){"talk": talkCommand}})
}

var (
	dialogueBlock = regexp.MustCompile("\n\n    > .*(\n    .*)*|\n```\n> .*(\n[<>] .*)*")
	// elsewhere is in dialogues that need files or depend on the machine.
	elsewhere = regexp.MustCompile(
		`value /|(Book|Eval)File value|EvalDir value|Hash(Pages| Shared) value| MiB in all, `)
	// figures are those that differ from run to run.
	figures = regexp.MustCompile(`(nps|time) \d+|huge pages \d+ MiB \\\([^)]*\\\)|\d+\\\.\d+ s$`)
)

// steps turns a dialogue of a page into the steps of a transcript.
func steps(page, block string) string {
	var b strings.Builder
	if strings.HasPrefix(page, "docs/usi") {
		b.WriteString("> usi\n... usiok\n> setoption name USI_Hash value 16\n")
	}
	for line := range strings.Lines(strings.Trim(block, "\n`")) {
		line = strings.TrimSpace(line)
		switch expected := strings.TrimPrefix(line, "< "); {
		case strings.HasPrefix(line, "> "):
			b.WriteString(line + "\n")
		case expected != "…":
			expected = strings.ReplaceAll(regexp.QuoteMeta(expected), "…", ".*")
			b.WriteString("... " + figures.ReplaceAllString(expected, ".*") + "\n")
		}
	}
	return b.String()
}
