package engine

import "sync"

// notices are lines that the user has not been told yet. Its methods may be called
// from any goroutine.
type notices struct {
	mu    sync.Mutex
	lines []string
	table string // the latest about the table
	under string // what is under way
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

// pass replaces what there is to say about work that takes a while, "" when it is over.
func (n *notices) pass(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.under = line
}

// take returns all lines, and forgets them.
func (n *notices) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines := n.lines
	if n.table != "" {
		lines = append(lines, n.table)
	}
	if n.under != "" {
		lines = append(lines, n.under)
	}
	n.lines, n.table, n.under = nil, "", ""
	return lines
}
