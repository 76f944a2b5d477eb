package promptfoo

import (
	"cmp"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

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
	if a.value.missing() {
		panic(a.todo("it has no value", "a criterion, a sentence that is true of a good answer"))
	}
	for _, item := range a.value.items() {
		if item.isMap() {
			panic(a.todo("its value is a map, for a prompt of its own", "criteria, each a sentence that is true of a good answer"))
		}
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
	if len(items) > 1 {
		panic(a.todo("it is like one of several texts", "a criterion of `rubric` that names them"))
	}
	a.value = append(items, node{})[0]
	text := a.scalar()
	a.differs("the judge says whether the answer means the same, in place of a likeness of embeddings of at least " + cmp.Or(a.threshold.text(), "0.75"))
	a.threshold = node{}
	a.graded("Says in substance: " + quotation(text))
}

// relevant is a criterion of a fixed text.
func (a *assertion) relevant(criterion string) {
	if a.kind == "context-faithfulness" && a.with.vars != nil && a.with.vars["context"] == "" {
		panic(a.todo("there is no variable `context`, which the judge would be shown", "the context as a variable"))
	}
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
