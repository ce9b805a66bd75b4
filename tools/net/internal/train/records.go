package train

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"slices"

	"trefoil/tools/net/internal/record"
)

// A Format is how the records of a game become samples.
type Format struct {
	Bytes int // of a record
	// Decode sets to, whose slices may be reused. It checks what the features depend on.
	Decode func(rec []byte, to *Sample) error
	// Images, unless 0, is the number of positions that are equal but for a symmetry of the game. Each pass takes
	// another: Turn replaces the position of a record by one of its images, 0 to Images-1. Image 0 is itself.
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

// HeldOut reports whether a game is held out, by its number modulo 65536.
func HeldOut(number uint16) bool { return number%heldOutIn == 0 }

// heldOut reports whether a record is of a game that is held out.
func heldOut(rec []byte) bool { return HeldOut(record.TailOf(rec).Number) }

// Data calls use with the records of all files, several at a time and always in the same order.
type Data func(use func(records []byte) error) error

// HeldOut returns the positions that are of games that are held out, which may be none.
func (f *Format) HeldOut(data Data) (Batch, error) {
	var held []byte
	err := data(func(records []byte) error {
		for at := 0; at < len(records); at += f.Bytes {
			if rec := records[at:][:f.Bytes]; heldOut(rec) {
				held = append(held, rec...)
			}
		}
		return nil
	})
	return f.batch(held), err
}

// Records is the Source of records, without the games that are held out, no position twice. The
// records are dealt to groups by their positions; each group fits the memory: one group stays in memory,
// several are temporary files. In each pass the groups come in a new order, and so do the records of each
// group. Two records of one group may meet in a batch in any pass, those of two groups only where one
// follows the other.
type Records struct {
	format     *Format
	seed       uint64
	groups     []group
	count      int    // records of all groups
	duplicates int    // records that were dropped
	held       []byte // records of games that are held out
	sum        uint32 // checksum of all records
	place      Place  // of the next sample
	loaded     Place  // Pass and Group of what is in memory
	records    []byte // of one group
	order      []uint32
	next       []byte // the last batch
}

// A group is a part of the records; file is nil if it is in memory.
type group struct {
	count int
	file  *os.File
	out   *bufio.Writer
}

// Open reads records, of which there are about total bytes. memory is about the most that are kept in
// memory, beside the games that are held out. If there are more, groups are files in a folder, nameless
// where the system allows it. Close removes them.
func Open(format *Format, data Data, seed uint64, total, memory int64, folder string) (*Records, error) {
	r := &Records{format: format, seed: seed, groups: make([]group, max(1, (total+memory-1)/memory)),
		loaded: Place{Pass: -1}}
	if err := r.fill(data, total, folder); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// fill deals records to the groups.
func (r *Records) fill(data Data, total int64, folder string) error {
	if len(r.groups) == 1 {
		r.records = make([]byte, 0, total)
	} else if err := r.createFiles(folder); err != nil {
		return err
	}
	size := r.format.Bytes
	err := data(func(records []byte) error {
		r.sum = crc32.Update(r.sum, castagnoli, records)
		for at := 0; at < len(records); at += size {
			if err := r.deal(records[at:][:size]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range r.groups {
		if err := r.unify(&r.groups[i]); err != nil {
			return err
		}
	}
	if r.count == 0 {
		return fmt.Errorf("no position to train on: the %d positions are of games that are held out", len(r.held)/size)
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// unify drops the records of a group whose position an earlier one has.
func (r *Records) unify(g *group) error {
	if g.file != nil {
		if err := g.out.Flush(); err != nil {
			return err
		}
		g.out = nil
		if err := r.readGroup(g); err != nil {
			return err
		}
	}
	size, kept := r.format.Bytes, 0
	seen, seed := make(map[uint64]struct{}, g.count), maphash.MakeSeed()
	for at := 0; at < len(r.records); at += size {
		rec := r.records[at:][:size]
		hash := maphash.Bytes(seed, record.Place(rec))
		if _, ok := seen[hash]; ok {
			continue
		}
		seen[hash] = struct{}{}
		copy(r.records[kept:], rec)
		kept += size
	}
	r.records = r.records[:kept]
	r.duplicates += g.count - kept/size
	g.count = kept / size
	r.count += g.count
	if g.file == nil {
		return nil
	}
	_, err := g.file.WriteAt(r.records, 0)
	return err
}

// readGroup reads the records of a group.
func (r *Records) readGroup(g *group) error {
	n := g.count * r.format.Bytes
	r.records = slices.Grow(r.records[:0], n)[:n]
	if _, err := g.file.ReadAt(r.records, 0); err != nil {
		return fmt.Errorf("temporary file %s: %w", g.file.Name(), err)
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
func (r *Records) deal(rec []byte) error {
	if heldOut(rec) {
		r.held = append(r.held, rec...)
		return nil
	}
	if len(r.groups) == 1 {
		r.groups[0].count++
		r.records = append(r.records, rec...)
		return nil
	}
	g := &r.groups[int(crc32.Checksum(record.Place(rec), castagnoli))%len(r.groups)]
	g.count++
	_, err := g.out.Write(rec)
	return err
}

// Count returns the number of records to train on.
func (r *Records) Count() int { return r.count }

// ID names the contents of the files and the number of groups: what the order of the samples depends on,
// beside the seed.
func (r *Records) ID() string {
	all := r.count + r.duplicates + len(r.held)/r.format.Bytes
	return fmt.Sprintf("%d positions, checksum %08x, groups %d", all, r.sum, len(r.groups))
}

// Duplicates returns the number of records that were dropped.
func (r *Records) Duplicates() int { return r.duplicates }

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
	g := &r.groups[number]
	if g.file != nil {
		if err := r.readGroup(g); err != nil {
			return err
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
