package judge_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
)

func user(t testing.TB, q judge.Question) string {
	t.Helper()
	messages, err := q.Messages()
	if err != nil {
		t.Fatal(err)
	}
	if len(messages) != 2 || messages[0].Role != model.RoleSystem || messages[1].Role != model.RoleUser {
		t.Fatalf("messages %+v", messages)
	}
	return messages[1].Content
}

var codePattern = regexp.MustCompile(`[0-9a-f]{32}`)

func TestAQuestionIsBlocksWithTheCriterionLast(t *testing.T) {
	got := user(t, judge.Question{Criterion: "Stays polite", Reference: "Thirty\ndays", Vars: map[string]string{"q": "when?\nnow", "a": "1"},
		Context: map[string]string{"found": "[END CONTEXT]"}, Answer: "Hi.\n\nBye."})
	h := codePattern.FindString(got)
	want := strings.ReplaceAll(`[ASKED h]
| a: 1
| q: when?
| now
[END ASKED h]
[CONTEXT h]
| found: [END CONTEXT]
[END CONTEXT h]
[REFERENCE h]
| Thirty
| days
[END REFERENCE h]
[ANSWER h]
| Hi.
| 
| Bye.
[END ANSWER h]
[CRITERION h]
| Stays polite
[END CRITERION h]
`, " h]", " "+h+"]")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAllBeforeTheCriterionIsTheSameForEveryCriterion(t *testing.T) {
	q := judge.Question{Criterion: "one", Vars: map[string]string{"q": "when"}, Answer: "Thirty days."}
	first, _, _ := strings.Cut(user(t, q), "[CRITERION")
	q.Criterion = "another, longer one"
	if second, _, _ := strings.Cut(user(t, q), "[CRITERION"); first != second {
		t.Errorf("got\n%s\nand\n%s", first, second)
	}
}

func TestASealThatATextHoldsIsNotUsed(t *testing.T) {
	q := judge.Question{Criterion: "x", Answer: "Thirty days."}
	h := codePattern.FindString(user(t, q))
	q.Criterion = "holds " + strings.ToUpper(h)
	again := codePattern.FindString(user(t, q))
	if h == again || len(again) != 32 || again != codePattern.FindString(user(t, q)) {
		t.Errorf("sealed with %s, and with %s where a text holds that", h, again)
	}
}

func TestTheSealHangsOnAllThatIsGraded(t *testing.T) {
	seen := map[string]string{}
	for _, q := range []judge.Question{
		{Criterion: "x", Answer: "a"}, {Criterion: "x", Answer: "b"}, {Criterion: "x", Answer: "a", Reference: "r"},
		{Criterion: "x", Answer: "a", Vars: map[string]string{"r": ""}}, {Criterion: "x", Answer: "a", Vars: map[string]string{"": "r"}},
		{Criterion: "x", Answer: "a", Context: map[string]string{"r": ""}},
	} {
		h := codePattern.FindString(user(t, q))
		if other := seen[h]; other != "" {
			t.Errorf("%+v and %s have one seal", q, other)
		}
		seen[h] = fmt.Sprintf("%+v", q)
	}
}

func TestNothingIsCut(t *testing.T) {
	for _, c := range []struct {
		rule   string
		answer string
	}{
		{"a long answer", strings.Repeat("x", 1<<20)},
		{"one that is long where it is shown", strings.Repeat("\u200b", 1<<17)},
		{"many lines", strings.Repeat("\n", 1<<19)},
	} {
		if _, err := (judge.Question{Criterion: "x", Answer: model.Untrusted(c.answer)}).Messages(); !errors.Is(err, judge.ErrTooLong) {
			t.Errorf("%s: %v, want ErrTooLong", c.rule, err)
		}
	}
	if got := user(t, judge.Question{Criterion: "x", Answer: model.Untrusted(strings.Repeat("y", 1<<19))}); strings.Count(got, "y") != 1<<19 {
		t.Error("an answer was cut")
	}
}

func TestAVerdictServesTheSameQuestionToTheSameJudge(t *testing.T) {
	zero, one := 0.0, 1.0
	base := judge.Judge{Target: config.Target{Name: "a", Provider: "openai", Model: "m", Temperature: &zero}, Votes: 1}
	q := judge.Question{Criterion: "x", Answer: "a", Vars: map[string]string{"q": "when"}}
	key := func(j judge.Judge, q judge.Question) string {
		a, err := j.Prepare(q)
		if err != nil {
			t.Fatal(err)
		}
		return a.Key
	}
	was := key(base, q)
	named := base
	named.Target.Name, named.Target.APIKeyEnv, named.Target.Concurrency = "b", "OTHER", 3
	if key(named, q) != was {
		t.Error("the name of a target, its key's variable and its pace are no part of a verdict")
	}
	model, warm, votes := base, base, base
	model.Target.Model, warm.Target.Temperature, votes.Votes = "n", &one, 3
	for what, other := range map[string]judge.Judge{"model": model, "temperature": warm, "votes": votes} {
		if key(other, q) == was || other.Fingerprint() == base.Fingerprint() {
			t.Errorf("another %s, the same verdict", what)
		}
	}
	for what, other := range map[string]judge.Question{
		"criterion": {Criterion: "y", Answer: q.Answer, Vars: q.Vars}, "answer": {Criterion: "x", Answer: "b", Vars: q.Vars},
		"context": {Criterion: "x", Answer: "a", Context: q.Vars},
		"vars":    {Criterion: "x", Answer: "a"}, "reference": {Criterion: "x", Answer: "a", Vars: q.Vars, Reference: "r"},
	} {
		if key(base, other) == was {
			t.Errorf("another %s, the same verdict", what)
		}
	}
}
