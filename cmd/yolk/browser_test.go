package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium that is spoken to through pipes, in the words of the DevTools protocol
// (https://chromedevtools.github.io/devtools-protocol/): messages in JSON, each ending in a NUL.
type browser struct {
	t       *testing.T
	to      io.Writer
	answers chan answer
	session string
	last    int

	Faults   []string // what the console says at the level of warnings or above, exceptions included
	Requests []string // addresses that were loaded
}

type answer struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Message string }
}

// openBrowser starts a browser with an empty page. Where there is none the test is skipped, or fails if YOLK_REQUIRE_NATIVE=1.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if os.Getenv("YOLK_REQUIRE_NATIVE") == "1" {
			t.Fatal("there is no Chromium: make test installs it")
		}
		t.Skip("there is no Chromium")
	}
	fromUs, toThem, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromThem, toUs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + t.TempDir(), "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
		"--window-size=1600,1000"}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // which Chromium demands of root
	}
	cmd := exec.Command(path, args...)
	cmd.ExtraFiles = []*os.File{fromUs, toUs} // descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fromUs.Close()
	toUs.Close()
	b := &browser{t: t, to: toThem, answers: make(chan answer, 1000)}
	go func() {
		r := bufio.NewReader(fromThem)
		for {
			text, err := r.ReadBytes(0)
			if err != nil {
				close(b.answers)
				return
			}
			var a answer
			if json.Unmarshal(text[:len(text)-1], &a) == nil {
				b.answers <- a
			}
		}
	}()
	t.Cleanup(func() {
		toThem.Close()
		cmd.Process.Kill()
		cmd.Wait()
		fromThem.Close()
	})
	var target struct{ TargetID string }
	b.do("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.do("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.do(domain+".enable", nil, nil)
	}
	return b
}

// patience is how long an answer may take on a busy machine.
const patience = time.Minute

// do sends a command and waits for its answer.
func (b *browser) do(method string, params, result any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": b.session})
	if err != nil {
		b.t.Fatal(err)
	}
	if b.session == "" {
		text = []byte(strings.Replace(string(text), `,"sessionId":""`, "", 1))
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	a := b.wait(func(a answer) bool { return a.ID == b.last }, method)
	if a.Error != nil {
		b.t.Fatalf("%s: %s", method, a.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(a.Result, result); err != nil {
			b.t.Fatal(err)
		}
	}
}

// wait returns the first message that is wanted, and notes faults and requests on the way.
func (b *browser) wait(wanted func(answer) bool, what string) answer {
	b.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case a, ok := <-b.answers:
			if !ok {
				b.t.Fatalf("the browser has ended before %s", what)
			}
			b.note(a)
			if wanted(a) {
				return a
			}
		case <-timeout:
			b.t.Fatalf("no answer to %s", what)
		}
	}
}

func (b *browser) note(a answer) {
	var p struct {
		Type    string
		Entry   struct{ Level, Text string }
		Request struct{ URL string }
	}
	json.Unmarshal(a.Params, &p)
	switch a.Method {
	case "Runtime.exceptionThrown":
		b.Faults = append(b.Faults, string(a.Params))
	case "Runtime.consoleAPICalled":
		if p.Type == "error" || p.Type == "warning" || p.Type == "assert" {
			b.Faults = append(b.Faults, string(a.Params))
		}
	case "Log.entryAdded":
		if p.Entry.Level == "error" || p.Entry.Level == "warning" {
			b.Faults = append(b.Faults, p.Entry.Text)
		}
	case "Network.requestWillBeSent":
		b.Requests = append(b.Requests, p.Request.URL)
	}
}

// visit loads a page.
func (b *browser) visit(address string) {
	b.t.Helper()
	b.do("Page.navigate", map[string]any{"url": address}, nil)
	b.wait(func(a answer) bool { return a.Method == "Page.loadEventFired" }, "the page's end")
}

// eval evaluates JavaScript and decodes its value.
func (b *browser) eval(script string, result any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.do("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", script, r.ExceptionDetails)
	}
	if err := json.Unmarshal(r.Result.Value, result); err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
}

// click presses the mouse in the middle of an element.
func (b *browser) click(element string) {
	b.t.Helper()
	var at struct{ X, Y float64 }
	b.eval(fmt.Sprintf(`(() => { const e = %s; e.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
		const r = e.getBoundingClientRect(); return {X: r.x + Math.min(r.width, 80)/2, Y: r.y + r.height/2} })()`, element), &at)
	for _, what := range []string{"mousePressed", "mouseReleased"} {
		b.do("Input.dispatchMouseEvent", map[string]any{"type": what, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}, nil)
	}
}
