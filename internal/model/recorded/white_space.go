package recorded

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
)

// madeFor says of an answer with the key of another request what that differs in: often an editor put a line end behind a prompt, or took one
// away, and whoever reads of another prompt looks for it in vain.
func madeFor(key string, q model.Request, was Before) string {
	for _, end := range []string{"", "\n", "\n\n"} {
		all := slices.Clone(q.Messages)
		for i, m := range q.Messages {
			other := m
			other.Content = strings.TrimRight(m.Content, " \t\r\n") + end
			one := slices.Clone(q.Messages)
			one[i], all[i] = other, other
			if withMessages(q, one).Key() == key {
				return "made for this prompt with other white space at its end"
			}
		}
		if withMessages(q, all).Key() == key {
			return "made for this prompt with other white space at its end"
		}
	}
	if was.Asks != nil {
		if asked := was.Asks(); asked.Key() == key && sameWords(asked.Messages, q.Messages) {
			if asked.Messages = q.Messages; asked.Key() == q.Key() {
				return "made for this prompt with other white space"
			}
		}
	}
	return "made for another prompt"
}

func withMessages(q model.Request, messages []model.Message) model.Request {
	q.Messages = messages
	return q
}

// sameWords reports messages that differ in nothing but white space.
func sameWords(a, b []model.Message) bool {
	return slices.EqualFunc(a, b, func(a, b model.Message) bool {
		return a.Role == b.Role && slices.Equal(strings.Fields(a.Content), strings.Fields(b.Content))
	})
}
