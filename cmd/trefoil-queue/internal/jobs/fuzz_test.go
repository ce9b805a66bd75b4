package jobs

import (
	"context"
	"encoding/json"
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/game/connect4"
)

// FuzzJobs: no text of a job or of the scores of one makes a worker or a coordinator fail. What they read
// is what they say it is.
func FuzzJobs(f *testing.F) {
	w := NewWorker("w", 1, 1)
	f.Cleanup(func() { _ = w.Close() })
	for _, g := range games.All() {
		p, err := g.Problem(g.Samples()[0])
		if err != nil {
			f.Fatal(err)
		}
		text, err := json.Marshal(Body{Proof: &jobproof.Job{
			ID: "1", Game: g.Name(), Goal: p.Goals[0], Moves: "aa", Purpose: jobproof.Search, Nodes: 10,
		}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		`{"score":{"size":"7x6","connect":4,"columns":["12","1"]}}`, `{"score":{"size":"4x4","connect":3,"columns":[""]}}`,
		`{"columns":["3","33"],"scores":[0,-1],"nodes":1,"seconds":1}`, `{"proof":{},"score":{}}`, `{"proof":null}`,
		`{"proof":{"game":"chess","goal":"white mates within 2: 4k3/8/4K3/8/8/8/8/7R w - - 0 1","moves":"h1h8"}}`,
		`{"proof":{"game":"shogi","goal":"black mates: 4k4/9/4P4/9/9/9/9/9/4K4 b G 1","moves":"G*5b"}}`,
	} {
		f.Add([]byte(text))
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel() // jobs are read, and not done
	f.Fuzz(func(t *testing.T, data []byte) {
		var b Body
		if json.Unmarshal(data, &b) == nil {
			if b.Proof != nil {
				for _, g := range games.All() {
					if g.Name() == b.Proof.Game {
						b.Proof.Version = jobproof.Version(g)
					}
				}
			}
			if result, err := w.Do(ended, b); err == nil {
				if _, err := json.Marshal(result); err != nil {
					t.Error(err)
				}
			}
		}
		var s Scored
		positions, err := s.Read(connect4.Standard, data)
		if err == nil && (len(positions) != len(s.Columns) || len(positions) != len(s.Scores)) {
			t.Errorf("%d positions of %+v", len(positions), s)
		}
		for i, p := range positions {
			if again, err := connect4.Parse(s.Columns[i]); err != nil || again != p || max(s.Scores[i], -s.Scores[i]) > 42 {
				t.Errorf("%q, score %d", s.Columns[i], s.Scores[i])
			}
		}
	})
}
