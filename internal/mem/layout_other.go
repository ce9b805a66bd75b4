//go:build race || !(linux || windows)

package mem

import "runtime"

const reservedApart = false

// layoutOf returns small pages: there are no others. Apple's processors have a single page size.
func layoutOf(bytes uint64, want Pages) layout {
	l := layout{rest: SmallPages}
	if want != AutoPages && want != SmallPages {
		l.addNote("no huge pages on %s", runtime.GOOS)
	}
	return l
}
