package report

import (
	"fmt"
	"strconv"

	"trefoil/ttanalysis"
)

// A Decisive is a false hit that changes a best move, with the command that repeats its search.
type Decisive struct {
	ttanalysis.DecisiveHit
	Command string
}

// decisiveColumns are the columns of a file of SaveDecisive.
var decisiveColumns = []string{
	"game", "position", "best without", "best with", "number", "used for", "value", "depth", "eval", "move", "illegal",
	"probed key", "probed second key", "probed position", "stored key", "stored second key", "stored position", "command",
}

// SaveDecisive writes false hits that change a best move to a file of tab-separated values. title
// describes the searches.
func SaveDecisive(path, title, game string, hits []Decisive, made Origin) error {
	var rows [][]string
	for _, d := range hits {
		h, e := d.Hit, d.Hit.Entry
		rows = append(rows, []string{
			game, d.Setup, d.Without, d.With, strconv.FormatUint(h.Number, 10), h.Use.String(),
			strconv.Itoa(int(e.Value)), strconv.Itoa(int(e.Depth)), strconv.Itoa(int(e.Eval)), d.Move,
			strconv.FormatBool(h.Illegal),
			key(h.Probed.Key), key(h.Probed.Second), h.Probed.Text, key(h.Stored.Key), key(h.Stored.Second),
			h.Stored.Text, d.Command,
		})
	}
	return saveTable(path, heading{Title: title, Origin: made}, decisiveColumns, rows)
}

func key(k uint64) string { return fmt.Sprintf("%016x", k) }

// loadDecisive reads a file of SaveDecisive.
func loadDecisive(path string) (*table, error) {
	t, err := loadTable(path, "hash audit --blame --tsv")
	if err != nil {
		return nil, err
	}
	return t, t.require(decisiveColumns...)
}
