package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"trefoil/engine"
	"trefoil/engine/config"
	"trefoil/search"
)

const hashAdviseUsage = `trefoil hash advise [FLAGS]: measures this machine for some seconds and says which Hash to set.

CLOCK is what the game is played by; a time is in seconds or as M:SS or H:MM:SS:
  60+0.6         a minute for the game and 0.6 seconds a move
  40/90:00       90 minutes for 40 moves; also 40/90:00+30
  10:00+30b      ten minutes, then 30 seconds of byoyomi a move
  move 5         five seconds a move; an analysis that lasts that long

exit status: 0; 2 after a mistake; 130 after Ctrl-C

`

// hashAdvise recommends a size of the table.
func hashAdvise(args []string, std streams) int {
	flags := newFlags("hash advise")
	text := flags.String("time", "60+0.6", "the time control, as `CLOCK`")
	threads := flags.Int("threads", 1, "`N` workers over one table")
	variant := flags.String("variant", "chess", "`GAME`: chess or shogi")
	if status, ok := parseFlags(flags, args, 0, hashAdviseUsage, std); !ok {
		return status
	}
	limits, err := parseClock(*text)
	if err != nil {
		return misuse(std, "hash advise: time %q: %v", *text, err)
	}
	if *threads < 1 || *threads > config.MaxThreads {
		return misuse(std, "hash advise: threads %d: want 1 to %d", *threads, config.MaxThreads)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a, err := engine.Advise(ctx, *variant, *threads, limits)
	if ctx.Err() != nil {
		return statusInterrupted
	}
	if err != nil {
		return misuse(std, "hash advise: %v", err)
	}
	for _, line := range a.Lines(*text) {
		fmt.Fprintln(std.out, line)
	}
	return 0
}

// parseClock reads a time control.
func parseClock(text string) (l search.Limits, err error) {
	if rest, ok := strings.CutPrefix(text, "move "); ok {
		l.MoveTime, err = parseTime(rest)
		if err == nil && l.MoveTime <= 0 {
			err = errors.New("a move takes some time")
		}
		return l, err
	}
	c := search.Clock{Given: true}
	if moves, rest, ok := strings.Cut(text, "/"); ok {
		n, err := strconv.Atoi(moves)
		if err != nil || n < 1 || n > 1000 {
			return l, fmt.Errorf("%q moves: want 1 to 1000", moves)
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
			c.Time[0] += inc // the clock that an engine is told contains it
			c.Time[1] += inc
		}
	}
	if base+c.Byoyomi+c.Inc[0] <= 0 {
		return l, errors.New("there is no time to move")
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
			return 0, fmt.Errorf("%q is no time: want seconds, M:SS or H:MM:SS", text)
		}
		total = total*60 + n
	}
	if total > most.Seconds() {
		return 0, fmt.Errorf("%q is more than %.0f hours", text, most.Hours())
	}
	return time.Duration(total * float64(time.Second)), nil
}
