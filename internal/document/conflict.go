package document

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// conflictForm matches a merge conflict in a text up to its last marker.
	conflictForm = regexp.MustCompile(`(?ms)^<<<<<<< .*?^=======.*?^>>>>>>> `)
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
// conflict has all three markers. If each conflict is inside a Markdown code block, TextConflict returns a warning,
// because the text may mean it. text is the whole file at path.
func TextConflict(path, text string) (ds []Diagnostic) {
	if !strings.Contains(text, "<<<<<<< ") {
		return nil
	}
	blocks := codeBlocks(text)
	for _, at := range conflictForm.FindAllStringIndex(text, -1) {
		begin := fileStart.Behind(text[:at[0]])
		if !slices.ContainsFunc(blocks, func(b [2]int) bool { return b[0] <= at[0] && at[1] <= b[1] }) {
			return []Diagnostic{NewError(path, begin, RuleConflict, "merge conflict marker "+
				"`<<<<<<<`; resolve the conflict or, if the text means these lines, put them into a code block")}
		}
		if ds == nil {
			ds = []Diagnostic{NewWarning(path, begin, RuleConflict,
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
