package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"

	"trefoil/game/chess/wdl"
	"trefoil/tools/net/internal/record"
)

// fitWDL is the command wdl: it fits the model by which UCI_ShowWDL turns a score and the material into an
// expected result. The model is for the longest searches of the files.
func fitWDL(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	order := set.Int("order", defaultOrder, "order of the polynomials of the material, 0 for a model of the score alone")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case *order < 0 || *order > maxOrder:
		return fmt.Errorf("wdl: -order must be from 0 to %d", maxOrder)
	}
	from := positions{most: wdlMost}
	if err := from.open(set.Args()); err != nil {
		return fmt.Errorf("wdl: %w", err)
	}
	if from.game.name != "chess" {
		return fmt.Errorf("wdl: %s: games of %s, and the model is of chess", set.Arg(0), from.game.name)
	}
	var games []scoredGame
	err := from.each(runtime.NumCPU(), func(name string, h record.Header, records []byte) error {
		of, err := scoredGames(name, h, records)
		games = append(games, of...)
		return err
	})
	if err != nil {
		return err
	}
	if err := sortByLength(games); err != nil {
		return err
	}
	if err := compareOrders(ctx, out, games); err != nil {
		return err
	}
	m, err := fit(games, *order)
	if err != nil {
		return err
	}
	printModel(out, m)
	for _, same := range byLength(games) {
		printCalibration(out, m.at(same[0].length), same)
	}
	return nil
}

// scoredGame is what a model is fitted to.
type scoredGame struct {
	nodes     uint64  // of a search
	length    float64 // logarithm of the part that these are of the longest searches
	positions []scored
}

// scored is a position with the result of its game, from the side that is not behind.
type scored struct {
	material int
	score    float64 // not negative
	half     uint8   // half points of that side
}

// wdlMost is the greatest score of a position that counts.
const wdlMost = 3000

// scoredGames returns the games of the records of a file.
func scoredGames(name string, h record.Header, records []byte) (games []scoredGame, err error) {
	nodes, searched := nodesOf(h.Scores)
	if !searched {
		return nil, fmt.Errorf("wdl: %s: scores of %s, want those of searches", name, h.Scores)
	}
	for at := 0; at < len(records); at += record.ChessBytes {
		rec := records[at:][:record.ChessBytes]
		s, err := scoredOf(rec)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if at == 0 || record.TailOf(rec).Number != record.TailOf(records[:at]).Number {
			games = append(games, scoredGame{nodes: nodes})
		}
		last := &games[len(games)-1]
		last.positions = append(last.positions, s)
	}
	return games, nil
}

// scoredOf reads a record.
func scoredOf(rec []byte) (s scored, err error) {
	p, err := record.Chess(rec)
	if err != nil {
		return s, err
	}
	t := record.TailOf(rec)
	s = scored{material: wdl.Material(p), score: float64(t.Score), half: t.Half}
	if s.score < 0 { // the model is the same for both sides
		s.score, s.half = -s.score, 2-s.half
	}
	return s, nil
}

// sortByLength sorts games by the length of their searches, the longest first.
func sortByLength(games []scoredGame) error {
	if len(games) < folds {
		return fmt.Errorf("wdl: %d games with positions, want at least %d", len(games), folds)
	}
	slices.SortStableFunc(games, func(a, b scoredGame) int { return cmp.Compare(b.nodes, a.nodes) })
	for i := range games {
		games[i].length = math.Log(float64(games[i].nodes) / float64(games[0].nodes))
	}
	return nil
}

// byLength divides sorted games into those of each length.
func byLength(games []scoredGame) (lengths [][]scoredGame) {
	for len(games) > 0 {
		n := 1
		for n < len(games) && games[n].nodes == games[0].nodes {
			n++
		}
		lengths, games = append(lengths, games[:n]), games[n:]
	}
	return lengths
}

// count is the number of positions of games.
func count(games []scoredGame) (n int) {
	for _, g := range games {
		n += len(g.positions)
	}
	return n
}

// printModel prints the parameters as game/chess/wdl has them, and what they mean.
func printModel(out io.Writer, m lengthModel) {
	fmt.Fprintf(out, "order %d:\n\tEven:   wdl.Polynomial{%s},\n\tSpread: wdl.Polynomial{%s},\n\n",
		len(m.Even)-1, coefficients(m.Even), coefficients(m.Spread))
	if m.evenPower != 0 || m.spreadPower != 0 {
		fmt.Fprintf(out, "with the nodes of a search even grows to the power %.2f, spread to %.2f\n\n", m.evenPower,
			m.spreadPower)
	}
	fmt.Fprintln(out, "material   even  spread   win, draw, loss at 0 cp   at 100 cp           at 200 cp")
	for _, material := range [...]int{8, 18, 28, 38, 48, 58, 68, 78} {
		x := wdl.Fraction(material)
		fmt.Fprintf(out, "%8d %6.0f %7.0f", material, m.Even.At(x), m.Spread.At(x))
		for _, score := range [...]float64{0, 100, 200} {
			win, draw, loss := m.Probabilities(material, score)
			fmt.Fprintf(out, "  %5.1f %5.1f %5.1f", 100*win, 100*draw, 100*loss)
		}
		fmt.Fprintln(out)
	}
}

// coefficients writes a polynomial as a list in Go.
func coefficients(p wdl.Polynomial) (text string) {
	for i, c := range p {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%.1f", c)
	}
	return text
}

// The bands of the calibration: they begin with these numbers.
var (
	materialBands = [...]int{0, 18, 33, 48, 63, wdl.FullMaterial + 1}
	scoreBands    = [...]int{0, 25, 50, 100, 150, 200, 300, 400, 600, wdlMost + 1}
)

// printCalibration prints what has been counted in games of one length and what the model for them says, for bands
// of material and of score.
func printCalibration(out io.Writer, m wdl.Model, games []scoredGame) {
	type cell struct {
		n                 int
		counted, expected [3]float64 // loss, draw, win
	}
	var cells [len(materialBands) - 1][len(scoreBands) - 1]cell
	for _, g := range games {
		for _, s := range g.positions {
			c := &cells[band(materialBands[:], s.material)][band(scoreBands[:], int(s.score))]
			c.n++
			c.counted[s.half]++
			win, draw, loss := m.Probabilities(s.material, s.score)
			for k, p := range [3]float64{loss, draw, win} {
				c.expected[k] += p
			}
		}
	}
	for i, row := range cells {
		fmt.Fprintf(out, "\n%d nodes, material %d to %d\n%16s %10s   %-25s %s\n", games[0].nodes, materialBands[i],
			materialBands[i+1]-1,
			"score", "positions", "win, draw, loss counted", "by the model")
		for j, c := range row {
			if c.n == 0 {
				continue
			}
			f := 100 / float64(c.n)
			fmt.Fprintf(out, "%5d to %5d cp %10d   %5.1f %% %5.1f %% %5.1f %%   %5.1f %% %5.1f %% %5.1f %%\n", scoreBands[j],
				scoreBands[j+1]-1, c.n,
				f*c.counted[2], f*c.counted[1], f*c.counted[0], f*c.expected[2], f*c.expected[1], f*c.expected[0])
		}
	}
}

// band is the index of the band of v.
func band(bands []int, v int) int {
	i := 0
	for i < len(bands)-2 && v >= bands[i+1] {
		i++
	}
	return i
}
