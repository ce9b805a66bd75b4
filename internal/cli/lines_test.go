package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// shout answers lines in capitals; "bad" is no position and "wrong" has a wrong answer.
type shout struct {
	*Lines
	fails error
	log   []string
	after func(n int) // called after line n
}

func (s *shout) Open(context.Context) error { s.log = append(s.log, "open"); return s.fails }

func (s *shout) Close() error { s.Answer("# %d", s.Solved); return nil }

func (s *shout) Line(_ context.Context, n int, text string) {
	s.Report("line %d", n)
	switch text {
	case "bad":
		s.BadLine(n, text, errors.New("not a word"))
	case "wrong":
		s.Wrong++
		fallthrough
	default:
		s.Solved++
		s.Answer("%s", strings.ToUpper(text))
	}
	if s.after != nil {
		s.after(n)
	}
}

// TestLines: lines are answered in their order, bad ones are named, and the exit status
// says whether all was well.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine/2)
	for _, c := range []struct {
		in, out, errs string
		comments      bool
		fails         error
		status        int
	}{
		{in: "a\nb", out: "A\nB\n# 2\n"},
		{in: "a\r\n\n# b\n", out: "A\n\n# B\n# 3\n"},
		{in: " a\n\n# b\n", out: "A\n# 1\n", comments: true},
		{in: "", out: "# 0\n"},
		{in: "a\nbad\nb\n", out: "A\nB\n# 2\n", errs: "test: line 2: not a word: \"bad\"\n", status: StatusWrong},
		{in: "wrong\n", out: "WRONG\n# 1\n", status: StatusWrong},
		{in: "a\n" + long + "\nb\n", out: "A\nB\n# 2\n", errs: fmt.Sprintf("test: line 2: a line of 64 KiB or more: %q\n", long[:200]), status: StatusWrong},
		{in: "a\n" + long, out: "A\n# 1\n", errs: fmt.Sprintf("test: line 2: a line of 64 KiB or more: %q\n", long[:200]), status: StatusWrong},
		{in: "a", out: "# 0\n", fails: errors.New("no memory"), status: StatusFailed},
	} {
		for _, file := range []string{"", "-"} {
			var out, errs strings.Builder
			s := &shout{Lines: NewLines(&Console{Prefix: "test", In: strings.NewReader(c.in), Out: &out, Err: &errs}), fails: c.fails}
			s.Comments = c.comments
			err := s.Run(t.Context(), file, s)
			if got := statusOf(err); out.String() != c.out || errs.String() != c.errs || got != c.status || c.fails != nil && !errors.Is(err, c.fails) {
				t.Errorf("%.40q: status %d, %q, %q", c.in, got, out.String(), errs.String())
			}
		}
	}
}

func statusOf(err error) int {
	var s *Status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &s):
		return s.Code
	}
	return StatusFailed
}

// TestSource: lines may come from something else, of which a part may be bad.
func TestSource(t *testing.T) {
	var out, errs strings.Builder
	s := &shout{Lines: NewLines(&Console{Prefix: "test", In: strings.NewReader("a!b"), Out: &out, Err: &errs})}
	s.Source = func(in io.Reader) func() (string, error) {
		return func() (string, error) {
			b := make([]byte, 1)
			_, err := in.Read(b)
			if b[0] == '!' {
				err = &BadInput{errors.New("part 2 is bad")}
			}
			return string(b), err
		}
	}
	if err := s.Run(t.Context(), "", s); statusOf(err) != StatusWrong || out.String() != "A\nB\n# 2\n" || errs.String() != "test: part 2 is bad\n" || s.Bad != 1 {
		t.Errorf("%v, %q, %q", err, out.String(), errs.String())
	}
}

// TestLinesInterrupted: Ctrl-C ends a run that waits for input; the summary is printed.
func TestLinesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, write := io.Pipe()
	defer write.Close()
	go func() { _, _ = io.WriteString(write, "a\nb\n") }()
	var out strings.Builder
	s := &shout{Lines: NewLines(&Console{In: in, Out: &out, Err: io.Discard})}
	s.after = func(n int) {
		if n == 2 {
			cancel()
		}
	}
	if err := s.Run(ctx, "", s); statusOf(err) != StatusInterrupted || out.String() != "A\nB\n# 2\n" {
		t.Errorf("%v: %q", err, out.String())
	}
}

// TestWhole: numbers at and beyond their bounds, and what is none.
func TestWhole(t *testing.T) {
	for text, ok := range map[string]bool{
		"1": true, "256": true, "0": false, "257": false, "-1": false, "": false, "1.5": false, "0x10": false, "99999999999999999999": false, " 1": false,
	} {
		var n Threads
		err := n.UnmarshalText([]byte(text))
		if (err == nil) != ok || err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("%q is not a whole number from 1 to 256", text)) && len(text) < 40 {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	for text, ok := range map[string]bool{"0": true, "0s": true, "1h30m": true, "-1s": false, "5": false, "": false} {
		var d Timeout
		if err := d.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
}

// TestUntilDone: a call that blocks is left when ctx ends.
func TestUntilDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if n, err := UntilDone(ctx, func() (int, error) { return 7, io.EOF }); n != 7 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
	cancel()
	blocked := make(chan int)
	defer close(blocked)
	if n, err := UntilDone(ctx, func() (int, error) { return <-blocked, nil }); n != 0 || err != context.Canceled {
		t.Errorf("%d, %v", n, err)
	}
}
