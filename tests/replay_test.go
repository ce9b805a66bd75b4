package tests

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/engine"
	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/shogi"
	"trefoil/internal/filetest"
	"trefoil/protocol"
)

// event is one line of a recorded session.
type event struct {
	sent bool // to the engine
	text string
}

// recorded matches a line of a recording: "TIME > text" and "TIME < text", or
// "ENGINE send text" and "ENGINE receive text".
var recorded = regexp.MustCompile(`^\s*([\d.]+) (>|<|send|receive) (.*)$`)

// readRecording returns the lines of every engine of a session.
func readRecording(t *testing.T, file string) map[string][]event {
	t.Helper()
	text := filetest.Read(t, file)
	all := make(map[string][]event)
	for line := range strings.Lines(string(text)) {
		m := recorded.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		engine := ""
		if m[2] == "send" || m[2] == "receive" {
			engine = m[1]
		}
		all[engine] = append(all[engine], event{m[2] == ">" || m[2] == "send", m[3]})
	}
	return all
}

// TestReplay sends what clients send, of chess and of shogi, recorded in testdata/sessions and in the sessions of
// other engines in TREFOIL_TESTDATA, if that is set: every command that needs an answer gets exactly one, in
// order, and every answer is legal.
func TestReplay(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("testdata", "sessions", "*.txt"))
	if len(files) == 0 {
		t.Fatal("no files in testdata/sessions")
	}
	if dir := os.Getenv("TREFOIL_TESTDATA"); dir != "" {
		more, _ := filepath.Glob(filepath.Join(dir, "shogi", "transcripts", "*.txt"))
		files = append(files, more...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			sessions := readRecording(t, file)
			if len(sessions) == 0 {
				t.Fatal("no recorded session in the file")
			}
			for _, session := range sessions {
				replay(t, session)
			}
		})
	}
}

// rules is a position of chess or shogi.
type rules interface {
	ParseMove(string) (game.Move, error)
	Make(game.Move)
	Moves(game.Kind, *game.List)
	Mated() bool
}

// pending is an answer that is expected.
type pending struct {
	word     string // the first word of the answer
	position string // what followed the word position; empty at the start
	shogi    bool
}

// replay sends what was sent, and waits for an answer wherever the other engine had answered.
func replay(t *testing.T, session []event) {
	t.Helper()
	in, input := io.Pipe()
	output, out := io.Pipe()
	answers := make(chan string, 10000)
	go func() {
		defer close(answers)
		for s := bufio.NewScanner(output); s.Scan(); {
			if answerWord.MatchString(s.Text()) {
				answers <- s.Text()
			}
		}
	}()
	go func() {
		e := engine.New().On(small)
		protocol.Serve(in, out, e)
		_ = in.Close()
		_ = e.Close()
		_ = out.Close()
	}()
	var expected []pending
	position, usi := "startpos", session[0].text == "usi"
	await := func(n int) {
		for ; n > 0 && len(expected) > 0; n-- {
			select {
			case a, more := <-answers:
				if !more {
					t.Fatalf("no answer to %+v", expected[0])
				}
				i := 0
				if a == "readyok" { // at once during a search
					i = max(slices.IndexFunc(expected, func(q pending) bool { return q.word == a }), 0)
				}
				checkAnswer(t, expected[i], a)
				expected = slices.Delete(expected, i, i+1)
			case <-time.After(timeout):
				t.Fatalf("no answer to %+v", expected[0])
			}
		}
	}
	for _, e := range session {
		if !e.sent {
			if answerWord.MatchString(e.text) {
				await(1)
			}
			continue
		}
		if _, err := io.WriteString(input, e.text+"\n"); err != nil {
			t.Fatalf("%q: %v", e.text, err)
		}
		if rest, ok := strings.CutPrefix(e.text, "position "); ok {
			position = rest
		}
		word := answerTo(e.text)
		if word == "checkmate" && !usi {
			word = "bestmove"
		}
		if word != "" {
			expected = append(expected, pending{word, position, usi})
		}
	}
	_ = input.Close()
	await(len(expected))
	for a := range answers {
		t.Errorf("%q is an answer to no command", a)
	}
}

// answerWord matches an answer to a command.
var answerWord = regexp.MustCompile(`^(uciok|usiok|readyok|bestmove|checkmate)\b`)

// answerTo is the first word of the answer to a line, "" if it has none.
func answerTo(line string) string {
	switch words := strings.Fields(line); {
	case len(words) == 0:
	case words[0] == "uci", words[0] == "usi":
		return words[0] + "ok"
	case words[0] == "isready":
		return "readyok"
	case words[0] == "go" && len(words) > 1 && words[1] == "mate":
		return "checkmate"
	case words[0] == "go":
		return "bestmove"
	}
	return ""
}

// setUp returns the position of an answer.
func (q pending) setUp(t *testing.T) rules {
	t.Helper()
	setup, moves, _ := strings.Cut(q.position, "moves")
	notation := strings.TrimSpace(setup)
	var p rules
	var err error
	switch {
	case q.shogi && notation == "startpos":
		p, err = shogi.ParseSFEN(shogi.StartSFEN)
	case q.shogi:
		p, err = shogi.ParseCrowded(strings.TrimSpace(strings.TrimPrefix(notation, "sfen")))
	case notation == "startpos":
		p, err = chess.ParseFEN(chess.StartFEN)
	default:
		p, err = chess.ParseFEN(notation)
	}
	if err != nil {
		t.Fatalf("%q: %v", q.position, err)
	}
	for move := range strings.FieldsSeq(moves) {
		makeMove(t, p, move)
	}
	return p
}

// makeMove plays a legal move.
func makeMove(t *testing.T, p rules, text string) {
	t.Helper()
	m, err := p.ParseMove(text)
	if err != nil {
		t.Fatalf("%v in\n%v", err, p)
	}
	p.Make(m)
}

// checkAnswer checks an answer by the rules.
func checkAnswer(t *testing.T, q pending, answer string) {
	t.Helper()
	words := strings.Fields(answer)
	if words[0] != q.word {
		t.Fatalf("%q, want %s", answer, q.word)
	}
	if q.word != "bestmove" && q.word != "checkmate" {
		return
	}
	p := q.setUp(t)
	if q.word == "checkmate" {
		checkMate(t, p, words[1:])
		return
	}
	var l game.List
	p.Moves(game.All, &l)
	declares, _ := p.(interface{ Declares() bool })
	want := ""
	switch {
	case l.Len() == 0 && q.shogi:
		want = "resign"
	case l.Len() == 0:
		want = "(none)"
	case declares != nil && declares.Declares():
		want = "win"
	}
	if want != "" {
		if words[1] != want {
			t.Errorf("%q, want %s in\n%v", answer, want, p)
		}
		return
	}
	makeMove(t, p, words[1])
	if len(words) > 2 {
		makeMove(t, p, words[3])
	}
}

// checkMate plays the line of a mate: every move is legal, and the last one mates.
func checkMate(t *testing.T, p rules, line []string) {
	t.Helper()
	if len(line) == 1 && (line[0] == "nomate" || line[0] == "timeout") {
		return
	}
	for _, move := range line {
		makeMove(t, p, move)
	}
	if !p.Mated() || len(line) == 0 {
		t.Errorf("%v does not mate\n%v", line, p)
	}
}
