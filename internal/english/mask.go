package english

import (
	"bytes"
	"iter"
	"regexp"
)

// Coded replaces a masked byte of a code block, and Masked any other masked byte. A surface has no control characters
// of its own.
const (
	Coded  = '\x01'
	Masked = '\x02'
)

// These patterns are matched against single lines.
var (
	salutation = regexp.MustCompile(`(?i)^(?:dear\b(?: (?:mr|mrs|ms|dr|prof)\.)?[^.!?]{1,60}[,:]|to whom it may concern[,:]?|subject: .{1,120})$`)
	greeting   = regexp.MustCompile(`(?i)^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[^.!?]{0,40},$`)
	signOff    = regexp.MustCompile(`(?i)^(?:(?:best|kind|warm|with kind) ?(?:regards|wishes)?|regards|sincerely|yours [a-z]+|` +
		`yours|cheers|many thanks|thanks|respectfully|warmly|love),?$`)
	// made marks a line as text made for the user ("Translation: …").
	made = regexp.MustCompile(`(?i)^(?:translation|translated|rewritten|revised|rephrased|paraphrased?|draft|summary|example|sample|` +
		`(?:polite|formal|short|casual|professional) version|(?:option|version|example|variant) [0-9a-d])\b[^:.]{0,30}: ?\S.*$`)
)

// mask masks quotations, code, drafted letters and other text made for the user in place.
func mask(b []byte) {
	maskFences(b)
	maskLetter(b)
	coverLines(b, made.Match)
	coverLines(b, func(line []byte) bool { return bytes.HasPrefix(line, []byte(">")) })
	for _, q := range quotations(string(b)) {
		cover(b[q[0]:q[1]], Masked)
	}
}

// cover overwrites all bytes of b with mark, except for line breaks.
func cover(b []byte, mark byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = mark
		}
	}
}

// coverLines masks the lines of b for which passes returns true.
func coverLines(b []byte, passes func(line []byte) bool) {
	for start, end := range linesOf(b) {
		if passes(b[start:end]) {
			cover(b[start:end], Masked)
		}
	}
}

// linesOf yields the bounds of each line of b. The line break does not belong to the line.
func linesOf(b []byte) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for start := 0; start < len(b); {
			end := len(b)
			if i := bytes.IndexByte(b[start:], '\n'); i >= 0 {
				end = start + i
			}
			if !yield(start, end) {
				return
			}
			start = end + 1
		}
	}
}

// maskFences masks fenced code blocks. A block that is never closed reaches to the end.
func maskFences(b []byte) {
	within := false
	for start, end := range linesOf(b) {
		fence := bytes.HasPrefix(b[start:end], []byte("```"))
		if within || fence {
			cover(b[start:end], Coded)
		}
		within = within != fence
	}
}

// maskLetter masks a drafted letter from its salutation on. A mere greeting such as "Hello," begins a letter only if a
// sign-off follows, because models greet users too.
func maskLetter(b []byte) {
	if start := lineThat(b, salutation.Match); start >= 0 {
		cover(b[start:], Masked)
		return
	}
	if start := lineThat(b, greeting.Match); start >= 0 && lineThat(b[start:], signOff.Match) >= 0 {
		cover(b[start:], Masked)
	}
}

// lineThat returns the offset of the first line for which passes returns true, or -1.
func lineThat(b []byte, passes func(line []byte) bool) int {
	for start, end := range linesOf(b) {
		if passes(b[start:end]) {
			return start
		}
	}
	return -1
}
