//go:build linux || darwin

package alphabeta

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"trefoil/cluster"
	"trefoil/game/chess"
	"trefoil/internal/newtable"
	"trefoil/internal/shm"
	"trefoil/search"
)

// cutAt is an Observer that cuts the file of a shared table short at a probe of all workers together.
type cutAt struct {
	file   string
	probes *atomic.Int64
}

func (c cutAt) Probe(t *cluster.Table, p Position, _ Query) (cluster.Found, bool) {
	if c.probes.Add(-1) == 0 {
		_ = os.Truncate(c.file, 0)
	}
	return t.Probe(p.Key())
}

func (c cutAt) Used(Use) {}

func (c cutAt) Store(t *cluster.Table, p Position, e cluster.Entry) { t.Store(p.Key(), e) }

// newSharedTable returns a table in shared memory and the file of that memory.
func newSharedTable(t *testing.T) (table *cluster.Table, file string) {
	t.Helper()
	dir, err := shm.Default()
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("test-%016x", rand.Uint64())
	t.Cleanup(func() { _, _ = dir.Remove(name) })
	table = newtable.Cluster(t, 2, cluster.Auto, cluster.Shared(cluster.Sharing{Name: name}))
	return table, filepath.Join(string(dir), "trefoil-hash-"+name)
}

// A search whose table is lost goes on to the end of its limits, with one result, and may be cut at any
// probe.
func TestTableLost(t *testing.T) {
	for i, probe := range []int64{1, 2, 3, 10, 300, 4000, 20000} {
		table, file := newSharedTable(t)
		s := New()
		s.SetTable(table)
		s.SetThreads(1 + i%2)
		var probes atomic.Int64
		probes.Store(probe)
		observer := cutAt{file, &probes}
		const limit = 30000
		news := 0
		res, infos := run(t, s, parse(t, fens[1]), search.Limits{Nodes: limit}, Settings{
			Observer: func(int) Observer { return observer },
			News:     func() []string { news++; return nil },
		})
		last := infos[len(infos)-1]
		if !table.Lost() || len(last.PV) == 0 || last.PV[0] != res.Best || news == 0 {
			t.Errorf("probe %d: lost %v, %+v, %+v, asked for news %d times", probe, table.Lost(), res, last, news)
		}
		if res.Nodes < limit || res.Nodes > limit+limit/10 || last.Depth < 5 {
			t.Errorf("probe %d: %d nodes, depth %d", probe, res.Nodes, last.Depth)
		}
		parse(t, fens[1], last.PV...) // legal
	}
}

// cutter is a Prover that cuts the file of a shared table short before it claims a mate.
type cutter struct {
	*claims
	file string
}

func (c cutter) Prove(ctx context.Context, pos Position, nodes uint64) Proof {
	_ = os.Truncate(c.file, 0)
	return c.claims.Prove(ctx, pos, nodes)
}

// A table that is lost while a mate at the root is stored leaves the root as it was, and the search goes on.
func TestTableLostInProof(t *testing.T) {
	table, file := newSharedTable(t)
	s, root := New(), parse(t, chess.StartFEN)
	s.SetTable(table)
	key := root.Key()
	r := result(t, s, root, search.Limits{Depth: 8}, Settings{Prover: cutter{claim(t, "", claimed), file}})
	if !table.Lost() || r.Best != "h2h4" || root.Key() != key {
		t.Errorf("lost %v, %+v, root %s", table.Lost(), r, root.FEN())
	}
}
