// Package container is the format of every file that Trefoil saves for itself: a header in JSON,
// blocks of bytes, a summary in JSON, and checksums that bind each to its place in its file.
//
//	| magic, kind, version, header | block 1 | block 2 | … | block n | end: summary, totals |
//
// All numbers are little-endian.
//
//	bytes of the beginning
//	8       "TREFOIL" and a line feed
//	8       kind: "hash", "proofs", "trace", "book", "shared", "training",
//	        "cert" or "scores", then zeros
//	4       version of the format
//	4       h, length of the header, at most MaxHeader
//	h       header: a JSON object
//	4       checksum
//
//	bytes of a block
//	4       b, length of its data, 1 to MaxBlock
//	b       data
//	4       checksum
//
//	bytes of the end
//	4       zeros
//	488     summary: a JSON object, then blanks
//	8       number of blocks
//	8       bytes of data in all blocks
//	4       checksum
//
// A checksum is the CRC-32C of all bytes of the file before it, earlier checksums left out. So a
// block that is moved within its file, or that comes from another file, does not fit, and the last
// checksum covers the whole file. A reader can check a block with the checksum before it: the CRC
// is continued from there. Checksums find accidents; they are no protection from forgery.
//
// A Writer needs no length in advance, and neither Writer nor Reader holds more than one block.
package container

import (
	"bytes"
	"fmt"
	"hash/crc32"
)

const (
	// Version is the version of the format, of the container as of what each Kind puts into it.
	// In version 1 each kind had a format of its own.
	Version = 2

	MaxHeader = 64 << 10
	MaxBlock  = 4 << 20

	magic       = "TREFOIL\n"
	kindBytes   = 8
	prefixBytes = len(magic) + kindBytes + 4 + 4

	lengthBytes  = 4
	sumBytes     = 4
	summaryBytes = 488
	endBytes     = lengthBytes + summaryBytes + 8 + 8 + sumBytes
)

// A Kind is what a file holds.
type Kind uint8

const (
	Hash        Kind = iota + 1 // the table of alpha-beta: package cluster
	Proofs                      // the table of proof search: package window
	Trace                       // the table accesses of a search: package ttanalysis
	Book                        // exact scores of Connect Four: package game/connect4/book
	Shared                      // memory that processes share; only its header has this format: package internal/shm
	Training                    // a checkpoint of the training of a net: tools/net
	Certificate                 // a proof of the value of a position: package game/certificate
	Scores                      // the table of the Connect Four solver: package search/exact
	kinds
)

// kindInfo describes a Kind in the format.
type kindInfo struct {
	tag    string // in the file
	name   string // with its article
	magic1 string // of format version 1
}

var kindInfos = [kinds]kindInfo{
	Hash:        {"hash", "a saved hash", "TREFHASH"},
	Proofs:      {"proofs", "a saved table of proofs", "TREFWIN\n"},
	Trace:       {"trace", "a trace", "TREFTRC\n"},
	Book:        {"book", "a book of Connect Four", "trefoil4"},
	Shared:      {tag: "shared", name: "a shared hash"},
	Training:    {tag: "training", name: "a checkpoint of a training"},
	Certificate: {tag: "cert", name: "a certificate"},
	Scores:      {tag: "scores", name: "a saved table of Connect Four"},
}

func (k Kind) info() kindInfo {
	if k == 0 || k >= kinds {
		return kindInfo{name: fmt.Sprintf("kind %d", k)}
	}
	return kindInfos[k]
}

// String names the kind, with its article: "a saved hash".
func (k Kind) String() string { return k.info().name }

// signature returns the first bytes of a file of the kind: magic and kind.
func (k Kind) signature() []byte {
	b := make([]byte, len(magic)+kindBytes)
	copy(b[copy(b, magic):], k.info().tag)
	return b
}

// is returns nil if head, the first bytes of a file, is of the kind, else an error that names what
// the file is.
func (k Kind) is(head []byte) error {
	if bytes.HasPrefix(head, k.signature()) {
		return nil
	}
	for other := range kinds {
		if old := other.info().magic1; old != "" && bytes.HasPrefix(head, []byte(old)) {
			return fmt.Errorf("it is %v of format version 1, expected version %d", other, Version)
		}
		if other != 0 && bytes.HasPrefix(head, other.signature()) {
			return fmt.Errorf("it is %v, expected %v", other, k)
		}
	}
	switch {
	case bytes.HasPrefix(k.signature(), head):
		return fmt.Errorf("cut short: it has %d bytes", len(head))
	case bytes.HasPrefix(head, []byte(magic)):
		tag := head[len(magic):min(len(head), len(magic)+kindBytes)]
		return fmt.Errorf("it is of the unknown kind %q, expected %v", bytes.TrimRight(tag, "\x00"), k)
	}
	return fmt.Errorf("it begins with %q, expected %q: it is not %v", head[:min(len(head), len(magic))], magic, k)
}

// An Error says why a file is not what it should be.
type Error struct {
	Path, Problem string
}

func (e *Error) Error() string { return e.Path + ": " + e.Problem }

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }
