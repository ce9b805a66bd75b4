package browsertest

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestOtherLines plays from an earlier position, which keeps the rest of the game.
func TestOtherLines(t *testing.T) {
	p := open(t, "game=chess&moves=e2e4,e7e5,g1f3,b8c6,f1b5&at=2")
	p.click(cell("g1"))
	p.click(cell("f3")) // the move of the game
	p.status("White played Nf3")
	if n := eval[int](p, `document.querySelectorAll('#moves li:not(.variation)').length`); n != 5 {
		t.Errorf("the same move leaves %d moves, not 5", n)
	}
	p.click("#back")
	p.status("Black played e5")
	p.click(cell("f1"))
	p.click(cell("c4"))
	p.status("White played Bc4")
	p.wait(`document.querySelector('#message').textContent.startsWith('3 moves were replaced; they are kept')`)
	written := func(want string) {
		t.Helper()
		p.wait(`document.querySelector('#moves').textContent === ` + strconv.Quote(want))
	}
	written("1.e4e52.Bc4(2.Nf3Nc63.Bb5)×")
	p.do(chromedp.Reload())
	written("1.e4e52.Bc4(2.Nf3Nc63.Bb5)×")
	p.click("#moves .variation button")
	p.status("White played Nf3")
	written("1.e4e52.Nf3(2.Bc4)×2…Nc63.Bb5")
	p.click("#moves .forget")
	written("1.e4e52.Nf3Nc63.Bb5")
	p.enter("Nf6")
	p.status("Black played Nf6")
	p.click("#message button") // undo
	p.status("White played Nf3")
	written("1.e4e52.Nf3Nc63.Bb5")

	// In an analysis the game stays as it is, and variations may have variations.
	p.click("[data-view=analyse]")
	p.enter("Nf6")
	written("1.e4e52.Nf3Nc6(2…Nf6)×3.Bb5")
	p.enter("Nxe5")
	p.click("#back")
	p.enter("Nc3")
	written("1.e4e52.Nf3Nc6(2…Nf63.Nc3(3.Nxe5))×3.Bb5")
	p.do(chromedp.Reload())
	p.status("White played Nc3")
	written("1.e4e52.Nf3Nc6(2…Nf63.Nc3(3.Nxe5))×3.Bb5")
	p.click("#undo")
	p.status("Black played Nf6")
	p.click("#back")
	p.enter("Nc6") // the move of the game
	p.wait(`document.querySelector('#promote').hidden && !document.querySelector('#forward').disabled`)
	written("1.e4e52.Nf3Nc6(2…Nf63.Nc3(3.Nxe5))×3.Bb5")
	p.click("#moves .variation .variation button")
	p.status("White played Nxe5")
	p.click("#promote")
	written("1.e4e52.Nf3Nf6(2…Nc63.Bb5)×3.Nxe5(3.Nc3)×")
	p.click("#moves .forget")
	written("1.e4e52.Nf3Nf63.Nxe5(3.Nc3)×")
}

// TestVariation: a move of a line of the engine adds a variation, also to a game against the
// engine, which goes on later.
func TestVariation(t *testing.T) {
	p := open(t, "game=chess&view=analyse&you=0&clock=move0.2&moves=e2e4,e7e5&at=1")
	p.click("#analyse-run")
	p.wait(`[...document.querySelectorAll('#pv li')].some(e => e.querySelector('button').textContent !== 'e5' &&
		(e.querySelectorAll('button')[1]?.click(), e.querySelectorAll('button')[1]))`)
	p.wait(`document.querySelectorAll('#moves .variation .number').length === 2`)
	p.wait(`document.querySelector('#moves').textContent.startsWith('1.e4e5(1…')`)
	p.click("[data-view=play]")
	p.status("Black played e5")
	p.wait(`document.querySelector('#promote').hidden && document.querySelector('.cell.movable')`)

	p = open(t, "game=chess&view=analyse&you=0&clock=move0.2&moves=e2e4,e7e5&over=resign0") // a game that has ended
	p.status("Black wins: White resigned.")
	p.enter("Nf3")
	p.status("White played Nf3. Black to move.")
	p.wait(`document.querySelector('#moves').textContent === '1.e4e5(2.Nf3)×'`)
	p.click("[data-view=play]")
	p.status("Black wins: White resigned.")
}
