package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/game/connect4"
)

// TestDo: a worker does jobs of both kinds in turn, and refuses bodies that are no jobs.
func TestDo(t *testing.T) {
	w := NewWorker("w", 1, 1)
	defer w.Close()
	proof := jobproof.Job{
		ID: "1", Version: jobproof.Version(games.Ultimate()), Game: games.Ultimate().Name(),
		Purpose: jobproof.Search, Nodes: 1000,
		Goal: func() string {
			p, err := games.Ultimate().Problem("X;OXO.XOX..;..XOOOOO./XXX.OO..X/XO..OO.O./.OO...XO./X.XXO.XX./X.OXOXO../XXX.XXO.O/XO.X..OX./XO....O..")
			if err != nil {
				t.Fatal(err)
			}
			return p.Goals[0]
		}(),
	}
	body := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	other := proof
	other.Version = "0"
	for _, c := range []struct{ body, want string }{
		{`{"score":{"size":"5x4","connect":4,"columns":["3"]}}`, `"scores":[0],`},
		{body(Body{Proof: &proof}), `{"Job":{`},
		{`{"score":{"size":"4x4","connect":4,"columns":[""]}}`, `"scores":[0],`},
		{`{"score":{"size":"4x4","connect":3,"columns":[""]}}`, `"scores":[`},
		{`{"score":{"size":"4x4","connect":4,"columns":["1212121"]}}`, `"scores":[-`}, // it is over
		{body(Body{Proof: &other}), "version"},
		{`{"proof":{}}`, `unknown game ""`},
		{``, "unexpected end"},
		{`null`, "not one job"},
		{`{}`, "not one job"},
		{`[]`, "cannot unmarshal"},
		{`{"score":{}}`, "not a width and a height"},
		{`{"score":{"size":"7x6","connect":4,"columns":["1111111"]}}`, "full"},
		{`{"score":{"size":"7x6","connect":4,"columns":["8"]}}`, "8"},
		{`{"score":{"size":"7x6","connect":4,"columns":["12121212"]}}`, "over"},
		{`{"score":{"size":"1000000x1000000","connect":4}}`, "1000000"},
		{`{"score":{"size":"7x6","connect":-4}}`, "-4"},
		{`{"score":{"size":"7x6","connect":4,"columns":["` + strings.Repeat("1", 1<<16) + `"]}}`, "full"},
		{`{"score":{"size":"5x4","connect":4,"columns":["3","33","2"]}}`, `{"columns":["3","33","2"],"scores":[0,0,`},
		{`{"score":{"size":"5x4","connect":4,"columns":["3","x"]}}`, "x"},
		{`{"score":{"size":"5x4","connect":4}}`, `{"columns":null,"scores":null,`},
		{`{"score":{"size":"4x4","connect":4},"proof":{}}`, "not one job"},
	} {
		var b Body
		err := json.Unmarshal([]byte(c.body), &b)
		var result any
		if err == nil {
			result, err = w.Do(t.Context(), b)
		}
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = body(result)
		}
		if !strings.Contains(strings.ToLower(got), strings.ToLower(c.want)) {
			t.Errorf("%.100s: %.200s, want %q", c.body, got, c.want)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Do(stopped,
		Body{Score: &Score{Size: "7x6", Connect: 4, Columns: []string{""}}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestVersions: nothing but rules, keys and meaning changes the version of a kind of job. Where one of
// these has changed, the results of earlier builds are lost, and the new version is written here.
func TestVersions(t *testing.T) {
	got := []string{ScoreVersion()}
	for _, g := range games.All() {
		got = append(got, jobproof.Version(g))
	}
	want := []string{
		"scores 1; rules cb83dc315696923a",
		"proof jobs 1; ultimate; the attacker wins; a draw fails him; trefoil ultimate 1; rules 025c692ab0b06980",
		"proof jobs 1; chess; mates within a number of moves; trefoil chess claim; rules 6e9665cde43f9223",
		"proof jobs 1; shogi; mates by checks; trefoil shogi claim; rules 3e279205adfc2a04",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if Task(got[0], "a").Name == Task(got[1], "a").Name {
		t.Error("two kinds of jobs share their results")
	}
}

// TestRead: a result has a score for each position, none beyond the cells of the board.
func TestRead(t *testing.T) {
	board, err := connect4.ParseBoard("5x4", 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ body, want string }{
		{`{"columns":["3","33"],"scores":[20,-20]}`, ""},
		{`{}`, ""},
		{`{"columns":["3"],"scores":[21]}`, `position "3": score 21`},
		{`{"columns":["3"],"scores":[-21]}`, `position "3": score -21`},
		{`{"columns":["3"]}`, "0 scores for 1 positions"},
		{`{"columns":["3"],"scores":[1,2]}`, "2 scores for 1 positions"},
		{`{"columns":["3","x"],"scores":[1,2]}`, "x"},
		{`{"columns":"3"}`, "cannot unmarshal"},
	} {
		var s Scored
		positions, err := s.Read(board, json.RawMessage(c.body))
		switch {
		case c.want != "":
			if err == nil || !strings.Contains(err.Error(), c.want) || positions != nil {
				t.Errorf("%s: %v, %v, want %q", c.body, positions, err, c.want)
			}
		case err != nil || len(positions) != len(s.Columns):
			t.Errorf("%s: %v, %v", c.body, positions, err)
		}
	}
}
