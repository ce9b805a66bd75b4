package shm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Info describes a segment.
type Info struct {
	Name   string
	Users  int    // processes that have it
	Memory uint64 // bytes that it takes
	Err    error  // why it cannot be read; then the rest is unknown
	page   []byte
	path   string
}

// Header decodes the header.
func (i *Info) Header(into any) error {
	if i.Err != nil {
		return i.Err
	}
	return decodeHeader(i.path, i.page, into)
}

// List returns all segments, by their names, and removes what dead processes have left beside them.
func (d Dir) List() ([]Info, error) {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name, ours := strings.CutPrefix(e.Name(), prefix); ours {
			name, _, _ = strings.Cut(name, ".")
			if CheckName(name) == nil {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	var list []Info
	for _, name := range slices.Compact(names) {
		i, err := d.info(name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // files of dead processes only
		case err != nil:
			list = append(list, Info{Name: name, Err: err})
		default:
			list = append(list, i)
		}
	}
	return list, nil
}

// info describes the segment of a name.
func (d Dir) info(name string) (Info, error) {
	g, err := d.enter(context.Background(), name, toJoin)
	if err != nil {
		return Info{}, err
	}
	defer g.leave()
	users, err := g.users()
	if err != nil {
		return Info{}, err
	}
	path := d.file(name, "")
	f, info, page, err := readPage(path)
	if err != nil {
		return Info{}, err
	}
	return Info{Name: name, Users: users, Memory: memory(info), page: page, path: path}, f.Close()
}

// Remove removes a segment of this user, whatever is in it. Its users, whose number is returned, keep
// it until they leave; who joins the name next makes a new one.
func (d Dir) Remove(name string) (users int, err error) {
	if err := CheckName(name); err != nil {
		return 0, err
	}
	path := d.file(name, "")
	info, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	if owner, known := owner(info); known && owner != os.Geteuid() {
		return 0, trusted(path, info)
	}
	if info.Mode().IsRegular() && info.Mode().Perm() != 0o600 {
		if err := os.Chmod(path, 0o600); err != nil {
			return 0, err
		}
	}
	g, err := d.enter(context.Background(), name, toJoin)
	if err != nil {
		return 0, fmt.Errorf("shared hash %q: %w", name, err)
	}
	defer g.leave()
	if users, err = g.users(); err != nil {
		return 0, err
	}
	return users, g.removeSegment()
}
