package cluster

// A Policy says which entry a store replaces, and how entries age. Ages are in generations; a table begins
// a new one now and then.
//
// A store overwrites the entry of the same position, else an empty entry, else the entry of least
// replacement value:
//
//	depth - Age × age
//
// A new search adds Search generations. Another one begins whenever stores have evicted Turnover percent of
// the entries that the table holds, so entries age within a long search too. A hit puts an entry one
// generation ahead of the present, and further hits put it up to Ahead ahead; its age is then negative. A
// deeper store of the same position takes back Deeper generations: iterative deepening visits every
// position again, so one hit in a deeper iteration does not predict others.
//
// An entry of the same position that is less than Search generations old is kept if it is at least Keep
// plies deeper than the new one, and the new one is not exact; only its move is replaced. A new PV entry
// counts as KeepPV plies deeper in this comparison.
type Policy struct {
	Age         int // plies of replacement value that an entry loses per generation
	Generations int // values that the generation of an entry can have; older entries count as new
	Search      int // generations that a new search adds
	Turnover    int // percent of the entries whose eviction begins a generation; 0: only a search begins one
	Ahead       int // the most generations that hits put an entry ahead of the present, one each
	Deeper      int // generations ahead that a deeper store of the position takes back
	Keep        int // plies by which an entry must be deeper to be kept; 0: none is kept
	KeepPV      int // plies that a new PV entry counts as deeper
}

// The policy of Table.
const (
	agePlies          = 2
	generations       = 64
	searchGenerations = 4
	turnoverPercent   = 250
	aheadGenerations  = 3
	deeperGenerations = 1
	keepPlies         = 4
	keepPVPlies       = 2
)

// TablePolicy returns the policy of Table.
func TablePolicy() Policy {
	return Policy{
		Age: agePlies, Generations: generations, Search: searchGenerations, Turnover: turnoverPercent,
		Ahead: aheadGenerations, Deeper: deeperGenerations, Keep: keepPlies, KeepPV: keepPVPlies,
	}
}
