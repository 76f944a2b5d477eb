package cli_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// Without a terminal nobody is asked, and a device that swallows everything is none.
func TestNobodyIsAskedAtDevNull(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r := newRepo(t, 30, modeltest.TextStep(yes)) // about $1.74
	code := mainOf(t.Context(), []string{"run"}, cli.System{Stdin: null, Stdout: null, Stderr: null, Dir: r.dir, UserDir: r.user,
		Getenv: func(name string) string { return r.env[name] }, Now: time.Now})
	if asked := len(r.server.Requests()); code != cli.ExitPassed || asked != 30 {
		t.Errorf("exit code %d after %d calls, want %d after 30", code, asked, cli.ExitPassed)
	}
}

// watcher calls seen once what was written holds a text.
type watcher struct {
	bytes.Buffer
	text string
	seen func()
}

func (w *watcher) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if strings.Contains(w.String(), w.text) {
		w.seen()
	}
	return n, err
}

func TestARunSaysWhatItWaitsFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := newRepo(t, 2, modeltest.Reply(429, `{"error":{"message":"slow down"}}`, "Retry-After: 60"))
	log := &watcher{text: "fast: waiting 1 min, HTTP 429\n", seen: cancel}
	code := mainOf(ctx, []string{"run"}, cli.System{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: log, Dir: r.dir, UserDir: r.user,
		Getenv: func(name string) string { return r.env[name] }, Now: time.Now})
	if code != cli.ExitUndecided || !strings.Contains(log.String(), log.text) {
		t.Errorf("exit code %d: %s", code, log)
	}
}
