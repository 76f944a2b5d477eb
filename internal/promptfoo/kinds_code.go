package promptfoo

import "strings"

// codeKinds are programs, of which those that are one expression are translated.
var codeKinds = map[string]func(a *assertion){
	"javascript": func(a *assertion) { program(a, javascript) },
	"python":     func(a *assertion) { program(a, python) },
}

func program(a *assertion, l language) {
	code := a.value.text()
	const nearest = "an expression over `response.text`, `response.json` and `vars`, where it is one condition; a criterion of `rubric` where it is a judgement"
	switch {
	case strings.HasPrefix(code, "file://"):
		a.todo("it is code in a file, and nothing runs here", nearest)
		return
	case code == "":
		a.todo("it has no value", "")
		return
	case !a.threshold.missing():
		a.todo("it gives a score that is held to a threshold, and an assertion is true or false", nearest)
		return
	case hasMarks(code) && a.with.vars != nil:
		filled, ok := a.filled(code)
		if !ok {
			return
		}
		code = filled
	}
	t := translator{language: l, tools: a.with.tools}
	if a.partial {
		subject := a.subject
		t.output = &subject
	}
	out, err := t.condition(code)
	if err != nil {
		why := err.Error()
		if err == errCode {
			why = "it is more than one expression"
		}
		a.todo("it is code that cannot be translated: "+why, nearest)
		return
	}
	a.held(said{out, isBool, 3})
}
