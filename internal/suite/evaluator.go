package suite

import (
	"cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/score"
)

// operators are the comparisons of a string evaluator and how each one matches.
var operators = []struct{ key, mode string }{
	{"equals", expect.ModeEquals},
	{"contains", expect.ModeContainsFold},
	{"startsWith", expect.ModePrefixFold},
	{"endsWith", expect.ModeSuffixFold},
}

// evaluators are what a prompt file expects of every row.
type evaluators struct {
	checks     []comparison
	judged     []*judged // by the configuration's judge
	skipped    []string  // names of those that nobody judges here
	similarity bool      // to the row's expected text: semantic accuracy
	grounded   bool      // in the row's expected text
}

// comparison is one operator of a string evaluator; its text is filled from the row.
type comparison struct {
	name string // of the evaluator
	mode string
	text *prompt // one message
	at   *document.Node
}

// evaluators reads the evaluators of a prompt file.
func (f *file) evaluators(root *document.Node) *evaluators {
	e := &evaluators{}
	list := value(root, "evaluators")
	if list == nil {
		return e
	}
	if list.Kind != document.List {
		f.faults.errorAt(list.Pos, "type", "`evaluators` is not a list")
		return e
	}
	for _, item := range list.Items() {
		if item.AsMap() == nil {
			f.faults.errorAt(item.Pos, "type", "an evaluator is a map with `string`, `llm` or `uses`")
			continue
		}
		f.unread(item, "evaluators.", evaluatorKeys)
		f.evaluator(e, item)
	}
	return e
}

func (f *file) evaluator(e *evaluators, item *document.Node) {
	name := f.stringKey(item, "name")
	text, llm, uses := value(item, "string"), value(item, "llm"), f.stringKey(item, "uses")
	switch {
	case text == nil && llm == nil && uses == "":
		f.faults.errorAt(item.Pos, "evaluator", "the evaluator has neither `string` nor `llm` nor `uses` and judges nothing")
	case uses == "github/similarity":
		e.similarity = true
	case uses == "github/groundedness":
		e.grounded = true
	case uses != "":
		e.skipped = append(e.skipped, cmp.Or(name, uses))
	}
	switch {
	case llm != nil && f.config.Judge == nil:
		e.skipped = append(e.skipped, cmp.Or(name, "llm"))
	case llm != nil:
		if one := f.judgedEvaluator(cmp.Or(name, "llm"), llm); one != nil {
			e.judged = append(e.judged, one)
		}
	}
	if text != nil {
		f.operators(e, cmp.Or(name, "string"), text)
	}
}

// measures holds the answers to one row against its expected text, where an evaluator asks for it.
func (e *evaluators) measures(c *collector, k *Case, by *judgedBy, row *document.Node) {
	if !e.similarity && !e.grounded {
		return
	}
	text, ok := value(row, "expected").AsScalar()
	if !ok || text == "" {
		c.faults.errorAt(row.Pos, "missing-key", "the row has no `expected`, which github/similarity and github/groundedness compare answers with")
		return
	}
	plan := score.Plan{Strategy: score.StrategyAccuracy, Grounding: e.grounded}
	if e.similarity {
		plan.Strategy, plan.Accuracy = score.StrategyReasoning, score.MethodSemantic
	}
	k.Measured = &score.Expected{Plan: plan, Reference: text}
	if e.similarity {
		k.Measured.Sentences = c.synonyms.Sentences(text)
	}
	by.Strategy, by.Measured = plan.Strategy, &measuredBy{Reference: text, Grounding: e.grounded}
}

// operators reads the comparisons of a string evaluator; all that are present are checked.
func (f *file) operators(e *evaluators, name string, n *document.Node) {
	if n.AsMap() == nil {
		f.faults.errorAt(n.Pos, "evaluator", "`string` is a map with equals, contains, startsWith or endsWith")
		return
	}
	found, keys := 0, []string{}
	for _, op := range operators {
		keys = append(keys, op.key)
		at := value(n, op.key)
		if at == nil {
			continue
		}
		found++
		text, ok := at.AsScalar()
		if !ok {
			f.faults.errorAt(at.Pos, "type", "`%s` is not text", op.key)
			continue
		}
		e.checks = append(e.checks, comparison{name, op.mode, f.criterion(at, text), at})
	}
	f.unread(n, "string.", keys)
	if found == 0 {
		f.faults.errorAt(n.Pos, "evaluator", "the evaluator compares nothing; expected %s", listed(keys))
	}
}

// criterion parses the text to compare with, a template over the row.
func (f *file) criterion(at *document.Node, text string) *prompt {
	m := message{text: text, path: f.faults.path, at: at.Pos}
	f.parse(&m)
	return &prompt{messages: []message{m}}
}

// apply compiles the comparisons for one row.
func (e *evaluators) apply(c *collector, k *Case, by *judgedBy) {
	for _, check := range e.checks {
		c.look(k, check.text)
		c.lookDialects(k, check.text)
		text := check.text.messages[0].template.fill(k.Vars)
		match, err := expect.CompileMatch(text, check.mode)
		if err != nil {
			c.compileFault(check.at, text, "evaluator", err)
			continue
		}
		match.Criterion = check.name
		c.alwaysTrue(check.at.Pos, match)
		k.Expect.Criteria = append(k.Expect.Criteria, match)
		by.Criteria = append(by.Criteria, criterion{inForce(match, check.mode), text})
	}
}
