package browsertest

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drag moves a piece with the pointer.
func (p *page) drag(from, to string) {
	p.t.Helper()
	middle := func(name string) (x, y float64) {
		at := eval[[]float64](p, `(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('`+
			cell(name)+`').getBoundingClientRect())`)
		return at[0], at[1]
	}
	x, y := middle(from)
	u, v := middle(to)
	p.do(
		chromedp.MouseEvent(input.MousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.MouseEvent(input.MouseMoved, x+9, y+9, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, u, v, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseReleased, u, v, chromedp.ButtonLeft, chromedp.ClickCount(1)),
	)
}

// TestPromotion: the pieces lie on the board, in a column from the target on. Escape and a press elsewhere give
// the move up.
func TestPromotion(t *testing.T) {
	p := open(t, "game=chess&setup=1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
	offer := func() {
		t.Helper()
		p.click(cell("a7"))
		p.status("a7, white pawn selected")
		p.click(cell("b8"))
		p.wait(`document.activeElement.matches('[role=dialog] .option')`)
	}
	const open = `document.querySelector('.choice')`
	offer()
	const places = `(at => [...document.querySelectorAll('.option')].map(e => e.ariaLabel + ' ' +
		['b8', 'b7', 'b6', 'b5'].find(name => at(e) === at(document.querySelector('[data-cell=' + name + ']')))).join())(
		e => (({ x, y, width }) => [x, y, width].map(Math.round).join())(e.getBoundingClientRect()))`
	if got := eval[string](p, places); got != "queen b8,knight b7,rook b6,bishop b5" {
		t.Errorf("the choices are %q", got)
	}
	p.do(chromedp.MouseClickXY(5, 5))
	p.wait(`!` + open)
	p.status("White to move")
	offer()
	p.do(chromedp.KeyEvent(kb.Escape))
	p.wait(`!` + open)
	p.status("White to move")
	p.do(chromedp.KeyEvent("f")) // the board is turned: the column goes up
	p.wait(`document.querySelector('.cell').dataset.cell === 'h1'`)
	offer()
	if got := eval[string](p, places); got != "queen b8,knight b7,rook b6,bishop b5" {
		t.Errorf("on a turned board the choices are %q", got)
	}
	for key, name := range map[string]string{kb.ArrowUp: "knight", kb.ArrowDown: "bishop", kb.Tab: "knight"} {
		p.do(chromedp.Focus(`.option[aria-label=queen]`, chromedp.ByQuery), chromedp.KeyEvent(key))
		p.wait(`document.activeElement.ariaLabel === '` + name + `'`)
	}
	p.do(chromedp.Focus(`.option[aria-label=knight]`, chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	p.status("White played axb8=N")
	p.wait(`!` + open)
	p.click("#undo")
	p.drag("a7", "a8")
	p.choose("rook")
	p.status("White played a8=R")
}

// TestSlides: pieces slide to their cells, but for a piece that was dragged, and for those who prefer no motion.
func TestSlides(t *testing.T) {
	p := open(t, "game=chess&setup=4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
	p.do(chromedp.Evaluate(`window.slid = []; { const real = Element.prototype.animate; Element.prototype.animate = function(...args) {
		if (args[0].translate) slid.push(this.closest('.cell').dataset.cell + (args[0].translate[0] === '0px 0px' ? '!' : '') + (args[1].duration > 200 ? '?' : ''));
		return real.apply(this, args);
	}; } 0`, nil))
	slid := func(want string) {
		t.Helper()
		if got := eval[string](p, `slid.splice(0).sort().join()`); got != want {
			t.Errorf("%q slid, want %q", got, want)
		}
	}
	p.enter("Ra5")
	p.status("White played Ra5")
	slid("a5")
	p.enter("Kd7")
	p.status("Black played Kd7")
	slid("d7")
	p.enter("O-O")
	p.status("White played O-O")
	slid("f1,g1")
	p.click("#undo")
	p.status("Black played Kd7")
	slid("e1,h1")
	p.drag("a5", "a8")
	p.status("White played Ra8")
	slid("")
	p.click("#first")
	p.wait(`document.querySelector('#first').disabled`)
	slid("a1,e8")
	p.click("#flip")
	p.wait(`document.querySelector('.cell').dataset.cell === 'h1'`)
	slid("")
	p.do(emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	p.click("#last")
	p.status("White played Ra8")
	slid("")
}
