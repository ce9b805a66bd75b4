package ttanalysis

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"unicode/utf8"

	"trefoil/cluster"
)

// A trace is a file of this form, all numbers little-endian.
//
//	offset  bytes
//	0       8      "TREFTRC\n"
//	8       4      version of this format
//	12      4      bytes of a record
//	16      8      records, the last of which is End
//	24      8      MiB of the table that was searched with
//	32      4      its index
//	36      4      its check bits
//	40      64     game: text filled up with zeros
//	104     64     seed of the key words
//	168     340    note: what was searched
//	508     4      CRC-32C of the 508 bytes before
//	512            blocks of up to 4,096 records; all but the last are full:
//	        n×16     records
//	        4        CRC-32C of the number of the block, from 0, in 8 bytes, and its records
const (
	magic       = "TREFTRC\n"
	version     = 1
	labelBytes  = 64
	noteBytes   = 340
	headerBytes = 512
	sumBytes    = 4
	recordBytes = 16

	gameStart = 40
	seedStart = gameStart + labelBytes
	noteStart = seedStart + labelBytes

	perBlock   = 4096
	blockBytes = perBlock*recordBytes + sumBytes
)

// The compiler checks that the header is full.
const _ = uint(headerBytes-sumBytes-noteStart-noteBytes) + uint(noteStart+noteBytes+sumBytes-headerBytes)

// A TraceHeader says what a trace was recorded from. Table and generation were empty and first
// when it began.
type TraceHeader struct {
	Game    string // at most 64 bytes
	MiB     uint64
	Index   cluster.Index
	KeyBits int
	Seed    string // of the key words, at most 64 bytes
	Note    string // what was searched; only its first 340 bytes are kept
	Records uint64 // the Writer counts them
}

// A FileError says why a file is not a trace.
type FileError struct {
	Path      string
	What      string // what is wrong: magic, version, length, checksum …
	Got, Want string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s: %s is %s, want %s", e.Path, e.What, e.Got, e.Want)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// bytes returns the header as it stands in a file.
func (h TraceHeader) bytes() ([]byte, error) {
	for _, f := range []struct{ name, text string }{{"game", h.Game}, {"seed", h.Seed}} {
		if len(f.text) > labelBytes || strings.Contains(f.text, "\x00") {
			return nil, fmt.Errorf("trace: %s %q is longer than %d bytes or has a zero in it", f.name, f.text, labelBytes)
		}
	}
	b := make([]byte, headerBytes)
	copy(b, magic)
	put := binary.LittleEndian
	put.PutUint32(b[8:], version)
	put.PutUint32(b[12:], recordBytes)
	put.PutUint64(b[16:], h.Records)
	put.PutUint64(b[24:], h.MiB)
	put.PutUint32(b[32:], uint32(h.Index))
	put.PutUint32(b[36:], uint32(h.KeyBits))
	copy(b[gameStart:], h.Game)
	copy(b[seedStart:], h.Seed)
	note := strings.ReplaceAll(h.Note, "\x00", " ")
	for len(note) > noteBytes {
		_, last := utf8.DecodeLastRuneInString(note)
		note = note[:len(note)-last]
	}
	copy(b[noteStart:], note)
	put.PutUint32(b[headerBytes-sumBytes:], crc32.Checksum(b[:headerBytes-sumBytes], castagnoli))
	return b, nil
}

// parseHeader reads the header of a file, of which b is the beginning.
func parseHeader(b []byte, path string) (h TraceHeader, err error) {
	wrong := func(what, got, want string) (TraceHeader, error) {
		return TraceHeader{}, &FileError{path, what, got, want}
	}
	if len(b) >= len(magic) && string(b[:len(magic)]) != magic {
		return wrong("magic", fmt.Sprintf("%q", b[:len(magic)]), fmt.Sprintf("%q", magic))
	}
	if len(b) < headerBytes {
		return wrong("length", fmt.Sprint(len(b)), fmt.Sprintf("at least %d: truncated", headerBytes))
	}
	get := binary.LittleEndian
	if v := get.Uint32(b[8:]); v != version {
		return wrong("version", fmt.Sprint(v), fmt.Sprint(version))
	}
	got, want := crc32.Checksum(b[:headerBytes-sumBytes], castagnoli), get.Uint32(b[headerBytes-sumBytes:])
	if got != want {
		return wrong("checksum of the header", fmt.Sprintf("%#x", got), fmt.Sprintf("%#x: damaged", want))
	}
	if s := get.Uint32(b[12:]); s != recordBytes {
		return wrong("record size", fmt.Sprint(s), fmt.Sprint(recordBytes))
	}
	text := func(at, n int) string { return string(bytes.TrimRight(b[at:at+n], "\x00")) }
	h = TraceHeader{
		Game: text(gameStart, labelBytes), Seed: text(seedStart, labelBytes), Note: text(noteStart, noteBytes),
		Records: get.Uint64(b[16:]), MiB: get.Uint64(b[24:]),
		Index: cluster.Index(get.Uint32(b[32:])), KeyBits: int(get.Uint32(b[36:])),
	}
	if h.Records == 0 || h.Records > 1<<56 {
		return wrong("number of records", fmt.Sprint(h.Records), "at least 1")
	}
	return h, nil
}

// fileBytes is how long a file of so many records is.
func fileBytes(records uint64) uint64 {
	blocks := (records + perBlock - 1) / perBlock
	return headerBytes + records*recordBytes + blocks*sumBytes
}

// blockSum is the checksum of a block.
func blockSum(number uint64, records []byte) uint32 {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], number)
	return crc32.Update(crc32.Checksum(n[:], castagnoli), castagnoli, records)
}
