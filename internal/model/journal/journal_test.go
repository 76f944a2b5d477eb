package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/failproof/failproof/internal/memtest"
	"github.com/failproof/failproof/internal/model"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(writerFolder); folder != "" {
		writeForEver(folder)
	}
	remove := memtest.UseMemory()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { remove(); os.Exit(code) }))
}

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, dir string, change func(*Options)) *Journal {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Folder: root, Trust: Trusted, Now: func() time.Time { return noon }}
	if change != nil {
		change(&o)
	}
	j, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	root.Close()
	return j
}

func shut(t testing.TB, j *Journal) {
	t.Helper()
	j.Close()
}

func address(n int) model.JournalKey {
	return model.JournalKey{Request: fmt.Sprint("r", n), Occurrence: 1, Trial: 1}
}

func answer(n int) model.Response {
	return model.Response{Text: model.Untrusted(fmt.Sprintf("answer %d\nwith <b> & \u2028 \"quotes\"", n)), Refusal: "no", Finish: "stop", Model: "m-1",
		ToolCalls: []model.ToolCall{{Name: "f", Arguments: `{"a":"<b>"}`}, {Name: "g", Arguments: "{a"}, {Name: "h"}},
		Latency:   1500 * time.Microsecond, Usage: model.Usage{TokensIn: 3, TokensOut: n, Cost: model.USD(0.25)}}
}

// keep writes answers through a journal of its own.
func keep(t testing.TB, dir string, numbers ...int) {
	t.Helper()
	j := open(t, dir, nil)
	for _, n := range numbers {
		j.Store(address(n), model.Request{SuiteID: "s", CaseID: "c"}, answer(n))
	}
	if w := j.Warnings(); len(w) > 0 {
		t.Errorf("warnings %q", w)
	}
	shut(t, j)
}

// kept returns which of the first ten answers a journal has, and what it warns of.
func kept(t testing.TB, dir string) (numbers []int, warnings []string) {
	t.Helper()
	j := open(t, dir, nil)
	defer shut(t, j)
	for n := range 10 {
		r, ok := j.Find(address(n))
		if ok && !reflect.DeepEqual(r, answer(n)) {
			t.Errorf("answer %d = %+v, want %+v", n, r, answer(n))
		}
		if ok {
			numbers = append(numbers, n)
		}
	}
	return numbers, j.Warnings()
}

func file(dir string) string { return filepath.Join(dir, string(Trusted), "2026-03"+fileEnding) }

func contents(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, what string, got any, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestAnAnswerIsFoundAgainAsItWas(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1, 2)
	keep(t, dir, 3)
	numbers, warnings := kept(t, dir)
	check(t, "kept", numbers, []int{1, 2, 3})
	check(t, "warnings", warnings, []string{})
}

func TestWhichAnswerIsFound(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, nil)
	a := model.JournalKey{Request: "r", Occurrence: 1, Trial: 1, Comparison: "p base"}
	plain := a
	plain.Comparison = ""
	j.Store(a, model.Request{}, answer(1))
	for _, c := range []struct {
		rule  string
		at    model.JournalKey
		found bool
	}{
		{"at its own address", a, true},
		{"by one that is not compared", plain, true},
		{"not by another comparison", model.JournalKey{Request: "r", Occurrence: 1, Trial: 1, Comparison: "q base"}, false},
		{"not by another trial", model.JournalKey{Request: "r", Occurrence: 1, Trial: 2}, false},
		{"not by another case that asks the same", model.JournalKey{Request: "r", Occurrence: 2, Trial: 1}, false},
		{"not by another request", model.JournalKey{Request: "s", Occurrence: 1, Trial: 1}, false},
	} {
		if _, ok := j.Find(c.at); ok != c.found {
			t.Errorf("%s: found %v", c.rule, ok)
		}
	}
	j.Store(a, model.Request{}, answer(2))
	if r, _ := j.Find(a); !reflect.DeepEqual(r, answer(2)) {
		t.Errorf("of two the later one holds: %+v", r)
	}
	shut(t, j)
	j = open(t, dir, nil)
	defer shut(t, j)
	if r, _ := j.Find(plain); !reflect.DeepEqual(r, answer(2)) {
		t.Errorf("of two the later one holds when they are read: %+v", r)
	}
}

func TestAnAnswerGrowsOld(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	for _, c := range []struct {
		later time.Duration
		found bool
	}{{time.Hour, true}, {29 * 24 * time.Hour, true}, {31 * 24 * time.Hour, false}} {
		j := open(t, dir, func(o *Options) { o.Now = func() time.Time { return noon.Add(c.later) } })
		if _, ok := j.Find(address(1)); ok != c.found {
			t.Errorf("%s later: found %v", c.later, ok)
		}
		shut(t, j)
	}
	shut(t, open(t, dir, func(o *Options) { o.Now = func() time.Time { return noon.Add(75 * 24 * time.Hour) } }))
	if _, err := os.Stat(file(dir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file of long ago is still there: %v", err)
	}
}

func TestAForksAnswersAreItsOwn(t *testing.T) {
	dir := t.TempDir()
	fork := func(o *Options) { o.Trust = Fork }
	j := open(t, dir, fork)
	j.Store(address(1), model.Request{}, answer(1))
	shut(t, j)
	keep(t, dir, 2)
	numbers, _ := kept(t, dir)
	check(t, "a trusted run has", numbers, []int{2})
	j = open(t, dir, fork)
	if _, ok := j.Find(address(2)); ok {
		t.Error("a fork's run has a trusted answer")
	}
	shut(t, j)
	// A record says whose it is, wherever its file is put.
	write(t, file(dir), contents(t, filepath.Join(dir, string(Fork), "2026-03"+fileEnding)))
	numbers, _ = kept(t, dir)
	check(t, "a trusted run has, of a fork's file", numbers, []int{})
}

func TestARecordThatWasCutOffCostsItselfAlone(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	one := len(contents(t, file(dir)))
	keep(t, dir, 2)
	both := contents(t, file(dir))
	for length := one; length < len(both); length++ {
		write(t, file(dir), both[:length])
		keepQuietly(t, dir, 3)
		numbers, warnings := kept(t, dir)
		want := []int{1, 3}
		if length == len(both)-1 { // only the line break is missing
			want = []int{1, 2, 3}
		}
		check(t, fmt.Sprintf("cut to %d bytes of %d", length, len(both)), numbers, want)
		if damaged := len(warnings) == 1 && strings.Contains(warnings[0], "1 damaged record, which was ignored"); damaged != (length > one+1 && len(want) == 2) {
			t.Errorf("cut to %d bytes: warnings %q", length, warnings)
		}
	}
}

func keepQuietly(t *testing.T, dir string, n int) {
	t.Helper()
	j := open(t, dir, nil)
	j.Store(address(n), model.Request{}, answer(n))
	shut(t, j)
}

func TestADamagedByteCostsItsRecordAlone(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1, 2, 3)
	whole := contents(t, file(dir))
	first := bytes.Index(whole, []byte("\n\n"))
	second := first + 2 + bytes.Index(whole[first+2:], []byte("\n\n"))
	for at := first + 2; at < second; at++ {
		spoilt := bytes.Clone(whole)
		spoilt[at] ^= 0x10
		write(t, file(dir), spoilt)
		numbers, warnings := kept(t, dir)
		check(t, fmt.Sprintf("byte %d spoilt", at), numbers, []int{1, 3})
		if len(warnings) != 1 || !strings.Contains(warnings[0], "damaged record") {
			t.Errorf("byte %d spoilt: warnings %q", at, warnings)
		}
	}
}

func TestARecordThatIsSpoiltWhileARunGoesOnIsNotUsed(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	j := open(t, dir, nil)
	defer shut(t, j)
	write(t, file(dir), bytes.Repeat([]byte("x"), 1000))
	if r, ok := j.Find(address(1)); ok {
		t.Errorf("found %+v", r)
	}
	if w := j.Warnings(); len(w) != 1 || !strings.Contains(w[0], "damaged") {
		t.Errorf("warnings %q", w)
	}
}

func TestWhatIsNotKept(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, func(o *Options) { o.HasSecret = func(text string) bool { return strings.Contains(text, "sk-1234") } })
	j.Store(address(1), model.Request{}, model.Response{Text: "your key is sk-1234"})
	j.Store(address(2), model.Request{}, model.Response{Refusal: "not with sk-1234"})
	j.Store(address(3), model.Request{}, model.Response{Text: "not UTF-8: \xff"})
	shut(t, j)
	numbers, _ := kept(t, dir)
	check(t, "kept", numbers, []int{})
}

// full is a disk that takes some bytes and no more.
type full struct {
	*os.File
	left int
}

func (f *full) Write(p []byte) (int, error) {
	n, _ := f.File.Write(p[:min(len(p), f.left)])
	f.left -= n
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func TestAFullDiskIsAWarningAndCostsNoOtherAnswer(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	j := open(t, dir, nil)
	j.Store(address(2), model.Request{}, answer(2))
	j.out = &full{j.files[j.outFile], 200}
	for n := 3; n < 6; n++ {
		j.Store(address(n), model.Request{}, answer(n))
	}
	warnings := j.Warnings()
	if len(warnings) != 1 || !strings.Contains(warnings[0], "3 answers could not be cached (no space left on device); the run continues without") {
		t.Errorf("warnings %q", warnings)
	}
	j.out = j.files[j.outFile] // somebody made room
	j.Store(address(6), model.Request{}, answer(6))
	shut(t, j)
	numbers, _ := kept(t, dir)
	check(t, "kept", numbers, []int{1, 2, 6})
}

func TestAMonthThatIsTooLargeIsToldOf(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	if err := os.Truncate(file(dir), maxFile+1); err != nil {
		t.Fatal(err)
	}
	j := open(t, dir, nil)
	defer shut(t, j)
	if _, ok := j.Find(address(1)); ok {
		t.Error("it was read")
	}
	if w := j.Warnings(); len(w) != 1 || !strings.Contains(w[0], "cannot be read and was ignored; its answers are requested again") {
		t.Errorf("warnings %q", w)
	}
}

func TestAFileThatIsNoFileIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(file(dir), elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, file(dir)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	before := contents(t, elsewhere)
	j := open(t, dir, nil)
	if _, ok := j.Find(address(1)); ok {
		t.Error("a link was followed")
	}
	j.Store(address(2), model.Request{}, answer(2))
	if w := j.Warnings(); len(w) != 1 || !strings.Contains(w[0], "1 answer could not be cached") {
		t.Errorf("warnings %q", w)
	}
	shut(t, j)
	if !bytes.Equal(contents(t, elsewhere), before) {
		t.Error("a link was written through")
	}
}

func TestTwoJournalsOfAProcessWriteAtOnce(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir, nil), open(t, dir, nil)
	done := make(chan bool)
	for i, j := range []*Journal{a, b} {
		go func() {
			for n := range 200 {
				j.Store(model.JournalKey{Request: fmt.Sprint(i, n)}, model.Request{}, answer(n))
			}
			done <- true
		}()
	}
	<-done
	<-done
	for n := range 200 {
		if r, ok := a.Find(model.JournalKey{Request: fmt.Sprint(0, n)}); !ok || !reflect.DeepEqual(r, answer(n)) {
			t.Fatalf("its own answer %d: %+v, %v", n, r, ok)
		}
	}
	shut(t, a)
	shut(t, b)
	c := open(t, dir, nil)
	defer shut(t, c)
	for i := range 2 {
		for n := range 200 {
			if r, ok := c.Find(model.JournalKey{Request: fmt.Sprint(i, n)}); !ok || !reflect.DeepEqual(r, answer(n)) {
				t.Fatalf("writer %d, answer %d: %+v, %v", i, n, r, ok)
			}
		}
	}
	check(t, "warnings", c.Warnings(), []string{})
}

func FuzzAnyFileIsReadWithoutHarm(f *testing.F) {
	dir := f.TempDir()
	keep(f, dir, 1, 2)
	f.Add(contents(f, file(dir)))
	f.Add([]byte("\n00000000 {}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, string(Trusted)), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, file(dir), data)
		j := open(t, dir, nil)
		j.Store(address(3), model.Request{}, answer(3))
		if r, ok := j.Find(address(3)); !ok || !reflect.DeepEqual(r, answer(3)) {
			t.Errorf("behind %q: %+v, %v", data, r, ok)
		}
		shut(t, j)
		numbers, _ := kept(t, dir)
		if len(numbers) == 0 || numbers[len(numbers)-1] != 3 {
			t.Errorf("behind %q: kept %v", data, numbers)
		}
	})
}
