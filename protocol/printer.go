package protocol

import (
	"io"
	"strings"
	"sync"

	"trefoil/search"
)

// printer writes whole lines, one writer at a time, and sees to it that the
// last line before a search's answer is a full report of its best line:
// runners read the score there, and some clients drop it at any later line.
type printer struct {
	mu     sync.Mutex
	w      io.Writer
	d      dialect
	failed bool   // the reader of our output has gone
	gone   func() // called once when that happens

	best  string // the latest report of the best line in this search
	shown bool   // it is the last line printed
}

// print writes lines as they are.
func (p *printer) print(text ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(text...)
	p.shown = false
}

// speak changes the dialect.
func (p *printer) speak(d dialect) {
	p.mu.Lock()
	p.d = d
	p.mu.Unlock()
}

// say writes lines for people.
func (p *printer) say(text ...string) {
	if len(text) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range text {
		for _, line := range strings.Split(t, "\n") {
			p.write(p.d.say(cut(line)))
		}
	}
	p.shown = false
}

// begin forgets the last search.
func (p *printer) begin() {
	p.mu.Lock()
	p.best, p.shown = "", false
	p.mu.Unlock()
}

// info writes one report of a running search.
func (p *printer) info(i search.Info) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.d.info(i)
	p.write(text)
	p.shown = i.Text == "" && i.CurrMove == "" && i.MultiPV <= 1
	if p.shown {
		p.best = text
	}
}

// answer writes the result of a search, after its best line.
func (p *printer) answer(r search.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.best == "" {
		i := search.Info{Nodes: r.Nodes, Time: r.Time, HashFull: -1}
		if r.Best != "" {
			i.PV = []string{r.Best}
		}
		p.best = p.d.info(i)
	}
	if p.shown || r.Checkmate != nil {
		p.write(p.d.best(r))
	} else {
		p.write(p.best, p.d.best(r))
	}
	p.shown = false
}

// write puts lines out in one piece. Once that fails nobody is listening.
func (p *printer) write(text ...string) {
	if p.failed || len(text) == 0 {
		return
	}
	if _, err := io.WriteString(p.w, strings.Join(text, "\n")+"\n"); err != nil {
		p.failed = true
		p.gone()
	}
}

// cut shortens what may quote a line of megabytes.
func cut(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
