package proof_test

import (
	"math/rand/v2"
	"testing"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
	"trefoil/game/ultimate/ultimatetest"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
)

// late plays at random from the start until minimax can value what is left.
func late(r *rand.Rand, budget int) (ultimate.Position, string) {
	for {
		p, game := ultimate.Start(), []ultimate.Position{}
		for {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			game = append(game, p)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		for i := len(game) - 1; i >= 0 && i > len(game)-30; i-- {
			if v, left := ultimatetest.Within(budget, game[i]); left >= 0 {
				if left < budget*9/10 {
					return game[i], "LDW"[v+1 : v+2]
				}
			} else {
				break
			}
		}
	}
}

func TestAgainstMinimax(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1})
	seen := map[string]int{}
	for range 300 {
		p, want := late(r, 30000)
		seen[want]++
		if got := value(t, s, p); got != want {
			t.Errorf("%v: got %s, want %s", p, got, want)
		}
	}
	t.Log(seen)
	if seen["D"] < 40 {
		t.Errorf("%d draws of 300 positions, want 40", seen["D"])
	}
}

// A move that prevents the opponent's threat does not lose, wherever it sends the opponent. A
// look-ahead that counts every move to a decided or threatened board as lost gets these wrong.
func TestSpoiledThreats(t *testing.T) {
	for text, want := range map[string]string{
		// Two cells are empty. O takes the last one of board i, where X could have won the game, and
		// wins it; that X may then play anywhere, on board c, does not help.
		"O;XO.OXO#X@;XOOX.XXXO/...X.OOOO/OXXXOXOX./O..OOO.../XX.XOXX../XXOXOOO../OXOXXOOOX/OXX.OOXXX/.XXXOOXOO": "D",
		// X sends O to board c, where X itself could win the game, and O plays there.
		"X;OO.@XOXOX;OOXOXOO.X/XOOOOXOXO/XX.OXXXOO/XX.OOXOXO/.X..XO.X./OXOXXOOOO/.XX.OXX.X/.OO.OXO../XXOXX..XO": "D",
		"X;XXO.OOX@#;O.XOOX..X/O.XXXX..O/OOO.X.OXX/XXOO.XOOX/OOXX.OOOO/XXO.XXOOO/X.O.X.X.X/...OXOX.X/XOXXOOOXO": "L",
	} {
		if v, left := ultimatetest.Within(1<<20, gametest.Ultimate(t, text)); left < 0 || "LDW"[v+1:v+2] != want {
			t.Errorf("%s: minimax says %d", text, v)
		}
		solver := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1})
		if got := value(t, solver, gametest.Ultimate(t, text)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
