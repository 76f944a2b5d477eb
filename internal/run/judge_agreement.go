package run

import (
	"fmt"
	"io"
	"strings"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/render/show"
)

// Print prints the figures, then the disagreements.
func (c JudgeCheck) Print(w io.Writer) {
	for _, one := range []struct {
		words string
		kind  judge.Kind
	}{{"agrees with people", c.All()}, {"of what they call met", c.Met}, {"of what they call not met", c.Unmet}} {
		if one.kind.Labels == 0 {
			fmt.Fprintf(w, "%-26s no label has a verdict\n", one.words)
			continue
		}
		lo, hi := one.kind.Interval()
		fmt.Fprintf(w, "%-26s %d of %d (%.0f %%; 95 %%: %.0f to %.0f %%)\n", one.words, one.kind.Agreed, one.kind.Labels, 100*one.kind.Share(), 100*lo, 100*hi)
	}
	if kappa, ok := c.Kappa(); ok {
		fmt.Fprintf(w, "%-26s %.2f\n", "kappa", kappa)
	}
	fmt.Fprintf(w, "%-26s %d of %d asked twice\n", "contradicts itself", c.Contradicted, c.Twice)
	for _, one := range c.Checked {
		if g := one.Grades[0]; g.Lost == nil && g.Met != one.Met {
			fmt.Fprintf(w, "\nline %d: %s\n  answer: %s\n  people: %s\n  judge:  %s: %s\n", one.Line, show.Lead(one.Criterion, show.SentenceRunes), show.Lead(string(one.Answer), show.SentenceRunes),
				metWords[one.Met], metWords[g.Met], show.Lead(string(g.Why), show.SentenceRunes))
		}
	}
	fmt.Fprintln(w)
	if why := c.Misses(c.Bar); why != "" {
		fmt.Fprintf(w, "criteria only warn: %s\n", why)
	} else {
		fmt.Fprintf(w, "criteria count: both kinds reach min_agreement %.2f\n", c.Bar)
	}
	if c.Criteria >= 3 && c.Votes < 3 {
		fmt.Fprintf(w, "a case has %d criteria, each of which may be called wrong: votes: 3 makes that rarer\n", c.Criteria)
	}
}

var metWords = map[bool]string{true: "met", false: "not met"}

// Lost is why the first label without a verdict has none; "" where all have one.
func (c JudgeCheck) Lost() string {
	for _, one := range c.Checked {
		if lost := one.Grades[0].Lost; lost != nil {
			return strings.TrimSpace(show.Lead(string(lost.Message), show.SentenceRunes))
		}
	}
	return ""
}
