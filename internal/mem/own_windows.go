package mem

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// counters are PROCESS_MEMORY_COUNTERS of psapi.h.
type counters struct {
	size, faults                   uint32
	peakWorkingSet, workingSet     uintptr
	peakPaged, paged               uintptr
	peakNonPaged, nonPaged         uintptr
	pagefileUsage, peakOfPagefiles uintptr
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// own is Room.Own: the working set, 0 if the system does not report it.
func own() uint64 {
	c := counters{size: uint32(unsafe.Sizeof(counters{}))}
	if getProcessMemoryInfo.Find() != nil {
		return 0
	}
	if ok, _, _ := getProcessMemoryInfo.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&c)),
		uintptr(c.size)); ok == 0 {
		return 0
	}
	return uint64(c.workingSet)
}
