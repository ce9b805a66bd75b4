package browsertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestKnownScores compares the scores under the columns with those that `trefoil solve connect4 --analyze` prints.
func TestKnownScores(t *testing.T) {
	p := open(t, "game=connect4&view=analyse&moves=4,4,4,4,4,2,2,2,6,6,6")
	p.click("#analyse-run")
	p.wait(`[...document.querySelectorAll('#under b')].every(b => /[0-9]/.test(b.textContent))`)
	got := eval[string](p, `[...document.querySelectorAll('#under b')].map(b => b.textContent).join(' ')`)
	if want := "−14 −14 −3 −14 +3 −14 0"; got != want {
		t.Errorf("the scores are %s, want %s", got, want)
	}
	if got := eval[string](p,
		`document.querySelector('#under [data-column="5"] span:last-child').textContent`); !strings.HasPrefix(got,
		"wins in ") {
		t.Errorf("under column 5 is %q", got)
	}
}

func TestLines(t *testing.T) {
	p := open(t, "game=chess&view=analyse&moves=e2e4,e7e5")
	p.click("#analyse-run")
	p.wait(`document.querySelectorAll('#pv li').length === 3`)
	p.wait(`/^[+−][\d.]+2\..*3\./.test(document.querySelector('#pv li').textContent)`) // with the numbers of moves
	p.wait(`/depth \d+.*nodes.*\/s/.test(document.querySelector('#numbers').textContent)`)
	p.wait(`document.querySelectorAll('#graph .point').length === 1`)
	p.click("#back")
	p.wait(`document.querySelectorAll('#graph .point').length === 2`)
	p.click("#analyse-run")
	p.wait(`document.querySelector('#analyse-run').textContent === 'Analyse'`)
	p.do(chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent(" "))
	p.wait(`document.querySelector('#analyse-run').textContent === 'Stop'`)
	p.do(chromedp.KeyEvent(" "))
	p.wait(`document.querySelector('#analyse-run').textContent === 'Analyse'`)
}

// TestMarks: a bar beside the board shows the score, arrows show the best moves.
func TestMarks(t *testing.T) {
	p := open(t, "game=chess&view=analyse&setup=6k1/8/8/8/8/8/5PPP/R5K1 w - - 0 1") // White has a rook more
	const share = `parseFloat(document.querySelector('.bar div')?.style.height)`
	p.click("#analyse-run")
	p.wait(share + ` > 90 && document.querySelectorAll('.arrow').length === 3`)
	p.click("#flip")
	p.wait(share + ` > 90 && document.querySelector('.bar .flipped') && document.querySelectorAll('.arrow').length === 3`)
	p.click("[data-view=play]")
	p.wait(`!document.querySelector('.bar, .arrow')`)

	p = open(t, "game=connect4&view=analyse&moves=4,4,4,4,4,2")
	p.do(chromedp.Evaluate(`{ const e = document.querySelector('#mode'); e.value = 'analyse'; e.dispatchEvent(new Event('change')); 0 }`, nil))
	p.click("#analyse-run")
	p.wait(`document.querySelector('.bar') && document.querySelector('circle.arrow')`)
}

// TestWholeGame searches all positions while the board shows one of them.
func TestWholeGame(t *testing.T) {
	p := open(t, "game=chess&view=analyse&moves=e2e4,e7e5,g1f3,b8c6&at=1")
	p.click("#analyse-game")
	p.wait(`document.querySelectorAll('#graph .point').length === 5 && document.querySelector('#analyse-run').textContent === 'Analyse'`)
	p.status("White played e4")
	// The graph stays when the page has a new stream.
	p.do(chromedp.Evaluate(`{
		const others = new BroadcastChannel('streams');
		for (let i = 0; i < 5; i++) others.postMessage([i, true]);
		others.onmessage = ({ data: [, used] }) => { if (!used) dispatchEvent(new Event('focus')); };
		0 }`, nil))
	p.wait(`document.querySelector('#connection').textContent === 'Connected again.'`)
	p.click("#back")
	p.status("White to move.")
	if n := eval[int](p, `document.querySelectorAll('#graph .point').length`); n != 5 {
		t.Errorf("the graph has %d points", n)
	}
}

// TestReview: the marks and the summaries of a whole game are the ones of the command line.
func TestReview(t *testing.T) {
	for name, c := range map[string]struct{ moves, setup, file, game string }{
		"chess": {moves: "e2e4,e7e5,d1h5,b8c6,f1c4,g8f6,h5f7", file: "game.pgn", game: "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n"},
		"repetition": {moves: "g1f3,g8f6,f3g1,f6g8,g1f3,g8f6,f3g1,f6g8,f2f3", file: "game.pgn",
			game: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. f3 *\n"}, // goes on after a draw
		"stalemate": {setup: "k7/2K5/8/1Q6/8/8/8/8 w - - 0 1", moves: "b5b6", file: "game.pgn",
			game: "[SetUp \"1\"]\n[FEN \"k7/2K5/8/1Q6/8/8/8/8 w - - 0 1\"]\n\n1. Qb6 1/2-1/2\n"},
		"shogi": {moves: "7g7f,3c3d,8h2b%2B,3a2b,B*5e,2b3c", file: "game.usi", game: "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e 2b3c\n"},
	} {
		t.Run(name, func(t *testing.T) {
			state := "view=analyse&moves=" + c.moves
			if name == "shogi" {
				state += "&game=shogi"
			}
			if c.setup != "" {
				state += "&setup=" + c.setup
			}
			p := open(t, state)
			p.do(chromedp.Evaluate(`document.querySelector('#effort').options[0].value = 'nodes 5000'`, nil))
			p.click("#analyse-game")
			p.wait(`document.querySelector('#review').textContent && document.querySelector('#analyse-run').textContent === 'Analyse'`)
			var got []string
			got = append(got, strings.Fields(eval[string](p, `[...document.querySelectorAll('#moves button')].map(b => b.textContent.replace(/[^?!]/g, '') || '-').join(' ')`))...)
			got = append(got, eval[[]string](p, `[...document.querySelectorAll('#review p')].map(e => e.textContent)`)...)

			file := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(file, []byte(c.game), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "analyse", "--nodes", "5000", "--hash", "16", file)
			var summary strings.Builder
			cmd.Stderr = &summary
			written, err := cmd.Output()
			if err != nil {
				t.Fatal(err, summary.String())
			}
			signs := strings.NewReplacer("$6", "?!", "$2", "?", "$4", "??")
			want := make([]string, strings.Count(c.moves, ",")+1)
			for i := range want {
				want[i] = "-"
			}
			if strings.HasSuffix(c.file, "pgn") {
				want = pgnMarks(signs.Replace(string(written)), want)
			} else {
				want = kifMarks(string(written), want)
			}
			for line := range strings.Lines(summary.String()) {
				if strings.Contains(line, "accuracy") {
					want = append(want, strings.TrimSpace(line))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("the page says %q, the command line %q", got, want)
			}
		})
	}
}

// pgnMarks sets the marks of the main line of a game in PGN.
func pgnMarks(text string, marks []string) []string {
	text = regexp.MustCompile(`(?s)\[[^\n]*\]\n|\{.*?\}|\(.*?\)`).ReplaceAllString(text, "")
	i := -1
	for _, word := range strings.Fields(text) {
		switch {
		case strings.Trim(word, "?!") == "":
			marks[i] = word
		case !strings.Contains(word, ".") && i+1 < len(marks):
			i++
		}
	}
	return marks
}

// kifMarks sets the marks of a game in KIF.
func kifMarks(text string, marks []string) []string {
	i := -1
	for line := range strings.Lines(text) {
		if regexp.MustCompile(`^ *[0-9]+ [^ ]+\(|^ *[0-9]+ [^ ]+打`).MatchString(line) {
			i++
		}
		for word, sign := range map[string]string{"緩手": "?!", "疑問手": "?", "悪手": "??"} {
			if i >= 0 && strings.Contains(line, word) {
				marks[i] = sign
			}
		}
	}
	return marks
}

// TestPlayDuringAnalysis: the engine moves when the person goes back to the game from an analysis that is under way.
func TestPlayDuringAnalysis(t *testing.T) {
	for _, button := range []string{"#analyse-run", "#analyse-mate", "#analyse-game"} {
		t.Run(button[1:], func(t *testing.T) {
			p := open(t, "game=chess&you=1&view=analyse&moves=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,c2c3,g8f6,d2d3,d7d6")
			p.click(button)
			p.wait(`document.querySelector('#numbers').textContent`)
			p.click(`#views [data-view="play"]`)
			p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 11`)
		})
	}
}

// TestAnalysisEnds: the search of a position is stopped when the next move ends the game.
func TestAnalysisEnds(t *testing.T) {
	p := open(t, "game=chess&view=analyse&moves=f2f3,e7e5,g2g4")
	p.click("#analyse-run")
	p.wait(`document.querySelector('#pv li')`)
	p.play([]string{"d8", "h4"})
	p.status("checkmate")
	p.wait(`performance.getEntriesByType('resource').some(e => e.name.endsWith('/api/stop'))`)
}

func TestUltimateProof(t *testing.T) {
	p := open(t, "game=ultimate&view=analyse&moves=ee")
	// A word says how moves look that are not decided, and its colour as what they may end.
	p.do(chromedp.Evaluate(`import('/analysis.js').then(({ wordsOf }) => { window.words = wordsOf; }); 0`, nil))
	p.wait(`window.words`)
	for value, want := range map[string]string{
		`{ goal: 'loss', phi: 10, delta: 20 }`:            "bad? loss φ 10/δ 20 looks bad for X",
		`{ goal: 'loss', phi: 3000, delta: 20 }`:          "good? win φ 3.00k/δ 20 looks good for X",
		`{ goal: 'loss', phi: 10, delta: 19 }`:            "open  φ 10/δ 19 can go either way for X",
		`{ goal: 'win', phi: 1, delta: 5 }`:               "win? win φ 1/δ 5 looks like a win for X",
		`{ goal: 'win', phi: 5, delta: 1 }`:               "draw? draw φ 5/δ 1 looks like a draw for X",
		`{ goal: 'win', phi: 5, delta: 5 }`:               "no loss  φ 5/δ 5 is a win or a draw for X",
		`{ result: 'loss', plies: 4, text: 'loses in 2'}`: "loses loss in 2 loses in 2",
		`{ result: 'draw', text: 'draw'}`:                 "draws draw  draw",
	} {
		if got := eval[string](p, `(w => [w.word, w.colour, w.lines.replace('\n', '/'), w.text.split(':')[0]]`+
			`.join(' '))(words(`+
			value+`, 'X'))`); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
	p.do(chromedp.Evaluate(`import('/analysis.js').then(({ count }) => { window.count = count; }); 0`, nil))
	p.wait(`window.count`)
	if got := eval[string](p, `[999, 1000, 999499, 999500, 1234567, 999999999].map(count).join()`); got !=
		"999,1.00 k,999 k,1.00 M,1.23 M,1.00 G" {
		t.Errorf("numbers are written %q", got)
	}
	p.click("#analyse-run")
	p.wait(`[...document.querySelectorAll('.cell:has(.value)')].map(c => c.dataset.cell[0]).join('') === 'eeeeeeee'`)
	// X to move wins by any move in the last open cell of a line.
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.address+"#game=ultimate&view=analyse&setup="+
		"X;XX@OOXOX.;XXX....../XXX....../XX......./OOO....../OOO....../XXX....../OOO....../XXX....../........."))
	p.click("#analyse-run")
	p.wait(`document.querySelector('[data-cell=cc] .value.win')?.textContent === 'wins in 1'`)
}

func TestMate(t *testing.T) {
	for game, c := range map[string]struct{ setup, want string }{
		"chess": {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "Mate in 2."}, // Paul Morphy
		"shogi": {"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "Mate in 1."},
	} {
		t.Run(game, func(t *testing.T) {
			p := open(t, "game="+game+"&view=analyse&setup="+c.setup)
			p.click("#analyse-mate")
			p.status(c.want)
			p.wait(`document.querySelector('#pv .score').textContent.startsWith('#')`)
		})
	}
}

func TestLostConnection(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	first := serve(t, "127.0.0.1:0")
	p := openAt(t, first.address, "game=chess&view=analyse&moves=e2e4")
	p.click("#analyse-run")
	p.wait(`document.querySelector('#pv li')`)
	p.expectErrors(true)
	first.stop()
	p.wait(`!document.querySelector('#connection').hidden && document.querySelector('#connection').textContent.includes('lost')`)
	p.do(chromedp.Evaluate(`document.querySelector('#pv').replaceChildren()`, nil))
	serve(t, strings.Trim(strings.TrimPrefix(first.address, "http://"), "/"))
	defer p.expectErrors(true) // this server ends before the tab
	p.wait(`document.querySelector('#connection').hidden`)
	p.expectErrors(false)
	p.wait(`document.querySelector('#pv li')`) // the analysis goes on
	p.play([]string{"e7", "e5"})
	p.status("Black played e5")
}

func TestTwoTabs(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	s := serve(t, "127.0.0.1:0")
	a := openAt(t, s.address, "game=chess&view=analyse")
	b := openAt(t, s.address, "game=shogi&view=analyse&moves=7g7f")
	a.click("#analyse-run")
	a.wait(`document.querySelector('#pv li')`)
	b.click("#analyse-run")
	b.wait(`document.querySelector('#queue').textContent.includes('Waiting')`)
	b.wait(`document.querySelector('#pv li')`)
	a.wait(`document.querySelector('#queue').textContent.includes('Waiting')`)
	// A search with a limit gives way too.
	b.do(chromedp.Evaluate(`import('/api.js').then(({ request, session }) =>
		request('/api/search', { session, game: 'chess', mode: 'analyse', movetime: 86400000 })); 0`, nil))
	a.wait(`document.querySelector('#queue').textContent === ''`)
	a.wait(`document.querySelector('#queue').textContent.includes('Waiting')`)
	a.wait(`document.querySelector('#queue').textContent === ''`)
}

// TestNumberOfLines: a search shows as many lines as are asked for, and none of an earlier one.
func TestNumberOfLines(t *testing.T) {
	p := open(t, "game=chess&view=analyse")
	lines := func(n string) {
		p.do(chromedp.Evaluate(`{ const e = document.querySelector('#count'); e.value = '`+n+
			`'; e.dispatchEvent(new Event('change')); 0 }`, nil))
	}
	const shown = `document.querySelectorAll('#pv li').length`
	lines("5")
	p.click("#analyse-run")
	p.wait(shown + ` === 5`)
	lines("1")
	p.wait(shown + ` === 1 && /nodes/.test(document.querySelector('#numbers').textContent)`)
	for typed, want := range map[string]string{"99": "8", "-3": "1", "": "1"} {
		lines(typed)
		p.wait(shown + ` === ` + want + ` && document.querySelector('#count').value === '` + want + `'`)
	}

	p = open(t, "game=ultimate&view=analyse&moves=ee")
	p.click("#analyse-run")
	p.wait(`document.querySelectorAll('.cell .value').length === 8`)
	p.do(chromedp.SetValue("#count", "3", chromedp.ByQuery), chromedp.Evaluate(
		`{ const e = document.querySelector('#mode'); e.value = 'analyse'; e.dispatchEvent(new Event('change')); 0 }`, nil))
	p.wait(shown)
	if n := eval[int](p, shown); n > 3 {
		t.Errorf("%d lines, not 3", n)
	}
}

// TestRefusedAnalysis: an analysis that the server refuses has ended.
func TestRefusedAnalysis(t *testing.T) {
	p := open(t, "game=chess&view=analyse")
	p.expectErrors(true)
	p.do(chromedp.Evaluate(`{ const real = fetch; window.fetch = (path, options) => real(path, path === '/api/search' ?
		{ ...options, body: options.body.replace('"lines":3', '"lines":99') } : options); 0 }`, nil))
	p.click("#analyse-run")
	p.wait(`document.querySelector('#message').textContent.includes('lines: 99')`)
	p.wait(`document.querySelector('#analyse-run').textContent === 'Analyse'`)
}
