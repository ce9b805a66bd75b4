package ttanalysis

import "strings"

// A Preset is a design with a name.
type Preset struct {
	Name   string
	Help   string // one or two lines
	Design ClusterDesign
}

// defaultName is the name of DefaultDesign.
const defaultName = "trefoil"

// preset is a Preset whose design is in the language of ParseDesign, as differences from the preset
// base, or from DefaultDesign.
type preset struct{ name, base, differences, help string }

// presets are the presets, DefaultDesign first. Those of other engines find the same as their tables
// in every probe, but for Ethereal's quirk, see TestPresetsLikeOriginals.
var presets = []preset{
	{defaultName, "", "", "the table of this program"},
	{
		"by-search", "", "search=1+turnover=0+age=8+ahead=0+deeper=0+generations=32+maxdepth=255",
		"the table of this program without ageing inside a search:\ndepth - 8 × age",
	},
	{
		"stockfish", "by-search",
		"index=mul64+ties=first+keybits=16+refresh=0+side=word+victim=probe+empty=zero+offset=3+decay=31507",
		"Stockfish: 3 entries of 10 bytes, depth - 8 × age",
	},
	{
		"yaneuraou-2018", "by-search", "ties=first+keybits=16+victim=probe+empty=zero-key+generations=64+keeppv=0",
		"YaneuraOu of May 2018, the first table of any size with\nthe side to move in the index",
	},
	{
		"yaneuraou-2026", "stockfish", "side=index+decay=0",
		"YaneuraOu of August 2026: Stockfish's, with the side to\nmove in the index",
	},
	{
		"berserk", "stockfish", "age=4+empty=next+offset=2+keeppv=0+decay=0",
		"Berserk: 3 entries of 10 bytes, depth - 4 × age",
	},
	{
		"ethereal", "by-search", "index=pow2+ties=last+keybits=16+age=4+keep=3+empty=zero+generations=64+keeppv=0",
		"Ethereal: 3 entries of 10 bytes, depth - 4 × age",
	},
	{
		"weiss", "by-search",
		"index=mul64+ties=first+entries=2+keybits=32+keep=5+refresh=0+side=word+victim=probe+empty=next+keeppv=0",
		"Weiss: 2 entries of 16 bytes, depth - 8 × age",
	},
	{
		"crafty", "by-search", "index=pow2+ties=first+entries=4+bytes=64+keybits=64+eval=0+age=1024+keep=0+refresh=2+" +
			"empty=zero+generations=512+maxage=1",
		"Crafty: 4 entries of 16 bytes; older searches first,\nthen the shallowest",
	},
	{
		"two-tier", "by-search", "index=pow2+replace=two-tier+entries=2+keybits=64+age=1024+keep=0+refresh=0+maxage=1",
		"2 entries of 16 bytes: depth-preferred, always replaced",
	},
	{
		"always", "by-search", "index=pow2+replace=always+entries=1+bytes=16+keybits=64+keep=0+refresh=0",
		"1 entry of 16 bytes, always replaced",
	},
	{"4x16", "", "entries=4+bytes=64+keybits=64", "4 entries of 16 bytes with the whole key, else trefoil"},
	{"5x12", "", "entries=5+bytes=64+keybits=32", "5 entries of 12 bytes in 64, else trefoil"},
	{"6x10", "", "entries=6+bytes=64", "6 entries of 10 bytes in 64, else trefoil"},
	{"7x9", "", "entries=7+bytes=64+keybits=16+eval=9", "7 entries of 9 bytes in 64, evals in 9 bits, else trefoil"},
}

// Presets returns the designs that ParseDesign knows by name, DefaultDesign first.
func Presets() []Preset {
	list := make([]Preset, len(presets))
	for i, p := range presets {
		list[i] = Preset{p.name, p.help, p.design()}
	}
	return list
}

func (p preset) design() ClusterDesign {
	d := DefaultDesign()
	if base, ok := presetNamed(p.base); ok {
		d = base
	}
	if p.differences != "" {
		for part := range strings.SplitSeq(p.differences, "+") {
			_ = d.set(part) // a test sees to it that there is no error
		}
	}
	return d
}

// presetNamed returns the design of the preset of that name.
func presetNamed(name string) (ClusterDesign, bool) {
	for _, p := range presets {
		if p.name == name {
			return p.design(), true
		}
	}
	return ClusterDesign{}, false
}
