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
			return show.Phrasef("%v %v asked the same with every changed line of the prompts taken back: none of them broke %v.",
				names, are, them)
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

// narrowedLines returns a sentence with the lines to which the search had narrowed the cause when it stopped, or nil.
func narrowedLines(e *report.Explanation, hunks []int) show.Phrase {
	var files []report.Region // one region for each file, from its first line to its last
	for _, r := range regionsOf(e, report.ExplainPart{Hunks: hunks}) {
		at := slices.IndexFunc(files, func(f report.Region) bool { return f.Path == r.Path })
		if at < 0 {
			files = append(files, r)
			continue
		}
		files[at].First, files[at].Last = min(files[at].First, r.First), max(files[at].Last, r.Last)
		files[at].Words, files[at].Removed = "", false
	}
	if len(files) == 0 {
		return nil
	}
	return show.Phrasef(" The search had come to %v%v.", show.When(len(hunks) > 1, "a part of "), places(files))
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

func fraction(right, asked int) string { return fmt.Sprintf("%d of %d", right, asked) }

func provenCause(e *report.Explanation, c report.ExplainedCase, names show.Phrase) show.Phrase {
	first := c.Causes[0]
	switch {
	case len(c.Causes) > 1:
		these := joinList(c.Causes, "or", func(cause report.ExplainCause) show.Phrase {
			return show.Phrasef("%v%v", parts(e, cause), show.When(len(cause.Parts) > 1, " together"))
		})
		return show.Phrasef("Any one of these breaks %v: %v.", names, these)
	case len(first.Parts) > 1:
		return show.Phrasef("Not one line: %v together break %v: with them alone %v right.", parts(e, first), names,
			fraction(first.Right, first.Asked))
	}
	right, wrong := fraction(first.Parts[0].Right, first.Parts[0].Asked), fraction(first.Right, first.Asked)
	lines := regionsOf(e, first.Parts[0])
	several := isPlural(lines)
	breaks := show.If(several, "break", "breaks")
	if c.Outcome == report.ExplainOnlyHunk {
		return show.Phrasef("%v %v %v: nothing else changed in what is asked, %v right before and %v now.",
			places(lines).Capital(), breaks, names, right, wrong)
	}
	it := show.If(several, "them", "it")
	if allOf(lines, removal) { // "it" could be the lines
		it = show.Agree(len(lines), "the removal", "these removals")
	}
	return show.Phrasef("%v %v %v: without %v %v right, with %v alone %v.", places(lines).Capital(), breaks, names, it, right, it,
		wrong)
}

func parts(e *report.Explanation, c report.ExplainCause) show.Phrase {
	return joinList(c.Parts, "and", func(part report.ExplainPart) show.Phrase { return places(regionsOf(e, part)) })
}

// isPlural reports whether the words for the places are plural.
func isPlural(all []report.Region) bool {
	return len(all) != 1 || !removal(all[0]) && (quoted(all[0]) != nil || all[0].Last > all[0].First)
}

// removal reports whether the change only removed lines or words at r.
func removal(r report.Region) bool { return r.Removed || r.Last < r.First }

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
