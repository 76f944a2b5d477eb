package story

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/worddiff"
)

// Edit is a text of a redefined case that was edited, as it is on one side.
type Edit struct {
	Label string // Asked before, Asked now, Expected before, Expected now, Edited
	Text  show.Phrase
}

// Edits returns what was edited in the input and in the expectation of the redefined case c, before and now. An input
// that looks the same on both sides is left out: either only a check reads what was edited, or it is not shown.
func Edits(c report.Change) (out []Edit) {
	b := c.BaseVersion
	if b == nil {
		return nil
	}
	before, now := worddiff.ShortenAround(inOneLine(b.Input), inOneLine(c.Input), show.QuoteRunes, show.QuoteRunes)
	if b.InputChanged && before != now {
		out = append(out, Edit{AskedBefore, askedText(before)}, Edit{"Asked now", askedText(now)})
	}
	was, is := Only(b.Expected, c.Expected), Only(c.Expected, b.Expected)
	switch {
	case len(b.Expected) > 0 && len(was)+len(is) > 0:
		cutApart(was, is)
		out = append(out, Edit{"Expected before", demands(was, b.Expected)}, Edit{"Expected now", demands(is, c.Expected)})
	case len(b.Expected) > 0 && !slices.Equal(b.Expected, c.Expected):
		out = append(out, Edit{"Expected now", show.LiteralPhrase("the same, in another order or number")})
	case len(out) == 0 && b.InputChanged && c.Input != "":
		out = append(out, Edit{"Edited", show.LiteralPhrase("a part of the input that is not shown")})
	}
	return out
}

// cutApart shortens the expectations that was and is have of the same kind, so that their differences stay visible.
func cutApart(was, is []expect.Requirement) {
	next := map[string]int{} // by kind: where its next counterpart in was is looked for
	for i, now := range is {
		from := next[now.Criterion]
		at := slices.IndexFunc(was[from:], func(d expect.Requirement) bool { return d.Criterion == now.Criterion })
		if at < 0 {
			continue
		}
		at += from
		next[now.Criterion] = at + 1
		was[at].Expected, is[i].Expected = worddiff.ShortenAround(was[at].Expected, now.Expected, editRunes, editRunes)
	}
}

func askedText(text string) show.Phrase {
	if text == "" {
		return show.LiteralPhrase("nothing of its own")
	}
	return show.Phrase{show.Quote(text)}
}

func inOneLine(text model.Untrusted) string { return strings.ReplaceAll(string(text), "\n", " · ") }

// Only returns the expectations in one that other lacks.
func Only(one, other []expect.Requirement) []expect.Requirement {
	return show.Filter(one, func(d expect.Requirement) bool { return !slices.Contains(other, d) })
}

// AskedBefore is the label of the input that the case had on the base.
const AskedBefore = "Asked before"

// Limits of the expectations that are listed for a side: their number, and the runes of each that has a counterpart.
const (
	maxDemands = 5
	editRunes  = 80
)

// demands lists the expectations that one side alone has. all are all of that side.
func demands(own, all []expect.Requirement) show.Phrase {
	switch {
	case len(all) == 0:
		return show.LiteralPhrase("nothing")
	case len(own) == 0:
		return show.LiteralPhrase("the same without this")
	}
	return show.JoinFirst(maxDemands, "; ", "; and ", show.MapPhrases(own, DemandText))
}

// DemandText returns the expectation d in words.
func DemandText(d expect.Requirement) show.Phrase {
	name := d.Criterion
	if !IsVariable(d) {
		name = strings.ReplaceAll(name, "_", " ")
	}
	return show.Phrasef("%v %v", show.Message(name), show.Quote(d.Expected))
}

// IsVariable reports whether the expectation d is a variable that a check reads, and no check itself.
func IsVariable(d expect.Requirement) bool { return strings.HasPrefix(d.Criterion, "vars.") }
