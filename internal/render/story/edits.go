package story

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// Edit is a text of a redefined case that was edited, as it is on one side.
type Edit struct {
	Label string // Asked before, Asked now, Expected before, Expected now
	Text  show.Phrase
}

// Edits returns what was edited in the input and in the expectation of the redefined case c, before and now.
func Edits(c report.Change) (out []Edit) {
	b := c.Before
	if b == nil {
		return nil
	}
	if b.OtherInput && b.Asked+c.Asked != "" {
		out = append(out, Edit{AskedBefore, askedText(string(b.Asked))}, Edit{"Asked now", askedText(string(c.Asked))})
	}
	if was, is := only(b.Expected, c.Expected), only(c.Expected, b.Expected); len(b.Expected) > 0 && len(was)+
		len(is) > 0 {
		out = append(out, Edit{"Expected before", demands(was)}, Edit{"Expected now", demands(is)})
	}
	return out
}

func askedText(text string) show.Phrase {
	if text == "" {
		return show.Sentence("nothing of its own")
	}
	return show.Phrase{show.Quote(strings.ReplaceAll(text, "\n", " · "))}
}

// only returns the expectations in one that other lacks.
func only(one, other []expect.Demand) []expect.Demand {
	return show.Those(one, func(d expect.Demand) bool { return !slices.Contains(other, d) })
}

// AskedBefore is the label of the input that the case had on the base.
const AskedBefore = "Asked before"

// demandsTold is the largest number of expectations that are listed for a side.
const demandsTold = 5

func demands(all []expect.Demand) show.Phrase {
	if len(all) == 0 {
		return show.Sentence("nothing more")
	}
	return show.First(demandsTold, "; ", "; and ", show.PhrasesOf(all, Demand))
}

// Demand returns the expectation d in words.
func Demand(d expect.Demand) show.Phrase {
	return show.Phrasef("%v %v", show.Tell(strings.ReplaceAll(d.Criterion, "_", " ")), show.Quote(d.Expected))
}
