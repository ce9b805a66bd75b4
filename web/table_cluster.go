package web

import (
	"fmt"
	"math"

	"trefoil/cluster"
	"trefoil/web/board"
)

var tableKinds = []string{board.ClusterTable, board.WindowTable, board.RemainderTable}

// clusterView shows the table of alpha-beta. Its places are pairs of clusters, each a line of the cache: 2n
// is for the first side to move, 2n + 1 for the second.
type clusterView struct{ t *cluster.Table }

// clusterEntry is an entry of a cluster.
type clusterEntry struct {
	Raw   string `json:"raw"`            // the move as the table has it, four hexadecimal digits
	Move  string `json:"move"`           // as the protocol writes it
	Text  string `json:"text,omitempty"` // as people do, if the position is known
	Value int16  `json:"value"`
	Depth uint8  `json:"depth"`
	Bound string `json:"bound"`
	PV    bool   `json:"pv"`
	Age   int    `json:"age"`
	Eval  int16  `json:"eval"`
}

func (v clusterView) kind() string   { return board.ClusterTable }
func (v clusterView) memory() string { return v.t.Memory().String() }

func (v clusterView) describe(j *tableJSON) {
	plan := v.t.Plan()
	j.MiB, j.Index, j.Entries, j.HashFull = plan.MiB, plan.Index.String(),
		plan.Clusters*cluster.EntriesPerCluster, v.t.Full()
}

func (v clusterView) places() uint64  { return v.t.Plan().Clusters / 2 }
func (v clusterView) indexes() uint64 { return 2 }

// cell returns
//
//	byte 0   entries in use of the first side, 0 to 3, plus 16 × the entries of the second
//	byte 1   the mean age of the entries in use, in generations; an entry ahead of the present has age 0
//	byte 2   the greatest depth
//	byte 3   the bound of the deepest entry: 0 none, 1 upper, 2 lower, 3 exact
func (v clusterView) cell(place uint64) [pixelBytes]byte {
	first, _ := v.t.Look(2 * place)
	second, _ := v.t.Look(2*place + 1)
	return cellOf(first.Entries[:], second.Entries[:])
}

// cellOf returns the bytes of a pixel that shows two clusters, as the method cell describes them.
func cellOf(clusters ...[]cluster.StoredEntry) (cell [pixelBytes]byte) {
	ages, used := 0, 0
	deepest := -1
	for side, entries := range clusters {
		for _, e := range entries {
			if !e.Used {
				continue
			}
			cell[0] += 1 << (4 * side)
			used++
			ages += max(e.Age, 0)
			if d := int(e.Depth); d > deepest {
				deepest, cell[2], cell[3] = d, e.Depth, byte(e.Bound)
			}
		}
	}
	if used > 0 {
		cell[1] = byte(min(ages/used, math.MaxUint8))
	}
	return cell
}

// index is the fuller of the two clusters.
func (v clusterView) index(place uint64) uint64 {
	if cell := v.cell(place); cell[0]>>4 > cell[0]&15 {
		return 2*place + 1
	}
	return 2 * place
}

func (v clusterView) content(index uint64, g *game) *placeJSON {
	c, _ := v.t.Look(index)
	side := index & 1
	j := &placeJSON{Index: index, Side: &side, Bytes: bytesOf(c.Words[:])}
	for i, e := range c.Entries {
		entry := entryJSON{Used: e.Used, Content: entryOf(&e, g)}
		for _, f := range cluster.Fields(i) {
			entry.Bits = append(entry.Bits, fieldOf(f.Name, f.From, f.To, c.Words[:]))
		}
		j.Entries = append(j.Entries, entry)
	}
	return j
}

// entryOf decodes an entry.
func entryOf(e *cluster.StoredEntry, g *game) *clusterEntry {
	return &clusterEntry{
		Raw: fmt.Sprintf("%04x", e.Move), Move: tableMove(g, e.Move), Value: e.Value, Depth: e.Depth,
		Bound: [...]string{"none", "upper", "lower", "exact"}[e.Bound], PV: e.PV, Age: e.Age, Eval: e.Eval,
	}
}

// find decodes the cluster of a position.
func (v clusterView) find(p board.Keyed, g *game) *placeJSON {
	key := p.Key()
	j := contentOf(v, v.t.IndexOf(key), g)
	found := -1
	if at, ok := v.t.Locate(key); ok {
		found = int(at % cluster.EntriesPerCluster)
		c, _ := v.t.Look(j.Index)
		w := p.Walk()
		if m, ok := w.FromMove16(c.Entries[found].Move); ok {
			j.Entries[found].Content.(*clusterEntry).Text = w.Write(m).Text
		}
	}
	j.Found = &found
	return j
}

// tableMove writes the 16 bits of a move as the protocol does.
func tableMove(g *game, bits uint16) string {
	if g.board.TableMove == nil {
		return ""
	}
	return g.board.TableMove(bits)
}
