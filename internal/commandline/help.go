package commandline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"trefoil/internal/cli"
)

// exitStatus ends the help of a subcommand that does not name its exit statuses itself.
const exitStatus = "Exit status: 0 on success; 2 on wrong usage or failure; 130 after Ctrl-C."

// describe names the program in the help of n and all below it, in place of PROGRAM, and appends the exit
// statuses where the help lacks them.
func (p *Program) describe(n *kong.Node) {
	n.Detail = strings.ReplaceAll(n.Detail, "PROGRAM", p.Name)
	if !strings.Contains(n.Detail, "Exit status: ") {
		n.Detail = strings.TrimSpace(n.Detail + "\n\n" + exitStatus)
	}
	for _, c := range n.Children {
		p.describe(c)
	}
}

// printHelp prints the help of what the command line names. It is kong's, beginning with
// usage: in lower case, and 80 columns wide on every terminal.
func printHelp(options kong.HelpOptions, line *kong.Context) error {
	var text bytes.Buffer
	out := line.Stdout
	line.Stdout = &text
	err := kong.DefaultHelpPrinter(options, line)
	line.Stdout = out
	if err == nil {
		_, err = io.WriteString(out, strings.Replace(text.String(), "Usage:", "usage:", 1))
	}
	return err
}

// oneOf matches what kong says about a value that is not among the choices.
var oneOf = regexp.MustCompile(`^(.*) must be one of (.*) but got (.*)$`)

// explain says what is wrong with a command line, after the subcommand if it has one.
func explain(app *kong.Node, err error) string {
	node, args := app, []string(nil)
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
		args = wrong.Context.Args
		if selected := wrong.Context.Selected(); selected != nil {
			node = selected
		}
	}
	text, hint, _ := strings.Cut(err.Error(), ", did you mean ")
	if token, ok := strings.CutPrefix(text, "unexpected argument "); ok {
		text = fmt.Sprintf("unexpected argument %.200q", token)
		if token == "" {
			hint = "" // kong's would be every subcommand
		}
		if hint == "" && node == app {
			text += "; " + app.Name + " help lists the subcommands"
		} else if hint == "" && len(node.Children) > 0 {
			text += ": not one of " + strings.Join(names(node), ", ")
		}
	} else if token, ok := strings.CutPrefix(text, "unknown flag "); ok {
		if !strings.HasPrefix(token, "--") {
			token, hint = oneDash(node, token, args)
		}
		text = fmt.Sprintf("unknown flag %.200q", token)
	} else if strings.HasPrefix(text, "expected ") {
		text = missing(node)
	} else if rest, ok := strings.CutPrefix(text, "[<"); ok { // an optional argument
		text = "<" + strings.Replace(rest, ">]", ">", 1)
	} else if choice := oneOf.FindStringSubmatch(text); choice != nil {
		names := strings.NewReplacer(`"`, "", ",", ", ").Replace(choice[2])
		text = fmt.Sprintf("%s: %s is not one of %s", choice[1], choice[3], names)
	}
	if hint != "" {
		text += "; did you mean " + hint
	}
	if node != app {
		text = node.Path() + ": " + text
	}
	return text
}

// oneDash returns the word that an unknown flag of one letter begins, and a hint if that
// word is a flag with one dash too few.
func oneDash(n *kong.Node, flag string, args []string) (word, hint string) {
	i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, flag) })
	if i < 0 {
		return flag, ""
	}
	word, _, _ = strings.Cut(args[i], "=")
	if slices.ContainsFunc(n.Flags, func(f *kong.Flag) bool { return "-"+f.Name == word }) {
		hint = fmt.Sprintf("%q?", "-"+word)
	}
	return word, hint
}

// missing says which subcommand or which arguments a command line lacks.
func missing(n *kong.Node) string {
	if len(n.Children) > 0 {
		return "missing subcommand: one of " + strings.Join(names(n), ", ")
	}
	text := "missing argument"
	for _, a := range n.Positional {
		if a.Required && !a.Set {
			text += " " + a.Summary()
		}
	}
	return text
}

// names are the subcommands of a node.
func names(n *kong.Node) (all []string) {
	for _, c := range n.Children {
		if !c.Hidden {
			all = append(all, c.Name)
		}
	}
	return all
}

type help struct {
	Subcommand []string `arg:"" optional:"" help:"A subcommand, such as hash plan."`
}

func (h *help) Run(k *kong.Kong, std *cli.Console) error {
	line, err := kong.Trace(k, h.Subcommand)
	if err == nil {
		err = line.Error
	}
	if err != nil {
		return errors.New(explain(k.Model.Node, err))
	}
	k.Stdout = std.Out
	return line.PrintUsage(false)
}

type version struct{}

func (*version) Run(p *Program, std *cli.Console) error {
	std.Println(p.VersionLine())
	return nil
}

// VersionLine names the program, the compiler, the system, and the level of its instructions where the build has
// one, such as v3 of amd64.
func (p *Program) VersionLine() string {
	line := fmt.Sprintf("%s %s %s %s/%s", p.Title, p.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GO"+strings.ToUpper(runtime.GOARCH) {
				line += " " + s.Value
			}
		}
	}
	return line
}
