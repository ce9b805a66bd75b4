package command

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"trefoil/internal/cli"
	"trefoil/internal/filetest"
)

// mates are positions in which every search finds the mate, and lines that say so or not.
const mates = `# mates in one and two moves
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; id "back rank"; c0 "Ra8=10, Ra7=3"
6k1/5ppp/8/8/8/8/8/R5K1 w - - am a1a8; id "not that"; c0 "Ra7=3, Ra8#=1";

6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Rb1 Rc1 Kg2; dm 1;
8/5P1k/5K2/8/8/8/8/8 w - - bm f7f8r; dm 2;
7k/8/6K1/8/8/8/8/R7 w - -
7k/6Q1/6K1/8/8/8/8/8 b - - dm -1;
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra9;
6k1/5ppp w - - bm Ra8;
`

// effort is what differs between two runs of analyse.
var effort = regexp.MustCompile(`"seconds":[^,]*|[0-9.]+[mµn]?s, \d+ nodes/s|\t\d+\t(right|wrong|-)`)

// analyseText runs analyse with a small table and few nodes and returns what it prints.
func analyseText(t *testing.T, code int, in string, args ...string) (out, errs string) {
	t.Helper()
	var stdout, stderr strings.Builder
	args = append(strings.Fields("analyse --nodes 3000 --hash 1"), args...)
	if got := Run(args, strings.NewReader(in), &stdout, &stderr); got != code {
		t.Errorf("%v: status %d, want %d: %s", args, got, code, stderr.String())
	}
	return effort.ReplaceAllString(stdout.String(), "\t$1"), effort.ReplaceAllString(stderr.String(), "")
}

// TestAnalysePositions: answers, and what is said about wrong ones and about lines that hold no position.
func TestAnalysePositions(t *testing.T) {
	out, errs := analyseText(t, cli.StatusWrong, mates)
	for _, want := range []string{
		`(?m)^2\tback rank\tRa8#\tmate 1\t\d+\t\d+\tright 10/10\t1\. Ra8#$`,
		`(?m)^3\tnot that\tRa8#\tmate 1\t\d+\t\d+\twrong 1/3\t1\. Ra8#$`,
		`(?m)^6\t8/5P1k/5K2/8/8/8/8/8 w - - 0 1\tf8=R\tmate 2\t\d+\t\d+\tright\t1\. f8=R Kh6 2\. Rh8#$`,
		`(?m)^7\t7k/8/6K1/8/8/8/8/R7 w - - 0 1\tRa8#\tmate 1\t\d+\t\d+\t-\t1\. Ra8#$`,
		`(?m)^8\t7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\t-\tmate 0\t0\t0\twrong\t$`,
		`\n# 6 positions, 2 of 5 right \(40\.0 %\), 11 of 13 points, 2 bad lines: \d+ nodes, \t\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	const want = `trefoil: analyse: line 3: Ra8# is to be avoided: "not that"
trefoil: analyse: line 5: Ra8#, not Rb1 or Rc1 or Kg2: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
trefoil: analyse: line 8: mate 0, not mate -1: "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
trefoil: analyse: line 9: bm: move "Ra9": it cannot be read: "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra9;"
trefoil: analyse: line 10: FEN: placement "6k1/5ppp" at 1: ends on rank 7 after 8 squares: "6k1/5ppp w - - bm Ra8;"
`
	if errs != want {
		t.Errorf("%s", errs)
	}
	out, errs = analyseText(t, cli.StatusWrong, "8k/9/7GG/9/9/9/9/9/K6R1 b - 1 dm 1; id \"\x1b[2J\"\n"+
		strings.Repeat("8/", 1<<19)+"\n")
	if !strings.HasPrefix(out, "1\t [2J\t") || !strings.HasPrefix(errs, "trefoil: analyse: line 2: a line of 64 KiB") {
		t.Errorf("%q, %s", out, errs)
	}
}

// TestAnalyseRecords: the records of shards, of which one is resumed, are merged to what one run makes.
func TestAnalyseRecords(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	filetest.Write(t, path("mates.epd"), mates)
	once, summary := analyseText(t, cli.StatusWrong, "", "--json", "--jobs", "2", path("mates.epd"))
	if strings.Count(once, "\n") != 8 ||
		!strings.Contains(once, `"command":"analyse --nodes=3000 --hash=1","id":"back rank","move":"a1a8","mate":1,`) ||
		!strings.Contains(once, `"right":true,"points":10,"most":10,"nodes":`) {
		t.Error(once)
	}
	for _, shard := range []string{"1", "2"} {
		out, _ := analyseText(t, cli.StatusWrong, "", "--shard", shard+"/2", "--resume", path(shard), path("mates.epd"))
		if out != "" {
			t.Error(out)
		}
	}
	records, err := os.ReadFile(path("1"))
	if err == nil {
		err = os.WriteFile(path("1"), records[:len(records)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	analyseText(t, cli.StatusWrong, "", "--shard", "1/2", "--resume", path("1"), path("mates.epd"))
	var out, errs strings.Builder
	if code := Run([]string{"merge", path("2"), path("1")}, nil, &out, &errs); code != 0 {
		t.Errorf("status %d", code)
	}
	if got := effort.ReplaceAllString(out.String(), "\t"); got != once {
		t.Errorf("%s\nwant %s", got, once)
	}
	if got := effort.ReplaceAllString(errs.String(), ""); got != summary[strings.LastIndex(summary, "\n# ")+1:] {
		t.Errorf("%s in %s", got, summary)
	}
}

// TestAnalyseGamesAsPositions: with records a file of games stands for its positions.
func TestAnalyseGamesAsPositions(t *testing.T) {
	for games, want := range map[string]int{"1. f3 e5 2. g4 Qh4# 0-1": 5, "手合割：平手\n   1 ７六歩(77)\n   2 投了\n": 2} {
		out, errs := analyseText(t, 0, games, "--json")
		if strings.Count(out, "\n") != want || !strings.HasPrefix(errs, "# ") {
			t.Errorf("%s%s", out, errs)
		}
	}
	for args, want := range map[string]string{
		"--shard 1/2":   "--shard and --jobs are for positions: with games they need --json or --resume\n",
		"--jobs 2":      "--shard and --jobs are for positions: with games they need --json or --resume\n",
		"--json -o x":   "x: -o and --html are for games that are written back; --resume is for records\n",
		"--html -":      "--html: - is not a file\n",
		"-o x --html x": "--html: x is also the file of -o\n",
	} {
		if _, errs := analyseText(t, cli.StatusFailed, "1. e4 *", strings.Fields(args)...); !strings.HasSuffix(errs, want) {
			t.Errorf("%s: %s", args, errs)
		}
	}
}

// TestAnalysePositionsInterrupted: after Ctrl-C the records of finished positions stay, and another run
// answers the rest.
func TestAnalysePositionsInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	args := strings.Fields("analyse --nodes 3000 --hash 1 --format epd --resume " + path)
	if code := program().RunContext(ctx, args, strings.NewReader(mates), io.Discard,
		cancelOn{"line 3: ", cancel}); code != cli.StatusInterrupted {
		t.Errorf("status %d", code)
	}
	var errs strings.Builder
	if code := Run(args, strings.NewReader(mates), io.Discard, &errs); code != cli.StatusWrong {
		t.Errorf("status %d", code)
	}
	if got := errs.String(); !regexp.MustCompile(`records has records of \d of 8 positions\n`).MatchString(got) ||
		!strings.Contains(got, "\n# 6 positions, 2 of 5 right") {
		t.Error(got)
	}
}
