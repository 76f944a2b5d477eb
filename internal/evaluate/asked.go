package evaluate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// How many bytes of a case's own words are kept with its answer, and how many of them are read for that.
const (
	askedBytes = 800
	askedRead  = 16 << 10
)

// asked is what a case itself says to the model, without the prompt that it shares with others: the variables that are sent, or its last message.
func (j *Judge) asked(s *suite.Suite, c *suite.Case) model.Untrusted {
	asked := ""
	shared := s.PromptKey != "" && !c.OwnTurns
	said := slices.DeleteFunc(slices.Sorted(maps.Keys(c.Vars)), func(name string) bool { return slices.Contains(c.Aside, name) })
	switch {
	case shared && len(said) == 1:
		asked = c.Vars[said[0]]
	case shared && len(said) > 1:
		slices.SortStableFunc(said, func(a, b string) int { return cmp.Compare(long(c.Vars[a]), long(c.Vars[b])) })
		var lines []string
		for _, name := range said {
			lines = append(lines, name+": "+text.Head(c.Vars[name], askedRead/len(said)))
		}
		asked = strings.Join(lines, "\n")
	case len(c.Prompt.Messages) > 0:
		asked = c.Prompt.Messages[len(c.Prompt.Messages)-1].Content
	}
	return j.cutWords(asked)
}

// long is 1 for a text that is a passage rather than a question, and 0 for others: behind a passage, a cut would leave nothing of the question.
func long(text string) int {
	if len(text) > askedBytes/8 {
		return 1
	}
	return 0
}

// cutWords is the start of a text that somebody wrote into a case, as it is kept.
func (j *Judge) cutWords(words string) model.Untrusted {
	words = j.Redactor.Text(text.Head(strings.TrimSpace(words), askedRead)) // before it is cut: of a secret cut in two nothing is known
	if cut := text.Head(words, askedBytes); cut != words {
		words = cut + "…"
	}
	return model.Untrusted(words)
}

// demanded is all that an answer to a case is held to, in words: kept with an answer that somebody will ask about.
func (j *Judge) demanded(c *suite.Case, k classify.Classification) []expect.Demand {
	if k.Primary == classify.Pass && !k.Details.NeedsReview || k.Details.Reason == model.ReasonInternal { // of the last, the case may be what broke it
		return nil
	}
	all := c.Expect.Demands()
	if m := c.Measured; m != nil && m.Reference != "" && len(c.Expect.Criteria) == 0 {
		all = append(all, expect.Demand{Criterion: "expected_response", Expected: text.Head(m.Reference, askedBytes)})
	}
	if c.Rubric != nil {
		for _, one := range c.Rubric.Criteria {
			all = append(all, expect.Demand{Criterion: score.Rubric, Expected: text.Head(one.Text, askedBytes)})
		}
	}
	for _, p := range c.Policies {
		all = append(all, expect.Demand{Criterion: "policy", Expected: cmp.Or(p.Description, p.Name)})
	}
	if c.Expected != "" {
		all = append(all, expect.Demand{Criterion: "expected_classification", Expected: c.Expected})
	}
	for i := range all {
		all[i].Expected = j.Redactor.Text(all[i].Expected)
	}
	return all
}
