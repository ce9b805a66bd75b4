package syzygy

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapFile maps a file for reading. unmap is nil if it is empty.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if size == 0 {
		return nil, nil, nil
	}
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: CreateFileMapping: %w", path, err)
	}
	defer func() { _ = windows.CloseHandle(h) }() // the view keeps the mapping
	view, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: MapViewOfFile: %w", path, err)
	}
	// The view is not memory of Go: reading its address through the variable is the conversion that
	// vet accepts.
	base := *(*unsafe.Pointer)(unsafe.Pointer(&view))
	return unsafe.Slice((*byte)(base), size), func() error { return windows.UnmapViewOfFile(view) }, nil
}
