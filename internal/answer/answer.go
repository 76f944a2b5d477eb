// Package answer finds the answer in a text that a model sent, without the thoughts before it. It also returns what a
// reader sees of the rendered answer, and the forms of the answer that are searched for forbidden content. It does not
// judge.
package answer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

// thoughtTag matches the tag in which models that reason begin their thoughts before the answer, in lower case.
var thoughtTag = regexp.MustCompile(`^[ \t\r\n\x{feff}]*<(think|thinking|reasoning)>`)

// StripReasoning returns the answer in the text sent by a model: what follows the blocks of thoughts at the beginning.
// If a block of thoughts is not closed, the model was cut off before its answer: StripReasoning returns "" and false.
func StripReasoning(sent string) (said string, ended bool) {
	if !strings.HasPrefix(strings.TrimLeft(sent, " \t\r\n\ufeff"), "<") {
		return sent, true
	}
	rest := text.LowerASCII(sent)
	for {
		begin := thoughtTag.FindStringSubmatch(rest)
		if begin == nil {
			return sent[len(sent)-len(rest):], true
		}
		if _, rest, ended = strings.Cut(rest, "</"+begin[1]+">"); !ended {
			return "", false
		}
		rest = strings.TrimLeft(rest, " \t\r\n")
	}
}

// SearchForms returns the texts in which forbidden content is searched: sent, sent with its JSON escapes decoded, and
// each of the two as a reader sees it. If thoughts come before the answer, the same forms of the answer alone follow.
// Equal forms are returned once. A caller that searches for single characters must also search what PlainText returns
// for each form.
func SearchForms(sent string) []string {
	forms := []string{sent, DecodeEscapes(sent)}
	if said, _ := StripReasoning(sent); said != sent {
		forms = append(forms, said, DecodeEscapes(said))
	}
	var views []string
	for _, form := range forms {
		for _, view := range []string{form, RemoveHidden(form)} {
			if !slices.Contains(views, view) {
				views = append(views, view)
			}
		}
	}
	return views
}
