package kifu

import (
	"slices"
	"strings"
	"testing"

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
