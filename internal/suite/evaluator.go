package suite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/score"
)

// operators are the keys of a string evaluator, each with its mode of matching.
var operators = []struct{ key, mode string }{
	{"equals", expect.ModeEquals},
	{"contains", expect.ModeContainsFold},
	{"startsWith", expect.ModePrefixFold},
	{"endsWith", expect.ModeSuffixFold},
}

// evaluators are what a prompt file expects of the answers to all its rows.
type evaluators struct {
	checks     []comparison
	judged     []*modelEvaluator // evaluators that the configuration's judge decides
	skipped    []string          // names of evaluators that are not supported
	similarity bool              // compare the meaning of the answer with the expected text of the row
	grounded   bool              // check that the answer rests on the row's expected text
}

// comparison is one operator of a string evaluator. Its text may have variables, which are filled from each row.
type comparison struct {
	name string // name of the evaluator
	mode string
	text *prompt // has one message: the text to compare with
	at   *document.Node
}

// evaluators returns the evaluators of a prompt file.
func (f *modelsFile) evaluators() *evaluators {
	e := &evaluators{}
	list := value(f.root, "evaluators")
	if list == nil {
		return e
	}
	if list.Kind != document.List {
		f.faults.ErrorAt(list.Pos, "type", "`evaluators` is not a list")
		return e
	}
	for _, item := range list.List() {
		if item.AsMap() == nil {
			f.faults.ErrorAt(item.Pos, "type", "an evaluator is a map with `string`, `llm` or `uses`")
			continue
		}
		f.faults.unread(item, "evaluators.", evaluatorKeys)
		f.evaluator(e, item)
	}
	return e
}

func (f *modelsFile) evaluator(e *evaluators, item *document.Node) {
	name := f.faults.stringKey(item, "name")
	text, llm, uses := value(item, "string"), value(item, "llm"), f.faults.stringKey(item, "uses")
	switch {
	case text == nil && llm == nil && uses == "":
		f.faults.ErrorAt(item.Pos, "evaluator", "the evaluator has neither `string` nor `llm` nor `uses` and judges nothing")
	case uses == "github/similarity":
		e.similarity = true
	case uses == "github/groundedness":
		e.grounded = true
	case uses != "":
		e.skipped = append(e.skipped, cmp.Or(name, uses))
	}
	switch {
	case llm != nil && f.file.loader.config.Judge == nil:
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

// addMeasures adds to a case the metrics that compare its answers with the row's expected text, if an evaluator asks
// for that.
func (e *evaluators) addMeasures(c *collector, k *Case, checks *judgedBy, row *document.Node) {
	if !e.similarity && !e.grounded {
		return
	}
	text, ok := value(row, "expected").AsScalar()
	if !ok || text == "" {
		c.faults.ErrorAt(row.Pos, "missing-key", "the row has no `expected`, which github/similarity and github/groundedness compare answers with")
		return
	}
	plan := score.Plan{Strategy: score.StrategyAccuracy, Grounding: e.grounded}
	if e.similarity {
		plan.Strategy, plan.Accuracy = score.StrategyReasoning, score.MethodSemantic
	}
	k.Measured = &score.Expected{Plan: plan, Reference: text}
	if e.similarity {
		k.Measured.Sentences = c.loader.synonyms.Sentences(text)
	}
	checks.Strategy, checks.Measured = plan.Strategy, &measuredBy{Reference: text, Grounding: e.grounded}
}

// operators adds the comparisons of the string evaluator n to e. If the evaluator has several operators, all of them
// apply.
func (f *modelsFile) operators(e *evaluators, name string, n *document.Node) {
	if n.AsMap() == nil {
		f.faults.ErrorAt(n.Pos, "evaluator", "`string` is a map with equals, contains, startsWith or endsWith")
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
			f.faults.ErrorAt(at.Pos, "type", "`%s` is not text", op.key)
			continue
		}
		e.checks = append(e.checks, comparison{name, op.mode, f.criterion(at, text), at})
	}
	f.faults.unread(n, "string.", keys)
	if found == 0 {
		f.faults.ErrorAt(n.Pos, "evaluator", "the evaluator compares nothing; expected %s", nameList(keys))
	}
}

// criterion returns a prompt whose only message is text, which is at the node at. Variables in it are filled from a
// row.
func (f *modelsFile) criterion(at *document.Node, text string) *prompt {
	m := message{text: text, path: f.faults.Path, at: at.Pos}
	m.parse(f.faults)
	return &prompt{messages: []message{m}}
}

// addChecks fills the comparisons for the row of case k and adds them to the case.
func (e *evaluators) addChecks(c *collector, k *Case, checks *judgedBy) {
	for _, check := range e.checks {
		c.look(k, check.text)
		c.lookDialects(k, check.text)
		text := check.text.messages[0].template.fill(k.Vars)
		match, err := expect.CompileMatch(text, check.mode)
		if err != nil {
			c.faults.compileFault(check.at, text, "evaluator", err)
			continue
		}
		match.Criterion = check.name
		c.faults.alwaysTrue(check.at.Pos, match)
		k.Expect.Criteria = append(k.Expect.Criteria, match)
		checks.Criteria = append(checks.Criteria, criterion{effectiveMode(match, check.mode), text})
	}
}

// completion is the variable that stands for the answer in an evaluator's prompt.
const completion = "completion"

// maxCriterion is the largest length of a criterion, in characters. The schema of suites has the same limit.
const maxCriterion = 4000

// met is the lowest score of a choice that counts as met.
const met = 0.5

var (
	judgedKeys = []string{"modelId", "prompt", "systemPrompt", "choices"}
	choiceKeys = []string{"choice", "score"}
)

// judgedEvaluator returns an evaluator with a model as a criterion for the configuration's judge. The criterion
// contains the evaluator's prompt as instructions, and the judge sees the answer separately. judgedEvaluator returns
// nil on an error.
func (f *modelsFile) judgedEvaluator(name string, n *document.Node) *modelEvaluator {
	if n.AsMap() == nil {
		f.faults.ErrorAt(n.Pos, "evaluator", "`llm` is a map with prompt and choices")
		return nil
	}
	f.faults.unread(n, "llm.", judgedKeys)
	prompt, system := value(n, "prompt"), f.faults.stringKey(n, "systemPrompt")
	if prompt == nil || prompt.Kind != document.String || strings.TrimSpace(prompt.Text) == "" {
		f.faults.ErrorAt(n.Pos, "evaluator", "the evaluator has no `prompt`; expected what a model is to find out about the answer, {{%s}}", completion)
		return nil
	}
	enough, short := f.choices(n)
	if len(enough) == 0 || len(short) == 0 {
		return nil
	}
	text := name + ": followed to the letter, the instructions below end in " + either(enough) + ", and not in " + either(short) +
		".\n{{" + completion + "}} in them stands for ANSWER, any other {{name}} for what ASKED holds under that name.\n"
	if system != "" {
		text += "\n" + strings.TrimSpace(system) + "\n"
	}
	text += "\n" + strings.TrimSpace(prompt.Text)
	if n := len([]rune(text)); n > maxCriterion {
		f.faults.ErrorAt(prompt.Pos, "evaluator", "with its choices the evaluator is %d characters long; expected at most %d", n, maxCriterion)
		return nil
	}
	return &modelEvaluator{f.criterion(prompt, prompt.Text), text}
}

// modelEvaluator is an evaluator with a model, as a criterion for the judge.
type modelEvaluator struct {
	prompt *prompt // each row must have its variables
	text   string  // text of the criterion
}

// choices returns the choices that an evaluator offers its model. enough has those with a score of at least met, and
// short has the others. If one of them is empty, choices has reported an error.
func (f *modelsFile) choices(n *document.Node) (enough, short []string) {
	list := value(n, "choices")
	if list == nil || list.Kind != document.List || len(list.List()) == 0 {
		f.faults.ErrorAt(n.Pos, "evaluator", "the evaluator has no `choices`; expected a list of { choice: …, score: 0 to 1 }")
		return nil, nil
	}
	for _, item := range list.List() {
		if item.AsMap() == nil {
			f.faults.ErrorAt(item.Pos, "evaluator", "a choice is a map with `choice` and `score`")
			return nil, nil
		}
		f.faults.unread(item, "choices.", choiceKeys)
		text, ok := value(item, "choice").AsScalar()
		if score := value(item, "score"); !ok || text == "" || score == nil {
			f.faults.ErrorAt(item.Pos, "evaluator", "a choice has a `choice`, which is text, and a `score` from 0 to 1")
			return nil, nil
		}
		score, ok := f.faults.figure(item, "score", 0, 1)
		switch {
		case !ok: // reported already
			return nil, nil
		case score >= met:
			enough = append(enough, text)
		default:
			short = append(short, text)
		}
	}
	if len(enough) == 0 || len(short) == 0 {
		f.faults.ErrorAt(list.Pos, "evaluator", "the choices tell no good answer from a bad one; expected some with a score of %v or more, and some with less", met)
	}
	return enough, short
}

// either returns the alternatives in quotes, joined by "or".
func either(all []string) string {
	return "“" + strings.Join(all, "” or “") + "”"
}

// addRubric adds to a case the criteria that the judge decides.
func (e *evaluators) addRubric(c *collector, k *Case) {
	if len(e.judged) == 0 {
		return
	}
	k.Rubric = &Rubric{}
	for _, one := range e.judged {
		same := func(other Criterion) bool { return other.Text == one.text }
		if slices.ContainsFunc(k.Rubric.Criteria, same) {
			continue
		}
		m := &one.prompt.messages[0]
		m.template.uses(func(name string, offset int) {
			if name != completion {
				c.use(k, use{one.prompt, name}, m.path, func() document.Position { return c.faults.placeIn(m, offset) })
			}
		})
		k.Rubric.Criteria = append(k.Rubric.Criteria, Criterion{Text: one.text, Severity: k.Severity})
	}
	c.useAll(k) // the judge sees all variables
}
