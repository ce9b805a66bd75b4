package browsertest

import (
	"context"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestBestMoveTooLate: the move of the engine is for the end of the game, not for an earlier position that the
// page asks for when it comes.
func TestBestMoveTooLate(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	count := chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(`{
			const real = EventSource.prototype.addEventListener;
			window.bests = 0;
			EventSource.prototype.addEventListener = function (name, f) {
				real.call(this, name, e => { f(e); if (name === 'best') bests++; });
			};
		}`).Do(ctx)
		return err
	})
	p := openAt(t, serve(t, "127.0.0.1:0").address, "game=chess&you=1&clock=move86400&moves=e2e4,e7e5", count)
	p.wait(`document.querySelector('#thinking').textContent.includes('thinking')`)
	p.wait(`performance.getEntriesByType('resource').some(e => e.name.endsWith('/api/search'))`)
	p.hold("/api/position")
	p.click("#first")
	p.wait(`window.held === 1`)
	p.do(chromedp.Evaluate(`import('/api.js').then(({ request, session }) => request('/api/stop', { session })); 0`, nil))
	p.wait(`bests === 1`)
	if moves := eval[string](p, `new URLSearchParams(location.hash.slice(1)).get('moves')`); moves != "e2e4,e7e5" {
		t.Errorf("the moves are %s", moves)
	}
	p.do(chromedp.Evaluate(`release()`, nil))
	p.status("White to move.")
	p.click("#last")
	p.wait(`document.querySelector('#thinking').textContent.includes('thinking')`)
}

// TestNewGameEndsSearch: the search for the engine's move ends with its game.
func TestNewGameEndsSearch(t *testing.T) {
	p := open(t, "game=chess&you=1&clock=move86400")
	p.wait(`performance.getEntriesByType('resource').some(e => e.name.endsWith('/api/search'))`)
	p.do(chromedp.SetValue("#you", "0", chromedp.ByQuery))
	p.click("#new-game button")
	p.wait(`performance.getEntriesByType('resource').some(e => e.name.endsWith('/api/stop'))`)
	p.wait(`document.querySelector('#thinking').textContent === '' && document.querySelector('.cell.movable')`)
}

// TestAnswerCutShort: an answer that breaks off is a lost connection, and is asked for again.
func TestAnswerCutShort(t *testing.T) {
	p := open(t, "game=chess&moves=e2e4,e7e5")
	p.wait(`document.querySelector('#engine').textContent`)
	p.do(chromedp.Evaluate(`{
		const real = fetch;
		window.fetch = async (path, options) => {
			if (path !== '/api/position') return real(path, options);
			window.fetch = real;
			return new Response('{"game":"ch');
		};
		0 }`, nil))
	p.click("#first")
	p.status("White to move.")
}

// TestRefusedPage: a page whose server refuses everything, such as one that begins again with another token, says
// why and does not ask without end.
func TestRefusedPage(t *testing.T) {
	p := open(t, "game=chess&moves=e2e4,e7e5")
	p.wait(`document.querySelector('#engine').textContent`)
	p.do(chromedp.Evaluate(`{
		const real = fetch;
		window.asked = 0;
		window.fetch = async (path, options) => {
			if (path !== '/api/position') return real(path, options);
			asked++;
			await real('/api/games');
			return new Response('{"error":"the token is wrong"}', { status: 401 });
		};
		location.hash = '#game=chess&moves=d2d4';
		0 }`, nil))
	p.wait(`document.querySelector('#message').textContent.includes('the token is wrong')`)
	p.wait(`(window.looks = (window.looks ?? 0) + 1) > 20`)
	if n := eval[int](p, `asked`); n > 2 { // for the address, and for the start of the game
		t.Errorf("the page has asked %d times", n)
	}
}

// TestInterruptedWalk: the analysis of a game goes on when a search could not be asked for, and ends without an
// answer on a position.
func TestInterruptedWalk(t *testing.T) {
	for path, done := range map[string]bool{"/api/search": true, "/api/position": false} {
		p := open(t, "game=chess&view=analyse&moves=e2e4,e7e5,g1f3")
		p.wait(`document.querySelector('#engine').textContent`)
		p.do(chromedp.Evaluate(`{
			document.querySelector('#effort').options[0].value = 'nodes 1000';
			const real = fetch;
			window.asked = 0;
			window.fetch = async (path, options) => {
				if (path === '`+path+`' && ++asked === 2) throw new TypeError('no network');
				return real(path, options);
			};
			0 }`, nil))
		p.click("#analyse-game")
		p.wait(`document.querySelector('#connection').textContent === 'Connected again.' && document.querySelector('#analyse-run').textContent === 'Analyse'`)
		if got := eval[bool](p, `document.querySelector('#review').textContent !== ''`); got != done {
			t.Errorf("%s: the game has marks: %v", path, got)
		}
		if text := eval[string](p, `document.querySelector('#message').textContent`); text != "" {
			t.Errorf("%s: %s", path, text)
		}
	}
}
