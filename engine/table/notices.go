package table

import "sync"

// Notices collects lines for the user until they are taken. Its methods may be called
// from any goroutine.
type Notices struct {
	mu       sync.Mutex
	lines    []string
	table    string // the latest line about the table
	progress string // the latest line about a long operation
}

// Add appends a line.
func (n *Notices) Add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

// SetTable replaces the line about the table; "" removes it.
func (n *Notices) SetTable(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.table = line
}

// SetProgress replaces the line about a long operation; "" removes it.
func (n *Notices) SetProgress(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.progress = line
}

// Take returns all lines and removes them.
func (n *Notices) Take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines := n.lines
	if n.table != "" {
		lines = append(lines, n.table)
	}
	if n.progress != "" {
		lines = append(lines, n.progress)
	}
	n.lines, n.table, n.progress = nil, "", ""
	return lines
}
