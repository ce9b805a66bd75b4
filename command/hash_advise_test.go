package command

import (
	"testing"
	"time"

	"trefoil/search"
)

func TestParseClock(t *testing.T) {
	both := func(d time.Duration) [2]time.Duration { return [2]time.Duration{d, d} }
	const s, m = time.Second, time.Minute
	for text, want := range map[string]search.Limits{
		"60+0.6":       {Clock: search.Clock{Given: true, Time: both(60*s + 600*time.Millisecond), Inc: both(600 * time.Millisecond)}},
		"5:00+3":       {Clock: search.Clock{Given: true, Time: both(5*m + 3*s), Inc: both(3 * s)}},
		"40/90:00":     {Clock: search.Clock{Given: true, Time: both(90 * m), MovesToGo: 40}},
		"40/90:00+30":  {Clock: search.Clock{Given: true, Time: both(90*m + 30*s), Inc: both(30 * s), MovesToGo: 40}},
		"1:30:00":      {Clock: search.Clock{Given: true, Time: both(90 * m)}},
		"10:00+30b":    {Clock: search.Clock{Given: true, Time: both(10 * m), Byoyomi: 30 * s}},
		"0+10b":        {Clock: search.Clock{Given: true, Byoyomi: 10 * s}},
		"move 2.5":     {MoveTime: 2500 * time.Millisecond},
		"move 8:00:00": {MoveTime: 8 * time.Hour},
	} {
		if got, err := parseClock(text); err != nil || got.Clock != want.Clock || got.MoveTime != want.MoveTime {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, bad := range []string{
		"", "x", "60+", "+3", "-5", "60+-1", "0", "0+0", "0/60", "1001/60", "x/60", "/60", "1:2:3:4", "5:60", "5:-1", "1.5:00", "nan", "inf",
		"1e3", "0x10", "move", "move 0", "move x", "9999999999", "99999999:00:00", "60+0.6+1", "60b", "..", ":", "60 +1",
	} {
		if got, err := parseClock(bad); err == nil {
			t.Errorf("%q was taken: %+v", bad, got)
		}
	}
}

func FuzzParseClock(f *testing.F) {
	for _, text := range []string{"60+0.6", "40/90:00+30", "10:00+30b", "move 8:00:00", "1e999", "9:9:9", "-/-+-b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseClock(text)
		if err == nil && l.MoveTime <= 0 && l.Clock.Time[0]+l.Clock.Byoyomi <= 0 {
			t.Errorf("%q leaves no time: %+v", text, l)
		}
	})
}
