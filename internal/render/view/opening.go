package view

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// changesTold is how many things that changed the opening names.
const changesTold = 4

// Changed says what the change touches, by which the suites run: prompt files, expectations, recorded answers, cases; empty where nothing
// is known of that.
func (v *View) Changed() (p show.Phrase) {
	var parts []show.Phrase
	prompts := map[string]bool{}
	for _, x := range v.Report.Prompts {
		switch n := len(x.Cases); {
		case n > 0:
			parts = append(parts, show.Phrase{show.Say("what " + show.Count(n, "case") + " alone " + show.Agree(n, "is", "are") + " told changed in "), show.Quote(x.Path)})
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
	switch r.Why {
	case "request changed", "model changed", "input changed", "expectation changed", "recorded answer changed":
		if r.Why == "request changed" && prompt || r.Why == "recorded answer changed" && !first {
			return nil
		}
		what := map[string]string{"request changed": "what is asked", "model changed": "the model or a parameter", "input changed": "the input", "expectation changed": "what is expected",
			"recorded answer changed": "the recorded answers"}[r.Why]
		return show.Phrase{show.Say(what + " of " + show.Count(r.Cases, "case") + " in "), suite, show.Say(" changed")}
	case "case added", "case removed":
		return show.Phrase{show.Say(show.Count(r.Cases, "case") + " " + strings.TrimPrefix(r.Why, "case ") + " in "), suite}
	case "case moved in", "case moved out":
		where := map[string]string{"case moved in": " moved into ", "case moved out": " moved out of "}[r.Why]
		return show.Phrase{show.Say(show.Count(r.Cases, "case") + where), suite}
	case "new suite", "removed suite", "target added", "target removed":
		verb := map[string]string{"new suite": " is new", "removed suite": " was removed", "target added": " is a new target", "target removed": " is asked no more"}[r.Why]
		return show.Phrase{suite, show.Say(verb)}
	}
	return show.Phrase{suite, show.Say(": "), show.Tell(r.Why)}
}

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
	for _, c := range v.Report.Changes.All() {
		if c.Head != nil && c.Head.Trials > 1 {
			return "The answers were recorded, several to a case; most of them decide."
		}
		if again, ok := v.Report.Suspect(c.SuiteID, c.CaseID); ok && again.Rounds > 0 {
			return ""
		}
	}
	return "The answers were recorded, once a side."
}
