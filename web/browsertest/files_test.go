package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestFiles opens a file of many games, finds one of them and shows it; a file of one game, in Shift JIS, is dropped.
func TestFiles(t *testing.T) {
	var b strings.Builder
	for i := range 2000 { // several parts
		fmt.Fprintf(&b, "[Event \"Open\"]\n[White \"Player %d\"]\n[Black \"Bob\"]\n[Date \"2026.11.27\"]\n\n{ %s }\n1. e4 e5 2. Nf3 { %d } 1-0\n\n", i,
			strings.Repeat("comment ", 50), i)
	}
	path := filepath.Join(t.TempDir(), "games.pgn")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, "")
	p.do(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
	p.wait(`document.querySelector('#contents').open && document.querySelector('#contents-title').textContent === '2000 games'`)
	p.wait(`document.querySelector('#contents-count').textContent === 'The first 500 are shown.' && document.querySelectorAll('#contents tbody tr').length === 500`)
	p.do(chromedp.SendKeys("#contents-find", "player 1999", chromedp.ByQuery))
	p.wait(`document.querySelector('#contents-count').textContent === '1 found.'`)
	row := eval[string](p, `[...document.querySelectorAll('#contents tbody td')].map(e => e.textContent).join('|')`)
	if row != "2000|Player 1999 – Bob|1-0|2026.11.27|Open|3" {
		t.Error(row)
	}
	p.click("#contents tbody button")
	p.status("White played Nf3. The game ended: 1-0.")
	p.wait(`!document.querySelector('#contents').open && document.querySelector('#below .name').textContent === 'White – Player 1999'`)
	p.do(chromedp.Evaluate(`(() => {
		const data = new DataTransfer();
		// 先手：甲, and a move
		const bytes = [0x90, 0xe6, 0x8e, 0xe8, 0x81, 0x46, 0x8d, 0x62, 0x0a, 0x31, 0x20, 0x82, 0x56, 0x98, 0x5a, 0x95, 0xe0, 0x28, 0x37, 0x37, 0x29, 0x0a];
		data.items.add(new File([new Uint8Array(bytes)], 'game.kif'));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
	})()`, nil))
	p.status("Black played P-7f")
	p.wait(`document.querySelector('#below .name').textContent === 'Black – 甲'`)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
	p.wait(`document.querySelector('#message').textContent === 'games.pgn has no game.'`)
	p.do(chromedp.Evaluate(`(() => { // a folder, or a file that is gone
		Blob.prototype.text = File.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError'));
		const data = new DataTransfer();
		data.items.add(new File(['1. e4'], 'gone'));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
	})()`, nil))
	p.wait(`document.querySelector('#message').textContent === 'gone cannot be read.' && document.querySelector('#connection').hidden`)
}
