package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// left is what a side has left by the address of the page, in ms.
func left(side int) string {
	return fmt.Sprintf(`Number(new URLSearchParams(location.hash).get('left').split(',')[%d])`, side)
}

// hold lets requests of a path wait until the page calls its release. It counts them in held.
func (p *page) hold(path string) {
	p.t.Helper()
	p.do(chromedp.Evaluate(fmt.Sprintf(`{
		const real = fetch, released = new Promise(resolve => { window.release = () => { window.fetch = real; resolve(); }; });
		window.held = 0;
		window.fetch = async (path, options) => {
			if (path !== %q) return real(path, options);
			held++;
			await released;
			return real(path, options);
		};
		0 }`, path), nil))
}

// TestClockOfWaitingSearch: the engine loses no time while its search waits for a search of another page.
func TestClockOfWaitingSearch(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	s := serve(t, "127.0.0.1:0")
	a := openAt(t, s.address, "game=chess")
	a.wait(`document.querySelector('#engine').textContent`)
	a.do(chromedp.Evaluate(`import('/api.js').then(({ request, session }) =>
		request('/api/search', { session, game: 'chess', mode: 'analyse', infinite: true })).then(({ place }) => { window.place = place; }); 0`, nil))
	a.wait(`window.place === 0`)
	p := openAt(t, s.address, "game=chess&you=1&clock=60%2B0&left=60000,60000&moves=e2e4,e7e5")
	const waits = `document.querySelector('#queue').textContent.includes('Waiting')`
	p.wait(waits + ` && !document.querySelector('#below .clock').classList.contains('runs')`)
	before := eval[int](p, left(0))
	p.wait(`(window.looks = (window.looks ?? 0) + 1) > 40 || !` + waits) // a clock that runs is in the address by then
	if after := eval[int](p, waits+` ? `+left(0)+` : `+fmt.Sprint(before)); after != before {
		t.Errorf("while its search waits the engine loses %d ms", before-after)
	}
	p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 3`)
	p.wait(`document.querySelector('#above .clock').classList.contains('runs')`)
}

// TestClockOfSlowServer: the clock of the side that has moved stands while the server looks at the move.
func TestClockOfSlowServer(t *testing.T) {
	p := open(t, "game=chess&you=0&clock=300%2B3&left=300000,300000&moves=e2e4,e7e5")
	p.wait(left(0) + ` < 299500`)
	p.hold("/api/position")
	p.click(cell("g1"))
	p.click(cell("f3"))
	p.wait(`window.held === 1 && location.hash.includes('g1f3')`)
	before := eval[int](p, left(0))
	p.wait(`(window.looks = (window.looks ?? 0) + 1) > 30`) // a clock that runs is in the address by then
	if after := eval[int](p, left(0)); after != before {
		t.Errorf("after the move White loses %d ms", before-after)
	}
	p.do(chromedp.Evaluate(`release()`, nil))
	p.wait(`document.querySelectorAll('#moves li:not(.variation)').length >= 3`)
}
