package bench

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"trefoil/cluster"
	"trefoil/internal/newtable"
)

// The formula is what a table really does with keys at random.
func TestFullIsThatOfATable(t *testing.T) {
	table := newtable.Cluster(t, 2, cluster.Auto)
	random := rand.New(rand.NewPCG(1, 2))
	slots := float64(3 * 2 * cluster.ClustersPerMiB)
	stored := 0
	for _, until := range []int{1000, 20000, 60000, 200000, 600000} {
		for ; stored < until; stored++ {
			table.Store(random.Uint64(), cluster.Entry{Move: 1})
		}
		c, err := table.Census(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got, want := float64(c.Used)/slots, full(2, float64(until))
		if math.Abs(got-want) > 0.004 {
			t.Errorf("%d entries fill %.4f, by the formula %.4f", until, got, want)
		}
	}
	for _, entries := range []float64{1, 1000, 3e6, 1e12} {
		if f := full(sizeFor(entries), entries); math.Abs(f-maxFull) > 1e-6 {
			t.Errorf("%.0f entries: %.4f full", entries, f)
		}
	}
}

// What is decided follows from what was measured.
func TestDecide(t *testing.T) {
	a := Advice{
		Limit: 4 * time.Second, Longest: 10 * time.Second, Threads: 1,
		Nodes: 5e6, Elapsed: 10 * time.Second, CPUTime: 5 * time.Second, PerNode: [2]float64{0.4, 0.5}, Available: 1 << 30,
	}
	if a.Speed() != 1e6 || a.Share() != 0.5 || a.Entries(time.Second) != 5e5 {
		t.Errorf("%+v: speed %v, share %v", a, a.Speed(), a.Share())
	}
	a.decide()
	if a.Hash != a.Need || a.Full(a.Hash, a.Limit) > maxFull || a.Full(a.Hash-1, a.Limit) < maxFull {
		t.Errorf("%+v: %v full", a, a.Full(a.Hash, a.Limit))
	}
	said := strings.Join(a.Lines("60+0.6"), "\n")
	for _, want := range []string{"which left it 50 % of 1 processor", "advice    Hash 67",
		"an ordinary move takes at most 4s, no move more than 10s", "0.40 in searches of 200000 nodes, 0.50 in longer ones"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	for limit, want := range map[time.Duration]string{
		50 * time.Millisecond: "of 50ms makes 0.025 million", 2500 * time.Second: "makes 1250 million",
	} {
		b := a
		if b.Limit = limit; !strings.Contains(strings.Join(b.Lines("60+0.6"), "\n"), want) {
			t.Errorf("no %q in\n%s", want, strings.Join(b.Lines("60+0.6"), "\n"))
		}
	}
	if strings.Contains(said, "limit") {
		t.Errorf("a limit where all fits:\n%s", said)
	}
	short := Advice{Elapsed: 500 * time.Millisecond, CPUTime: 250 * time.Millisecond, Threads: 1}
	if short.Share() != 0.5 {
		t.Errorf("half a second: share %v", short.Share())
	}
	a.Available = 40 << 20
	a.decide()
	if a.Hash != 35 || a.Need != 67 {
		t.Errorf("with 40 MiB available: %+v", a)
	}
	if said := strings.Join(a.Lines("60+0.6"), "\n"); !strings.Contains(said,
		"67 MiB are more than 87.5 % of what is available; with Hash 35:") {
		t.Error(said)
	}
	a.Available = 70 << 20 // 67 MiB would leave 3 to other programs
	if a.decide(); a.Hash != 61 || a.Need != 67 {
		t.Errorf("with 70 MiB available: %+v", a)
	}
	a.Available, a.Limit = 0, 0
	if a.decide(); a.Hash != 1 {
		t.Errorf("nothing needed, nothing available: %+v", a)
	}
}
