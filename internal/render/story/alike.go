package story

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// Limits of what the story says about similar failures.
const (
	leastAlike        = 5 // failures of the smallest group; what fewer failures share may be chance
	groupsShown       = 3
	maxTerms          = 3   // typical words that are named for a group
	maxPrefixWords    = 6   // words of a common prefix
	maxPrefixFailures = 100 // failures of the largest group in which a common prefix is searched
)

// groups returns the first groups of failures that are large enough and have typical words, at most groupsShown.
func groups(v *Story) (out []observe.FailureGroup) {
	if v.Report.Observability == nil {
		return nil
	}
	for _, g := range v.Report.Observability.FailureGroups {
		if len(failuresOf(v, g)) >= leastAlike && len(g.Terms) > 0 && len(out) < groupsShown {
			out = append(out, g)
		}
	}
	return out
}

func failuresOf(v *Story, g observe.FailureGroup) []observe.CaseRef {
	if v.Compared {
		return g.New
	}
	return slices.Concat(g.New, g.StillFailing)
}

// failureShare returns n out of the number of all failures, such as "3 of 7". If the report has only a sample of the
// cases, the number of all is unknown, and failureShare returns n alone.
func failureShare(v *Story, n int) string {
	o := v.Report.Observability
	all := show.CountFunc(o.Points, func(p observe.Point) bool { return !p.Passed && (p.NewFailure || !v.Compared) })
	switch {
	case o.Total > o.Cases || all < n:
		return show.WithCommas(n)
	case all == n:
		return "All " + show.WithCommas(n)
	}
	return show.WithCommas(n) + " of " + show.WithCommas(all)
}

// groupSentence says how many failures the group g has and how they failed. Then it gives their common beginning or, if
// there is none, the typical words of the group.
func groupSentence(v *Story, g observe.FailureGroup) show.Phrase {
	text := failureShare(v, len(failuresOf(v, g))) + show.If(v.Compared, " new failures ", " failing cases ") +
		show.SharedCause(classify.Category(g.FailureMode))
	if begin := commonPrefix(v, g); begin != "" {
		return show.Phrasef("%v: all begin with %v", text, show.Quote(begin))
	}
	return show.Phrasef("%v: what marks them is %v", text, show.Quotes(", ", g.Terms[:min(len(g.Terms), maxTerms)]))
}

// commonPrefix returns the first words that all wrong answers of the group g share. It returns "" if there is no base,
// or if the base's answer to one of the cases begins with the same word.
func commonPrefix(v *Story, g observe.FailureGroup) string {
	refs := failuresOf(v, g)
	if len(refs) > maxPrefixFailures || !v.Compared { // passing answers may begin like that too
		return ""
	}
	var common []string
	for i, ref := range refs {
		c, _ := v.Find(ref.SuiteID, ref.CaseID)
		if !slices.Contains([]report.Kind{report.KindRegressed, report.KindFell, report.KindFailing}, c.Kind) {
			return ""
		}
		words := strings.Fields(string(c.Head.Excerpt))
		if i == 0 {
			common = words[:min(len(words), maxPrefixWords)]
		}
		n := 0
		for n < min(len(common), len(words)) && common[n] == words[n] {
			n++
		}
		if common = common[:n]; n == 0 || c.Base != nil && strings.HasPrefix(string(c.Base.Excerpt), common[0]) {
			return ""
		}
	}
	return strings.Join(common, " ")
}
