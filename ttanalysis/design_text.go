package ttanalysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"trefoil/cluster"
)

// parameter is a field of a ClusterDesign as text.
type parameter struct {
	name, help string
	get        func() string
	set        func(string) error
}

// number returns the parameter of a number from least to most.
func number(name string, value *int, least, most int, help string) parameter {
	return parameter{
		name: name, help: help,
		get: func() string { return strconv.Itoa(*value) },
		set: func(text string) error {
			n, err := strconv.Atoi(text)
			if err != nil || n < least || n > most {
				return fmt.Errorf("%s %q is not a whole number from %d to %d", name, text, least, most)
			}
			*value = n
			return nil
		},
	}
}

// choice returns the parameter of a value with a name; names begin with the name of the value first.
func choice[T ~uint8](name string, value *T, first T, names []string, help string) parameter {
	return parameter{
		name: name, help: help + strings.Join(names, ", "),
		get: func() string { return nameOf(name, names, int(*value)-int(first)) },
		set: func(text string) error {
			i := slices.Index(names, text)
			if i < 0 {
				return fmt.Errorf("%s %q is not one of %s", name, text, strings.Join(names, ", "))
			}
			*value = first + T(i)
			return nil
		},
	}
}

// parameters are what ParseDesign reads, String prints and ParameterHelp explains.
func (d *ClusterDesign) parameters() []parameter {
	indexes := []string{cluster.Mul32.String(), cluster.Mul64.String(), cluster.Pow2.String()}
	return []parameter{
		choice("index", &d.Index, cluster.Mul32, indexes, "how keys are mapped to clusters: "),
		number("indexbits", &d.IndexBits, 1, 32, "key bits that mul32 multiplies"),
		choice("replace", &d.Replace, Always, replacements[:], "the victim in a full cluster: "),
		choice("weight", &d.Weight, ByDepth, weights[:],
			"value of an entry apart from its age; subtree is log2 of the\nnodes below: "),
		choice("ties", &d.Ties, ByKey, ties[:], "the victim among entries of equal value:\n"),
		number("entries", &d.Entries, 1, maxEntries, "entries per cluster"),
		number("bytes", &d.Bytes, 4, 1024, "size of a cluster"),
		number("keybits", &d.KeyBits, 1, 64, "check bits of an entry"),
		number("eval", &d.Eval, 0, 16, "bits of the static evaluation in an entry"),
		number("search", &d.Search, 1, 255, "generations that a new search adds"),
		number("turnover", &d.Turnover, 0, 100_000, "evictions that add a generation, in % of the entries; 0: none"),
		number("age", &d.Age, 0, 1024, "value that an entry loses per generation, in plies"),
		number("ahead", &d.Ahead, 0, 255, "most generations that hits put an entry ahead, one per hit"),
		number("deeper", &d.Deeper, 0, 255, "of these, generations that a deeper store of it takes back"),
		number("keep", &d.Keep, 0, 255,
			"an entry of the same position and search stays if it is\ndeeper by this many plies; 0: never"),
		number("refresh", &d.Refresh, 0, 2, "1: a hit puts the entry ahead; 2: one that answers the node"),
		choice("side", &d.Side, SideInIndex, sideRules[:],
			"bit 0 of a key, the side to move, is bit 0 of the index; or\nthe side has a key word; or the keys of the "+
				"trace have it:\n"),
		choice("victim", &d.Victim, AtStore, victimTimes[:], "when the victim is chosen: "),
		choice("empty", &d.Empty, Apart, emptyRules[:],
			"what an empty entry is: taken before all others (apart), of\ndepth 0, generation 0 and check bits 0 (zero), "+
				"or the next to\nbe used (next); so is any with check bits 0 (zero-key):\n"),
		number("offset", &d.Offset, 0, 255, "plies by which the depth of an empty entry is below 0"),
		number("generations", &d.Generations, 2, maxGenerations, "values of the generation, before they repeat"),
		number("maxage", &d.MaxAge, 1, noMaxAge, "largest age, in generations"),
		number("maxdepth", &d.MaxDepth, 1, 255, "largest depth; a greater one is stored as this"),
		number("keeppv", &d.KeepPV, 0, 255, "plies by which a new PV entry counts as deeper for keep"),
		number("decay", &d.Decay, 0, 32767,
			"value from which an entry that stays loses a ply unless it\nis exact or shallow (secondary ageing); 0: never"),
	}
}

// checkParameters returns an error if a field has a value that ParseDesign does not accept.
func (d ClusterDesign) checkParameters() error {
	for _, p := range d.parameters() {
		if err := p.set(p.get()); err != nil {
			return fmt.Errorf("design: %w", err)
		}
	}
	return nil
}

// PresetHelp explains the presets, one after the other.
func PresetHelp() string {
	var b strings.Builder
	for _, p := range presets {
		helpLines(&b, p.name, p.help)
	}
	return b.String()
}

// ParameterHelp explains the parameters that ParseDesign reads. It shows their values in DefaultDesign.
func ParameterHelp() string {
	var b strings.Builder
	d := DefaultDesign()
	for _, p := range d.parameters() {
		helpLines(&b, p.name+"="+p.get(), p.help)
	}
	return b.String()
}

// helpLines writes a name and its explanation in two columns.
func helpLines(b *strings.Builder, name, help string) {
	for text := range strings.SplitSeq(help, "\n") {
		fmt.Fprintf(b, "    %-17s  %s\n", name, text)
		name = ""
	}
}

// differences returns the parameters in which d differs from base, in the form that ParseDesign reads.
func (d ClusterDesign) differences(base ClusterDesign) (list []string) {
	defaults := base.parameters()
	for i, p := range d.parameters() {
		if value := p.get(); value != defaults[i].get() {
			list = append(list, p.name+"="+value)
		}
	}
	return list
}

// String returns the shortest form that ParseDesign reads: a preset, or its differences from one.
func (d ClusterDesign) String() string {
	var best []string
	for _, p := range Presets() {
		parts := d.differences(p.Design)
		if p.Name != defaultName || len(parts) == 0 {
			parts = append([]string{p.Name}, parts...)
		}
		if best == nil || len(parts) < len(best) {
			best = parts
		}
	}
	return strings.Join(best, "+")
}

// ParseDesign parses a design: the name of a preset, or the differences from one joined by + after
// its name, as in "stockfish+refresh=1". Without a name they are differences from DefaultDesign:
// "replace=two-tier+entries=2". PresetHelp and ParameterHelp list the presets and the parameters.
func ParseDesign(text string) (ClusterDesign, error) {
	d, parts := DefaultDesign(), strings.Split(text, "+")
	if preset, ok := presetNamed(parts[0]); ok {
		d, parts = preset, parts[1:]
	}
	for _, part := range parts {
		if err := d.set(part); err != nil {
			return ClusterDesign{}, fmt.Errorf("design %q: %w", text, err)
		}
	}
	return d, nil
}

// set sets one parameter, NAME=VALUE.
func (d *ClusterDesign) set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	parameters := d.parameters()
	names := make([]string, len(parameters))
	for i, p := range parameters {
		if p.name == name {
			return p.set(value)
		}
		names[i] = p.name
	}
	first := make([]string, len(presets))
	for i, p := range presets {
		first[i] = p.name
	}
	return fmt.Errorf("unknown parameter %q, expected one of %s; a preset stands first, one of %s", name,
		strings.Join(names, ", "), strings.Join(first, ", "))
}
