package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// SeverityWord shows a severity in Markdown; what is none, in a report that somebody wrote by hand, is code.
func SeverityWord(s string) string {
	switch s {
	case "critical", "high":
		return Bold(s)
	case "medium", "low":
		return s
	}
	return NameCode(s)
}

// Outcome shows one side of a case: its category, and how many of its trials passed where there are several.
func Outcome(o *report.Outcome, strong bool) string {
	if o == nil {
		return Absent
	}
	return Category(o, strong) + When(o.Trials > 1, fmt.Sprintf(" %d/%d", o.Passed, o.Trials))
}

// Category shows what an outcome is; what is no category, in a report that somebody wrote by hand, is code.
func Category(o *report.Outcome, strong bool) string {
	switch {
	case !slices.Contains(classify.Categories[:], o.Primary):
		return NameCode(string(o.Primary))
	case strong && o.Primary != classify.Pass:
		return Bold(WordOf(o))
	}
	return WordOf(o)
}

// Bold sets a figure or words of ours in bold type.
func Bold(text string) string {
	if text == Absent || text == "" {
		return text
	}
	return "**" + text + "**"
}

// PlainOutcome is one side of a case, as plain text.
func PlainOutcome(o *report.Outcome) string { return strings.ReplaceAll(Outcome(o, false), "`", "") }

// Severities lists them, the least first.
var Severities = []string{"low", "medium", "high", "critical"}

// Suite names a suite in words: its id and, where it names several targets, the one that answers. The text is somebody else's still.
func Suite(id string) string { return answered(suiteid.Split(id)) }

// Case names a case in words, where its suite does not stand beside it: its id and, where its suite names several targets, the one that
// answers. The text is somebody else's still.
func Case(suiteID, caseID string) string {
	_, target := suiteid.Split(suiteID)
	return answered(caseID, target)
}

func answered(name, target string) string {
	return name + When(name != "" && target != "", " · "+target)
}
