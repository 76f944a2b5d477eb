package sides

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// CaseFilter selects some cases of the suites in scope. The zero value selects all.
type CaseFilter struct {
	Cases   []string              // patterns of id or suite/id, with * for any text; nil: all cases
	Targets []string              // names of targets; nil: all targets
	Failed  map[suiteid.Name]bool // cases that failed in an earlier run; nil: all cases
	ids     *regexp.Regexp        // matches what Cases match; nil: all cases
}

// Flags returns the filter as command-line flags, or "" if it selects all cases.
func (f CaseFilter) Flags() string {
	var flags []string
	for _, pattern := range f.Cases {
		flags = append(flags, "--case "+pattern)
	}
	for _, name := range f.Targets {
		flags = append(flags, "--target "+name)
	}
	if f.Failed != nil {
		flags = append(flags, "--failed")
	}
	return strings.Join(flags, " ")
}

// includes reports whether the filter selects the case name, whose suite has the given target.
func (f CaseFilter) includes(target string, name suiteid.Name) bool {
	if len(f.Targets) > 0 && !slices.Contains(f.Targets, target) || f.Failed != nil && !f.Failed[name] {
		return false
	}
	id := suiteid.AuthorID(name.Suite) + "/" + name.Case
	return f.ids == nil || f.ids.MatchString(name.Case) || f.ids.MatchString(id)
}

// selectCases removes from both sides the cases that the caller did not select, and returns a warning that says how
// many ran. A base case is selected by its name on the head. If no case of the head is left, selectCases returns a
// fault.Input.
func selectCases(b *Sides) ([]report.Warning, error) {
	only, all := b.Inputs.Filter, CountCases(b.Selected[suite.Head])
	if only.Flags() == "" || all == 0 {
		return nil, nil
	}
	if len(only.Cases) > 0 {
		parts := make([]string, len(only.Cases))
		for i, pattern := range only.Cases {
			parts[i] = strings.ReplaceAll(regexp.QuoteMeta(strings.ToValidUTF8(pattern, "\uFFFD")), `\*`, ".*")
		}
		only.ids = regexp.MustCompile(`^(?s:` + strings.Join(parts, "|") + `)$`)
	}
	matches := map[suite.Side]suiteid.Matches{suite.Base: b.Pairs.Matches} // the head has its own names
	for at, suites := range b.Selected {
		b.Selected[at] = only.filter(suites, matches[at])
	}
	left := CountCases(b.Selected[suite.Head])
	if left == 0 {
		first := b.Head.Suites[0]
		example := exampleCase(b.Head.Suites, only.Cases)
		return nil, fault.Inputf("%s: none of %s is left to run; expected names of cases or targets of the suites, "+
			"such as --case %s or --target %s",
			only.Flags(), text.Count(all, "case"), document.Quote(example), document.Quote(first.Target))
	}
	return []report.Warning{{Code: report.WarnOnlySome, Message: fmt.Sprintf("only %d of %s ran, by %s", left,
		text.Count(all, "case"), only.Flags())}}, nil
}

// exampleCase returns the case of the suites whose id is like one of these patterns or contains it, else the first.
func exampleCase(suites []*suite.Suite, patterns []string) string {
	var ids []string
	for _, one := range suites {
		for i := range one.Cases {
			ids = append(ids, one.Cases[i].ID)
		}
	}
	for _, pattern := range patterns {
		word := strings.ToLower(path.Base(strings.Trim(pattern, "*")))
		if like, ok := text.Suggest(word, ids); ok {
			return like
		}
		contains := func(id string) bool { return strings.Contains(strings.ToLower(id), word) }
		if i := slices.IndexFunc(ids, contains); i >= 0 {
			return ids[i]
		}
	}
	return ids[0]
}

// filter returns copies of the suites with only their selected cases. It leaves out suites with no selected case.
// The filter selects cases by their names on the head, which matches has.
func (f CaseFilter) filter(suites []*suite.Suite, matches suiteid.Matches) (left []*suite.Suite) {
	for _, one := range suites {
		some := *one
		some.Cases = one.Cases.Where(func(c *suite.Case) bool {
			return f.includes(one.Target, matches.HeadName(one.ID, c.ID))
		})
		if len(some.Cases) > 0 {
			left = append(left, &some)
		}
	}
	return left
}
