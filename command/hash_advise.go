package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"trefoil/engine"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/cli"
	"trefoil/search"
)

type hashAdvise struct {
	Time    timeControl `default:"60+0.6" help:"The time control, as described above."`
	Threads cli.Threads `default:"1" help:"Search threads, which share one table."`
	Variant string      `enum:"${alphabeta}" default:"${game}" help:"The game: ${enum}."`
}

// Help is printed by -h.
func (*hashAdvise) Help() string {
	return `Measures this machine for some seconds. The times of a time control are in seconds, or M:SS or
H:MM:SS:

    60+0.6         a minute for the game, and 0.6 seconds per move
    40/90:00       90 minutes for 40 moves; also 40/90:00+30
    10:00+30b      ten minutes, then a byoyomi of 30 seconds per move
    move 5         five seconds per move; or an analysis of that time`
}

func (a *hashAdvise) Run(ctx context.Context, std *cli.Console) error {
	g, err := engine.Games().FindAlphaBeta(a.Variant)
	if err != nil {
		return err
	}
	advice, err := enginebench.Advise(ctx, g, int(a.Threads), a.Time.limits)
	if err != nil {
		return err
	}
	for _, line := range advice.Lines(a.Time.text) {
		std.Println(line)
	}
	return nil
}

// timeControl is a time control as it was written and as the engine takes it.
type timeControl struct {
	text   string
	limits search.Limits
}

// UnmarshalText reads a time control.
func (c *timeControl) UnmarshalText(text []byte) (err error) {
	c.text = string(text)
	if c.limits, err = parseClock(c.text); err != nil {
		if quoted := fmt.Sprintf("%.60q", text); !strings.HasPrefix(err.Error(), quoted) {
			err = fmt.Errorf("%s: %w", quoted, err)
		}
		return err
	}
	return nil
}

// parseClock reads a time control.
func parseClock(text string) (l search.Limits, err error) {
	if rest, ok := strings.CutPrefix(text, "move "); ok {
		l.MoveTime, err = parseTime(rest)
		if err == nil && l.MoveTime <= 0 {
			err = errors.New("the time per move must be more than 0")
		}
		return l, err
	}
	c := search.Clock{Given: true}
	if moves, rest, ok := strings.Cut(text, "/"); ok {
		n, err := strconv.Atoi(moves)
		if err != nil || n < 1 || n > 1000 {
			return l, fmt.Errorf("%q moves: expected 1 to 1000", moves)
		}
		c.MovesToGo, text = n, rest
	}
	text, more, added := strings.Cut(text, "+")
	base, err := parseTime(text)
	if err != nil {
		return l, err
	}
	c.Time = [2]time.Duration{base, base}
	if added {
		byoyomi, isByoyomi := strings.CutSuffix(more, "b")
		inc, err := parseTime(byoyomi)
		if err != nil {
			return l, err
		}
		if isByoyomi {
			c.Byoyomi = inc
		} else {
			c.Inc = [2]time.Duration{inc, inc}
			c.Time[0] += inc // the clock that is sent to an engine contains it
			c.Time[1] += inc
		}
	}
	if base+c.Byoyomi+c.Inc[0] <= 0 {
		return l, errors.New("it leaves no time for a move")
	}
	l.Clock = c
	return l, nil
}

// parseTime reads seconds, M:SS or H:MM:SS; seconds may have a fraction.
func parseTime(text string) (time.Duration, error) {
	const most = 1000 * time.Hour
	var total float64
	parts := strings.Split(text, ":")
	for i, p := range parts {
		n, err := strconv.ParseFloat(p, 64)
		last := i == len(parts)-1
		plain := strings.Trim(p, "0123456789") == "" || last && strings.Trim(p, "0123456789.") == ""
		if err != nil || !plain || len(parts) > 3 || i > 0 && n >= 60 {
			return 0, fmt.Errorf("%q is not a time: expected seconds, M:SS or H:MM:SS", text)
		}
		total = total*60 + n
	}
	if total > most.Seconds() {
		return 0, fmt.Errorf("%q is more than %.0f hours", text, most.Hours())
	}
	return time.Duration(total * float64(time.Second)), nil
}
