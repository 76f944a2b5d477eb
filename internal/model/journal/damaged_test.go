package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// spoil changes a text of the journal's file.
func spoil(t *testing.T, dir, old, text string) {
	t.Helper()
	before := contents(t, file(dir))
	after := bytes.Replace(before, []byte(old), []byte(text), 1)
	if bytes.Equal(before, after) {
		t.Fatalf("%q is not in the journal", old)
	}
	write(t, file(dir), after)
}

func TestADamagedRecordIsToldOfOnce(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1, 2, 3, 4)
	spoil(t, dir, "answer 2", "ANSWER 2")
	for run, want := range []string{"1 damaged record,", "", ""} {
		numbers, warnings := kept(t, dir)
		check(t, "kept", numbers, []int{1, 3, 4})
		if got := strings.Join(warnings, "; "); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("run %d: warnings %q, want %q", run+1, got, want)
		}
	}
	keepQuietly(t, dir, 2)
	spoil(t, dir, "answer 3", "ANSWER 3")
	numbers, warnings := kept(t, dir)
	check(t, "kept", numbers, []int{1, 2, 4})
	if len(warnings) != 1 || !strings.Contains(warnings[0], "1 damaged record,") {
		t.Errorf("another damage: warnings %q, want one record", warnings)
	}
}

func TestARecordThatIsUnderWayIsNotDamaged(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1, 2)
	whole := contents(t, file(dir))
	for cut := 1; cut < 50; cut++ {
		write(t, file(dir), whole[:len(whole)-cut])
		if _, warnings := kept(t, dir); len(warnings) > 0 {
			t.Errorf("%d bytes are still to come: warnings %q", cut, warnings)
		}
	}
}

func TestWhatCannotBeNotedIsToldOfAgain(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1, 2)
	spoil(t, dir, "answer 2", "ANSWER 2")
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	write(t, elsewhere, nil)
	if err := os.Symlink(elsewhere, strings.Replace(file(dir), "2026-03", "2026-04", 1)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for range 2 {
		j := open(t, dir, func(o *Options) { o.Now = func() time.Time { return noon.AddDate(0, 1, 0) } })
		if w := j.Warnings(); len(w) != 1 || !strings.Contains(w[0], "1 damaged record,") {
			t.Errorf("warnings %q, want one", w)
		}
		shut(t, j)
	}
	if text := contents(t, elsewhere); len(text) > 0 {
		t.Errorf("a link was followed: %q", text)
	}
}

func TestARecordOfTheFutureIsOfNoUse(t *testing.T) {
	for _, c := range []struct {
		rule  string
		ahead time.Duration
		want  bool
	}{
		{"now", 0, true},
		{"a clock that is a little ahead", 9 * time.Minute, true},
		{"an hour", time.Hour, false},
		{"forty days", 40 * 24 * time.Hour, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			dir := t.TempDir()
			keep(t, dir, 1) // of now
			j := open(t, dir, nil)
			now := j.options.Now()
			shut(t, j)
			later := open(t, dir, func(o *Options) { o.Now = func() time.Time { return now.Add(c.ahead) } })
			late := answer(1)
			late.Text = "late"
			later.Store(address(1), model.Request{}, late)
			shut(t, later)
			j = open(t, dir, nil)
			defer shut(t, j)
			r, ok := j.Find(address(1))
			if got := r.Text == "late"; !ok || got != c.want {
				t.Errorf("found %q, %v; want the later one: %v", r.Text, ok, c.want)
			}
			if w := j.Warnings(); len(w) > 0 {
				t.Errorf("warnings %q", w)
			}
		})
	}
}
