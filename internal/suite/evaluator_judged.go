package suite

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// completion is what the prompt of an evaluator calls the answer.
const completion = "completion"

// maxCriterion is the most characters of a criterion, as the schema of suites has it.
const maxCriterion = 4000

// met is the least score of a choice that meets its evaluator.
const met = 0.5

var (
	judgedKeys = []string{"modelId", "prompt", "systemPrompt", "choices"}
	choiceKeys = []string{"choice", "score"}
)

// judgedEvaluator reads an evaluator that asks a model, as a criterion of the configuration's judge: the instructions are the file's, and the
// answer stands sealed beside them, as every answer that a judge is shown. nil where something is wrong.
func (f *file) judgedEvaluator(name string, n *document.Node) *judged {
	if n.AsMap() == nil {
		f.faults.errorAt(n.Pos, "evaluator", "`llm` is a map with prompt and choices")
		return nil
	}
	f.unread(n, "llm.", judgedKeys)
	prompt, system := value(n, "prompt"), f.stringKey(n, "systemPrompt")
	if prompt == nil || prompt.Kind != document.String || strings.TrimSpace(prompt.Text) == "" {
		f.faults.errorAt(n.Pos, "evaluator", "the evaluator has no `prompt`; expected what a model is to find out about the answer, {{%s}}", completion)
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
		f.faults.errorAt(prompt.Pos, "evaluator", "with its choices the evaluator is %d characters long; expected at most %d", n, maxCriterion)
		return nil
	}
	return &judged{f.criterion(prompt, prompt.Text), text}
}

// judged is an evaluator that a model answers.
type judged struct {
	prompt *prompt // whose variables a row must have
	text   string  // of the criterion
}

// choices are what an evaluator's prompt may end in: those whose score is enough, and the others. Where one of both is empty, it has told why.
func (f *file) choices(n *document.Node) (enough, short []string) {
	list := value(n, "choices")
	if list == nil || list.Kind != document.List || list.Len() == 0 {
		f.faults.errorAt(n.Pos, "evaluator", "the evaluator has no `choices`; expected a list of { choice: …, score: 0 to 1 }")
		return nil, nil
	}
	for _, item := range list.Items() {
		if item.AsMap() == nil {
			f.faults.errorAt(item.Pos, "evaluator", "a choice is a map with `choice` and `score`")
			return nil, nil
		}
		f.unread(item, "choices.", choiceKeys)
		text, ok := value(item, "choice").AsScalar()
		if score := value(item, "score"); !ok || text == "" || score == nil {
			f.faults.errorAt(item.Pos, "evaluator", "a choice has a `choice`, which is text, and a `score` from 0 to 1")
			return nil, nil
		}
		score, ok := f.figure(item, "score", 0, 1)
		switch {
		case !ok: // which was told
			return nil, nil
		case score >= met:
			enough = append(enough, text)
		default:
			short = append(short, text)
		}
	}
	if len(enough) == 0 || len(short) == 0 {
		f.faults.errorAt(list.Pos, "evaluator", "the choices tell no good answer from a bad one; expected some with a score of %v or more, and some with less", met)
	}
	return enough, short
}

// either quotes texts of which one is meant.
func either(all []string) string {
	return "“" + strings.Join(all, "” or “") + "”"
}

// graded holds the answers to one row to what a model is to say of them.
func (e *evaluators) graded(c *collector, k *Case, by *judgedBy) {
	if len(e.judged) == 0 {
		return
	}
	k.Rubric = &Rubric{}
	by.Rubric = k.Rubric
	for _, one := range e.judged {
		same := func(other Criterion) bool { return other.Text == one.text }
		if slices.ContainsFunc(k.Rubric.Criteria, same) {
			continue
		}
		m := &one.prompt.messages[0]
		m.template.uses(func(name string, offset int) {
			if name != completion {
				c.use(k, use{one.prompt, name}, m.path, func() document.Position { return c.placeIn(m, offset) })
			}
		})
		k.Rubric.Criteria = append(k.Rubric.Criteria, Criterion{Text: one.text, Severity: k.Severity})
	}
	c.useAll(k) // the judge is shown them
}
