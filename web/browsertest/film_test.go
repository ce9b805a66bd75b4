package browsertest

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// recordTrace records a short search.
func recordTrace(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "short.trace")
	out, err := exec.Command(program, "hash", "trace", path, "--nodes", "2000", "--hash", "1").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// still makes the page one that those see who want no motion.
func (p *page) still() {
	p.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-reduced-motion", Value: "reduce"}}))
}

// TestFilm opens a trace, moves the slider, and chooses another design, size and colour. The pictures can be saved.
func TestFilm(t *testing.T) {
	p := open(t, "game=connect4&view=hash")
	path := recordTrace(t)
	p.still()
	p.do(chromedp.Evaluate(`document.querySelector('#film').open = true`, nil))
	p.do(chromedp.SetUploadFiles("#film-file", []string{path}, chromedp.ByQuery))
	const at, play = `document.querySelector('#film-position')`, `document.querySelector('#film-play').textContent`
	p.wait(at + `.value === '99' && ` + play + ` === 'Play'`) // the end, and no motion
	p.wait(`[document.querySelector('#film-first').value, document.querySelector('#film-second').value].join() === 'trefoil,stockfish'`)
	texts := `[...document.querySelectorAll('#film-frame text')].map(e => e.textContent).join('|')`
	if got := eval[string](p, texts); !strings.HasPrefix(got, "trefoil|") || strings.Count(got, " % hits|") != 2 ||
		strings.Count(got, " % full") != 2 || strings.Contains(got, "|0.0 %") {
		t.Errorf("the picture says %q", got)
	}
	if n := eval[int](p, `document.querySelectorAll('#film-frame polyline').length`); n != 4 {
		t.Errorf("%d curves", n)
	}
	p.do(chromedp.Evaluate(`window.last = `+texts+`;
		window.map = document.querySelector('#film-frame image').getAttribute('href'); 0`, nil))
	p.do(chromedp.Focus("#film-position", chromedp.ByQuery), chromedp.KeyEvent(kb.Home))
	p.wait(at + `.value === '0' && ` + texts + ` !== last &&
		document.querySelector('#film-frame image').getAttribute('href') !== map`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.wait(at + `.value === '1' && /^record [\d,]+ of [\d,]+; trefoil: [\d.]+ % hits, [\d.]+ % cutoffs, [\d.]+ % full; stockfish: /.test(` +
		at + `.getAttribute('aria-valuetext'))`)

	colour := `document.querySelector('#film-legend').textContent`
	set(p, "#film-colour", "bound")
	p.wait(colour + `.startsWith('exact')`)
	set(p, "#film-second", "always")
	p.wait(`document.querySelector('#film-caption').textContent.includes('always (1 entry of 16 bytes') &&
		` + at + `.value === '1'`)
	p.expectErrors(true)
	set(p, "#film-mib", "1000")
	p.wait(`document.querySelector('#message').textContent.includes('1000') && document.querySelector('#film-mib').value < 1`)
	p.expectErrors(false)

	p.click("#film-play")
	p.wait(play + ` === 'Pause' && ` + at + `.value > 3`)
	p.click("#film-play")
	p.wait(play + ` === 'Play'`)

	p.saves("film", "Trefoil – trefoil and always: record ", "A trace of chess", "data:image/png;base64,", "lower bound")
}

// TestDroppedTraces: a trace is dropped on any view and plays; one that is cut short is refused, and nothing is shown.
func TestDroppedTraces(t *testing.T) {
	p := open(t, "game=chess")
	data, err := os.ReadFile(recordTrace(t))
	if err != nil {
		t.Fatal(err)
	}
	drop := func(data []byte) {
		p.do(chromedp.Evaluate(fmt.Sprintf(`(() => {
			const data = new DataTransfer();
			data.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], 'short.trace'));
			document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
		})()`, base64.StdEncoding.EncodeToString(data)), nil))
	}
	drop(data)
	p.wait(`document.body.dataset.view === 'hash' && document.querySelector('#film-position').value > 2`)
	p.expectErrors(true)
	drop(data[:len(data)-5])
	p.wait(`document.querySelector('#message').textContent.includes('trace: cut short') && document.querySelector('#film-shown').hidden`)
	p.expectErrors(false)
}
