package browsertest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// setUp sets up what a text says.
func (p *page) setUp(text string) {
	p.t.Helper()
	p.do(chromedp.Evaluate("document.querySelector('#position').open = true; document.querySelector('#text').value = "+
		strconv.Quote(text), nil))
	p.click("#setup button")
}

// save returns the game as the page saves it.
func (p *page) save() (text string) { return p.saveAs("#exports button") }

// saveAs returns what a button saves.
func (p *page) saveAs(button string) (text string) {
	p.t.Helper()
	p.do(chromedp.Evaluate(`document.querySelector('#position').open = true; window.saved = ''; URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text }); return '#' }; HTMLAnchorElement.prototype.click = () => {}`, nil))
	p.click(button)
	p.wait(`window.saved`)
	return eval[string](p, `window.saved`)
}

// TestCSA saves a game of shogi in CSA, which has no variations.
func TestCSA(t *testing.T) {
	p := open(t, "game=shogi&moves=7g7f,3c3d&lines=2g2f")
	if got := eval[string](p,
		`[...document.querySelectorAll('#exports button')].map(b => b.textContent).join()`); got !=
		"Save as KIF,Save as CSA,Save as text" {
		t.Errorf("the buttons are %s", got)
	}
	text := p.saveAs("#exports :nth-child(2)")
	if !strings.HasSuffix(text, "\nPI\n+\n+7776FU\n-3334FU\n") {
		t.Errorf("the file is %s", text)
	}
	p.wait(`document.querySelector('#message').textContent.includes('no variations')`)
	p.setUp(text)
	p.written("1.P-7fP-3d")
}

// written waits until the moves are written so.
func (p *page) written(want string) {
	p.t.Helper()
	p.wait(`document.querySelector('#moves').textContent === ` + strconv.Quote(want))
}

// TestComments: headers, comments, marks and variations of a game in PGN are shown, edited, kept in the address and
// saved; none of them is ever taken for markup.
func TestComments(t *testing.T) {
	const comment = `<img src=x onerror=alert(1)> & <b>bold</b>`
	p := open(t, "")
	p.setUp(`[Event "<i>Open</i>"]
[White "Anne"]
[Black "Bob"]
[Result "1-0"]

{ first } 1. e4! { ` + comment + ` } e5 ( { before } 1... c5 $14 2. Nf3 { Sicilian } ( 2. c3 ) 2... d6 ) 2. f4 1-0`)
	want := "first1.e4!" + comment + "1…e5(before1…c5 ⩲2.Nf3Sicilian(2.c3)2…d6)×2.f4"
	p.written(want)
	p.status("White played f4. The game ended: 1-0.")
	p.wait(`document.querySelector('#below .name').textContent === 'White – Anne' &&
		document.querySelector('#headers dd').textContent === '<i>Open</i>'`)
	if n := eval[int](p, `document.querySelectorAll('#moves :is(img, b), #headers i').length`); n != 0 {
		t.Errorf("%d elements of a comment", n)
	}
	p.do(chromedp.Reload())
	p.written(want)
	p.click("#back")
	p.status("Black played e5")
	p.do(chromedp.SetValue("#comment", "mine\n{twice}", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelector('#comment').dispatchEvent(new Event('change'))`, nil))
	p.written(strings.Replace(want, "1…e5", "1…e5mine{twice}", 1))
	p.do(chromedp.Reload())
	p.wait(`document.querySelector('#comment').value === 'mine\n{twice}'`)
	text := strings.Join(strings.Fields(p.save()), " ")
	const moves = `{ first } 1. e4 $1 { ` + comment + ` } 1... e5 { mine } { (twice) } ` +
		`( { before } 1... c5 $14 2. Nf3 { Sicilian } ( 2. c3 ) 2... d6 ) 2. f4 1-0`
	if !strings.Contains(text, moves) || !strings.Contains(text, `[Event "<i>Open</i>"] [Site "?"]`) ||
		!strings.Contains(text, `[White "Anne"]`) {
		t.Error(text)
	}
	p.click("#moves .variation button")
	p.status("Black played c5")
	p.written("first1.e4!" + comment + "1…c5 ⩲(1…e5mine{twice}2.f4)×2.Nf3Sicilian(2.c3)×2…d6")
	p.setUp("1. e4 e5 ( 1... e5 2. Nf3 { after the end } ) 1-0")
	p.written("1.e4e5(2.Nf3after the end)×")
	p.status("Black played e5. The game ended: 1-0.")
	text = strings.Join(strings.Fields(p.save()), " ")
	if !strings.HasSuffix(text, "1. e4 e5 ( 1... e5 2. Nf3 { after the end } ) 1-0") {
		t.Error(text)
	}
	p.click("[data-game=connect4]")
	p.wait(`document.querySelector('#comment-label').hidden && document.querySelector('#headers').hidden`)
	p.click("[data-game=chess]")
	p.wait(`document.querySelector('#moves').textContent.includes('after the end')`)
}

// TestManyVariations: a game has as many variations as the page says that it keeps.
func TestManyVariations(t *testing.T) {
	game := ""
	for i := range 72 {
		number, rows := strconv.Itoa(i/2+1)+".", "34"
		if i%2 == 1 {
			number, rows = number+"..", "65"
		}
		game += " " + number + " " + []string{"Nf3", "Nf6", "Ng1", "Ng8"}[i%4]
		for j := range 14 { // moves of all pawns but the one that a knight may stop
			game += " (" + number + " " + "abcdegh"[j/2:j/2+1] + rows[j%2:j%2+1] + ")"
		}
	}
	p := open(t, "")
	p.setUp(game)
	p.wait(`document.querySelector('#message').textContent.includes('8 variations are left out')`)
	const lines = `new URLSearchParams(location.hash).get('lines').split(';').length`
	if n := eval[int](p, lines); n != 1000 {
		t.Errorf("%d variations", n)
	}
}

// TestKIFComments: so it is for KIF, with times and the end of the game.
func TestKIFComments(t *testing.T) {
	p := open(t, "game=shogi")
	p.setUp("棋戦：名人戦\n手合割：平手\n先手：甲\n後手：乙\n*first\n1 ７六歩(77) ( 0:12/00:00:12)\n*one\n*two\n2 ３四歩(33)\n3 投了\n\n変化：2手\n2 ８四歩(83)\n*other\n")
	p.written("first1.P-7fonetwo1…P-3d(1…P-8dother)×")
	p.status("White played P-3d. The game ended: resignation.")
	p.do(chromedp.Reload())
	p.written("first1.P-7fonetwo1…P-3d(1…P-8dother)×")
	text := p.save()
	const want = `棋戦：名人戦
先手：甲
後手：乙
手数----指手---------消費時間--
*first
   1 ７六歩(77)   ( 0:12/00:00:12)
*one
*two
   2 ３四歩(33)
   3 投了

変化：2手
   2 ８四歩(83)
*other
`
	if !strings.HasSuffix(text, want) {
		t.Error(text)
	}
}
