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
	comparisons      []comparison
	modelEvaluators  []*modelEvaluator // evaluators that the configuration's judge decides
	skipped          []string          // names of evaluators that are not supported
	checksSimilarity bool              // compare the meaning of the answer with the expected text of the row
	checksGrounding  bool              // check that the answer rests on the row's expected text
}

// comparison is one operator of a string evaluator. Its text may have variables, which are filled from each row.
type comparison struct {
	name string // name of the evaluator
	mode string
	text *prompt // has one message: the text to compare with
	node *document.Node
}

// readEvaluators returns the evaluators of a prompt file.
func (f *modelsFile) readEvaluators() *evaluators {
	e := &evaluators{}
	for _, item := range f.root.Get("evaluators").List() {
		if item.AsMap() != nil {
			f.faults.reportUnreadKeys(item, "evaluators.", evaluatorKeys)
			f.readEvaluator(e, item)
		}
	}
	return e
}

func (f *modelsFile) readEvaluator(e *evaluators, item *document.Node) {
	name, uses := item.Get("name").AsText(), item.Get("uses").AsText()
	text, llm := value(item, "string"), value(item, "llm")
	switch {
	case text == nil && llm == nil && uses == "":
		f.faults.ErrorAt(item.Pos, "evaluator", "the evaluator has neither `string` nor `llm` nor `uses` and judges nothing")
	case uses == "github/similarity":
		e.checksSimilarity = true
	case uses == "github/groundedness":
		e.checksGrounding = true
	case uses != "":
		e.skipped = append(e.skipped, cmp.Or(name, uses))
	}
	switch {
	case llm != nil && f.file.loader.config.Judge == nil:
		e.skipped = append(e.skipped, cmp.Or(name, "llm"))
	case llm.AsMap() != nil:
		if judged := f.readModelEvaluator(cmp.Or(name, "llm"), llm); judged != nil {
			e.modelEvaluators = append(e.modelEvaluators, judged)
		}
	}
	if text.AsMap() != nil {
		f.addComparisons(e, cmp.Or(name, "string"), text)
	}
}

// addMeasures adds to a case the metrics that compare its answers with the row's expected text, if an evaluator asks
// for that.
func (e *evaluators) addMeasures(c *collector, k *Case, checks *expectationContent, row *document.Node) {
	if !e.checksSimilarity && !e.checksGrounding {
		return
	}
	text, ok := value(row, "expected").AsScalar()
	if !ok || text == "" {
		c.faults.ErrorAt(row.Pos, "missing-key", "the row has no `expected`, which github/similarity and github/groundedness compare answers with")
		return
	}
	plan := score.Plan{Strategy: score.StrategyAccuracy, Grounding: e.checksGrounding}
	if e.checksSimilarity {
		plan.Strategy, plan.AccuracyMethod = score.StrategyReasoning, score.MethodSemantic
	}
	k.Measured = &score.Expected{Plan: plan, Reference: text}
	if e.checksSimilarity {
		k.Measured.Sentences = c.loader.synonyms.Sentences(text)
	}
	checks.Strategy, checks.Measured = plan.Strategy, &metricTexts{Reference: text, Grounding: e.checksGrounding}
}

// addComparisons adds the comparisons of the string evaluator n to e. If the evaluator has several operators, all of
// them apply.
func (f *modelsFile) addComparisons(e *evaluators, name string, n *document.Node) {
	found, keys := 0, []string{}
	for _, op := range operators {
		keys = append(keys, op.key)
		node := value(n, op.key)
		if node == nil {
			continue
		}
		found++
		text, _ := node.AsScalar()
		e.comparisons = append(e.comparisons, comparison{name, op.mode, f.textPrompt(node, text), node})
	}
	f.faults.reportUnreadKeys(n, "string.", keys)
	if found == 0 {
		f.faults.ErrorAt(n.Pos, "evaluator", "the evaluator compares nothing; expected %s", nameList(keys))
	}
}

// textPrompt returns a prompt whose only message is text, which is at node. Variables in it are filled from a row.
func (f *modelsFile) textPrompt(node *document.Node, text string) *prompt {
	m := message{text: text, path: f.faults.Path, at: node.Pos}
	m.parse(f.faults)
	return &prompt{messages: []message{m}}
}

// addChecks fills the comparisons for the row of case k and adds them to the case.
func (e *evaluators) addChecks(c *collector, k *Case, checks *expectationContent) {
	for _, check := range e.comparisons {
		c.recordPromptUses(k, check.text)
		c.recordDialects(k, check.text)
		text := check.text.messages[0].template.fill(k.Vars)
		match, _ := expect.CompileMatch(text, check.mode) // any text compiles in these modes
		match.Name = check.name
		c.faults.warnAlwaysTrue(check.node.Pos, match)
		k.Expect.Criteria = append(k.Expect.Criteria, match)
		checks.Criteria = append(checks.Criteria, criterion{match.EffectiveMode(), text})
	}
}

// completionVar is the variable that stands for the answer in an evaluator's prompt.
const completionVar = "completion"

// maxCriterion is the largest length of a criterion, in characters. The schema of suites has the same limit.
const maxCriterion = 4000

// metScore is the lowest score of a choice that counts as met.
const metScore = 0.5

var (
	judgedKeys = []string{"modelId", "prompt", "systemPrompt", "choices"}
	choiceKeys = []string{"choice", "score"}
)

// readModelEvaluator returns an evaluator with a model as a criterion for the configuration's judge. The criterion
// contains the evaluator's prompt as instructions, and the judge sees the answer separately. readModelEvaluator returns
// nil on an error.
func (f *modelsFile) readModelEvaluator(name string, n *document.Node) *modelEvaluator {
	f.faults.reportUnreadKeys(n, "llm.", judgedKeys)
	prompt, system := n.Get("prompt"), n.Get("systemPrompt").AsText()
	if strings.TrimSpace(prompt.AsText()) == "" {
		f.faults.ErrorAt(n.Pos, "evaluator", "the evaluator has no `prompt`; expected what a model is to find out about the answer, {{%s}}", completionVar)
		return nil
	}
	passing, failing := f.readChoices(n)
	if len(passing) == 0 || len(failing) == 0 {
		return nil
	}
	text := name + ": followed to the letter, the instructions below end in “" + strings.Join(passing, "” or “") + "”, and not in “" + strings.Join(failing, "” or “") +
		"”.\n{{" + completionVar + "}} in them stands for ANSWER, any other {{name}} for what ASKED holds under that name.\n"
	if system != "" {
		text += "\n" + strings.TrimSpace(system) + "\n"
	}
	text += "\n" + strings.TrimSpace(prompt.Text)
	if n := len([]rune(text)); n > maxCriterion {
		f.faults.ErrorAt(prompt.Pos, "evaluator", "with its choices the evaluator is %d characters long; expected at most %d", n, maxCriterion)
		return nil
	}
	return &modelEvaluator{f.textPrompt(prompt, prompt.Text), text}
}

// modelEvaluator is an evaluator with a model, as a criterion for the judge.
type modelEvaluator struct {
	prompt *prompt // each row must have its variables
	text   string  // text of the criterion
}

// readChoices returns the choices that an evaluator offers its model. passing has those with a score of at least
// metScore, and failing has the others. If one of them is empty, readChoices has reported an error.
func (f *modelsFile) readChoices(n *document.Node) (passing, failing []string) {
	list := value(n, "choices")
	for _, item := range list.List() {
		f.faults.reportUnreadKeys(item, "choices.", choiceKeys)
		text, hasText := item.Get("choice").AsScalar()
		score, hasScore := item.Get("score").AsNumber()
		switch {
		case !hasText || !hasScore: // the schema reports it
			return nil, nil
		case score >= metScore:
			passing = append(passing, text)
		default:
			failing = append(failing, text)
		}
	}
	if len(passing) == 0 || len(failing) == 0 {
		f.faults.ErrorAt(cmp.Or(list, n).Pos, "evaluator", "the choices tell no good answer from a bad one; expected a list of "+
			"{ choice: …, score: 0 to 1 }, some with a score of %v or more, and some with less", metScore)
	}
	return passing, failing
}

// addRubric adds to a case the criteria that the judge decides.
func (e *evaluators) addRubric(c *collector, k *Case) {
	if len(e.modelEvaluators) == 0 {
		return
	}
	k.Rubric = &Rubric{}
	for _, evaluator := range e.modelEvaluators {
		same := func(other Criterion) bool { return other.Text == evaluator.text }
		if slices.ContainsFunc(k.Rubric.Criteria, same) {
			continue
		}
		m := &evaluator.prompt.messages[0]
		m.template.eachPlaceholder(func(name string, offset int) {
			if name != completionVar {
				c.recordUse(k, variableUse{evaluator.prompt, name}, m.path,
					func() document.Position { return c.faults.positionIn(m, offset) })
			}
		})
		k.Rubric.Criteria = append(k.Rubric.Criteria, Criterion{Text: evaluator.text, Severity: k.Severity})
	}
	c.markAllUsed(k) // the judge sees all variables
}
