package certificate

import "context"

// An Error says in which position a strategy fails, and why.
type Error struct {
	Position, Problem string
}

func (e *Error) Error() string {
	if e.Position == "" { // of the whole strategy
		return e.Problem
	}
	return e.Problem + ": position " + e.Position
}

// A strategy is what has to be shown of one side. It meets positions with that side to move, each by a
// level and a code. Positions are given by their codes, with which the positions of a level are ordered.
type strategy interface {
	// begin meets the positions in which the strategy makes its first moves.
	begin(meet func(level int, code string) error) error
	// play makes the move of an entry, which has the length that the game says, in a position. It meets the
	// positions after all replies, at higher levels. It returns an *Error if the strategy fails.
	play(level int, code string, entry []byte, meet func(level int, code string) error) error
	// text returns a position in words.
	text(code string) string
	// move returns the entry of a move, in the notation of the game, with which the strategy does all that
	// it has to.
	move(code, text string) ([]byte, error)
	// withoutClock returns the code of the same position in proofs where its clock does not matter, and within
	// how many moves a mate there is one with the clock too.
	withoutClock(code string) (other string, most int)
	// group names the strategies that may have the moves of this one in the same positions.
	group() string
	// String says what has to be shown.
	String() string
}

// A checker plays a strategy against all replies.
type checker struct {
	strategy
	entry    func(level int, code string) ([]byte, error)
	left     func() uint64 // entries that may still come
	done     *uint64       // positions
	progress func(positions uint64)
}

// reportPositions is how many positions are checked between two looks at the context, and two reports.
const reportPositions = 1 << 14

// check returns nil if the strategy does what it should, else an *Error, or an error from entry, the
// context or temporary files.
func (c *checker) check(ctx context.Context) error {
	q := queue{left: c.left}
	defer q.close()
	meet := func(level int, code string) error { return q.add(newKey(level, code)) }
	if err := c.begin(meet); err != nil {
		return err
	}
	return q.each(func(k key) error {
		if *c.done%reportPositions == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			c.progress(*c.done)
		}
		*c.done++
		if c.left() == 0 {
			return &Error{c.text(k.code()), "there is no move for it"}
		}
		entry, err := c.entry(k.level(), k.code())
		if err != nil {
			return err
		}
		return c.play(k.level(), k.code(), entry, meet)
	})
}
