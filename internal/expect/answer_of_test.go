package expect

import "github.com/failproof/failproof/internal/model"

// answerOf returns the answer in a response that has only a text.
func answerOf(text string) *Answer { return NewAnswer(model.Response{Text: model.Untrusted(text)}) }

// withVars returns a, an answer to a case with these variables.
func withVars(a *Answer, vars map[string]string) *Answer {
	a.vars = vars
	return a
}
