package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

type object = map[string]any

// fox is a tab of Firefox, driven by WebDriver BiDi. An error on its console fails the test.
type fox struct {
	t    *testing.T
	conn net.Conn
	last int    // the number of the newest command
	tab  string // what BiDi calls a browsing context
}

// firefox starts Firefox with a profile of its own.
func firefox(t *testing.T) *fox {
	t.Helper()
	name, err := exec.LookPath("firefox-esr")
	if err != nil {
		name, err = exec.LookPath("firefox")
	}
	if err != nil {
		t.Skip("no Firefox is found")
	}
	profile, err := os.MkdirTemp(scratch, "firefox") // in which Firefox may still write when the test has ended
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	const listens = "WebDriver BiDi listening on "
	for lines := bufio.NewScanner(out); lines.Scan(); {
		_, address, found := strings.Cut(lines.Text(), listens)
		if !found {
			continue
		}
		go func() { // it must not wait for a reader
			for lines.Scan() {
			}
		}()
		conn, _, _, err := ws.Dial(context.Background(), address+"/session")
		if err != nil {
			t.Fatal(err)
		}
		f := &fox{t: t, conn: conn}
		f.call("session.new", object{"capabilities": object{}}, nil)
		f.call("session.subscribe", object{"events": []string{"log.entryAdded"}}, nil)
		var made struct{ Context string }
		f.call("browsingContext.create", object{"type": "tab"}, &made)
		f.tab = made.Context
		return f
	}
	t.Fatal("Firefox does not listen")
	return nil
}

// call has Firefox obey a command, and reads what it answers.
func (f *fox) call(method string, params object, result any) {
	f.t.Helper()
	check := func(err error) {
		f.t.Helper()
		if err != nil {
			f.t.Fatalf("%s %v: %v", method, params, err)
		}
	}
	f.last++
	check(f.conn.SetDeadline(time.Now().Add(patience)))
	command, err := json.Marshal(object{"id": f.last, "method": method, "params": params})
	check(err)
	check(wsutil.WriteClientText(f.conn, command))
	for {
		text, err := wsutil.ReadServerText(f.conn)
		check(err)
		var m struct {
			ID            int
			Type, Message string
			Result        json.RawMessage
			Params        struct{ Level, Text string }
		}
		check(json.Unmarshal(text, &m))
		switch {
		case m.Type == "event" && m.Params.Level == "error":
			f.t.Errorf("log: %s", m.Params.Text)
		case m.ID == f.last && m.Type == "error":
			check(errors.New(m.Message))
		case m.ID == f.last && result != nil:
			check(json.Unmarshal(m.Result, result))
			return
		case m.ID == f.last:
			return
		}
	}
}

// open opens a page. Another one comes between, because a new state alone would not load the page again.
func (f *fox) open(address string) {
	f.t.Helper()
	for _, to := range []string{"about:blank", address} {
		f.call("browsingContext.navigate", object{"context": f.tab, "url": to, "wait": "complete"}, nil)
	}
	f.wait(`document.querySelector('#status').textContent`)
}

// remote is a value of JavaScript, with a name if it is an element.
type remote struct {
	Value    any
	SharedID string
}

// eval returns the value of an expression of JavaScript.
func (f *fox) eval(expression string) remote {
	f.t.Helper()
	var answer struct {
		Result           remote
		ExceptionDetails struct{ Text string }
	}
	f.call("script.evaluate",
		object{"expression": expression, "target": object{"context": f.tab}, "awaitPromise": false}, &answer)
	if answer.ExceptionDetails.Text != "" {
		f.t.Fatalf("%s: %s", expression, answer.ExceptionDetails.Text)
	}
	return answer.Result
}

// element is the name of the first element of a selector.
func (f *fox) element(selector string) object {
	f.t.Helper()
	return object{"sharedId": f.eval(fmt.Sprintf("document.querySelector(%q)", selector)).SharedID}
}

// wait waits until an expression of JavaScript is true.
func (f *fox) wait(expression string) {
	f.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if f.eval("!!("+expression+")").Value == true {
			return
		}
	}
	f.t.Fatalf("waiting for %s; the page says %q", expression, f.eval(`document.body.innerText`).Value)
}

// click clicks on an element that can be seen and is not disabled, as soon as there is one.
func (f *fox) click(selector string) {
	f.t.Helper()
	f.wait(fmt.Sprintf(
		`(e => e && e.checkVisibility() && !e.disabled && (e.click(), true))(document.querySelector(%q))`, selector))
}

// drag moves the pointer from one element to another, with its button down.
func (f *fox) drag(from, to string) {
	f.t.Helper()
	move := func(selector string) object {
		origin := object{"type": "element", "element": f.element(selector)}
		return object{"type": "pointerMove", "x": 0, "y": 0, "origin": origin}
	}
	down, up := object{"type": "pointerDown", "button": 0}, object{"type": "pointerUp", "button": 0}
	f.call("input.performActions", object{"context": f.tab, "actions": []object{
		{"type": "pointer", "id": "mouse", "actions": []object{move(from), down, move(to), up}}}}, nil)
}

// play drags or clicks a move, and waits for the answer of the engine.
func (f *fox) play(cells []string) {
	f.t.Helper()
	f.wait(`document.querySelector('.cell.movable')`)
	if len(cells) == 2 {
		f.drag(cell(cells[0]), cell(cells[1]))
	} else {
		f.click(cell(cells[0]))
	}
	f.wait(`document.querySelectorAll('#moves li:not(.variation)').length === 2`)
}

// foxGames are the games, with a move.
var foxGames = []struct {
	name string
	move []string
}{
	{"chess", []string{"e2", "e4"}}, {"shogi", []string{"7g", "7f"}},
	{"connect4", []string{"4-6"}}, {"ultimate", []string{"ee"}},
}

// TestFirefox plays and analyses the games, draws the table, and opens a game in PGN.
func TestFirefox(t *testing.T) {
	f := firefox(t)
	s := serve(t, "127.0.0.1:0")
	for _, c := range foxGames {
		f.open(s.address + "#game=" + c.name + "&you=0&clock=move0.2")
		f.play(c.move)
		f.click("[data-view=analyse]")
		f.click("#analyse-run")
		f.wait(`/depth/.test(document.querySelector('#numbers').textContent)`)
		f.click("#analyse-run")
		f.wait(`document.querySelector('#analyse-run').textContent === 'Analyse'`)
	}

	f.open(s.address + "#game=chess&view=hash")
	f.click("#hash-run")
	f.wait(`document.querySelectorAll('#tree [data-line]').length > 10`)
	f.eval(`{ const e = document.querySelector('#picture'); e.value = 'map'; e.dispatchEvent(new Event('change')); '' }`)
	f.wait(`(map => map.checkVisibility() && new Set(new Uint32Array(map.getContext('2d').getImageData(0, 0, map.width,
		map.height).data.buffer)).size > 10)(document.querySelector('#map'))`)
	f.click("#hash-run")
	f.wait(`document.querySelector('#hash-run').textContent !== 'Stop'`)

	path := filepath.Join(t.TempDir(), "game.pgn")
	if err := os.WriteFile(path, []byte("[White \"Anne\"]\n\n1. d4 { queens } d5 2. c4 *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.call("input.setFiles", object{"context": f.tab, "element": f.element("#file"), "files": []string{path}}, nil)
	f.wait(`document.querySelector('#moves').textContent === '1.d4queens1…d52.c4' &&
		document.querySelector('#below .name').textContent === 'White – Anne'`)
}

// TestFirefoxSite plays on the page that needs no server.
func TestFirefoxSite(t *testing.T) {
	f := firefox(t)
	files := httptest.NewServer(http.FileServer(http.Dir(site(t))))
	t.Cleanup(files.Close)
	for _, c := range foxGames {
		f.open(files.URL + "/#game=" + c.name + "&you=0&clock=move0.2")
		f.play(c.move)
	}
}
