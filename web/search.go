package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"trefoil/engine/analysis"
	"trefoil/engine/config"
	"trefoil/options"
	"trefoil/search"
	"trefoil/web/board"
)

const (
	maxLines = 20
	// maxTime is the longest time of a search, and of a clock.
	maxTime = 24 * time.Hour
	// Times of searches whose request has no limit.
	playTime = time.Second
	mateTime = 30 * time.Second
)

// searchRequest is the body of POST /api/search.
type searchRequest struct {
	Session string `json:"session"`
	position
	Mode     string     `json:"mode"`
	NewGame  bool       `json:"newGame"`
	Lines    int        `json:"lines"`
	Clock    *clockJSON `json:"clock"`
	MoveTime int64      `json:"movetime"`
	Nodes    uint64     `json:"nodes"`
	Infinite bool       `json:"infinite"`
	NoBook   bool       `json:"noBook"`
	Skill    *int       `json:"skill"`
	Elo      *int       `json:"elo"`
}

type clockJSON struct {
	Time    bySide `json:"time"`
	Inc     bySide `json:"inc"`
	Byoyomi int64  `json:"byoyomi"`
}

// bySide is a number for each side.
type bySide [2]int64

// UnmarshalJSON reads two numbers; an array of another length is refused.
func (b *bySide) UnmarshalJSON(text []byte) error {
	var list []int64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if len(list) != len(b) {
		return fmt.Errorf("clock: %d numbers, expected %d, one for each side", len(list), len(b))
	}
	copy(b[:], list)
	return nil
}

// job is a search of a session.
type job struct {
	id        uint64
	owner     *session
	ctx       context.Context // of its turn
	game      *game
	view      *board.View
	newGame   bool
	limits    search.Limits
	options   [][2]string
	unlimited bool
	used      time.Duration // by earlier turns

	// Both under the lock of the worker.
	place int   // in the queue, as told last
	ended error // why the session ended it while it ran

	mu     sync.Mutex
	over   bool                 // nothing more is told
	values map[string]valueJSON // by move; nil unless they are asked for
	found  analysis.Position    // the last exact score, and its line
}

// startSearch answers POST /api/search.
func (s *Server) startSearch(_ *http.Request, r *searchRequest) (any, error) {
	c, err := s.sessions.find(r.Session)
	if err != nil {
		return nil, err
	}
	j, err := r.job(s.games)
	if err != nil {
		return nil, err
	}
	j.owner = c
	id, place := s.worker.submit(j)
	if !s.sessions.has(c) { // it ended meanwhile
		s.worker.stop(c)
	}
	return map[string]any{"id": id, "place": place}, nil
}

// stopSearch answers POST /api/stop.
func (s *Server) stopSearch(_ *http.Request, r *struct {
	Session string `json:"session"`
}) (any, error) {
	c, err := s.sessions.find(r.Session)
	if err != nil {
		return nil, err
	}
	s.worker.stop(c)
	return struct{}{}, nil
}

// job returns the search that was asked for.
func (r *searchRequest) job(games games) (*job, error) {
	g, v, err := r.view(games)
	if err != nil {
		return nil, err
	}
	if len(v.Legal) == 0 {
		return nil, bad("the game is over: %s", v.Ended.Reason)
	}
	j := &job{game: g, view: v, newGame: r.NewGame, place: -1}
	if err := r.limit(&j.limits); err != nil {
		return nil, err
	}
	if err := cmp.Or(within("skill", r.Skill, g.skill), within("elo", r.Elo, g.elo)); err != nil {
		return nil, err
	}
	lines, strength := 1, g.atSkill(config.FullSkill)
	switch r.Mode {
	case "play":
		if strength, err = r.strength(g); err != nil {
			return nil, err
		}
		j.limits.Declare = true
		r.otherwise(&j.limits, playTime)
	case "hint":
		r.otherwise(&j.limits, playTime)
	case mateMode:
		if g.mode() != mateMode {
			return nil, bad("mode mate: %s is not played by alpha-beta", g.Title)
		}
		if j.limits.Mate = search.AnyMate; slices.Contains(g.Protocols, options.USI) {
			j.limits.Mate, j.limits.Checks = 0, true
		}
		r.otherwise(&j.limits, mateTime)
	case "analyse":
		if r.Lines < 0 || r.Lines > maxLines {
			return nil, bad("lines: %d is not from 1 to %d", r.Lines, maxLines)
		}
		lines = max(r.Lines, 1)
		r.otherwise(&j.limits, 0)
	case valuesMode:
		if g.mode() != valuesMode {
			return nil, bad("mode values: %s is not solved", g.Title)
		}
		lines, j.values = len(v.Legal), map[string]valueJSON{}
		r.otherwise(&j.limits, 0)
	default:
		return nil, bad("mode %.40q is not play, analyse, hint, mate or values", r.Mode)
	}
	j.unlimited = j.limits.Infinite
	j.options = slices.Concat([][2]string{{"UCI_Variant", g.Name}, {"MultiPV", strconv.Itoa(lines)}}, strength, v.Options)
	return j, nil
}

// limit sets the limits that the request has.
func (r *searchRequest) limit(l *search.Limits) error {
	l.Nodes, l.Infinite, l.NoBook = r.Nodes, r.Infinite, r.NoBook
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	times := []int64{r.MoveTime}
	if c := r.Clock; c != nil {
		l.Clock.Given = true
		for i := range c.Time {
			l.Clock.Time[i], l.Clock.Inc[i] = ms(c.Time[i]), ms(c.Inc[i])
		}
		l.Clock.Byoyomi = ms(c.Byoyomi)
		times = append(times, c.Time[0], c.Time[1], c.Inc[0], c.Inc[1], c.Byoyomi)
	}
	for _, n := range times {
		if n < 0 || n > maxTime.Milliseconds() {
			return bad("a time of %d ms is not from 0 to %d", n, maxTime.Milliseconds())
		}
	}
	l.MoveTime = ms(r.MoveTime)
	return nil
}

// otherwise limits a search to a time if nothing else does; 0 is no limit.
func (r *searchRequest) otherwise(l *search.Limits, t time.Duration) {
	switch {
	case r.Clock != nil || r.MoveTime > 0 || r.Nodes > 0 || l.Infinite:
	case t == 0:
		l.Infinite = true
	default:
		l.MoveTime = t
	}
}

// within returns an error if a field of a request is not within the bounds of an option.
func within(field string, value *int, o *options.Option) error {
	if value == nil || o == nil || *value >= o.Min && *value <= o.Max {
		return nil
	}
	return bad("%s: %d is outside %d to %d", field, *value, o.Min, o.Max)
}

// atSkill are the options by which a game is played at a level.
func (g *game) atSkill(level int) (list [][2]string) {
	if g.elo != nil {
		list = append(list, [2]string{limitOption, "false"})
	}
	if g.skill != nil {
		list = append(list, [2]string{skillOption, strconv.Itoa(level)})
	}
	return list
}

// strength are the options of the strength that the request has.
func (r *searchRequest) strength(g *game) ([][2]string, error) {
	switch {
	case r.Skill == nil && r.Elo == nil:
		return g.atSkill(config.FullSkill), nil
	case g.levels() == nil:
		return nil, bad("%s has no weaker levels", g.Title)
	case r.Skill != nil && r.Elo != nil:
		return nil, bad("skill and elo cannot be used together")
	case r.Skill != nil && g.skill == nil:
		return nil, bad("skill: the levels of %s have none: use elo", g.Title)
	case r.Elo != nil && g.elo == nil:
		return nil, bad("elo: the levels of %s have no Elo: use skill", g.Title)
	case r.Elo != nil:
		return [][2]string{{limitOption, "true"}, {eloOption, strconv.Itoa(*r.Elo)}}, nil
	}
	return g.atSkill(*r.Skill), nil
}

// run searches, on the engine's goroutine. chosen is called when the engine has changed to the game.
func (j *job) run(e Engine, chosen func()) (search.Result, error) {
	set := func() error {
		for _, o := range j.options {
			if err := e.Options().Set(j.ctx, options.UCI, o[0], o[1]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := set(); err != nil {
		// Some values are only possible with those that come after them.
		if err := set(); err != nil {
			return search.Result{}, err
		}
	}
	chosen()
	if j.newGame {
		e.NewGame()
		j.newGame = false // not again in its next turn
	}
	moves := make([]string, len(j.view.Played))
	for i, m := range j.view.Played {
		moves[i] = m.Move
	}
	if err := e.SetPosition(j.view.Setup, moves); err != nil {
		return search.Result{}, err
	}
	j.limits.Start = time.Now().Add(-j.used)
	return e.Search(j.ctx, j.limits, j.report), nil
}

// spend takes what a turn has used from the limits, so that the next turn has the rest. Time counts from the
// first turn: a turn that divides what is left on a clock anew takes as much as another move.
func (j *job) spend(nodes uint64, t time.Duration) {
	if l := &j.limits; l.Nodes > 0 {
		l.Nodes -= min(nodes, l.Nodes-1)
	}
	j.used += t
}

// silence ends all reports. It returns false if they had ended before.
func (j *job) silence() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	was := j.over
	j.over = true
	return !was
}

// put puts an event into the mailbox of the page, unless the search is over.
func (j *job) put(key, name string, value func() any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.over {
		j.owner.box.put(key, name, value)
	}
}

// say tells the page a line of text, unless the search is over.
func (j *job) say(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.over {
		j.owner.box.notice(text)
	}
}

// tellPlace tells the page where the search is in the queue, if that has changed. The worker's lock is held.
func (j *job) tellPlace(place int) {
	if place == j.place {
		return
	}
	j.place = place
	value := map[string]any{"id": j.id, "place": place}
	j.put("queue", "queue", func() any { return value })
}

// report takes a report of the engine.
func (j *job) report(i search.Info) {
	switch {
	case i.Text != "":
		j.say(i.Text)
	case i.CurrMove != "":
	default:
		i.PV, i.Time = slices.Clone(i.PV), i.Time-j.used
		j.mu.Lock()
		j.found.Take(&i)
		j.mu.Unlock()
		j.put("info "+strconv.Itoa(i.MultiPV), "info", func() any { return j.infoOf(i) })
		j.value(i)
	}
}

// finish tells the result of a search. why says what ended it early; nil if nothing did.
func (j *job) finish(r search.Result, why error) {
	if j.values != nil {
		j.tellValues(true)
	}
	best := j.bestOf(r, why)
	j.put("best", "best", func() any { return best })
	j.silence()
}
