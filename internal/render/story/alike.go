package story

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// How much is said of failures that look alike.
const (
	leastAlike    = 5 // failures of a group: what fewer share may be chance
	groupsShown   = 3
	termsNamed    = 3   // words that mark a group
	beginWords    = 6   // of the beginning that its answers share
	beginFailures = 100 // that are looked at for one
)

// groups are the groups worth a line: some failures, with a name.
func groups(v *view.View) (out []observe.FailureGroup) {
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

func failuresOf(v *view.View, g observe.FailureGroup) []observe.CaseRef {
	if v.Compared {
		return g.New
	}
	return slices.Concat(g.New, g.Still)
}

// someOf sets a number against that of all failures, which is unknown in a sample.
func someOf(v *view.View, n int) string {
	o := v.Report.Observability
	all := show.Tally(o.Points, func(p observe.Point) bool { return !p.Passed && (p.New || !v.Compared) })
	switch {
	case o.Of > o.Cases || all < n:
		return show.Grouped(n)
	case all == n:
		return "All " + show.Grouped(n)
	}
	return show.Grouped(n) + " of " + show.Grouped(all)
}

// groupSentence says how many failures a group holds, what they have in common, and how their answers begin or which
// words mark them.
func groupSentence(v *view.View, g observe.FailureGroup) show.Phrase {
	text := someOf(v, len(failuresOf(v, g))) + show.If(v.Compared, " new failures ", " failing cases ") +
		show.AlikeOf(classify.Category(g.Mode))
	if begin := beginning(v, g); begin != "" {
		return show.Phrasef("%v: all begin with %v", text, show.Quote(begin))
	}
	return show.Phrasef("%v: what marks them is %v", text, show.Quotes(", ", g.Terms[:min(len(g.Terms), termsNamed)]))
}

// beginning returns the words with which all answers of a group begin, and none of the answers before; "" for none.
func beginning(v *view.View, g observe.FailureGroup) string {
	refs := failuresOf(v, g)
	if len(refs) > beginFailures || !v.Compared { // passing answers may begin so too
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
			common = words[:min(len(words), beginWords)]
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
