package command

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"

	"trefoil/engine/analysis"
	"trefoil/internal/atomicfile"
	"trefoil/internal/cli"
	"trefoil/search"
	"trefoil/ttanalysis/plot"
	"trefoil/ttanalysis/report"
)

//go:embed analyse_page.html
var analysisTemplate string

// analysisPage is the page of --html. It is written game by game.
type analysisPage struct {
	file             *atomicfile.File
	parts            *template.Template
	program, variant string
	games            int
	failed           bool // to write
}

// gameSection is a game.
type gameSection struct {
	Title  string
	Sides  []string // summaries
	Chart  template.HTML
	Boards []markedBoard
	Moves  []moveRow
}

// markedBoard is the position before a move that lost much, with the best move.
type markedBoard struct {
	Text, Below string
	Board       template.HTML
}

// moveRow is a move with the score after it, for the side that moved.
type moveRow struct {
	Text, Score      string
	Mark, Lost, Best string // only if the move is marked
}

// markNames are the names of marks.
var markNames = [...]string{analysis.Inaccuracy: "inaccuracy", analysis.Mistake: "mistake", analysis.Blunder: "blunder"}

// add adds a game.
func (p *analysisPage) add(title string, record analysis.Record, r *analysis.Report) error {
	g := gameSection{Title: title, Sides: r.SideTexts(record.Sides())}
	positions := record.Positions()
	for i := range r.Game.Moves {
		l, before := r.Loss(i), &r.Positions[i]
		row := moveRow{Text: record.MoveText(i), Mark: markNames[l.Mark]}
		row.Score = analysis.ScoreText(opposite(r.Positions[i+1].Score))
		if l.Mark > analysis.None {
			row.Lost, row.Best = fmt.Sprintf("%.0f %%", 100*l.Expected), record.LineText(i, before.Line)
			text := lossText(record, r, i)
			svg, below, err := report.DrawBoard(text, p.variant, positions[i], before.Line[0])
			if err != nil {
				return err
			}
			g.Boards = append(g.Boards, markedBoard{text, below, svg})
		}
		g.Moves = append(g.Moves, row)
	}
	if len(r.Game.Moves) > 0 {
		var err error
		if g.Chart, err = curve(record.Sides()[0], r).Inline(); err != nil {
			return err
		}
	}
	p.games++
	return p.write("game", g)
}

// opposite is a score for the other side.
func opposite(s search.Score) search.Score {
	return search.Score{Centipawns: -s.Centipawns, Mate: s.Mate, Plies: -s.Plies}
}

// curve is the chart of the expected result of the first side.
func curve(name string, r *analysis.Report) plot.Chart {
	c := plot.Chart{Title: "Expected result of " + name, X: "ply", Y: "%"}
	line := plot.Line{Name: name, Kind: plot.Main}
	even := plot.Line{Name: "even", Kind: plot.Reference}
	for i := range r.Positions {
		expected := r.Scale.Expected(r.Positions[i].Score)
		if r.Side(i) != 0 {
			expected = 1 - expected
		}
		c.At = append(c.At, float64(i))
		line.Values, even.Values = append(line.Values, 100*expected), append(even.Values, 50)
	}
	c.Lines = []plot.Line{line, even}
	return c
}

// createPage begins the page of games of a variant.
func (a *analyse) createPage(program, variant string) (*analysisPage, error) {
	switch a.HTML {
	case cli.Standard:
		return nil, errors.New("--html: - is not a file")
	case a.Output:
		return nil, fmt.Errorf("--html: %s is also the file of -o", a.HTML)
	}
	p := &analysisPage{program: program, variant: variant}
	var err error
	if p.parts, err = template.New("page").Parse(analysisTemplate); err != nil {
		return nil, err
	}
	if err := writable([]string{a.HTML}, a.File); err != nil {
		return nil, err
	}
	if p.file, err = atomicfile.Create(a.HTML, atomicfile.Prefix("<!DOCTYPE html>")); err != nil {
		return nil, err
	}
	err = p.write("head", struct {
		Program string
		Style   template.CSS
	}{program, report.Style()})
	if err != nil {
		return nil, errors.Join(err, p.file.Discard())
	}
	return p, nil
}

// write writes a part of the page.
func (p *analysisPage) write(part string, data any) error {
	err := p.parts.ExecuteTemplate(p.file, part, data)
	p.failed = p.failed || err != nil
	return err
}

// close ends the page. Without a finished game the old file stays.
func (p *analysisPage) close() error {
	if p.games == 0 || p.failed {
		return p.file.Discard()
	}
	if err := p.write("foot", p.program); err != nil {
		return errors.Join(err, p.file.Discard())
	}
	return p.file.Commit()
}
