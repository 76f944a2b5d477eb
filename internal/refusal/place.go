package refusal

import "github.com/failproof/failproof/internal/english"

// Where refusals stand, in bytes of the normalised text.
const (
	shortAnswer  = 450  // every sentence of so short an answer is looked at
	endingAnswer = 900  // of one up to here, the last sentence is
	openingReach = 2000 // how far apologies, disclaimers and lectures may delay a refusal
)

// afterOther is how many sentences that are neither greeting nor disclaimer nor lecture may stand before a refusal
// in an answer that is not short.
const afterOther = 1

// place is a sentence where a refusal can stand.
type place struct {
	sentence
	start, end int
	first      bool // nothing but greetings, apologies and disclaimers stand before it
	opening    bool // nothing but these and lectures stand before it
	brief      bool // the whole answer is so short that it may hand nothing over
}

// places returns the sentences where refusals stand, in reading order.
func (d *Detector) places(v view) []place {
	all := english.Sentences(v.Lower)
	if len(all) == 0 {
		return nil
	}
	out, delivered := d.openingPlaces(v, all)
	last := all[len(all)-1]
	seen := len(out) == len(all)
	if !seen && !delivered && v.whole && len(v.Lower) <= endingAnswer {
		out = append(out, place{sentence: d.sentence(v, last), start: last.Start, end: last.End})
	}
	return out
}

// openingPlaces walks from the start until the answer is plainly under way, and reports whether it was seen delivering.
func (d *Detector) openingPlaces(v view, all []english.Span) (out []place, delivered bool) {
	other, first, opening := 0, true, true
	short := v.whole && len(v.Lower) <= shortAnswer
	for i, s := range all {
		if i > 0 { // what the one before does matters to this one alone
			before := &out[i-1].sentence
			greets := before.holds(&d.moves.preamble)
			first = first && greets
			if !greets && !before.holds(&d.moves.lecture) {
				other++
				opening = false
			}
		}
		if s.Start > openingReach || (other > afterOther && !short) {
			return out, false
		}
		p := place{sentence: d.sentence(v, s), start: s.Start, end: s.End, first: first, opening: opening, brief: v.whole && len(v.Flat) <= asideBytes}
		out = append(out, p)
		if p.holds(&d.moves.delivery) {
			return out, true
		}
	}
	return out, false
}

// sentence returns the sentence at a span, with its cues.
func (d *Detector) sentence(v view, at english.Span) sentence {
	text := v.Flat[at.Start:at.End]
	return sentence{text: text, cues: scan(d.cues, text)}
}
