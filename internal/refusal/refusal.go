// Package refusal decides whether an answer refuses its prompt, and by which rule. It reads English by the rules of
// rules.json, and fourteen other languages by the openings in languages.json. It reads only the text of the answer, not
// the prompt or a provider's structured signals, and calls no model.
package refusal

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
)

// Version of the rules, printed in every report. It changes whenever a text can be read differently.
const Version = "8"

// Kind is how an answer refuses.
type Kind string

const (
	Declined  Kind = "declined"  // it will not, or may not
	Unable    Kind = "unable"    // it has no access, no ability, no data
	Deflected Kind = "deflected" // a lecture or another topic replaces the answer
)

// Stance is what an answer that does not refuse says of itself or of the question before it answers.
type Stance string

const (
	Disputed   Stance = "disputed"   // it rejects the premise, or the claim
	Disclaimed Stance = "disclaimed" // a disclaimer or a refusal, and then an answer
)

// RemarkUnsupportedLanguage is the remark on an answer that is mostly in a language without rules, so that no refusal
// could be found.
const RemarkUnsupportedLanguage = "refusal_not_read"

// Match is the rule that found a refusal or a stance, with the words that it matched.
type Match struct {
	Kind       Kind   // "" for a pattern of the user
	Rule       string // name of the rule, or "extra_patterns[i]" for the i-th pattern of the user
	Evidence   string // the words that matched, as they are in the original text
	Start, End int    // byte offsets of Evidence in the original text, on rune boundaries
}

// Result is what the words of an answer do with its prompt.
type Result struct {
	Match               // of a refusal or a stance
	Refuses      bool   // Match is a refusal
	Stance       Stance // of an answer that does not refuse; "" for none
	ThenComplies bool   // the stance is Disclaimed, and the text after it points nowhere else
	Remark       string // RemarkUnsupportedLanguage, or ""
}

// Detector reads answers. It is built once and safe for concurrent use.
type Detector struct {
	*book
	extra []*regexp.Regexp
}

// shipped is the book of rules.json, which all detectors share; it never changes.
var shipped = sync.OnceValue(func() *book { return newBook(rulesFile) })

// New returns a detector with the shipped rules and the user's patterns (`refusal.extra_patterns`). A user's pattern
// sees the answer with plain apostrophes, single spaces and no emphasis marks, in its own case. It is tried where
// refusals are looked for; an empty match counts for nothing.
func New(extra []*regexp.Regexp) *Detector {
	return &Detector{book: shipped(), extra: slices.Clone(extra)}
}

// Detect returns the first refusal of the text, in reading order, or otherwise its stance. Its cost is bounded, since
// it reads one window of the text.
func (d *Detector) Detect(text string) Result {
	v := d.view(text)
	spoken := shippedLanguages().of(v.Plain)
	if len(spoken) == 0 {
		return Result{Remark: RemarkUnsupportedLanguage}
	}
	if m, ok := readForeign(&v, spoken); ok {
		return Result{Match: m, Refuses: true}
	}
	var stance Result
	for _, p := range d.places(&v) {
		m, ok := d.matchRules(&v, &p, &stance)
		if !ok {
			m, ok = d.matchExtra(&v, &p)
		}
		if ok {
			return Result{Match: m, Refuses: true}
		}
	}
	if m, ok := d.lecture(&v); ok {
		return Result{Match: m, Refuses: true}
	}
	return stance
}

// matchRules tries the rules on one sentence, in order, and returns the first refusal. A firm rule ignores words that
// only state a limit. If the answer takes back refusals in its opening, the first of these sets stance.
func (d *Detector) matchRules(v *view, p *place, stance *Result) (Match, bool) {
	if stance.isFirst(p) {
		if at := p.find(&d.signs.Dispute); at != nil { // it rejects the premise of the question
			*stance = Result{Match: v.match("disputes", p.start+at.Start, p.start+at.End), Stance: Disputed}
		}
	}
	limits := sync.OnceValue(func() []found { return d.limits(v, p) })
	for i := range d.rules {
		r := &d.rules[i]
		if !r.appliesTo(v, p) {
			continue
		}
		for _, f := range r.find(v, p) {
			if r.Force == firm && slices.ContainsFunc(limits(), f.overlaps) {
				continue
			}
			refuses, taken := d.weigh(r, f)
			if refuses {
				m := v.match(r.Name, f.start, f.end)
				m.Kind = kindOf(d, r, f)
				return m, true
			}
			if taken != "" && stance.isFirst(p) {
				*stance = d.statedStance(r, f, taken)
			}
		}
	}
	return Match{}, false
}

// appliesTo reports whether a rule reads a sentence of an answer.
func (r *rule) appliesTo(v *view, p *place) bool {
	switch r.Force {
	case limit:
		return p.opening
	case objection:
		return p.first
	case aside:
		return len(v.Flat) <= asideBytes
	}
	return true
}

// isFirst reports whether a sentence may set the answer's stance: no stance is set yet, and the sentence is in the
// opening.
func (r *Result) isFirst(p *place) bool { return r.Stance == "" && p.opening }

// statedStance returns the stance of an answer that takes its refusal back.
func (d *Detector) statedStance(r *rule, f found, as Stance) Result {
	return Result{Match: f.view.match(r.Name, f.start, f.end), Stance: as,
		ThenComplies: as == Disclaimed && !sentence{d.table.Read(f.view.Plain[f.end:])}.holds(&d.signs.Elsewhere)}
}

// limits returns the words of a sentence that limit an answer without refusing it.
func (d *Detector) limits(v *view, p *place) (out []found) {
	for i := range d.rules {
		r := &d.rules[i]
		if r.Force != limit {
			continue
		}
		for _, f := range r.find(v, p) {
			if refuses, _ := d.weigh(r, f); !p.opening || !refuses {
				out = append(out, f)
			}
		}
	}
	return out
}

// found is a match of a rule, which the words around it may take back. Its places are in the view.
type found struct {
	view       *view
	place      *place
	start, end int
}

func (f found) overlaps(o found) bool { return f.start < o.end && o.start < f.end }

// find returns the matches of a rule in one sentence.
func (r *rule) find(v *view, p *place) (out []found) {
	for _, at := range p.findAll(&r.Pattern, -1) {
		out = append(out, found{v, p, p.start + at.Start, p.start + at.End})
	}
	return out
}

// weigh reports whether a match refuses. If the answer takes the match back, weigh also returns the stance that
// remains.
func (d *Detector) weigh(r *rule, f found) (bool, Stance) {
	words, behind := f.place.from(f.start-f.place.start), f.place.from(f.end-f.place.start)
	rest := f.view.flat.from(f.end)
	excepts := func(e rule) bool { return words.holds(&e.Pattern) && rest.holds(&e.Then) }
	switch {
	case !rest.holds(&r.Requires), (r.Force == firm || r.Force == limit) && slices.ContainsFunc(d.exceptions, excepts):
		return false, ""
	case r.Force == aside:
		return !f.view.flat.holds(&d.signs.Asks), ""
	case takesBack(d, r, f, words, behind, rest):
		return false, Disclaimed
	}
	return true, ""
}

// takesBack reports whether an answer gives what a rule's match refuses or claims to lack.
func takesBack(d *Detector, r *rule, f found, words, behind, rest sentence) bool {
	switch {
	case r.Force == limit:
		return d.signs.answers(rest)
	case r.Force == firm && d.signs.withholds(words) && (d.signs.views(rest) || d.signs.turns(behind)):
		return true
	}
	return d.signs.delivers(behind, rest)
}

// kindOf returns the kind of a refusal. That is the kind of its rule; if the rule has none, the words decide. A first
// clause that only names the speaker ("I, as an AI, …") is ignored.
func kindOf(d *Detector, r *rule, f found) Kind {
	if r.Kind != "" {
		return r.Kind
	}
	words := f.place.from(f.start - f.place.start)
	if at := f.place.from(f.end - f.place.start).find(&d.signs.ClauseEnd); at != nil {
		words = sentence{words.Part(0, f.end-f.start+at.Start)}
	}
	if words.holds(&d.signs.Unable) || f.place.holds(&d.signs.Source) {
		return Unable
	}
	return Declined
}

// matchExtra tries the user's patterns on one sentence.
func (d *Detector) matchExtra(v *view, p *place) (Match, bool) {
	for i, pattern := range d.extra {
		span := pattern.FindStringIndex(v.Plain[p.start:p.end])
		if span != nil && span[0] < span[1] {
			return v.match(fmt.Sprintf("extra_patterns[%d]", i), p.start+span[0], p.start+span[1]), true
		}
	}
	return Match{}, false
}
