// Package refusal judges whether an English answer refuses its prompt, and by which rule.
// In goes the text of one answer, out comes the first rule that found a refusal and the place of its evidence.
// It never sees the prompt, never reads a provider's structured signals, and never asks a model.
package refusal

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/literal"
)

// Version of the rules, printed in every report. It changes whenever a text can be judged differently.
const Version = "2"

// Match says which rule found a refusal and where.
type Match struct {
	Kind       Kind   // "" for a pattern of the user
	Rule       string // name of the rule, or "extra_patterns[i]" for the i-th pattern of the user
	Evidence   string // the words that matched, as they stand in the original text
	Start, End int    // byte offsets of Evidence in the original text, on rune boundaries
}

// Detector judges texts. It is built once and safe for concurrent use.
type Detector struct {
	rulebook
	extra []*regexp.Regexp
}

// rulebook holds everything built in.
type rulebook struct {
	rules      []compiledRule
	exceptions []compiledException
	moves      moves
	cues       *literal.Finder
}

// builtIn is the rulebook, which all detectors share; it never changes.
var builtIn = sync.OnceValue(newRulebook)

func newRulebook() rulebook {
	var cues cueBook
	r := rulebook{rules: compileRules(&cues), exceptions: compileExceptions(&cues), moves: compileMoves(&cues)}
	r.cues = cues.Finder()
	return r
}

// New returns a detector with the built-in rules and the user's patterns (`refusal.extra_patterns`).
// A pattern sees the answer with plain apostrophes, single spaces and no emphasis marks, its case kept;
// it counts wherever refusals stand, and an empty match counts for nothing. A nil pattern is passed over.
func New(extra []*regexp.Regexp) *Detector {
	return &Detector{rulebook: builtIn(), extra: slices.Clone(extra)}
}

// Reading is what an answer does with its prompt, as far as its words tell.
type Reading struct {
	Match          // of a refusal, and of a stance
	Refuses bool   // whether Match is a refusal
	Stance  Stance // of an answer that does not refuse; "" where it takes none
	Crosses bool   // the stance is Disclaimed, and what follows is the thing itself: steps, or what leads nowhere else

	listed bool // and there are steps
}

// Read returns the first refusal of the text, in reading order, else the stance that it takes.
// Its cost is bounded: the text is looked at in one window.
func (d *Detector) Read(text string) Reading {
	v := d.view(text)
	if len(d.extra) == 0 && !d.mayRefuse(&v.cues) {
		return Reading{}
	}
	var stance Reading
	for _, p := range d.places(v) {
		if stance.listed && !p.opening { // the thing itself was given before
			return stance
		}
		if m, ok := d.judge(v, p, &stance); ok {
			return Reading{Match: m, Refuses: true}
		}
		if m, ok := d.judgeExtra(v, p); ok {
			return Reading{Match: m, Refuses: true}
		}
	}
	if m, ok := d.sermon(v); ok {
		return Reading{Match: m, Refuses: true}
	}
	return stance
}

// mayRefuse reports whether a text with these cues could hold what makes it a refusal or a stance.
func (d *Detector) mayRefuse(cues *cueSet) bool {
	for i := range d.rules {
		if cues.hold(&d.rules[i].pattern.needs) {
			return true
		}
	}
	return cues.hold(&d.moves.dispute.needs) || cues.hold(&d.moves.judging.needs) || cues.hold(&d.moves.helpline.needs)
}

// judge tries the built-in rules on one sentence, in the order of their table. Words that state a limit and no
// refusal are spent: a firm rule does not read them again. Where words are taken back by an answer, stance notes the first.
func (d *Detector) judge(v view, p place, stance *Reading) (Match, bool) {
	if stance.Stance == "" && p.opening {
		if at := p.sentence.find(&d.moves.dispute); at != nil {
			*stance = Reading{Match: v.match("disputes", p.start+at.Start, p.start+at.End), Stance: Disputed}
		}
	}
	spent := sync.OnceValue(func() []found { return d.spentLimits(v, p) })
	for i := range d.rules {
		r := &d.rules[i]
		if !p.cues.hold(&r.pattern.needs) || !r.mayStandAt(&p) || r.handing && !p.holds(&d.moves.hands) {
			continue
		}
		for _, f := range r.find(v, p) {
			if r.force == firm && overlaps(f, spent()) {
				continue
			}
			held, taken := d.holds(r, f)
			if held {
				m := v.match(r.name, f.start, f.end)
				m.Kind = r.kindOf(p.text, f.start-p.start, f.end-p.start)
				return m, true
			}
			if taken != "" && stance.Stance == "" && p.opening {
				*stance = Reading{Match: v.match(r.name, f.start, f.end), Stance: taken}
				if taken == Disclaimed {
					stance.listed = listsSteps(v.Plain[f.end:])
					stance.Crosses = stance.listed || leadsNowhereElse(v.Plain[f.end:])
				}
			}
		}
	}
	return Match{}, false
}

// spentLimits returns the words of a sentence that state a limit beside an answer. A limit with a moral reason is no limit.
func (d *Detector) spentLimits(v view, p place) []found {
	var spent []found
	for i := range d.rules {
		r := &d.rules[i]
		if r.force != limit || !p.cues.hold(&r.pattern.needs) || p.sentence.holds(&d.moves.lecture) {
			continue
		}
		for _, f := range r.find(v, p) {
			if held, _ := d.holds(r, f); !p.opening || !held {
				spent = append(spent, f)
			}
		}
	}
	return spent
}

// overlaps reports whether the words share a byte with any of the others.
func overlaps(f found, others []found) bool {
	return slices.ContainsFunc(others, func(o found) bool { return f.start < o.end && o.start < f.end })
}

// found is a pattern's match that still has to hold against the words around it.
type found struct {
	view       view
	place      place
	start, end int // in the view
}

// find returns the rule's matches in one sentence. The first group is the refusing words, without what leads up to them.
func (r *compiledRule) find(v view, p place) []found {
	var out []found
	for _, at := range p.findAll(&r.pattern, -1) {
		out = append(out, found{view: v, place: p, start: p.start + at.Start, end: p.start + at.End})
	}
	return out
}

// groundReach is how far after an admonition its moral ground may stand, in bytes.
const groundReach = 400

// holds reports whether nothing around the words takes the refusal back, and what stance they are where an answer does.
func (d *Detector) holds(r *compiledRule, f found) (bool, Stance) {
	words, behind := f.place.from(f.start-f.place.start), f.place.from(f.end-f.place.start)
	rest := &sentence{f.view.Flat[f.end:], f.view.cues}
	if (r.force < objection || r.wordless) && d.excepted(words, rest) || r.decision && d.decides(f) {
		return false, ""
	}
	around := rest
	if r.force == admonition {
		around = &sentence{f.view.Flat[:min(len(f.view.Flat), f.end+groundReach)], f.view.cues}
	}
	switch {
	case !around.holds(&r.follow):
		return false, ""
	case r.force == aside:
		return d.handsNothing(f.view, r.wordless), ""
	case r.force == limit:
		if r.disapproves {
			return stands(d.moves.answersAfter(rest) || d.moves.turns(behind), Disclaimed)
		}
		return stands(d.moves.answers(rest), Disclaimed)
	case r.force == objection && d.moves.qualifies(&f.place.sentence, rest):
		return false, Disputed
	case r.force == admonition:
		return stands(d.moves.informs(rest), "")
	case r.force == firm && d.moves.withholds(words) && (d.moves.viewsAfter(rest) || d.moves.turns(behind)):
		return false, Disclaimed
	}
	return stands(d.moves.handsOver(behind) || d.moves.overrules(rest) || d.deliversWhatItRefused(f), Disclaimed)
}

// stands is a refusal that holds unless it is taken back, which makes it a stance.
func stands(takenBack bool, stance Stance) (bool, Stance) {
	if takenBack {
		return false, stance
	}
	return true, ""
}

// excepted reports whether a sentence, from the refusing words on, says something else with them, or with the text after them.
func (d *Detector) excepted(words, rest *sentence) bool {
	return slices.ContainsFunc(d.exceptions, func(e compiledException) bool { return words.holds(&e.pattern) && rest.holds(&e.then) })
}

// judgeExtra tries the user's patterns on one sentence.
func (d *Detector) judgeExtra(v view, p place) (Match, bool) {
	sentence := v.Plain[p.start:p.end]
	for i, pattern := range d.extra {
		if pattern == nil {
			continue
		}
		span := pattern.FindStringIndex(sentence)
		if span != nil && span[0] < span[1] {
			return v.match(fmt.Sprintf("extra_patterns[%d]", i), p.start+span[0], p.start+span[1]), true
		}
	}
	return Match{}, false
}
