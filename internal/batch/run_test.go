package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"trefoil/internal/cli"
	"trefoil/internal/filetest"
)

// word is what shout says about a line.
type word struct {
	Word   string `json:"word"`
	Length int    `json:"length"`
}

func (w word) Text(l Line) string { return fmt.Sprintf("%d %s", l.Line, w.Word) }

// shout answers lines in capitals; "bad" is no position, "wrong" has a wrong answer, "odd" a note.
type shout struct {
	run   *shouting
	holds chan struct{} // "slow" waits for it; "last" and "cut" close it
}

// shouting is a run with such solvers.
type shouting struct {
	Run[word]
	out, errs strings.Builder
	opened    int
	closed    int
	added     int
	counted   chan bool // gets something for each answer
	fails     error
	slow      chan struct{}
}

func newShouting(in string) *shouting {
	s := &shouting{slow: make(chan struct{})}
	s.Console = &cli.Console{Prefix: "test", Command: "shout", In: strings.NewReader(in), Out: &s.out, Err: &s.errs}
	s.Open = func(context.Context, *Screen) (Solver[word], error) {
		s.opened++
		return &shout{s, s.slow}, s.fails
	}
	s.Totals = s
	return s
}

func (s *shouting) Add(word) {
	s.added++
	if s.counted != nil {
		s.counted <- true
	}
}

func (s *shouting) Text(c Counts) string {
	return fmt.Sprintf("# %d, %d wrong, %d bad", s.added, c.Wrong, c.Bad)
}

func (s *shout) Close() error { s.run.closed++; return nil }

func (s *shout) Solve(ctx context.Context, l Line) (*Answer[word], error) {
	a := &Answer[word]{Fields: word{strings.ToUpper(l.Text), len(l.Text)}}
	switch l.Text {
	case "bad":
		return nil, errors.New("not a word")
	case "wrong":
		a.Wrong = "it is not right"
	case "odd":
		a.Notes = []string{"odd"}
	case "slow":
		<-s.holds
	case "last":
		close(s.holds)
	case "fail":
		return nil, &Failure{io.ErrUnexpectedEOF}
	case "cut":
		close(s.holds)
		<-ctx.Done()
	}
	return a, nil
}

func statusOf(err error) int {
	var s *cli.Status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &s):
		return s.Code
	}
	return cli.StatusFailed
}

// TestRun: lines are answered in their order, bad ones are named, and the exit status says whether all was well.
func TestRun(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine/2)
	tooLong := fmt.Sprintf("test: line 2: a line of 64 KiB or more: %q\n", long[:200])
	for _, c := range []struct {
		in, out, errs string
		fails         error
		status        int
	}{
		{in: "a\nb", out: "1 A\n2 B\n# 2, 0 wrong, 0 bad\n"},
		{in: " a\r\n\n# b\n\tc \n", out: "1 A\n4 C\n# 2, 0 wrong, 0 bad\n"},
		{in: "\ufeffa\nb", out: "1 A\n2 B\n# 2, 0 wrong, 0 bad\n"},
		{in: "\ufeff# b\r\na", out: "2 A\n# 1, 0 wrong, 0 bad\n"},
		{in: "", out: "# 0, 0 wrong, 0 bad\n"},
		{in: "a\nbad\nb\n", out: "1 A\n3 B\n# 2, 0 wrong, 1 bad\n", errs: "test: line 2: not a word: \"bad\"\n", status: cli.StatusWrong},
		{in: "wrong\nodd", out: "1 WRONG\n2 ODD\n# 2, 1 wrong, 0 bad\n", errs: "test: line 1: it is not right\ntest: line 2: odd\n", status: cli.StatusWrong},
		{in: "a\n" + long + "\nb\n", out: "1 A\n3 B\n# 2, 0 wrong, 1 bad\n", errs: tooLong, status: cli.StatusWrong},
		{in: "a\n" + long, out: "1 A\n# 1, 0 wrong, 1 bad\n", errs: tooLong, status: cli.StatusWrong},
		{in: "a", fails: errors.New("no memory"), status: cli.StatusFailed},
	} {
		for _, file := range []string{"", "-"} {
			for _, jobs := range []Jobs{0, 1, 3} {
				s := newShouting(c.in)
				s.fails, s.Jobs = c.fails, jobs
				err := s.File(t.Context(), file)
				if got := statusOf(err); s.out.String() != c.out || s.errs.String() != c.errs || got != c.status ||
					c.fails != nil && !errors.Is(err, c.fails) {
					t.Errorf("%.40q, jobs %d: status %d, %q, %q", c.in, jobs, got, s.out.String(), s.errs.String())
				}
				if c.fails == nil && s.closed != s.opened {
					t.Errorf("%d solvers opened, %d closed", s.opened, s.closed)
				}
			}
		}
	}
}

// TestFailure: an error that is not about a line ends the run, and the line has no record.
func TestFailure(t *testing.T) {
	for _, jobs := range []Jobs{1, 2} {
		s := newShouting("a\nfail\n" + strings.Repeat("b\n", 10_000))
		s.JSON, s.Jobs = true, jobs
		err := s.File(t.Context(), "")
		if statusOf(err) != cli.StatusFailed || !errors.Is(err, io.ErrUnexpectedEOF) ||
			strings.Contains(s.out.String(), "fail") || !strings.Contains(s.out.String(), `"line":1,`) {
			t.Errorf("%v: %.200s", err, s.out.String())
		}
	}
}

// TestGrownInput: lines that were added to a file after it was counted are refused.
func TestGrownInput(t *testing.T) {
	s := newShouting("")
	path := write(t, "a\nb\n")
	open := s.Open
	s.Open = func(ctx context.Context, screen *Screen) (Solver[word], error) {
		filetest.Write(t, path, "a\nb\nc\n")
		return open(ctx, screen)
	}
	if err := s.File(t.Context(), path); statusOf(err) != cli.StatusFailed ||
		!strings.Contains(err.Error(), "line 3: the input has grown") || s.added != 2 {
		t.Errorf("%v, %d", err, s.added)
	}
}

// TestOrder: with several jobs an answer waits for those to the lines before.
func TestOrder(t *testing.T) {
	s := newShouting("slow\na\nbad\nlast\n")
	s.Jobs = 2
	if err := s.File(t.Context(), ""); statusOf(err) != cli.StatusWrong ||
		s.out.String() != "1 SLOW\n2 A\n4 LAST\n# 3, 0 wrong, 1 bad\n" || s.opened != 2 || s.closed != 2 {
		t.Errorf("%v, %q, %q", err, s.out.String(), s.errs.String())
	}
}

// TestRecords: each line has a record, a bad one too, and nothing else is on standard output.
func TestRecords(t *testing.T) {
	s := newShouting("# words\na <b>\nbad\nwrong\n\xff\"\n")
	s.JSON = true
	if err := s.File(t.Context(), ""); statusOf(err) != cli.StatusWrong {
		t.Error(err)
	}
	want := `{"line":2,"input":"a <b>","number":1,"command":"shout","word":"A <B>","length":5}
{"line":3,"input":"bad","number":2,"command":"shout","error":"not a word"}
{"line":4,"input":"wrong","number":3,"command":"shout","wrong":"it is not right","word":"WRONG","length":5}
{"line":5,"input":"�\"","number":4,"command":"shout","word":"�\"","length":4}
`
	if s.out.String() != want || !strings.HasSuffix(s.errs.String(), "\n# 3, 1 wrong, 1 bad\n") {
		t.Errorf("%s%s", s.out.String(), s.errs.String())
	}
}

// TestShards: every line is in one shard, and the records say of how many lines they are.
func TestShards(t *testing.T) {
	var in strings.Builder
	for i := range 20 {
		fmt.Fprintf(&in, "# %d\nline%d\n", i, i)
	}
	path := write(t, in.String())
	for _, file := range []string{path, ""} {
		seen := map[int]int{}
		for i := range 7 {
			s := newShouting(in.String())
			s.JSON, s.Shard = true, Shard{i + 1, 7}
			if err := s.File(t.Context(), file); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(s.out.String()) {
				var r Record
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Fatal(err)
				}
				if seen[r.Number]++; r.Of != 20 || (r.Number-1)%7 != i || r.Line != 2*r.Number ||
					r.Input != fmt.Sprintf("line%d", r.Number-1) {
					t.Errorf("shard %d: %s", i+1, line)
				}
			}
		}
		if len(seen) != 20 {
			t.Errorf("%d lines", len(seen))
		}
	}
}

// TestSource: positions may come from something else than lines. A part of the input may be bad.
func TestSource(t *testing.T) {
	s := newShouting("a!b")
	s.Source = func(in io.Reader) func() (string, error) {
		return func() (string, error) {
			b := make([]byte, 1)
			_, err := in.Read(b)
			if b[0] == '!' {
				return "", &BadInput{errors.New("part 2 is bad")}
			}
			return string(b), err
		}
	}
	if err := s.File(t.Context(), ""); statusOf(err) != cli.StatusWrong ||
		s.out.String() != "1 A\n3 B\n# 2, 0 wrong, 1 bad\n" || s.errs.String() != "test: part 2 is bad\n" {
		t.Errorf("%v, %q, %q", err, s.out.String(), s.errs.String())
	}
}

// TestInterrupted: Ctrl-C ends a run that waits for input; the summary is printed. An answer that Ctrl-C has cut short
// is no record.
func TestInterrupted(t *testing.T) {
	for _, records := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		in, write := io.Pipe()
		defer write.Close()
		go func() { _, _ = io.WriteString(write, "a\ncut\n") }()
		s := newShouting("")
		s.Console.In, s.JSON = in, records
		s.counted = make(chan bool, 2)
		go func() {
			<-s.counted
			<-s.slow
			cancel()
		}()
		err := s.File(ctx, "")
		out, want := s.out.String()+s.errs.String(), "1 A\n2 CUT\n# 2, 0 wrong, 0 bad\n"
		if records {
			want = `{"line":1,"input":"a","number":1,"command":"shout","word":"A","length":1}` +
				"\n# 1, 0 wrong, 0 bad\n"
		}
		if statusOf(err) != cli.StatusInterrupted || out != want {
			t.Errorf("%v: %q", err, out)
		}
	}
}

// TestShard: the texts of --shard, and what is set in the environment.
func TestShard(t *testing.T) {
	slurm := func(id, first, step, count string) map[string]string {
		return map[string]string{slurmID: id, slurmMin: first, slurmStep: step, slurmCount: count}
	}
	for _, c := range []struct {
		text string
		env  map[string]string
		want string // or the error
	}{
		{"1/1", nil, "1/1"}, {"3/4", nil, "3/4"}, {"1000000/1000000", nil, "1000000/1000000"},
		{"0/4", nil, `"0/4": "0" is not a whole number from 1 to 4`},
		{"5/4", nil, `"5/4": "5" is not a whole number from 1 to 4`},
		{"1/0", nil, `"1/0": the number of shards: "0" is not a whole number from 1 to 1000000`},
		{"1/1000001", nil, `the number of shards: "1000001" is not`},
		{"2", nil, `"2" is not I/N, auto/N or auto`},
		{"", nil, `"" is not I/N, auto/N or auto`},
		{"/", nil, `"/": the number of shards: "" is not`},
		{"-1/4", nil, `"-1" is not a whole number`},
		{"1/2/3", nil, `"2/3" is not a whole number`},
		{"auto", nil, "auto: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"},
		{"auto/4", nil, "auto/4: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"},
		{"auto/0", nil, `the number of shards: "0" is not`},
		{"auto", slurm("1", "1", "1", "4"), "1/4"},
		{"auto", slurm("0", "0", "1", "4"), "1/4"},
		{"auto", slurm("3", "0", "1", "4"), "4/4"},
		{"auto", slurm("30", "10", "10", "4"), "3/4"},
		{"auto/4", slurm("4", "1", "1", "4"), "4/4"},
		{"auto", slurm("4", "1", "3", "2"), "2/2"},
		{"auto", slurm("2", "3", "1", "4"), "SLURM_ARRAY_TASK_ID 2 is none of 4 tasks from 3 in steps of 1"},
		{"auto/5", slurm("4", "1", "1", "4"), "SLURM_ARRAY_TASK_COUNT is 4, not 5: give the number of the shard, such as --shard 4/5"},
		{"auto/5", slurm("0", "0", "1", "4"), "such as --shard 1/5"}, {"auto/4", slurm("5", "1", "1", "6"), "such as --shard 4/4"},
		{"auto", slurm("0", "0", "1", "1000001"), `SLURM_ARRAY_TASK_COUNT: "1000001" is not`},
		{"auto", slurm("7", "1", "1", "3"), "SLURM_ARRAY_TASK_ID 7 is none of 3 tasks from 1 in steps of 1"},
		{"auto", slurm("2", "1", "2", "3"), "SLURM_ARRAY_TASK_ID 2 is none of 3 tasks from 1 in steps of 2"},
		{"auto", slurm("x", "1", "1", "3"), `SLURM_ARRAY_TASK_ID: "x" is not a whole number from 0 to 2147483647`},
		{"auto", slurm("1", "1", "0", "3"), `SLURM_ARRAY_TASK_STEP: "0" is not`},
		{"auto", map[string]string{slurmID: "2", slurmMin: "1", slurmCount: "3"}, "2/3"},
		{"auto", map[string]string{slurmID: "2"}, "SLURM_ARRAY_TASK_MIN is not set\nSLURM_ARRAY_TASK_COUNT is not set"},
		{"auto/3", map[string]string{kubernetes: "0"}, "1/3"},
		{"auto/3", map[string]string{kubernetes: "2"}, "3/3"},
		{"auto/3", map[string]string{kubernetes: "3"}, `JOB_COMPLETION_INDEX: "3" is not a whole number from 0 to 2`},
		{"auto/3", map[string]string{kubernetes: ""}, `JOB_COMPLETION_INDEX: "" is not a whole number from 0 to 2`},
		{"auto", map[string]string{kubernetes: "0"}, "auto: JOB_COMPLETION_INDEX does not say of how many: use auto/N"},
		{"auto/3", map[string]string{kubernetes: "0", slurmID: "1"}, "both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set"},
		{"2/3", map[string]string{kubernetes: "0", slurmID: "1"}, "2/3"},
	} {
		t.Run(c.text, func(t *testing.T) {
			for _, v := range []string{slurmID, slurmMin, slurmStep, slurmCount, kubernetes} {
				t.Setenv(v, "") // so that it is restored
				os.Unsetenv(v)
			}
			for v, value := range c.env {
				t.Setenv(v, value)
			}
			var s Shard
			err := s.UnmarshalText([]byte(c.text))
			if got := s.String(); got != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) ||
				(err == nil) != (got != "") {
				t.Errorf("%v, %v, want %s", s, err, c.want)
			}
		})
	}
}

// TestDivided: any of the flags but --json.
func TestDivided(t *testing.T) {
	for want, list := range map[bool][]Flags{
		false: {{}, {Jobs: 1}, {Jobs: 1, JSON: true}},
		true:  {{Jobs: 2}, {Shard: Shard{1, 1}}, {Resume: "x"}, {Shard: Shard{1, 2}, Resume: "x"}},
	} {
		for _, f := range list {
			if f.Divided() != want {
				t.Errorf("%+v", f)
			}
		}
	}
	if err := (&Flags{Jobs: 1}).Fits(1 << 40); err != nil { // the table itself is checked when it is made
		t.Error(err)
	}
	if err := (&Flags{Jobs: 1024}).Fits(1 << 25); err == nil ||
		!strings.Contains(err.Error(), "--jobs 1024, each with a table of 33554432 MiB") {
		t.Error(err)
	}
}

// TestJobs: numbers at and beyond their bounds.
func TestJobs(t *testing.T) {
	for text, ok := range map[string]bool{"1": true, "1024": true, "0": false, "1025": false, "": false, "two": false} {
		var j Jobs
		if err := j.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
