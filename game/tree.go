package game

// Tree is a game with its variations, as a file has it.
type Tree struct {
	Headers [][2]string // names and values, in their order
	Nodes   []Node      // each after its parent; the first one is the first position
	index   map[edge]int
}

// Node is a position of a Tree. Of the nodes with the same parent the first one continues its line, and the others
// begin variations.
type Node struct {
	After    int      `json:"after"`              // the index of the parent
	Move     string   `json:"move,omitempty"`     // from the parent, as the protocol writes it; "" in the first position
	Before   []string `json:"before,omitempty"`   // comments before the move
	Comments []string `json:"comments,omitempty"` // after it
	Marks    []int    `json:"marks,omitempty"`    // numeric annotation glyphs of PGN
	Time     string   `json:"time,omitempty"`     // what the move took, as KIF has it
	End      string   `json:"end,omitempty"`      // how the line ends here, in the words of the format
}

// edge is a move from a node.
type edge struct {
	after int
	move  string
}

// NewTree returns a tree with nothing but the first position.
func NewTree() *Tree { return &Tree{Nodes: make([]Node, 1), index: map[edge]int{}} }

// Line returns the tree of a game without variations.
func Line(moves []string, end string) *Tree {
	t := NewTree()
	at := 0
	for _, m := range moves {
		at = t.Add(at, m)
	}
	t.Nodes[at].End = end
	return t
}

// Add returns the node after a move from a node. It is new if there is none yet.
func (t *Tree) Add(after int, move string) int {
	at, known := t.index[edge{after, move}]
	if !known {
		at = len(t.Nodes)
		t.index[edge{after, move}] = at
		t.Nodes = append(t.Nodes, Node{After: after, Move: move})
	}
	return at
}

// Comment adds comments on a node.
func (t *Tree) Comment(at int, comments ...string) {
	n := &t.Nodes[at]
	n.Comments = append(n.Comments, comments...)
}

// Children returns the nodes after each node, in their order.
func (t *Tree) Children() [][]int {
	children := make([][]int, len(t.Nodes))
	for i, n := range t.Nodes[1:] {
		children[n.After] = append(children[n.After], i+1)
	}
	return children
}

// Main returns the nodes of the main line, with the first position.
func (t *Tree) Main() []int {
	children := t.Children()
	nodes := []int{0}
	for at := 0; len(children[at]) > 0; nodes = append(nodes, at) {
		at = children[at][0]
	}
	return nodes
}
