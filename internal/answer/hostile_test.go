package answer

import (
	"strings"
	"testing"
)

// TestAnswersThatAreMadeToBeSlow would not end in reasonable time if a step took the square of an answer's length.
func TestAnswersThatAreMadeToBeSlow(t *testing.T) {
	for _, part := range []string{"`<", "*_[`<", "`", "[", "<a ", "<!--", "](", "~~~\n", "> - ", "&amp", "\\u0041", "<think>", "**a** ", "| a ", "$`", "[^", "[a]: b\n", "[a](b \"", "[a](<b", "[a](((", "![", "![a]", "  ~~~\n", "<a b='c' ", "<b hidden><option>", "<div>\n<a ", "- ```\n<a ", "<p>\n<!", "`|"} {
		text := strings.Repeat(part, 256<<10/len(part))
		for _, view := range SearchForms(text) {
			RemoveHidden(view)
			RemoveHiddenKeepLinks(view)
			PlainText(view)
		}
	}
}
