// Package answer tells what of a text that a model sent is its answer, and what of that people see: in goes the text as
// it came, out come the answer without the thoughts before it, what a reader sees who reads it rendered, and the views
// in which to look for what must not be said. It knows no rule by which an answer is judged.
package answer

import (
	"iter"
	"strings"
)

// thoughts are the tags in which models that reason send their thoughts before the answer.
var thoughts = [...]string{"think", "thinking", "reasoning"}

// Of returns the answer in what a model sent: the text behind the blocks of thoughts at its beginning. If the thoughts
// never end, the model was cut off before its answer, and Of returns "" and false.
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

// thought returns the name of the tag of thoughts that a text begins with; "" for none.
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

// closing returns where the first closing tag of a name ends; -1 where there is none.
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

// Views yields the texts to search for what an answer must not say: the text as it came, the text with its escapes
// decoded, and both as a reader sees them; then the same of the answer alone if thoughts stand before it. Equal texts
// are yielded once, so most answers have one. A search by characters looks at what is Shown of each.
func Views(sent string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if views(sent, yield) {
			if text, _ := Of(sent); text != sent {
				views(text, yield)
			}
		}
	}
}

// views yields a text as it is, as it is seen, decoded, and both.
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
