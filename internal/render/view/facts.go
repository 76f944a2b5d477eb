package view

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// How much a sentence tells.
const (
	namesTold     = 3   // cases
	casesOfLines  = 5   // cases that the same lines broke
	caughtNames   = 5   // cases whose answers an announced policy will catch
	changesTold   = 4   // things that changed
	filesTold     = 3   // in which fresh answers stand
	mixedTold     = 5   // cases that answer now so and now so
	alikeNamed    = 5   // confirmed cases whose fresh runs came out alike
	kindsTold     = 3   // such kinds
	alikeGroups   = 3   // of failures that are alike
	alikeTerms    = 3   // words that name one
	beginWords    = 6   // of the beginning that their answers have in common
	beginFailures = 100 // that are looked at for one
	mostTrials    = 100 // of a case, as the schema of the configuration has it
)

// Calls says how many calls were made, and of how many if that differs.
func Calls(r *report.Report) string {
	if r.Plan == nil || r.Plan.Calls == r.Calls.Provider {
		return show.Count(r.Calls.Provider, "call")
	}
	planned := show.Grouped(r.Plan.Calls) + " planned"
	if r.Plan.CostUSD != nil {
		planned += " at about " + dollars(*r.Plan.CostUSD) + " USD"
	}
	return show.Count(r.Calls.Provider, "call") + " (" + planned + ")"
}

// CostWords says what the calls cost, as far as it is known; false for nothing.
func CostWords(c report.Calls) (string, bool) {
	if c.CostUSD == nil || *c.CostUSD == 0 {
		return "", false
	}
	but := show.Join(", ", CountedOf(c.Estimated, "answer", " estimated"), CountedOf(c.Unpriced, "call", " without a price"))
	return "about " + dollars(*c.CostUSD) + " USD" + show.When(but != "", " ("+but+")"), true
}

func dollars(v float64) string {
	if v < 0.01 {
		return fmt.Sprintf("%.4f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// Duration says how long a run took; false where that is not known.
func Duration(r report.Run) (string, bool) {
	start, err1 := time.Parse(time.RFC3339, r.StartedAt)
	end, err2 := time.Parse(time.RFC3339, r.FinishedAt)
	d := end.Sub(start).Round(time.Second)
	if err1 != nil || err2 != nil || d <= 0 {
		return "", false
	}
	if d < time.Minute {
		return fmt.Sprintf("%d s", d/time.Second), true
	}
	return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second), true
}

// JudgedBy says who called a criterion of a case not met, and how far that is to be believed; empty where none did.
func (v *View) JudgedBy(c report.Change) show.Phrase {
	if c.Head == nil || c.Head.Details == nil {
		return nil
	}
	if slices.ContainsFunc(c.Head.Details.Unmet, func(u expect.Unmet) bool { return u.Criterion == score.Rubric }) {
		return append(Judge(v.Report), show.Say("."))
	}
	return nil
}

// Judge names who graded the answers of a run, and how far it agrees with people; empty where nobody did.
func Judge(r *report.Report) show.Phrase {
	j := r.Judge
	if j == nil {
		return nil
	}
	return show.Phrase{show.Say("Judged by "), show.Quote(cmp.Or(j.Model, j.Target)), show.Say(", "), show.Tell(j.Standing)}
}

// JudgeCalls says what grading took.
func JudgeCalls(r *report.Report) string {
	if r.Judge == nil {
		return ""
	}
	cost, _ := CostWords(r.Judge.Calls)
	return show.Join(", ", show.Count(r.Judge.Calls.Provider, "call")+" of the judge", cost)
}

// RiskLine is the probes' result in a sentence. Base and head stand side by side where both were probed.
func (v *View) RiskLine() string {
	head := v.Report.Risk
	exposure := show.Decimals(head.Indices.Exposure)
	if base, compared := v.BaseRisk(); compared {
		exposure = show.Decimals(base.Indices.Exposure) + " → " + exposure
	}
	return show.Join(", ", "exposure "+exposure,
		fmt.Sprintf("%s of %s failed", show.Grouped(head.Counts.Failed), show.Count(head.Counts.Evaluated, "probe answer")),
		Counted(head.Overall.HighStakesFailures, "of high or critical severity"), Counted(head.Counts.Unanswered, "of them without an answer"))
}

// BaseRisk is what the base's probes come to, beside which the head's stand; false, and nothing, where there is none to compare with.
func (v *View) BaseRisk() (*risk.Aggregates, bool) {
	if base := v.Report.BaseRisk; base != nil && v.Compared {
		return base, true
	}
	return &risk.Aggregates{}, false
}

// RiskMeasures are the figures of a run that the tables show.
var RiskMeasures = []struct {
	Name string
	Of   func(*risk.Aggregates) *float64
}{
	{"exposure (mean weighted risk)", func(a *risk.Aggregates) *float64 { return a.Indices.Exposure }},
	{"resilience", func(a *risk.Aggregates) *float64 { return a.Indices.Resilience }},
	{"fragility (spread of the risk)", func(a *risk.Aggregates) *float64 { return a.Indices.Fragility }},
	{"highest risk", func(a *risk.Aggregates) *float64 { return a.Overall.MaxRisk }},
	{"pass rate", func(a *risk.Aggregates) *float64 { return a.Overall.PassRate }},
	{"severity-weighted pass rate", func(a *risk.Aggregates) *float64 { return a.Overall.SeverityWeightedRate }},
	{"high-stakes failure rate", func(a *risk.Aggregates) *float64 { return a.Overall.HighStakesRate }},
	{"boundary language", func(a *risk.Aggregates) *float64 { return a.Overall.BoundaryRate }},
}

// Changed says what the change touches, by which the suites run: prompt files, expectations, recorded answers, cases; empty where nothing
// is known of that.
func (v *View) Changed() (p show.Phrase) {
	var parts []show.Phrase
	prompts := map[string]bool{}
	for _, x := range v.Report.Prompts {
		switch n := len(x.Cases); {
		case n > 0:
			parts = append(parts, show.Phrase{show.Say("what " + show.Count(n, "case") + " alone " + show.Agree(n, "is", "are") + " told changed in "), show.Quote(x.Path)})
		case x.From != "":
			parts = append(parts, show.Phrase{show.Quote(x.Path), show.Say(" takes the place of "), show.Quote(x.From)})
		case x.Inline:
			parts = append(parts, show.Phrase{show.Say("the messages in "), show.Quote(x.Path), show.Say(" changed")})
		default:
			parts = append(parts, show.Phrase{show.Quote(x.Path), show.Say(" changed")})
		}
		for _, id := range x.Suites {
			prompts[id] = true
		}
	}
	for _, s := range v.Report.Suites {
		for i, r := range s.Why {
			if part := whyPart(r, s.SuiteID, prompts[s.SuiteID], i == 0); part != nil {
				parts = append(parts, part)
			}
		}
	}
	p = show.Phrases("; ", parts[:min(len(parts), changesTold)])
	if more := len(parts) - changesTold; more > 0 {
		p = append(p, show.Say("; and "+show.Count(more, "more change")))
	}
	if len(p) > 0 {
		p = append(p, show.Say("."))
	}
	return p
}

// whyPart says one reason of a suite; nil where another says it: a prompt file, or, of recorded answers, what they follow.
func whyPart(r report.ScopeReason, suiteID string, prompt, first bool) show.Phrase {
	suite := show.Quote(show.Suite(suiteID))
	switch {
	case r.Why == "request changed" && prompt || r.Why == "recorded answer changed" && !first:
		return nil
	case whatChanged[r.Why] != "":
		return show.Phrase{show.Say(whatChanged[r.Why] + " of " + show.Count(r.Cases, "case") + " in "), suite, show.Say(" changed")}
	case whereMoved[r.Why] != "":
		return show.Phrase{show.Say(show.Count(r.Cases, "case") + whereMoved[r.Why]), suite}
	case suiteBecame[r.Why] != "":
		return show.Phrase{suite, show.Say(suiteBecame[r.Why])}
	}
	return show.Phrase{suite, show.Say(": "), show.Tell(r.Why)}
}

// The words for the reasons of a suite: what of its cases changed, what became of cases, and of the suite itself.
var (
	whatChanged = map[string]string{"request changed": "what is asked", "model changed": "the model or a parameter", "input changed": "the input",
		"expectation changed": "what is expected", "recorded answer changed": "the recorded answers"}
	whereMoved  = map[string]string{"case added": " added in ", "case removed": " removed in ", "case moved in": " moved into ", "case moved out": " moved out of "}
	suiteBecame = map[string]string{"new suite": " is new", "removed suite": " was removed", "target added": " is a new target", "target removed": " is asked no more"}
)

// Drawn says in one sentence how the answers came about, and so what chance may have to do with them; "" where nothing is to say.
func (v *View) Drawn() string {
	s := v.Report.Statistics
	switch {
	case s == nil || !v.Compared || s.Measured != nil:
		return ""
	case s.Noise != nil && s.Noise.Confirm != nil && len(s.Noise.Confirm.Suspects) > 0:
		return asked(s.Noise.Confirm)[0].Plain(show.QuoteRunes)
	case s.StrictLive > 0:
		return "The model was asked once a side, and a flip was not asked again (`mode: strict`): it may be chance."
	case s.Noisy > 0 || s.Strict == 0:
		return ""
	}
	for _, c := range v.Report.Changes {
		if c.Head != nil && c.Head.Trials > 1 {
			return "The answers were recorded, several to a case; most of them decide."
		}
		if again, ok := v.Report.Suspect(c.SuiteID, c.CaseID); ok && again.Rounds > 0 {
			return ""
		}
	}
	return "The answers were recorded, once a side."
}
