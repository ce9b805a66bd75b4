package web

import (
	"cmp"
	"container/heap"
	"net/http"
	"slices"

	"trefoil/cluster"
	rules "trefoil/game"
	"trefoil/web/board"
)

const (
	// maxWalked is how many entries are walked below a position.
	maxWalked = 4096
	// maxFields, maxJoins and maxPlies bound the answer.
	maxFields = 320
	maxJoins  = 80
	maxPlies  = 8
)

// treeJSON is the answer to POST /api/tree: the entries that a position leads to, by moves to positions that the table
// has. The deepest entries are walked first.
type treeJSON struct {
	Entries int        `json:"entries"` // that were walked
	Left    int        `json:"left"`    // found, but not walked
	Depth   uint8      `json:"depth"`   // of the deepest of those
	Fields  []treeNode `json:"fields"`  // the entries with most entries below, each after its parent
	Joins   []treeJoin `json:"joins"`
}

// treeNode is an entry, in the line in which it was found first.
type treeNode struct {
	After   int           `json:"after"`          // the index of the entry before it, -1 of the first
	Move    *board.Move   `json:"move,omitempty"` // that leads to it
	Entries int           `json:"entries"`        // walked, at and below it, each in one line only
	Content *clusterEntry `json:"content"`

	move   rules.Move
	ply    int
	stored cluster.StoredEntry
	field  int // its index in the answer, -1 if it is not there
}

// treeJoin is a move that leads to an entry which another order of moves has reached.
type treeJoin struct {
	From int        `json:"from"` // the indexes of fields
	To   int        `json:"to"`
	Move board.Move `json:"move"`

	move rules.Move
}

// treeWalk walks the entries below a position.
type treeWalk struct {
	table *cluster.Table
	pos   board.Walk
	nodes []treeNode     // those that were found, each after its parent
	found map[uint64]int // from numbers of entries to nodes
	joins []treeJoin     // of nodes
	moves rules.List
}

// nodeHeap has nodes; the first is the greatest by less.
type nodeHeap struct {
	nodes   []int
	greater func(a, b int) bool
}

func (h *nodeHeap) Len() int           { return len(h.nodes) }
func (h *nodeHeap) Less(i, j int) bool { return h.greater(h.nodes[i], h.nodes[j]) }
func (h *nodeHeap) Swap(i, j int)      { h.nodes[i], h.nodes[j] = h.nodes[j], h.nodes[i] }
func (h *nodeHeap) Push(n any)         { h.nodes = append(h.nodes, n.(int)) }
func (h *nodeHeap) Pop() any {
	n := h.nodes[len(h.nodes)-1]
	h.nodes = h.nodes[:len(h.nodes)-1]
	return n
}

// enter notes the entry of the position after a move from a node, and reports whether it is new.
func (w *treeWalk) enter(after int, m rules.Move) bool {
	at, ok := w.table.Locate(w.pos.Key())
	if !ok {
		return false
	}
	if to, known := w.found[at]; known {
		if !w.leads(to, after) { // else the line returns to a position
			w.joins = append(w.joins, treeJoin{From: after, To: to, move: m})
		}
		return false
	}
	c, _ := w.table.Look(at / cluster.EntriesPerCluster)
	n := treeNode{After: after, move: m, stored: c.Entries[at%cluster.EntriesPerCluster], field: -1}
	if after >= 0 {
		n.ply = w.nodes[after].ply + 1
	}
	w.found[at] = len(w.nodes)
	w.nodes = append(w.nodes, n)
	return true
}

// leads reports whether a node is in the line of another one, or is that node.
func (w *treeWalk) leads(node, to int) bool {
	for to > node {
		to = w.nodes[to].After
	}
	return to == node
}

// visit calls f with the position of a node.
func (w *treeWalk) visit(node int, f func()) {
	if node == 0 {
		f()
		return
	}
	n := w.nodes[node]
	w.visit(n.After, func() {
		w.pos.Make(n.move)
		f()
		w.pos.Undo()
	})
}

// run walks the entries.
func (w *treeWalk) run() (j treeJSON) {
	if !w.enter(-1, 0) {
		return j
	}
	open := nodeHeap{[]int{0}, func(a, b int) bool {
		if x, y := w.nodes[a].stored.Depth, w.nodes[b].stored.Depth; x != y {
			return x > y
		}
		return a < b
	}}
	for ; open.Len() > 0 && j.Entries < maxWalked; j.Entries++ {
		node := heap.Pop(&open).(int)
		w.nodes[node].Entries = 1
		w.visit(node, func() {
			w.moves.Reset()
			w.pos.Moves(rules.All, &w.moves)
			for _, m := range w.moves.All() {
				w.pos.Make(m)
				if w.enter(node, m) {
					heap.Push(&open, len(w.nodes)-1)
				}
				w.pos.Undo()
			}
		})
	}
	if j.Left = open.Len(); j.Left > 0 {
		j.Depth = w.nodes[open.nodes[0]].stored.Depth
	}
	for i := len(w.nodes) - 1; i > 0; i-- {
		w.nodes[w.nodes[i].After].Entries += w.nodes[i].Entries
	}
	return j
}

// choose sets the fields of the answer, and the joins between them.
func (w *treeWalk) choose(j *treeJSON, g *game) {
	below := make([][]int, len(w.nodes))
	for i := 1; i < len(w.nodes); i++ {
		below[w.nodes[i].After] = append(below[w.nodes[i].After], i)
	}
	open := nodeHeap{greater: func(a, b int) bool {
		if x, y := w.nodes[a].Entries, w.nodes[b].Entries; x != y {
			return x > y
		}
		return a < b
	}}
	for next := []int{0}; len(j.Fields) < maxFields; {
		for _, i := range next {
			if w.nodes[i].Entries > 0 && w.nodes[i].ply <= maxPlies {
				heap.Push(&open, i)
			}
		}
		if open.Len() == 0 {
			break
		}
		node := heap.Pop(&open).(int)
		w.nodes[node].field = len(j.Fields)
		j.Fields = append(j.Fields, w.describe(node, g))
		next = below[node]
	}
	w.joins = slices.DeleteFunc(w.joins, func(t treeJoin) bool {
		return w.nodes[t.From].field < 0 || w.nodes[t.To].field < 0
	})
	slices.SortStableFunc(w.joins, func(a, b treeJoin) int {
		return cmp.Compare(w.nodes[b.To].Entries, w.nodes[a.To].Entries)
	})
	for _, t := range w.joins[:min(len(w.joins), maxJoins)] {
		w.visit(t.From, func() { t.Move = w.pos.Write(t.move) })
		t.From, t.To = w.nodes[t.From].field, w.nodes[t.To].field
		j.Joins = append(j.Joins, t)
	}
}

// describe returns a node with its texts, in the answer.
func (w *treeWalk) describe(node int, g *game) treeNode {
	n := w.nodes[node]
	n.Content = entryOf(&n.stored, g)
	w.visit(node, func() {
		if m, ok := w.pos.FromMove16(n.stored.Move); ok {
			n.Content.Text = w.pos.Write(m).Text
		}
	})
	if n.After >= 0 {
		w.visit(n.After, func() {
			m := w.pos.Write(n.move)
			n.Move = &m
		})
		n.After = w.nodes[n.After].field
	}
	return n
}

// showTree answers POST /api/tree.
func (s *Server) showTree(_ *http.Request, p *position) (any, error) {
	answer := treeJSON{Fields: []treeNode{}, Joins: []treeJoin{}}
	err := s.lookUp(p, func(v clusterView, keyed board.Keyed, g *game) { answer = v.tree(keyed, g) })
	return answer, err
}

// tree walks the entries below a position.
func (v clusterView) tree(p board.Keyed, g *game) treeJSON {
	w := treeWalk{table: v.t, pos: p.Walk(), found: map[uint64]int{}}
	j := w.run()
	j.Fields, j.Joins = []treeNode{}, []treeJoin{}
	if j.Entries > 0 {
		w.choose(&j, g)
	}
	return j
}
