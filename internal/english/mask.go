package english

import (
	"bytes"
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
	within := false // a code block, which reaches to the end if it is never closed
	for line := range bytes.Lines(b) {
		fence := bytes.HasPrefix(line, []byte("```"))
		if within || fence {
			cover(line, Coded)
		}
		within = within != fence
	}
	maskLetter(b)
	for line := range bytes.Lines(b) {
		if made.Match(bytes.TrimSuffix(line, []byte("\n"))) || line[0] == '>' {
			cover(line, Masked)
		}
	}
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

// maskLetter masks a drafted letter from its salutation on. A mere greeting such as "Hello," begins a letter only if a
// sign-off follows, because models greet users too.
func maskLetter(b []byte) {
	start, greets, at := len(b), len(b), 0 // where a letter begins, and where a greeting stands
	for line := range bytes.Lines(b) {
		switch text := bytes.TrimSuffix(line, []byte("\n")); {
		case salutation.Match(text):
			start = min(start, at)
		case greeting.Match(text):
			greets = min(greets, at)
		case greets < at && signOff.Match(text):
			start = min(start, greets)
		}
		at += len(line)
	}
	cover(b[start:], Masked)
}
