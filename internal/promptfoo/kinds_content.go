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
		a.require(!a.partial && !a.negative && !a.to.expects() && (a.with.vars != nil || !holdsMarks(a.value.Node)), "it compares a part of the answer, or a second thing, with JSON", "an expression over `response.json`")
		a.to.response, a.to.match = str(a.filled(jsonOf(a.value.Node))), "json"
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

// toTools says what an assertion on a text means where the answer may be a call.
func (a *assertion) toTools(want string) {
	if a.with.tools && !a.partial {
		a.differs("an answer that calls a tool has its calls in `response.tool_calls`, and not in its text, where " + document.Quote(want) + " is looked for")
	}
}

// formExpressions are the forms of one text as expressions, with $ for what they look at, and # for the text, which of icontains is in small letters.
var formExpressions = map[string]string{"contains": "$ contains #", "icontains": "lower($) contains #", "starts_with": "$ startsWith #", "regex": "$ matches #"}

func formExpression(form, subject, want string) said {
	return said{strings.NewReplacer("$", subject, "#", want).Replace(formExpressions[form]), isBool, 1}
}

// find is a form that takes one text.
func find(form string) func(a *assertion) {
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
		a.require(a.subject.is(isText, isAny), "its transform gives no text", "")
		if form == "icontains" {
			want = "lower(" + want + ")"
		}
		a.held(formExpression(form, a.subject.in(0), want))
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
		a.held(formExpression("regex", a.subject.in(0), exprText(source)))
	default:
		a.toTools(text)
		a.to.form(a.name("regex"), str(source))
	}
}

func size(a *assertion, op string) {
	n := cmp.Or(a.value.text(), a.threshold.text())
	_, err := strconv.Atoi(n)
	a.require(err == nil, "it has no number", "`response.length "+op+" 100`")
	of := "response.length"
	if a.partial {
		of = "len(" + a.subject.text + ")"
	}
	a.differs("promptfoo has no assertion of this name; it is taken for the length in characters")
	a.held(said{of + " " + op + " " + n, isBool, 1})
}

// words holds the number of words to a figure, or between two.
func words(a *assertion) {
	a.require(!a.partial, "it counts the words of a part of the answer", "")
	low, high, exact := a.value.get("min").text(), a.value.get("max").text(), a.value.text()
	var parts []string
	for _, one := range [][2]string{{"==", exact}, {">=", low}, {"<=", high}} {
		if _, err := strconv.Atoi(one[1]); err == nil {
			parts = append(parts, "response.words "+one[0]+" "+one[1])
		}
	}
	a.require(len(parts) > 0, "it has no number", "`response.words <= 100`")
	a.held(said{strings.Join(parts, " and "), isBool, 2})
}

var decimalForm = regexp.MustCompile(`^\d{1,9}(\.\d{1,9})?$`)

func decimal(text string) (float64, bool) {
	if !decimalForm.MatchString(text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// judgedKinds ask a model.
var judgedKinds = map[string]func(a *assertion){
	"llm-rubric": rubric, "model-graded-closedqa": rubric, "g-eval": rubric,
	"factuality": factual, "model-graded-factuality": factual,
	"similar":          similar,
	"answer-relevance": func(a *assertion) { a.relevant("Answers what was asked, and nothing else") },
	"conversation-relevance": func(a *assertion) {
		a.relevant("Answers what was said last, in the course of the conversation")
	},
	"context-faithfulness": func(a *assertion) {
		a.relevant("States nothing that does not follow from the variable `context`")
	},
}

// rubric is what a judge looks for, a criterion for each item of a list.
func rubric(a *assertion) {
	a.require(!a.value.missing(), "it has no value", "a criterion, a sentence that is true of a good answer")
	for _, item := range a.value.items() {
		a.require(!item.isMap(), "its value is a map, for a prompt of its own", "criteria, each a sentence that is true of a good answer")
		func() {
			defer untaken()
			a.value = item
			a.graded(strings.TrimSpace(a.scalar()))
		}()
		a.threshold = node{}
	}
	if a.kind == "g-eval" {
		a.differs("the steps of its chain of thought are no part of the judge's question")
	}
}

// factual compares with a reference.
func factual(a *assertion) {
	text, e := a.scalar(), a.to
	if e.reference == "" && (e.shared == nil || e.shared.reference == "") && len(text) <= 200_000 {
		e.reference = text
	}
	if e.reference != text { // there is another
		a.graded("Contradicts nothing of this: " + quotation(text))
		return
	}
	a.graded("Contradicts nothing that the reference says")
}

// similar was a likeness of embeddings.
func similar(a *assertion) {
	items := a.value.items()
	a.require(len(items) <= 1, "it is like one of several texts", "a criterion of `rubric` that names them")
	a.value = append(items, node{})[0]
	text := a.scalar()
	a.differs("the judge says whether the answer means the same, in place of a likeness of embeddings of at least " + cmp.Or(a.threshold.text(), "0.75"))
	a.threshold = node{}
	a.graded("Says in substance: " + quotation(text))
}

// relevant is a criterion of a fixed text.
func (a *assertion) relevant(criterion string) {
	a.require(a.kind != "context-faithfulness" || a.with.vars == nil || a.with.vars["context"] != "", "there is no variable `context`, which the judge would be shown", "the context as a variable")
	a.differs("the judge is asked whether this holds: " + document.Quote(criterion))
	a.graded(criterion)
}

// grader is the provider that graded; the first one is the judge.
func (im *importer) grader(n node) {
	switch {
	case n.missing() || im.judge != nil && im.judge.from.Node == n.Node:
		return
	case !n.get("text").missing():
		im.keys(n, "of the grader", handlers{"text": im.grader, "id": nil,
			"embedding": im.leave("the provider of embeddings", "likeness is asked of the judge")})
		return
	case !n.get("embedding").missing(), strings.Contains(n.text(), ":embedding"):
		im.left(n, "the provider of embeddings", "likeness is asked of the judge")
		return
	}
	switch t := im.provider(n); {
	case t == nil || im.judge != nil && im.judge.id == t.id:
	case im.judge != nil:
		im.changed(n, "the grader "+document.Quote(t.id), "there is one judge, "+document.Quote(im.judge.id), "")
	case oneOf(t.value.get("provider").text, "echo", "http"):
		im.lost(n, "the grader "+document.Quote(t.id), "a judge is a model", "a target of `openai` or `anthropic` under `judges`")
	default:
		t.label = "grader"
		t.name, im.judge = im.targetName(t), t
	}
}
