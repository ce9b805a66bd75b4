package csa

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"trefoil/engine"
	moves "trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/game/shogi/kifu"
	"trefoil/options"
)

// start is the position of a game summary.
const start = `P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA * 
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  * 
P5 *  *  *  *  *  *  *  *  * 
P6 *  *  *  *  *  *  *  *  * 
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI * 
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+
`

// summaryOf is a game summary with a side and a position.
func summaryOf(n int, side, position string) string {
	unit := []string{"1sec", "10msec"}[n%2]
	return fmt.Sprintf("BEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nGame_ID:test/%d\nName+:A\nName-:B\n"+
		"Your_Turn:%s\nRematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\nBEGIN Time\nTime_Unit:%s\nTotal_Time:600\n"+
		"Byoyomi:10\nIncrement:2\nLeast_Time_Per_Move:1\nTime_Roundup:YES\nEND Time\nBEGIN Position\n%sEND Position\n"+
		"END Game_Summary\n", n, side, unit, position)
}

// A server is the other end of a connection.
type server struct {
	*testing.T
	net.Conn
	in *bufio.Scanner
}

func (s *server) send(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// read returns the next line that is not empty, "" at the end.
func (s *server) read() string {
	for s.in.Scan() {
		if s.in.Text() != "" {
			return s.in.Text()
		}
	}
	return ""
}

func (s *server) expect(want string) {
	if got := s.read(); got != want {
		s.Errorf("%q, want %q", got, want)
	}
}

// listen runs a script for each connection, and returns the address.
func listen(t *testing.T, script func(s *server, n int)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			script(&server{t, c, bufio.NewScanner(c)}, n)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

// client returns a client with an engine that searches few nodes.
func client(t *testing.T, address string) *Client {
	e := engine.New().On(engine.Machine{Processors: 1})
	t.Cleanup(func() { e.Close() })
	if err := e.Start(options.USI); err != nil {
		t.Fatal(err)
	}
	for _, o := range [][2]string{{"USI_Hash", "1"}, {"NodesLimit", "40"}} {
		if err := e.Options().Set(t.Context(), options.USI, o[0], o[1]); err != nil {
			t.Fatal(err)
		}
	}
	return &Client{Engine: e, Server: address, Name: "me", Password: "test,secret", Games: 1,
		Print: func(line string) { t.Log(line) }, Waits: &Waits{time.Minute, time.Minute, time.Minute, time.Millisecond}}
}

// ends are how games end: whether the server resigns, and its lines.
var ends = []struct{ special, lines, record string }{
	{"%TORYO", "#RESIGN\n#WIN\n", "TORYO"}, {"", "#TIME_UP\n#LOSE\n", "TIME_UP"},
	{"", "#SENNICHITE\n#DRAW\n", "SENNICHITE"},
	{"%KACHI", "#JISHOGI\n#LOSE\n", "KACHI"}, {"", "#ILLEGAL_MOVE\n#WIN\n", "ILLEGAL_MOVE"},
	{"", "#MAX_MOVES\n#CENSORED\n", "MAX_MOVES"}, {"", "#CHUDAN\n", "CHUDAN"},
}

// play is the script of a game of some plies.
func (s *server) play(n int) {
	s.expect("LOGIN me test,secret")
	s.send("LOGIN:me OK\n")
	us, position := "+-"[n%2:][:1], start
	p := gametest.Shogi(s, shogi.StartSFEN)
	if n%5 == 4 { // a game that goes on
		position += "+2726FU,T7\n-3334FU,T9\n"
		for _, move := range []string{"2g2f", "3c3d"} {
			m, _ := p.ParseMove(move)
			p.Make(m)
		}
	}
	s.send("%s", summaryOf(n, us, position))
	s.expect("AGREE")
	s.send("\nSTART:test/%d\n", n)
	var l moves.List
	for range 6 + n%3 {
		side := shogi.Colour(p.Side())
		var m moves.Move
		if side == shogi.Colour(n%2) {
			text, comment, _ := strings.Cut(s.read(), ",")
			usi, err := kifu.USIMove(p, text)
			if err == nil {
				m, err = p.ParseMove(usi)
			}
			if err != nil {
				s.Errorf("game %d: move %q: %v", n, text, err)
				return
			}
			if !strings.HasPrefix(comment, "'* ") {
				s.Errorf("game %d: move %q with the comment %q", n, text, comment)
			}
		} else {
			l.Reset()
			p.Moves(moves.All, &l)
			m = l.At(n % l.Len())
		}
		s.send("%s,T%d\n", kifu.CSAMove(side, m), n%3)
		p.Make(m)
	}
	end := ends[n%len(ends)]
	if end.special != "" {
		s.send("%s,T1\n", end.special)
	}
	s.send("%s", end.lines)
	for line := s.read(); line != "LOGOUT"; line = s.read() {
		if line == "" {
			s.Errorf("game %d: no LOGOUT", n)
			return
		}
	}
}

// TestGames plays 20 games, and reads their records.
func TestGames(t *testing.T) {
	c := client(t, listen(t, (*server).play))
	c.Games, c.Ponder, c.Comments, c.Folder = 20, true, true, t.TempDir()
	last := ""
	c.Print = func(line string) { last = line }
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := "6 won, 3 drawn, 6 lost, 5 without result"; last != want {
		t.Errorf("%q, want %q", last, want)
	}
	for n := range 20 {
		f, err := os.Open(filepath.Join(c.Folder, fmt.Sprintf("test_%d.csa", n)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		g, err := kifu.NewReader(f, kifu.CSA).Next()
		if err != nil {
			t.Fatal(err)
		}
		plies := 6 + n%3
		if n%5 == 4 {
			plies += 2
		}
		text, err := os.ReadFile(f.Name())
		if err != nil || strings.Count(string(text), "\n%") != 1 {
			t.Errorf("game %d: %v, a record with more or less than one end:\n%s", n, err, text)
		}
		if g.Names != [2]string{"A", "B"} || len(g.Moves) != plies || g.End != ends[n%len(ends)].record {
			t.Errorf("game %d: %v, %d moves, %s", n, g.Names, len(g.Moves), g.End)
		}
	}
}

// TestHostile has servers that break the protocol at some place. Each error names the line.
func TestHostile(t *testing.T) {
	const login = "LOGIN:me OK\n"
	summary := summaryOf(0, "-", start)
	game := login + summary + "START:test/0\n"
	replaced := func(old, by string) string { return login + strings.Replace(summary, old, by, 1) }
	for _, c := range []struct{ name, sends, want string }{
		{"nothing", "", "login: the server closed the connection"},
		{"garbage", "\x00\xff\x1b[2J\n", `line 1 of the server, "\x00\xff\x1b[2J": it does not answer the login`},
		{"a refusal", "LOGIN:incorrect\n", `the server refuses the login of me: "LOGIN:incorrect"`},
		{"a long line", strings.Repeat("x", 1<<17) + "\n", "line 1 of the server has more than 65536 bytes"},
		{"no summary", login, "waiting for a game: the server closed the connection"},
		{"garbage for a summary", login + "+7776FU,T1\n", `line 2 of the server, "+7776FU,T1": it is not the beginning`},
		{"half a summary", login + summary[:200], "in a game summary: the server closed the connection"},
		{"a summary without end", login + "BEGIN Game_Summary\n" + strings.Repeat("x\n", 6000), "summary is too long"},
		{"no side", replaced("Your_Turn:-\n", ""), "the game summary has no Your_Turn"},
		{"a wrong side", replaced("Your_Turn:-", "Your_Turn:*"), `"Your_Turn:*": expected + or -`},
		{"a negative time", replaced("Total_Time:600", "Total_Time:-1"), `"Total_Time:-1": "-1" is no number`},
		{"a wrong unit", replaced("Time_Unit:1sec", "Time_Unit:0sec"), `"Time_Unit:0sec": expected a unit`},
		{"no unit", replaced("Time_Unit:1sec", "Time_Unit:week"), `"Time_Unit:week": expected a number with`},
		{"a wrong board", replaced("P5 * ", "P5 XX"), "the position of the game summary: game 1, line 6"},
		{"an impossible position", replaced("P5 * ", "P5-OU"), "the position of the game summary: game 1"},
		{"too many moves", replaced("Max_Moves:256", "Max_Moves:99999999"), `is rejected: option "MaxMovesToDraw"`},
		{"no position", replaced(start, ""), "the position of the game summary:"},
		{"an illegal move before", replaced("KY\n+\n", "KY\n+\n+7775FU,T1\n"), "the position of the game summary:"},
		{"a rejection", login + summary + "REJECT:test/0 by B\n", `"REJECT:test/0 by B": the game does not start`},
		{"an illegal move", game + "+7775FU,T1\n", `"+7775FU,T1": move "7g7e": `},
		{"a move of the other side", game + "-3334FU,T1\n", `"-3334FU,T1": the other side is to move`},
		{"no move", game + "+77\n", `"+77": a move without its time`},
		{"no piece", game + "+7776XX,T1\n", `"+7776XX,T1": "XX" is not a piece`},
		{"a wrong time", game + "+7776FU,Tx\n", `"+7776FU,Tx": "x" is no number`},
		{"a move not ours", game + "+7776FU,T1\n-3334FU,T1\n-3334FU,T1\n-3334FU,T1\n", "of the server, "},
		{"garbage in a game", game + "hello\n", `"hello": it is neither a move nor the end of the game`},
		{"two ends", game + "#TIME_UP\n#TIME_UP\n", `"#TIME_UP": it is neither`},
		{"a move after the end", game + "%TORYO,T1\n+7776FU,T1\n", `"+7776FU,T1": it is neither`},
		{"a cut line", game + "+7776F", `"+7776F": a move without its time`},
		{"an end without result", game + "#TIME_UP\n", "the server closed the connection"},
	} {
		client := client(t, listen(t, func(s *server, _ int) {
			s.send("%s", c.sends)
			s.Conn.(*net.TCPConn).CloseWrite()
			io.Copy(io.Discard, s)
		}))
		if err := client.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error has the password: %v", c.name, err)
		}
	}
}

// TestSilence has a server that says nothing more at some place.
func TestSilence(t *testing.T) {
	for _, sends := range []string{"", "LOGIN:me OK\n", "LOGIN:me OK\nBEGIN Game_Summary\n",
		"LOGIN:me OK\n" + summaryOf(0, "-", start)} {
		c := client(t, listen(t, func(s *server, _ int) {
			s.send("%s", sends)
			io.Copy(io.Discard, s)
		}))
		c.Waits = &Waits{Answer: 50 * time.Millisecond, Game: 50 * time.Millisecond, KeepAlive: time.Minute}
		if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no line of the server within 50ms") {
			t.Errorf("after %q: error %v", sends, err)
		}
	}
}

// TestKeepAlive has a server that answers only after an empty line.
func TestKeepAlive(t *testing.T) {
	c := client(t, listen(t, func(s *server, _ int) {
		for s.in.Scan() && s.in.Text() != "" {
		}
		s.send("LOGIN:incorrect\n")
	}))
	c.Waits.KeepAlive = time.Millisecond
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "refuses the login") {
		t.Errorf("error %v", err)
	}
}

// TestPauses has a server that breaks every connection: the pauses stop doubling.
func TestPauses(t *testing.T) {
	c := client(t, listen(t, func(*server, int) {}))
	c.Retries, c.Waits.Pause = 8, time.Microsecond
	last := ""
	c.Print = func(line string) { last = line }
	if err := c.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "given up after 9 failures") ||
		!strings.HasSuffix(last, "in 64µs") {
		t.Errorf("%q, error %v", last, err)
	}
}

// TestReconnects has a server that breaks three connections, and then plays.
func TestReconnects(t *testing.T) {
	breaks := []string{"", "LOGIN:me OK\n", "LOGIN:me OK\n" + summaryOf(0, "+", start) + "START:test/0\n"}
	c := client(t, listen(t, func(s *server, n int) {
		if n >= len(breaks) {
			s.play(n - len(breaks))
			return
		}
		s.send("%s", breaks[n])
	}))
	c.Retries, c.Comments = 3, true
	var lines []string
	c.Print = func(line string) { lines = append(lines, line) }
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"in 1ms\n", "in 2ms\n", "in 4ms\n", "game 1, test/0, A against B: #WIN #RESIGN\n"} {
		if !strings.Contains(strings.Join(lines, "\n"), want) {
			t.Errorf("%q without %q", lines, want)
		}
	}
}

// TestInterrupted ends the client while it plays, which the record says.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := client(t, listen(t, func(s *server, _ int) {
		s.send("LOGIN:me OK\n%sSTART:test/0\n", summaryOf(0, "+", start))
		for range 3 {
			s.read()
		}
		cancel()
		s.read()
	}))
	c.Retries, c.Ponder, c.Waits = 5, true, nil // the usual waits
	c.Folder = t.TempDir()
	if err := c.Run(ctx); err == nil || ctx.Err() == nil {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(c.Folder, "test_0.csa")); !strings.HasSuffix(string(text), "+\n%CHUDAN\n") {
		t.Errorf("%v, record %q", err, text)
	}
}

// TestGoneServer: a game counts although the server is gone when the client logs out.
func TestGoneServer(t *testing.T) {
	conns := make(chan *net.TCPConn, 1)
	c := client(t, listen(t, func(s *server, _ int) {
		conns <- s.Conn.(*net.TCPConn)
		s.send("LOGIN:me OK\n%sSTART:test/0\n%%TORYO,T1\n#RESIGN\n#WIN\n", summaryOf(0, "-", start))
		io.Copy(io.Discard, s)
	}))
	last := ""
	c.Print = func(line string) {
		if last = line; strings.HasPrefix(line, "game 1") {
			conn := <-conns
			conn.SetLinger(0) // so that the client can send nothing more
			conn.Close()
		}
	}
	if err := c.Run(t.Context()); err != nil || last != "1 won, 0 drawn, 0 lost, 0 without result" {
		t.Errorf("%q, error %v", last, err)
	}
}

// TestRecordsStay: a game with the name of another one does not replace its record.
func TestRecordsStay(t *testing.T) {
	folder := t.TempDir()
	for _, text := range []string{"first", "second", "third"} {
		g := &game{summary: &summary{id: "..Zz@9"}}
		g.record.WriteString(text)
		if err := g.save(folder); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"Zz_9": "first", "Zz_9-2": "second", "Zz_9-3": "third"} {
		if got, err := os.ReadFile(filepath.Join(folder, name+".csa")); string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}
