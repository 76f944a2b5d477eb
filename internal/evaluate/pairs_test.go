package evaluate_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// side makes a side's suite s0 of cases written as id=prompt, asked of a live target.
func side(t *testing.T, trials int, cases ...string) *suite.Suite {
	t.Helper()
	s := &suite.Suite{ID: "s0", Target: "fast", Trials: trials, Weight: 1}
	for _, text := range cases {
		id, prompt, _ := strings.Cut(text, "=")
		c := suite.Case{ID: id, Path: "s.yaml", Severity: "medium", Trials: trials, Body: &suite.Body{Judging: suite.Judging{Expect: expecting(t, "yes")}}}
		c.Prompt = model.Request{SuiteID: s.ID, CaseID: id, Messages: []model.Message{{Role: "user", Content: prompt}}}
		c.Body.Keys.RequestKey = c.Prompt.Sum()
		s.Cases.Add(c)
	}
	return s
}

// asker notes what it is asked, in order.
type asker struct {
	name  string
	mu    *sync.Mutex
	asked *[]string
}

func (a asker) Answer(_ context.Context, r model.Request) (model.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	once := map[bool]string{true: " once"}[r.NoRetry]
	*a.asked = append(*a.asked, fmt.Sprintf("%s %s/%d%s", a.name, r.Messages[0].Content, r.Trial, once))
	return model.Response{Text: "yes", Attempts: 1}, nil
}

// both makes the plan of two sides that ask one live target one question at a time, and what it is asked.
func both(base, head []*suite.Suite) (evaluate.Plan, *[]string) {
	asked, mu := &[]string{}, &sync.Mutex{}
	target := func(name string) func(string) evaluate.Target {
		return func(string) evaluate.Target {
			return evaluate.Target{Client: asker{name, mu, asked}, Concurrency: 1, Live: true, Address: "https://api.example.com"}
		}
	}
	p := plan(head, nil)
	p.Head.Target = target("head")
	if base != nil {
		p.Base = &evaluate.Side{Suites: base, Target: target("base")}
	}
	return p, asked
}

// memory is a journal that lasts as long as a test.
type memory struct {
	mu   sync.Mutex
	kept map[model.JournalKey]model.Response
	any  map[model.JournalKey]model.Response
}

func newMemory() *memory {
	return &memory{kept: map[model.JournalKey]model.Response{}, any: map[model.JournalKey]model.Response{}}
}

func (m *memory) Find(a model.JournalKey) (model.Response, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.kept[a]
	if a.Comparison == "" {
		r, ok = m.any[a]
	}
	return r, ok
}

func (m *memory) Store(a model.JournalKey, _ model.Request, r model.Response) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[a] = r
	a.Comparison = ""
	m.any[a] = r
}

func ran(t *testing.T, p evaluate.Plan) (results []string) {
	t.Helper()
	err := evaluate.Run(t.Context(), p, func(a evaluate.Answer) error {
		at, r := a.Side, a.Result
		cached := ""
		if r.Cached {
			cached = " cached"
		}
		results = append(results, fmt.Sprintf("%s %s/%d%s", at, r.CaseID, r.Trial, cached))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhatIsAskedOfBothSides(t *testing.T) {
	for _, c := range []struct {
		rule          string
		base, head    *suite.Suite
		asked, result []string
	}{
		{"base and head of a trial are asked back to back, and take turns in being first",
			side(t, 2, "a=old", "b=older"), side(t, 2, "a=new", "b=newer"),
			[]string{"base old/1", "head new/1", "head new/2", "base old/2", "head newer/1", "base older/1", "base older/2", "head newer/2"},
			[]string{"base a/1", "head a/1", "head a/2", "base a/2", "head b/1", "base b/1", "base b/2", "head b/2"}},
		{"cases that are not asked of each side take no turn",
			side(t, 1, "a=old", "b=same", "c=older", "gone=x", "d=oldest"), side(t, 1, "a=new", "b=same", "c=newer", "e=y", "d=newest"),
			[]string{"base old/1", "head new/1", "head same/1", "head newer/1", "base older/1", "head y/1", "base oldest/1", "head newest/1", "base x/1"},
			[]string{"base a/1", "head a/1", "base b/1 cached", "head b/1", "head c/1", "base c/1", "head e/1", "base d/1", "head d/1", "base gone/1"}},
		{"what both sides ask alike is asked once, and each trial for itself",
			side(t, 2, "a=same"), side(t, 2, "a=same"),
			[]string{"head same/1", "head same/2"},
			[]string{"base a/1 cached", "head a/1", "base a/2 cached", "head a/2"}},
		{"a case of one side is asked there, the base's own last",
			side(t, 1, "gone=x", "a=same"), side(t, 1, "new=y", "a=same"),
			[]string{"head y/1", "head same/1", "base x/1"},
			[]string{"head new/1", "base a/1 cached", "head a/1", "base gone/1"}},
		{"cases of one side that ask the same are asked each for itself",
			nil, side(t, 1, "a=same", "b=same"), []string{"head same/1", "head same/1"}, []string{"head a/1", "head b/1"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var base []*suite.Suite
			if c.base != nil {
				base = []*suite.Suite{c.base}
			}
			p, asked := both(base, []*suite.Suite{c.head})
			equal(t, "results", ran(t, p), c.result)
			equal(t, "asked", *asked, c.asked)
		})
	}
}

func TestWhatOneSideHasIsAskedLast(t *testing.T) {
	base, head := side(t, 1, "a=old", "gone=x", "b=older", "c=same"), side(t, 1, "new=y", "a=new", "b=newer", "c=same", "more=z")
	p, asked := both([]*suite.Suite{base}, []*suite.Suite{head})
	p.Part = evaluate.PartMain
	first := ran(t, p)
	p.Part = evaluate.PartOneSided
	last := ran(t, p)
	equal(t, "asked", *asked, []string{"base old/1", "head new/1", "head newer/1", "base older/1", "head same/1", "head y/1", "head z/1", "base x/1"})
	equal(t, "first", first, []string{"base a/1", "head a/1", "head b/1", "base b/1", "base c/1 cached", "head c/1"})
	equal(t, "last", last, []string{"head new/1", "head more/1", "base gone/1"})
	places := p.CaseIndexes()
	order := func(at suite.Side) []string {
		return slices.SortedFunc(maps.Keys(places[at]), func(a, b string) int { return places[at][a] - places[at][b] })
	}
	equal(t, "the head's places", order(suite.Head), []string{"s0/new", "s0/a", "s0/b", "s0/c", "s0/more"})
	equal(t, "the base's places", order(suite.Base), []string{"s0/a", "s0/b", "s0/c", "s0/gone"})
	p.Base = nil
	if p.CaseIndexes() != nil {
		t.Error("without a base nothing is left for last")
	}
}

func TestAnotherAddressIsAnotherQuestion(t *testing.T) {
	p, asked := both([]*suite.Suite{side(t, 1, "a=same")}, []*suite.Suite{side(t, 1, "a=same")})
	target := p.Base.Target
	p.Base.Target = func(name string) evaluate.Target {
		out := target(name)
		out.Address = "https://other.example.com"
		return out
	}
	ran(t, p)
	equal(t, "asked", *asked, []string{"base same/1", "head same/1"})
}

func TestARenamedSuiteIsHeldAgainstItsOldForm(t *testing.T) {
	base := side(t, 1, "a=same")
	base.ID = "old"
	p, asked := both([]*suite.Suite{base}, []*suite.Suite{side(t, 1, "a=same")})
	p.Matches.SuiteIDs = map[string]string{"old": "s0"}
	ran(t, p)
	equal(t, "asked", *asked, []string{"head same/1"})
}

func TestARecordedTargetIsNeitherSharedNorKept(t *testing.T) {
	p, asked := both([]*suite.Suite{side(t, 1, "a=same")}, []*suite.Suite{side(t, 1, "a=same")})
	for _, s := range []*evaluate.Side{p.Base, &p.Head} {
		target := s.Target
		s.Target = func(name string) evaluate.Target {
			out := target(name)
			out.Live = false
			return out
		}
	}
	j := newMemory()
	p.Journal = j
	ran(t, p)
	equal(t, "asked", *asked, []string{"base same/1", "head same/1"})
	if len(j.kept) > 0 {
		t.Errorf("kept %v", j.kept)
	}
}

func TestQuestionsTellWhatARunWouldAsk(t *testing.T) {
	p, asked := both([]*suite.Suite{side(t, 1, "a=old", "b=same")}, []*suite.Suite{side(t, 1, "a=new", "b=same")})
	j := newMemory()
	p.Journal = j
	tell := func() (out []string) {
		for q := range evaluate.Questions(p) {
			out = append(out, fmt.Sprintf("%s %s %v", q.Target, q.Request.Messages[0].Content, q.Cached))
		}
		return out
	}
	equal(t, "questions", tell(), []string{"fast old false", "fast new false", "fast same false"})
	if len(*asked) > 0 {
		t.Errorf("asked %v", *asked)
	}
	ran(t, p)
	equal(t, "questions after the run", tell(), []string{"fast old true", "fast new true", "fast same true"})
}

// A slow target keeps no other one waiting, and as many are asked at once as it allows.
func TestEveryTargetIsAskedAtItsOwnWidth(t *testing.T) {
	var mu sync.Mutex
	now, most := map[string]int{}, map[string]int{}
	client := func(name string) answers {
		return func(context.Context, model.Request) (model.Response, error) {
			mu.Lock()
			now[name]++
			most[name] = max(most[name], now[name])
			mu.Unlock()
			time.Sleep(2 * time.Millisecond)
			mu.Lock()
			now[name]--
			mu.Unlock()
			return model.Response{Text: "yes"}, nil
		}
	}
	s := suites(t, 8, 1)
	for i := range s {
		s[i].Target = []string{"narrow", "wide"}[i%2]
	}
	p := plan(s, nil)
	p.Head.Target = func(name string) evaluate.Target {
		return evaluate.Target{Client: client(name), Concurrency: map[string]int{"narrow": 1, "wide": 6}[name]}
	}
	synctest.Test(t, func(t *testing.T) {
		if got := run(t, p); len(got) != 64 || most["narrow"] != 1 || most["wide"] != 6 {
			t.Errorf("%d results, at most %v at once", len(got), most)
		}
	})
}

func TestWhichTrialsRun(t *testing.T) {
	every, lost := func(int) bool { return true }, recordings(model.Response{})
	first := func(r model.Request) bool { return r.Trial == 1 }
	for _, c := range []struct {
		rule       string
		base, head *suite.Suite
		change     func(p *evaluate.Plan)
		want       []string
	}{
		{"each side has its own number of trials", side(t, 1, "a=old"), side(t, 2, "a=new"), func(*evaluate.Plan) {}, []string{"base a/1", "head a/1", "head a/2"}},
		{"or more on the base", side(t, 2, "a=old"), side(t, 1, "a=new"), func(*evaluate.Plan) {}, []string{"base a/1", "head a/1", "base a/2"}},
		{"none are one", side(t, 0, "a=old"), side(t, 0, "a=new"), func(*evaluate.Plan) {}, []string{"base a/1", "head a/1"}},
		{"a shard has some live cases", side(t, 1, "a=old", "b=older", "c=oldest"), side(t, 1, "a=new", "b=newer", "c=newest"), func(p *evaluate.Plan) { p.InShard = func(place int) bool { return place == 1 } }, []string{"head b/1", "base b/1"}},
		{"and no recorded ones", side(t, 1, "a=old"), side(t, 1, "a=new"), func(p *evaluate.Plan) { p.InShard, p.Head.Target, p.Base.Target = every, lost, lost }, nil},
		{"some are skipped", side(t, 2, "a=old"), side(t, 2, "a=new"), func(p *evaluate.Plan) { p.Skip = first }, []string{"head a/2", "base a/2"}},
		{"on one side", side(t, 2, "a=old"), side(t, 1, "a=new"), func(p *evaluate.Plan) { p.Skip = first }, []string{"base a/2"}},
		{"of a shared request both sides", side(t, 2, "a=x"), side(t, 2, "a=x"), func(p *evaluate.Plan) { p.Skip = first }, []string{"base a/2 cached", "head a/2"}},
		{"a case that a recording answers is no case of one side", side(t, 1, "a=x"), side(t, 1, "a=x"), func(p *evaluate.Plan) { p.Base.Target, p.Part = lost, evaluate.PartOneSided }, nil},
	} {
		p, _ := both([]*suite.Suite{c.base}, []*suite.Suite{c.head})
		c.change(&p)
		equal(t, c.rule, ran(t, p), c.want)
	}
}

func TestAnAnswerSaysWhoseItIs(t *testing.T) {
	base, head := side(t, 1, "a=x", "b=old"), side(t, 1, "a=x", "b=new")
	base.ID = "before"
	head.Cases[1].Target = "slow"
	for _, c := range slices.Concat(base.Cases, head.Cases) {
		c.Body.Prompt.Provider, c.Body.Prompt.SuiteID = "openai", "before"
	}
	for _, c := range head.Cases {
		c.Body.Prompt.SuiteID = "s0"
	}
	p, _ := both([]*suite.Suite{base}, []*suite.Suite{head})
	p.Matches.SuiteIDs = map[string]string{"before": "s0"}
	p.Evaluator.ProposedPolicies = []expect.Proposed{{Policy: expect.CompilePolicy("no-yes", "", []*regexp.Regexp{regexp.MustCompile("")}), ForAll: true}}
	var got []string
	for _, a := range answersOf(t, p) {
		got = append(got, fmt.Sprintf("%s %s/%s %q", a.Side, a.HeadName.Suite, a.HeadName.Case, a.TargetName)+" "+fields(t, a.Result, "shared", "attempts", "stale", "proposed_policies"))
	}
	equal(t, "answers", got, []string{`base s0/a "" shared=true`, `head s0/a "fast" shared=true attempts=1 proposed_policies=["no-yes"]`,
		`base s0/b "fast" attempts=1`, `head s0/b "slow" attempts=1 stale=true proposed_policies=["no-yes"]`})
	tell := func(all func(func(evaluate.Question) bool)) (out []string) {
		for q := range all {
			if out = append(out, fmt.Sprintf("%s/%d %v %d", q.Request.Messages[0].Content, q.Request.Trial, q.Compared.Suite == head, q.Compared.Index)); len(out) == 3 {
				break
			}
		}
		return out
	}
	again := []report.RerunRequest{{SuiteID: "s0", CaseID: "a", FirstNumber: 2, Rounds: 1}, {SuiteID: "s0", CaseID: "b", FirstNumber: 2, Rounds: 1}}
	equal(t, "questions", tell(evaluate.Questions(p)), []string{"x/1 false 0", "old/1 true 1", "new/1 true 1"})
	equal(t, "reruns", tell(evaluate.RerunQuestions(p, again)), []string{"x/2 true 0", "x/2 true 0", "new/2 true 1"})
	again[1].CaseID = "z"
	equal(t, "reruns of no case", tell(evaluate.RerunQuestions(p, again)), nil)
}
