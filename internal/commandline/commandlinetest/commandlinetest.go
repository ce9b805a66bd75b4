// Package commandlinetest has the tests that every program of package commandline passes.
package commandlinetest

import (
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"trefoil/internal/cli"
	"trefoil/internal/commandline"
)

// Check tests the helps, the answers to misuse, the manual page and the licences of a program.
func Check(t *testing.T, p *commandline.Program) {
	t.Run("Help", func(t *testing.T) { checkHelp(t, p) })
	t.Run("Misuse", func(t *testing.T) { checkMisuse(t, p) })
	t.Run("Man", func(t *testing.T) { checkMan(t, p) })
	t.Run("License", func(t *testing.T) { checkLicense(t, p) })
}

func model(t *testing.T, p *commandline.Program) *kong.Application {
	t.Helper()
	m, err := p.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// leaves are the subcommands that run something.
func leaves(t *testing.T, p *commandline.Program) []*kong.Node {
	t.Helper()
	return model(t, p).Leaves(true)
}

// checkHelp: -h, --help and help print the usage and the exit statuses of every subcommand, and no placeholder hides
// the default of a flag.
func checkHelp(t *testing.T, p *commandline.Program) {
	for _, c := range append(model(t, p).Children, leaves(t, p)...) {
		if c.Hidden {
			continue
		}
		for _, f := range c.Flags {
			if f.Default != "" && f.Default != "0" && !strings.Contains(f.FormatPlaceHolder()+f.Help, f.Default) {
				t.Errorf("%s: the help of --%s=%s does not state its default, %s", c.Path(), f.Name, f.FormatPlaceHolder(),
					f.Default)
			}
		}
		path := strings.Fields(c.Path())
		for _, args := range [][]string{append(path, "-h"), append(path, "--help"), append([]string{"help"}, path...)} {
			var out, errs strings.Builder
			status := p.Run(args, nil, &out, &errs)
			if status != 0 || errs.Len() > 0 || !strings.HasPrefix(out.String(), "usage: "+p.Name+" "+c.Path()) ||
				!strings.Contains(out.String(), "\nExit status: 0 on success; ") || strings.Contains(out.String(), "PROGRAM") {
				t.Errorf("%v: status %d, %q, %q", args, status, out.String(), errs.String())
			}
		}
	}
	for _, args := range []string{"-h", "--help", "help", "help help", "-v", "--version", "version"} {
		var out, errs strings.Builder
		help := !strings.Contains(args, "v")
		if status := p.Run(strings.Fields(args), nil, &out, &errs); status != 0 || errs.Len() > 0 ||
			help != strings.Contains(out.String(), "\nExit status: 0 on success; ") {
			t.Errorf("%v: status %d, %q, %q", args, status, out.String(), errs.String())
		}
	}
}

// Misused runs a command line of the program called name that must end with one line about what is wrong.
func Misused(t *testing.T, name string, run func(args []string, in io.Reader, out, errs io.Writer) int, want string,
	args ...string) {
	t.Helper()
	var out, errs strings.Builder
	status := run(args, strings.NewReader(""), &out, &errs)
	if text := errs.String(); status != cli.StatusFailed || out.Len() > 0 || strings.Count(text, "\n") != 1 ||
		!strings.HasPrefix(text, name+": ") || !strings.Contains(text, want) {
		t.Errorf("%q: status %d, %q, %q; want %q", args, status, out.String(), text, want)
	}
}

// values are an acceptable value of every argument.
func values(c *kong.Node) (args []string) {
	for _, a := range c.Positional {
		switch {
		case a.Enum != "":
			args = append(args, a.EnumSlice()[0])
		case a.Target.Kind() == reflect.String:
			args = append(args, "nowhere")
		case !a.IsCumulative():
			args = append(args, "1")
		}
	}
	return args
}

// required are the flags of a subcommand that it cannot do without.
func required(c *kong.Node) (args []string) {
	for _, f := range c.Flags {
		if f.Required {
			args = append(args, "--"+f.Name+"=nowhere")
		}
	}
	return args
}

// checkMisuse: an unknown flag, a missing or superfluous argument, and a number that is none
// or out of bounds are named, and nothing runs.
func checkMisuse(t *testing.T, program *commandline.Program) {
	misused := func(t *testing.T, want string, args ...string) {
		t.Helper()
		Misused(t, program.Name, program.Run, want, args...)
	}
	for _, c := range leaves(t, program) {
		path := strings.Fields(c.Path())
		misused(t, `unknown flag "--bogus"`, append(path, "--bogus")...)
		if p := c.Positional; len(p) == 0 || !p[len(p)-1].IsCumulative() {
			misused(t, `unexpected argument "bogus"`, slices.Concat(path, values(c), []string{"bogus"})...)
		}
		if len(c.Positional) > 0 && c.Positional[0].Required {
			misused(t, "missing argument "+c.Positional[0].Summary(), append(path, required(c)...)...)
		}
		for _, f := range c.Flags {
			if k := f.Target.Kind(); f.IsBool() || k == reflect.String || k == reflect.Slice {
				continue
			}
			for _, bad := range []string{"-1", "99999999999999999999", "abc", ""} {
				misused(t, "--"+f.Name, append(path, "--"+f.Name, bad)...)
			}
		}
	}
	misused(t, program.Name+": unexpected argument \"\"; "+program.Name+" help lists the subcommands\n", "")
	misused(t, `unexpected argument "vreify"`, "help", "vreify")
	misused(t, `<shell>: "tcsh" is not one of bash, zsh, fish`, "completion", "tcsh")
}

// macro matches the lines with macros of man(7) that a manual page may have.
var macro = regexp.MustCompile(`^\.(TH|SH|SS|PP|TP|B|I|RI|RS|RE|br|nf|fi)( |$)`)

// checkMan: the page names every subcommand and flag, has the text of the helps, and no line is taken for a macro by
// mistake.
func checkMan(t *testing.T, p *commandline.Program) {
	var out, errs strings.Builder
	if status := p.Run([]string{"man"}, nil, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("status %d, %q", status, errs.String())
	}
	page := out.String()
	for _, c := range leaves(t, p) {
		if !strings.Contains(page, "\n.SS \""+c.Path()) {
			t.Errorf("no section %s", c.Path())
		}
		for _, f := range c.Flags {
			if !strings.Contains(page, `\-\-`+strings.ReplaceAll(f.Name, "-", `\-`)) {
				t.Errorf("%s: no flag --%s", c.Path(), f.Name)
			}
		}
	}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !macro.MatchString(line) ||
			strings.Contains(line, "Exit status: 0 on success; 2 on wrong usage or failure; 130 after Ctrl-C.") {
			t.Errorf("line %q", line)
		}
	}
}

// checkLicense: the licences begin with the program's own.
func checkLicense(t *testing.T, p *commandline.Program) {
	var out, errs strings.Builder
	if status := p.Run([]string{"license"}, nil, &out, &errs); status != 0 ||
		!strings.Contains(out.String(), "==== Trefoil: LICENSE ====\n\nMIT License") {
		t.Errorf("status %d, %.200q, %q", status, out.String(), errs.String())
	}
	Misused(t, p.Name, p.Run, `unexpected argument "x"`, "license", "x")
	Misused(t, p.Name, p.Run, `unexpected argument "x"`, "man", "x")
}
