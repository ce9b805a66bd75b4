package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestManyTabs opens more pages than a browser has connections to a server. All of them work, each
// when it is looked at.
func TestManyTabs(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	s := serve(t, "127.0.0.1:0")
	var pages []*page
	for range 8 {
		p := openAt(t, s.address, "game=chess&view=analyse")
		p.wait(`document.querySelector('#engine').textContent`) // it has a stream
		pages = append(pages, p)
	}
	pages[0].click("#analyse-run")
	for _, i := range []int{0, 3, 7} {
		p := pages[i]
		p.do(cdppage.BringToFront(), chromedp.Evaluate(`dispatchEvent(new Event('focus'))`, nil))
		p.play([]string{"e2", "e4"})
		p.status("White played e4")
		if i > 0 {
			p.click("#analyse-run")
		}
		p.wait(`document.querySelector('#pv li') && document.querySelector('#connection').hidden`)
		p.click("#analyse-run")
	}
}

// TestLostStream: a page that gave its stream up for other pages, and finds no server when it is looked at, says so.
func TestLostStream(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	s := serve(t, "127.0.0.1:0")
	p := openAt(t, s.address, "")
	p.wait(`document.querySelector('#engine').textContent`)
	p.expectErrors(true)
	p.do(chromedp.Evaluate(`{
		const others = new BroadcastChannel('streams');
		others.onmessage = ({ data: [, used] }) => { if (!used) window.released = true; };
		for (let i = 0; i < 5; i++) others.postMessage([i, true]);
		0 }`, nil))
	p.wait(`window.released`)
	s.stop()
	p.do(chromedp.Evaluate(`dispatchEvent(new Event('focus'))`, nil))
	p.wait(`!document.querySelector('#connection').hidden && document.querySelector('#connection').textContent.includes('lost')`)
}

// TestLinkFromElsewhere follows a link of another site to a game.
func TestLinkFromElsewhere(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	s := serve(t, "127.0.0.1:0")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<link rel=icon href="data:,"><a id="link" href="%s#moves=e2e4,e7e5">a game</a>`, s.address)
	}))
	defer site.Close()
	p := openAt(t, s.address, "")
	p.do(chromedp.Navigate(site.URL))
	if _, err := chromedp.RunResponse(p.ctx, chromedp.Click("#link", chromedp.ByQuery)); err != nil {
		t.Fatal(err)
	}
	p.status("Black played e5")
}

// TestCopyLink: a link that is passed on has the game and not the token. It leads to another page if there is one.
func TestCopyLink(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	const base = "https://example.org/trefoil/"
	for _, flags := range [][]string{nil, {"--link-base", base}} {
		s := serve(t, "0.0.0.0:0", flags...)
		address := strings.Replace(s.address, "localhost", "127.0.0.1", 1)
		want, _, ok := strings.Cut(address, "?token=")
		if !ok {
			t.Fatalf("the address is %s", address)
		}
		if flags != nil {
			want = base
		}
		p := openAt(t, address, "moves=e2e4")
		p.wait(`document.querySelector('#engine').textContent`)
		p.do(chromedp.Evaluate(`document.querySelector('#position').open = true;
			navigator.clipboard.writeText = async text => { window.copied = text; }; 0`, nil))
		p.click("#copy-link")
		p.wait(`window.copied`)
		if got := eval[string](p, `window.copied`); got != want+"#moves=e2e4" {
			t.Errorf("%s: the link is %s", flags, got)
		}
	}
}

// TestPastedGames: the games that the placeholder offers can be pasted while any game is shown.
func TestPastedGames(t *testing.T) {
	p := open(t, "game=chess")
	p.do(chromedp.Evaluate(`document.querySelector('#position').open = true`, nil))
	paste := func(text, status string) {
		t.Helper()
		p.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector('#text').value = %q`, text), nil))
		p.click("#setup button")
		p.status(status)
	}
	paste("手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n", "Black played P-7f")
	paste("1. e4 e5 *", "Black played e5")
	paste("V2.2\nPI\n+\n+2726FU\n%TORYO\n", "Black played P-2f")
	paste("1. d4 *", "White played d4")
	paste("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", "White to move")
	if game := eval[string](p, `document.body.dataset.game`); game != "shogi" {
		t.Errorf("the sfen shows %s", game)
	}
}
