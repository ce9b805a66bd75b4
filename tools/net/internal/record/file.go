package record

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"trefoil/internal/atomicfile"
)

const (
	magic      = "TREFOIL\ndata\x00\x00\x00\x00" // and the kind
	version    = 2
	blockBytes = 12 // of a block before its game

	// MaxHeader and MaxGame bound what a reader allocates for a header and for a game, in bytes.
	MaxHeader = 1 << 12
	MaxGame   = 1 << 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Header says what a file holds.
type Header struct {
	Game   string `json:"game"`
	Games  string `json:"games"`  // how the games were played, by which evaluation
	Scores string `json:"scores"` // where the scores are from
}

// encode returns the beginning of a file.
func (h Header) encode() ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if len(text) > MaxHeader {
		return nil, fmt.Errorf("a header of %d bytes", len(text))
	}
	b := binary.LittleEndian.AppendUint32([]byte(magic), version)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = append(b, text...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

// Reader reads a file game by game.
type Reader struct {
	Header
	name string
	f    *os.File
	in   *bufio.Reader
	at   int64 // where the next game begins
	buf  []byte
}

// Open opens a file for reading.
func Open(name string) (*Reader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	r, err := read(f, name)
	if errors.Is(err, errCut) {
		err = fmt.Errorf("%s: the file ends in its header", name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// Close closes the file.
func (r *Reader) Close() error { return r.f.Close() }

// errCut is returned where a file ends too early.
var errCut = errors.New("cut off")

// read reads the header.
func read(f *os.File, name string) (*Reader, error) {
	r := &Reader{name: name, f: f, in: bufio.NewReaderSize(f, 1<<20)}
	head := make([]byte, len(magic)+8)
	if err := r.full(head); err != nil {
		return nil, err
	}
	if string(head[:len(magic)]) != magic {
		return nil, fmt.Errorf("%s is not a file of games: it begins with %q", name, head[:len(magic)])
	}
	if v := binary.LittleEndian.Uint32(head[len(magic):]); v != version {
		return nil, fmt.Errorf("%s: version %d of the format, only %d is known", name, v, version)
	}
	h := binary.LittleEndian.Uint32(head[len(magic)+4:])
	if h > MaxHeader {
		return nil, fmt.Errorf("%s: damaged: a header of %d bytes", name, h)
	}
	rest := make([]byte, h+4)
	if err := r.full(rest); err != nil {
		return nil, err
	}
	text := rest[:h]
	sum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, text)
	if sum != binary.LittleEndian.Uint32(rest[h:]) {
		return nil, fmt.Errorf("%s: the header is damaged", name)
	}
	if err := json.Unmarshal(text, &r.Header); err != nil {
		return nil, fmt.Errorf("%s: header: %w", name, err)
	}
	r.at = int64(len(head) + len(rest))
	return r, nil
}

// full fills b.
func (r *Reader) full(b []byte) error {
	_, err := io.ReadFull(r.in, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

// Next returns the number of the next game and its bytes, which are valid until it is called again. The
// error is io.EOF after the last whole game.
func (r *Reader) Next() (number int, game []byte, err error) {
	var head [blockBytes]byte
	if err := r.full(head[:]); err != nil {
		return 0, nil, eof(err)
	}
	n := int(binary.LittleEndian.Uint32(head[4:]))
	if n > MaxGame {
		return 0, nil, r.damaged()
	}
	if cap(r.buf) < n {
		r.buf = make([]byte, n)
	}
	game = r.buf[:n]
	if err := r.full(game); err != nil {
		return 0, nil, eof(err)
	}
	if blockSum(head[:8], game) != binary.LittleEndian.Uint32(head[8:]) {
		return 0, nil, r.damaged()
	}
	r.at += int64(blockBytes + n)
	return int(binary.LittleEndian.Uint32(head[:])), game, nil
}

func (r *Reader) damaged() error {
	return fmt.Errorf("%s: the game at byte %d is damaged", r.name, r.at)
}

func eof(err error) error {
	if errors.Is(err, errCut) {
		return io.EOF
	}
	return err
}

func blockSum(head, game []byte) uint32 {
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, game)
}

// Writer adds games to a file. Until Close no other process can.
type Writer struct {
	f       *os.File
	ends    []int64 // of the header and of each game
	release func()
}

// Resume opens a file of h for writing behind its last whole game, or makes it. A file with another
// header is refused.
func Resume(name string, h Header) (w *Writer, err error) {
	head, err := h.encode()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Dir(name)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	release, err := atomicfile.Lock(name)
	if err != nil {
		return nil, err
	}
	f, err := atomicfile.OpenAppend(name)
	if err != nil {
		release()
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
			release()
		}
	}()
	w = &Writer{f.File, []int64{int64(len(head))}, release}
	r, err := read(f.File, name)
	if errors.Is(err, errCut) {
		return w, w.begin(name, head)
	}
	if err != nil {
		return nil, err
	}
	if err := r.same(h); err != nil {
		return nil, fmt.Errorf("%s: %w; choose another name", name, err)
	}
	for {
		_, _, err := r.Next()
		if errors.Is(err, io.EOF) {
			return w, w.Truncate(w.Games())
		}
		if err != nil {
			return nil, err
		}
		w.ends = append(w.ends, r.at)
	}
}

// same reports what in h is not as in the file.
func (h Header) same(as Header) error {
	for _, v := range [...]struct{ name, a, b string }{
		{"game is", h.Game, as.Game},
		{"games are by", h.Games, as.Games}, {"scores are by", h.Scores, as.Scores},
	} {
		if v.a != v.b {
			return fmt.Errorf("its %s %q, not %q", v.name, v.a, v.b)
		}
	}
	return nil
}

// begin writes the header of a new file, or of one whose header was cut off.
func (w *Writer) begin(name string, head []byte) error {
	old := make([]byte, len(head))
	n, err := w.f.ReadAt(old, 0)
	if !errors.Is(err, io.EOF) || string(old[:n]) != string(head[:n]) {
		return fmt.Errorf("%s is not a file of games with these flags: choose another name", name)
	}
	if err := w.f.Truncate(0); err != nil {
		return err
	}
	_, err = w.f.Write(head)
	return err
}

// Games is the number of games in the file.
func (w *Writer) Games() int { return len(w.ends) - 1 }

// Truncate keeps the first games of the file only.
func (w *Writer) Truncate(games int) error {
	w.ends = w.ends[:games+1]
	return w.f.Truncate(w.ends[games])
}

// Append adds a game.
func (w *Writer) Append(number int, game []byte) error {
	if len(game) > MaxGame {
		return fmt.Errorf("game %d: %d bytes", number, len(game))
	}
	b := make([]byte, 0, blockBytes+len(game))
	b = binary.LittleEndian.AppendUint32(b, uint32(number))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(game)))
	b = binary.LittleEndian.AppendUint32(b, blockSum(b, game))
	b = append(b, game...)
	if _, err := w.f.Write(b); err != nil {
		return err
	}
	w.ends = append(w.ends, w.ends[len(w.ends)-1]+int64(len(b)))
	return nil
}

// Close closes the file when it is safe on its device.
func (w *Writer) Close() error {
	defer w.release()
	return errors.Join(w.f.Sync(), w.f.Close())
}
