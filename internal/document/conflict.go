package document

import (
	"regexp"
	"strings"
)

var (
	// conflictMark matches the beginning of a merge conflict marker of a version control system.
	conflictMark = regexp.MustCompile(`^(?:<<<<<<<|>>>>>>>)(?: |$)`)
	// fenceForm matches a line that begins a Markdown code block or, without the second group, ends one.
	fenceForm = regexp.MustCompile("^[ \t>]*(`{3,}|~{3,})([^`]*?)\\s*$")
)

// RuleConflict is the rule of errors about merge conflict markers.
const RuleConflict = "merge-conflict"

func (f *Diagnostics) addConflict(at Position, line string) {
	f.ErrorAt(at, RuleConflict, "merge conflict marker `%s`; resolve the conflict", line[:len("<<<<<<<")])
}

// TextConflict returns an error at the first merge conflict in text, or nil. In a text that is neither YAML nor JSON, a
// conflict has all three markers. If conflicts begin only in Markdown code blocks, TextConflict returns a warning,
// because the text may mean them. firstLine is the number of the first line of text in the file path.
func TextConflict(path, text string, firstLine int) (ds []Diagnostic) {
	before := "\n" + text // up to the last separator that an end follows
	for _, marker := range []string{"\n>>>>>>> ", "\n======="} {
		before = before[:max(strings.LastIndex(before, marker), 0)]
	}
	first, offset, fence := Position{Line: firstLine, Column: 1}, 0, ""
	for line := range strings.Lines(strings.TrimPrefix(before, "\n")) {
		m := fenceForm.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "<<<<<<< ") && fence == "":
			return []Diagnostic{NewError(path, first.Behind(text[:offset]), RuleConflict, "merge conflict marker "+
				"`<<<<<<<`; resolve the conflict or, if the text means these lines, put them into a code block")}
		case strings.HasPrefix(line, "<<<<<<< ") && ds == nil:
			ds = []Diagnostic{NewWarning(path, first.Behind(text[:offset]), RuleConflict,
				"a code block holds merge conflict markers, and is sent with them")}
		case m != nil && fence == "":
			fence = m[1]
		case m != nil && m[2] == "" && strings.HasPrefix(m[1], fence):
			fence = ""
		}
		offset += len(line)
	}
	return ds
}
