package report

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"trefoil/ttanalysis"
)

// TestAuditRecord: a record is read as it was written, and one that lacks a field is refused.
func TestAuditRecord(t *testing.T) {
	r := AuditRecord{ttanalysis.AuditResult{KeyBits: 10, Seed: 2, Best: []string{"e2e4"}, OtherBest: 1}}
	for i, c := range sweepColumns {
		*c.value(&r.AuditResult) = 1<<64 - 1 - uint64(i)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	got := AuditRecord{ttanalysis.Sum(someResults()[0].Seeds)} // whose fields are all replaced
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%v, %+v\nwant %+v", err, got, r)
	}
	for _, c := range []struct{ old, new string }{
		{`"bits":10`, `"bits":7`}, {`"bits":10`, `"bits":22`}, {`"bits":10`, `"bit":10`}, {`"seed":2`, `"seed":0`},
		{`"best":"e2e4"`, `"best":3`}, {`"hits":`, `"hit":`}, {`"nodes":1`, `"nodes":-1`}, {`"illegal_moves":1`, `"illegal_moves":1e3`},
	} {
		bad := strings.Replace(string(text), c.old, c.new, 1)
		if bad == string(text) || json.Unmarshal([]byte(bad), &got) == nil {
			t.Errorf("%s in place of %s", c.new, c.old)
		}
	}
	if json.Unmarshal([]byte("[]"), &got) == nil {
		t.Error("an array")
	}
}

// TestAddAudits: the sums over positions are by check bits and key seed.
func TestAddAudits(t *testing.T) {
	var results []ttanalysis.AuditResult
	for position := uint64(1); position <= 3; position++ {
		var records []AuditRecord
		for _, bits := range []int{12, 8} {
			for seed := 1; seed <= 2; seed++ {
				r := ttanalysis.AuditResult{KeyBits: bits, Seed: seed, Nodes: position * uint64(bits*seed),
					OtherBest: 1}
				r.Counters.Hits = position
				records = append(records, AuditRecord{r})
			}
		}
		results = AddAudits(results, records)
	}
	if len(results) != 2 || results[0].KeyBits != 12 || results[1].Nodes != 6*8*3 || results[1].Counters.Hits != 12 ||
		results[0].OtherBest != 6 || len(results[0].Seeds) != 2 || results[0].Seeds[1].Nodes != 6*12*2 ||
		results[0].Seeds[1].Seed != 2 {
		t.Errorf("%+v", results)
	}
}
