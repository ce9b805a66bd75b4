package tabletest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"trefoil/internal/container"
	"trefoil/internal/filetest"
	"trefoil/internal/mem"
)

// SavedTable is the face of tables T that are saved with a label L and described by a header H, and whose
// entries go to tables of other sizes.
type SavedTable[T, L, H any] interface {
	Table
	Save(context.Context, container.Output, L, func(done, total uint64)) (H, error)
	Load(context.Context, container.Input, L, func(done, total uint64)) (H, error)
	Inherit(old T) error
	Rehash(context.Context) error
	NewSearch()
}

// A SavedKind is a Kind whose tables are saved.
type SavedKind[T SavedTable[T, L, H], L any, H comparable] struct {
	Kind[T]
	Label   L
	Others  map[string]L // labels that a file of Label does not fit, by what the error names
	Inspect func(context.Context, container.Input) (H, error)
	Verify  func(context.Context, container.Input, func(done, total uint64)) (H, error)
	// Bare returns what Inspect returns of a file, given what Verify returns.
	Bare func(H) H
}

// Run tests what Kind.Run does, and files, streams and Rehash.
func (k SavedKind[T, L, H]) Run(t *testing.T) {
	k.Kind.Run(t)
	for name, test := range map[string]func(*testing.T){
		"Saved": k.saved, "Stream": k.stream, "Damaged": k.damaged, "Stopped": k.stopped, "Inherit": k.inherit,
		"RehashEnds": k.rehashEnds,
	} {
		t.Run(name, test)
	}
}

// save saves a table in a new file.
func (k SavedKind[T, L, H]) save(t *testing.T, table T) (path string, h H) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "table")
	h, err := table.Save(t.Context(), container.Replace(path), k.Label, nil)
	if err != nil {
		t.Fatal(err)
	}
	return path, h
}

// rising returns a progress function, which fails unless it is called with rising numbers up to a total,
// and whether the total was reached.
func rising(t *testing.T) (progress func(done, total uint64), complete *bool) {
	last, first := uint64(0), true
	complete = new(bool)
	return func(done, total uint64) {
		if !first && done <= last || done > total {
			t.Errorf("after %d %d of %d", last, done, total)
		}
		last, first, *complete = done, false, done == total
	}, complete
}

// saved: a loaded table has the entries of the saved one and is the same file when it is saved again,
// whether it was empty before or not. A larger table has all entries, a smaller one as many as it can.
func (k SavedKind[T, L, H]) saved(t *testing.T) {
	n := 5 * k.few()
	table := k.filled(t, 5, 0, n/2)
	table.NewSearch()
	for i := n / 2; i < n; i++ {
		k.Store(table, i)
	}
	path, _ := k.save(t, table)
	progress, complete := rising(t)
	if _, err := table.Save(t.Context(), container.Replace(path), k.Label, progress); err != nil || !*complete {
		t.Errorf("saved again: %v, progress is complete: %v", err, *complete)
	}
	file := filetest.Read(t, path)
	whole, err := k.Verify(t.Context(), container.File(path), nil)
	if h, err2 := k.Inspect(t.Context(), container.File(path)); err != nil || err2 != nil || h != k.Bare(whole) {
		t.Errorf("verified %+v, %v, inspected %+v, %v", whole, err, h, err2)
	}
	for _, others := range []uint64{0, 500} {
		again := k.filled(t, 5, n, n+others)
		if h, err := again.Load(t.Context(), container.File(path), k.Label, nil); err != nil || k.Bare(h) != k.Bare(whole) {
			t.Errorf("loaded: %+v, %v, want %+v", h, err, whole)
		}
		if found, rest := k.has(t, again, 0, n), k.has(t, again, n, n+others); found != k.has(t, table, 0, n) || rest != 0 {
			t.Errorf("%d entries of %d, and %d of before", found, n, rest)
		}
		second, _ := k.save(t, again)
		if b, _ := os.ReadFile(second); !bytes.Equal(b, file) {
			t.Errorf("%d entries before: another file", others)
		}
	}
	for mib, least := range map[uint64]uint64{9: most(n), 3: most(n) * 9 / 10} {
		other := k.make(t, mib, mem.Options{})
		if _, err := other.Load(t.Context(), container.File(path), k.Label, nil); err != nil {
			t.Error(err)
		}
		if found := k.has(t, other, 0, n); found < least {
			t.Errorf("a table of %d MiB has %d entries of %d", mib, found, n)
		}
	}
}

// stream: a table goes through a stream as through a file, and leaves no temporary file. A bad stream is
// named; then a table that was not empty is as it was, and an empty one is empty.
func (k SavedKind[T, L, H]) stream(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	n := k.few()
	table := k.filled(t, 1, 0, n)
	path, _ := k.save(t, table)
	var out bytes.Buffer
	if _, err := table.Save(t.Context(), container.WriteStream(&out, "a pipe"), k.Label, nil); err != nil {
		t.Fatal(err)
	}
	file := out.Bytes()
	if want, _ := os.ReadFile(path); !bytes.Equal(file, want) {
		t.Error("another file")
	}
	stream := func(r io.Reader) container.Input { return container.Stream(r, "a pipe") }
	whole, err := k.Verify(t.Context(), container.File(path), nil)
	for name, read := range map[string]func(container.Input) (H, error){
		"inspected": func(in container.Input) (H, error) { return k.Inspect(t.Context(), in) },
		"verified":  func(in container.Input) (H, error) { return k.Verify(t.Context(), in, nil) },
	} {
		if h, err2 := read(stream(iotest.HalfReader(bytes.NewReader(file)))); err != nil || err2 != nil || h != whole {
			t.Errorf("%s: %+v, %v, want %+v, %v", name, h, err2, whole, err)
		}
	}
	for _, before := range []uint64{0, 500} {
		again := k.filled(t, 1, n, n+before)
		was := k.has(t, again, n, n+before)
		for _, length := range []int{0, 1, 20, 300, len(file) / 2, len(file) - 512, len(file) - 1, len(file) + 1} {
			bad, want := append(bytes.Clone(file), 0)[:length], "a pipe: cut short: it has "
			if length > len(file) {
				want = "a pipe: there is more after its end"
			}
			_, err := again.Load(t.Context(), stream(bytes.NewReader(bad)), k.Label, nil)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%d bytes: %v, want %q", length, err, want)
			}
			if found, fresh := k.has(t, again, n, n+before), k.has(t, again, 0, n); found != was || fresh != 0 {
				t.Fatalf("%d bytes: %d of %d entries are left, %d are new", length, found, was, fresh)
			}
		}
		if _, err := again.Load(t.Context(), stream(iotest.OneByteReader(bytes.NewReader(file))), k.Label, nil); err != nil {
			t.Error(err)
		}
		if found, rest := k.has(t, again, 0, n), k.has(t, again, n, n+before); found != k.has(t, table, 0, n) || rest != 0 {
			t.Errorf("%d entries of %d, and %d of before", found, n, rest)
		}
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// damaged: every way to damage a file, and another label, is refused by name, and leaves the table as it
// is.
func (k SavedKind[T, L, H]) damaged(t *testing.T) {
	const others = 100
	source := k.make(t, 1, mem.Options{Bytes: mem.Least})
	for i := range uint64(300) {
		k.Store(source, i)
	}
	path, _ := k.save(t, source)
	good := filetest.Read(t, path)
	table := k.filled(t, 1, 1000, 1000+others)
	was := k.has(t, table, 1000, 1000+others)
	refused := func(what string, file []byte, label L) {
		t.Helper()
		filetest.Write(t, path, file)
		_, err := table.Load(t.Context(), container.File(path), label, nil)
		var wrong *container.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), path) {
			t.Fatalf("got %v, want a container.Error about %q", err, what)
		}
		if found := k.has(t, table, 1000, 1000+others); found != was || k.has(t, table, 0, 300) != 0 {
			t.Fatalf("%v: and the table has changed", err)
		}
	}
	for n := 0; n < len(good); n += 1 + n/5 {
		refused("cut short", good[:n], k.Label)
	}
	refused("checksum of its last", append(bytes.Clone(good), 'x'), k.Label)
	for n := range 200 {
		bad := bytes.Clone(good)
		bad[n*(len(good)-1)/199] ^= 1 << (n % 8)
		refused("", bad, k.Label)
	}
	refused("it begins with", append([]byte("X"), good[1:]...), k.Label)
	for what, label := range k.Others {
		refused(what, good, label)
	}
	for what, read := range map[string]func(context.Context, container.Input) (H, error){
		"inspected": k.Inspect,
		"verified":  func(ctx context.Context, in container.Input) (H, error) { return k.Verify(ctx, in, nil) },
		"loaded": func(ctx context.Context, in container.Input) (H, error) {
			return table.Load(ctx, in, k.Label, nil)
		},
	} {
		if _, err := read(t.Context(), container.File(path+"-2")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// stopped: a save that is stopped leaves the old file and nothing beside it, a load that is stopped the old
// entries, and what is no file is not replaced.
func (k SavedKind[T, L, H]) stopped(t *testing.T) {
	n := k.few()
	table, other := k.filled(t, 5, 0, n), k.filled(t, 5, n, 2*n)
	path, _ := k.save(t, table)
	old, _ := os.ReadFile(path)
	stop := errors.New("stopped")
	stopping := func() (context.Context, func(done, total uint64)) {
		ctx, cancel := context.WithCancelCause(t.Context())
		return ctx, func(uint64, uint64) { cancel(stop) }
	}
	ctx, progress := stopping()
	if _, err := other.Save(ctx, container.Replace(path), k.Label, progress); !errors.Is(err, stop) {
		t.Errorf("a save: %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, old) || Beside(path) != "" {
		t.Errorf("a stopped save changed the file, or left %s", Beside(path))
	}
	for _, before := range []uint64{0, n} {
		again := k.filled(t, 5, n, n+before)
		was := k.has(t, again, n, n+before)
		if _, err := again.Load(Ended(t), container.File(path), k.Label, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("a load: %v", err)
		}
		if found, fresh := k.has(t, again, n, n+before), k.has(t, again, 0, n); found != was || fresh != 0 {
			t.Errorf("after a stopped load %d of %d entries are left, %d are new", found, was, fresh)
		}
	}
	if _, err := other.Save(t.Context(), container.Replace(path), k.Label, nil); err != nil {
		t.Error(err)
	}
	if _, err := other.Save(t.Context(), container.Replace(filepath.Join(path, "x")), k.Label, nil); err == nil {
		t.Error("saved below a file")
	}
}

// inherit: a larger table gets all entries of an old one, also if it is replaced meanwhile, and keeps what
// is stored beside that. An empty table has nothing to give. The old table is closed.
func (k SavedKind[T, L, H]) inherit(t *testing.T) {
	n := k.few()
	table := k.filled(t, 4, 0, n)
	was := k.has(t, table, 0, n)
	for round, mib := range []uint64{5, 9, 6} {
		old := table
		table = k.make(t, mib, mem.Options{Releasing: old})
		if err := table.Inherit(old); err != nil {
			t.Fatal(err)
		}
		if err := table.Rehash(Ended(t)); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		if round == 1 {
			continue // it is replaced before its Rehash
		}
		if err := table.Rehash(t.Context()); err != nil {
			t.Error(err)
		}
		if found := k.has(t, table, 0, n); found < most(was) {
			t.Errorf("a table of %d MiB has %d entries of %d", mib, found, was)
		}
		if u := old.Memory(); u.Resident > 0 {
			t.Errorf("%d bytes of the old table are resident", u.Resident)
		}
	}
	empty, next := k.make(t, 1, mem.Options{}), k.make(t, 2, mem.Options{})
	if err := next.Inherit(empty); err != nil || empty.Memory().Resident > 0 {
		t.Errorf("an empty table: %v, %d bytes are resident", err, empty.Memory().Resident)
	}
}

// rehashEnds: Save finishes a Rehash that is under way; Clear, Load and Close end it.
func (k SavedKind[T, L, H]) rehashEnds(t *testing.T) {
	n := k.few()
	begun := func() (table, old T) {
		old, table = k.filled(t, 4, 0, n), k.make(t, 5, mem.Options{})
		if err := table.Inherit(old); err != nil {
			t.Fatal(err)
		}
		return table, old
	}
	table, _ := begun()
	path, _ := k.save(t, table)
	if found := k.has(t, table, 0, n); found < most(n) {
		t.Errorf("saved: %d entries of %d", found, n)
	}
	for name, c := range map[string]struct {
		end  func(table T) error
		want uint64 // entries
	}{
		"cleared": {func(table T) error { return table.Clear(t.Context()) }, 0},
		"loaded": {func(table T) error {
			_, err := table.Load(t.Context(), container.File(path), k.Label, nil)
			return err
		}, most(n)},
	} {
		table, old := begun()
		k.Store(table, n)
		if err := c.end(table); err != nil || old.Memory().Resident > 0 {
			t.Errorf("%s: %v, %d bytes of the old table are resident", name, err, old.Memory().Resident)
		}
		if err := table.Rehash(t.Context()); err != nil {
			t.Error(err)
		}
		if found := k.has(t, table, 0, n); found < c.want || c.want == 0 && found > 0 {
			t.Errorf("%s: %d entries, want %d", name, found, c.want)
		}
	}
	table, old := begun()
	if err := table.Close(); err != nil || old.Memory().Resident > 0 {
		t.Errorf("closed: %v, %d bytes of the old table are resident", err, old.Memory().Resident)
	}
}

// savesForever names the file that a process of this test is to save until it is killed.
const savesForever = "TREFOIL_TEST_SAVES"

// Killed tests that a file is whole, whatever moment a process is killed at while it saves. The test that
// calls it has that name; it does nothing else.
func (k SavedKind[T, L, H]) Killed(t *testing.T, name string, rounds int) {
	if path := os.Getenv(savesForever); path != "" {
		for table := k.filled(t, 8, 0, 8*k.few()); ; {
			if _, err := table.Save(t.Context(), container.Replace(path), k.Label, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	path, _ := k.save(t, k.filled(t, 1, 0, k.few()))
	table := k.make(t, 8, mem.Options{})
	for i := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^"+name+"$")
		cmd.Env = append(os.Environ(), savesForever+"="+path)
		if err := cmd.Start(); err != nil {
			t.Skip("this system starts no processes: ", err)
		}
		for !strings.Contains(Beside(path), ".part") { // until it saves
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i%10) * 3 * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if _, err := table.Load(t.Context(), container.File(path), k.Label, nil); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
	}
	if _, err := table.Save(t.Context(), container.Replace(path), k.Label, nil); err != nil {
		t.Fatal(err)
	}
	if left := Beside(path); left != "" {
		t.Errorf("the next save did not remove %s", left)
	}
}

// Beside returns the names of what is in the directory of a file besides it.
func Beside(path string) string {
	var names []string
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, " ")
}
