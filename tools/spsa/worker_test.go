package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// workerVariable makes the test program a worker that plays synthetic games, of the kind that is its
// value.
const workerVariable = "TREFOIL_SPSA_WORKER"

func TestMain(m *testing.M) {
	kind, ok := os.LookupEnv(workerVariable)
	if !ok {
		os.Exit(m.Run())
	}
	err := serve(context.Background(), os.Stdin, os.Stdout, func(ctx context.Context, j job) (int, error) {
		kind, marker, _ := strings.Cut(kind, ":")
		switch kind {
		case "dies": // in every fifth game, at the first attempt
			name := fmt.Sprintf("%s-%d", marker, j.Number)
			if _, err := os.Stat(name); err != nil && j.Number%5 == 0 {
				if err := os.WriteFile(name, nil, 0o600); err != nil {
					return 0, err
				}
				os.Exit(3)
			}
		case "dead":
			os.Exit(3)
		case "babbles":
			fmt.Println("good evening")
		case "fails":
			return 0, errors.New("no opening")
		case "waits":
			<-ctx.Done()
			return 0, ctx.Err()
		}
		halves, err := synthetic([]float64{130, 55}, 0.03)(ctx, []job{j})
		if err != nil {
			return 0, err
		}
		return halves[0], nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// crewOf is a crew of workers of a kind.
func crewOf(t *testing.T, ctx context.Context, n int, kind string) *crew {
	t.Helper()
	c := newCrew(ctx, n, func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), workerVariable+"="+kind)
		return cmd
	})
	t.Cleanup(c.close)
	return c
}

func crewTune() *state {
	return tuneOf(60, 4, tuned{"a", 100, 1, 200, 10, 100}, tuned{"b", 80, 1, 200, 10, 80})
}

// TestWorkers tests that the result depends neither on the number of workers nor on their deaths.
func TestWorkers(t *testing.T) {
	ctx := t.Context()
	want := crewTune()
	if err := want.iterate(ctx, synthetic([]float64{130, 55}, 0.03), nothing); err != nil {
		t.Fatal(err)
	}
	for n, kind := range map[int]string{1: "plays", 3: "plays", 2: "dies:" + filepath.Join(t.TempDir(), "died")} {
		s := crewTune()
		if err := s.iterate(ctx, crewOf(t, ctx, n, kind).play, nothing); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(s.text(), want.text()) {
			t.Errorf("%d workers, %s: got\n%s\nwant\n%s", n, kind, s.text(), want.text())
		}
	}
}

// TestBadWorkers tests that workers that give no results end the tune with an error.
func TestBadWorkers(t *testing.T) {
	for kind, want := range map[string]string{
		"dead": "3 workers died", "babbles": `it answers "good evening`, "fails": "no opening",
	} {
		err := crewTune().iterate(t.Context(), crewOf(t, t.Context(), 2, kind).play, nothing)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want an error with %q, got %v", kind, want, err)
		}
	}
}

// TestStop tests that the end of the context ends games that are being played.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := crewOf(t, ctx, 2, "waits")
	c.jobs <- job{Number: 7}
	c.jobs <- job{Number: 8} // both are being played, or about to be
	cancel()
	c.close()
}

func TestServe(t *testing.T) {
	for in, want := range map[string]string{"": "", "{\"number\": \"x\"}\n": "cannot be read",
		"nonsense\n": "cannot be read"} {
		var out bytes.Buffer
		err := serve(t.Context(), strings.NewReader(in), &out,
			func(context.Context, job) (int, error) { return 0, nil })
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%q: %v, %q", in, err, out.String())
		}
	}
}
