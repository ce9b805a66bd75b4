package eval

import (
	"slices"
	"strings"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/tools/referee/retrograde"
)

// TestPawnWins compares the bitbase with a solver for all positions of king and pawn against king, with
// either colour and on both wings; the three views beside the solver's in one position of 16.
func TestPawnWins(t *testing.T) {
	table, err := retrograde.NewSolver(retrograde.ToMate).Solve("KPvK")
	if err != nil {
		t.Fatal(err)
	}
	positions, wins := 0, 0
	for solved, result := range table.All() {
		won := result.WDL != retrograde.Draw
		board, rest, _ := strings.Cut(solved.FEN(), " ")
		p := gametest.Chess(t, board+" "+rest+" 0 1")
		views := []bool{winsWithPawn(p, chess.White)}
		if positions%16 == 0 {
			r := gametest.Chess(t, reflected(board)+" "+rest+" 0 1")
			views = append(views, winsWithPawn(p.Flipped(), chess.Black), winsWithPawn(r, chess.White),
				winsWithPawn(r.Flipped(), chess.Black))
		}
		if slices.Contains(views, !won) {
			t.Fatalf("%s: the solver says that it is won: %v; in views %v", p.FEN(), won, views)
		}
		positions++
		if won {
			wins++
		}
	}
	t.Logf("%d positions, %d of them won", positions, wins)
}

// reflected exchanges the files a and h of the board of a FEN.
func reflected(board string) string {
	b := []byte(board)
	slices.Reverse(b)
	ranks := strings.Split(string(b), "/")
	slices.Reverse(ranks)
	return strings.Join(ranks, "/")
}

func BenchmarkSolvePawnWins(b *testing.B) {
	for b.Loop() {
		solvePawnWins()
	}
}
