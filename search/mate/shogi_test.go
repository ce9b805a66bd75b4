package mate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/internal/filetest"
	"trefoil/search/proof/shogigoal"
)

// tsume is a position of shogi, given as an sfen and moves, from where the side to move is to
// mate by checks.
func tsume(t testing.TB, sfen string, moves int) (Problem, *shogi.Position) {
	t.Helper()
	sfen, played, _ := strings.Cut(sfen, " moves ")
	p := gametest.Shogi(t, sfen, played)
	return Problem{Moves: moves, Alone: true, Goal: func(opponent bool, moves int) Goal {
		return shogigoal.New(p, shogigoal.Attacker(p, opponent), moves)
	}}, p
}

// checkTsume plays the line of an answer: legal moves and checks to the mate, no sooner.
func checkTsume(t *testing.T, p *shogi.Position, a *Answer) string {
	t.Helper()
	return playLine(t, p, a, (*shogi.Position).Mated)
}

// playLine is checkTsume for mates as mated knows them.
func playLine(t *testing.T, p *shogi.Position, a *Answer, mated func(*shogi.Position) bool) string {
	t.Helper()
	p = p.Copy()
	var texts []string
	for i, m := range a.Line {
		text := p.Text(m)
		texts = append(texts, text)
		legal, err := p.ParseMove(text)
		if err != nil || legal != m || mated(p) {
			t.Fatalf("%v: move %d of %v", err, i+1, texts)
		}
		if p.Make(m); i%2 == 0 && !p.InCheck() {
			t.Errorf("no check at the end of %v", texts)
		}
	}
	if a.Moves > 0 && (len(a.Line) != 2*a.Moves-1 || !mated(p)) {
		t.Errorf("mate in %d: %v", a.Moves, texts)
	}
	return strings.Join(texts, " ")
}

// problems have a shortest mate of a known length; 0: none.
var problems = []struct {
	name, sfen string
	plies      int
	first      string // the only first move, "" if it does not matter
}{
	{"gold at the head", "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1, "G*5b"},
	{"dropped pawns do not mate", "7nk/9/7G1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1", 0, ""},
	{"pawns that step there do", "7nk/9/7GP/9/9/9/9/9/9 b 2r2b3g4s3n4l17p 1", 1, ""},
	{"a rook not promoted avoids mating by a pawn", "6n1k/6p1p/9/7R1/9/9/9/9/9 b P 1", 0, ""},
	{"perpetual check", "8k/9/9/9/9/9/9/9/K6R1 b - 1", 0, ""},
	{"no king to mate", "9/9/9/9/9/9/9/9/4K4 b RB 1", 0, ""},
	{"is mated", "4k4/4G4/4P4/9/9/9/9/9/4K4 w rb 2", 0, ""},
	{"in check, which a check must end", "4k4/9/4P4/9/9/9/9/4r4/4K4 b G 1", 0, ""},
	{"the piece that checks is taken with check", "3gkg3/9/4P4/9/9/9/9/5r3/4K4 b R 1", 0, ""},
}

func TestTsume(t *testing.T) {
	for _, threads := range []int{1, 2} {
		f := finder(t, 4, threads)
		for _, c := range problems {
			prob, p := tsume(t, c.sfen, Endless)
			a, err := f.Find(context.Background(), prob, Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			line := checkTsume(t, p, &a)
			if len(a.Line) != c.plies || c.plies > 0 && !a.Shortest || !strings.HasPrefix(line, c.first) {
				t.Errorf("%s: %d plies, not %d, shortest %v: %s", c.name, len(a.Line), c.plies, a.Shortest, line)
			}
			if c.plies == 0 && !a.Over && a.Failed[0] != Endless {
				t.Errorf("%s: no mate, but proved only within %d moves", c.name, a.Failed[0])
			}
		}
	}
}

// TestUnpromoted: the attacker's third move is a rook to 8e, which mates only if it does not promote. To disprove
// the promotion takes millions of nodes.
func TestUnpromoted(t *testing.T) {
	prob, p := tsume(t, "1R7/9/g1+P6/+P2s5/1+bk+pg4/GN1Rl4/Pn+p6/3S5/9 b B2N3Pg2s3l10p 1", Endless) // Zuko 37, 23 plies
	a, err := finder(t, 16, 1).Find(context.Background(), prob, Limits{Nodes: 200_000, First: true}, nil)
	if err != nil || a.Moves == 0 {
		t.Fatalf("no mate with %d nodes: %v", a.Nodes, err)
	}
	if line := checkTsume(t, p, &a); !strings.Contains(line, " 8a8e ") {
		t.Error(line)
	}
}

// TestFourthOccurrence: with two lances the only way to the mate is through a position that has occurred three times.
// After one of them is lost, that way is open.
func TestFourthOccurrence(t *testing.T) {
	const two = "9/9/9/6spp/6p1k/7R1/7PP/9/K8 b 2L 1 moves 2f1f 1e2e 1f2f 2e1e 2f1f 1e2e 1f2f 2e1e 2f1f 1e2e"
	const one = two + " 1f5f 2e1e 5f5h 1e2e L*3f 2e3f 5h5i 3f2e 5i5f 2e1e 5f1f 1e2e"
	f := finder(t, 4, 1)
	prob, _ := tsume(t, two, Endless)
	a, err := f.Find(context.Background(), prob, Limits{}, nil)
	if err != nil || a.Moves > 0 || a.Failed[0] != Endless {
		t.Errorf("%+v, %v, with two lances", a, err)
	}
	prob, p := tsume(t, one, Endless)
	if a, err = f.Find(context.Background(), prob, Limits{}, nil); err != nil {
		t.Fatal(err)
	}
	if line := checkTsume(t, p, &a); a.Moves != 2 {
		t.Errorf("mate %d with one lance: %s", a.Moves, line)
	}
}

// A falselyDrawn goal reports a draw a number of times, which makes as many walks fail.
type falselyDrawn struct {
	*shogigoal.Goal
	looks *int
}

func (s falselyDrawn) Drawn() bool {
	if *s.looks > 0 {
		*s.looks--
		return true
	}
	return s.Goal.Drawn()
}

// inTwo is a position with a mate in two moves and none in one.
func inTwo(t *testing.T) string {
	for rnd := rand.New(rand.NewPCG(1, 2)); ; {
		sfen := fewPieces(rnd)
		if _, err := shogi.ParseSFEN(sfen); err == nil {
			if _, p := tsume(t, sfen, Endless); !mates(p, 1) && mates(p, 2) {
				return sfen
			}
		}
	}
}

// However often the walk through the proof of a mate of open length fails, the search goes on. It has an
// answer once the walk succeeds, and ends without one only with its context.
func TestTsumeGoesOn(t *testing.T) {
	const failures = 40
	prob, p := tsume(t, inTwo(t), Endless)
	looks, ctx := failures, context.Background()
	plain := prob.Goal
	prob.Goal = func(opponent bool, moves int) Goal {
		return falselyDrawn{plain(opponent, moves).(*shogigoal.Goal), &looks}
	}
	a, err := finder(t, 1, 1).Find(ctx, prob, Limits{}, nil)
	if err != nil || a.Moves != 2 || looks != 0 {
		t.Errorf("%d of %d walks left, %+v %v", looks, failures, a, err)
	}
	checkTsume(t, p, &a)

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	looks = math.MaxInt
	prob.Goal = func(opponent bool, moves int) Goal {
		if looks < math.MaxInt-failures {
			cancel()
		}
		return falselyDrawn{plain(opponent, moves).(*shogigoal.Goal), &looks}
	}
	if a, err = finder(t, 1, 1).Find(ctx, prob, Limits{}, nil); err != nil || a.Moves != 0 || ctx.Err() == nil {
		t.Errorf("%+v %v, and the context is not done", a, err)
	}
}

// mates is the plainest possible search: whether the side to move mates by checks within n
// moves.
func mates(p *shogi.Position, n int) bool { return reaches(p, n, (*shogi.Position).Mated) }

// reaches is mates for mates as mated knows them.
func reaches(p *shogi.Position, n int, mated func(*shogi.Position) bool) bool {
	var checks, replies game.List
	p.Moves(game.All, &checks)
	for _, m := range checks.All() {
		p.Make(m)
		all := p.InCheck()
		if all && !mated(p) {
			replies.Reset()
			p.Moves(game.All, &replies)
			all = n > 1
			for i := 0; i < replies.Len() && all; i++ {
				p.Make(replies.At(i))
				all = reaches(p, n-1, mated)
				p.Undo()
			}
		}
		p.Undo()
		if all {
			return true
		}
	}
	return false
}

// TestShortTsume compares mates within three moves, found and not found, with a plain search,
// in random positions over one small table: what it keeps of one must not be wrong in others.
func TestShortTsume(t *testing.T) {
	f, rnd := finder(t, 1, 1), rand.New(rand.NewPCG(3, 4))
	shortTsume(t, f, rnd, 60, fewPieces, tsume, (*shogi.Position).Mated)
}

// TestShortInEffect is TestShortTsume with useless interpositions left aside, which makes half of the mates
// shorter. The table also has results with them.
func TestShortInEffect(t *testing.T) {
	f, rnd := finder(t, 1, 1), rand.New(rand.NewPCG(3, 4))
	random := func(rnd *rand.Rand) string {
		for {
			sfen := fromAfar(rnd)
			p, err := shogi.ParseSFEN(sfen)
			if err == nil && (rnd.IntN(200) == 0 || shortened(p, 1) || shortened(p, 2)) {
				return sfen
			}
		}
	}
	problem := func(t testing.TB, sfen string, moves int) (Problem, *shogi.Position) {
		prob, p := tsume(t, sfen, moves)
		if _, err := f.Find(context.Background(), prob, Limits{Nodes: 1000}, nil); err != nil {
			t.Fatal(err)
		}
		counting := prob.Goal
		prob.Goal = func(opponent bool, moves int) Goal {
			g := counting(opponent, moves).(*shogigoal.Goal)
			g.InEffect()
			return g
		}
		return prob, p
	}
	shortTsume(t, f, rnd, 40, random, problem, (*shogi.Position).MatedInEffect)
}

// shortened reports whether the side to move mates by checks within n moves, but only in effect.
func shortened(p *shogi.Position, n int) bool {
	return reaches(p, n, (*shogi.Position).MatedInEffect) && !mates(p, n)
}

// fromAfar is a random position, legal or not, in which sliders can check a king on the edge from afar.
func fromAfar(rnd *rand.Rand) string {
	var cells [9][9]string // by rank and file, from 9a
	for range 1 + rnd.IntN(2) {
		cells[rnd.IntN(9)][rnd.IntN(6)] = []string{"R", "B", "+R", "+B"}[rnd.IntN(4)]
	}
	for range 2 + rnd.IntN(3) {
		cells[1+rnd.IntN(3)][5+rnd.IntN(4)] = []string{"G", "S", "N", "P", "+P", "L"}[rnd.IntN(6)]
	}
	for range rnd.IntN(4) {
		cells[rnd.IntN(3)][4+rnd.IntN(5)] = []string{"p", "l", "n", "s", "g"}[rnd.IntN(5)]
	}
	cells[rnd.IntN(2)][7+rnd.IntN(2)] = "k"
	return sfenOf(&cells, rnd)
}

// shortTsume is TestShortTsume of n positions.
func shortTsume(t *testing.T, f *Finder, rnd *rand.Rand, n int, random func(*rand.Rand) string,
	tsume func(testing.TB, string, int) (Problem, *shogi.Position), mated func(*shogi.Position) bool) {
	t.Helper()
	const most = 3
	var found [most + 1]int
	for n > 0 {
		sfen := random(rnd)
		if _, err := shogi.ParseSFEN(sfen); err != nil {
			continue
		}
		n--
		prob, p := tsume(t, sfen, Endless)
		want := 0
		for moves := 1; moves <= most && want == 0; moves++ {
			if reaches(p.Copy(), moves, mated) {
				want = moves
			}
		}
		a, err := f.Find(context.Background(), prob, Limits{Nodes: 20000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		line := playLine(t, p, &a, mated)
		if want > 0 && a.Moves != want || want == 0 && a.Moves > 0 && a.Moves <= most {
			t.Errorf("%s: mate in %d, not %d: %s %+v", sfen, a.Moves, want, line, a)
		}
		// What is known for one length is used for others: in any order each has its own result.
		for _, moves := range append(rnd.Perm(most), most-1) {
			prob.Moves = moves + 1
			a, err = f.Find(context.Background(), prob, Limits{Thorough: true}, nil)
			if within := want > 0 && want <= prob.Moves; err != nil || within && a.Moves != want ||
				!within && (a.Moves != 0 || a.Failed[0] < prob.Moves) {
				t.Errorf("%s: mate in %d, not %d, within %d: %+v %v", sfen, a.Moves, want, prob.Moves, a, err)
			}
			playLine(t, p, &a, mated)
		}
		found[want]++
	}
	t.Logf("no mate, in one, two, three: %v", found)
}

// TestOtherPieces: positions of one board and one hand of the attacker are told apart by what the defender
// has in hand, in one table and in any order.
func TestOtherPieces(t *testing.T) {
	f := finder(t, 1, 1)
	for _, hands := range []string{"L", "Lrbgsnlp", "L", "Lrbgsnlp"} {
		prob, p := tsume(t, "4s3k/7s1/4R4/6L2/8s/9/9/9/9 b "+hands+" 1", Endless)
		a, err := f.Find(context.Background(), prob, Limits{}, nil)
		checkTsume(t, p, &a)
		if inThree := mates(p, 3); err != nil || inThree != (a.Moves > 0 && a.Moves <= 3) || inThree != (hands == "L") {
			t.Errorf("%s: mate in %d, mate in three by a plain search %v: %v", hands, a.Moves, inThree, err)
		}
	}
}

// fewPieces is a random position, legal or not, with the white king near a corner.
func fewPieces(rnd *rand.Rand) string {
	var cells [9][9]string // by rank and file, from 9a
	near := func() *string { return &cells[rnd.IntN(5)][4+rnd.IntN(5)] }
	cells[rnd.IntN(3)][6+rnd.IntN(3)] = "k"
	for range 2 + rnd.IntN(4) {
		if at := near(); *at == "" {
			*at = []string{"G", "S", "+P", "N", "P", "L", "R", "B", "+R", "+B"}[rnd.IntN(10)]
		}
	}
	for range rnd.IntN(5) {
		if at := near(); *at == "" {
			*at = []string{"g", "s", "p", "n", "l", "r", "b"}[rnd.IntN(7)]
		}
	}
	return sfenOf(&cells, rnd)
}

// sfenOf is a position with the attacker to move and random hands.
func sfenOf(cells *[9][9]string, rnd *rand.Rand) string {
	var b strings.Builder
	for y, rank := range cells {
		if y > 0 {
			b.WriteByte('/')
		}
		for _, cell := range rank {
			if cell == "" {
				cell = "1"
			}
			b.WriteString(cell)
		}
	}
	hands := ""
	for _, piece := range "RBGSNLP" {
		if rnd.IntN(3) == 0 {
			hands += string(piece)
		}
		if rnd.IntN(2) == 0 {
			hands += string(piece + 'a' - 'A')
		}
	}
	if hands == "" {
		hands = "-"
	}
	return fmt.Sprintf("%s b %s 1", merge(b.String()), hands)
}

// merge writes neighbouring empty squares as one number.
func merge(board string) string {
	for n := 9; n > 1; n-- {
		board = strings.ReplaceAll(board, strings.Repeat("1", n), strconv.Itoa(n))
	}
	return board
}

// TestTsumeFiles solves the problems of the test data: lines that begin with "sfen |
// shortest length |", 0 being unknown.
func TestTsumeFiles(t *testing.T) {
	for _, name := range []string{"tsume_public.txt", "tsume_selfplay.txt"} {
		var longest time.Duration
		for _, line := range filetest.Lines(t, filetest.Further(t, "shogi/"+name)) {
			fields := strings.Split(line, " | ")
			want, _ := strconv.Atoi(fields[1])
			prob, p := tsume(t, fields[0], Endless)
			a, err := finder(t, 16, 1).Find(context.Background(), prob, Limits{Nodes: 2e6}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := checkTsume(t, p, &a)
			longest = max(longest, a.Time)
			if a.Moves == 0 || want > 0 && len(a.Line) != want {
				t.Errorf("%s: mate in %d plies, not %d: %s", fields[0], len(a.Line), want, got)
			}
		}
		t.Logf("%s: at most %v", name, longest.Round(time.Millisecond))
	}
}
