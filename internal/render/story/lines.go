package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// LineFinding says which changed lines broke something. It is one sentence for all cases with the same finding.
type LineFinding struct {
	Phrase  show.Phrase
	Regions []report.Region // the lines that Phrase names; empty if the cause is unknown
	Cases   []string        // names of the cases, in order
}

// lineFindings returns in words which lines broke cases, or nil if no explanation was requested.
func lineFindings(v *Story) (out []LineFinding) {
	e := v.Report.Explanation
	if e == nil {
		return nil
	}
	findingKey := func(c report.ExplainedCase) string {
		return fmt.Sprint(c.Outcome, c.Causes, c.Right, c.Asked, c.Why, c.NarrowedTo)
	}
	for _, cases := range GroupBy(e.Cases, findingKey) {
		var finding LineFinding
		for _, c := range cases {
			finding.Cases = append(finding.Cases, show.Case(c.SuiteID, c.CaseID))
		}
		finding.Phrase = findingPhrase(e, cases[0], finding.Cases)
		if cases[0].Outcome == report.ExplainElsewhere {
			finding.Phrase = append(finding.Phrase, otherCause(v, cases[0].SuiteID)...)
		}
		for _, cause := range cases[0].Causes {
			for _, part := range cause.Parts {
				finding.Regions = append(finding.Regions, regionsOf(e, part)...)
			}
		}
		out = append(out, finding)
	}
	if r := e.Remedy; r != nil {
		out = append(out, LineFinding{Phrase: remedyOf(e, r)})
	}
	if e.NotSearched > 0 {
		out = append(out, LineFinding{Phrase: show.Phrasef("%v more broken %v not looked at.", e.NotSearched,
			show.Agree(e.NotSearched, "case was", "cases were"))})
	}
	return out
}

// otherCause says what else changed in the request of a case if no line of a prompt broke the case: settings of the
// target, or the model. It returns nil if neither changed.
func otherCause(v *Story, suiteID string) show.Phrase {
	changed := len(targetChanges(v)) > 0
	for _, s := range v.Report.Suites {
		changed = changed || s.SuiteID == suiteID && slices.ContainsFunc(s.Why, func(r report.ScopeReason) bool {
			return r.Why == "model changed" || r.Why == "target changed"
		})
	}
	return show.LiteralPhrase(show.When(changed, " What changed is who is asked, or how."))
}

// regionsOf returns the places of the part p of the change. It skips hunks that a stored report lacks.
func regionsOf(e *report.Explanation, p report.ExplainPart) (out []report.Region) {
	for _, h := range p.Hunks {
		if h >= 0 && h < len(e.Hunks) {
			out = append(out, e.Hunks[h].Regions...)
		}
	}
	return out
}

func findingPhrase(e *report.Explanation, c report.ExplainedCase, ids []string) show.Phrase {
	names := quotedList(ids)
	are, them := show.Agree(len(ids), "is", "are"), show.Agree(len(ids), "it", "them")
	switch c.Outcome {
	case report.ExplainFound, report.ExplainOnlyHunk:
		if len(c.Causes) > 0 && allOf(c.Causes, func(x report.ExplainCause) bool { return len(x.Parts) > 0 }) {
			return provenCause(e, c, names)
		}
	case report.ExplainElsewhere:
		if c.Asked == 0 {
			return show.Phrasef("No changed line of a prompt is in what %v %v asked.", names, are)
		}
		return show.Phrasef("%v %v wrong with every changed line of the prompts taken back as well: %v right. "+
			"Something else broke %v.", names, are, fraction(c.Right, c.Asked), them)
	case report.ExplainNotBroken:
		return show.Phrasef("%v %v not broken: %v right.", names, are, fraction(c.Right, c.Asked))
	}
	return show.Phrasef("Which line broke %v could not be told%v%v", names, whyUntold(e, c),
		narrowedLines(e, c.NarrowedTo))
}

// remedyOf returns in words what happens if the lines that broke cases are reverted: how many of the broken cases pass
// again, and which other cases get worse.
func remedyOf(e *report.Explanation, r *report.Remedy) show.Phrase {
	var names []string
	for _, c := range r.Worse {
		names = append(names, show.Case(c.Suite, c.Case))
	}
	others := show.LiteralPhrase(fmt.Sprintf("; nothing else got worse (%d asked).", r.Asked))
	switch {
	case r.Asked == 0:
		others = show.LiteralPhrase(".")
	case len(names) > 0:
		others = show.Phrasef("; of %v others asked, %v got worse: %v.", r.Asked, len(names), quotedList(names))
	}
	return show.Phrasef("Taking back %v alone mends %v broken %v%v", places(regionsOf(e, report.ExplainPart{Hunks: r.Hunks})),
		fraction(r.Fixed, r.Broken), show.Agree(r.Broken, "case", "cases"), others)
}

// narrowedLines returns a sentence with the places to which the search had narrowed the cause when it stopped, or nil.
func narrowedLines(e *report.Explanation, hunks []int) show.Phrase {
	all := regionsOf(e, report.ExplainPart{Hunks: hunks})
	switch n := len(all); {
	case n == 0:
		return nil
	case n > maxStepNames:
		return show.LiteralPhrase(" The search had come to " + show.Count(n, "place") + ".")
	default:
		return show.Phrasef(" The search had come to %v.", places(all))
	}
}

func whyUntold(e *report.Explanation, c report.ExplainedCase) show.Phrase {
	switch c.Why {
	case report.ExplainBudget:
		return show.Phrasef(" with %v.", show.Count(e.MaxAnswers, "answer"))
	case report.ExplainUnproven:
		return show.Phrasef(" with %v: they do not prove it of any.", show.Count(c.Answers, "answer"))
	case report.ExplainUnreadable:
		return show.LiteralPhrase(": with some of the lines taken back there is no prompt that can be read.")
	}
	if e.Ended == "" {
		return show.LiteralPhrase(".")
	}
	return show.Phrasef(": %v.", show.Message(e.Ended))
}

// fraction returns two counts in words, such as "7 of 8".
func fraction(right, asked int) string { return fmt.Sprintf("%d of %d", right, asked) }

// provenCause returns in words what broke the cases names: one part of the change, several parts together, or each of
// several causes.
func provenCause(e *report.Explanation, c report.ExplainedCase, names show.Phrase) show.Phrase {
	parts := func(cause report.ExplainCause) show.Phrase {
		return joinList(cause.Parts, "and", func(part report.ExplainPart) show.Phrase { return places(regionsOf(e, part)) })
	}
	if len(c.Causes) > 1 {
		return show.Phrasef("Each of these alone broke %v: %v.", names, joinList(c.Causes, "or", parts))
	}
	first := c.Causes[0]
	wrong := fraction(first.Right, first.Asked)
	if len(first.Parts) > 1 {
		return show.Phrasef("%v broke %v together: with them alone %v right.", parts(first).Capital(), names, wrong)
	}
	return show.Phrasef("%v broke %v: without this change %v right, with it alone %v.", parts(first).Capital(), names,
		fraction(first.Parts[0].Right, first.Parts[0].Asked), wrong)
}

// places returns the places of changed lines in words: "lines 4–6 of `prompts/a.md`".
func places(all []report.Region) show.Phrase {
	return joinList(all, "and", func(r report.Region) show.Phrase {
		switch path := show.Quote(r.Path); {
		case r.Last < r.First:
			removed := quoted(r)
			if removed == nil {
				removed = show.LiteralPhrase(show.Count(r.BaseLast-r.BaseFirst+1, "line"))
			}
			return show.Phrasef("the removal of %v before line %v of %v", removed, r.First, path)
		case r.Words != "":
			return changedWords(r)
		case r.First == r.Last:
			return show.Phrasef("line %v of %v", r.First, path)
		default:
			return show.Phrasef("lines %v–%v of %v", r.First, r.Last, path)
		}
	})
}

// quotedRunes is the largest number of runes that are quoted of the words that changed in a line.
const quotedRunes = 120

// changedWords returns the part r of a line in words: "the words `Be kind.` in line 2 of `prompts/a.md`".
func changedWords(r report.Region) show.Phrase {
	words := show.LiteralPhrase("white space")
	if text := quoted(r); text != nil {
		words = show.Phrasef("words %v", text)
	}
	if r.Removed {
		return show.Phrasef("the removal of the %v from line %v of %v", words, r.First, show.Quote(r.Path))
	}
	return show.Phrasef("the %v in line %v of %v", words, r.First, show.Quote(r.Path))
}

// quoted returns the words of r as a quotation, or nil if there are none.
func quoted(r report.Region) show.Phrase {
	if text := strings.TrimSpace(string(r.Words)); text != "" {
		return show.Phrase{show.Quote(show.ShortName(text, quotedRunes))}
	}
	return nil
}
