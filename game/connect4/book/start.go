package book

import (
	_ "embed"
	"fmt"
	"sync"

	"trefoil/internal/container"
)

// startFile is what trefoil book connect4 --ply 8 writes.
//
//go:embed start
var startFile []byte

// Start returns the book that is part of the program: the standard board up to ply 8.
var Start = sync.OnceValue(func() *Book {
	var h header
	var s summary
	r, err := container.Read(startFile, "start", container.Book, &h, &s)
	if err == nil {
		var b *Book
		if b, err = read(r, h, &s); err == nil {
			return b
		}
	}
	panic(fmt.Sprintf("book: %v", err)) // a test reads it
})
