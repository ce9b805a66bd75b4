package connect4

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"trefoil/engine/jobs"
	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/cli"
	"trefoil/queue"
)

// scores is a scoring whose jobs and results a test delivers.
type scores struct {
	*scoring
	t        *testing.T
	found    map[string]int // scores by columns
	warnings string
}

func newScores(t *testing.T, unconfirmed bool) *scores {
	board, err := rules.ParseBoard("4x4", 4)
	if err != nil {
		t.Fatal(err)
	}
	positions, err := book.Positions(t.Context(), board, 2)
	if err != nil || len(positions) != 8 {
		t.Fatal(len(positions), err)
	}
	s := &scores{t: t, found: map[string]int{}}
	s.scoring = newScoring(positions, func(p rules.Position, score int) error {
		columns, _ := p.Columns()
		if _, twice := s.found[columns]; twice {
			t.Errorf("%s has two scores", columns)
		}
		s.found[columns] = score
		return nil
	})
	s.job, s.unconfirmed = jobs.Score{Size: "4x4", Connect: 4}, unconfirmed
	s.warn = func(format string, args ...any) { s.warnings += fmt.Sprintf(format, args...) + "\n" }
	s.progress = &bookProgress{Progress: cli.NewProgress(io.Discard, len(positions))}
	return s
}

// gives expects the next job, with the workers that must not do it or judge.
func (s *scores) gives(purpose string, not ...string) queue.Request {
	s.t.Helper()
	r, ok := s.Next()
	if !ok || !strings.HasSuffix(r.ID, "-"+purpose) || !slices.Equal(r.Not, not) || r.Judge != (purpose == judge) {
		s.t.Fatalf("%+v, %v; want %s, not by %q", r, ok, purpose, not)
	}
	return r
}

// says delivers a result, of which an error has a text.
func (s *scores) says(r queue.Request, worker, body, want string) {
	s.t.Helper()
	err := s.Result(queue.Result{ID: r.ID, Worker: worker, Verdict: worker == "", Body: json.RawMessage(body)})
	if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
		s.t.Errorf("%s by %q: %v, want %q", body, worker, err, want)
	}
}

// TestScoringConfirms: two workers have to agree on a score; a worker that says the same twice counts once.
func TestScoringConfirms(t *testing.T) {
	s := newScores(t, false)
	r := s.gives(first)
	s.says(r, "a", `{"score":3}`, "")
	again := s.gives(confirm, "a")
	s.says(again, "a", `{"score":3}`, "")
	if len(s.found) != 0 {
		t.Error("one worker has decided")
	}
	s.says(s.gives(confirm, "a"), "b", `{"score":3}`, "")
	if len(s.found) != 1 {
		t.Error("two workers have not decided")
	}
	s.says(r, "c", `{"score":5}`, "") // too late
	if _, text := s.Status(); text != "0 of 8 positions solved" {
		t.Error(text)
	}
	for !s.Done() {
		r, ok := s.Next()
		if !ok {
			t.Fatal("no job")
		}
		s.says(r, "abc"[len(r.Not):len(r.Not)+1], `{"score":0}`, "")
	}
	if _, ok := s.Next(); ok || len(s.found) != 8 {
		t.Errorf("%d scores", len(s.found))
	}
}

// TestScoringLiar: if two workers contradict each other the coordinator decides, and all that the liar has said is dropped.
func TestScoringLiar(t *testing.T) {
	s := newScores(t, false)
	lie, other := s.gives(first), s.gives(first)
	s.says(lie, "liar", `{"score":9}`, "")
	s.says(other, "liar", `{"score":0}`, "")
	s.says(s.gives(confirm, "liar"), "a", `{"score":3}`, "")
	waiting := s.gives(confirm, "liar")
	verdict := s.gives(judge)
	s.says(waiting, "b", `{"score":1}`, "") // contradicts the liar: a dispute
	s.gives(judge)
	s.says(verdict, "", `{"score":3}`, "")
	if s.warnings != "found to lie, and all that they have said is dropped: [\"liar\"]\n" || len(s.found) != 1 {
		t.Errorf("%q, %v", s.warnings, s.found)
	}
	s.says(waiting, "liar", `{"score":1}`, "it has been found to lie")
	s.says(s.gives(confirm, "liar", "b"), "a", `{"score":1}`, "")
	if len(s.found) != 2 {
		t.Errorf("%v", s.found)
	}
	s.gives(first, "liar")
	if detail, _ := s.Status(); fmt.Sprint(detail) != "{8 0 0 [liar]}" {
		t.Error(detail)
	}
}

// TestScoringHostile: what is no score is named, and the job given again; what is of no position is ignored.
func TestScoringHostile(t *testing.T) {
	s := newScores(t, true)
	r := s.gives(first)
	for body, want := range map[string]string{
		``: "unexpected end", `x`: "invalid", `null`: "no score", `{"score":17}`: "score 17", `{"score":-17}`: "score -17",
		`{"score":1.5}`: "cannot unmarshal", `{"score":1e99}`: "cannot unmarshal", `[]`: "cannot unmarshal", `{}`: "no score",
	} {
		s.says(r, "a", body, want)
		if again := s.gives(first); again.ID != r.ID {
			t.Errorf("%s: another job", body)
		}
	}
	for _, id := range []string{"", "-", "x", "0-score", "ffffffffffffffffffff-score", "-1-score", strings.Repeat("f", 1<<16)} {
		s.says(queue.Request{ID: id}, "a", `{"score":1}`, "")
	}
	if len(s.found) != 0 {
		t.Error(s.found)
	}
	s.says(r, "a", `{"score":1}`, "")
	r = s.gives(first)
	s.Lost(r)
	if again := s.gives(first); again.ID != r.ID || len(s.found) != 1 {
		t.Errorf("%v, %v", again, s.found)
	}
}

// TestScoringFails: a score that cannot be written ends the task.
func TestScoringFails(t *testing.T) {
	s := newScores(t, true)
	full := errors.New("full")
	s.scoring.found = func(rules.Position, int) error { return full }
	s.says(s.gives(first), "a", `{"score":1}`, "")
	if _, ok := s.Next(); ok || !s.Done() || !errors.Is(s.err, full) {
		t.Error(s.err)
	}
}
