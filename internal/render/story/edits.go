package story

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/worddiff"
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
	if was, is := Only(b.Expected, c.Expected), Only(c.Expected, b.Expected); len(b.Expected) > 0 && len(was)+
		len(is) > 0 {
		cutApart(was, is)
		out = append(out, Edit{"Expected before", demands(was, b.Expected)}, Edit{"Expected now", demands(is, c.Expected)})
	}
	return out
}

// cutApart shortens the expectations that was and is have of the same kind, so that their differences stay visible.
func cutApart(was, is []expect.Demand) {
	next := map[string]int{} // by kind: where its next counterpart in was is looked for
	for i, now := range is {
		from := next[now.Criterion]
		at := slices.IndexFunc(was[from:], func(d expect.Demand) bool { return d.Criterion == now.Criterion })
		if at < 0 {
			continue
		}
		at += from
		next[now.Criterion] = at + 1
		was[at].Expected, is[i].Expected = worddiff.Around(was[at].Expected, now.Expected, editRunes, editRunes)
	}
}

func askedText(text string) show.Phrase {
	if text == "" {
		return show.Sentence("nothing of its own")
	}
	return show.Phrase{show.Quote(strings.ReplaceAll(text, "\n", " · "))}
}

// Only returns the expectations in one that other lacks.
func Only(one, other []expect.Demand) []expect.Demand {
	return show.Those(one, func(d expect.Demand) bool { return !slices.Contains(other, d) })
}

// AskedBefore is the label of the input that the case had on the base.
const AskedBefore = "Asked before"

// Limits of the expectations that are listed for a side: their number, and the runes of each that has a counterpart.
const (
	demandsTold = 5
	editRunes   = 80
)

// demands lists the expectations that one side alone has. all are all of that side.
func demands(own, all []expect.Demand) show.Phrase {
	switch {
	case len(all) == 0:
		return show.Sentence("nothing")
	case len(own) == 0:
		return show.Sentence("the same without this")
	}
	return show.First(demandsTold, "; ", "; and ", show.PhrasesOf(own, Demand))
}

// Demand returns the expectation d in words.
func Demand(d expect.Demand) show.Phrase {
	return show.Phrasef("%v %v", show.Tell(strings.ReplaceAll(d.Criterion, "_", " ")), show.Quote(d.Expected))
}
