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
