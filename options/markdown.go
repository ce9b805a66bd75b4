package options

import (
	"fmt"
	"strings"
)

// Markdown returns a table for the documentation of the options that p lists, with or
// without details.
func (s *Set) Markdown(p Protocol, details bool) string {
	var b strings.Builder
	b.WriteString("| option | values | default | what it does |\n|---|---|---|---|\n")
	for _, o := range s.List(p) {
		help := o.Help
		if len(o.Games) > 0 && p == UCI {
			help += " (" + strings.Join(o.Games, ", ") + ")"
		}
		if details && o.Details != "" {
			help += ". " + o.Details
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", o.Name(p), o.values(), o.shownDefault(), help)
	}
	return b.String()
}

// values describes the values of an option.
func (o *Option) values() string {
	switch o.Kind {
	case KindSpin:
		return fmt.Sprintf("%d to %d", o.Min, o.Max)
	case KindCombo:
		return "`" + strings.Join(o.Vars, "` `") + "`"
	case KindString:
		return "text"
	case KindButton:
		return "button"
	}
	return "`true` `false`"
}

// shownDefault is the default as documentation writes it.
func (o *Option) shownDefault() string {
	switch {
	case o.Kind == KindButton:
		return ""
	case o.Default == "":
		return "empty"
	}
	return "`" + o.Default + "`"
}
