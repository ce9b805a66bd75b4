package chess

import (
	"context"
	"fmt"
	"strings"

	"trefoil/engine/config"
	"trefoil/engine/table"
	"trefoil/internal/pipe"
	"trefoil/options"
	"trefoil/syzygy"
)

// tablebases are the Syzygy tables of a player, with their options.
type tablebases struct {
	tables     *syzygy.Tables // nil: none
	notices    *table.Notices
	forget     func() error // what searches have learnt from the tables of before; see Player.Reevaluate
	counts50   bool         // the value of rule50, also before it is stored
	path       *options.Text
	probeDepth *options.Spin
	rule50     *options.Check
	probeLimit *options.Spin
}

// declare declares the options. forget is called when tables that searches may have used are replaced or count
// otherwise, and when rules has changed.
func (t *tablebases) declare(o *config.Options, notices *table.Notices, forget func() error) {
	t.notices, t.forget, t.counts50 = notices, forget, true
	games := []string{name}
	t.path = options.NewText(o.Set, options.Decl{UCI: "SyzygyPath", Games: games,
		Help: "the folders of Syzygy endgame tables, separated as in PATH (`:`, on Windows `;`); empty for none",
		Details: "If tables were in use, another path empties the hash, which holds their values; " +
			"see [Endgame tables](uci.md#endgame-tables)"})
	t.path.OnRead(t.open)
	t.probeDepth = options.NewSpin(o.Set, options.Decl{UCI: "SyzygyProbeDepth", Games: games,
		Help:    "least depth at which a node looks up tables of `SyzygyProbeLimit` pieces",
		Details: "Smaller tables are looked up at any depth. A larger value is for tables on slow disks"}, 1, 1, 100)
	t.rule50 = options.NewCheck(o.Set, options.Decl{UCI: "Syzygy50MoveRule", Games: games,
		Help: "wins and losses that the fifty-move rule turns into draws count as draws",
		Details: "`false` is for games without that rule. If tables are in use, a change empties the hash, and a saved " +
			"hash belongs to one value"}, true)
	t.rule50.OnChange(t.setRule50)
	t.probeLimit = options.NewSpin(o.Set, options.Decl{UCI: "SyzygyProbeLimit", Games: games,
		Help: "most pieces, kings and pawns included, of a position that is looked up; 0 for none"},
		syzygy.MaxPieces, 0, syzygy.MaxPieces)
}

// open opens the tables of a path and closes the old ones. If that changes the rules, and other processes share the
// hash, open returns an error and the old tables stay. No search is running.
func (t *tablebases) open(ctx context.Context, path string) error {
	var found *syzygy.Tables
	if path != "" {
		var err error
		if found, err = pipe.Within(ctx, func() (*syzygy.Tables, error) { return syzygy.Open(path), nil }); err != nil {
			return err
		}
	}
	old, rules := t.tables, t.rules()
	t.tables = found
	if old != nil && path != t.path.Value() || t.rules() != rules {
		if err := t.forget(); err != nil {
			t.tables = old
			return err
		}
	}
	if old != nil {
		if err := old.Close(); err != nil {
			t.notices.Add("Syzygy: " + err.Error())
		}
	}
	if path == "" {
		return nil
	}
	for _, line := range t.problems() {
		t.notices.Add(line)
	}
	wdl, dtz := t.tables.Count()
	if wdl+dtz == 0 {
		t.notices.Add(fmt.Sprintf("Syzygy: no tables in %q", path))
		return nil
	}
	t.notices.Add(fmt.Sprintf("Syzygy: %d WDL and %d DTZ tables of up to %d pieces", wdl, dtz, t.tables.MaxPieces()))
	if missing := t.tables.Missing(); len(missing) > 0 {
		t.notices.Add("Syzygy: " + absent(missing))
	}
	return nil
}

// setRule50 is called before the rule of fifty moves begins or ceases to count.
func (t *tablebases) setRule50(on bool) error {
	if on == t.counts50 {
		return nil
	}
	t.counts50 = on
	if t.tables == nil {
		return nil
	}
	err := t.forget()
	if err != nil {
		t.counts50 = !on
	}
	return err
}

// rules names the rules for which the results of the tables are true, "" for the rules of the game. A hash
// with values for other rules has wins that are draws, or draws that are wins.
func (t *tablebases) rules() string {
	if t.tables == nil || t.counts50 {
		return ""
	}
	return " with Syzygy50MoveRule false"
}

// absent says that files are absent and names them, or the first 8 if there are more.
func absent(names []string) string {
	const most = 8
	text := fmt.Sprintf("%d files that these tables need are absent: ", len(names))
	if len(names) == 1 {
		text = "a file that these tables need is absent: "
	}
	if len(names) > most {
		return text + strings.Join(names[:most], ", ") + ", …"
	}
	return text + strings.Join(names, ", ")
}

// problems returns what has been found wrong since the last call.
func (t *tablebases) problems() (lines []string) {
	if t.tables != nil {
		for _, err := range t.tables.Problems() {
			lines = append(lines, "Syzygy: "+err.Error())
		}
	}
	return lines
}

// prober returns what a search probes by the options, nil if there is nothing.
func (t *tablebases) prober() *prober {
	if t.tables == nil {
		return nil
	}
	p := &prober{tables: t.tables, limit: t.probeLimit.Value(), depth: t.probeDepth.Value(), rule50: t.rule50.Value()}
	if most := t.tables.MaxPieces(); p.limit > most {
		p.limit, p.depth = most, 0 // the depth is for tables of SyzygyProbeLimit pieces
	}
	if p.limit == 0 {
		return nil
	}
	return p
}
