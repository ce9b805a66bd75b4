package kifu

import (
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/shogi"
)

// TestWriteGame: a game that is written is the same when it is read again.
func TestWriteGame(t *testing.T) {
	for _, c := range []struct {
		setup string
		moves []string
		end   string
	}{
		{shogi.StartSFEN, []string{"7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"}, "投了"},
		{shogi.StartSFEN, nil, ""},
		{"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", []string{"G*5b"}, "詰み"},
		{"+P+R+B+S+N+L1k1/9/9/9/9/9/9/9/4K4 w 2S11Pr3g 1", []string{"R*5b"}, ""},
		{"4k4/9/9/9/9/9/9/9/4K4 b R10Pb 1", nil, ""},
	} {
		var b strings.Builder
		if err := Write(&b, c.setup, c.moves, [2]string{"A", "B"}, c.end); err != nil {
			t.Fatal(err)
		}
		g, err := NewReader(strings.NewReader(b.String()), KIF).Next()
		if err != nil {
			t.Fatalf("%s\n%v", b.String(), err)
		}
		if g.Setup != c.setup || !slices.Equal(g.Moves, c.moves) || g.End != c.end || g.Names != [2]string{"A", "B"} {
			t.Errorf("%s\n%+v", b.String(), g)
		}
	}
	const want = `#KIF version=2.0 encoding=UTF-8
手合割：平手
先手：A
後手：B
手数----指手---------消費時間--
   1 ７六歩(77)
   2 投了
`
	var b strings.Builder
	if err := Write(&b, shogi.StartSFEN, []string{"7g7f"}, [2]string{"A", "B"}, "投了"); err != nil || b.String() != want {
		t.Errorf("%v: %s", err, b.String())
	}
	if err := Write(new(strings.Builder), shogi.StartSFEN, []string{"7g7f", "7g7f"}, [2]string{}, ""); err == nil ||
		!strings.HasPrefix(err.Error(), "move 2: ") {
		t.Error(err)
	}
}

// TestTree: the times of moves add up, a variation ends where it cannot be played, and comments before a move follow
// it.
func TestTree(t *testing.T) {
	for _, c := range []struct {
		text   string
		format Format
		want   string
	}{
		{"V2.2\nPI\n+\nT5\n+7776FU\nT4000\n-3334FU\nTx\n+2726FU\nT1\n", CSA,
			"   1 ７六歩(77)   (66:40/01:06:40)\n   2 ３四歩(33)\n   3 ２六歩(27)   ( 0:01/01:06:41)\n"},
		{"手合割：平手\n1 ７六歩(77)\n\n変化：1手\n1 ２六歩(27)\n2 １一歩(99)\n3 ３四歩(33)\n", KIF,
			"   1 ７六歩(77)\n\n変化：1手\n   1 ２六歩(27)\n*2 １一歩(99)\n*3 ３四歩(33)\n"},
	} {
		g, err := NewReader(strings.NewReader(c.text), c.format).Next()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := WriteTree(&b, g.Setup, g.Tree()); err != nil || !strings.HasSuffix(b.String(), kifTitle+c.want) {
			t.Errorf("%s%v, want\n%s", b.String(), err, c.want)
		}
	}
	text := "手合割：平手\n1 ７六歩(77)\n" + strings.Repeat("変化：1手\n1 ２六歩(27)\n", maxMoves) + "変化：1手\n1 １六歩(17)\n"
	games, errs := readAll(text, KIF) // more moves than a line may have
	if len(errs) > 0 || len(games) != 1 {
		t.Fatal(errs)
	}
	if nodes := games[0].Tree().Nodes; len(nodes) != 4 || nodes[3].Move != "1g1f" || len(nodes[0].Comments) > 0 {
		t.Errorf("%d nodes, %d comments", len(nodes), len(nodes[0].Comments))
	}
	tree := game.NewTree()
	tree.Nodes[tree.Add(0, "7g7f")].Before = []string{"before"}
	var b strings.Builder
	if err := WriteTree(&b, shogi.StartSFEN, tree); err != nil || !strings.HasSuffix(b.String(), "７六歩(77)\n*before\n") {
		t.Errorf("%s%v", b.String(), err)
	}
}
