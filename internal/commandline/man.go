package commandline

import (
	"fmt"
	"go/doc/comment"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"trefoil/internal/cli"
)

type man struct{}

// Help is printed by -h.
func (*man) Help() string {
	return `The page has the same texts as -h. To read or to install it:

    PROGRAM man | man -l -
    mkdir -p ~/.local/share/man/man1
    PROGRAM man > ~/.local/share/man/man1/PROGRAM.1`
}

func (*man) Run(k *kong.Kong, p *Program, std *cli.Console) error {
	_, err := std.Out.Write([]byte(p.manPage(k.Model)))
	return err
}

// manPage is the manual page of the program in the macros of man(7).
func (p *Program) manPage(app *kong.Application) string {
	m := new(manual)
	m.macro("TH", strings.ToUpper(p.Name), "1", "", p.Title+" "+p.Version, "")
	m.macro("SH", "NAME")
	m.line(escape.Replace(p.Name) + ` \- ` + escape.Replace(p.About))
	m.macro("SH", "SYNOPSIS")
	if p.Lines != "" {
		m.macro("B", p.Name)
		m.macro("br")
		m.macro("B", p.Name)
		m.macro("I", p.Lines)
		m.macro("br")
	}
	m.macro("B", p.Name)
	m.line(`.I command`)
	m.line(`.RI [ flags ]`)
	m.line(`.RI [ arguments ]`)
	m.macro("SH", "DESCRIPTION")
	m.text(strings.ReplaceAll(app.Help, "\n", " "))
	m.flags(slices.Concat(app.AllFlags(true)...))
	m.macro("SH", "COMMANDS")
	for _, c := range app.Leaves(true) {
		m.command(c)
	}
	m.macro("SH", "EXIT STATUS")
	m.text(strings.TrimPrefix(exitStatus, "Exit status: ") + " Other exit statuses are described with the commands above.")
	return m.String()
}

// manual is a page in the macros of man(7).
type manual struct{ strings.Builder }

// escape writes text for roff. Hyphens stay as they are on a command line.
var escape = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`)

// line writes a line, which is roff already.
func (m *manual) line(text string) { fmt.Fprintln(m, text) }

// macro writes a line with a macro and its arguments.
func (m *manual) macro(name string, args ...string) {
	m.WriteString("." + name)
	for _, a := range args {
		m.WriteString(` "` + strings.ReplaceAll(escape.Replace(a), `"`, `\(dq`) + `"`)
	}
	m.WriteString("\n")
}

// text writes lines of text.
func (m *manual) text(text string) {
	for line := range strings.Lines(text) {
		line = escape.Replace(strings.TrimRight(line, " \n"))
		if strings.HasPrefix(line, ".") {
			line = `\&` + line
		}
		m.line(line)
	}
}

// command writes the section of a subcommand.
func (m *manual) command(c *kong.Node) {
	m.macro("SS", strings.TrimSuffix(c.Summary(), " [flags]"))
	m.text(c.Help)
	detail := strings.TrimSpace(strings.TrimSuffix(c.Detail, exitStatus))
	m.blocks(new(comment.Parser).Parse(detail).Content)
	for _, a := range c.Positional {
		if a.Help != "" {
			m.macro("TP")
			m.macro("I", a.Name)
			m.text(a.Help)
		}
	}
	m.flags(c.Flags)
}

// flags writes a list of flags.
func (m *manual) flags(flags []*kong.Flag) {
	for _, f := range flags {
		if !f.Hidden {
			m.macro("TP")
			m.macro("B", f.String())
			m.text(kong.DefaultHelpValueFormatter(f.Value))
		}
	}
}

// blocks writes the blocks of a doc comment, as the helps of subcommands are.
func (m *manual) blocks(list []comment.Block) {
	printer := &comment.Printer{TextWidth: -1}
	for _, b := range list {
		text := string(printer.Text(&comment.Doc{Content: []comment.Block{b}}))
		if code, ok := b.(*comment.Code); ok {
			text = code.Text
		}
		if _, ok := b.(*comment.Paragraph); ok {
			m.macro("PP")
			m.text(text)
			continue
		}
		m.line(".PP\n.RS 4\n.nf")
		m.text(text)
		m.line(".fi\n.RE")
	}
}
