package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHashMap searches a position and watches the table.
func TestHashMap(t *testing.T) {
	p := open(t, "game=chess&view=hash&moves=e2e4,e7e5")
	p.click("#hash-run")
	numbers := func(name string) string {
		return `[...document.querySelectorAll('#hash-values div')].find(e => e.querySelector('dt').textContent === '` + name + `')?.querySelector('dd').textContent`
	}
	for _, name := range []string{"full", "hits", "cutoffs", "½ × memory", "2 × memory"} {
		p.wait(numbers(name) + `?.endsWith('%')`)
	}
	for _, colour := range []string{"depth", "age", "bound", "side"} {
		p.do(chromedp.Evaluate(`{ const e = document.querySelector('#colour'); e.value = '`+colour+`'; e.dispatchEvent(new Event('change')); window.before = document.querySelector('#map').toDataURL(); 0 }`, nil))
		p.wait(`document.querySelector('#map-caption').textContent.length > 100`)
	}
	p.wait(`document.querySelector('#map').toDataURL() !== window.before`) // while the search runs
	p.wait(`document.querySelector('#hash-chart polyline').getAttribute('points').split(' ').length > 5`)

	p.do(chromedp.Click("#map", chromedp.ByQuery))
	p.wait(`document.querySelectorAll('#cluster .entry').length === 3`)
	if n := eval[int](p, `document.querySelectorAll('#cluster .field').length`); n != 27 {
		t.Errorf("a cluster has %d fields, not nine for each entry", n)
	}
	if s := eval[string](p, `document.querySelector('#cluster .entry').textContent`); len(s) < 100 {
		t.Errorf("the first entry says only %q", s)
	}

	p.do(chromedp.Evaluate(`document.querySelector('#hash-mib').value = 37`, nil))
	p.click("#hash-form button")
	p.wait(numbers("size") + `=== '37 MiB'`)
	p.do(chromedp.Evaluate(`{ const e = document.querySelector('#hash-audit'); e.value = 'count'; e.dispatchEvent(new Event('change')); 0 }`, nil))
	p.wait(numbers("false hits"))
	p.click("#hash-run")
	p.wait(`document.querySelector('#hash-run').textContent !== 'Stop'`)
}
