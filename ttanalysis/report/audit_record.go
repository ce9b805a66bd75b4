package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

// AuditRecord is an audit of one position as an object of JSON: check bits, key seed, best move, and the
// columns of SaveSweep with _ for blanks.
type AuditRecord struct{ ttanalysis.AuditResult }

// MarshalJSON writes the fields in the order of the columns.
func (r AuditRecord) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	best, err := json.Marshal(strings.Join(r.Best, " "))
	fmt.Fprintf(&b, `{"bits":%d,"seed":%d,"best":%s`, r.KeyBits, r.Seed, best)
	for _, c := range sweepColumns {
		fmt.Fprintf(&b, `,%q:%d`, strings.ReplaceAll(c.name, " ", "_"), *c.value(&r.AuditResult))
	}
	b.WriteByte('}')
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON has written.
func (r *AuditRecord) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	read := func(name string, into any) error {
		if fields[name] == nil {
			return fmt.Errorf("an audit without %s", name)
		}
		return json.Unmarshal(fields[name], into)
	}
	*r = AuditRecord{}
	r.Best = make([]string, 1)
	err := read("bits", &r.KeyBits)
	for name, into := range map[string]any{"seed": &r.Seed, "best": &r.Best[0]} {
		if err == nil {
			err = read(name, into)
		}
	}
	for _, c := range sweepColumns {
		if err == nil {
			err = read(strings.ReplaceAll(c.name, " ", "_"), c.value(&r.AuditResult))
		}
	}
	if err == nil && (r.KeyBits < cluster.MinKeyBits || r.KeyBits > cluster.MaxKeyBits || r.Seed < 1) {
		err = fmt.Errorf("bits %d, seed %d", r.KeyBits, r.Seed)
	}
	return err
}

// AddAudits adds the results of a position to the sums of the positions before it, which are nil at first.
// Results with the same number of check bits and the same key seed are added up.
func AddAudits(sums []ttanalysis.AuditResult, position []AuditRecord) []ttanalysis.AuditResult {
	for _, r := range position {
		i := slices.IndexFunc(sums, func(s ttanalysis.AuditResult) bool { return s.KeyBits == r.KeyBits })
		if i < 0 {
			i, sums = len(sums), append(sums, ttanalysis.AuditResult{KeyBits: r.KeyBits})
		}
		seeds := sums[i].Seeds
		j := slices.IndexFunc(seeds, func(s ttanalysis.AuditResult) bool { return s.Seed == r.Seed })
		if j < 0 {
			j, seeds = len(seeds), append(seeds, ttanalysis.AuditResult{KeyBits: r.KeyBits, Seed: r.Seed})
		}
		seeds[j].Nodes += r.Nodes
		seeds[j].OtherBest += r.OtherBest
		seeds[j].Counters.Add(&r.Counters)
		sums[i] = ttanalysis.Sum(seeds)
	}
	return sums
}
