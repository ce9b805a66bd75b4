package commandline

import (
	"io"
	"strings"
	"testing"

	"trefoil/internal/cli"
)

// TestManEscapes: text that roff would read as its own is escaped.
func TestManEscapes(t *testing.T) {
	m := new(manual)
	m.text(".dot\n'quote\n--flag \\ `x`\n")
	m.macro("B", `a "b"`)
	want := "\\&.dot\n\\(aqquote\n\\-\\-flag \\e \\(gax\\(ga\n.B \"a \\(dqb\\(dq\"\n"
	if got := m.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// toy is a subcommand.
type toy struct {
	Size   int    `default:"3" help:"How large."`
	Secret int    `hidden:"" help:"Not for everybody."`
	File   string `arg:"" help:"What is read."`
	Bare   string `arg:"" optional:""`
}

// Help is printed by -h.
func (*toy) Help() string {
	return `A paragraph.

    code

Another.`
}

func (*toy) Run(*cli.Console) error { return nil }

// TestManPage: the synopsis, and the section of a subcommand with its help, arguments and flags.
func TestManPage(t *testing.T) {
	p := &Program{Name: "toys", Title: "Toys", Version: "1.2", About: "plays", Help: "Plays.", Lines: "lines",
		MaxThreads: 2, MaxMiB: 2, Root: func() any {
			return &struct {
				Shared
				Toy toy `cmd:"" help:"A toy."`
			}{}
		}}
	page := func() string {
		t.Helper()
		var out, errs strings.Builder
		if status := p.Run([]string{"man"}, nil, &out, &errs); status != 0 {
			t.Fatal(errs.String())
		}
		return out.String()
	}
	const synopsis = `.TH "TOYS" "1" "" "Toys 1.2" ""
.SH "NAME"
toys \- plays
.SH "SYNOPSIS"
.B "toys"
.br
.B "toys"
.I "lines"
.br
.B "toys"
.I command
.RI [ flags ]
.RI [ arguments ]
.SH "DESCRIPTION"
Plays.
`
	text := page()
	if !strings.HasPrefix(text, synopsis) {
		t.Errorf("%s\nwant %s", text, synopsis)
	}
	const section = `
.SS "toy <file> [<bare>]"
A toy.
.PP
A paragraph.
.PP
.RS 4
.nf
code
.fi
.RE
.PP
Another.
.TP
.I "file"
What is read.
.TP
.B "\-\-size=3"
How large.
`
	if !strings.Contains(text, section) {
		t.Errorf("%s\nwant %s", text, section)
	}
	if strings.Contains(text, "secret") {
		t.Error("a hidden flag is shown")
	}
	p.Lines = "" // there has to be a subcommand
	want := strings.Replace(synopsis, ".B \"toys\"\n.br\n.B \"toys\"\n.I \"lines\"\n.br\n", "", 1)
	if text := page(); !strings.HasPrefix(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
	var out strings.Builder
	if status := p.Run([]string{"toy", "--size=2"}, nil, io.Discard, &out); status != cli.StatusFailed ||
		out.String() != "toys: toy: missing argument <file>\n" {
		t.Errorf("status %d, %q", status, out.String())
	}
}
