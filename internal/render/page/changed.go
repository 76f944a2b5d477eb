package page

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/worddiff"
)

// changedPart says what the change touches and why suites run, and shows the prompt files, word by word.
type changedPart struct {
	Words   show.Phrase
	Did     []view.Lines // which of the lines broke what is broken
	Prompts []promptBlock
}

// promptBlock is a prompt file that changed.
type promptBlock struct {
	Place  place
	Suites string
	Texts  []answerBlock
	Open   bool
}

// promptsOpen are shown unfolded, where so few changed.
const promptsOpen = 1

// changedPart is nil where nothing is known of what changed.
func (v printer) changedPart() *changedPart {
	p := &changedPart{Words: v.View.Changed(), Did: v.WhichLines()}
	for _, x := range v.Report.Prompts {
		p.Prompts = append(p.Prompts, promptBlock{Place: v.placeOf(v.Links.HeadSHA, x.Path, 0, 0), Suites: suiteNames(x.Suites), Texts: promptTexts(x, p.Did),
			Open: len(v.Report.Prompts) <= promptsOpen})
	}
	if len(p.Words)+len(p.Did)+len(p.Prompts) == 0 {
		return nil
	}
	return p
}

// promptTexts are both texts of a prompt with the words that differ, or the one there is.
func promptTexts(x report.Prompt, which []view.Lines) []answerBlock {
	base, head := show.Visible(string(x.Base)), show.Visible(string(x.Head))
	d := worddiff.Words(base, head)
	if len(d.Base) > mostMarks || len(d.Head) > mostMarks || base == "" {
		d = worddiff.Diff{Base: []worddiff.Piece{{Text: base}}, Head: []worddiff.Piece{{Text: head}}}
	}
	now := promptText("head", head, promptPieces(d.Head, didMarks(which, "head", x.Path, head)))
	if base == "" {
		return []answerBlock{now}
	}
	return []answerBlock{promptText("base", base, promptPieces(d.Base, didMarks(which, "base", x.Path, base))), now}
}

func promptText(side, text string, pieces []answerPiece) answerBlock {
	return answerBlock{Side: side, Pieces: pieces, Empty: text == "", Long: len(text) > longText || strings.Count(text, "\n") > longLines}
}

// suitesNamed is how many suites of a prompt are named.
const suitesNamed = 5

func suiteNames(ids []string) string {
	names := make([]string, min(len(ids), suitesNamed))
	for i := range names {
		names[i] = suiteName(ids[i])
	}
	text := strings.Join(names, ", ")
	if more := len(ids) - len(names); more > 0 {
		text += " and " + show.Grouped(more) + " more"
	}
	return text
}
