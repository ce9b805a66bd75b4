package yield

import (
	"sync"
	"syscall/js"
	"time"
)

// interval is how long a search runs between two breaks.
const interval = 10 * time.Millisecond

// begun is when the last break ended.
var begun = time.Now()

// resumed has a value for each break that may end: the browser has handled the events that came before it.
var resumed = make(chan struct{}, 1)

// port takes messages to this program itself. A timer would do, but browsers let it wait for at least 4 ms.
var port = sync.OnceValue(func() js.Value {
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		resumed <- struct{}{}
		return nil
	}))
	return channel.Get("port2")
})

// Now lets other goroutines and the browser's events run, unless they could a moment ago.
func Now() {
	if time.Since(begun) < interval {
		return
	}
	port().Call("postMessage", nil)
	<-resumed
	begun = time.Now()
}
