package engine

import (
	"fmt"
	"math/bits"
	"runtime"

	"trefoil/internal/mem"
)

// A Machine is what the defaults of Threads and USI_Hash depend on.
type Machine struct {
	Processors int    // on which the process may run
	Free       uint64 // bytes of memory that it may take
}

// thisMachine returns what the machine and the limits of this process leave, control groups among them.
func thisMachine() Machine {
	free, _ := mem.Available()
	return Machine{runtime.GOMAXPROCS(0), free}
}

// threads is the default of Threads in USI. One processor is left for the GUI.
func (m Machine) threads() int { return min(max(m.Processors-1, 1), 8) }

// hash is the default of USI_Hash in MiB: a power of two, so that it is often the same at the next start.
func (m Machine) hash() int {
	mib := max(m.Free>>20/8, 16)
	return min(1<<(bits.Len64(mib)-1), 1024)
}

// On sets the machine for which Start chooses defaults, and returns e. Tests do not depend on theirs.
func (e *Engine) On(m Machine) *Engine {
	e.machine = func() Machine { return m }
	return e
}

// adapt chooses the defaults of USI, at the first call. Players of shogi often register an engine and set nothing, but
// testers of chess count on one thread and 16 MiB. No memory is taken yet.
func (e *Engine) adapt() {
	if e.machine == nil {
		return
	}
	m := e.machine()
	e.machine = nil
	e.options.Hash.SetDefault(m.hash())
	threads := m.threads()
	for threads > 1 && e.setThreads(threads) != nil {
		threads--
	}
	e.options.Threads.SetDefault(threads)
	e.keep()
	e.notices.Add(fmt.Sprintf("defaults for this machine: Threads %d (%d processors less one, at most 8 and what fits "+
		"into memory), USI_Hash %d (an eighth of %d MiB that are free, at most 1024)", threads, m.Processors, m.hash(),
		m.Free>>20))
}
