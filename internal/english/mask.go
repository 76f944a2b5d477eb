package english

import (
	"bytes"
	"iter"
	"regexp"
	"strings"
)

// Coded stands for a covered byte of a code block, Masked for every other. A surface has no control characters of its own.
const (
	Coded  = '\x01'
	Masked = '\x02'
)

// All of these are tried on single lines.
var (
	salutation = regexp.MustCompile(`(?i)^(?:dear\b(?: (?:mr|mrs|ms|dr|prof)\.)?[^.!?]{1,60}[,:]|to whom it may concern[,:]?|subject: .{1,120})$`)
	greeting   = regexp.MustCompile(`(?i)^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[^.!?]{0,40},$`)
	signOff    = regexp.MustCompile(`(?i)^(?:(?:best|kind|warm|with kind) ?(?:regards|wishes)?|regards|sincerely|yours [a-z]+|` +
		`yours|cheers|many thanks|thanks|respectfully|warmly|love),?$`)
	// letterLine is a letter of one line, with the name that signs it: "Dear team, … Best, Anna".
	letterLine = regexp.MustCompile(`^(?i:dear\b(?: (?:mr|mrs|ms|dr|prof)\.)?[^.!?,]{1,60}[,:]|(?:hi|hello|hey)\b[^.!?,]{0,40},) .*[.!?] ` +
		`(?i:(?:best|kind|warm|with kind)(?: regards| wishes)?|regards|sincerely|yours [a-z]+|yours|cheers|many thanks|thanks|respectfully|warmly|love)` +
		`,? (\[?[A-Z][A-Za-z.'-]{0,24}(?: [A-Z][A-Za-z.'-]{0,24}){0,2}\]?)$`)
	// service signs what a model says for itself, as one that answers letters does.
	service = regexp.MustCompile(`(?i)\b(?:assistant|ai|(?:chat)?bot|support|team|service|desk|care)\b`)
	speaker = regexp.MustCompile(`^\[?[A-Z][A-Za-z.'-]{0,24}(?: [A-Z][A-Za-z.'-]{0,24}){0,2}\]?: ?\S.*$`)
	// made marks a line as text made for the user ("Translation: …").
	made = regexp.MustCompile(`(?i)^(?:translation|translated|rewritten|revised|rephrased|paraphrased?|draft|summary|example|sample|` +
		`(?:polite|formal|short|casual|professional) version|(?:option|version|example|variant) [0-9a-d])\b[^:.]{0,30}: ?\S.*$`)
	// ownLabel names the labels under which a model speaks for itself.
	ownLabel = regexp.MustCompile(`(?i)^\[?(?:assistant|ai|answer|final answer|response|output|reply|a|bot|chatbot|` +
		`note|disclaimer|important|warning|system|model)\]?:`)
)

// mask replaces what the model does not say for itself, byte for byte.
func mask(b []byte) {
	maskFences(b)
	maskLetter(b)
	coverLines(b, isProduct)
	maskScript(b)
	coverLines(b, isQuoted)
	for _, q := range quotations(string(b)) {
		cover(b[q[0]:q[1]], Masked)
	}
}

// cover masks a span and keeps its line breaks.
func cover(b []byte, mark byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = mark
		}
	}
}

// coverLines masks the lines that pass a test.
func coverLines(b []byte, passes func(line []byte) bool) {
	for start, end := range linesOf(b) {
		if passes(b[start:end]) {
			cover(b[start:end], Masked)
		}
	}
}

// linesOf yields the bounds of each line, without its line break.
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

// maskFences masks fenced code blocks; one that is never closed reaches to the end.
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

// maskLetter masks a drafted letter from its salutation on. A mere greeting opens one only if a sign-off closes it,
// because models greet too.
func maskLetter(b []byte) {
	coverLines(b, func(line []byte) bool {
		if !begins(line, "dDhH") {
			return false
		}
		at := letterLine.FindSubmatchIndex(line)
		return at != nil && !service.Match(line[at[2]:at[3]])
	})
	if start := lineThat(b, opensLetter); start >= 0 {
		cover(b[start:], Masked)
		return
	}
	if start := lineThat(b, greets); start >= 0 && lineThat(b[start:], signOff.Match) >= 0 {
		cover(b[start:], Masked)
	}
}

// lineThat returns the offset of the first line that passes the test, or -1.
func lineThat(b []byte, passes func(line []byte) bool) int {
	for start, end := range linesOf(b) {
		if passes(b[start:end]) {
			return start
		}
	}
	return -1
}

// isProduct reports a line that a label gives as text made for the user.
func isProduct(line []byte) bool {
	return labelled(line) && begins(line, "tTrRpPdDsSeEoOvVfFcC") && made.Match(line)
}

// isQuoted reports a line of a Markdown quotation.
func isQuoted(line []byte) bool { return bytes.HasPrefix(line, []byte(">")) }

func opensLetter(line []byte) bool { return begins(line, "dDtTsS") && salutation.Match(line) }

func greets(line []byte) bool { return bytes.HasSuffix(line, []byte(",")) && greeting.Match(line) }

// begins reports whether a line begins with one of the bytes, or outside of ASCII: some such letters fold into it.
func begins(line []byte, first string) bool {
	return len(line) > 0 && (line[0] >= 0x80 || strings.IndexByte(first, line[0]) >= 0)
}

// maskScript masks lines under a speaker's name ("Guard: …"). One such line alone is no script.
func maskScript(b []byte) {
	var lines [][]byte
	for start, end := range linesOf(b) {
		if line := b[start:end]; labelled(line) && (line[0] == '[' || 'A' <= line[0] && line[0] <= 'Z') &&
			speaker.Match(line) {
			lines = append(lines, line)
		}
	}
	if len(lines) < 2 {
		return
	}
	for _, line := range lines {
		if !ownLabel.Match(line) {
			cover(line, Masked)
		}
	}
}

// labelled reports whether a line holds the colon of a label.
func labelled(line []byte) bool { return bytes.IndexByte(line, ':') > 0 }
