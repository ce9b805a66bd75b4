package syzygy

import (
	"errors"
	"runtime"
	"runtime/debug"
)

// errUnreadable is the error of memory whose file cannot be read any more: it was cut short, or its disk is
// gone.
var errUnreadable = errors.New("the file cannot be read any more")

// guard calls f, which reads mapped files, and returns errUnreadable if the system cannot read one.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(runtime.Error); ok {
				if _, fault := e.(interface{ Addr() uintptr }); fault {
					err = errUnreadable
					return
				}
			}
			panic(r)
		}
	}()
	return f()
}
