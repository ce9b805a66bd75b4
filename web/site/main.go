//go:build js

// Trefoil for a page without a server: it runs in a worker of the browser, see worker.js, and answers the requests of
// transport.js by the same handler as `trefoil web`.
//
//	page ── [number, path, body] ──► worker.js ──► request ──► web.Server
//	page ◄── [number, text], …, [number, "", status] ◄── answer ◄──┘
//
// A message with nothing but a number ends the request of that number.
package main

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"syscall/js"

	"trefoil/engine"
	"trefoil/options"
	"trefoil/web"
)

// hash is the size of the table in MiB, as in `trefoil web`.
const hash = "64"

func main() {
	games := engine.Games()
	e := engine.NewWith(games)
	ctx := context.Background()
	if err := e.Options().Set(ctx, options.UCI, "Hash", hash); err != nil {
		panic(err) // the worker ends, and the page says so
	}
	p := page{handler: web.New(e, games).Handler(ctx)}
	js.Global().Call("ready", js.FuncOf(func(_ js.Value, args []js.Value) any {
		p.take(args)
		return nil
	}))
	select {}
}

// page is the page that sends requests.
type page struct {
	handler http.Handler
	open    sync.Map // from numbers of requests to what ends them
}

// take takes a message of the page.
func (p *page) take(message []js.Value) {
	number := message[0].Int()
	if len(message) == 1 {
		if end, ok := p.open.LoadAndDelete(number); ok {
			end.(context.CancelFunc)()
		}
		return
	}
	method, path, kind, body := http.MethodGet, message[1].String(), "application/json", []byte(nil)
	switch message[2].Type() {
	case js.TypeString:
		method, body = http.MethodPost, []byte(message[2].String())
	case js.TypeObject: // bytes
		method, kind, body = http.MethodPost, "application/octet-stream", make([]byte, message[2].Length())
		js.CopyBytesToGo(body, message[2])
	}
	ctx, end := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		panic(err) // a mistake of the page: its paths are constants
	}
	r.Header.Set("Content-Type", kind)
	p.open.Store(number, end)
	go func() {
		a := &answer{number: number, header: http.Header{}, status: http.StatusOK}
		p.handler.ServeHTTP(a, r)
		p.open.Delete(number)
		end()
		a.send("", a.status)
	}()
}

// answer is an answer whose parts go to the page as they are written.
type answer struct {
	number int
	header http.Header
	status int
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) { a.status = status }

func (a *answer) Write(b []byte) (int, error) {
	a.send(string(b))
	return len(b), nil
}

func (a *answer) Flush() {}

// send sends a message to the page.
func (a *answer) send(rest ...any) { js.Global().Call("postMessage", append([]any{a.number}, rest...)) }
