package train

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"

	"trefoil/tools/net/internal/record"
)

// A Format is how the records of a game become samples.
type Format struct {
	Game  string
	Bytes int // of a record
	// Decode sets to, whose slices may be reused. It checks what the features depend on.
	Decode func(rec []byte, to *Sample) error
	// Images, unless 0, is the number of positions that are equal but for a symmetry of the game. Each pass takes
	// another one of them: Turn makes a record that of an image, 0 to Images-1. Image 0 is the position itself.
	Images int
	Turn   func(rec []byte, image int)
}

// batch returns records as a Batch. Their length is a multiple of f.Bytes.
func (f *Format) batch(records []byte) Batch { return recordBatch{f, records} }

type recordBatch struct {
	format  *Format
	records []byte
}

func (b recordBatch) Len() int { return len(b.records) / b.format.Bytes }

func (b recordBatch) Sample(i int, to *Sample) error {
	return b.format.Decode(b.records[i*b.format.Bytes:][:b.format.Bytes], to)
}

// heldOutIn is the number of games of which one is held out for validation.
const heldOutIn = 20

// heldOut reports whether a record is of a game that is held out.
func heldOut(rec []byte) bool { return record.TailOf(rec).Number%heldOutIn == 0 }

// read calls use for each record of files, which it checks. A file without records is an error.
func (f *Format) read(names []string, use func(rec []byte) error) error {
	if len(names) == 0 {
		return errors.New("no file of positions")
	}
	for _, name := range names {
		n, err := f.readFile(name, use)
		if err == nil && n == 0 {
			err = fmt.Errorf("%s: no positions", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readFile returns the number of records of a file.
func (f *Format) readFile(name string, use func(rec []byte) error) (n int, err error) {
	in, err := record.Open(name)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if in.Game != f.Game || in.Bytes != f.Bytes {
		return 0, fmt.Errorf("%s: positions of %s in %d bytes, want %s in %d", name, in.Game, in.Bytes, f.Game, f.Bytes)
	}
	var sample Sample
	for {
		number, records, err := in.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
		for at := 0; at < len(records); at += f.Bytes {
			rec := records[at:][:f.Bytes]
			if err := f.Decode(rec, &sample); err != nil {
				return 0, fmt.Errorf("%s: game %d, record %d: %w", name, number, at/f.Bytes, err)
			}
			if err := use(rec); err != nil {
				return 0, err
			}
			n++
		}
	}
}

// HeldOut returns the positions of files that are of games that are held out, which may be none.
func (f *Format) HeldOut(names []string) (Batch, error) {
	var records []byte
	err := f.read(names, func(rec []byte) error {
		if heldOut(rec) {
			records = append(records, rec...)
		}
		return nil
	})
	return f.batch(records), err
}

// Records is the Source of the positions of files, without the games that are held out. Every record
// is read and checked before the first sample. The records are dealt at random to groups, each of
// which fits the memory: one group stays in memory, several are temporary files. In each pass the
// groups come in a new order, and so do the records of each group. Two records of one group may meet
// in a batch in any pass, those of two groups only where one follows the other.
type Records struct {
	format  *Format
	seed    uint64
	groups  []group
	count   int    // records of all groups
	held    []byte // records of games that are held out
	sum     uint32 // checksum of all records of all files
	place   Place  // of the next sample
	loaded  Place  // Pass and Group of what is in memory
	records []byte // of one group
	order   []uint32
	next    []byte // the last batch
}

// A group is a part of the records; file is nil if it is in memory.
type group struct {
	count int
	file  *os.File
	out   *bufio.Writer
}

// Open reads files of positions. memory is about the most bytes of records that are kept in memory,
// beside the games that are held out. If there are more, groups are files in a folder, nameless where
// the system allows it. Close removes them.
func Open(format *Format, names []string, seed uint64, memory int64, folder string) (*Records, error) {
	total := int64(1)
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		total += info.Size()
	}
	r := &Records{format: format, seed: seed, groups: make([]group, (total+memory-1)/memory), loaded: Place{Pass: -1}}
	if err := r.fill(names, total, folder); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// fill deals the records of files of total bytes to the groups.
func (r *Records) fill(names []string, total int64, folder string) error {
	if len(r.groups) == 1 {
		r.records = make([]byte, 0, total)
	} else if err := r.createFiles(folder); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(r.seed, 1))
	err := r.format.read(names, func(rec []byte) error {
		r.sum = crc32.Update(r.sum, crc32.MakeTable(crc32.Castagnoli), rec)
		return r.deal(rec, random)
	})
	if err != nil {
		return err
	}
	if r.count == 0 {
		return fmt.Errorf("no position to train on: the %d positions are of games that are held out", len(r.held)/r.format.Bytes)
	}
	for _, g := range r.groups {
		if g.file != nil {
			if err := g.out.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// createFiles creates the files of the groups.
func (r *Records) createFiles(folder string) error {
	for i := range r.groups {
		f, err := os.CreateTemp(folder, ".net-group-*")
		if err != nil {
			return err
		}
		_ = os.Remove(f.Name()) // Windows refuses; then Close removes it
		r.groups[i] = group{file: f, out: bufio.NewWriterSize(f, 1<<18)}
	}
	return nil
}

// Close removes the temporary files.
func (r *Records) Close() error {
	var errs []error
	for _, g := range r.groups {
		if g.file == nil {
			continue
		}
		errs = append(errs, g.file.Close())
		if err := os.Remove(g.file.Name()); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// deal keeps a record.
func (r *Records) deal(rec []byte, random *rand.Rand) error {
	if heldOut(rec) {
		r.held = append(r.held, rec...)
		return nil
	}
	r.count++
	if len(r.groups) == 1 {
		r.groups[0].count++
		r.records = append(r.records, rec...)
		return nil
	}
	g := &r.groups[random.IntN(len(r.groups))]
	g.count++
	_, err := g.out.Write(rec)
	return err
}

// Count returns the number of records to train on.
func (r *Records) Count() int { return r.count }

// ID names the contents of the files and the number of groups: what the order of the samples depends on,
// beside the seed.
func (r *Records) ID() string {
	return fmt.Sprintf("%d positions, checksum %08x, groups %d", r.count+len(r.held)/r.format.Bytes, r.sum, len(r.groups))
}

// HeldOut returns at most limit of the records of games that are held out, evenly spread.
func (r *Records) HeldOut(limit int) Batch {
	size := r.format.Bytes
	n := len(r.held) / size
	limit = min(limit, n)
	some := make([]byte, 0, limit*size)
	for i := range limit {
		some = append(some, r.held[i*n/limit*size:][:size]...)
	}
	return r.format.batch(some)
}

// Place returns where the stream is.
func (r *Records) Place() Place { return r.place }

// Seek continues the stream from a place.
func (r *Records) Seek(p Place) error {
	if p.Pass < 0 || p.Group < 0 || p.Group >= len(r.groups) || p.Sample < 0 || p.Sample > r.groups[r.group(p)].count {
		return fmt.Errorf("pass %d has no sample %d of group %d", p.Pass, p.Sample, p.Group)
	}
	r.place = p
	return nil
}

// Next returns the next n records.
func (r *Records) Next(n int) (Batch, error) {
	size := r.format.Bytes
	r.next = r.next[:0]
	for len(r.next) < n*size {
		if err := r.load(); err != nil {
			return nil, err
		}
		for r.place.Sample < len(r.order) && len(r.next) < n*size {
			at := int(r.order[r.place.Sample]) * size
			r.next = append(r.next, r.records[at:at+size]...)
			if images := r.format.Images; images > 0 {
				r.format.Turn(r.next[len(r.next)-size:], (at/size+r.place.Pass)%images)
			}
			r.place.Sample++
		}
		if r.place.Sample < len(r.order) {
			continue
		}
		r.place.Sample = 0
		if r.place.Group++; r.place.Group == len(r.groups) {
			r.place.Pass, r.place.Group = r.place.Pass+1, 0
		}
	}
	return r.format.batch(r.next), nil
}

// random returns the random numbers for a pass: number 0 for the order of the groups, the others for
// that of the records of each group.
func (r *Records) random(pass, number int) *rand.Rand {
	return rand.New(rand.NewPCG(r.seed, 2+uint64(pass)<<24+uint64(number)))
}

// group returns the number of the group at a place.
func (r *Records) group(p Place) int { return r.random(p.Pass, 0).Perm(len(r.groups))[p.Group] }

// load loads the group at the present place, and draws the order of its records.
func (r *Records) load() error {
	if r.loaded.Pass == r.place.Pass && r.loaded.Group == r.place.Group {
		return nil
	}
	number := r.group(r.place)
	g := r.groups[number]
	if g.file != nil {
		r.records = append(r.records[:0], make([]byte, g.count*r.format.Bytes)...)
		if _, err := g.file.ReadAt(r.records, 0); err != nil {
			return fmt.Errorf("temporary file %s: %w", g.file.Name(), err)
		}
	}
	r.order = r.order[:0]
	for i := range g.count {
		r.order = append(r.order, uint32(i))
	}
	r.random(r.place.Pass, 1+number).Shuffle(g.count, func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
	r.loaded = r.place
	return nil
}
