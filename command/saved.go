package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"trefoil/cluster"
	"trefoil/internal/intact"
)

const hashInspectUsage = `trefoil hash inspect FILE: what a saved hash says of itself.
Its header and its length are checked, not what comes after them.

exit status: 0; 1 if it is no whole file of a hash; 2 if it cannot be read
`

// hashInspect prints the header of a saved hash.
func hashInspect(args []string, std streams) int {
	path, status, ok := oneFile("inspect", hashInspectUsage, args, std)
	if !ok {
		return status
	}
	h, err := cluster.Inspect(path)
	if err != nil {
		return notWhole(std, err)
	}
	mib := h.Clusters / cluster.ClustersPerMiB
	options := fmt.Sprintf("Hash %d, HashIndex %s", mib, h.Index)
	if h.KeyBits != cluster.MaxKeyBits { // which is what HashKeyBits is by default
		options += fmt.Sprintf(", HashKeyBits %d", h.KeyBits)
	}
	for _, line := range [][2]string{
		{"file", fmt.Sprintf("%s, %d bytes, format %d", path, h.FileBytes(), cluster.FileVersion)},
		{"game", h.Game},
		{"key seed", h.Seed},
		{"size", fmt.Sprintf("%d MiB of %d asked: %d clusters of %d bytes", mib, h.MiB, h.Clusters, cluster.BytesPerCluster)},
		{"index", h.Index.String()},
		{"key bits", fmt.Sprint(h.KeyBits)},
		{"generation", fmt.Sprint(h.Generation)},
		{"entries", fmt.Sprintf("%d (%.1f %%)", h.Entries, 100*float64(h.Entries)/float64(3*h.Clusters))},
		{"blocks", fmt.Sprintf("%d of up to %d MiB", h.Blocks(), cluster.BlockBytes>>20)},
		{"to load it", options},
	} {
		fmt.Fprintf(std.out, "%-10s  %s\n", line[0], line[1])
	}
	return 0
}

const hashVerifyUsage = `trefoil hash verify FILE: reads a saved hash from its first byte to its last.
It names the first block that is damaged and the byte at which that begins.

exit status: 0; 1 if it is no whole file of a hash; 2 if it cannot be read; 130 after Ctrl-C
`

// hashVerify checks every block of a saved hash.
func hashVerify(args []string, std streams) int {
	path, status, ok := oneFile("verify", hashVerifyUsage, args, std)
	if !ok {
		return status
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	progress := newBar(std.err, 100)
	h, err := cluster.Verify(ctx, path, func(done, total uint64) { progress.show(int(100 * done / total)) })
	progress.clear()
	if ctx.Err() != nil {
		fmt.Fprintf(std.err, "trefoil: %v\n", err)
		return statusInterrupted
	}
	if err != nil {
		return notWhole(std, err)
	}
	fmt.Fprintf(std.out, "%s is whole: %d blocks, %d entries\n", path, h.Blocks(), h.Entries)
	return 0
}

// oneFile reads the arguments of a subcommand of hash: a file. If not ok the subcommand
// ends with the status.
func oneFile(name, usage string, args []string, std streams) (path string, status int, ok bool) {
	flags := newFlags("hash " + name)
	if status, ok = parseFlags(flags, args, 1, usage, std); !ok {
		return "", status, false
	}
	if path = flags.Arg(0); path == "" {
		return "", misuse(std, "hash %s: it goes: hash %s FILE", name, name), false
	}
	return path, 0, true
}

// notWhole tells why a file is no good, or cannot be read, and returns the exit status.
func notWhole(std streams, err error) int {
	fmt.Fprintf(std.err, "trefoil: %v\n", err)
	if wrong := (*intact.Error)(nil); errors.As(err, &wrong) {
		return statusWrong
	}
	return statusMisuse
}
