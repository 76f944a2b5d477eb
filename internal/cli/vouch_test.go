package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/sides"
)

// asker counts questions, and answers them all alike.
type asker struct {
	says  bool
	asked int
}

func (a *asker) ask(string) bool {
	a.asked++
	return a.says
}

// person is somebody at a terminal, whose settings lie in a folder.
func person(t *testing.T, user string, says bool) (*confirmer, *asker, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	a := &asker{says: says}
	return &confirmer{sys: System{Stderr: &said, Dir: t.TempDir(), UserDir: user}, ask: a.ask}, a, &said
}

func TestAYesIsRememberedForAHostAndItsKeysWhereNoDefaultBranchSaysWhomToAsk(t *testing.T) {
	user := t.TempDir()
	one := sides.UntrustedTarget{Description: "this branch asks it", Host: "https://api.example.com", Keys: []string{"KEY"}, NothingToCompare: true}
	with := func(change func(*sides.UntrustedTarget)) sides.UntrustedTarget {
		other := one
		change(&other)
		return other
	}
	for _, c := range []struct {
		rule string
		of   sides.UntrustedTarget
		says bool
		asks int
	}{
		{"a no is not remembered", one, false, 1},
		{"the first yes", one, true, 1},
		{"the same again", one, true, 0},
		{"another key", with(func(u *sides.UntrustedTarget) { u.Keys = []string{"KEY", "OTHER"} }), true, 1},
		{"another host", with(func(u *sides.UntrustedTarget) { u.Host = "https://api.example.com:8443" }), true, 1},
		{"where the default branch says otherwise", with(func(u *sides.UntrustedTarget) { u.NothingToCompare = false }), true, 1},
		{"where it says otherwise, again", with(func(u *sides.UntrustedTarget) { u.NothingToCompare = false }), true, 1},
		{"a command", with(func(u *sides.UntrustedTarget) { u.Host = "" }), true, 1},
		{"a command, again", with(func(u *sides.UntrustedTarget) { u.Host = "" }), true, 1},
	} {
		p, a, _ := person(t, user, c.says)
		if err := p.confirm([]sides.UntrustedTarget{c.of}); (err == nil) != c.says || a.asked != c.asks {
			t.Errorf("%s: asked %d times, want %d; %v", c.rule, a.asked, c.asks, err)
		}
	}
}

func TestACommandAsksOnceAboutATarget(t *testing.T) {
	p, a, _ := person(t, "", true)
	for range 2 {
		if err := p.confirm([]sides.UntrustedTarget{{Description: "this branch runs \"sh\""}}); err != nil {
			t.Error(err)
		}
	}
	if a.asked != 1 {
		t.Errorf("asked %d times", a.asked)
	}
}

func TestYesSaysWhomItLetsBeAskedAndIsNotRemembered(t *testing.T) {
	user := t.TempDir()
	p, a, said := person(t, user, false)
	p.yes = true
	err := p.confirm([]sides.UntrustedTarget{{Description: "this branch asks h\x1b[2K\u202e with KEY", Host: "https://h", NothingToCompare: true}})
	shown := said.String()
	if err != nil || a.asked != 0 || !strings.Contains(shown, "branch asks h") || strings.ContainsAny(shown, "\x1b\u202e") {
		t.Errorf("%v after %d questions: %q", err, a.asked, said)
	}
	if left, _ := os.ReadDir(user); len(left) > 0 {
		t.Error("something is remembered")
	}
}

func TestAnswersThatThePullRequestCouldHaveWrittenAreNotRead(t *testing.T) {
	p, a, _ := person(t, "", true)
	p.sys.UserDir = filepath.Join(p.sys.Dir, "settings")
	for range 2 {
		if err := p.confirm([]sides.UntrustedTarget{{Description: "this branch asks h", Host: "https://h", NothingToCompare: true}}); err != nil {
			t.Error(err)
		}
		p.agreed = nil
	}
	if a.asked != 2 {
		t.Errorf("asked %d times", a.asked)
	}
}
