package refusal

import (
	"regexp"
	"strings"
)

// masked stands for a byte of speech that is not the model's own: quotations, code, letters and scripts it drafts.
// codeMark stands for a byte of a code block, which is also a sign that the answer has been delivered.
// The normaliser drops tildes and control characters, so neither occurs otherwise.
const (
	masked   = '~'
	codeMark = '\x01'
)

var (
	salutation = regexp.MustCompile(`(?im)^(?:dear\b[^.!?\n]{1,60}[,:]|to whom it may concern[,:]?|subject: [^\n]{1,120})$`)
	greeting   = regexp.MustCompile(`(?im)^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[^.!?\n]{0,40},$`)
	signOff    = regexp.MustCompile(`(?im)^(?:(?:best|kind|warm|with kind) ?(?:regards|wishes)?|regards|sincerely|yours [a-z]+|` +
		`yours|cheers|many thanks|thanks|respectfully|warmly|love),?$`)
	speaker = regexp.MustCompile(`(?m)^\[?[A-Z][A-Za-z.'-]{0,24}(?: [A-Z][A-Za-z.'-]{0,24}){0,2}\]?: ?\S[^\n]*$`)
	// product marks a line as text made for the user ("Translation: …").
	product = regexp.MustCompile(`(?im)^(?:translation|translated|rewritten|revised|rephrased|paraphrased?|draft|summary|example|sample|` +
		`(?:polite|formal|short|casual|professional) version|(?:option|version|example|variant) [0-9a-d])\b[^:.\n]{0,30}: ?\S[^\n]*$`)
	// ownLabel names the labels under which a model speaks for itself.
	ownLabel = regexp.MustCompile(`(?i)^\[?(?:assistant|ai|answer|final answer|response|output|reply|a|bot|chatbot|` +
		`note|disclaimer|important|warning|system|model)\]?:`)
)

// mask replaces what the model does not say for itself, byte for byte.
func mask(s string) string {
	b := []byte(s)
	maskFences(b)
	maskLetter(b)
	maskProducts(b)
	maskScript(b)
	maskVerse(b)
	maskBlockQuotes(b)
	maskQuotations(b)
	return string(b)
}

// cover masks a span and keeps its line breaks.
func cover(b []byte, mark byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = mark
		}
	}
}

// maskFences masks fenced code blocks; one that is never closed reaches to the end.
func maskFences(b []byte) {
	open := -1
	for start := 0; start < len(b); {
		end := lineEnd(b, start)
		switch fence := strings.HasPrefix(string(b[start:end]), "```"); {
		case fence && open < 0:
			open = start
		case fence:
			cover(b[open:end], codeMark)
			open = -1
		}
		start = end + 1
	}
	if open >= 0 {
		cover(b[open:], codeMark)
	}
}

// lineEnd returns the offset of the line break that ends the line at start, or the length.
func lineEnd(b []byte, start int) int {
	for i := start; i < len(b); i++ {
		if b[i] == '\n' {
			return i
		}
	}
	return len(b)
}

// maskLetter masks a drafted letter from its salutation on. A mere greeting opens one only if a sign-off closes it,
// because models greet too.
func maskLetter(b []byte) {
	if at := salutation.FindIndex(b); at != nil {
		cover(b[at[0]:], masked)
		return
	}
	if at := greeting.FindIndex(b); at != nil && signOff.Match(b[at[1]:]) {
		cover(b[at[0]:], masked)
	}
}

// maskProducts masks lines that a label gives as text made for the user.
func maskProducts(b []byte) {
	for _, at := range product.FindAllIndex(b, -1) {
		cover(b[at[0]:at[1]], masked)
	}
}

// maskScript masks lines under a speaker's name ("Guard: …"). One such line alone is no script.
func maskScript(b []byte) {
	lines := speaker.FindAllIndex(b, -1)
	if len(lines) < 2 {
		return
	}
	for _, at := range lines {
		if line := b[at[0]:at[1]]; !ownLabel.Match(line) {
			cover(line, masked)
		}
	}
}

// maskBlockQuotes masks Markdown quotations (lines that begin with ">").
func maskBlockQuotes(b []byte) {
	for start := 0; start < len(b); {
		end := lineEnd(b, start)
		if b[start] == '>' {
			cover(b[start:end], masked)
		}
		start = end + 1
	}
}
