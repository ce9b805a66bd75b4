package browsertest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestChessGame(t *testing.T) {
	p := open(t, "game=chess")
	p.play([]string{"f2", "f3"}, []string{"e7", "e5"}, []string{"g2", "g4"})
	p.drag("d8", "h4")
	p.status("Black wins: checkmate")
	p.wait(`document.querySelector('[data-cell=e1]').classList.contains('check')`)
	if got := eval[string](p,
		`[...document.querySelectorAll('#moves button')].map(b => b.textContent).join(' ')`); got != "f3 e5 g4 Qh4#" {
		t.Errorf("the moves are %q", got)
	}
	if n := eval[int](p, `document.querySelectorAll('.cell.movable').length`); n != 0 {
		t.Errorf("%d cells can still be moved after the game", n)
	}
}

func TestCastling960(t *testing.T) {
	// The king on f1 castles with the rook on g1, where it arrives.
	p := open(t, "game=chess&setup=1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBhb - 0 1")
	p.play([]string{"f1", "g1"})
	p.status("White played O-O")
	p.play([]string{"f8", "b8"})
	p.status("Black played O-O-O")
}

func TestUndoAndWalk(t *testing.T) {
	p := open(t, "game=chess&moves=e2e4,e7e5,g1f3")
	p.status("White played Nf3")
	p.click("#undo")
	p.status("Black played e5")
	p.click("#back")
	p.status("White played e4")
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.status("White to move")
	p.do(chromedp.KeyEvent(kb.End))
	p.status("Black played e5")
	p.do(chromedp.KeyEvent(kb.Home))
	p.status("White to move")
	for _, square := range []string{"h1", "a8"} {
		p.do(chromedp.KeyEvent("f"))
		p.wait(`document.querySelector('.cell').dataset.cell === '` + square + `'`)
	}
	p.click("#last")
	p.status("Black played e5")
	p.enter("Bc4")
	p.status("White played Bc4")
	p.click("#flip")
	p.wait(`document.querySelector('.cell').dataset.cell === 'h1'`)
	p.do(chromedp.Reload())
	p.status("White played Bc4")
	p.wait(`document.querySelector('.cell').dataset.cell === 'h1'`)
}

// TestGamesAreKept leaves a game for one of another kind, and for a new one.
func TestGamesAreKept(t *testing.T) {
	p := open(t, "game=chess&moves=e2e4,e7e5&flip=1")
	p.click("[data-game=chess]") // the game that is shown
	p.status("Black played e5")
	p.click("[data-game=shogi]")
	p.wait(`document.body.dataset.game === 'shogi'`)
	p.click("[data-game=chess]")
	p.status("Black played e5")
	p.wait(`document.querySelector('.cell').dataset.cell === 'h1'`)
	p.do(chromedp.NavigateBack())
	p.wait(`document.body.dataset.game === 'shogi'`)
	p.do(chromedp.NavigateForward())
	p.status("Black played e5")

	p.do(chromedp.SetValue("#you", "", chromedp.ByQuery))
	p.click("#new-game button")
	p.wait(`!document.querySelector('#moves li:not(.variation)') && !document.querySelector('#message').hidden`)
	p.enter("d4")
	p.status("White played d4")
	p.do(chromedp.NavigateBack())
	p.status("Black played e5")
	p.click("#new-game button")
	p.wait(`!document.querySelector('#moves li:not(.variation)')`)
	p.click("#message button")
	p.status("Black played e5")
}

// TestMessages shows a message, which moves nothing, and closes it.
func TestMessages(t *testing.T) {
	p := open(t, "game=connect4")
	top := func() float64 {
		return eval[float64](p, `document.querySelector('#board').getBoundingClientRect().top`)
	}
	before := top()
	p.enter("9")
	p.wait(`document.querySelector('#message').textContent === '“9” is not a legal move here.'`)
	if after := top(); after != before {
		t.Errorf("the message moves the board from %v to %v", before, after)
	}
	p.click("#message .close")
	p.wait(`document.querySelector('#message').hidden`)
	p.wait(`document.querySelector('#under').textContent === '1234567'`)
	for _, game := range []string{"chess", "shogi", "connect4", "ultimate"} {
		p.click("[data-game=" + game + "]")
		p.wait(`document.body.dataset.game === '` + game +
			`' && document.querySelector('#rules p').textContent.length > 150`)
	}
}

// TestHint shows a hint for the position that it is of, also after something was selected.
func TestHint(t *testing.T) {
	p := open(t, "game=chess&moves=e2e4,e7e5&you=0&clock=move0.2")
	p.click("#hint")
	p.status("Hint: ")
	p.click(cell("a2"))
	p.status("a2, white pawn selected")
	p.click(cell("a2"))
	p.status("Hint: ")
	p.click("#back")
	p.status("White played e4. Black to move.")
	p.wait(`!document.querySelector('.cell.hint')`)
	p.click("#last")
	p.status("Hint: ")

	text := eval[string](p, `document.querySelector('#hint').click(), document.querySelector('#hint').click(),
		document.querySelector('#thinking').textContent`)
	if text != "Looking for a move …" {
		t.Errorf("after two clicks the page says %q", text)
	}

	p = open(t, "game=connect4&moves=4,1,4,1,4,1&you=0&clock=move0.2") // column 4 wins
	p.click("#hint")
	p.wait(`document.querySelector('.cell.hint')?.dataset.cell === '4-4'`)
}

// TestPlayFromHere plays on from a position of a game.
func TestPlayFromHere(t *testing.T) {
	p := open(t, "game=chess&moves=e2e4,e7e5,g1f3&at=1")
	p.wait(`document.querySelector('#thinking').textContent.includes('Play from here')`)
	p.do(chromedp.SetValue("#clock", "move0.2", chromedp.ByQuery))
	p.click("#from-here")
	p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 2 && document.querySelector('.cell.movable')`)
	p.wait(`document.querySelector('#below .name').textContent.includes('you') && document.querySelector('#moves button').textContent === 'e4'`)
}

// TestMoveNumbers begins with a move of Black.
func TestMoveNumbers(t *testing.T) {
	p := open(t, "game=chess&setup=4k3/8/8/8/8/8/4P3/4K3 b - - 0 30&moves=e8d7,e2e4")
	p.wait(`document.querySelector('#moves').textContent.replaceAll(/\s/g, '') === '30…Kd731.e4'`)
}

func TestKeyboard(t *testing.T) {
	p := open(t, "game=chess")
	p.do(chromedp.Focus(cell("a8"), chromedp.ByQuery))
	keys := func(keys ...string) { p.do(chromedp.KeyEvent(strings.Join(keys, ""))) }
	for range 6 {
		keys(kb.ArrowDown)
	}
	for range 4 {
		keys(kb.ArrowRight)
	}
	keys(kb.Enter)
	p.wait(`document.querySelector('[data-cell=e2].selected') && document.querySelectorAll('.target').length === 2`)
	keys(kb.ArrowUp, kb.ArrowUp, kb.Enter)
	p.status("White played e4. Black to move.")
	label := eval[string](p, `document.querySelector('[data-cell=e4]').getAttribute('aria-label')`)
	if label != "e4, white pawn, last move" {
		t.Errorf("the label of e4 is %q", label)
	}
}

func TestShogiGame(t *testing.T) {
	p := open(t, "game=shogi")
	moves := strings.Fields("2g2f 6a5b 2f2e 5a6a 2e2d 3a3b 2d2c+ 4a4b 2c2b 7a7b 2b3b 6a5a 2h2a+ 5a6b S*7a")
	for i, move := range moves {
		from := move[:2]
		if move[1] == '*' {
			from += strconv.Itoa(i % 2)
		}
		p.click(cell(from))
		p.click(cell(move[2:4]))
		if strings.HasSuffix(move, "+") {
			p.choose("promote")
		}
		p.wait(fmt.Sprintf(`document.querySelectorAll('#moves li:not(.variation)').length === %d && document.querySelector('.cell')`,
			i+1))
	}
	p.status("Black played S*7a. Black wins: checkmate.")
	p.click("#kanji")
	p.wait(`document.querySelector('[data-cell="6b"] path.kanji') && !document.querySelector('#board text')`)
	// The moves have kanji too where the system has a font for them.
	p.wait(`/２六歩|P-2f/.test(document.querySelector('#moves button').textContent)`)
}

func TestDeclaration(t *testing.T) {
	p := open(t, "game=shogi&setup=2K1G4/9/PPPPPPPPP/9/9/9/9/9/4k4 b 2R2BG2S2N2L2g2s2n2l9p 1")
	p.click("#declare")
	p.status("Black wins: by declaration")
}

func TestConnect4Game(t *testing.T) {
	p := open(t, "game=connect4")
	for _, column := range []string{"1", "2", "1", "2", "1", "2", "1"} {
		p.play([]string{column + "-6"})
	}
	p.status("Yellow wins: 4 in a row")
	p.wait(`[...document.querySelectorAll('.won')].map(c => c.dataset.cell).sort().join() === '1-1,1-2,1-3,1-4'`)
}

// TestDigits: columns that are set up are moves, which can be taken back to the empty board.
func TestDigits(t *testing.T) {
	p := open(t, "game=chess")
	p.do(chromedp.Evaluate(`document.querySelector('#position').open = true`, nil),
		chromedp.SetValue("#text", "4453", chromedp.ByQuery))
	p.click("#setup button")
	p.status("Red played 3. Yellow to move.")
	if got := eval[string](p,
		`[...document.querySelectorAll('#moves button')].map(b => b.textContent).join('')`); got != "4453" {
		t.Errorf("the moves are %q", got)
	}
	p.click("#first")
	p.status("Yellow to move.")
	p.wait(`!document.querySelector('#board .disc') && location.hash.includes('moves=4,4,5,3')`)
}

func TestConnect4Sizes(t *testing.T) {
	p := open(t, "game=connect4&board=9x5")
	p.wait(`document.querySelectorAll('.cell').length === 45`)
	p.play([]string{"9-5"})
	p.wait(`document.querySelector('[data-cell="9-1"] .disc.first')`)
	p = open(t, "game=connect4&board=25x4")
	p.wait(`document.querySelectorAll('.cell').length === 100`)
	p.play([]string{"p-4"}, []string{"d-4"})
	p.wait(`document.querySelector('[data-cell="p-1"] .disc.first') && document.querySelector('[data-cell="d-1"] .disc')`)
	p.do(chromedp.Evaluate(`import('/tables.js').then(({ fieldText }) => { window.field = fieldText; }); 0`, nil))
	p.wait(`window.field`)
	// Bounds have 6 bits on boards of up to 64 cells, and 7 on larger ones.
	for bits, want := range map[string]string{"from: 0, to: 5": "lower 8", "from: 0, to: 6": "lower -24"} {
		if got := eval[string](p, `field({ name: 'lower', value: 40, `+bits+` }, {})`); got != want {
			t.Errorf("bits %s: %q, want %q", bits, got, want)
		}
	}
}

func TestUltimateGame(t *testing.T) {
	p := open(t, "game=ultimate")
	p.play([]string{"ee"}, []string{"ea"})
	if got := eval[string](p,
		`[...document.querySelectorAll('.playable')].map(c => c.dataset.cell[0]).join('')`); got != "aaaaaaaaa" {
		t.Errorf("the cells to play on are of %q", got)
	}
	for range 81 {
		if eval[bool](p, `/wins|Draw/.test(document.querySelector('#status').textContent)`) {
			break
		}
		next := eval[string](p, `document.querySelector('.cell.movable').dataset.cell`)
		p.play([]string{next})
	}
	p.wait(`/wins|Draw/.test(document.querySelector('#status').textContent)`)
	if n := eval[int](p, `document.querySelectorAll('.overlay').length`); n == 0 {
		t.Error("no board is marked as won")
	}
}

func TestAgainstTheEngine(t *testing.T) {
	for _, game := range []string{"chess", "shogi", "connect4", "ultimate"} {
		t.Run(game, func(t *testing.T) {
			p := open(t, "game="+game+"&you=1&clock=move0.2") // the engine begins
			p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 1 && document.querySelector('.cell.movable')`)
			p.click("#hint")
			p.wait(`document.querySelector('.cell.hint')`)
			p.enter(strings.TrimPrefix(eval[string](p, `document.querySelector('#status').textContent`), "Hint: "))
			p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 3 && document.querySelector('.cell.movable')`)
			p.click("#undo")
			p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 1`)
			p.click("#first")
			p.wait(`document.querySelector('#first').disabled`)
			p.click("#resign")
			p.status("resigned")
			p.click("#message button")
			p.wait(`document.querySelector('#first').disabled && !document.querySelector('#resign').disabled`)
		})
	}
}

func TestClock(t *testing.T) {
	p := open(t, "game=chess")
	p.do(chromedp.SetValue("#you", "0", chromedp.ByQuery), chromedp.SetValue("#clock", "180+2", chromedp.ByQuery),
		chromedp.SetValue("#level", "elo1000", chromedp.ByQuery))
	p.click("#new-game button")
	p.wait(`document.querySelector('#below .clock').textContent === '3:00'`)
	p.play([]string{"e2", "e4"})
	p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 2`)
	p.wait(`document.querySelector('#below .clock').classList.contains('runs')`)
	p.wait(`new URLSearchParams(location.hash).get('left').split(',').map(Number).every(ms => ms > 0 && ms < 184500)`)
	// A page that is loaded again goes on with the time that was left.
	const left = `Number(new URLSearchParams(location.hash).get('left').split(',')[0])`
	before := eval[int](p, left)
	p.wait(left + ` < ` + strconv.Itoa(before-500))
	before = eval[int](p, left)
	p.do(chromedp.Reload())
	p.wait(`document.querySelector('#below .clock').classList.contains('runs')`)
	if after := eval[int](p, left); after > before {
		t.Errorf("after loading the page again %d ms are left, %d before", after, before)
	}
}

// TestClockOfEarlierPosition: the engine loses no time while an earlier position is shown, for which it
// does not search.
func TestClockOfEarlierPosition(t *testing.T) {
	p := open(t, "game=chess&you=1&clock=60%2B0&left=60000,60000&moves=e2e4,e7e5&at=0")
	p.wait(`!document.querySelector('#below .clock').hidden`)
	if eval[bool](p, `document.querySelector('#below .clock').classList.contains('runs')`) {
		t.Error("the clock of the engine runs")
	}
	p.click("#last")
	p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 3`)
	p.wait(`document.querySelector('#above .clock').classList.contains('runs')`)
	p.click("#first")
	p.wait(`document.querySelector('#first').disabled`)
	if !eval[bool](p, `document.querySelector('#above .clock').classList.contains('runs')`) {
		t.Error("the clock of the person does not run")
	}
}

// TestIncrementOfAnotherMove: the side that moves gets the increment, also where its move replaces another one.
func TestIncrementOfAnotherMove(t *testing.T) {
	p := open(t, "game=chess&you=0&clock=60%2B30&left=10000,10000&moves=e2e4&at=0")
	p.wait(`!document.querySelector('#below .clock').hidden`)
	p.play([]string{"d2", "d4"})
	p.wait(`Number(new URLSearchParams(location.hash).get('left').split(',')[0]) > 30000`)
}

// TestTenths: a clock that shows tenths has less than ten seconds.
func TestTenths(t *testing.T) {
	p := open(t, "game=chess&you=0&clock=60%2B0&left=9960,9840&moves=e2e4,e7e5&over=resign0")
	p.wait(`document.querySelector('#below .clock').textContent === '0:10'`)
	p.wait(`document.querySelector('#above .clock').textContent === '0:09.9'`)
}

// TestAfterTime takes moves back when a clock has ended the game.
func TestAfterTime(t *testing.T) {
	p := open(t, "game=chess&you=0&clock=60%2B0&left=1,60000&moves=e2e4,e7e5")
	p.status("Black wins: White ran out of time.")
	p.click("#undo")
	p.status("White to move.")
	p.wait(`document.querySelector('#below .clock').hidden && document.querySelector('.cell.movable') && !document.querySelector('#resign').disabled`)
	p.wait(`document.querySelector('#message').textContent.includes('without clocks')`)
}

// TestEnter: a typed move with signs or capitals left out is the one move that it can be.
func TestEnter(t *testing.T) {
	for typed, want := range map[string]string{"bc3": "bxc3", "Bc3": "Bxc3", "KE2": "Ke2", "d2c3": "Bxc3"} {
		p := open(t, "game=chess&setup=4k3/8/8/8/8/2p5/1P1B4/4K3+w+-+-+0+1")
		p.enter(typed)
		p.status("White played " + want)
	}
	p := open(t, "game=shogi&setup=4k4/9/9/3S5/9/9/9/9/4K4+b+-+1")
	p.enter("s6c") // it may promote or not
	p.wait(`document.querySelector('#message').textContent.startsWith('“s6c” may be S-6c+ or S-6c=.')`)
	p.do(chromedp.Evaluate(`document.querySelector('#move').value = ''`, nil))
	p.enter("S6c=")
	p.status("Black played S-6c=")
}

// TestUnknownGame: an address with a game that there is not shows chess, also if the name is one that every object has.
func TestUnknownGame(t *testing.T) {
	for _, name := range []string{"checkers", "toString"} {
		open(t, "game="+name).status("White to move.")
	}
}

func TestSetUp(t *testing.T) {
	p := open(t, "game=chess&moves=e2e4")
	p.expectErrors(true)
	p.enter("e4")
	p.wait(`document.querySelector('#message').textContent === '“e4” is not a legal move here.'`)
	p.do(chromedp.Evaluate(`location.hash = '#game=chess&moves=e2e4,e2e4'`, nil))
	p.wait(`document.querySelector('#message').textContent.includes('e2e4')`)
	p.do(chromedp.Evaluate(`document.querySelector('#position').open = true`, nil),
		chromedp.SetValue("#text", "1. d4 d5 2. c4 *", chromedp.ByQuery))
	p.click("#setup button")
	p.status("White played c4")
	// What would be downloaded goes to the test.
	p.do(chromedp.Evaluate(`URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text }); return '#' }; HTMLAnchorElement.prototype.click = () => {}`, nil))
	p.click("#exports button")
	p.wait(`window.saved?.includes('1. d4 d5 2. c4')`)
	p.do(chromedp.SetValue("#text", "no position", chromedp.ByQuery))
	p.click("#setup button")
	p.wait(`document.querySelector('#message').textContent`)
	p.status("White played c4")
}

func TestPhone(t *testing.T) {
	p := open(t, "game=shogi")
	for _, game := range []string{"chess", "shogi", "connect4", "ultimate"} {
		p.do(chromedp.EmulateViewport(390, 844))
		p.click("[data-game=" + game + "]")
		p.wait(`document.body.dataset.game === '` + game + `'`)
		if w := eval[int](p, `document.documentElement.scrollWidth`); w > 390 {
			t.Errorf("%s is %d pixels wide on a phone of 390", game, w)
		}
		// What is needed most lies on the first screen.
		inSight := func(selectors ...string) {
			t.Helper()
			for _, s := range selectors {
				if end := eval[float64](p, `document.querySelector('`+s+`').getBoundingClientRect().bottom`); end > 844 {
					t.Errorf("%s: %s ends at %.0f pixels, not on the screen of 844", game, s, end)
				}
			}
		}
		inSight("#hint")
		p.enter(map[string]string{"chess": "e4", "shogi": "P-7f", "connect4": "4", "ultimate": "ee"}[game])
		p.wait(`document.querySelectorAll('#moves li:not(.variation)').length >= 1`)
		p.click("[data-view=analyse]")
		inSight("#numbers", "#moves li:not(.variation)")
		if game == "chess" {
			inSight("#pv")
		}
		p.click("[data-view=play]")
	}
}

// TestJunkInAddress: what no page writes is ignored and disappears from the address.
func TestJunkInAddress(t *testing.T) {
	p := open(t, "game=chess&level=elo99999&you=7&clock=soon&view=x&at=no&over=maybe&flip=2&left=a&toString=1&moves=e2e4,e7e5")
	p.status("Black played e5")
	p.wait(`location.hash === '#moves=e2e4,e7e5'`)
	for state, kept := range map[string]bool{
		"game=shogi&level=elo1500": false, "game=shogi&level=skill21": false, "game=connect4&level=skill3": false,
		"game=shogi&level=skill20": true, "level=elo1500": true, "game=shogi&you=1&clock=300%2B3&left=-4,300": true,
	} {
		p.do(chromedp.Evaluate(fmt.Sprintf("location.hash = '#%s'", state), nil))
		want, _, _ := strings.Cut(state, "&")
		if kept {
			want = strings.ReplaceAll(state, "-4", ".*")
		}
		p.wait(fmt.Sprintf("/^#%s$/.test(location.hash)", want))
	}
}

// TestTextBoard shows a game as if the page had no board for it: a drawing, a button for each legal move, and no text
// that is missing.
func TestTextBoard(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	pretend := chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(`const real = fetch;
			window.fetch = async (path, options) => {
				const answer = await real(path, options);
				if (path !== '/api/games' && path !== '/api/position') return answer;
				const json = await answer.json();
				if (path === '/api/position') json.drawing = ['first line', 'second line'];
				else for (const g of json) for (const key of ['board', 'variants', 'shapes', 'mode', 'levels', 'table', 'counted']) {
					if (key === 'board') g.board = 'text'; else if (key === 'variants') g.variants = []; else delete g[key];
				}
				return new Response(JSON.stringify(json), { status: answer.status });
			};`).Do(ctx)
		return err
	})
	p := openAt(t, serve(t, "127.0.0.1:0").address, "game=ultimate&moves=ee", pretend)
	p.status("X played ee. O to move.")
	check := func(where string) {
		t.Helper()
		text := eval[string](p,
			`document.body.innerText + [...document.querySelectorAll('[placeholder]')].map(e => e.placeholder)`)
		if strings.Contains(text, "undefined") {
			t.Errorf("%s: %s", where, text)
		}
	}
	if n := eval[int](p, `document.querySelectorAll('.cell.text').length`); n != 8 {
		t.Errorf("%d buttons, not one for each of the eight moves", n)
	}
	if text := eval[string](p, `document.querySelector('.drawing').textContent`); text != "first line\nsecond line" {
		t.Errorf("the drawing is %q", text)
	}
	check("play")
	p.click(cell("ea"))
	p.status("O played ea. X to move.")
	for _, view := range []string{"analyse", "hash"} {
		p.click("[data-view=" + view + "]")
		p.wait("document.body.dataset.view === '" + view + "'")
		check(view)
	}
	p.wait(`document.querySelector('#about').textContent === 'Ultimate Tic-Tac-Toe uses no table.'`)
}
