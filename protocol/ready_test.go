package protocol

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestReadyWaits: an isready is answered when nothing runs in the background any more, after readyTimeout,
// or at once if the input says that it must not wait.
func TestReadyWaits(t *testing.T) {
	for _, c := range []struct {
		send   string // after the isready; "eof" for the end of the input
		after  time.Duration
		atOnce bool
		want   []string
	}{
		{"", 3 * time.Second, false, []string{"readyok"}},
		{"", time.Minute, false, []string{"readyok"}},
		{"stop", time.Minute, true, []string{"readyok"}},
		{"quit", time.Minute, true, []string{"readyok"}},
		{"eof", time.Minute, true, []string{"readyok"}},
		{"d", time.Minute, true, []string{"readyok", "d []"}},
		{"go nodes 4", time.Minute, true, []string{"readyok", info1, curr, info1, answer}},
		{"position startpos", time.Minute, false, []string{"readyok"}},
	} {
		t.Run(fmt.Sprint(c.send, c.after), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.busy = make(chan struct{})
				time.AfterFunc(c.after, func() { close(f.busy) })
				d, begun := talk(t, f), time.Now()
				d.send("isready")
				synctest.Wait()
				switch c.send {
				case "":
				case "eof":
					d.in.Close()
				default:
					d.send(c.send)
				}
				d.want(c.want[0])
				want := min(c.after, readyTimeout)
				if c.atOnce {
					want = 0
				}
				if took := time.Since(begun); took != want {
					t.Errorf("readyok after %v, want %v", took, want)
				}
				d.want(c.want[1:]...)
				d.in.Close()
				d.end()
				time.Sleep(time.Minute)
			})
		})
	}
}

// TestReadyInSearch: what runs in the background does not delay the answer while a search runs.
func TestReadyInSearch(t *testing.T) {
	f := newFake()
	f.busy = make(chan struct{})
	d := talk(t, f)
	d.send("go infinite")
	d.want(info1, curr)
	d.send("isready")
	d.want("readyok")
	d.send("quit")
	d.want(info1, answer)
	d.end()
}

// TestReadyKeepsAlive: USI gets an empty line while an isready waits for the background.
func TestReadyKeepsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.busy = make(chan struct{})
		d := talk(t, f)
		d.send("usi")
		for line := range d.out {
			if line == "usiok" {
				break
			}
		}
		d.send("isready")
		d.want("", "readyok")
		time.Sleep(time.Minute)
		d.in.Close()
		d.end()
	})
}
