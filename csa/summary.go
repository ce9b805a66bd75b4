package csa

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"trefoil/game/shogi"
	"trefoil/game/shogi/kifu"
)

// A summary says what the next game is.
type summary struct {
	id       string
	names    [2]string // of Black and White
	us       shogi.Colour
	maxMoves int // 0 for no limit
	clocks   [2]clock
	position []string // as in a record
	setup    string   // the position as SFEN
	moves    []string // that are played already, as USI writes them
}

// A clock is the time of a player. A time of the server is a number of units.
type clock struct{ unit, total, byoyomi, increment time.Duration }

// longest is more than a clock shows.
const longest = 1000 * time.Hour

// maxSummary is the most lines of a summary, maxNumber the greatest number in it.
const (
	maxSummary = 5_000
	maxNumber  = 100_000_000
)

// readSummary waits for a summary and reads it.
func (c *connection) readSummary(ctx context.Context, w *Waits) (*summary, error) {
	text, _, err := c.wait(ctx, w.Game, nil)
	if err != nil {
		return nil, fmt.Errorf("waiting for a game: %w", err)
	}
	if text != "BEGIN Game_Summary" {
		return nil, c.wrong(errors.New("it is not the beginning of a game summary"))
	}
	s := &summary{us: shogi.Colour(2)}
	for i := range s.clocks {
		s.clocks[i].unit = time.Second
	}
	section := ""
	for n := 0; ; n++ {
		if text, _, err = c.wait(ctx, w.Answer, nil); err != nil {
			return nil, fmt.Errorf("in a game summary: %w", err)
		}
		begin, begins := strings.CutPrefix(text, "BEGIN ")
		switch {
		case n > maxSummary:
			err = errors.New("the game summary is too long")
		case section == "" && text == "END Game_Summary":
			return s, s.finish()
		case section == "" && begins:
			section = begin
		case text == "END "+section:
			section = ""
		case section == "Position":
			s.position = append(s.position, text)
		case strings.HasPrefix(section, "Time"):
			err = s.time(strings.TrimPrefix(section, "Time"), text)
		case section == "":
			err = s.field(text)
		}
		if err != nil {
			return nil, c.wrong(err)
		}
	}
}

// field reads a line outside of all sections. Others than these do not matter here.
func (s *summary) field(text string) (err error) {
	key, value, _ := strings.Cut(text, ":")
	switch key {
	case "Game_ID":
		s.id = value
	case "Name+":
		s.names[shogi.Black] = value
	case "Name-":
		s.names[shogi.White] = value
	case "Your_Turn":
		if value != "+" && value != "-" {
			return errors.New("expected + or -")
		}
		s.us = shogi.Colour(strings.Index("+-", value))
	case "Max_Moves":
		s.maxMoves, err = number[int](value)
	}
	return err
}

// time reads a line about the clocks of the sides: "+", "-" or "" for both. How the server rounds does not matter: it
// says the time of each move.
func (s *summary) time(sides, text string) (err error) {
	key, value, _ := strings.Cut(text, ":")
	for i, side := range []string{"+", "-"} {
		c := &s.clocks[i]
		if sides != "" && sides != side {
			continue
		}
		switch key {
		case "Time_Unit":
			c.unit, err = unit(value)
		case "Total_Time":
			c.total, err = number[time.Duration](value)
		case "Byoyomi":
			c.byoyomi, err = number[time.Duration](value)
		case "Increment":
			c.increment, err = number[time.Duration](value)
		}
	}
	return err
}

var timeUnit = regexp.MustCompile(`^([0-9]*)(msec|sec|min)$`)

// unit reads a unit of time, such as 1sec.
func unit(text string) (time.Duration, error) {
	part := timeUnit.FindStringSubmatch(text)
	if part == nil {
		return 0, errors.New("expected a number with msec, sec or min")
	}
	n, err := number[time.Duration](cmp.Or(part[1], "1"))
	n *= map[string]time.Duration{"msec": time.Millisecond, "sec": time.Second, "min": time.Minute}[part[2]]
	if err == nil && (n == 0 || n > time.Minute) {
		err = errors.New("expected a unit of 1 msec to 1 min")
	}
	return n, err
}

// number reads a number that is not negative.
func number[T ~int | ~int64](text string) (T, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > maxNumber {
		return 0, fmt.Errorf("%.20q is no number from 0 to %d", text, maxNumber)
	}
	return T(n), nil
}

// finish reads the position and checks what has to be there.
func (s *summary) finish() error {
	if s.us > shogi.White {
		return errors.New("the game summary has no Your_Turn")
	}
	g, err := kifu.NewReader(strings.NewReader("V2.2\n"+strings.Join(s.position, "\n")+"\n"), kifu.CSA).Next()
	if err != nil {
		return fmt.Errorf("the position of the game summary: %w", err)
	}
	s.setup, s.moves = g.Setup, g.Moves
	for i := range s.clocks {
		c := &s.clocks[i]
		for _, t := range []*time.Duration{&c.total, &c.byoyomi, &c.increment} {
			*t = min(*t*c.unit, longest)
		}
	}
	return nil
}

// moveTimes are the times of the moves that are played already, in units.
func (s *summary) moveTimes() (times []time.Duration) {
	for _, line := range s.position {
		if line != "" && strings.Contains("+-", line[:1]) && len(line) > 1 {
			_, rest, _ := strings.Cut(line, ",T")
			n, _ := number[time.Duration](rest) // 0 if it has none
			times = append(times, n)
		}
	}
	return times
}
