package refusal

import (
	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
)

// Limits of the search for refusals. Lengths are in bytes of the plain text.
const (
	windowBytes  = 4096 // of an answer are read; the longest lectures before a refusal have about 2,000
	asideBytes   = 420  // longest answer in which everyday words can refuse
	endingAnswer = 900  // the last sentence of an answer up to this length is read, too
	openingReach = 2000 // how far apologies, disclaimers and lectures may delay a refusal
	afterOther   = 1    // sentences of another kind that may precede a refusal
)

// view is the surface of the head of an answer.
type view struct {
	english.Surface
	original string
	whole    bool     // the window reaches the end of the answer
	flat     sentence // the view Flat
}

func (d *Detector) view(answer string) view {
	head := text.FirstBytes(answer, windowBytes)
	v := view{Surface: english.NewOwnSpeech(head), original: answer, whole: len(head) == len(answer)}
	v.flat = sentence{d.table.Read(v.Flat)}
	return v
}

// match translates a span of the view, which is not empty, into a Match on the original.
func (v *view) match(rule string, start, end int) Match {
	for end > start+1 && v.Plain[end-1] == ' ' {
		end--
	}
	from, to := v.SourceRange(start, end)
	return Match{Rule: rule, Evidence: v.original[from:to], Start: from, End: to}
}

// place is a sentence in which a refusal is looked for.
type place struct {
	sentence
	start, end int
	first      bool // only greetings, apologies and disclaimers precede it
	opening    bool // only these and lectures precede it
}

// places returns the sentences in which refusals are looked for, in reading order.
func (d *Detector) places(v *view) []place {
	all := english.Sentences(v.Lower)
	out, delivered := openingPlaces(d, v, all)
	if len(out) < len(all) && !delivered && v.whole && len(v.Lower) <= endingAnswer {
		last := all[len(all)-1]
		out = append(out, place{sentence: d.sentence(v, last), start: last.Start, end: last.End})
	}
	return out
}

// openingPlaces returns the sentences from the start up to the first that announces the answer, which sets delivered.
// It stops earlier at openingReach, or after too many sentences that are no greeting, apology, disclaimer or lecture.
func openingPlaces(d *Detector, v *view, all []english.Span) (out []place, delivered bool) {
	other, first, opening := 0, true, true
	for i, s := range all {
		if i > 0 {
			before := &out[i-1].sentence
			greets := before.holds(&d.signs.Preamble)
			first = first && greets
			if !greets && !before.holds(&d.signs.Lecture) {
				other++
				opening = false
			}
		}
		if s.Start > openingReach || other > afterOther {
			return out, false
		}
		p := place{sentence: d.sentence(v, s), start: s.Start, end: s.End, first: first, opening: opening}
		out = append(out, p)
		if p.holds(&d.signs.Delivery) {
			return out, true
		}
	}
	return out, false
}

// sentence returns the sentence in a span of the text, read by itself.
func (d *Detector) sentence(v *view, span english.Span) sentence {
	return sentence{d.table.Read(v.Flat[span.Start:span.End])}
}
