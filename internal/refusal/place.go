package refusal

import "strings"

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
}

// span is a half-open range of bytes of the view.
type span struct{ start, end int }

// places returns the sentences where refusals stand, in reading order.
func (d *Detector) places(v view) []place {
	all := sentences(v.lower)
	if len(all) == 0 {
		return nil
	}
	out, delivered := d.openingPlaces(v, all)
	last := all[len(all)-1]
	seen := len(out) == len(all)
	if !seen && !delivered && v.whole && len(v.lower) <= endingAnswer {
		out = append(out, place{sentence: d.sentence(v, last), start: last.start, end: last.end})
	}
	return out
}

// openingPlaces walks from the start until the answer is plainly under way, and reports whether it was seen delivering.
func (d *Detector) openingPlaces(v view, all []span) (out []place, delivered bool) {
	other, first, opening := 0, true, true
	short := v.whole && len(v.lower) <= shortAnswer
	for i, s := range all {
		if i > 0 { // what the one before does matters to this one alone
			before := &out[i-1].sentence
			greets := d.moves.greets(before)
			first = first && greets
			if !greets && !d.moves.lectures(before) {
				other++
				opening = false
			}
		}
		if s.start > openingReach || (other > afterOther && !short) {
			return out, false
		}
		p := place{sentence: d.sentence(v, s), start: s.start, end: s.end, first: first, opening: opening}
		out = append(out, p)
		if d.moves.delivers(&p.sentence) || d.moves.starts(&p.sentence) {
			return out, true
		}
	}
	return out, false
}

// sentence returns the sentence at a span, with its cues.
func (d *Detector) sentence(v view, at span) sentence {
	text := v.flat[at.start:at.end]
	return sentence{text: text, cues: d.cues.scan(text)}
}

// sentences splits a normalised text at full stops, question and exclamation marks, and at line breaks that end a
// paragraph, a heading or a list item. Each span is without the space around it, and none is empty.
func sentences(s string) []span {
	var out []span
	start := 0
	for i := range len(s) {
		if !endsAt(s, i) {
			continue
		}
		out = appendTrimmed(out, s, start, i+1)
		start = i + 1
	}
	return appendTrimmed(out, s, start, len(s))
}

// endsAt reports whether the sentence ends with the byte at i.
func endsAt(s string, i int) bool {
	rest := s[i+1:]
	switch s[i] {
	case '.', '!', '?':
		after := strings.TrimLeft(rest, `"')`)
		return after == "" || (after[0] == ' ' && !abbreviation(s[:i])) || after[0] == '\n'
	case '\n':
		return rest == "" || rest[0] == '\n' || listItem(rest) || i > 0 && s[i-1] == ':'
	}
	return false
}

// abbreviation reports whether the full stop after s belongs to an abbreviation.
func abbreviation(s string) bool {
	for _, a := range []string{" e.g", " i.e", " dr", " mr", " mrs", " ms", " vs", " st"} {
		if strings.HasSuffix(s, a) {
			return true
		}
	}
	return false
}

// listItem reports whether a line begins as an item of a list.
func listItem(line string) bool {
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "• ") {
		return true
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits <= 2 && digits < len(line) && (line[digits] == '.' || line[digits] == ')')
}

// appendTrimmed appends the span without surrounding space, if anything is left.
func appendTrimmed(out []span, s string, start, end int) []span {
	for start < end && (s[start] == ' ' || s[start] == '\n') {
		start++
	}
	for end > start && (s[end-1] == ' ' || s[end-1] == '\n') {
		end--
	}
	if start == end {
		return out
	}
	return append(out, span{start, end})
}
