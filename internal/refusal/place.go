package refusal

import (
	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
)

// Limits of the search for refusals. Lengths are in bytes of the plain text.
const (
	windowBytes = 4096 // of an answer are read; the longest lectures before a refusal have about 2,000
	asideBytes  = 420  // longest answer in which everyday words can refuse
	afterOther  = 1    // sentences of another kind that may precede a refusal
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
	opening    bool // only greetings, apologies, disclaimers and lectures precede it
}

// places returns the sentences in which refusals are looked for, in reading order. These go from the start up to the
// first that announces the answer, or up to afterOther sentences that are no greeting, apology, disclaimer or lecture.
func (d *Detector) places(v *view) (out []place) {
	other := 0
	for _, s := range english.Sentences(v.Lower) {
		p := place{d.sentence(v, s), s.Start, s.End, other == 0}
		out = append(out, p)
		if !p.holds(&d.signs.Preamble) && !p.holds(&d.signs.Lecture) {
			other++
		}
		if other > afterOther || p.holds(&d.signs.Delivery) {
			break
		}
	}
	return out
}

// sentence returns the sentence in a span of the text, read by itself.
func (d *Detector) sentence(v *view, span english.Span) sentence {
	return sentence{d.table.Read(v.Flat[span.Start:span.End])}
}
