package mem

import (
	"fmt"
	"strings"
)

// Pages is a kind of memory pages. Larger pages need fewer entries of the processor's translation
// buffer (TLB).
type Pages uint8

// The kinds. A region whose kind is not available lies on the next smaller one.
const (
	// AutoPages is Pages1GiB for regions of 8 GiB or more, otherwise Pages2MiB.
	AutoPages Pages = iota
	// Pages1GiB are pages of 1 GiB that the administrator has reserved (Linux).
	Pages1GiB
	// Pages2MiB are pages of 2 MiB that the administrator has reserved (Linux), or the large pages
	// of Windows, which an account needs the right to lock pages in memory for.
	Pages2MiB
	// TransparentPages are the huge pages of 2 MiB that Linux makes of free memory.
	TransparentPages
	// SmallPages are the pages of the processor, 4 to 64 KiB.
	SmallPages
)

var pagesNames = [...]string{AutoPages: "auto", Pages1GiB: "1GiB", Pages2MiB: "2MiB", TransparentPages: "transparent",
	SmallPages: "small"}

// String returns the name of a kind.
func (p Pages) String() string {
	if int(p) < len(pagesNames) {
		return pagesNames[p]
	}
	return fmt.Sprintf("pages(%d)", uint8(p))
}

const (
	bytes1GiB = 1 << 30
	bytes2MiB = 2 << 20

	// auto1GiB is the size from which AutoPages takes pages of 1 GiB: below, pages of 2 MiB need few entries.
	auto1GiB = 8 << 30
)

// A layout says which pages a region lies on: first pages of 1 GiB, then pages of 2 MiB, then the rest. A
// reserved page is never larger than what is left of the region.
type layout struct {
	pages1GiB, pages2MiB uint64 // reserved pages
	rest                 Pages  // TransparentPages or SmallPages
	nodes                []int  // NUMA nodes to interleave, none or at least two
	note                 string // why the region is not laid out as requested, or ""
}

// on1GiB returns the bytes on pages of 1 GiB, reserved those on all reserved pages.
func (l layout) on1GiB() uint64   { return l.pages1GiB * bytes1GiB }
func (l layout) reserved() uint64 { return l.on1GiB() + l.pages2MiB*bytes2MiB }

// addNote adds a reason to the note.
func (l *layout) addNote(format string, args ...any) {
	if l.note != "" {
		l.note += ", "
	}
	l.note += fmt.Sprintf(format, args...)
}

// Describe says on which pages a region of that size would lie now.
func Describe(bytes uint64, pages Pages) string {
	l := layoutOf(bytes, pages)
	return l.describe(bytes)
}

// describe is Describe for a layout.
func (l layout) describe(bytes uint64) string {
	var parts []string
	if l.pages1GiB > 0 {
		parts = append(parts, fmt.Sprintf("%d of 1 GiB", l.pages1GiB))
	}
	if l.pages2MiB > 0 {
		parts = append(parts, fmt.Sprintf("%d of 2 MiB", l.pages2MiB))
	}
	if rest := bytes - min(bytes, l.reserved()); rest > 0 {
		parts = append(parts, fmt.Sprintf("%d MiB %v", rest>>20, l.rest))
	}
	u := Usage{Nodes: len(l.nodes), Note: l.note}
	return strings.Join(parts, ", ") + u.placement()
}

// Usage says how a region lies in memory. Sizes are in bytes.
type Usage struct {
	Known       bool   // the system reports Resident and Transparent
	Size        uint64 // of the region
	Resident    uint64 // in memory now, on pages of any kind
	Transparent uint64 // of that on transparent huge pages
	Pages1GiB   uint64 // of that on reserved pages of 1 GiB
	Pages2MiB   uint64 // of that on reserved pages of 2 MiB, or on large pages
	Nodes       int    // NUMA nodes over which the pages are interleaved; 0: the system chooses
	Note        string // why the region does not lie as requested, or ""
}

// Plus returns the usage of two regions together.
func (u Usage) Plus(v Usage) Usage {
	u.Known = u.Known && v.Known
	u.Size += v.Size
	u.Resident += v.Resident
	u.Transparent += v.Transparent
	u.Pages1GiB += v.Pages1GiB
	u.Pages2MiB += v.Pages2MiB
	u.Nodes = max(u.Nodes, v.Nodes)
	if u.Note == "" {
		u.Note = v.Note
	}
	return u
}

// Huge returns how many bytes are on huge pages of any kind.
func (u Usage) Huge() uint64 { return u.Transparent + u.Pages1GiB + u.Pages2MiB }

// ordinary returns how many bytes become available to new regions of any kind by an Unmap:
// reserved pages go back to their pool.
func (u Usage) ordinary() uint64 {
	if reservedApart {
		return u.Resident - min(u.Resident, u.Pages1GiB+u.Pages2MiB)
	}
	return u.Resident
}

// String describes a region that has been touched.
func (u Usage) String() string {
	text := "huge pages unknown to this system"
	if u.Known {
		kinds := []string{fmt.Sprintf("%d %%", u.Huge()*100/max(u.Size, 1))}
		if u.Pages1GiB > 0 {
			kinds = append(kinds, fmt.Sprintf("%d of 1 GiB", u.Pages1GiB/bytes1GiB))
		}
		if u.Pages2MiB > 0 {
			kinds = append(kinds, fmt.Sprintf("%d of 2 MiB", u.Pages2MiB/bytes2MiB))
		}
		switch {
		case u.Transparent > 0 && u.Transparent == u.Huge():
			kinds = append(kinds, "transparent")
		case u.Transparent > 0:
			kinds = append(kinds, fmt.Sprintf("%d MiB transparent", u.Transparent>>20))
		}
		text = fmt.Sprintf("huge pages %d MiB (%s)", u.Huge()>>20, strings.Join(kinds, ", "))
	}
	return text + u.placement()
}

// Pending describes a region that has not been touched.
func (u Usage) Pending() string { return "huge pages pending" + u.placement() }

// placement is what both descriptions end with.
func (u Usage) placement() (text string) {
	if u.Nodes > 0 {
		text = fmt.Sprintf(", interleaved over %d NUMA nodes", u.Nodes)
	}
	if u.Note != "" {
		text += ", " + u.Note
	}
	return text
}
