package cluster

import (
	"io"

	"trefoil/internal/container"
	"trefoil/internal/mem"
)

// Names for other programs, which cannot import the packages of these types. The tables of this module
// share the types.
type (
	MemoryOptions = mem.Options
	Pages         = mem.Pages
	Usage         = mem.Usage
	Field         = mem.Field
	Input         = container.Input
	Output        = container.Output
)

// The kinds of Pages.
const (
	AutoPages        = mem.AutoPages
	Pages1GiB        = mem.Pages1GiB
	Pages2MiB        = mem.Pages2MiB
	TransparentPages = mem.TransparentPages
	SmallPages       = mem.SmallPages
)

// File is the file at path, to load a table from.
func File(path string) Input { return container.File(path) }

// Reader is a pipe or another stream, to load a table from. Errors call it name.
func Reader(in io.Reader, name string) Input { return container.Stream(in, name) }

// Replace is the file at path, to save a table in. The new file replaces an old one in one step at the end.
func Replace(path string) Output { return container.Replace(path) }

// Writer is a pipe or another stream, to save a table in. Errors call it name.
func Writer(out io.Writer, name string) Output { return container.WriteStream(out, name) }
