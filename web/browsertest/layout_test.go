package browsertest

import (
	"context"
	"fmt"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// shifts has the page add up how far its parts move without an input of the person, as Cumulative Layout Shift does.
var shifts = chromedp.ActionFunc(func(ctx context.Context) error {
	_, err := cdppage.AddScriptToEvaluateOnNewDocument(`window.shifted = 0; window.moved = [];
		new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) {
			shifted += e.value;
			moved.push(...e.sources.map(s => (s.node?.id || s.node?.className || s.node?.nodeName)));
		} }).observe({ type: 'layout-shift', buffered: true });`).Do(ctx)
	return err
})

// TestNothingMoves loads the page and lets it search: nothing that is seen moves.
func TestNothingMoves(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	s := serve(t, "127.0.0.1:0")
	for _, width := range []int64{1440, 1024, 390} {
		for _, state := range []string{"", "game=shogi", "game=chess&view=analyse&moves=e2e4,e7e5",
			"game=connect4&view=analyse&moves=4", "game=ultimate&view=analyse&moves=ee"} {
			p := openAt(t, s.address, state, shifts, chromedp.EmulateViewport(width, 844))
			p.wait(`document.querySelector('#engine').textContent`)
			if state != "" && state != "game=shogi" {
				p.click("#analyse-run")
				p.wait(`/depth/.test(document.querySelector('#numbers').textContent)`)
			}
			if got := eval[float64](p, `shifted`); got > 0.02 {
				t.Errorf("%d pixels, %q: %.3f, %s", width, state, got, eval[string](p, `moved.join()`))
			}
			_ = chromedp.Cancel(p.ctx)
		}
	}
}

// TestTargets: what can be clicked has at least 24 pixels in each direction.
func TestTargets(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	s := serve(t, "127.0.0.1:0")
	for _, width := range []int64{1440, 390} {
		for _, state := range []string{
			"game=chess&view=analyse&moves=e2e4,e7e5,g1f3&lines=e2e4,d7d5", "game=connect4&view=analyse&moves=4,4,4",
			"game=ultimate&moves=ee,ea", "game=shogi&kanji=1&moves=7g7f", "game=chess&view=hash",
		} {
			p := openAt(t, s.address, state, chromedp.EmulateViewport(width, 844))
			p.do(chromedp.Evaluate(`document.querySelectorAll('details').forEach(e => { e.open = true; })`, nil))
			if state[5:] == "chess&view=analyse&moves=e2e4,e7e5,g1f3&lines=e2e4,d7d5" {
				p.click("#analyse-run")
				p.wait(`document.querySelector('#pv button')`)
			}
			small := eval[string](p, `[...document.querySelectorAll('button, select, input, summary')].filter(e => e.checkVisibility()).map(e =>
				[e, (e.type === 'checkbox' ? e.closest('label') : e).getBoundingClientRect()]).filter(([, b]) => b.width < 24 || b.height < 24).map(([e, b]) =>
				(e.id || e.textContent || e.className) + ' ' + b.width.toFixed(1) + '×' + b.height.toFixed(1)).join(', ')`)
			if small != "" {
				t.Errorf("%d pixels, %s: %s", width, state, small)
			}
			_ = chromedp.Cancel(p.ctx)
		}
	}
}

// TestFirstMove: the list of moves shows its beginning when the board does.
func TestFirstMove(t *testing.T) {
	moves := "g1f3"
	for i := range 79 {
		moves += "," + []string{"g8f6", "f3g1", "f6g8", "g1f3"}[i%4]
	}
	p := open(t, "game=chess&moves="+moves)
	p.wait(`document.querySelector('#moves').scrollTop > 0`)
	p.click("#first")
	p.wait(`document.querySelector('#moves').scrollTop === 0`)
}

// TestNames: names of games begin with a capital.
func TestNames(t *testing.T) {
	p := open(t, "game=chess")
	got := eval[string](p, `document.title + ', ' + document.querySelector('[role=grid]').getAttribute('aria-label') + ', ' +
		[...document.querySelectorAll('#games button')].map(b => b.textContent).join(', ')`)
	if want := "Trefoil – Chess, Chess board, Chess, Shogi, Connect Four, Ultimate Tic-Tac-Toe"; got != want {
		t.Errorf("the names are %s", got)
	}
}

// TestChess960: each new game draws its start position.
func TestChess960(t *testing.T) {
	p := open(t, "game=chess")
	p.do(chromedp.SetValue("#variant", "chess960", chromedp.ByQuery))
	drawn := map[string]bool{}
	for range 4 {
		p.do(chromedp.Evaluate(`location.hash = '#game=chess&moves=e2e4'`, nil))
		p.status("White played e4")
		p.click("#new-game button")
		p.status("White to move")
		p.wait(`new URLSearchParams(location.hash.slice(1)).has('setup')`)
		drawn[eval[string](p, `document.querySelector('#now').value`)] = true
	}
	if len(drawn) == 1 {
		t.Error("four games begin with the same position")
	}
}

// TestOldEntries: after a move the entries of the search before are clearly darker, by age.
func TestOldEntries(t *testing.T) {
	p := open(t, "game=chess&view=hash&moves=e2e4")
	p.do(chromedp.Evaluate(`import('/tables.js').then(({ kinds }) => { window.kinds = kinds; }); 0`, nil))
	p.wait(`window.kinds`)
	for kind, search := range map[string]int{"cluster": 4, "window": 1} { // how much a new search adds to the age
		light := func(age int) float64 {
			return eval[float64](p, fmt.Sprintf(
				`(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b)(kinds[%q].colourings.age.colour([1, %d, 0, 0], 0))`, kind, age))
		}
		if young, old := light(0), light(search); old > 0.85*young {
			t.Errorf("%s: lightness %.0f of this search, %.0f of the one before", kind, young, old)
		}
	}
	if text := eval[string](p, `document.querySelector('#chart-figure figcaption').textContent`); text == "" {
		t.Error("the chart has no caption")
	}
}
