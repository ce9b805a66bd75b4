package tests

import (
	"testing"

	oracle "github.com/notnil/chess"
	"github.com/notnil/chess/uci"
)

// TestGame plays a game of the engine against itself through the UCI client of
// notnil/chess, with notnil/chess as the referee of every move.
func TestGame(t *testing.T) {
	eng, err := uci.New(trefoil)
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	setup := []uci.Cmd{
		uci.CmdUCI, uci.CmdSetOption{Name: "Hash", Value: "8"}, uci.CmdSetOption{Name: "Threads", Value: "2"},
		uci.CmdIsReady, uci.CmdUCINewGame,
	}
	if err := eng.Run(setup...); err != nil {
		t.Fatal(err)
	}
	if name := eng.ID()["name"]; name == "" || len(eng.Options()) < 8 {
		t.Fatalf("name %q, options %v", name, eng.Options())
	}
	game := oracle.NewGame()
	for ply := 0; game.Outcome() == oracle.NoOutcome && ply < 400; ply++ {
		if err := eng.Run(uci.CmdPosition{Position: game.Position()}, uci.CmdGo{Nodes: 1500}); err != nil {
			t.Fatal(err)
		}
		r := eng.SearchResults()
		if r.BestMove == nil || r.Info.Depth == 0 || len(r.Info.PV) == 0 {
			t.Fatalf("ply %d: %+v", ply, r)
		}
		if err := game.Move(r.BestMove); err != nil {
			t.Fatalf("ply %d: %v in %s", ply, err, game.Position())
		}
		if r.Ponder != nil && game.Outcome() == oracle.NoOutcome {
			if err := game.Clone().Move(r.Ponder); err != nil {
				t.Fatalf("ply %d: ponder %v in %s", ply, err, game.Position())
			}
		}
		for _, m := range game.EligibleDraws() {
			if m == oracle.ThreefoldRepetition || m == oracle.FiftyMoveRule {
				if err := game.Draw(m); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
	}
	t.Logf("%s by %s after %d plies", game.Outcome(), game.Method(), len(game.Moves()))
	if len(game.Moves()) < 20 {
		t.Errorf("a game of %d plies: %s", len(game.Moves()), game)
	}
}
