package protocol

import "time"

// aliveEvery is how often who waits for readyok hears that we live: GUIs of shogi
// give up an engine that is silent for half a minute.
const aliveEvery = 5 * time.Second

// tellEvery is how often an option that takes a while may tell how far it is.
const tellEvery = time.Second

// keepAlive calls hum every so often until the function that it returns is called, and not
// after that has returned.
func keepAlive(every time.Duration, hum func()) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				hum()
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
