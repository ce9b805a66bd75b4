package cli

import (
	"fmt"
	"strconv"
	"time"
)

// Threads is a number of search threads, and MiB is the size of a table. As a flag or an argument both are whole
// numbers from 1 to the most that the program has (commandline.Program).
type (
	Threads int
	MiB     uint64
)

// Nodes is a number of nodes to search.
type Nodes uint64

// UnmarshalText reads a whole number that is not negative.
func (n *Nodes) UnmarshalText(text []byte) (err error) {
	*n, err = Whole[Nodes](text, 0, 1<<63-1)
	return err
}

// Whole reads a whole number from low to high. The error quotes the text.
func Whole[T ~int | ~uint64](text []byte, low, high T) (T, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err == nil && n >= int64(low) && n <= int64(high) {
		return T(n), nil
	}
	return 0, fmt.Errorf("%.40q is not a whole number from %d to %d", text, low, high)
}

// Count is a number with its noun, whose plural is made with s: "1 line", "2 lines".
func Count[T ~int | ~uint64](n T, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Timeout is a time after which something is given up, 0 if never.
type Timeout time.Duration

// String is the text of a duration.
func (t Timeout) String() string { return time.Duration(t).String() }

// UnmarshalText reads a duration that is not negative.
func (t *Timeout) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 {
		return fmt.Errorf("%.40q is not a duration of 0 or more, such as 90s or 1h30m", text)
	}
	*t = Timeout(d)
	return nil
}
