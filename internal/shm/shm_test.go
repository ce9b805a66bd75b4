//go:build linux || darwin

package shm

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

type header struct {
	Game string `json:"game"`
	Size uint64 `json:"size"`
}

const size = 1 << 20

// want accepts segments of chess of any size.
func want(bytes uint64) Want {
	return Want{Header: header{"chess", bytes}, Bytes: bytes,
		Accept: func(decode func(any) error, others int) (uint64, error) {
			var h header
			if err := decode(&h); err != nil {
				return 0, err
			}
			if h.Game != "chess" {
				return 0, errors.New("game is " + h.Game)
			}
			return h.Size, nil
		}}
}

func mustJoin(t *testing.T, d Dir, name string, w Want) *Segment {
	t.Helper()
	s, err := d.Join(context.Background(), name, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Leave() })
	return s
}

func mustLeave(t *testing.T, s *Segment) {
	t.Helper()
	if err := s.Leave(); err != nil {
		t.Fatal(err)
	}
}

// holds fails unless the folder has exactly the named files, where user files count by their number.
func holds(t *testing.T, d Dir, users int, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(string(d))
	var got []string
	for _, e := range entries {
		if strings.Contains(e.Name(), userSuffix) {
			users--
			continue
		}
		got = append(got, strings.TrimPrefix(e.Name(), prefix))
	}
	if users != 0 || !slices.Equal(got, want) || err != nil {
		t.Errorf("the folder has %q, want %q, and %d users too few (%v)", got, want, users, err)
	}
}

// All who join see the same memory; the last one takes it away.
func TestJoinAndLeave(t *testing.T) {
	d := Dir(t.TempDir())
	a := mustJoin(t, d, "x", want(size))
	b := mustJoin(t, d, "x", want(2*size)) // takes it as it is
	holds(t, d, 2, "x", "x.lock")
	a.Contents().Words()[size/8-1] = 7
	a.State(7).Store(9)
	if b.Contents().Size() != size || b.Contents().Words()[size/8-1] != 7 || b.State(7).Load() != 9 ||
		b.State(0).Load() != 0 {
		t.Error("not the same memory")
	}
	if n, err := a.Others(); n != 1 || err != nil {
		t.Errorf("%d others, %v", n, err)
	}
	mustLeave(t, a)
	mustLeave(t, a)
	holds(t, d, 1, "x", "x.lock")
	if n, err := b.Others(); n != 0 || err != nil {
		t.Errorf("%d others, %v", n, err)
	}
	mustLeave(t, b)
	holds(t, d, 0)
}

// Who cannot wait for the lock of the name gets the last count.
func TestOthersLately(t *testing.T) {
	d := Dir(t.TempDir())
	a := mustJoin(t, d, "x", want(size))
	b := mustJoin(t, d, "x", want(size))
	if n := a.OthersLately(); n != 1 {
		t.Errorf("%d others", n)
	}
	mustLeave(t, b)
	g, err := d.enter(context.Background(), "x", toJoin)
	if err != nil {
		t.Fatal(err)
	}
	if n := a.OthersLately(); n != 1 {
		t.Errorf("%d others", n)
	}
	if _, err := a.others(atOnce); err == nil ||
		!strings.Contains(err.Error(), "another process has held this lock for 2ms") {
		t.Error(err)
	}
	g.leave()
	if n := a.OthersLately(); n != 0 {
		t.Errorf("%d others", n)
	}
}

// A lock that is free is got, also by a process that was suspended for longer than it was to wait.
func TestLateTry(t *testing.T) {
	d := Dir(t.TempDir())
	for _, limit := range []time.Duration{-1, 0, 1} {
		g, err := d.enter(context.Background(), "x", limit)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.enter(context.Background(), "x", limit); err == nil ||
			!strings.Contains(err.Error(), "another process has held this lock for ") {
			t.Error(err)
		}
		g.leave()
	}
}

// Joining ends with its context, also while a large segment is made, and leaves nothing behind.
func TestJoinEndsWithContext(t *testing.T) {
	d := Dir(t.TempDir())
	stopped, stop := context.WithCancelCause(context.Background())
	stop(errors.New("stopped"))
	g, err := d.enter(context.Background(), "x", toJoin)
	if err != nil {
		t.Fatal(err)
	}
	const reason = ".lock: stopped while another process holds this lock"
	if _, err := d.Join(stopped, "x", want(size)); err == nil || !strings.HasSuffix(err.Error(), reason) {
		t.Error(err)
	}
	g.leave()
	holds(t, d, 0)
	s, err := d.Join(stopped, "x", want(size)) // nothing to wait for
	if err != nil {
		t.Fatal(err)
	}
	mustLeave(t, s)
	_, err = d.Join(stopped, "x", want(65<<20))
	if runtime.GOOS == "linux" && (err == nil || err.Error() != `shared hash "x": stopped`) {
		t.Error(err)
	}
	if runtime.GOOS == "linux" {
		holds(t, d, 0)
	}
}

// Who leaves gives up soon if another process holds the lock of the name, and does not count any more.
func TestLeaveGivesUp(t *testing.T) {
	d := Dir(t.TempDir())
	a := mustJoin(t, d, "x", want(size))
	b := mustJoin(t, d, "x", want(size))
	g, err := d.enter(context.Background(), "x", toJoin)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Leave(); err == nil || !strings.Contains(err.Error(), "another process has held this lock for 1s") {
		t.Error(err)
	}
	g.leave()
	if n, err := a.Others(); n != 0 || err != nil {
		t.Errorf("%d others, %v", n, err)
	}
	mustLeave(t, a)
	holds(t, d, 0)
}

// One who is alone can make a new one, and holds both for a while.
func TestRenew(t *testing.T) {
	d := Dir(t.TempDir())
	old := mustJoin(t, d, "x", want(size))
	old.Contents().Words()[0] = 7
	w := want(2 * size)
	w.Own = old
	w.Accept = func(_ func(any) error, others int) (uint64, error) {
		if others != 0 {
			t.Errorf("%d others", others)
		}
		return size, ErrRenew
	}
	s := mustJoin(t, d, "x", w)
	if s.Contents().Size() != 2*size || s.Contents().Words()[0] != 0 || old.Contents().Words()[0] != 7 {
		t.Error("not a new one")
	}
	mustLeave(t, old)
	holds(t, d, 1, "x", "x.lock")
	mustLeave(t, s)
	holds(t, d, 0)
}

// One that replaces the segment of dead processes gets the contents, for itself. If that fails, the
// segment stays.
func TestRenewDead(t *testing.T) {
	d := Dir(t.TempDir())
	old := mustJoin(t, d, "x", want(size))
	old.Contents().Words()[0] = 7
	old.State(1).Store(9)
	old.user.release() // as the system does it for a process that dies
	w := want(2 * size)
	w.Accept = func(func(any) error, int) (uint64, error) { return size, ErrRenew }
	w.Room = func() error { return errors.New("no room") }
	refused(t, d, w, "no room")
	holds(t, d, 0, "x", "x.lock")
	w.Room = nil
	s := mustJoin(t, d, "x", w)
	r := s.Replaced()
	if r.Contents().Words()[0] != 7 || r.State(1).Load() != 9 || s.Contents().Words()[0] != 0 || !s.Made() {
		t.Error("not the contents of the old one and a new one")
	}
	mustLeave(t, r)
	if n, err := s.Others(); n != 0 || err != nil {
		t.Errorf("%d others, %v", n, err)
	}
	holds(t, d, 1, "x", "x.lock")
	mustLeave(t, s)
	holds(t, d, 0)
}

// A segment whose users have died is as they left it.
func TestUsersDie(t *testing.T) {
	d := Dir(t.TempDir())
	a := mustJoin(t, d, "x", want(size))
	a.Contents().Words()[0] = 7
	a.user.release() // as the system does it for a process that dies
	for _, leftover := range []string{newSuffix, userSuffix + "123"} {
		if err := os.WriteFile(d.file("x", leftover), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := d.List()
	if err != nil || len(list) != 1 || list[0].Users != 0 || list[0].Memory < size || list[0].Err != nil {
		t.Errorf("%+v, %v", list, err)
	}
	b := mustJoin(t, d, "x", want(size))
	if b.Contents().Words()[0] != 7 {
		t.Error("the contents are lost")
	}
	holds(t, d, 1, "x", "x.lock")
	mustLeave(t, b)
	holds(t, d, 0)
	if err := os.WriteFile(d.file("y", newSuffix), nil, 0o600); err != nil { // died as the first one
		t.Fatal(err)
	}
	if list, err := d.List(); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	holds(t, d, 0)
}

// Who has a removed segment keeps it; who joins next makes another one.
func TestRemove(t *testing.T) {
	d := Dir(t.TempDir())
	if _, err := d.Remove("x"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	a := mustJoin(t, d, "x", want(size))
	b := mustJoin(t, d, "x", want(size))
	if n, err := d.Remove("x"); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	holds(t, d, 0)
	c := mustJoin(t, d, "x", want(2*size))
	a.Contents().Words()[0] = 7
	if b.Contents().Words()[0] != 7 || c.Contents().Words()[0] != 0 {
		t.Error("mixed up")
	}
	if _, err := a.Others(); err == nil || !strings.Contains(err.Error(), "was removed") {
		t.Error(err)
	}
	mustLeave(t, a)
	if n, err := c.Others(); n != 0 || err != nil {
		t.Errorf("%d others, %v", n, err)
	}
	mustLeave(t, b)
	holds(t, d, 1, "x", "x.lock")
	if err := os.Remove(d.file("x", "")); err != nil { // as a user may do by hand
		t.Fatal(err)
	}
	mustLeave(t, c)
	holds(t, d, 0)
}

// A list has every segment once, in order, though "x-1" stands between "x" and "x.lock" in the folder.
func TestList(t *testing.T) {
	d := Dir(t.TempDir())
	for _, name := range []string{"y", "x-1", "x"} {
		mustJoin(t, d, name, want(size))
	}
	list, err := d.List()
	var names []string
	for _, i := range list {
		names = append(names, i.Name)
	}
	if !slices.Equal(names, []string{"x", "x-1", "y"}) || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "a/b", "..", "a.b", "a b", "é", "a\x00", strings.Repeat("a", MaxName+1)} {
		d := Dir(t.TempDir())
		if _, err := d.Join(context.Background(), name, want(size)); err == nil ||
			!strings.HasPrefix(err.Error(), "shared hash ") {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := d.Remove(name); err == nil {
			t.Errorf("%q is removed", name)
		}
		holds(t, d, 0)
	}
	if err := CheckName("a/b"); err == nil || !strings.Contains(err.Error(), "character 2 is not a letter") {
		t.Error(err)
	}
	for _, name := range []string{"a", "-", "Najdorf_2-3", strings.Repeat("a", MaxName)} {
		if err := CheckName(name); err != nil {
			t.Error(err)
		}
	}
}

// refused fails unless Join names the reason, and leaves the files as they are.
func refused(t *testing.T, d Dir, w Want, reason string) {
	t.Helper()
	if s, err := d.Join(context.Background(), "x", w); err == nil || !strings.Contains(err.Error(), reason) ||
		!strings.HasPrefix(err.Error(), `shared hash "x": `) {
		t.Errorf("%v, want %q", err, reason)
		if s != nil {
			mustLeave(t, s)
		}
	}
}

func TestRefusals(t *testing.T) {
	made := func() (Dir, string) {
		d := Dir(t.TempDir())
		a := mustJoin(t, d, "x", want(size))
		a.user.release()
		return d, d.file("x", "")
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	d, path := made()
	for _, suffix := range []string{"", lockSuffix} {
		check(os.Chmod(path+suffix, 0o644))
		refused(t, d, want(size), suffix+": its mode is 0644, expected 0600")
		check(os.Chmod(path+suffix, 0o600))
	}
	if os.Geteuid() == 0 && os.Chown(path, 12345, -1) == nil { // a container need not have that user
		refused(t, d, want(size), "it belongs to user 12345, expected 0")
		check(os.Chmod(path, 0o644))
		if _, err := d.Remove("x"); err == nil || !strings.Contains(err.Error(), "it belongs to user 12345") {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o644 {
			t.Errorf("the mode of another user's file has changed (%v)", err)
		}
		check(errors.Join(os.Chown(path, 0, -1), os.Chmod(path, 0o600)))
	}
	w := want(size)
	w.Accept = func(func(any) error, int) (uint64, error) { return 0, errors.New("index differs") }
	refused(t, d, w, "index differs")
	mustLeave(t, mustJoin(t, d, "x", want(size)))

	d, path = made()
	for _, n := range []int64{contentsAt + size - 1, contentsAt, contentsAt + size + 1} {
		check(os.Truncate(path, n))
		refused(t, d, want(size), "its size is ")
	}
	for _, n := range []int64{pageBytes, 10, 0} {
		check(os.Truncate(path, n))
		refused(t, d, want(size), "cut short")
	}
	check(os.Chmod(path, 0o644))
	if n, err := d.Remove("x"); n != 0 || err != nil { // a damaged one can be removed
		t.Errorf("%d, %v", n, err)
	}
	holds(t, d, 0)

	for _, what := range []func() error{
		func() error { return os.Symlink(filepath.Join(string(d), "nowhere"), path) },
		func() error { return os.Mkdir(path, 0o700) },
	} {
		check(what())
		refused(t, d, want(size), "it is not a regular file")
		check(os.Remove(path))
	}
	w = want(size)
	w.Room = func() error { return errors.New("no room") }
	refused(t, d, w, "no room")
	refused(t, d, want(1<<55), "MiB available, 34359738368 are needed")
	refused(t, "nowhere/x", want(size), "no such file")
	holds(t, d, 0)
}

// A copy of a segment may have holes.
func TestHolesAreFilled(t *testing.T) {
	d := Dir(t.TempDir())
	a := mustJoin(t, d, "x", want(size))
	page := filetest.Read(t, d.file("x", ""))
	a.user.release()
	if err := errors.Join(os.Remove(d.file("x", "")), os.WriteFile(d.file("x", ""), page[:pageBytes], 0o600),
		os.Truncate(d.file("x", ""), contentsAt+size)); err != nil {
		t.Fatal(err)
	}
	s := mustJoin(t, d, "x", want(size))
	var info syscall.Stat_t
	if err := syscall.Stat(d.file("x", ""), &info); err != nil || info.Blocks*512 < size {
		t.Errorf("%d blocks, %v", info.Blocks, err)
	}
	mustLeave(t, s)
}

// Every byte of a damaged header is noticed, and nothing else than the header is read.
func TestDamagedHeader(t *testing.T) {
	d := Dir(t.TempDir())
	a := mustJoin(t, d, "x", want(size))
	good, err := container.EncodeHeader(container.Shared, header{"chess", size})
	if err != nil {
		t.Fatal(err)
	}
	a.user.release()
	f, err := os.OpenFile(d.file("x", ""), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := range good {
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := bytes.Clone(good)
			bad[i] ^= flip
			if _, err := f.WriteAt(bad, 0); err != nil {
				t.Fatal(err)
			}
			refused(t, d, want(size), d.file("x", "")+": ")
		}
	}
	for _, other := range []container.Kind{container.Hash, container.Shared} {
		text, err := container.EncodeHeader(other, struct{ Toy int }{1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt(text, 0); err != nil {
			t.Fatal(err)
		}
		refused(t, d, want(size), map[container.Kind]string{
			container.Hash: "it is a saved hash, expected a shared hash", container.Shared: "header is invalid",
		}[other])
	}
	if _, err := f.WriteAt(good, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xff}, stateWords*8), headerBytes); err != nil {
		t.Fatal(err)
	}
	s := mustJoin(t, d, "x", want(size))
	if s.State(0).Load() != ^uint64(0) || s.State(7).Load() != ^uint64(0) {
		t.Error("not the state")
	}
	mustLeave(t, s)
	holds(t, d, 0)
}
