package promptfoo

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

// textKinds look for texts in the answer.
var textKinds = map[string]func(a *assertion){
	"equals": equals, "contains": find("contains"), "icontains": find("icontains"), "starts-with": find("starts_with"),
	"contains-any": findWords("any"), "contains-all": findWords("all"), "icontains-any": findFolded("any"), "icontains-all": findFolded("all"),
	"regex":      pattern,
	"not-empty":  func(a *assertion) { a.held(said{"trim(" + a.subject.text + `) != ""`, isBool, 1}) },
	"min-length": func(a *assertion) { size(a, ">=") }, "max-length": func(a *assertion) { size(a, "<=") },
	"word-count": words,
}

// equals is an expected response, or an expression where one stands already, or where a part is looked at.
func equals(a *assertion) {
	name, ofVariable := a.variable()
	switch {
	case a.value.isMap(), a.value.Node != nil && a.value.Kind == document.List:
		equalJSON(a)
		return
	case ofVariable:
		a.held(said{"trim(" + a.subject.in(0) + ") == trim(" + name + ")", isBool, 1})
		return
	case a.value.isText() && a.value.Text == "": // nothing, or something
		a.held(said{"trim(" + a.subject.text + `) == ""`, isBool, 1})
		return
	}
	want := a.scalar()
	switch {
	case a.subject.kind == isAny && a.value.Kind == document.Number:
		a.held(said{a.subject.in(0) + " == " + want, isBool, 1})
	case a.partial:
		a.held(said{a.subject.in(0) + " == " + exprText(want), isBool, 1})
	case a.negative:
		a.to.assert("trim(response.text) != " + exprText(strings.TrimSpace(want)))
	case a.to.expects():
		a.to.assert("trim(response.text) == " + exprText(strings.TrimSpace(want)))
	default:
		a.toTools(want)
		a.to.response, a.to.match = str(want), "exact"
	}
}

func equalJSON(a *assertion) {
	if a.partial || a.negative || a.to.expects() || holdsMarks(a.value.Node) && a.with.vars == nil {
		panic(a.todo("it compares a part of the answer, or a second thing, with JSON", "an expression over `response.json`"))
	}
	a.to.response, a.to.match = str(a.filled(string(valueOf(a.value.Node).json(nil)))), "json"
}

// toTools says what an assertion on a text means where the answer may be a call.
func (a *assertion) toTools(want string) {
	if a.with.tools && !a.partial {
		a.differs("an answer that calls a tool has its calls in `response.tool_calls`, and not in its text, where " + document.Quote(want) + " is looked for")
	}
}

// find is a form that takes one text.
func find(form string) func(a *assertion) {
	expression := map[string]string{"contains": "$ contains #", "icontains": "lower($) contains lower(#)", "starts_with": "$ startsWith #"}[form]
	return func(a *assertion) {
		want, quoted := a.variable()
		if !quoted {
			text := a.scalar()
			if !a.partial {
				a.toTools(text)
				a.to.form(a.name(form), str(text))
				return
			}
			want = exprText(text)
		}
		if a.subject.kind != isText && a.subject.kind != isAny {
			panic(a.todo("its transform gives no text", ""))
		}
		a.held(said{strings.NewReplacer("$", a.subject.in(0), "#", want).Replace(expression), isBool, 1})
	}
}

// findWords looks for any or all of several texts, by a form or, in a part of an answer, by an expression.
func findWords(many string) func(a *assertion) {
	return func(a *assertion) {
		words := a.words()
		if a.partial {
			a.held(said{many + "(" + exprTexts(words) + ", " + a.subject.in(0) + " contains #)", isBool, 0})
			return
		}
		a.toTools(words[0])
		a.to.form(a.name("contains_"+many), texts(words))
	}
}

// findFolded looks for them in any letter case, for which there is a form of one text alone.
func findFolded(many string) func(a *assertion) {
	return func(a *assertion) {
		words := a.words()
		for i, word := range words {
			if words[i] = strings.ToLower(word); many == "all" && !a.negative && !a.partial {
				a.to.form("icontains", str(word))
			}
		}
		if many == "any" || a.negative || a.partial {
			a.held(said{many + "(" + exprTexts(words) + ", lower(" + a.subject.text + ") contains #)", isBool, 0})
		}
	}
}

func exprTexts(all []string) string {
	var parts []string
	for _, text := range all {
		parts = append(parts, exprText(text))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func pattern(a *assertion) {
	text := a.scalar()
	source, err := re2(text, "")
	if err == nil {
		_, err = expect.CompileForm("regex", []string{source})
	}
	switch {
	case err != nil:
		panic(a.todo("its pattern is none of RE2, which has no looking ahead or behind and no references back", "a pattern without them, or two assertions"))
	case a.partial:
		a.held(said{a.subject.in(0) + " matches " + exprText(source), isBool, 1})
	default:
		a.toTools(text)
		a.to.form(a.name("regex"), str(source))
	}
}

func size(a *assertion, op string) {
	n := cmp.Or(a.value.text(), a.threshold.text())
	if _, err := strconv.Atoi(n); err != nil {
		panic(a.todo("it has no number", "`response.length "+op+" 100`"))
	}
	of := "response.length"
	if a.partial {
		of = "len(" + a.subject.text + ")"
	}
	a.differs("promptfoo has no assertion of this name; it is taken for the length in characters")
	a.held(said{of + " " + op + " " + n, isBool, 1})
}

// words holds the number of words to a figure, or between two.
func words(a *assertion) {
	if a.partial {
		panic(a.todo("it counts the words of a part of the answer", ""))
	}
	low, high, exact := a.value.get("min").text(), a.value.get("max").text(), a.value.text()
	var parts []string
	for _, one := range [][2]string{{"==", exact}, {">=", low}, {"<=", high}} {
		if _, err := strconv.Atoi(one[1]); err == nil {
			parts = append(parts, "response.words "+one[0]+" "+one[1])
		}
	}
	if len(parts) == 0 {
		panic(a.todo("it has no number", "`response.words <= 100`"))
	}
	a.held(said{strings.Join(parts, " and "), isBool, 2})
}

var decimalForm = regexp.MustCompile(`^\d{1,9}(\.\d{1,9})?$`)

// decimal is a plain number.
func decimal(text string) (float64, bool) {
	if !decimalForm.MatchString(text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}
