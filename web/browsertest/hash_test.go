package browsertest

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// set takes a choice of a select.
func set(p *page, id, value string) {
	p.do(chromedp.Evaluate(`{ const e = document.querySelector('`+id+`'); e.value = '`+value+
		`'; e.dispatchEvent(new Event('change')); 0 }`, nil))
}

// TestHashMap searches a position and watches the table.
func TestHashMap(t *testing.T) {
	p := open(t, "game=chess&view=hash&moves=e2e4,e7e5")
	set(p, "#picture", "map")
	p.click("#hash-run")
	numbers := func(name string) string {
		return `[...document.querySelectorAll('#hash-values div')].find(e => e.querySelector('dt').textContent === '` +
			name + `')?.querySelector('dd').textContent`
	}
	for _, name := range []string{"full", "hits", "cutoffs", "½ × memory", "2 × memory"} {
		p.wait(numbers(name) + `?.endsWith('%')`)
	}
	for _, colour := range []string{"depth", "age", "bound", "side"} {
		p.do(chromedp.Evaluate(`{ const e = document.querySelector('#colour'); e.value = '`+colour+
			`'; e.dispatchEvent(new Event('change')); window.before = document.querySelector('#map').toDataURL(); 0 }`,
			nil))
		p.wait(`document.querySelector('#map-caption').textContent.length > 100`)
	}
	p.wait(`document.querySelector('#map').toDataURL() !== window.before`) // while the search runs
	p.wait(`document.querySelector('#hash-chart polyline').getAttribute('points').split(' ').length > 5`)

	if legend := eval[string](p,
		`document.querySelector('#map-legend').textContent`); legend != "White to movebothBlack to moveempty" {
		t.Errorf("the legend of side is %q", legend)
	}
	if n := eval[int](p, `document.querySelectorAll('#hash-help li').length`); n < 5 {
		t.Errorf("%d words are explained", n)
	}

	p.do(chromedp.Click("#map", chromedp.ByQuery))
	p.wait(`document.querySelectorAll('#cluster .entry').length === 3`)
	if shown := eval[float64](p, `(b => Math.min(b.bottom, innerHeight) - Math.max(b.top, 0))(document.querySelector('#map').getBoundingClientRect()) / document.querySelector('#map').clientHeight`); shown < 0.25 {
		t.Errorf("after a click %.0f %% of the map is seen", 100*shown)
	}
	if n := eval[int](p, `document.querySelectorAll('#cluster .field').length`); n != 27 {
		t.Errorf("a cluster has %d fields, not nine for each entry", n)
	}
	if s := eval[string](p, `document.querySelector('#cluster .entry').textContent`); len(s) < 100 {
		t.Errorf("the first entry says only %q", s)
	}

	p.click("#hash-find")
	p.wait(`document.querySelectorAll('#cluster .entry.found').length === 1 && document.querySelector('#cluster .found h4').textContent.includes('the position on the board')`)

	size := func(mib string) {
		p.do(chromedp.Evaluate(`{ const e = document.querySelector('#hash-mib'); e.value = '`+mib+
			`'; e.dispatchEvent(new Event('change')); 0 }`, nil))
	}
	size("37")
	p.wait(numbers("size") + `=== '37 MiB'`)
	p.expectErrors(true)
	size("-5") // is refused
	p.wait(`document.querySelector('#message').textContent.includes('-5') && document.querySelector('#hash-mib').value === '37'`)
	p.expectErrors(false)
	other := openAt(t, p.address, "view=hash")
	other.wait(`document.querySelector('#hash-mib').value === '37'`)
	other.do(chromedp.Evaluate(`import('/api.js').then(({ request }) => `+
		`request('/api/option', { name: 'Hash', value: '38' })); 0`, nil))
	p.wait(numbers("size") + `=== '38 MiB' && document.querySelector('#hash-mib').value === '38'`)
	p.wait(`!document.querySelector('#cluster').children.length && document.querySelector('#map-marker').hidden`) // they were of the old table
	p.do(chromedp.Evaluate(`{ const e = document.querySelector('#hash-audit'); e.value = 'count'; e.dispatchEvent(new Event('change')); 0 }`, nil))
	p.wait(numbers("false hits"))
	p.click("#hash-run")
	p.wait(`document.querySelector('#hash-run').textContent !== 'Stop'`)
}

// TestThreads chooses the number of threads, up to the number of processors. What the engine refuses is said.
func TestThreads(t *testing.T) {
	p := open(t, "game=chess&view=hash")
	p.wait(`document.querySelector('#hash-threads').value === '1'`)
	most := strconv.Itoa(runtime.NumCPU())
	set(p, "#hash-threads", "99999")
	p.wait(`document.querySelector('#hash-threads').value === '` + most + `'`)
	p.expectErrors(true)
	set(p, "#hash-threads", "0")
	p.wait(`document.querySelector('#message').textContent.includes('0') && ` +
		`document.querySelector('#hash-threads').value === '` + most + `'`)
	p.expectErrors(false)
	p.do(chromedp.Reload())
	p.wait(`document.querySelector('#hash-threads').value === '` + most + `'`)
	p.click("#hash-run")
	p.wait(`/depth/.test(document.querySelector('#hash-numbers').textContent)`)
}

// TestValuesOfEntries reads values of a table: a mate, and a position in check, which has no evaluation.
func TestValuesOfEntries(t *testing.T) {
	p := open(t, "game=chess&view=hash")
	p.do(chromedp.Evaluate(`import('/tables.js').then(({ kinds }) => { window.read = kinds.cluster.entry; }); 0`, nil))
	p.wait(`window.read`)
	for _, c := range []struct {
		value, eval int
		want        string
	}{
		{-25, 12, "Qh7, at least −25, depth 3, of this search, static evaluation 12"},
		{31997, 32002, "Qh7, at least mate in 3 plies, depth 3, of this search, static evaluation none"},
		{-31990, -40, "Qh7, at least mated in 10 plies, depth 3, of this search, static evaluation −40"},
	} {
		e := fmt.Sprintf(`{ text: 'Qh7', bound: 'lower', value: %d, depth: 3, pv: false, age: 0, eval: %d }`,
			c.value, c.eval)
		if got := eval[string](p, `window.read(`+e+`).filter(Boolean).join(', ')`); got != c.want {
			t.Errorf("the entry reads %q, want %q", got, c.want)
		}
	}
}

// TestTables looks into the tables of the solvers.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		state, kind, name string
		entries, fields   int
	}{
		{"game=connect4&view=hash&moves=4,4,4,4,4,2", "", "remainder", 4, 16},
		{"game=ultimate&view=hash&moves=ee", "window", "window", 4, 36},
	} {
		p := open(t, c.state)
		p.click("#hash-run")
		p.wait(`document.querySelector('#hash-values dd')?.textContent.endsWith('MiB')`)
		if c.kind != "" {
			p.wait(`!document.querySelector('#kind-label').hidden`)
			set(p, "#kind", c.kind)
		}
		p.wait(`document.querySelector('#kind').value === '` + c.name + `'`)
		for _, colour := range []string{"result", "work", "use"} {
			set(p, "#colour", colour)
			p.wait(`document.querySelector('#map-caption').textContent.length > 80 && document.querySelectorAll('#map-legend span').length === 4`)
		}
		p.do(chromedp.Click("#map", chromedp.ByQuery))
		p.wait(fmt.Sprintf(`document.querySelectorAll('#cluster .entry').length === %d && document.querySelectorAll('#cluster .field').length === %d`, c.entries, c.fields))
		p.click("#hash-run")
		p.wait(`document.querySelector('#hash-run').textContent !== 'Stop'`)
	}
}

// TestTableOfAnotherGame: a table that is shown beside another game has the sides of its own.
func TestTableOfAnotherGame(t *testing.T) {
	p := open(t, "game=shogi&view=hash")
	p.click("#hash-run")
	p.wait(`/depth/.test(document.querySelector('#hash-numbers').textContent)`)
	p.click("#hash-run")
	p.click("[data-game=chess]")
	set(p, "#picture", "map")
	p.wait(`document.querySelector('#map-caption').textContent.startsWith('This is still the table of shogi')`)
	p.do(chromedp.Click("#map", chromedp.ByQuery))
	p.wait(`document.querySelector('#cluster h3')`)
	const right = `/^Cluster \d*[02468], .* Black to|^Cluster \d*[13579], .* White to/`
	if heading := eval[string](p, `document.querySelector('#cluster h3').textContent`); !eval[bool](p,
		right+`.test(document.querySelector('#cluster h3').textContent)`) {
		t.Errorf("the heading is %q", heading)
	}
}
