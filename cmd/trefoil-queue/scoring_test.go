package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	engine "trefoil/engine/connect4"
	"trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/cli"
)

// scores is a scoring whose jobs and results a test delivers.
type scores struct {
	*scoring
	t        *testing.T
	found    map[string]int // scores by columns
	warnings string
}

func newScores(t *testing.T, unconfirmed bool) *scores {
	board, err := connect4.ParseBoard("4x4", 4)
	if err != nil {
		t.Fatal(err)
	}
	positions, err := book.Positions(t.Context(), board, 2)
	if err != nil || len(positions) != 8 {
		t.Fatal(len(positions), err)
	}
	s := &scores{t: t, found: map[string]int{}}
	s.scoring = newScoring(board, positions, func(p connect4.Position, score int) error {
		columns, _ := p.Columns()
		if _, twice := s.found[columns]; twice {
			t.Errorf("%s has two scores", columns)
		}
		s.found[columns] = score
		return nil
	})
	s.job, s.batch, s.unconfirmed = jobs.Score{Size: "4x4", Connect: 4}, 1, unconfirmed
	s.warn = func(format string, args ...any) { s.warnings += fmt.Sprintf(format, args...) + "\n" }
	s.progress = &engine.BookProgress{Progress: cli.NewProgress(io.Discard, len(positions))}
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

// says delivers a result with the same score of all positions of a job; an empty name is the coordinator.
func (s *scores) says(r queue.Request, worker string, score int) {
	s.t.Helper()
	result := jobs.Scored{Columns: r.Body.(jobs.Body).Score.Columns}
	for range result.Columns {
		result.Scores = append(result.Scores, score)
		result.Seconds += 0.1
	}
	body, err := json.Marshal(result)
	if err != nil {
		s.t.Fatal(err)
	}
	s.delivers(r.ID, worker, string(body), "")
}

// delivers delivers a result. The error has the text want, or there is none if want is empty.
func (s *scores) delivers(id, worker, body, want string) {
	s.t.Helper()
	err := s.Result(queue.Result{ID: id, Worker: worker, Verdict: worker == "", Body: json.RawMessage(body)})
	if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
		s.t.Errorf("%s by %q: %v, want %q", body, worker, err, want)
	}
}

// TestScoringConfirms: two workers have to agree on a score; a worker that says the same twice counts once.
func TestScoringConfirms(t *testing.T) {
	s := newScores(t, false)
	r := s.gives(first)
	s.says(r, "a", 3)
	again := s.gives(confirm, "a")
	s.says(again, "a", 3)
	if len(s.found) != 0 {
		t.Error("one worker has decided")
	}
	s.says(s.gives(confirm, "a"), "b", 3)
	if len(s.found) != 1 {
		t.Error("two workers have not decided")
	}
	s.says(r, "c", 5) // too late
	if _, text := s.Status(); text != "0 of 8 positions solved" {
		t.Error(text)
	}
	for !s.Done() {
		r, ok := s.Next()
		if !ok {
			t.Fatal("no job")
		}
		s.says(r, "abc"[len(r.Not):len(r.Not)+1], 0)
	}
	if _, ok := s.Next(); ok || len(s.found) != 8 || s.warnings != "" {
		t.Errorf("%d scores, %s", len(s.found), s.warnings)
	}
}

// TestScoringLiar: if two workers contradict each other the coordinator decides, and all that the liar has
// said is dropped.
func TestScoringLiar(t *testing.T) {
	s := newScores(t, false)
	for _, r := range []queue.Request{s.gives(first), s.gives(first), s.gives(first)} {
		s.says(r, "liar", 9)
	}
	one, two, three := s.gives(confirm, "liar"), s.gives(confirm, "liar"), s.gives(confirm, "liar")
	s.says(one, "a", 3)
	one = s.gives(judge)
	s.says(two, "a", 1)
	two = s.gives(judge)
	s.says(one, "", 3)
	if s.warnings != "these workers have sent false results, and all their results are dropped: [\"liar\"]\n" ||
		len(s.found) != 1 {
		t.Errorf("%q, %v", s.warnings, s.found)
	}
	s.says(two, "", 1)
	if detail, _ := s.Status(); fmt.Sprint(detail) != "{8 0 0 [liar]}" {
		t.Error(detail)
	}
	s.delivers("x", "liar", `{"columns":["12"],"scores":[1]}`, "it has sent false results")
	s.says(three, "a", 5) // the only one that says something now
	if len(s.found) != 2 {
		t.Errorf("%v", s.found)
	}
	s.says(s.gives(confirm, "liar", "a"), "b", 5)
	if len(s.found) != 3 {
		t.Errorf("%v", s.found)
	}
	if strings.Count(s.warnings, "\n") != 1 {
		t.Errorf("warned more than once: %s", s.warnings)
	}
	s.gives(first, "liar")
	if detail, _ := s.Status(); fmt.Sprint(detail) != "{8 0 0 [liar]}" {
		t.Error(detail)
	}
}

// TestScoringHostile: what is no score of the job is named, and the job given again; what is of no position is ignored.
func TestScoringHostile(t *testing.T) {
	s := newScores(t, true)
	r := s.gives(first)
	columns := r.Body.(jobs.Body).Score.Columns[0]
	for body, want := range map[string]string{
		``: "unexpected end", `x`: "invalid", `[]`: "cannot unmarshal",
		`null`: "it has 0 positions, but the job has 1", `{}`: "it has 0 positions, but the job has 1",
		`{"columns":["12"]}`: "0 scores for 1 positions", `{"scores":[1]}`: "1 scores for 0 positions",
		`{"columns":["12"],"scores":[17]}`: `position "12": score 17`, `{"columns":["12"],"scores":[-17]}`: "score -17",
		`{"columns":["12"],"scores":[1.5]}`: "cannot unmarshal", `{"columns":["12"],"scores":[1e99]}`: "cannot unmarshal",
		`{"columns":["15"],"scores":[1]}`: "5", `{"columns":["11111"],"scores":[1]}`: "full",
		`{"columns":["12","12"],"scores":[1,1]}`:            "it has 2 positions, but the job has 1",
		`{"columns":["1212"],"scores":[1],"seconds":1e300}`: "", // none of ours
	} {
		s.delivers(r.ID, "a", body, want)
		if again := s.gives(first); again.ID != r.ID {
			t.Errorf("%s: another job", body)
		}
	}
	for _, id := range []string{"", "-", "x", strings.Repeat("f", 1<<16)} {
		s.delivers(id, "a", `{"columns":["1212"],"scores":[1]}`, "")
	}
	if len(s.found) != 0 {
		t.Error(s.found)
	}
	s.says(r, "a", 1)
	if s.found[columns] != 1 {
		t.Error(s.found)
	}
	r = s.gives(first)
	s.Lost(r)
	if again := s.gives(first); again.ID != r.ID || len(s.found) != 1 {
		t.Errorf("%v, %v", again, s.found)
	}
}

// TestScoringBatch: a job has the positions of half a second, which need the same; what earlier runs have
// found counts whatever its jobs were.
func TestScoringBatch(t *testing.T) {
	s := newScores(t, false)
	s.batch = 0
	count := func(r queue.Request) int { return len(r.Body.(jobs.Body).Score.Columns) }
	earlier := s.positions[6]
	columns, _ := earlier.Columns()
	s.delivers("of an earlier run", "a", `{"columns":["`+columns+`"],"scores":[2],"seconds":0.1}`, "")
	r := s.gives(first)
	if n := count(r); n != 5 {
		t.Errorf("%d positions", n)
	}
	if n := count(s.gives(first)); n != 1 { // the next one is to be confirmed
		t.Errorf("%d positions", n)
	}
	if n := count(s.gives(confirm, "a")); n != 1 {
		t.Errorf("%d positions", n)
	}
	s.says(r, "b", 3)
	r = s.gives(confirm, "b")
	if n := count(r); n != 5 {
		t.Errorf("%d positions", n)
	}
	s.says(r, "c", 3)
	if len(s.found) != 5 {
		t.Error(s.found)
	}
	s.seconds = 100
	if n := s.size(); n != 1 {
		t.Errorf("%d positions", n)
	}
	s.seconds = 1e-9
	if n := s.size(); n != jobLimit {
		t.Errorf("%d positions", n)
	}
}

// TestScoringFails: a score that cannot be written ends the task.
func TestScoringFails(t *testing.T) {
	s := newScores(t, true)
	full := errors.New("full")
	s.scoring.found = func(connect4.Position, int) error { return full }
	s.says(s.gives(first), "a", 1)
	if _, ok := s.Next(); ok || !s.Done() || !errors.Is(s.err, full) {
		t.Error(s.err)
	}
}
