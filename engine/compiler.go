package engine

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"trefoil/game/shogi/halfkp"
	"trefoil/nnue"
)

// compiler prints by what and for what the program was compiled, and the kernels that it uses on this processor.
func compiler(_ context.Context, _ []string, print func(string)) error {
	print(fmt.Sprintf("compiler  %s %s for %s/%s%s", runtime.Compiler, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		settings()))
	print(fmt.Sprintf("kernels   %s for nets, %s for the layers of YaneuraOu nets", nnue.Kernel(), halfkp.Kernel()))
	return nil
}

// settings returns the settings of the build that may change its speed.
func settings() string {
	var b strings.Builder
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "-pgo":
			b.WriteString(", profile-guided")
		case s.Key == "-race" || s.Key == "-tags" || strings.HasPrefix(s.Key, "GO") &&
			strings.TrimPrefix(s.Key, "GO") == strings.ToUpper(runtime.GOARCH):
			b.WriteString(", " + s.Key + " " + s.Value)
		}
	}
	return b.String()
}
