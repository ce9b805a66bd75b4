package browsertest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// checkAccess runs axe on what the page shows, wide and light, and narrow and dark. No rule is left out.
func (p *page) checkAccess(axe string) {
	p.t.Helper()
	p.do(chromedp.Evaluate(axe+"; 0", nil))
	for _, c := range []struct {
		scheme string
		width  int64
	}{{"light", 1200}, {"dark", 390}} {
		p.do(chromedp.EmulateViewport(c.width, 844))
		p.scheme(c.scheme)
		var found []string
		p.do(chromedp.Evaluate(`axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
			violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
				[impact, id, html.slice(0, 120), failureSummary].join(': '))))`, &found,
			func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
		for _, text := range found {
			p.t.Errorf("%d pixels, %s: %s", c.width, c.scheme, text)
		}
	}
}

// analyse returns an act that analyses a position until a condition holds.
func analyse(until string) func(*page) {
	return func(p *page) {
		p.click("#analyse-run")
		p.wait(until)
		p.click("#analyse-run")
		p.wait(`document.querySelector('#analyse-run').textContent === 'Analyse'`)
	}
}

// TestAccess checks all views, and what opens on them, with axe.
func TestAccess(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	source, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is absent; npm ci installs it here")
	}
	axe := string(source)
	const lines = `document.querySelector('#pv button')`
	search := func(p *page) {
		p.click("#hash-run")
		p.wait(`document.querySelectorAll('#tree [data-line]').length > 10`)
		p.click("#hash-run")
		p.wait(`document.querySelector('#hash-run').textContent !== 'Stop'`)
	}
	for _, c := range []struct {
		name, state string
		act         func(*page)
	}{
		{"the first page", "", nil},
		{"a game with clocks", "game=chess&you=0&clock=300%2B3&left=262000,291000&moves=e2e4,e7e5", func(p *page) {
			p.click(cell("g1"))
		}},
		{"the end of a game", "game=chess&moves=f2f3,e7e5,g2g4,d8h4", nil},
		{"a promotion", "game=chess&setup=8/P6k/8/8/8/8/7K/8%20w%20-%20-%200%201", func(p *page) {
			p.click(cell("a7"))
			p.click(cell("a8"))
			p.wait(`document.querySelector('.choice')`)
		}},
		{"shogi", "game=shogi&moves=7g7f,3c3d,8h2b%2B,3a2b", nil},
		{"shogi with kanji", "game=shogi&kanji=1&flip=1&moves=7g7f,3c3d,8h2b%2B,3a2b", nil},
		{"Connect Four", "game=connect4&moves=4,1,4,1,4,1,4", nil},
		{"Ultimate", "game=ultimate&moves=ee,ea,ae,ei,ie,ec,ce", nil},
		{"analysis of chess", "game=chess&view=analyse&moves=e2e4,e7e5,g1f3&lines=e2e4,d7d5", analyse(lines)},
		{"analysis of shogi", "game=shogi&view=analyse&moves=7g7f", analyse(lines)},
		{"analysis of Connect Four", "game=connect4&view=analyse&moves=4,4,4,4,4,2,2,2,6,6,6",
			analyse(`[...document.querySelectorAll('#under b')].some(b => /[0-9]/.test(b.textContent))`)},
		{"analysis of Ultimate", "game=ultimate&view=analyse&moves=ee", analyse(`document.querySelector('.cell .value')`)},
		{"the tree", "game=chess&view=hash&moves=e2e4", search},
		{"the map", "game=chess&view=hash&moves=e2e4,e7e5", func(p *page) {
			search(p)
			set(p, "#picture", "map")
			p.do(chromedp.Click("#map", chromedp.ByQuery))
			p.wait(`document.querySelector('#cluster .entry')`)
		}},
		{"the film", "game=connect4&view=hash", func(p *page) {
			p.still()
			p.do(chromedp.SetUploadFiles("#film-file", []string{recordTrace(t)}, chromedp.ByQuery))
			p.wait(`document.querySelector('#film-frame svg')`)
		}},
		{"comments and headers", "", func(p *page) {
			p.setUp("[Event \"Open\"]\n[White \"Anne\"]\n[Result \"1-0\"]\n\n1. e4! { good } e5 ( 1... c5 $14 2. Nf3 ) 1-0")
			p.status("1-0")
		}},
		{"the games of a file", "", func(p *page) {
			path := filepath.Join(t.TempDir(), "two.pgn")
			const games = "[White \"Anne\"]\n\n1. e4 *\n\n[White \"Bob\"]\n\n1. d4 *\n"
			if err := os.WriteFile(path, []byte(games), 0o600); err != nil {
				t.Fatal(err)
			}
			p.do(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
			p.wait(`document.querySelectorAll('#contents tbody tr').length === 2`)
		}},
		{"a message", "", func(p *page) {
			p.enter("e5")
			p.wait(`document.querySelector('#message').checkVisibility()`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, c.state)
			if c.act != nil {
				c.act(p)
			}
			p.do(chromedp.Evaluate(`document.querySelectorAll('details').forEach(e => { e.open = true; })`, nil))
			p.checkAccess(axe)
		})
	}
}
