// Package board is what a page shows of a game: its first position, the moves as people write them, the legal moves,
// the result. It reads the rules itself:
//
//	chess.go, pgn.go  shogi.go, kif.go  connect4.go  ultimate.go   the games that have a board on the page
//	text.go                                                        all others: the drawing and the moves of the player
//
// A board on the page is drawn by a file of web/page/boards.
package board

import (
	"trefoil/engine/registry"
	"trefoil/game"
	"trefoil/search"
)

// Game is what a page shows of a game.
type Game struct {
	Sides    [2]string // their names; the side that moves first comes first
	Variants []Variant
	Shapes   *Shapes  // nil unless the size of the board can be chosen
	Records  []Record // in which games are written, beside a line of moves
	Table    string   // the kind of table that a search fills first; "" if it has none
	// View returns what a board shows after the moves of a game, or an error that names the token.
	View func(start Start, moves []string) (*View, error)
	// SetupMoves returns the moves that a setup other than startpos consists of. nil if setups are positions.
	SetupMoves func(setup string) []string
	// TableMove writes the 16 bits of a move of Tables.Cluster or Tables.Window as the protocol does; 0 is no
	// move, "". A detail that only the position tells, such as how a king castles, is written as the bits have
	// it. nil if the game has no such moves.
	TableMove func(bits uint16) string
}

// games are the games of the other files, by their names.
var games = map[string]*Game{
	"chess":    &chessGame,
	"shogi":    &shogiGame,
	"connect4": &connect4Game,
	"ultimate": &ultimateGame,
}

// Of returns what a page shows of a game.
func Of(g *registry.Game) *Game {
	if b, known := games[g.Name]; known {
		return b
	}
	return textGame(g)
}

// The kinds of tables, which are the packages that explain them.
const (
	ClusterTable   = "cluster"
	WindowTable    = "window"
	RemainderTable = "remainder"
)

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
	Name  string `json:"name"`
	Title string `json:"title"`
	Setup string `json:"setup"` // for Start
}

// Shapes are what Start.Board and Start.Connect may be.
type Shapes struct {
	Size    string   `json:"size"` // of the standard game
	Sizes   []string `json:"sizes"`
	Connect int      `json:"connect"` // in the standard game
	Least   int      `json:"least"`
	Most    int      `json:"most"`
}

// Record is a format of games.
type Record struct {
	Format string // its name, such as pgn
	// Write writes a game, whose main line v shows, with tags, such as White and Black, that take the place of
	// headers. It may change the tree.
	Write func(v *View, t *game.Tree, tags map[string]string) (string, error)
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
	Played, Legal []Move
	Ended         *Ended // nil while the game goes on
	// Declares says that the side to move may win by declaration.
	Declares bool
	// Options are names and values of options of UCI that the engine needs for the game, in their order.
	Options [][2]string
	Drawing []string // the position as the engine draws it, if the page has no board of the game
	Position
}

// Position is the position after the moves. Its methods may be called from any goroutine.
type Position interface {
	// Line writes moves that follow the last one, as far as they are legal.
	Line(moves []string) []Move
}

// Keyed is a Position that Tables.Cluster may have.
type Keyed interface {
	// Key returns the key of the position.
	Key() uint64
	// Walk returns a copy of the position, for one goroutine.
	Walk() Walk
}

// Walk is a position whose moves can be made and undone.
type Walk struct {
	Rules
	Write func(game.Move) Move // a legal move
}

// Rules are the moves of a position.
type Rules interface {
	Moves(game.Kind, *game.List)
	Make(game.Move)
	Undo()
	Key() uint64
	// FromMove16 returns the legal move that 16 bits mean in the table.
	FromMove16(bits uint16) (game.Move, bool)
}

// Scored is a Position of a solved game that counts its results.
type Scored interface {
	// Score returns the score of a solver as the game counts it.
	Score(search.Score) int
}

// Move is a move as the protocol writes it and as people do.
type Move struct {
	Move  string `json:"move"`
	Text  string `json:"text"`
	Kanji string `json:"kanji,omitempty"` // in shogi
}

// Ended is the result of a game.
type Ended struct {
	Winner int // 0, 1, Drawn or Unknown
	Reason string
}

// Values of Ended.Winner beside the sides: the game is drawn; it is over, and who has won is not known.
const (
	Drawn   = -1
	Unknown = -2
)

const startpos = "startpos"
