package registry

import "trefoil/search"

// Start is where a game begins.
type Start struct {
	Setup string // "startpos", a position in the notation of the game, or Variant.Setup
	// Board and Connect are the size of the board and the length of a line, in games where these can be
	// chosen; "" and 0 stand for the standard game.
	Board   string
	Connect int
}

// Variant is a way to begin a game.
type Variant struct {
	Name, Title string
	Setup       string // for Start
}

// Record is a format of games.
type Record struct {
	Format string // its name, such as pgn
	// Write writes a game with tags, such as White and Black.
	Write func(v *View, tags map[string]string) (string, error)
}

// View is what a board shows of a game.
type View struct {
	Setup string   // the first position, in the notation of the game
	Now   string   // the position after the moves, likewise
	Notes []string // what was repaired in the first position
	Side  int      // to move: 0 moves first
	Check bool     // its king is in check
	// Played are the moves that were played, Legal the moves that can be played. Legal may have moves even if
	// Ended is set, because not all rules end a game at a repetition.
	Played, Legal []MoveText
	Ended         *Ended // nil while the game goes on
	// Declares says that the side to move may win by declaration.
	Declares bool
	// Options are names and values of options of UCI that the engine needs for the game, in their order.
	Options [][2]string
	// Line writes moves that follow the last one, as far as they are legal. It may be called from any goroutine.
	Line func(moves []string) []MoveText
	// Key returns the key of the position in Tables.Cluster. FromTable writes the legal move that 16 bits mean
	// there. Both are nil in games without such a table.
	Key       func() uint64
	FromTable func(bits uint16) (MoveText, bool)
	// Score is a score of a solver as its game counts it; nil if that does not count.
	Score func(search.Score) int
}

// MoveText is a move as the protocol writes it and as people do.
type MoveText struct {
	Move  string
	Text  string
	Kanji string // in shogi
}

// Ended is the result of a game.
type Ended struct {
	Winner int // 0, 1 or Drawn
	Reason string
}

// Drawn is Ended.Winner of a drawn game.
const Drawn = -1
