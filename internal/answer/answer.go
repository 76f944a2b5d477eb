// Package answer finds the answer in a text that a model sent, without the thoughts before it. It also returns what a
// reader sees of the rendered answer, and the forms of the answer that are searched for forbidden content. It does not
// judge.
package answer

import (
	"iter"
	"strings"
)

// thoughts are the tags in which models that reason send their thoughts before the answer.
var thoughts = [...]string{"think", "thinking", "reasoning"}

// Of returns the answer in the text sent by a model: what follows the blocks of thoughts at the beginning. If a block
// of thoughts is not closed, the model was cut off before its answer. Of then returns "" and false.
func Of(sent string) (text string, ended bool) {
	for {
		name := thought(sent)
		if name == "" {
			return sent, true
		}
		end := closing(sent, name)
		if end < 0 {
			return "", false
		}
		sent = strings.TrimLeft(sent[end:], " \t\r\n")
	}
}

// thought returns the name of the tag of thoughts that text begins with, or "" if it begins with none.
func thought(text string) string {
	text = strings.TrimLeft(text, " \t\r\n\ufeff")
	if text == "" || text[0] != '<' {
		return ""
	}
	for _, name := range thoughts {
		if tag := len(name) + 1; len(text) > tag && text[tag] == '>' && strings.EqualFold(text[1:tag], name) {
			return name
		}
	}
	return ""
}

// closing returns the offset after the first closing tag with the given name in text, or -1 if there is none.
func closing(text, name string) int {
	for at := 0; ; at += len("</") {
		next := strings.Index(text[at:], "</")
		if next < 0 {
			return -1
		}
		at += next
		from, to := at+len("</"), at+len("</")+len(name)
		if to < len(text) && text[to] == '>' && strings.EqualFold(text[from:to], name) {
			return to + 1
		}
	}
}

// Views yields the texts in which forbidden content is searched: sent, sent with its JSON escapes decoded, and each of
// the two as a reader sees it. If thoughts come before the answer, Views then yields the same forms of the answer
// alone. It omits most forms that equal an earlier one. A caller that searches for single characters must also search
// what Shown returns for each form.
func Views(sent string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if views(sent, yield) {
			if text, _ := Of(sent); text != sent {
				views(text, yield)
			}
		}
	}
}

// views yields text, text as a reader sees it, the decoded text, and the decoded text as a reader sees it. It returns
// false once yield returns false.
func views(text string, yield func(string) bool) bool {
	if !yield(text) {
		return false
	}
	seen := Seen(text)
	if seen != text && !yield(seen) {
		return false
	}
	decoded := Decoded(text)
	if decoded == text {
		return true
	}
	both := Seen(decoded)
	return yield(decoded) && (both == decoded || both == seen || yield(both))
}
