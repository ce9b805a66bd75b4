// Package version says which version of the module a program was built of.
package version

import (
	"runtime/debug"
	"strings"
	"sync"
)

// number is the version that is being developed.
const number = "0.1"

// stamp is the version that make sets by the linker: the output of git describe, empty without git.
var stamp string

// String is the version of the program, and the commit where the build knows it: as stamped by make, or as the
// go command recorded it for the main module.
var String = sync.OnceValue(func() string {
	module := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		module = info.Main.Version
	}
	return versionOf(stamp, module)
})

// Short is the version without the commit, the same for every build of it.
func Short() string { return shortOf(String()) }

func shortOf(version string) string {
	short, _, _ := strings.Cut(version, "-")
	return short
}

// versionOf is the version by the stamp, which comes first, and the version of the main module. Either may be
// empty. A tag has the form v1.2; without one the stamp is a commit, and the module has the pseudo-version
// v0.0.0-TIME-COMMIT.
func versionOf(stamp, module string) string {
	described := stamp
	if described == "" && module != "(devel)" {
		described = strings.TrimPrefix(module, "v0.0.0-")
	}
	switch {
	case described == "":
		return number
	case len(described) > 1 && described[0] == 'v' && '0' <= described[1] && described[1] <= '9':
		return described[1:]
	}
	return number + "-" + described
}
