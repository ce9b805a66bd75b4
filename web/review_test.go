package web

import "testing"

// TestReview: moves are marked by the scores before and after them; a game that the rules have ended needs no last
// score.
func TestReview(t *testing.T) {
	c := serve(t, newFake(t))
	const start = `{"game":"chess","moves":["f2f3","e7e5","g2g4","d8h4"],"results":`
	got := c.ok("/api/review", start+`[{"score":{"cp":30},"move":"e2e4"},{"score":{"cp":80},"move":"e7e5"},`+
		`{"score":{"cp":-90},"move":"g1h3"},{"score":{"mate":1,"plies":1},"move":"d8h4"},null]}`)
	if s := text(got["marks"]); s != "[2,0,3,0]" {
		t.Errorf("the marks are %s", s)
	}
	if s := text(got["sides"]); s != `["White: 0 inaccuracies, 1 mistake, 1 blunder; average centipawn loss 510, `+
		`accuracy 38.5 %",`+
		`"Black: 0 inaccuracies, 0 mistakes, 0 blunders; average centipawn loss 0, accuracy 100.0 %"]` {
		t.Errorf("the sides are %s", s)
	}
	c.refuses("/api/review", map[string]string{
		start + `[]}`:                                       "results: 0, not 5",
		start + `[null,null,null,null,null]}`:               "position 0 has no score",
		`{"game":"chess","results":[null]}`:                 "position 0 has no score",
		`{"game":"chess","results":[{"score":{"mate":1}}]}`: "position 0 has no score",
		`{"game":"connect4","results":[null]}`:              "has no marks",
	})
}
