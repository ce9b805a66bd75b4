package commandline

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"trefoil/internal/cli"
)

// scripts complete the command lines of PROGRAM in a shell, by functions whose names contain FUNCTION. They ask
// PROGRAM complete; where it prints nothing they offer file names.
var scripts = map[string]string{
	"bash": `_FUNCTION() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _FUNCTION PROGRAM
`,
	"zsh": `#compdef PROGRAM
_FUNCTION() {
  local -a found
  found=(${(f)"$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _FUNCTION PROGRAM
`,
	"fish": `function __FUNCTION
  PROGRAM complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null
end
complete -c PROGRAM -f -n 'count (__FUNCTION) >/dev/null' -a '(__FUNCTION)'
`,
}

type completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help is printed by -h.
func (*completion) Help() string {
	return `To load it, add one of these lines to the start-up file of your shell:

    source <(PROGRAM completion bash)       # ~/.bashrc
    source <(PROGRAM completion zsh)        # ~/.zshrc, after compinit
    PROGRAM completion fish | source        # ~/.config/fish/config.fish`
}

func (c *completion) Run(p *Program, std *cli.Console) error {
	names := strings.NewReplacer("PROGRAM", p.Name, "FUNCTION", strings.ReplaceAll(p.Name, "-", "_"))
	_, err := names.WriteString(std.Out, scripts[c.Shell])
	return err
}

// complete is what the scripts call.
type complete struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

func (c *complete) Run(k *kong.Kong, std *cli.Console) error {
	for _, word := range candidates(k.Model.Node, c.Words) {
		std.Println(word)
	}
	return nil
}

// candidates are the words that the last of words, which may be empty, can become: values
// of the flag before it, flags, subcommands, or values of an argument. There are none where a file is expected.
func candidates(n *kong.Node, words []string) (found []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	last, before := words[len(words)-1], words[:len(words)-1]
	if flag, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(flag, "--") {
		for _, c := range candidates(n, append(slices.Clone(before), flag, value)) {
			found = append(found, flag+"="+c)
		}
		return found
	}
	// In bash the = of --flag=value is a word.
	if last == "=" {
		last = ""
	}
	before = slices.DeleteFunc(slices.Clone(before), func(w string) bool { return w == "=" })
	var arguments []string
	for i, w := range before {
		if c := child(n, w); c != nil {
			n, arguments = c, nil
		} else if !strings.HasPrefix(w, "-") && flagBefore(n, before[:i]) == nil {
			arguments = append(arguments, w)
		}
	}
	switch value := flagBefore(n, before); {
	case value != nil && value.Enum != "":
		found = value.EnumSlice()
	case value != nil:
	case strings.HasPrefix(last, "-"):
		for _, f := range slices.Concat(n.AllFlags(true)...) {
			found = append(found, "--"+f.Name)
		}
	case len(n.Children) > 0:
		found = names(n)
	case len(arguments) < len(n.Positional) && n.Positional[len(arguments)].Enum != "":
		found = n.Positional[len(arguments)].EnumSlice()
	}
	return slices.DeleteFunc(found, func(s string) bool { return !strings.HasPrefix(s, last) })
}

// flagBefore is the flag that the last of words names, if a value follows it.
func flagBefore(n *kong.Node, words []string) *kong.Flag {
	if len(words) == 0 {
		return nil
	}
	for _, f := range slices.Concat(n.AllFlags(true)...) {
		if "--"+f.Name == words[len(words)-1] && !f.IsBool() {
			return f
		}
	}
	return nil
}
