package browsertest

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestTree shows the table from the board: the fields, what is said of them, the keys, the arcs, and the pictures
// that are saved.
func TestTree(t *testing.T) {
	p := open(t, "game=chess&view=hash&moves=e2e4,e7e5")
	p.wait(`document.querySelector('#tree').textContent.includes('Search it.') && document.querySelector('#tree-svg').disabled`)
	p.click("#hash-run")
	p.wait(`/depth (1[0-9]|2)/.test(document.querySelector('#hash-numbers').textContent)`)
	const fields = `document.querySelectorAll('#tree [data-line]').length`
	p.wait(fields + ` > 50 && document.querySelectorAll('#tree [data-to]').length`) // while the search runs
	p.click("#hash-run")
	p.wait(`document.querySelector('#hash-run').textContent !== 'Stop'`)
	p.wait(`/^The position on the board: [+−]?[\d.]+ (exactly|at least|at most), depth \d+, best move \S+, of this search, \d+ entries below$/.test(
		document.querySelector('#tree-line').textContent)`)

	// A field is inside its parent's height, right of it, and no other field of its ply is there.
	if wrong := eval[string](p, `(() => {
		const box = e => e.querySelector('rect').getBoundingClientRect(), all = [...document.querySelectorAll('#tree [data-line]')];
		return all.filter(e => {
			const a = box(e), line = e.dataset.line.split(',');
			const parent = document.querySelector('#tree [data-line="' + line.slice(0, -1).join() + '"]'), b = box(parent);
			return e.dataset.line && (a.top < b.top - 1 || a.bottom > b.bottom + 1 || a.left < b.right) ||
				all.some(other => other !== e && other.dataset.line.split(',').length === line.length && box(other).left === a.left &&
					Math.min(box(other).bottom, a.bottom) - Math.max(box(other).top, a.top) > 1);
		}).map(e => e.dataset.line).join('; ');
	})()`); wrong != "" {
		t.Errorf("fields lie outside their place: %s", wrong)
	}

	// The keys walk; what is said belongs to the field.
	focus := func(key, want string) {
		t.Helper()
		if key != "" {
			p.do(chromedp.KeyEvent(key))
		}
		p.wait(`(e => e.closest('#tree') && (` + want + `) && e.getAttribute('aria-label') === ` +
			`document.querySelector('#tree-line').textContent)(document.activeElement)`)
	}
	p.do(chromedp.Evaluate(`document.querySelector('#tree [tabindex="0"]').focus()`, nil))
	focus("", `e.dataset.line === ''`)
	focus(kb.ArrowRight, `/^[a-h][1-8][a-h][1-8]$/.test(e.dataset.line) && e.getAttribute('aria-label').startsWith('2. ')`)
	focus(kb.ArrowDown, `e.getAttribute('aria-level') === '2'`)
	focus(kb.ArrowUp, `e.getAttribute('aria-level') === '2'`)
	focus(kb.ArrowLeft, `e.dataset.line === ''`)
	p.do(chromedp.Evaluate(`document.querySelector('#tree [data-line="' + document.querySelector('#tree [data-to]').dataset.to + '"]').focus()`, nil))
	focus("", `e.getAttribute('aria-label').includes(', also by 2. ') && `+
		`document.querySelector('#tree [data-to="' + e.dataset.line + '"]').getAttribute('stroke-width') === '3'`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait(`document.querySelector('#cluster .found h4')?.textContent.includes('the position after the moves')`)

	// The colours are the map's.
	const colour = `document.querySelector('#tree rect').getAttribute('fill')`
	before := eval[string](p, colour)
	set(p, "#colour", "bound")
	p.wait(colour + ` !== '` + before + `' && document.querySelector('#map-legend').textContent.startsWith('exact')`)
	if fills := eval[string](p, `(() => {
		const fills = {};
		for (const e of document.querySelectorAll('#tree [data-line]')) {
			const [, bound] = / (exactly|at least|at most), depth/.exec(e.getAttribute('aria-label')) ?? [];
			if (bound) (fills[bound] ??= new Set()).add(e.querySelector('rect').getAttribute('fill'));
		}
		return Object.entries(fills).map(([bound, of]) => bound + ' ' + of.size).sort().join();
	})()`); fills != "at least 1,at most 1,exactly 1" {
		t.Errorf("colours of bounds: %s", fills)
	}
	legend := eval[string](p, `document.querySelector('#map-legend').textContent`)
	const marks = "the same entry by another order of moves" +
		"height: entries below · outlined: best line · dashed: described below · pawns for White"
	if !strings.HasSuffix(legend, marks) {
		t.Errorf("the legend is %q", legend)
	}

	p.saves("tree", "Trefoil – Chess: 1. e4 e5", "What the table knows", "lower bound: at least this score", "also by 2. ")

	// Another position has another tree, and the whole table is the other picture.
	p.enter("Nf3")
	p.wait(`document.querySelector('#tree-line').textContent && ` + fields + ` > 10 && ` +
		`[...document.querySelectorAll('#tree [aria-level="2"]')].every(e => e.getAttribute('aria-label').startsWith('2… '))`)
	set(p, "#picture", "map")
	p.wait(`document.querySelector('#tree-figure').hidden && document.querySelector('#map').checkVisibility()`)
	p.click("[data-game=connect4]") // has no moves in its table
	p.wait(`document.querySelector('#picture-label').hidden && document.querySelector('#map').checkVisibility()`)
}

// TestBestCastling: castling of Chess960 is the best move of an entry, which has it as in chess.
func TestBestCastling(t *testing.T) {
	p := open(t, "view=hash")
	p.do(chromedp.Evaluate(`import('/tree.js').then(({ layout }) => { window.places = layout({ joins: [], fields: [
		{ after: -1, entries: 3, content: { move: 'e1g1', text: 'O-O' } },
		{ after: 0, entries: 1, move: { move: 'e1h1', text: 'O-O' }, content: {} },
		{ after: 0, entries: 1, move: { move: 'e1g1', text: 'Kg1' }, content: {} },
	] }); }); 0`, nil))
	p.wait(`window.places?.map(p => p.best).join() === 'true,true,false'`)
}

// saves saves the picture of that name as SVG, which is well-formed and has the parts, and as PNG.
func (p *page) saves(name string, parts ...string) {
	p.t.Helper()
	p.do(chromedp.Evaluate(`URL.createObjectURL = blob => { window.saved = blob; return '#'; }; HTMLAnchorElement.prototype.click = () => {}`, nil))
	p.click("#" + name + "-svg")
	p.wait(`window.saved?.type === 'image/svg+xml'`)
	p.do(chromedp.Evaluate(`saved.text().then(text => { window.text = text; }); 0`, nil))
	p.wait(`window.text`)
	picture := eval[string](p, `window.text`)
	if err := xml.Unmarshal([]byte(picture), new(struct{})); err != nil {
		p.t.Error(err)
	}
	for _, part := range parts {
		if !strings.Contains(picture, part) {
			p.t.Errorf("the picture does not say %q", part)
		}
	}
	p.click("#" + name + "-png")
	p.wait(`window.saved?.type === 'image/png' && saved.size > 20000`)
}
