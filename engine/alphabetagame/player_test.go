package alphabetagame_test

import (
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/engine/chess"
	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	"trefoil/internal/mem"
	"trefoil/options"
	"trefoil/search"
)

// player is a player of chess.
type player interface {
	registry.Player
	registry.ClusterHasher
}

// newPlayer returns a player with options, and the set of them.
func newPlayer(t *testing.T) (player, *config.Options) {
	o := config.New(config.Uses{})
	p := chess.Game().New(registry.Env{Options: o, Notices: new(table.Notices), Memory: new(memory.Budget)}).(player)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, o
}

// tables returns the table of a player, and whether there is one for mates.
func tables(p player) (hash *cluster.Table, mates bool) {
	p.Look(func(t registry.Tables) { hash, mates = t.Cluster, t.Window != nil })
	return hash, mates
}

// TestTableForMates: a search for mates makes a table of the size of the hash. It is closed when the hash
// gets another size or other pages, and by a search that plays.
func TestTableForMates(t *testing.T) {
	p, o := newPlayer(t)
	if err := p.Repage(mem.SmallPages); err != nil {
		t.Error(err)
	}
	if hash, mates := tables(p); hash != nil || mates {
		t.Error("tables before the first search")
	}
	if err := o.Set.Set(t.Context(), options.UCI, "Hash", "1"); err != nil {
		t.Fatal(err)
	}
	resize := func(mib uint64) func() error {
		return func() error { return p.Resize(t.Context(), mib<<20) }
	}
	play := func() error {
		p.Search(t.Context(), search.Limits{Nodes: 1}, func(search.Info) {})
		return nil
	}
	for _, c := range []struct {
		name   string
		change func() error
		other  bool // hash
		mates  bool
	}{
		{"the same size", resize(1), false, true},
		{"another size", resize(2), true, false},
		{"other pages", func() error { return p.Repage(mem.SmallPages) }, true, false},
		{"play", play, false, false},
	} {
		p.Search(t.Context(), search.Limits{Mate: 1, Nodes: 100}, func(search.Info) {})
		before, mates := tables(p)
		if before == nil || !mates {
			t.Fatalf("before %s: hash %v, table for mates %v", c.name, before != nil, mates)
		}
		if err := c.change(); err != nil {
			t.Error(err)
		}
		if hash, mates := tables(p); hash == nil || (hash != before) != c.other || mates != c.mates {
			t.Errorf("%s: another hash %v, table for mates %v", c.name, hash != before, mates)
		}
	}
	if line := p.TableLine(); !strings.Contains(line, "hash 2 MiB") {
		t.Error(line)
	}
}

// TestAudit: an audit says what memory it takes, and after the search what it found.
func TestAudit(t *testing.T) {
	p, o := newPlayer(t)
	for _, s := range [][2]string{{"Hash", "1"}, {"HashAudit", "count"}} {
		if err := o.Set.Set(t.Context(), options.UCI, s[0], s[1]); err != nil {
			t.Fatal(err)
		}
	}
	var said string
	p.Search(t.Context(), search.Limits{Nodes: 1000}, func(i search.Info) { said += i.Text + "\n" })
	for _, want := range []string{"hash audit: about 1 MiB beside the table\n", "\nhash false hits "} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
}

// TestLive: what a page shows of a search is counted in a sample, of the size that it says.
func TestLive(t *testing.T) {
	p, _ := newPlayer(t)
	if err := p.Resize(t.Context(), 1<<20); err != nil {
		t.Fatal(err)
	}
	p.Search(t.Context(), search.Limits{Nodes: 1}, func(search.Info) {})
	if _, ok := p.Live(); ok {
		t.Error("a search is observed, although nothing asks for that")
	}
	p.Count(true)
	p.NewGame(false)
	r := p.Search(t.Context(), search.Limits{Nodes: 20000}, func(search.Info) {})
	live, ok := p.Live()
	probes := live.Counters.Probes * live.Scale
	if !ok || live.Scale < 2 || probes < r.Nodes/4 || probes > 3*r.Nodes {
		t.Errorf("%d probes by a sample of 1 in %d, %d nodes", probes, live.Scale, r.Nodes)
	}
}

// TestNotShared: a search whose hash cannot be shared says so, and has one of its own.
func TestNotShared(t *testing.T) {
	p, o := newPlayer(t)
	for _, s := range [][2]string{{"Hash", "1"}, {"Hash Shared", "no/name"}} {
		if err := o.Set.Set(t.Context(), options.UCI, s[0], s[1]); err != nil {
			t.Fatal(err)
		}
	}
	var said string
	r := p.Search(t.Context(), search.Limits{Nodes: 100}, func(i search.Info) { said += i.Text + "\n" })
	if r.Best == "" || !strings.Contains(said, "; this process uses a hash of its own\n") {
		t.Errorf("%+v, %q", r, said)
	}
}
