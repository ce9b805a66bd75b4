package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"trefoil/engine/registry"
	"trefoil/internal/mem"
	"trefoil/internal/shm"
	"trefoil/options"
	"trefoil/search"
)

// limited is an engine on a machine that has that many MiB for all parts together.
func limited(t *testing.T, mib uint64) *Engine {
	e := started(t)
	limit(e, mib)
	return e
}

// limit changes the machine.
func limit(e *Engine, mib uint64) {
	e.memory.Measure = func() mem.Room {
		return mem.Room{Free: mib << 20, Source: "the test", Map: mem.Unlimited}
	}
}

// parts returns how many MiB the current game takes with the options as they are.
func parts(e *Engine) uint64 {
	r := e.options.Request()
	return r.Bytes(e.current.player.(registry.Hasher).Use()) >> 20
}

// TestMemoryOfOptions: what table, threads and audit take together has to fit, in whatever order they are
// set, before anything is made. A refusal names the option, what would fit and what takes the rest; the
// old value stays and works.
func TestMemoryOfOptions(t *testing.T) {
	for _, game := range []string{"chess", "shogi", "ultimate", "connect4"} {
		e := limited(t, 400)
		set(t, e, "UCI_Variant", game)
		refusedValue(t, e, "Hash", "1000", "hash of 1000 MiB refused: at most 3", " fit beside Threads ",
			"(400 MiB in all, by the test); it stays 16")
		set(t, e, "Hash", "300")
		if game != "connect4" {
			refusedValue(t, e, "Threads", "256", "256 threads refused: at most ",
				" fit beside Hash 300 MiB (400 MiB in all", "it stays 1")
		}
		set(t, e, "Threads", "2")
		if game == "chess" || game == "shogi" {
			refusedValue(t, e, "HashAudit", "count", "HashAudit of 225 MiB refused: ",
				" MiB are left beside Hash 300 MiB, Threads ", "it stays off")
			set(t, e, "Hash", "100")
			set(t, e, "HashAudit", "count")
			refusedValue(t, e, "Hash", "300", "at most ", "HashAudit 225 MiB", "it stays 100")
		}
		if n := parts(e); n > 400 {
			t.Errorf("%s: %d MiB are accepted", game, n)
		}
		if r, _ := nodes(e, 100); r.Best == "" {
			t.Errorf("%s: no move", game)
		}
		limit(e, 1) // less is always accepted
		set(t, e, "Threads", "1")
		set(t, e, "Hash", "8")
	}
}

// TestThreadsOfAnotherGame: a game whose workers are larger gets as many as fit.
func TestThreadsOfAnotherGame(t *testing.T) {
	e := limited(t, 100)
	set(t, e, "Threads", "12")
	set(t, e, "UCI_Variant", "shogi")
	n := e.options.Threads.Value()
	got := strings.Join(e.Notices(), "\n")
	want := fmt.Sprintf(`^shogi: 12 threads refused: at most %d fit .*; Threads is %d now$`, n, n)
	if n < 2 || n > 11 || !regexp.MustCompile(want).MatchString(got) {
		t.Errorf("%d threads: %s", n, got)
	}
	if parts(e) > 100+16 { // with a table of 16 MiB, which will be smaller
		t.Errorf("%d MiB are accepted", parts(e))
	}
	if r, _ := nodes(e, 100); r.Best == "" {
		t.Error("no move")
	}
	set(t, e, "UCI_Variant", "chess")
	if got := e.options.Threads.Value(); got != n {
		t.Errorf("%d threads, want %d", got, n)
	}
}

// TestOrderOfOptions: of options that fit together, all are accepted in any order; of others the last is refused.
func TestOrderOfOptions(t *testing.T) {
	for _, c := range []struct {
		hash string
		fits bool
	}{{"30", true}, {"45", false}} {
		values := [][2]string{{"Hash", c.hash}, {"Threads", "4"}, {"HashAudit", "count"}}
		for first := range values {
			for second := range values {
				if first == second {
					continue
				}
				e := limited(t, 100) // table, 4 workers of 6.8 MiB, and three quarters of the table
				set(t, e, values[first][0], values[first][1])
				last := values[3-first-second]
				set(t, e, values[second][0], values[second][1])
				if c.fits {
					set(t, e, last[0], last[1])
				} else {
					refusedValue(t, e, last[0], last[1], "refused: ", "100 MiB in all")
				}
			}
		}
	}
}

// TestLittleMemory: where the table does not fit it has the size that does, below 1 MiB if need be, and a
// search says so.
func TestLittleMemory(t *testing.T) {
	for _, game := range []string{"chess", "shogi", "ultimate", "connect4"} {
		for beside, want := range map[int64]string{5 << 20: "hash 5 MiB of 16: ", 700 << 10: "hash 7",
			0: "hash 256 KiB of 16 MiB: ", -1 << 40: "hash 256 KiB of 16 MiB: "} {
			e := started(t)
			set(t, e, "UCI_Variant", game)
			request := e.options.Request()
			request.Hash = 0
			free := beside + int64(request.Bytes(e.current.player.(registry.Hasher).Use()))
			e.memory.Measure = func() mem.Room {
				return mem.Room{Free: uint64(max(free, 0)), Source: "the test", Map: mem.Unlimited}
			}
			r, texts := nodes(e, 1000)
			if r.Best == "" || len(texts) < 2 || !strings.HasPrefix(texts[0], "hash of 16 MiB refused: ") ||
				!strings.HasPrefix(texts[1], want) {
				t.Errorf("%s, %d bytes for the table: %q, %q", game, beside, r.Best, texts)
			}
			if beside == 700<<10 && !strings.Contains(texts[1], " KiB of 16 MiB: ") {
				t.Errorf("%s: %q", game, texts[1])
			}
			limit(e, 100)
			set(t, e, "Hash", "16") // there is memory for it now
			if line := e.tableLine(); !strings.HasPrefix(line, "hash 16 MiB: ") {
				t.Errorf("%s: %s", game, line)
			}
		}
	}
}

// TestMatesMemory: the table for mates gets what the others leave, and makes room for other options.
func TestMatesMemory(t *testing.T) {
	e := limited(t, 60)
	set(t, e, "Hash", "32")
	mates := func() (texts []string) {
		e.Search(context.Background(), search.Limits{Mate: 2, Nodes: 1000},
			func(i search.Info) { texts = append(texts, i.Text) })
		return slices.DeleteFunc(texts, func(line string) bool { return !strings.HasPrefix(line, "for mates") })
	}
	texts := mates()
	if len(texts) != 2 || !strings.Contains(texts[0], "go mate of 32 MiB refused: ") || !strings.Contains(texts[0],
		" MiB are left beside Hash 32 MiB, Threads ") || !strings.Contains(texts[1], " MiB of 32: ") {
		t.Errorf("%q", texts)
	}
	set(t, e, "Threads", "4")
	if texts := mates(); len(texts) != 2 {
		t.Errorf("after Threads: %q", texts)
	}
	refusedValue(t, e, "Threads", "256", "beside Hash 32 MiB (60 MiB in all")
}

// TestMemoryOfCommands: a command with a table and workers of its own has to fit beside the table and the
// workers of the game.
func TestMemoryOfCommands(t *testing.T) {
	e := limited(t, 300)
	set(t, e, "Hash", "100")
	for line, want := range map[string]string{
		"bench 16 100 1":   "bench: bench of ",
		"bench 200 1 1":    "bench: bench of ",
		"speedtest 2 200":  "speedtest: speedtest of ",
		"bench 100 2 1":    "",
		"speedtest 1 16 1": "",
	} {
		words := strings.Fields(line)
		i := slices.IndexFunc(e.Commands(), func(c options.Command) bool { return c.Name == words[0] })
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // what fits need not be run
		err := e.Commands()[i].Run(ctx, words[1:], func(string) {})
		switch refused := err != nil && strings.Contains(err.Error(), " MiB are left beside Hash 100 MiB, Threads "); {
		case refused != (want != ""), refused && !strings.HasPrefix(err.Error(), want):
			t.Errorf("%s: %v", line, err)
		}
	}
	set(t, e, "Hash", "280") // nothing of a command is left
}

// TestRoomOfTheTable: a table that has been made is in what the system says is left. It is not subtracted a
// second time from what may still be mapped, nor from what is free if it is shared.
func TestRoomOfTheTable(t *testing.T) {
	const table, all = 16, 52 // the memory that containers have for shared tables is often 64 MiB
	machine := func(e *Engine, free, mapped uint64) {
		e.memory.Measure = func() mem.Room {
			return mem.Room{Free: free, Source: "the test", Map: mapped, Mapped: "the test"}
		}
	}
	left := func(e *Engine, after string) {
		t.Helper()
		if room := e.Room() >> 20; room < 20 || room > all-table {
			t.Errorf("after %s: room of %d MiB, %d are left", after, room, all-table)
		}
	}
	mib := uint64(1 << 20)

	e := started(t)
	machine(e, mem.Unlimited, all*mib)
	set(t, e, "Hash", strconv.Itoa(table))
	machine(e, mem.Unlimited, (all-table)*mib)
	left(e, "Hash")

	e = started(t) // Hash is 16
	machine(e, mem.Unlimited, 50*mib)
	nodes(e, 100)
	set(t, e, "Threads", "4")
	nodes(e, 100)
	machine(e, mem.Unlimited, 5*mib)
	if room := e.Room() >> 20; room != 5 {
		t.Errorf("after a search by four threads: room of %d MiB, 5 are left", room)
	}

	e = started(t)
	machine(e, mem.Unlimited, 50*mib)
	e.Settle(t.Context())
	machine(e, mem.Unlimited, 5*mib)
	if room := e.Room() >> 20; room != 5 {
		t.Errorf("after Settle: room of %d MiB, 5 are left", room)
	}

	e = started(t)
	set(t, e, "BookFile", polyglotBook(t, map[byte]uint16{'a': 1}))
	set(t, e, "OwnBook", "true")
	machine(e, mem.Unlimited, 50*mib)
	set(t, e, "Threads", "4")
	nodes(e, 100) // a move of the book, without table and workers
	set(t, e, "OwnBook", "false")
	nodes(e, 100)
	machine(e, mem.Unlimited, 5*mib)
	if room := e.Room() >> 20; room != 5 {
		t.Errorf("after a search that followed a move of the book: room of %d MiB, 5 are left", room)
	}

	file := filepath.Join(t.TempDir(), "hash")
	set(t, e, "Hash File", file)
	set(t, e, "Save Hash", "")
	e = started(t)
	machine(e, mem.Unlimited, 50*mib)
	set(t, e, "Hash File", file)
	set(t, e, "Load Hash", "")
	machine(e, mem.Unlimited, 30*mib)
	if room := e.Room() >> 20; room < 20 || room > 30 {
		t.Errorf("after Load Hash: room of %d MiB, 30 are left", room)
	}

	if _, err := shm.Default(); err != nil {
		t.Skip(err)
	}
	e = started(t)
	machine(e, all*mib, mem.Unlimited)
	set(t, e, "Hash", strconv.Itoa(table))
	set(t, e, "Hash Shared", fmt.Sprintf("test-%016x", rand.Uint64()))
	machine(e, (all-table)*mib, mem.Unlimited)
	left(e, "Hash Shared")
	set(t, e, "Hash", "8")
	machine(e, (all-8)*mib, mem.Unlimited)
	if room := e.Room() >> 20; room < 32 || room > all-8 {
		t.Errorf("after Hash 8: room of %d MiB, %d are left", room, all-8)
	}
}

// TestWorkerBytes: the memory of a worker is what the budget counts, or up to a quarter less.
func TestWorkerBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many workers")
	}
	for _, game := range []string{"chess", "shogi", "ultimate", "connect4"} {
		heap := func(threads int) uint64 {
			e := started(t)
			set(t, e, "UCI_Variant", game)
			set(t, e, "Hash", "1")
			set(t, e, "Threads", strconv.Itoa(threads))
			nodes(e, 100)
			var m runtime.MemStats
			for range 2 { // what a sync.Pool of an earlier test holds is freed by the second one
				runtime.GC()
			}
			runtime.ReadMemStats(&m)
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			return m.HeapAlloc
		}
		e := started(t)
		set(t, e, "UCI_Variant", game)
		counted := e.current.player.(registry.Hasher).Use().Worker
		one, more := heap(1), heap(9)
		if took := (more - one) / 8; took > counted+counted/50+32<<10 || took < counted*3/4 {
			t.Errorf("%s: a worker takes %d KiB, counted are %d", game, took>>10, counted>>10)
		}
	}
}

// TestThreadsGivenBack: workers that are not needed any more are freed by the option, and all of them with
// another game.
func TestThreadsGivenBack(t *testing.T) {
	e := started(t)
	inUse := func() uint64 { // what Go has not returned to the system
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys - m.HeapReleased
	}
	for _, game := range []string{"shogi", "chess"} { // what a game keeps from its first search on does not count
		set(t, e, "UCI_Variant", game)
		nodes(e, 1000)
	}
	debug.FreeOSMemory() // what earlier tests have left
	before := inUse()
	set(t, e, "Threads", "24")
	nodes(e, 1000)
	many := inUse()
	set(t, e, "Threads", "1")
	few := inUse()
	if many < before+24*4<<20 || few > before+24<<20 {
		t.Errorf("%d MiB, with 24 threads %d, with one again %d", before>>20, many>>20, few>>20)
	}
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "Threads", "4")
	nodes(e, 1000)
	set(t, e, "UCI_Variant", "chess")
	if few := inUse(); few > before+24<<20 {
		t.Errorf("with another game %d MiB", few>>20)
	}
}
