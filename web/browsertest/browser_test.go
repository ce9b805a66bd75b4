package browsertest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long anything may take, on a loaded machine too. Nothing depends on it but when a test fails.
const patience = 2 * time.Minute

var (
	browser context.Context // of the one browser of all tests; nil without Chromium
	program string
	scratch string // a folder that all tests share
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "browsertest")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	scratch = dir
	program = os.Getenv("TREFOIL")
	if program == "" {
		program = filepath.Join(dir, "trefoil.exe")
		build := exec.Command("go", "build", "-C", filepath.Join("..", ".."), "-buildvcs=false", "-o", program, ".")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Printf("go build: %v\n%s", err, out)
			return 1
		}
	}
	chromium := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium = path
			break
		}
	}
	if chromium == "" {
		fmt.Println("no Chromium is found: the tests that drive it are skipped")
		return m.Run()
	}
	// Without a sandbox Chromium runs for root and in containers too. It only sees our own page.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(patience))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	defer end()
	var close context.CancelFunc
	// events that it does not know
	browser, close = chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	defer close()
	if err := chromedp.Run(browser); err != nil {
		fmt.Println(err)
		return 1
	}
	return m.Run()
}

// server is a running `trefoil web`.
type server struct {
	address string // http://127.0.0.1:PORT/
	process *exec.Cmd
}

// serve starts a server with these flags too, at a free port if listen has port 0.
func serve(t *testing.T, listen string, flags ...string) *server {
	t.Helper()
	cmd := exec.Command(program, append([]string{"web", "--listen", listen, "--hash", "16"}, flags...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{process: cmd}
	t.Cleanup(s.stop)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if i := strings.Index(lines.Text(), "http://"); i >= 0 {
			s.address = strings.Fields(lines.Text()[i:])[0]
			return s
		}
		t.Log(lines.Text())
	}
	t.Fatal("the server printed no address")
	return nil
}

func (s *server) stop() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// page is a tab of the browser. A message on its console and a request to another machine fail the test.
type page struct {
	t       *testing.T
	ctx     context.Context
	address string

	mu       sync.Mutex
	expected bool // requests that fail are what the test is about
}

// open opens the page in a tab of its own, with the state that the address has after #.
func open(t *testing.T, state string) *page {
	t.Helper()
	if browser == nil {
		t.Skip("no Chromium is found")
	}
	return openAt(t, serve(t, "127.0.0.1:0").address, state)
}

// openAt opens the page of a server. The actions come before it is loaded.
func openAt(t *testing.T, address, state string, actions ...chromedp.Action) *page {
	t.Helper()
	tab, closeTab := chromedp.NewContext(browser)
	ctx, cancel := context.WithTimeout(tab, 3*patience)
	t.Cleanup(func() { cancel(); closeTab() })
	p := &page{t: t, ctx: ctx, address: address}
	chromedp.ListenTarget(ctx, p.watch)
	p.do(log.Enable(), network.Enable(), cdppage.BringToFront(), chromedp.EmulateViewport(1200, 900))
	p.do(append(actions, chromedp.Navigate(address+"#"+state))...)
	p.wait(`document.querySelector('#status').textContent`)
	return p
}

// watch takes the events of the tab.
func (p *page) watch(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.t.Errorf("exception: %v", e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		text := []string{}
		for _, arg := range e.Args {
			text = append(text, string(arg.Value)+arg.Description)
		}
		p.t.Errorf("console: %s %s", e.Type, strings.Join(text, " "))
	case *log.EventEntryAdded:
		if !p.expected {
			p.t.Errorf("log: %s %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		to, err := url.Parse(e.Request.URL)
		if err != nil || to.Scheme == "http" && to.Hostname() == "127.0.0.1" || to.Scheme == "data" ||
			to.Scheme == "blob" {
			return
		}
		p.t.Errorf("a request leaves for %s", e.Request.URL)
	}
}

// expectErrors says whether requests that fail are expected from now on.
func (p *page) expectErrors(expected bool) {
	p.mu.Lock()
	p.expected = expected
	p.mu.Unlock()
}

func (p *page) do(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.t.Fatalf("%v; the page says %q", err, p.describe())
	}
}

// describe is what the page shows, for the message of a failed test.
func (p *page) describe() string {
	ctx, cancel := context.WithTimeout(browser, 5*time.Second) // the tab ends with it, as does the test
	defer cancel()
	target := chromedp.FromContext(p.ctx).Target
	if target == nil {
		return ""
	}
	ctx, cancelTab := chromedp.NewContext(ctx, chromedp.WithTargetID(target.TargetID))
	defer cancelTab()
	var text string
	_ = chromedp.Run(ctx, chromedp.Evaluate(`['#connection', '#message', '#status', '#numbers', '#pv', '#queue'].map(s => document.querySelector(s).textContent).join(' | ') + location.hash`, &text))
	return text
}

// wait waits until an expression of JavaScript is true.
func (p *page) wait(expression string) {
	p.t.Helper()
	err := chromedp.Run(p.ctx, chromedp.Poll("!!("+expression+")", nil,
		chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(patience)))
	if err != nil {
		p.t.Fatalf("waiting for %s: %v; the page says %q", expression, errors.Unwrap(err), p.describe())
	}
}

// eval returns the value of an expression of JavaScript.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	var v T
	p.do(chromedp.Evaluate(expression, &v))
	return v
}

// click clicks on an element that can be seen and is not disabled, as soon as there is one.
func (p *page) click(selector string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(
		`(e => e && e.checkVisibility() && !e.disabled && (e.click(), true))(document.querySelector(%q))`, selector))
}

// choose takes a choice of a promotion.
func (p *page) choose(name string) {
	p.t.Helper()
	p.click(fmt.Sprintf(`.choice .option[aria-label=%q]`, name))
}

// enter types a move and plays it.
func (p *page) enter(move string) {
	p.t.Helper()
	p.do(chromedp.SendKeys("#move", move+kb.Enter, chromedp.ByQuery))
}

// cell is the selector of a cell of the board.
func cell(name string) string { return fmt.Sprintf(`[data-cell="%s"]`, name) }

// play makes moves by clicks on cells, and waits until each is in the list of moves.
func (p *page) play(moves ...[]string) {
	p.t.Helper()
	n := eval[int](p, `document.querySelectorAll('#moves li:not(.variation)').length`)
	for _, cells := range moves {
		for _, name := range cells {
			p.wait(`document.querySelector('.cell.movable')`)
			p.click(cell(name))
		}
		n++
		p.wait(fmt.Sprintf(`document.querySelectorAll('#moves li:not(.variation)').length >= %d`, n))
	}
}

// status waits until the line under the board has this text in it.
func (p *page) status(text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector('#status').textContent.includes(%q)`, text))
}

// scheme shows the page as those see it who prefer light or dark.
func (p *page) scheme(name string) {
	p.do(emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}))
}
