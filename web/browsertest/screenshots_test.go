package browsertest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var screenshots = flag.String("screenshots", "", "the folder into which the pictures of docs/web.md are written")

// TestScreenshots writes the pictures of docs/web.md. `make screenshots` runs it.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("-screenshots names no folder")
	}
	type picture struct {
		name, state, scheme string
		width, height       int64
		act                 func(*page)
	}
	for _, c := range []picture{
		{"chess", "game=chess&you=0&clock=300%2B3&left=262000,291000&moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6", "light", 1200, 850, func(p *page) { p.click(cell("b5")) }},
		{"analysis", "game=chess&view=analyse&moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6", "light", 1200, 900, func(p *page) {
			p.click("#analyse-game")
			p.wait(`document.querySelectorAll('#graph .point').length === 7 && document.querySelector('#analyse-run').textContent === 'Analyse'`)
			analyse(`document.querySelectorAll('#pv li').length === 3 && parseInt(document.querySelector('#numbers').textContent.slice(6)) >= 14`)(p)
		}},
		{"shogi", "game=shogi&moves=7g7f,3c3d,8h2b%2B,3a2b", "light", 1200, 900, nil},
		{"kanji", "game=shogi&kanji=1&moves=7g7f,3c3d,8h2b%2B,3a2b", "dark", 390, 760, nil},
		{"connect4", "game=connect4&view=analyse&moves=4,4,4,4,4,2,2,2,6,6,6", "light", 1200, 900,
			analyse(`[...document.querySelectorAll('#under b')].every(b => /[0-9]/.test(b.textContent))`)},
		{"ultimate", "game=ultimate&moves=ee,ea,ae,ei,ie,ec,ce", "dark", 390, 760, nil},
		{"hash", "game=chess&view=hash&moves=e2e4,e7e5,g1f3", "dark", 1200, 1000, func(p *page) {
			p.click("#hash-run")
			p.wait(`parseInt(document.querySelector('#hash-numbers').textContent.slice(6)) >= 17`)
			p.click("#hash-run")
			p.wait(`document.querySelector('#hash-run').textContent !== 'Stop'`)
			p.wait(`document.querySelectorAll('#tree [data-to]').length > 5`)
			p.do(chromedp.Evaluate(`document.querySelector('#tree [data-line="' + document.querySelector('#tree [data-to]').dataset.to + '"]').dispatchEvent(
				new PointerEvent('pointerover', { bubbles: true })); scrollTo(0, 0)`, nil))
		}},
		{"buckets", "game=connect4&view=hash&moves=4,4,4,4,4,2", "light", 1200, 1180, func(p *page) {
			p.click("#hash-run")
			p.wait(`parseFloat(document.querySelectorAll('#hash-values dd')[2]?.textContent) > 60`)
			p.do(chromedp.Click("#map", chromedp.ByQuery))
			p.wait(`document.querySelectorAll('#cluster .entry').length === 4`)
			p.do(chromedp.Evaluate(`scrollTo(0, 0)`, nil))
		}},
	} {
		p := open(t, c.state)
		p.do(chromedp.EmulateViewport(c.width, c.height))
		p.scheme(c.scheme)
		if c.act != nil {
			c.act(p)
		}
		var picture []byte
		p.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
			picture, err = cdppage.CaptureScreenshot().WithFormat(
				cdppage.CaptureScreenshotFormatWebp).WithQuality(64).Do(ctx)
			return err
		}))
		if len(picture) > 110<<10 {
			t.Errorf("%s has %d bytes", c.name, len(picture))
		}
		if err := os.WriteFile(filepath.Join(*screenshots, c.name+".webp"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Println(c.name, len(picture))
	}
}
