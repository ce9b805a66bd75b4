package protocol

import "time"

// keepAliveInterval is the interval of the empty lines that USI allows while readyok is
// pending: shogi GUIs give up on an engine that is silent for 30 seconds.
const keepAliveInterval = 5 * time.Second

// progressInterval is the interval of progress messages while an option is applied.
const progressInterval = time.Second

// repeat calls f at an interval until stop is called; f is not running once stop has
// returned.
func repeat(every time.Duration, f func()) (stop func()) {
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
				f()
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
