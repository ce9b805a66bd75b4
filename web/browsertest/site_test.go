package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// makeSite makes the page that needs no server, once for all tests.
var makeSite = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "site")
	out, err := exec.Command("make", "-C", "../..", "site", "SITE="+dir).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("make site: %w\n%s", err, out)
	}
	return dir, err
})

// site returns the folder of that page.
func site(t *testing.T) string {
	t.Helper()
	dir, err := makeSite()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSite plays and analyses all games on the page that needs no server, and replays a trace. A path comes before its
// files, as where a site has several pages.
func TestSite(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	files := httptest.NewServer(http.StripPrefix("/trefoil", http.FileServer(http.Dir(site(t)))))
	t.Cleanup(files.Close)
	address := files.URL + "/trefoil/"
	for _, c := range []struct{ game, move, analysed string }{
		{"chess", "e4", `/^[+−]\d/.test(document.querySelector('#pv li .score')?.textContent)`},
		{"shogi", "P-7f", `/^[+−]\d/.test(document.querySelector('#pv li .score')?.textContent)`},
		{"connect4", "4", `[...document.querySelectorAll('#under b')].every(b => /^([+−]\d+|0)$/.test(b.textContent))`},
		{"ultimate", "ee", `document.querySelector('.cell .value')`},
	} {
		t.Run(c.game, func(t *testing.T) {
			p := openAt(t, address, "game="+c.game+"&you=0&clock=move0.2")
			p.enter(c.move)
			p.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 2`)
			p.click("[data-view=analyse]")
			p.click("#analyse-run")
			p.wait(c.analysed)
			p.click("#analyse-run")
			p.wait(`document.querySelector('#analyse-run').textContent === 'Analyse'`)
			if reason := p.stopSearch(c.game); reason != "stopped" {
				t.Errorf("the search ended because of %q", reason)
			}
		})
	}
	p := openAt(t, address, "view=hash")
	p.do(chromedp.Evaluate(`document.querySelector('#film').open = true`, nil))
	p.do(chromedp.SetUploadFiles("#film-file", []string{recordTrace(t)}, chromedp.ByQuery))
	p.wait(`document.querySelector('#film-position').value > 2 && document.querySelector('#film-frame svg')`)
}

// stopSearch begins a search without a limit, stops it after its first report, and returns why it ended.
func (p *page) stopSearch(game string) (reason string) {
	p.t.Helper()
	p.do(chromedp.Evaluate(fmt.Sprintf(`(async () => {
		const { openStream, send } = await import('./transport.js');
		const session = '0'.repeat(32);
		const stream = openStream(new URLSearchParams({ session }));
		const event = name => new Promise(resolve => stream.addEventListener(name, e => resolve(JSON.parse(e.data))));
		await event('hello');
		const info = event('info'), best = event('best');
		await send('/api/search', JSON.stringify({ session, game: %q, mode: 'analyse', lines: 20, noBook: true }));
		await info;
		await send('/api/stop', JSON.stringify({ session }));
		return (await best).reason;
	})()`, game), &reason, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return reason
}
