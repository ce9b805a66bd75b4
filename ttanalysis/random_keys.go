package ttanalysis

// randomKeys is a table of a design with SideWord.
type randomKeys struct{ *clusterTable }

// Probe implements Table.
func (t randomKeys) Probe(probe Record) (Record, bool) {
	probe.Key = randomKey(probe.Key)
	found, hit := t.clusterTable.Probe(probe)
	found.Key = traceKey(found.Key)
	return found, hit
}

// Store implements Table.
func (t randomKeys) Store(r Record) {
	r.Key = randomKey(r.Key)
	t.clusterTable.Store(r)
}

// The finaliser of splitmix64, a bijection, and its inverse.
const (
	factor1, inverse1 = 0xBF58476D1CE4E5B9, 0x96DE1B173F119089
	factor2, inverse2 = 0x94D049BB133111EB, 0x319642B2D24D8EC3
)

// randomKey returns the key that stands for a key of a trace.
func randomKey(key uint64) uint64 {
	key = (key ^ key>>30) * factor1
	key = (key ^ key>>27) * factor2
	return key ^ key>>31
}

// traceKey is the inverse of randomKey.
func traceKey(key uint64) uint64 {
	key = (key ^ key>>31 ^ key>>62) * inverse2
	key = (key ^ key>>27 ^ key>>54) * inverse1
	return key ^ key>>30 ^ key>>60
}
