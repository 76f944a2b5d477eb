package evaluate

import (
	"context"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suite"
)

// Panel lets a judge grade answers. Equal questions get one verdict, except in reruns. It is safe for concurrent use.
type Panel struct {
	judge       judge.Judge
	fingerprint string
	options     PanelOptions
	jury        *jury

	mu      sync.Mutex
	pending map[string]func() (verdict, error) // by key of the question: the first call asks the judge, others wait
}

// PanelOptions configures a Panel.
type PanelOptions struct {
	Address  string           // the judge's address, which distinguishes cached verdicts of different judges
	Journal  model.Journal    // cache of replies; nil: none
	Redactor *redact.Redactor // applied to all that is sent; nil: redacts nothing
	Standing judge.Standing   // whether the judge's verdicts count
	AskStale bool             // a stale recorded verdict is asked for again; otherwise it counts as missing
}

// NewPanel returns a Panel of a judge that is called through client.
func NewPanel(j judge.Judge, client model.Client, o PanelOptions) *Panel {
	return &Panel{judge: j, fingerprint: j.Fingerprint(), options: o, pending: map[string]func() (verdict, error){},
		jury: &jury{judge: j, client: client, address: o.Address, journal: o.Journal}}
}

// gradeTrial grades the answers of one trial, both sides together. It uses a recorded or cached verdict only if the
// other side has one too. Otherwise a changed judge could make the sides differ. It returns the client's error.
func (p *Panel) gradeTrial(ctx context.Context, all []*grading) error {
	sufficiency, err := p.askSufficiency(ctx, all)
	if err != nil {
		return err
	}
	var asked []*item
	for _, g := range all {
		for _, c := range g.c.Rubric.Criteria {
			it := g.newItem(c)
			if it.decided && c.Fact == "" {
				continue
			}
			g.items = append(g.items, it)
			if !it.applySufficiency(sufficiency[c.Text]) {
				continue
			}
			if !it.decided && p.prepare(it) {
				asked = append(asked, it)
			}
		}
	}
	for _, items := range byCriterion(asked) {
		if err := p.gradeItems(ctx, items); err != nil {
			return err
		}
	}
	return nil
}

// byCriterion groups items by the text of their criterion. The groups have the order of their first items.
func byCriterion(items []*item) (groups [][]*item) {
	at := map[string]int{}
	for _, one := range items {
		i, known := at[one.grade.Text]
		if !known {
			i, groups = len(groups), append(groups, nil)
			at[one.grade.Text] = i
		}
		groups[i] = append(groups[i], one)
	}
	return groups
}

// prepare builds the question of an item and looks for a recorded or cached verdict. It returns false if no verdict can
// come: the question is too long, or the recorded verdict is stale.
func (p *Panel) prepare(it *item) bool {
	g := it.grading
	asking, err := p.buildQuestion(it)
	if err != nil {
		it.grade.verdict = noVerdict(model.ReasonVerdict, err.Error())
		return false
	}
	asking.Request.SuiteID, asking.Request.CaseID = g.suite.ID, g.c.ID
	it.question, it.grade.Key = asking, asking.Key
	if g.regrading.name != "" {
		return true
	}
	if it.known = it.recorded(); it.known == nil {
		it.known = p.jury.cachedVerdict(it)
	}
	stale := it.known == nil && !p.options.AskStale && it.hasRecorded()
	if it.known == nil && (g.as == underBase || g.as == basesOwn && stale) {
		it.known = p.otherSideVerdict(it)
	}
	if it.known == nil && stale {
		it.grade.verdict = noVerdict(model.ReasonStaleVerdict,
			"the recorded verdict is of another judge, question or answer")
		return false
	}
	return true
}

// otherSideVerdict returns the recorded verdict on the answer of the other side if that makes the same question,
// otherwise nil. The key is computed from that answer, because a recording can have any keys.
func (p *Panel) otherSideVerdict(one *item) *verdict {
	if one.grading.other == nil {
		return nil
	}
	theirs := &item{grading: one.grading.other, grade: Grade{Criterion: one.grade.Criterion},
		asksSufficiency: one.asksSufficiency}
	asking, err := p.buildQuestion(theirs)
	if err != nil || asking.Key != one.question.Key {
		return nil
	}
	theirs.question = asking
	return theirs.recorded()
}

// CurrentVerdicts counts the recorded verdicts on the answer r to the case c that are of the panel's judge. The case
// must have its Body.
func (p *Panel) CurrentVerdicts(s *suite.Suite, c *suite.Case, r model.Response) (n int) {
	for _, one := range (&grading{suite: s, c: c, response: r}).allItems() {
		asking, err := p.buildQuestion(one)
		if one.question = asking; err == nil && one.recorded() != nil {
			n++
		}
	}
	return n
}

// buildQuestion returns the question of an item, or judge.ErrTooLong.
func (p *Panel) buildQuestion(it *item) (judge.PreparedQuestion, error) {
	c, redactor := it.grading.c, p.options.Redactor
	if !it.asksSufficiency {
		return p.Question(c, it.grade.Text, it.grading.response.Text)
	}
	q := judge.Question{AsksSufficiency: true, Criterion: redactor.Text(it.grade.Text), Vars: map[string]string{}}
	if it.grade.IsReference {
		q.Reference = redactor.Text(c.Rubric.Reference)
	}
	if task, asks := c.Vars[skilleval.Task]; asks {
		q.Vars[skilleval.Task] = redactor.Text(task)
	}
	return p.judge.Prepare(q)
}

// Question returns the judge's question about the criterion and the answer text to the case c, or judge.ErrTooLong.
func (p *Panel) Question(c *suite.Case, criterion string, text model.Untrusted) (judge.PreparedQuestion, error) {
	seen, _ := answer.StripReasoning(string(text))
	asked, context := c.Rubric.SplitVars(c.Vars)
	redactor := p.options.Redactor
	for _, texts := range []map[string]string{asked, context} {
		for name, text := range texts {
			texts[name] = redactor.Text(text)
		}
	}
	return p.judge.Prepare(judge.Question{Criterion: redactor.Text(criterion),
		Reference: redactor.Text(c.Rubric.Reference),
		Vars:      asked, Context: context, Answer: model.Untrusted(redactor.Text(seen))})
}

// gradeItems grades items, which have the same criterion. It uses recorded and cached verdicts only if all items have
// one. If only the head's answer by the base's criteria has none, and the judge gives none, the others count.
func (p *Panel) gradeItems(ctx context.Context, items []*item) (err error) {
	allKnown := !slices.ContainsFunc(items, func(it *item) bool { return it.known == nil })
	for _, it := range items {
		ask := p.askOnce
		switch {
		case allKnown:
			it.grade.verdict = *it.known
			continue
		case it.grading.regrading.name != "":
			ask = p.jury.ask
		}
		if it.grade.verdict, err = ask(ctx, it); err != nil {
			return err
		}
	}
	for _, it := range items {
		if it.grade.Failure == nil || it.known == nil && it.grading.as != underBase {
			return nil
		}
	}
	for _, it := range items {
		if it.known != nil {
			it.grade.verdict = *it.known
		}
	}
	return nil
}

// askOnce returns the verdict on an item's question. For equal questions, only the first call in a run asks the judge.
func (p *Panel) askOnce(ctx context.Context, it *item) (verdict, error) {
	p.mu.Lock()
	answer, known := p.pending[it.question.Key]
	if !known {
		answer = sync.OnceValues(func() (verdict, error) {
			if it.asksSufficiency && it.known != nil {
				return *it.known, nil
			}
			return p.jury.ask(ctx, it)
		})
		p.pending[it.question.Key] = answer
	}
	p.mu.Unlock()
	v, err := answer()
	if known {
		v.calls = report.Calls{Cached: 1}
	}
	return v, err
}
