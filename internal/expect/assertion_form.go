package expect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Forms are the names of the named assertions. Each also exists with the prefix not_.
var Forms = []string{"contains", "icontains", "contains_any", "contains_all", "starts_with", "regex"}

// CompileForm compiles a named assertion such as contains or not_contains. contains_any and contains_all take one or
// more texts, the others one. The error is a *CompileError with the place in the text.
func CompileForm(name string, texts []string) (*Assertion, error) {
	form, negative := strings.CutPrefix(name, "not_")
	switch {
	case !slices.Contains(Forms, form):
		return nil, faultf(0, "unknown assertion %s; expected an expression, or one of %s, with not_ before it "+
			"where it must not be so", quoteTruncated(name), strings.Join(Forms, ", "))
	case len(texts) == 0 || len(texts) > 1 && form != "contains_any" && form != "contains_all":
		return nil, faultf(0, "%s takes one text; got %d", name, len(texts))
	}
	wanted := texts
	if negative { // with composed accents, as in most views that negate searches
		wanted = make([]string, len(texts))
		for i, text := range texts {
			wanted[i] = norm.NFC.String(text)
		}
	}
	as, err := newForm(form, wanted)
	if err != nil {
		return nil, err
	}
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	as.source, as.negative = name+" "+strings.Join(quoted, ", "), negative
	if negative {
		as.form = negate(as.form, as.pattern, slices.ContainsFunc(texts, hasSpace))
	}
	return as, nil
}

// String returns an expression as written, or a form's name and texts.
func (as *Assertion) String() string { return as.source }

// AlwaysTrue reports whether the result is the same for every answer, which is probably a mistake.
func (as *Assertion) AlwaysTrue() bool { return as.alwaysTrue }

// newForm compiles a form. Its name must not have the prefix not_.
func newForm(form string, texts []string) (*Assertion, error) {
	mode := map[string]string{"contains": ModeContains, "contains_any": ModeContains, "contains_all": ModeContains,
		"icontains": ModeContainsFold, "regex": ModeRegex}[form]
	if form == "starts_with" {
		want := strings.TrimSpace(normalizeLineFeeds(texts[0]))
		return &Assertion{alwaysTrue: want == "", form: func(a *Answer) string {
			if got := strings.TrimSpace(normalizeLineFeeds(a.Text)); !strings.HasPrefix(got, want) {
				return difference(want, got)
			}
			return ""
		}}, nil
	}
	matches, alwaysTrue := make([]*Match, len(texts)), 0
	for i, text := range texts {
		m, err := CompileMatch(text, mode)
		if err != nil {
			return nil, err
		}
		if matches[i] = m; m.AlwaysTrue() {
			alwaysTrue++
		}
	}
	switch form {
	case "contains_any":
		return &Assertion{alwaysTrue: alwaysTrue > 0, form: func(a *Answer) string {
			if slices.ContainsFunc(matches, func(m *Match) bool { return m.mismatch(a) == "" }) {
				return ""
			}
			return "none of them is contained"
		}}, nil
	case "contains_all":
		return &Assertion{alwaysTrue: alwaysTrue == len(matches), form: func(a *Answer) string {
			for _, m := range matches {
				if why := m.mismatch(a); why != "" {
					return fmt.Sprintf("%s is %s", quoteTruncated(m.expected), why)
				}
			}
			return ""
		}}, nil
	}
	return &Assertion{form: matches[0].mismatch, alwaysTrue: alwaysTrue > 0, pattern: matches[0].pattern}, nil
}

// negate returns the opposite of a form, which is met if no view of the answer meets the form. It is not met if a view
// is too long to search.
func negate(check checkFunc, p *pattern, includeFlowing bool) checkFunc {
	return func(a *Answer) string {
		for view := range a.views(includeFlowing) {
			if why := p.costFault(view.Text); why != "" {
				return notEvaluated(why)
			}
			switch why := check(view); {
			case why == "" && view == a:
				return "the answer does so"
			case why == "":
				return "the answer does so in its reasoning text, as shown on a page, or with its escapes decoded"
			}
		}
		return ""
	}
}
