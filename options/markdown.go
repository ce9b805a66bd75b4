package options

import (
	"fmt"
	"strings"
)

// Markdown returns a table of all options for the documentation; options of USI alone are last.
func (s *Set) Markdown() string {
	list := s.List(UCI)
	for _, o := range s.List(USI) {
		if o.UCI == "" {
			list = append(list, o)
		}
	}
	var b strings.Builder
	b.WriteString("| UCI | USI | values | default | what it does |\n|---|---|---|---|---|\n")
	for _, o := range list {
		help := o.Help
		if len(o.Games) > 1 || len(o.Games) == 1 && o.UCI != "" { // USI plays one game
			help += " (" + strings.Join(o.Games, ", ") + ")"
		}
		if o.Details != "" {
			help += ". " + o.Details
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", shownName(o.UCI), shownName(o.USI), o.values(), o.shownDefault(),
			help)
	}
	return b.String()
}

// shownName is the name of an option as documentation writes it, "" where a protocol does not list it.
func shownName(name string) string {
	if name == "" {
		return ""
	}
	return "`" + name + "`"
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
