package asking_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// with returns files in one of which old is replaced.
func with(files runtest.Files, name, old, changed string) runtest.Files {
	return files.Merge(runtest.Files{name: strings.Replace(files[name], old, changed, 1)})
}

// readBoth reads a head and its base.
func readBoth(t *testing.T, head, base runtest.Files, change func(*sides.Inputs)) *sides.Sides {
	t.Helper()
	in := runtest.Inputs(t, head, base, map[string]string{"MODEL_KEY": "canary-4f1d9b7e"})
	if change != nil {
		change(&in)
	}
	s, err := sides.Read(in)
	if err != nil || s.Selected == nil {
		t.Fatalf("%v, faults %v", err, s.Faults)
	}
	return s
}

// Equal requests of both sides share a call, so that chance makes no difference. To measure chance, they do not.
func TestEqualRequestsAreAskedOnceUnlessNoiseIsMeasured(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(*sides.Inputs)
		calls  int // of two cases
	}{
		{"a comparison", nil, 2},
		{"of the same folder, which measures nothing", func(in *sides.Inputs) { in.Base = in.Head }, 2},
		{"of the same folder with trials", func(in *sides.Inputs) { in.Base, in.Trials = in.Head, 1 }, 4},
		{"no comparison", func(in *sides.Inputs) { in.Base = nil }, 2},
	} {
		s := readBoth(t, live(""), live(""), func(in *sides.Inputs) {
			if in.Scope = sides.ScopeAll; c.change != nil {
				c.change(in)
			}
		})
		calls := 0
		for range evaluate.Questions(asking.NewPlan(s, nil, asking.Session{})) {
			calls++
		}
		if calls != c.calls {
			t.Errorf("%s: %d calls, want %d", c.rule, calls, c.calls)
		}
	}
}

func TestHowManyAnswersAreEvaluatedAtOnce(t *testing.T) {
	judged := with(live(""), "s.yaml", "match: contains", "match: contains, rubric: [polite]")
	judged["failproof.yml"] += "judges: { default: { target: live } }\n"
	busy := with(judged, "failproof.yml", "model: small", "model: small, concurrency: 40")
	remote := with(live(""), "failproof.yml", "version: 1\n", "version: 1\nsemantic: { provider: http, endpoint: \"http://127.0.0.1:1\", model: m }\n")
	for _, c := range []struct {
		rule       string
		files      runtest.Files
		similarity *evaluate.Similarity
		want       int
	}{
		{"rules use the processors", live(""), nil, runtime.GOMAXPROCS(0)},
		{"so does a model of this machine", live(""), &evaluate.Similarity{}, runtime.GOMAXPROCS(0)},
		{"a judge is waited for", judged, nil, 16},
		{"one that answers more at once is asked more", busy, nil, 40},
		{"an endpoint is waited for", remote, &evaluate.Similarity{}, 16},
		{"but not if no case needs it", remote, nil, runtime.GOMAXPROCS(0)},
	} {
		if got := asking.EvaluationConcurrency(readBoth(t, c.files, nil, nil), c.similarity); got != c.want {
			t.Errorf("%s: %d, want %d", c.rule, got, c.want)
		}
	}
}

// What a plan evaluates by: the judge only if a case has criteria, and risk only if a suite has probes.
func TestByWhatAnswersAreEvaluated(t *testing.T) {
	judged := with(live(""), "s.yaml", "match: contains", "match: contains, rubric: [polite]")
	judged["failproof.yml"] += "judges: { default: { target: live } }\n"
	probes := with(live(", api_key_env: MODEL_KEY"), "s.yaml", "id: s\n", "id: s\nstrategy: probe\n")
	for _, c := range []struct {
		rule        string
		files       runtest.Files
		judge, risk bool
	}{{"rules alone", live(", api_key_env: MODEL_KEY"), false, false}, {"a judge", judged, true, false}, {"probes", probes, false, true}} {
		s := readBoth(t, c.files, nil, nil)
		similarity := &evaluate.Similarity{}
		e := asking.NewPlan(s, similarity, asking.Session{}).Evaluator
		if (e.Panel != nil) != c.judge || (e.Risk != nil) != c.risk || e.Similarity != similarity || e.Classifier == nil {
			t.Errorf("%s: %+v", c.rule, e)
		}
		if got := e.Redactor.Text("canary-4f1d9b7e"); !c.judge && got == "canary-4f1d9b7e" {
			t.Errorf("%s: results may hold a key", c.rule)
		}
	}
}

// The recorded answers of a case are as many as it has trials, at least one.
func TestTheRecordedAnswersOfACase(t *testing.T) {
	const line = `{"suite_id": "s", "case_id": "a", "trial": %d, "raw_response": "open %[1]d"}` + "\n"
	s := read(t, "", fmt.Sprintf(line, 1)+fmt.Sprintf(line, 2), nil)
	client, c := s.Head.Recordings["kept"], s.Head.Suites[0].Cases[0].Open()
	for trials, want := range [][]model.Untrusted{{"open 1"}, {"open 1"}, {"open 1", "open 2"}} {
		c.Trials = trials
		got, err := asking.RecordedAnswers(t.Context(), client, &c)
		if texts := textsOf(got); err != nil || !slices.Equal(texts, want) {
			t.Errorf("%d trials: %q, %v, want %q", trials, texts, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := asking.RecordedAnswers(ctx, client, &c); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("after the end: %v, %v", got, err)
	}
}

func textsOf(all []model.Response) (out []model.Untrusted) {
	for _, r := range all {
		out = append(out, r.Text)
	}
	return out
}

// A run says what it costs before the first call. Where that is much, a person decides, and where it is too much, no
// call is made.
func TestWhatIsSaidOfTheCost(t *testing.T) {
	const cheap, dear = ", price: { input_per_million: 0.01, output_per_million: 0.01 }, max_tokens: 10", ", price: { input_per_million: 1, output_per_million: 900000 }, max_tokens: 1"
	limited := func(limit string) runtest.Files {
		return with(live(""), "failproof.yml", "version: 1\n", "version: 1\nlimits: { "+limit+" }\n")
	}
	recorded := live("").Merge(runtest.Files{"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\ntargets:\n  kept: { provider: recorded, path: r.jsonl }\n"})
	yes, no := func(string) bool { return true }, func(string) bool { return false }
	for _, c := range []struct {
		rule    string
		files   runtest.Files
		reruns  bool
		confirm func(string) bool
		said    []string // the beginnings of what is said
		asked   bool
		planned int // calls; -1: no plan
		ended   bool
		fails   bool
	}{
		{rule: "nothing is live", files: recorded, confirm: no, planned: -1},
		{rule: "a little is said", files: live(cheap), confirm: no, said: []string{"this comparison needs 4 calls"}, planned: 4},
		{rule: "much is asked for", files: live(dear), confirm: yes, asked: true, planned: 4},
		{rule: "and may be declined", files: live(dear), confirm: no, asked: true, planned: 4, fails: true},
		{rule: "where nobody is there it is said", files: live(dear), said: []string{"this comparison needs 4 calls"}, planned: 4},
		{rule: "too much is not asked at all", files: limited("max_calls: 3"), confirm: no, said: []string{"this comparison needs 4 calls"}, planned: 4, ended: true},
		{rule: "too little for reruns is said", files: limited("max_calls: 5"), reruns: true, said: []string{"limits.max_calls (5) leaves no room to ask a case again", "this comparison needs 4 calls"}, planned: 4},
	} {
		s := readBoth(t, c.files.Merge(runtest.Files{"p.md": "Is it really open?\n"}), c.files, nil)
		var said []string
		var asked bool
		sinks := asking.Sinks{Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}
		if c.confirm != nil {
			sinks.Confirm = func(question string) bool {
				if asked = true; !strings.HasPrefix(question, "this comparison needs 4 calls") {
					t.Errorf("%s: asked %q", c.rule, question)
				}
				return c.confirm(question)
			}
		}
		f := forecast.New(asking.NewPlan(s, nil, asking.Session{}), forecast.ExtraCalls{Reruns: c.reruns}, s.Rules)
		plan, err := asking.Announce(s, f, sinks)
		if (err != nil) != c.fails || asked != c.asked || !slices.EqualFunc(said, c.said, strings.HasPrefix) {
			t.Errorf("%s: %v, asked %v, said %q", c.rule, err, asked, said)
		}
		if (plan != nil) != (c.planned >= 0) || plan != nil && plan.Calls != c.planned {
			t.Errorf("%s: plan %+v", c.rule, plan)
		}
		if _, ended := s.Live.Run.Ended(); ended != c.ended {
			t.Errorf("%s: ended %v", c.rule, ended)
		}
	}
}

func TestAnswersAreCountedOnBothSides(t *testing.T) {
	three := with(live(""), "s.yaml", "id: s\n", "id: s\ntrials: 3\n")
	if got := asking.AnswersPlanned(readBoth(t, three, three, nil)); got != 12 {
		t.Errorf("%d answers, want three of two cases on two sides", got)
	}
}

func TestACaseIsAddedToItsSuite(t *testing.T) {
	c := suite.Case{ID: "b", Body: &suite.Body{}}
	c.Trials = 5
	own := &suite.Suite{ID: "s", Path: "s.yaml", Cases: suite.Cases{{ID: "a"}, {ID: "b"}}}
	all := asking.WithCase(nil, own, c)
	all = asking.WithCase(all, &suite.Suite{ID: "t"}, c)
	all = asking.WithCase(all, own, suite.Case{ID: "c", Body: &suite.Body{}})
	var got []string
	for s, c := range suite.EachCase(all) {
		got = append(got, fmt.Sprint(s.ID, "/", c.ID, " ", c.Trials))
	}
	if want := []string{"s/b 1", "s/c 1", "t/b 1"}; !slices.Equal(got, want) || all[0].Path != "s.yaml" || len(own.Cases) != 2 || c.Trials != 5 {
		t.Errorf("%v, want %v; the suite has %d cases", got, want, len(own.Cases))
	}
}

func TestAPlanListsItsCasesInTheOrderOfTheirResults(t *testing.T) {
	s := readBoth(t, live(""), nil, nil)
	for rule, c := range map[string]struct {
		indexes map[string]int
		want    []string
	}{"none": {nil, nil}, "as given": {map[string]int{"s/a": 7, "s/b": 2}, []string{"b", "a"}}, "as in the suite": {map[string]int{"s/a": 0, "s/b": 1}, []string{"a", "b"}}} {
		got := asking.SuitePlans(s.Head.Suites, c.indexes)
		if len(got) != 1 || !slices.Equal(got[0].Order, c.want) || got[0].ID != "s" || got[0].Target != "live" || got[0].Path != "s.yaml" || got[0].Cases != 2 || got[0].Planned != 2 {
			t.Errorf("%s: %+v", rule, got)
		}
	}
}
