package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/embedtest"
	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// tiny is a model that knows some words, and what each of them means alone.
func tiny(t *testing.T) embed.Embedder {
	t.Helper()
	f := embedtest.StaticModel(embedtest.Synonyms{"vendor", "supplier"}, embedtest.Synonyms{"must"}, embedtest.Synonyms{"report", "notify"},
		embedtest.Synonyms{"incident", "breach"}, embedtest.Synonyms{"kettle"}, embedtest.Synonyms{"money"})
	m, err := encoder.Read("tiny", f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// breaking is an embedder that has a fault from its so-manieth call on.
type breaking struct {
	embed.Embedder
	after int64
	calls atomic.Int64
}

func (b *breaking) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	if b.calls.Add(1) > b.after {
		return nil, embed.Faultf(embed.StatusReason(503), "the endpoint is gone")
	}
	return b.Embedder.Embed(ctx, texts)
}

// compared makes a suite of one case that has nothing but an expected answer.
func compared(t *testing.T, reference string) []*suite.Suite {
	t.Helper()
	s := suites(t, 1, 1)
	s[0].Cases[0].Expect = &expect.Expectation{}
	s[0].Cases[0].Measured = &score.Expected{Plan: score.StrategyMap(nil).Plan("B7", "", score.StrategyAccuracy), Reference: reference}
	return s
}

func TestAnswersAreComparedByMeaning(t *testing.T) {
	for _, c := range []struct {
		rule, reference, answer string
		value                   float64
		method                  string
		warnings                []string
	}{
		{"other words of one meaning", "vendor report incident", "supplier notify breach", 1, "semantic", nil},
		{"half of the meaning", "vendor report incident kettle", "vendor report", 0.707107, "semantic", nil},
		{"another subject", "vendor", "kettle", 0, "semantic", nil},
		{"an empty answer means nothing", "vendor", " ", 0, "semantic", nil},
		{"a fifth of unknown words is borne", "vendor must report incident", "vendor must report incident zzz", 1, "semantic", nil},
		{"more is warned of", "vendor must report incident", "vendor must report incident zzz qqq", 1, "semantic", []string{"semantic_low_coverage"}},
		{"a text that is too long is warned of", "vendor", strings.Repeat("vendor ", 600), 1, "semantic", []string{"semantic_truncated"}},
		{"an answer that has nothing known is not like one that has", "vendor", "zzz qqq", 0, "semantic", []string{"semantic_low_coverage"}},
		{"nor where nothing is known of both", "zzz qqq", "yyy", 0, "lexical_fallback", []string{"needs_review", "semantic_unavailable"}},
		{"where nothing is known of the expected answer, words are compared", "zzz qqq", "vendor", 0, "lexical_fallback", []string{"needs_review", "semantic_unavailable"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := plan(compared(t, c.reference), say(c.answer))
			p.Evaluator.Similarity = evaluate.NewSimilarity(tiny(t))
			got := run(t, p)[0]
			x := got.Metrics[0]
			if x.Name != score.Accuracy || fmt.Sprintf("%.6f", x.Value) != fmt.Sprintf("%.6f", c.value) || x.Method != c.method {
				t.Errorf("%+v, want %s %v", x, c.method, c.value)
			}
			slices.Sort(got.Warnings)
			if !slices.Equal(got.Warnings, c.warnings) {
				t.Errorf("warnings %v, want %v", got.Warnings, c.warnings)
			}
			if semantic := c.method == "semantic"; (x.Cosine != nil) != semantic || (x.Model == "static/1 tiny") != semantic || x.Degraded == semantic {
				t.Errorf("%+v: a cosine and a model belong to a semantic accuracy, and to no other", x)
			}
		})
	}
}

func TestAThresholdIsMetBesideTheBar(t *testing.T) {
	for _, c := range []struct {
		rule      string
		threshold float64
		reference string
		answer    string
		want      classify.Category
		criteria  []string
	}{
		{"met", 0.7, "vendor report incident kettle", "vendor report", classify.Pass, nil},
		{"met exactly", 0.707107, "vendor report incident kettle", "vendor report", classify.Pass, nil},
		{"missed", 0.71, "vendor report incident kettle", "vendor report", classify.Fail, []string{"semantic_threshold"}},
		{"missed, and the bar too", 0.71, "vendor", "kettle", classify.Fail, []string{"overall_score", "semantic_threshold"}},
		{"missed by an answer that has nothing known", 0.71, "vendor", "zzz", classify.Fail, []string{"overall_score", "semantic_threshold"}},
		{"not applied to a likeness of words", 0.71, "zzz", "vendor", classify.Pass, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := plan(compared(t, c.reference), say(c.answer))
			p.Evaluator.Phase = config.Baseline
			p.Evaluator.Similarity, p.Evaluator.Semantic.Threshold = evaluate.NewSimilarity(tiny(t)), &c.threshold
			got := run(t, p)[0].Classification
			var criteria []string
			for _, u := range got.Details.Unmet {
				criteria = append(criteria, u.Criterion)
			}
			if got.Primary != c.want || !slices.Equal(criteria, c.criteria) {
				t.Errorf("%s, unmet %v; want %s, %v", got.Primary, criteria, c.want, c.criteria)
			}
		})
	}
}

func TestAnEmbedderThatBreaksIsNotAskedAgain(t *testing.T) {
	for _, c := range []struct {
		rule          string
		unavailable   string
		after         int64
		methods       string
		fault, failed bool
	}{
		{"from the first call", config.Review, 0, "lexical lexical lexical lexical", true, false},
		{"from the third", config.Review, 2, "semantic semantic lexical lexical", true, false},
		{"the run ends where nothing stands in", config.Fail, 2, "", true, true},
		{"never", config.Fail, 1 << 40, "semantic semantic semantic semantic", false, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := compared(t, "vendor report")
			s[0].Cases[0].Trials = 4
			b := &breaking{Embedder: tiny(t), after: c.after}
			client := answers(func(_ context.Context, r model.Request) (model.Response, error) {
				return model.Response{Text: model.Untrusted(strings.Repeat("vendor ", r.Trial))}, nil
			})
			p := plan(s, client)
			p.EvaluationConcurrency, p.Head.Target = 1, func(string) evaluate.Target { return evaluate.Target{Client: client, Concurrency: 1} }
			p.Evaluator.Similarity, p.Evaluator.Semantic = evaluate.NewSimilarity(b), config.Semantic{OnUnavailable: c.unavailable}
			var methods []string
			err := evaluate.Run(t.Context(), p, sink(&methods))
			if _, isFault := errors.AsType[*embed.Fault](err); isFault != c.failed {
				t.Fatalf("Run() = %v, want a fault: %v", err, c.failed)
			}
			if got := strings.Join(methods, " "); !c.failed && got != c.methods {
				t.Errorf("methods %s, want %s", got, c.methods)
			}
			if c.fault != (p.Evaluator.Similarity.Fault() != nil) || c.fault && b.calls.Load() != c.after+1 {
				t.Errorf("fault %v after %d calls", p.Evaluator.Similarity.Fault(), b.calls.Load())
			}
		})
	}
}

// What else a case checks can fail it. Nothing can pass it.
func TestACaseIsNotPassedByAnEmbedderThatBreaks(t *testing.T) {
	for _, c := range []struct {
		rule, unavailable, answer string
		want                      classify.Category
		reason                    string
	}{
		{"it has no score", config.Review, "supplier", classify.Error, model.ReasonSimilarity},
		{"the expected words need no embedding", config.Review, "vendor", classify.Pass, ""},
		{"a refusal is one", config.Review, "I'm sorry, but I can't help with that.", classify.Refusal, ""},
		{"words decide where the configuration says so", config.Lexical, "vendor", classify.Pass, ""},
	} {
		p := plan(compared(t, "vendor"), say(c.answer))
		p.Evaluator.Similarity, p.Evaluator.Semantic = evaluate.NewSimilarity(&breaking{Embedder: tiny(t)}), config.Semantic{OnUnavailable: c.unavailable}
		got := run(t, p)[0].Classification
		if got.Primary != c.want || got.Details.Reason != c.reason || got.Unscored() != (c.want == classify.Error) {
			t.Errorf("%s: %s (%s), want %s (%s)", c.rule, got.Primary, got.Details.Reason, c.want, c.reason)
		}
	}
}

func TestACancelDuringAComparisonIsNoFault(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := plan(compared(t, "vendor"), answers(func(context.Context, model.Request) (model.Response, error) {
		cancel()
		return model.Response{Text: "vendor"}, nil
	}))
	p.Evaluator.Similarity = evaluate.NewSimilarity(tiny(t))
	var methods []string
	if err := evaluate.Run(ctx, p, sink(&methods)); !errors.Is(err, context.Canceled) || p.Evaluator.Similarity.Fault() != nil {
		t.Errorf("Run() = %v, fault %v", err, p.Evaluator.Similarity.Fault())
	}
}

// The model knows six subjects; each case is about one of them.
func TestTheSelfCheckTellsWhetherLikenessTellsCasesApart(t *testing.T) {
	subjects := []string{"vendor", "must", "report", "incident", "kettle", "money"}
	for _, c := range []struct {
		rule            string
		cases           int
		answer          func(i int) string
		ok              bool
		auc, background float64
	}{
		{"every answer is of its own subject", 6, func(i int) string { return subjects[i] }, true, 1, 0},
		{"every answer is of the next one's", 6, func(i int) string { return subjects[(i+1)%6] }, true, 0.4, 0.2},
		{"every answer is of all subjects", 6, func(int) string { return strings.Join(subjects, " ") }, true, 0.5, 0.408248},
		{"too few answers to say", 4, func(i int) string { return subjects[i] }, false, 0, 0},
		{"answers that cannot be compared count as none", 6, func(int) string { return "zzz" }, false, 0, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := compared(t, subjects[0])
			for i := 1; i < c.cases; i++ {
				k := *s[0].Cases[0]
				body := *k.Body
				k.Body = &body
				k.ID, k.Prompt.CaseID = fmt.Sprint("c", i), fmt.Sprint("c", i)
				k.Measured = &score.Expected{Plan: k.Measured.Plan, Reference: subjects[i]}
				s[0].Cases.Add(k)
			}
			p := plan(s, answers(func(_ context.Context, r model.Request) (model.Response, error) {
				return model.Response{Text: model.Untrusted(c.answer(int(r.CaseID[1] - '0')))}, nil
			}))
			p.Base = &evaluate.Side{Suites: s, Target: p.Head.Target}
			for _, k := range s[0].Cases {
				k.Trials = 2
			}
			p.Evaluator.Similarity = evaluate.NewSimilarity(tiny(t))
			if fault, err := p.Evaluator.Similarity.EmbedExpected(t.Context(), s, nil); fault != nil || err != nil {
				t.Fatal(fault, err)
			}
			run(t, p)
			got, ok := p.Evaluator.Similarity.Discrimination("s0")
			if ok && got.Answers != c.cases {
				t.Errorf("%d answers are compared, want the first of each of %d cases on the head", got.Answers, c.cases)
			}
			if ok != c.ok || fmt.Sprintf("%.6f %.6f", got.AUC, got.Background) != fmt.Sprintf("%.6f %.6f", c.auc, c.background) {
				t.Errorf("%+v, %v; want AUC %v, background %v, %v", got, ok, c.auc, c.background, c.ok)
			}
		})
	}
}

func TestExpectedAnswersAreEmbeddedOnce(t *testing.T) {
	s := compared(t, "vendor")
	s[0].Cases[0].Trials = 3
	b := &breaking{Embedder: tiny(t), after: 1 << 40}
	m := evaluate.NewSimilarity(b)
	if fault, err := m.EmbedExpected(t.Context(), s, compared(t, "vendor")); fault != nil || err != nil || b.calls.Load() != 1 {
		t.Fatalf("fault %v, %v, %d calls", fault, err, b.calls.Load())
	}
	p := plan(s, say("supplier"))
	p.Evaluator.Similarity, p.EvaluationConcurrency = m, 1
	run(t, p)
	if n := b.calls.Load(); n != 2 {
		t.Errorf("%d calls for one expected answer and three equal answers, want 2", n)
	}
}

// sink notes how accuracy was measured, in short.
func sink(methods *[]string) func(evaluate.Answer) error {
	return func(a evaluate.Answer) error {
		r := a.Result
		name, _, _ := strings.Cut(r.Metrics[0].Method, "_")
		*methods = append(*methods, name)
		return nil
	}
}

// noting keeps the texts that it is asked for.
type noting struct {
	embed.Embedder
	texts []string
}

func (n *noting) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	n.texts = append(n.texts, texts...)
	return n.Embedder.Embed(ctx, texts)
}

func TestWhatMustNotBeKeptIsNotSentToAnEmbedder(t *testing.T) {
	const secret = "canary-0123456789"
	n := &noting{Embedder: tiny(t)}
	p := plan(compared(t, "vendor"), say("supplier "+secret))
	p.Evaluator.Redactor, p.EvaluationConcurrency = redact.New([]string{secret}, nil), 1
	p.Evaluator.Similarity = evaluate.NewSimilarity(n)
	run(t, p)
	if len(n.texts) != 2 || strings.Contains(strings.Join(n.texts, " "), secret) {
		t.Errorf("sent %q", n.texts)
	}
}
