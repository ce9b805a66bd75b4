package engine

import "sync"

// notices are lines that the user has not been told yet. Its methods may be called
// from any goroutine.
type notices struct {
	mu    sync.Mutex
	lines []string
	table string // the latest about the table
}

func (n *notices) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

// replace sets what there is to say about the table, "" if nothing.
func (n *notices) replace(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.table = line
}

// take returns all lines, and forgets them.
func (n *notices) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines := n.lines
	if n.table != "" {
		lines = append(lines, n.table)
	}
	n.lines, n.table = nil, ""
	return lines
}
