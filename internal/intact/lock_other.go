//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package intact

import "os"

const locks = false

// lock keeps nobody off.
func lock(*os.File) bool { return true }
