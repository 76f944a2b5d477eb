package document

import (
	"regexp"
	"strings"
)

var (
	// conflictForm matches the first and the last marker of a merge conflict in a text.
	conflictForm = regexp.MustCompile(`(?m)^(?:<<<<<<<|>>>>>>>) `)
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
// conflict has all three markers. If Markdown code blocks hold all markers that begin or end one, TextConflict returns
// a warning, because the text may mean them. text is the whole file at path.
func TextConflict(path, text string) (ds []Diagnostic) {
	last := len(text) // of the last separator that an end follows
	for _, marker := range []string{"\n>>>>>>> ", "\n======="} {
		last = max(strings.LastIndex(text[:last], marker), 0)
	}
	blocks, begun := codeBlocks(text), false
	for _, at := range conflictForm.FindAllStringIndex(text, -1) {
		begun = begun || text[at[0]] == '<' && at[0] < last
		for len(blocks) > 0 && blocks[0][1] <= at[0] {
			blocks = blocks[1:]
		}
		switch {
		case !begun:
		case len(blocks) == 0 || at[0] < blocks[0][0]:
			return []Diagnostic{NewError(path, fileStart.Behind(text[:at[0]]), RuleConflict, "merge conflict marker "+
				"`%s`; resolve the conflict or, if the text means these lines, put them into a code block", text[at[0]:at[0]+7])}
		case ds == nil:
			ds = []Diagnostic{NewWarning(path, fileStart.Behind(text[:at[0]]), RuleConflict,
				"a code block holds merge conflict markers, and is sent with them")}
		}
	}
	return ds
}

// codeBlocks returns where the Markdown code blocks in text begin and end. One that is never closed is none.
func codeBlocks(text string) (blocks [][2]int) {
	fence, begin, end := "", 0, 0
	for line := range strings.Lines(text) {
		end += len(line)
		switch m := fenceForm.FindStringSubmatch(line); {
		case m == nil:
		case fence == "":
			fence, begin = m[1], end
		case m[2] == "" && strings.HasPrefix(m[1], fence):
			fence, blocks = "", append(blocks, [2]int{begin, end})
		}
	}
	return blocks
}
