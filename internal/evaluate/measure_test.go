package evaluate_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

const reference = "A vendor must report an incident within 14 days."

// measured makes a suite of one case that is measured under a benchmark.
func measured(t *testing.T, benchmark string, facts, claims []string) []*suite.Suite {
	t.Helper()
	s := suites(t, 1, 1)
	k := s[0].Cases[0]
	k.Expect = &expect.Expectation{}
	k.Measured = &score.Expected{Plan: score.StrategyMap(nil).Plan(benchmark, "", score.StrategyAccuracy), Reference: reference}
	for _, text := range facts {
		f, err := fact.NewSynonyms(nil).Fact(text)
		if err != nil {
			t.Fatal(err)
		}
		k.Measured.Facts = append(k.Measured.Facts, f)
	}
	for _, text := range claims {
		c, err := fact.NewSynonyms(nil).Claim(text)
		if err != nil {
			t.Fatal(err)
		}
		k.Measured.Forbidden = append(k.Measured.Forbidden, c)
	}
	return s
}

func TestADegradedAccuracyIsNotHeldToTheBarUnlessThatIsSaid(t *testing.T) {
	for _, c := range []struct {
		rule       string
		semantic   config.Semantic
		answer     string
		want       classify.Category
		review     bool
		unverified bool
	}{
		{"review: the case is not failed, and needs one", config.Semantic{Provider: "auto", OnUnavailable: config.Review}, "No idea.", classify.Pass, true, true},
		{"review: nor is it passed", config.Semantic{Provider: "auto", OnUnavailable: config.Review}, reference + "!", classify.Pass, true, true},
		{"review: another rule may fail it", config.Semantic{Provider: "auto", OnUnavailable: config.Review}, "I'm sorry, but I can't help with that.", classify.Refusal, true, false},
		{"off is as if none were there", config.Semantic{Provider: "off", OnUnavailable: config.Review}, "No idea.", classify.Pass, true, true},
		{"lexical: the bar fails it", config.Semantic{Provider: "auto", OnUnavailable: config.Lexical}, "No idea.", classify.Fail, false, false},
		{"lexical: the bar passes it", config.Semantic{Provider: "auto", OnUnavailable: config.Lexical}, reference + "!", classify.Pass, false, false},
		{"the provider lexical: the bar fails it", config.Semantic{Provider: config.ProviderLexical, OnUnavailable: config.Review}, "No idea.", classify.Fail, false, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := plan(measured(t, "B7", []string{"14 days"}, nil), say(c.answer))
			p.Evaluator.Semantic = c.semantic
			got := run(t, p)[0]
			k := got.Classification
			if k.Primary != c.want || k.Details.NeedsReview != c.review || k.Details.Unverified != c.unverified || (got.PassedThreshold == nil) != c.review {
				t.Errorf("%+v, passed the bar %v; want %s, review %v, unverified %v", k, got.PassedThreshold, c.want, c.review, c.unverified)
			}
			if k.Primary == classify.Fail && !strings.Contains(k.Details.Unmet[0].Reason, " by words alone") {
				t.Errorf("unmet %+v", k.Details.Unmet)
			}
			if !slices.Contains(got.Warnings, score.WarnSemanticUnavailable) || slices.Contains(got.Warnings, score.WarnNeedsReview) != c.review ||
				got.OverallScore == nil || got.PhaseThresholdUsed == nil || *got.PhaseThresholdUsed != 0.85 {
				t.Errorf("warnings %v, overall %v, bar %v", got.Warnings, got.OverallScore, got.PhaseThresholdUsed)
			}
		})
	}
}

func TestTheBarSaysByWhatItIsMissed(t *testing.T) {
	p := plan(measured(t, "", []string{"14 days", "written notice"}, []string{"refund is guaranteed"}), say("A refund is guaranteed within 14 days."))
	got := run(t, p)[0]
	if got.Classification.Primary != classify.Fail || len(got.Classification.Details.Unmet) != 1 {
		t.Fatalf("classification %+v, want a miss of the bar", got.Classification)
	}
	want := "states “refund is guaranteed”; not found: “written notice” (1 of 2 key facts covered); completeness 0.50; grounding 0.70"
	if u := got.Classification.Details.Unmet[0]; u.Reason != want || u.Expected != "at least 0.850" || u.Actual != "0.611" {
		t.Errorf("unmet %+v\nwant %s", u, want)
	}
	p.Head.Target = recordings(model.Response{Text: "Within 14 days."}) // which meets one metric
	want = "not found: “written notice” (1 of 2 key facts covered); completeness 0.50"
	if u := run(t, p)[0].Classification.Details.Unmet; len(u) != 1 || u[0].Reason != want {
		t.Errorf("unmet %+v\nwant %s", u, want)
	}
}

// One claim among two metrics leaves 0.85, which meets the bar. The answer passes and says what it states; where
// grounding is required, it fails.
func TestAForbiddenClaimThatPassesIsNamedAndFailsWhereGroundingIsRequired(t *testing.T) {
	for _, c := range []struct {
		rule, answer string
		required     bool
		want         classify.Category
		stated       []string
	}{
		{"it passes, and is named", "You have 14 days. A refund is guaranteed.", false, classify.Pass, []string{"refund is guaranteed"}},
		{"required", "You have 14 days. A refund is guaranteed.", true, classify.Fail, nil},
		{"required, and nothing is stated", "You have 14 days.", true, classify.Pass, nil},
		{"below the bar, which says it already", "A refund is guaranteed.", true, classify.Fail, nil},
	} {
		s := measured(t, "", []string{"14 days"}, []string{"refund is guaranteed"})
		s[0].Cases[0].CaseThreshold = new(0.8)
		p := plan(s, say(c.answer))
		p.Evaluator.Scoring.GroundingRequired = c.required
		got := run(t, p)[0].Classification
		if got.Primary != c.want || !slices.Equal(got.Details.StatedClaims, c.stated) {
			t.Errorf("%s: %s, states %q; want %s, %q", c.rule, got.Primary, got.Details.StatedClaims, c.want, c.stated)
		}
		if c.want == classify.Fail && (len(got.Details.Unmet) != 1 || !strings.Contains(got.Details.Unmet[0].Reason, "states “refund is guaranteed”")) {
			t.Errorf("%s: unmet %+v", c.rule, got.Details.Unmet)
		}
	}
	s := measured(t, "B7", nil, []string{"refund is guaranteed"})
	p := plan(s, say("A refund is guaranteed."))
	p.Evaluator.Semantic, p.Evaluator.Scoring.GroundingRequired = config.Semantic{Provider: "auto", OnUnavailable: config.Review}, true
	if got := run(t, p)[0].Classification; got.Primary != classify.Fail {
		t.Errorf("where the meaning cannot be compared: %s, want fail", got.Primary)
	}
}

func TestAScoreAboveItsBarOnlyByGroundingIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		rule  string
		facts []string
		bar   float64
		warns bool
	}{
		{"completeness alone misses the bar", []string{"14 days", "written notice"}, 0.7, true},
		{"completeness alone meets the bar", []string{"14 days"}, 0.7, false},
		{"both miss the bar", []string{"30 days", "written notice"}, 0.7, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := measured(t, "", c.facts, []string{"refund is guaranteed"})
			s[0].Cases[0].CaseThreshold = &c.bar
			got := run(t, plan(s, say("You have 14 days.")))[0]
			if slices.Contains(got.Warnings, score.WarnBelowFloor) != c.warns || got.ContentScore == nil {
				t.Errorf("warnings %v, overall %v, content %v; want a warning: %v", got.Warnings, *got.OverallScore, got.ContentScore, c.warns)
			}
		})
	}
}

func TestOptInScoresStandBesideTheAccuracy(t *testing.T) {
	slow := answers(func(_ context.Context, _ model.Request) (model.Response, error) {
		return model.Response{Text: "I'm sorry, but I can't help with that.", Latency: 2000e6}, nil
	})
	p := plan(suites(t, 1, 1), slow)
	if got := run(t, p)[0].Scores; got != (report.Scores{}) {
		t.Errorf("scores without an opt-in: %+v", got)
	}
	p.Evaluator.Scoring = config.Scoring{Penalties: map[string]float64{"refusal": 0.25}, Latency: &config.Latency{Good: 1000, Bad: 3000}}
	got := run(t, p)[0].Scores
	p.Head.Target = func(string) evaluate.Target { return evaluate.Target{Client: say("yes"), Concurrency: 1} }
	if got := run(t, p)[0].Scores; got.Accuracy != 1 || got.Penalty == nil || *got.Penalty != 1 || got.Latency != nil {
		t.Errorf("scores of a pass %+v, want no penalty", got)
	}
	if got.Accuracy != 0 || got.Penalty == nil || *got.Penalty != 0.75 || got.Latency == nil || *got.Latency != 0.5 {
		t.Errorf("scores %+v, want accuracy 0, penalty score 0.75, latency score 0.5", got)
	}
}

// A case that was added must not move the score of another one between the two sides.
func TestBothSidesOfASuiteShareACorpus(t *testing.T) {
	head, base := measured(t, "B7", nil, nil), measured(t, "B7", nil, nil)
	head[0].Cases.Add(*head[0].Cases[0])
	base[0].ID = "old"
	p := plan(head, say("The notice comes within fourteen days, in writing."))
	p.Base = &evaluate.Side{Suites: base, Target: p.Head.Target}
	p.Matches.SuiteIDs = map[string]string{"old": head[0].ID}
	p.Evaluator.Corpora = evaluate.NewCorpora(suite.Pairing{Matches: p.Matches, Bases: base, Heads: head})
	got := run(t, p)
	p.Evaluator.Corpora = nil
	if english := run(t, p); len(got) < 2 || *got[0].OverallScore != *got[1].OverallScore || *got[0].OverallScore == *english[0].OverallScore {
		t.Errorf("scores %v, %v, by English alone %v; want one of both sides and another by English", *got[0].OverallScore, *got[1].OverallScore, *english[0].OverallScore)
	}
	if got := evaluate.NewCorpora(suite.Pairing{Heads: suites(t, 2, 1)}); len(got) != 0 {
		t.Errorf("corpora of suites that compare no meaning: %v", got)
	}
}

// What is the expected answer word for word is held to the bar although no embedder is there, and nobody need look at
// it.
func TestTheExpectedAnswerItselfNeedsNoReview(t *testing.T) {
	p := plan(measured(t, "B7", []string{"14 days"}, nil), say(reference))
	p.Evaluator.Semantic = config.Semantic{Provider: "auto", OnUnavailable: config.Review}
	got := run(t, p)[0]
	if d := got.Classification.Details; d.NeedsReview || d.Unverified || got.PassedThreshold == nil || !*got.PassedThreshold || slices.Contains(got.Warnings, score.WarnSemanticUnavailable) {
		t.Errorf("%+v, passed the bar %v, warnings %v", got.Classification, got.PassedThreshold, got.Warnings)
	}
}

// The answer is cut at its length limit, and passes.
func TestACutAnswerIsWarnedOfWhereSomethingIsForbidden(t *testing.T) {
	forbidding := []*expect.Policy{expect.CompilePolicy("none", "", []*regexp.Regexp{regexp.MustCompile("never")})}
	absent, err := expect.CompileMatch("^[^$]*$", expect.ModeRegex)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule   string
		change func(c *suite.Case)
		want   bool
	}{
		{"nothing", func(*suite.Case) {}, false},
		{"by a policy", func(c *suite.Case) { c.Policies = forbidding }, true},
		{"by a probe", func(c *suite.Case) { c.Probe = &risk.Probe{} }, true},
		{"by a pattern that asks for its absence", func(c *suite.Case) { c.Expect = &expect.Expectation{Criteria: []*expect.Criterion{absent}} }, true},
		{"by a claim", func(c *suite.Case) { c.Measured = measured(t, "", nil, []string{"it is free"})[0].Cases[0].Measured }, true},
		{"nothing by a fact", func(c *suite.Case) { c.Measured = measured(t, "", []string{"yes"}, nil)[0].Cases[0].Measured }, false},
	} {
		base, head := suites(t, 1, 1), suites(t, 1, 1)
		base[0].Cases[0].Body.Keys.ExpectationKey = suite.Key{1}
		c.change(base[0].Cases[0])
		p := plan(head, nil)
		p.Head.Target = recordings(model.Response{Text: "yes", Finish: "length"})
		p.Base = &evaluate.Side{Suites: base, Target: p.Head.Target}
		for i, r := range run(t, p) { // the head's answer is judged by the base's expectation too
			if got := slices.Contains(r.Warnings, score.WarnAnswerTruncated); got != c.want || r.Classification.Primary != classify.Pass {
				t.Errorf("%s, side %d: %s with warnings %q", c.rule, i, r.Classification.Primary, r.Warnings)
			}
		}
	}
}
