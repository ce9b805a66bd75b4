package csa

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"trefoil/game/shogi"
	"trefoil/game/shogi/kifu"
	"trefoil/options"
	"trefoil/search"
)

// A game is a game under way.
type game struct {
	*Client
	*connection
	summary *summary
	pos     *shogi.Position
	moves   []string // as USI writes them
	left    [2]time.Duration
	search  *searching // nil if there is none
	sent    string     // our move, before the server repeats it
	comment string     // on that move
	special string     // how a player ended the game, such as %TORYO
	reason  string     // how the server says that it ended, such as #TIME_UP
	record  strings.Builder
}

// agree prepares the engine and agrees to the game.
func (g *game) agree(ctx context.Context) error {
	s := g.summary
	fmt.Fprintf(&g.record, "V2.2\nN+%s\nN-%s\n$EVENT:%s\n%s\n", s.names[0], s.names[1], s.id,
		strings.Join(s.position, "\n"))
	if err := g.prepare(ctx); err != nil {
		return errors.Join(fmt.Errorf("the game %.60q is rejected: %w", s.id, err), g.send("REJECT"))
	}
	if err := g.send("AGREE"); err != nil {
		return err
	}
	text, _, err := g.wait(ctx, g.Waits.Game, nil) // the other player has to agree too
	if err == nil && !strings.HasPrefix(text, "START") {
		err = g.wrong(errors.New("the game does not start"))
	}
	return err
}

// prepare sets up the position and sets options that depend on the game.
func (g *game) prepare(ctx context.Context) (err error) {
	s := g.summary
	if g.pos, err = shogi.ParseCrowded(s.setup); err != nil {
		return err
	}
	times := s.moveTimes()
	for i := range g.left {
		g.left[i] = s.clocks[i].total + s.clocks[i].increment // the protocol adds it before each move, the first one too
	}
	for i, move := range s.moves {
		units := time.Duration(0)
		if i < len(times) {
			units = times[i]
		}
		if err := g.make(move, units); err != nil {
			return err
		}
	}
	seconds := s.clocks[s.us].unit >= time.Second
	delay := map[bool]string{false: "10", true: "200"}[seconds]
	for _, o := range [][2]string{{"MaxMovesToDraw", fmt.Sprint(s.maxMoves)}, {"NetworkDelay", delay},
		{"RoundUpToFullSecond", fmt.Sprint(seconds)}} {
		if g.Own[strings.ToLower(o[0])] {
			continue
		}
		if err := g.Engine.Options().Set(ctx, options.USI, o[0], o[1]); err != nil {
			return err
		}
	}
	g.Engine.NewGame()
	g.Engine.Settle(ctx)
	for _, line := range g.Engine.Notices() {
		g.Print(line)
	}
	return g.Engine.SetPosition(s.setup, g.moves)
}

// make plays a move that took some units of time.
func (g *game) make(move string, units time.Duration) error {
	m, err := g.pos.ParseMove(move)
	if err != nil {
		return err
	}
	side := g.pos.Side()
	c := g.summary.clocks[side]
	g.left[side] = min(max(0, g.left[side]-units*c.unit)+c.increment, longest)
	g.pos.Make(m)
	g.moves = append(g.moves, move)
	return nil
}

// play plays until the server says the result, and returns that line.
func (g *game) play(ctx context.Context) (result string, err error) {
	defer func() {
		g.stop()
		if err != nil && g.special == "" {
			fmt.Fprintln(&g.record, "%CHUDAN")
		}
	}()
	if err := g.think(ctx); err != nil {
		return "", err
	}
	for {
		text, r, err := g.wait(ctx, g.patience(), g.results())
		switch {
		case err != nil:
			return "", err
		case r != nil:
			err = g.found(ctx, r)
		case slices.Contains([]string{"#WIN", "#LOSE", "#DRAW", "#CENSORED", "#CHUDAN"}, text):
			if g.special == "" {
				fmt.Fprintf(&g.record, "%%%s\n", cmp.Or(g.reason, text)[1:])
			}
			return text, nil
		default:
			if err = g.line(ctx, text); err != nil {
				err = g.wrong(err)
			}
		}
		if err != nil {
			return "", err
		}
	}
}

// patience is how long the server may be silent.
func (g *game) patience() time.Duration {
	side := g.pos.Side()
	c := g.summary.clocks[side]
	return g.left[side] + c.byoyomi + g.Waits.Answer
}

// line reads a line of the server.
func (g *game) line(ctx context.Context, text string) error {
	switch first := text[0]; {
	case first == '#' && g.reason == "":
		g.reason = text
		g.stop()
		return nil
	case first == '%' && g.special == "":
		g.special, _, _ = strings.Cut(text, ",")
		fmt.Fprintln(&g.record, g.special)
		g.stop()
		return nil
	case strings.Contains("+-", text[:1]) && g.special+g.reason == "":
		return g.moved(ctx, text)
	}
	return errors.New("it is neither a move nor the end of the game")
}

// moved reads a move, ours or the opponent's, with its time.
func (g *game) moved(ctx context.Context, text string) error {
	written, rest, _ := strings.Cut(text, ",")
	took, found := strings.CutPrefix(rest, "T")
	if !found {
		return errors.New("a move without its time")
	}
	took, _, _ = strings.Cut(took, ",")
	units, err := number[time.Duration](took)
	if err != nil {
		return err
	}
	move, err := kifu.USIMove(g.pos, written)
	if err != nil {
		return err
	}
	ours := shogi.Colour(g.pos.Side()) == g.summary.us
	if ours && move != g.sent {
		return fmt.Errorf("our move was %q", g.sent)
	}
	if err := g.make(move, units); err != nil {
		return err
	}
	if ours {
		g.sent = ""
	}
	unit := g.summary.clocks[1-g.pos.Side()].unit
	fmt.Fprintf(&g.record, "%s\nT%v\n%s", written, (units * unit).Seconds(), g.comment)
	g.comment = ""
	if !ours {
		return g.think(ctx)
	}
	return nil
}

// save writes the record to a new file: the server chooses its name, and must not replace another record.
func (g *game) save(folder string) error {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("+-_.", r) || r >= '0' && r <= '9' || r|' ' >= 'a' && r|' ' <= 'z' {
			return r
		}
		return '_'
	}, g.summary.id)
	name = filepath.Join(folder, cmp.Or(strings.TrimLeft(name, "."), "game"))
	for n := 1; ; n++ {
		path := name + ".csa"
		if n > 1 {
			path = fmt.Sprintf("%s-%d.csa", name, n)
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = f.WriteString(g.record.String())
		return errors.Join(err, f.Close())
	}
}

// A searching is a search under way.
type searching struct {
	expected string // the move that is pondered, "" if none is
	hit      chan search.Clock
	cancel   context.CancelFunc
	done     chan found
}

// results returns where the result of the search arrives. While the engine ponders it stays there.
func (g *game) results() <-chan found {
	if g.search == nil || g.search.expected != "" {
		return nil
	}
	return g.search.done
}

// stop ends the search, whose result does not count.
func (g *game) stop() {
	if g.search != nil {
		g.search.cancel()
		<-g.search.done
		g.search = nil
	}
}

// clock is the present clock of the engine.
func (g *game) clock() search.Clock {
	c := search.Clock{Given: true, Time: g.left}
	for side, of := range g.summary.clocks {
		c.Inc[side] = of.increment
	}
	c.Byoyomi = g.summary.clocks[g.summary.us].byoyomi
	return c
}

// think searches if it is our turn: the search that has pondered this position goes on.
func (g *game) think(ctx context.Context) error {
	if shogi.Colour(g.pos.Side()) != g.summary.us {
		return nil
	}
	if g.search != nil && g.search.expected == g.moves[len(g.moves)-1] {
		g.search.expected = ""
		g.search.hit <- g.clock()
		return nil
	}
	return g.start(ctx, "")
}

// start searches the position, or the position after the move that is expected.
func (g *game) start(ctx context.Context, expected string) error {
	g.stop()
	moves := g.moves
	if expected != "" {
		moves = append(slices.Clone(moves), g.sent, expected)
	}
	if err := g.Engine.SetPosition(g.summary.setup, moves); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &searching{expected: expected, hit: make(chan search.Clock, 1), cancel: cancel, done: make(chan found, 1)}
	limits := search.Limits{Start: time.Now(), Clock: g.clock(), Declare: true}
	if expected != "" {
		limits.Ponder, limits.PonderHit = true, s.hit
	}
	go func() {
		var f found
		f.Result = g.Engine.Search(ctx, limits, func(i search.Info) {
			if len(i.PV) > 0 && i.MultiPV <= 1 {
				f.info = i
			}
		})
		s.done <- f
	}()
	g.search = s
	return nil
}

// found sends the answer of a search.
func (g *game) found(ctx context.Context, r *found) error {
	g.search.cancel()
	g.search = nil
	switch {
	case r.Declares:
		return g.send("%KACHI")
	case r.Resigns || r.Best == "":
		return g.send("%TORYO")
	}
	m, err := g.pos.ParseMove(r.Best)
	if err != nil {
		return err
	}
	text := kifu.CSAMove(g.summary.us, m)
	g.sent = r.Best
	if comment := g.commentOn(r); comment != "" {
		g.comment = comment + "\n"
		if g.Comments {
			text += "," + comment
		}
	}
	if err := g.send(text); err != nil || !g.Ponder || r.Ponder == "" {
		return err
	}
	return g.start(ctx, r.Ponder)
}

// commentOn writes the value, for Black, and the moves that follow, as floodgate wants them.
func (g *game) commentOn(r *found) string {
	if len(r.info.PV) == 0 || r.info.PV[0] != r.Best {
		return ""
	}
	value := r.info.Score.Centipawns
	if r.info.Score.Mate {
		if value = 30_000; r.info.Score.Plies <= 0 {
			value = -value
		}
	}
	if g.summary.us == shogi.White {
		value = -value
	}
	text, p := fmt.Sprintf("'* %d", value), g.pos.Copy()
	for i, usi := range r.info.PV[:min(len(r.info.PV), 20)] {
		m, err := p.ParseMove(usi)
		if err != nil {
			break
		}
		if i > 0 {
			text += " " + kifu.CSAMove(shogi.Colour(p.Side()), m)
		}
		p.Make(m)
	}
	return text
}
