package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"trefoil/game/ultimate"
)

// uct finds a move that wins at once, and every playout counts for one of the moves.
func TestUCT(t *testing.T) {
	u := &uct{rng: rand.New(rand.NewPCG(1, 2))}
	p, err := ultimate.Parse("O;O.X@..O.X;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO.X.OXOO")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := u.move(nil, p, 2000); err != nil || got != "db" {
		t.Errorf("%s, %v, want db", got, err)
	}
	root, sum := u.nodes[0], int32(0)
	for _, c := range u.nodes[root.first : root.first+int32(root.count)] {
		sum += c.visits
	}
	if root.visits != 2000 || sum != root.visits {
		t.Errorf("%d visits, those of the moves %d", root.visits, sum)
	}
}

func TestMatch(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), strings.Fields("-games 2 -playouts 20 -random 40 uct uct"), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`^game 1, uct begins: (0|1/2|1) for uct,( [a-i]{2})+
game 2, uct begins: (0|1/2|1) for uct,( [a-i]{2})+
uct: [\d.]+ % ± [\d.]+ of 2 games \(\+\d =\d -\d\)
uct: \d+ moves, [\d.]+ ms of processor time and 20 nodes each
uct: \d+ moves, [\d.]+ ms of processor time and 20 nodes each
$`)
	if !want.MatchString(out.String()) {
		t.Errorf("got\n%s", &out)
	}
}

// stopAt cancels when a text is written.
type stopAt struct {
	bytes.Buffer
	text string
	stop func()
}

func (s *stopAt) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(s.text)) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// A match that is stopped counts the games of whole pairs: points, wins, draws and losses are of the same games.
func TestStopped(t *testing.T) {
	score := regexp.MustCompile(`of (\d+) games \(\+(\d+) =(\d+) -(\d+)\)`)
	for game, want := range map[string]int{"game 3,": 2, "game 4,": 4} {
		ctx, cancel := context.WithCancel(context.Background())
		out := &stopAt{text: game, stop: cancel}
		if err := run(ctx, strings.Fields("-games 20 -playouts 5 -random 30 uct uct"), out, io.Discard); err != nil {
			t.Fatal(err)
		}
		found := score.FindStringSubmatch(out.String())
		if found == nil {
			t.Fatalf("no score in\n%s", &out.Buffer)
		}
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(found[1+i])
		}
		if n[0] != want || n[1]+n[2]+n[3] != want {
			t.Errorf("stopped in %s %q, want %d games", game, found[0], want)
		}
	}
}

// No opening ends the game.
func TestOpening(t *testing.T) {
	m := match{plies: mostPlies}
	for number := range 20 {
		p := ultimate.Start()
		opening := m.opening(number)
		for _, move := range opening {
			p = p.Play(move)
		}
		if _, _, over := p.Over(); over || len(opening) != mostPlies {
			t.Errorf("opening %d: %d moves, over %v: %v", number, len(opening), over, opening)
		}
	}
}

func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"uct":                  "1 players, want 2",
		"-games 3 uct uct":     "-games even",
		"-random 61 uct uct":   "-random from 0 to 60",
		"-time 0 uct uct":      "-time must be",
		"/no/such/program uct": "no such file",
		"ultimattt:/none uct":  "no such file",
	} {
		if err := run(context.Background(), strings.Fields(args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
