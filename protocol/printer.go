package protocol

import (
	"io"
	"strings"
	"sync"

	"trefoil/search"
)

// printer writes whole lines, one writer at a time. The last line before bestmove is
// always a full report of the best line: match runners read the score there, and some
// clients drop it when another line follows.
type printer struct {
	mu       sync.Mutex
	w        io.Writer
	d        *dialect
	record   func(input bool, lines ...string) error
	err      error  // of the first write that failed: the output is closed
	onClosed func() // called once, when that happens

	best  *search.Info // the latest report of the best line in this search
	shown bool         // it is the last line printed
}

// print writes lines as they are.
func (p *printer) print(text ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(text...)
	p.shown = false
}

// setDialect changes the dialect.
func (p *printer) setDialect(d *dialect) {
	p.mu.Lock()
	p.d = d
	p.mu.Unlock()
}

// infoString writes messages.
func (p *printer) infoString(text ...string) {
	if len(text) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range text {
		for _, line := range strings.Split(t, "\n") {
			p.write(infoString(cut(line)))
		}
	}
	p.shown = false
}

// begin forgets the reports of the last search.
func (p *printer) begin() {
	p.mu.Lock()
	p.best, p.shown = nil, false
	p.mu.Unlock()
}

// info writes one report of a running search.
func (p *printer) info(i search.Info) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(p.d.info(i))
	p.shown = i.Text == "" && i.CurrMove == "" && i.MultiPV <= 1
	if p.shown {
		p.best = &i
	}
}

// answer writes the result of a search, after the report of its best line.
func (p *printer) answer(r search.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.best == nil {
		p.best = &search.Info{HashFull: -1}
		if r.Best != "" {
			p.best.PV = []string{r.Best}
		}
	}
	if p.shown || r.Checkmate != nil {
		p.write(p.d.best(r))
	} else {
		p.best.Nodes, p.best.Time = max(p.best.Nodes, r.Nodes), max(p.best.Time, r.Time)
		p.write(p.d.info(*p.best), p.d.best(r))
	}
	p.shown = false
}

// write writes lines in one call. After the first error it writes nothing more.
func (p *printer) write(text ...string) {
	if p.err != nil || len(text) == 0 {
		return
	}
	if err := p.record(false, text...); err != nil {
		text = append(text[:len(text):len(text)], infoString(err.Error()))
	}
	if _, p.err = io.WriteString(p.w, strings.Join(text, "\n")+"\n"); p.err != nil {
		p.onClosed()
	}
}

// failed returns the error of the first write that failed.
func (p *printer) failed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// cut limits a message that may quote a line of megabytes.
func cut(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
