package evaluate

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// How many bytes of a case's own words are kept with its answer, and how many of them are read for that.
const (
	askedBytes = 800
	askedRead  = 16 << 10
)

// asked is what a case itself says to the model, without the prompt that it shares with others: the variables that are sent, or its last message.
func (j *Judge) asked(s *suite.Suite, c *suite.Case) model.Untrusted {
	text := ""
	shared := s.PromptKey != "" && !c.OwnTurns
	said := slices.DeleteFunc(slices.Sorted(maps.Keys(c.Vars)), func(name string) bool { return slices.Contains(c.Aside, name) })
	switch {
	case shared && len(said) == 1:
		text = c.Vars[said[0]]
	case shared && len(said) > 1:
		var lines []string
		for _, name := range said {
			lines = append(lines, name+": "+start(c.Vars[name], askedRead/len(said)))
		}
		text = strings.Join(lines, "\n")
	case len(c.Prompt.Messages) > 0:
		text = c.Prompt.Messages[len(c.Prompt.Messages)-1].Content
	}
	return j.cutWords(text)
}

// cutWords is the start of a text that somebody wrote into a case, as it is kept.
func (j *Judge) cutWords(text string) model.Untrusted {
	text = j.Redactor.Text(start(strings.TrimSpace(text), askedRead)) // before it is cut: of a secret cut in two nothing is known
	if cut := start(text, askedBytes); cut != text {
		text = cut + "…"
	}
	return model.Untrusted(text)
}

// start is text, or its first bytes as far as they are whole characters.
func start(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return text[:bytes]
}

// demanded is all that an answer to a case is held to, in words: kept with an answer that somebody will ask about.
func (j *Judge) demanded(c *suite.Case, k classify.Classification) []expect.Demand {
	if k.Primary == classify.Pass && !k.Details.NeedsReview || k.Details.Reason == model.ReasonInternal { // of the last, the case may be what broke it
		return nil
	}
	all := c.Expect.Demands()
	if m := c.Measured; m != nil && m.Reference != "" && len(c.Expect.Criteria) == 0 {
		all = append(all, expect.Demand{Criterion: "expected_response", Expected: start(m.Reference, askedBytes)})
	}
	if c.Rubric != nil {
		for _, one := range c.Rubric.Criteria {
			all = append(all, expect.Demand{Criterion: score.Rubric, Expected: start(one.Text, askedBytes)})
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
