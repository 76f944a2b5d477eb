package compare_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// long returns an answer of a size with a word at its end.
func long(size int, word string) model.Untrusted {
	return model.Untrusted(strings.Repeat("the same text ", size/14) + word)
}

// logged compares two sides whose results can be read back: by case, an answer of the base that passes and one of the
// head in the given category.
func logged(t *testing.T, category string, answers ...[2]model.Untrusted) (compare.Comparison, [2]*comparetest.MemoryFile) {
	t.Helper()
	c, files, err := tryLogged(t, category, nil, answers...)
	if err != nil {
		t.Fatal(err)
	}
	return c, files
}

// tryLogged damages the files before the comparison.
func tryLogged(t *testing.T, category string, damage func([2]*comparetest.MemoryFile), answers ...[2]model.Untrusted) (compare.Comparison, [2]*comparetest.MemoryFile, error) {
	t.Helper()
	var sides [2]report.Builder
	files := [2]*comparetest.MemoryFile{{}, {}}
	for i := range sides {
		sides[i].Log = report.NewLog(files[i])
		for n, both := range answers {
			r := comparetest.Result("s", string(rune('a'+n)), 1, [2]string{"pass", category}[i])
			r.RawResponse, r.Replayed = both[i], true
			at, err := sides[i].Log.Append(r)
			if err := errors.Join(err, sides[i].Add(r, at)); err != nil {
				t.Fatal(err)
			}
		}
		if err := sides[i].Log.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if damage != nil {
		damage(files)
	}
	c, err := settled(comparetest.GateWithReruns(), gate.Run{Head: sides[1].Side()}, sides[0].Side(), comparetest.Caller{})
	return c, files, err
}

func TestLongAnswersAreShownAroundTheirFirstDifference(t *testing.T) {
	const mega = 1 << 20
	for _, c := range []struct {
		rule   string
		bytes  int
		cases  int
		around int // the first cases are shown so, the others by their beginning
	}{
		{"a long answer", 5_000, 1, 1},
		{"not if both are too long to be read back", 5 * mega, 1, 0},
		{"only as many as may be read back", 3 * mega, 3, 1},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var answers [][2]model.Untrusted
			for range c.cases {
				answers = append(answers, [2]model.Untrusted{long(c.bytes, "yes"), long(c.bytes, "no")})
			}
			got, _ := logged(t, "fail", answers...)
			for i, change := range got.Changes {
				before, now := string(change.Base.Excerpt), string(change.Head.Excerpt)
				shows := strings.Contains(before, "yes") && strings.Contains(now, "no")
				if shows != (i < c.around) || !shows && !(strings.HasPrefix(before, "the") && strings.HasSuffix(before, "…") && strings.HasSuffix(now, "…")) {
					t.Errorf("case %s: %q to %q; around the difference: want %v", change.CaseID, before, now, i < c.around)
				}
			}
		})
	}
}

func TestAnAnswerWithoutAnotherIsShownByItsBeginning(t *testing.T) {
	head := report.Builder{Log: report.NewLog(&comparetest.MemoryFile{})}
	for id, category := range map[string]string{"fails": "fail", "passes": "pass"} {
		r := comparetest.Result("s", id, 1, category)
		r.RawResponse, r.Classification.Details.Unverified = model.Untrusted(strings.Repeat("é", 3_000)), category == "pass"
		at, err := head.Log.Append(r)
		if err := errors.Join(err, head.Add(r, at)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range comparetest.Compare(nil, head.Side()).Changes {
		want := map[string]int{"fails": 1200, "passes": 400}[c.CaseID]
		if got := []rune(string(c.Head.Excerpt)); len(got) != want+1 || got[want] != '…' {
			t.Errorf("the excerpt of the answer that %s has %d runes, want %d and an ellipsis", c.CaseID, len(got), want)
		}
	}
}

func TestACaseThatIsRemovedOrRedefinedShowsItsInput(t *testing.T) {
	asks := func(id, input string) report.Result {
		r := comparetest.Result("s", id, 1, "pass")
		r.Input, r.InputKey, r.ExpectationKey = model.Untrusted(input), input, input
		return r
	}
	base, head := built(t, asks("edited", "old"), asks("gone", "old")).Side(), built(t, asks("edited", "new")).Side()
	for i, want := range []model.Untrusted{"new", "old"} {
		if got := comparetest.Compare(base, head).Changes[i]; got.Input != want {
			t.Errorf("case %s shows the input %q, want %q", got.CaseID, got.Input, want)
		}
	}
	base, head = built(t, asks("edited", "old")).Side(), built(t, asks("edited", "new")).Side()
	head.Suites[0].Cases[0].InputKey = base.Suites[0].Cases[0].InputKey // only the expectation is another one
	if got := comparetest.Compare(base, head).Changes[0]; got.Change != report.Redefined || got.Input != "new" {
		t.Errorf("%s, with the input %q; want it redefined, with its input", got.Change, got.Input)
	}
}

func TestAShortAnswerIsShownWhole(t *testing.T) {
	got, _ := logged(t, "fail", [2]model.Untrusted{"yes", "no"})
	if c := got.Changes[0]; c.Base.Excerpt != "yes" || c.Head.Excerpt != "no" {
		t.Errorf("answers %q and %q, want them whole", c.Base.Excerpt, c.Head.Excerpt)
	}
}

// TestAnEmptyAnswerBesideALongOne has nothing to cut around.
func TestAnEmptyAnswerBesideALongOne(t *testing.T) {
	got, _ := logged(t, "fail", [2]model.Untrusted{long(5_000, "yes"), ""})
	if c := got.Changes[0]; !strings.HasPrefix(string(c.Base.Excerpt), "the same") || c.Head.Excerpt != "" {
		t.Errorf("answers %q and %q, want the beginning and none", c.Base.Excerpt, c.Head.Excerpt)
	}
}

// TestPassingAnswersAreShownWithinALimit shows the base's passing answers until 16 MiB are read back.
func TestPassingAnswersAreShownWithinALimit(t *testing.T) {
	asked := model.Untrusted(strings.Repeat("?", 16<<20-len("answer"))) // the first uses the limit up
	var sides [2]report.Builder
	for i := range sides {
		sides[i].Log = report.NewLog(&comparetest.MemoryFile{})
		for _, id := range []string{"a", "b"} {
			r := comparetest.Result("s", id, 1, [2]string{"pass", "fail"}[i])
			if i == 0 {
				r.Input = asked
			}
			at, err := sides[i].Log.Append(r)
			if err := errors.Join(err, sides[i].Add(r, at)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, c := range comparetest.Compare(sides[0].Side(), sides[1].Side()).Changes {
		if shown := c.Base.Excerpt != ""; shown != (i < 1) || c.Head.Excerpt == "" {
			t.Errorf("case %s: base %q, head %q; want the base's first answer, and every wrong one", c.CaseID, c.Base.Excerpt, c.Head.Excerpt)
		}
	}
}

func TestAnAnswerThatIsLostIsAnErrorWhereverItIsRead(t *testing.T) {
	same := [2]model.Untrusted{"yes", "yes"}
	for _, c := range []struct {
		rule, category string
		lost           int
		answers        [2]model.Untrusted
	}{
		{"an answer of the base in other words", "pass", 0, [2]model.Untrusted{"yes", "of course"}},
		{"an answer of the head in other words", "pass", 1, [2]model.Untrusted{"yes", "of course"}},
		{"a long answer of the head", "fail", 1, [2]model.Untrusted{long(5_000, "yes"), long(5_000, "no")}},
	} {
		_, _, err := tryLogged(t, c.category, func(files [2]*comparetest.MemoryFile) {
			files[c.lost].Text = files[c.lost].Text[:10]
		}, same, c.answers)
		if err == nil || !strings.Contains(err.Error(), "case b") && c.category == "pass" {
			t.Errorf("%s: %v, want an error that names the case", c.rule, err)
		}
	}
}

// TestTheBaseOfAFlipShowsARightAnswer takes a case of which most answers before were right, and not all.
func TestTheBaseOfAFlipShowsARightAnswer(t *testing.T) {
	runs := func(categories ...string) (all []report.Result) {
		for i, category := range categories {
			r := comparetest.Result("s", "x", i+1, category)
			r.RawResponse, r.Replayed = model.Untrusted(fmt.Sprint(category, " ", i+1)), true
			all = append(all, r)
		}
		return all
	}
	for _, c := range []struct {
		rule        string
		head        []string
		before, now model.Untrusted
	}{
		{"of a flip a right answer is shown before", []string{"pass", "fail", "fail"}, "pass 2", "fail 2"},
		{"of another case a wrong one", []string{"pass", "pass", "fail"}, "fail 1", "fail 3"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := built(t, runs("fail", "pass", "pass")...).Side(), built(t, runs(c.head...)...).Side()
			got := comparetest.Compare(base, head).Changes[0]
			if got.Base.Excerpt != c.before || got.Head.Excerpt != c.now || string(got.Base.Primary) != string(c.before[:4]) {
				t.Errorf("%s %q before, %q now; want %q and %q", got.Base.Primary, got.Base.Excerpt, got.Head.Excerpt, c.before, c.now)
			}
		})
	}
}
