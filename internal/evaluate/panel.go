package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suite"
)

// Panel has a judge grade answers. In the first looks of a run, equal questions get one verdict. It is safe for
// concurrent use.
type Panel struct {
	judge       judge.Judge
	fingerprint string
	client      model.Client
	options     PanelOptions
	controls    controls // of what is met
	shows       controls // of what text can show

	mu  sync.Mutex
	now map[string]func() (Grade, error) // verdicts of this run, by key: whoever comes first asks, and the others wait
}

// PanelOptions say what verdicts may be taken from, and what is hidden from the judge.
type PanelOptions struct {
	Where    string           // what makes equal questions to two judges differ: the address
	Journal  model.Journal    // keeps replies; nil: nothing is kept
	Redactor *redact.Redactor // what must not be kept must not be sent; nil hides nothing
	Standing judge.Standing   // what its verdicts are worth
	AskStale bool             // a recorded verdict that does not hold is asked anew; else it is none
}

// NewPanel makes a Panel of a judge that is asked by a client.
func NewPanel(j judge.Judge, client model.Client, o PanelOptions) *Panel {
	return &Panel{judge: j, fingerprint: j.Fingerprint(), client: client, options: o,
		now: map[string]func() (Grade, error){}}
}

// grading is one answer that is held to the criteria of one case.
type grading struct {
	suite    *suite.Suite
	c        *suite.Case // opened
	response model.Response
	again    again // how it is asked again; zero for a first look
	items    []*item
	facts    []score.FactRead // what the rules read of the key facts; nil until it is needed
}

// again says how verdicts are asked for that must be fresh.
type again struct {
	name  string   // of the round, side and comparison: verdicts of one name are kept for it alone; "" for a first look
	votes int      // of each verdict, at least
	only  []string // the criteria that are asked; nil: all
}

type item struct {
	of      *grading
	grade   Grade
	settled bool // nobody is asked
	shows   bool // it is asked whether text can show the criterion
	asking  judge.Asking
	kept    *Grade // a verdict from before this run
}

// item returns one criterion of a grading. It is settled if this look is at other criteria, and a key fact is if the
// rules find it or its opposite.
func (g *grading) item(c suite.Criterion) *item {
	one := &item{of: g, grade: Grade{Criterion: c}}
	if g.again.only != nil && !slices.Contains(g.again.only, c.Text) {
		one.settled, one.grade.Met, one.grade.assumed = true, true, true
	}
	if c.Fact == "" {
		return one
	}
	if g.facts == nil {
		g.facts = g.c.Measured.ReadFacts(string(g.response.Text))
	}
	at := slices.IndexFunc(g.facts, func(f score.FactRead) bool { return f.Fact == c.Fact })
	if outcome := g.facts[at].Outcome; outcome != score.FactNotFound {
		one.settled, one.grade.Met, one.grade.assumed, one.grade.recorded = true, outcome == score.FactSaid, false, true
	}
	return one
}

func (g *grading) grades() (out Grades) {
	if g == nil {
		return nil
	}
	for _, one := range g.items {
		out = append(out, one.grade)
	}
	return out
}

// gradeTrial grades the answers of one trial, both sides together. For a criterion that both have, an older verdict on
// one answer is used only if the other has one too: a judge that changed since would otherwise make the sides differ.
// The error is the client's.
func (p *Panel) gradeTrial(ctx context.Context, all []*grading) error {
	groups, order := map[string][]*item{}, []string{}
	shown, err := p.askWhatShows(ctx, all)
	if err != nil {
		return err
	}
	for _, g := range all {
		for _, c := range g.c.Rubric.Criteria {
			one := g.item(c)
			if one.settled && c.Fact == "" {
				continue
			}
			g.items = append(g.items, one)
			if !one.showable(shown[c.Text]) {
				continue
			}
			if !one.settled && p.put(one) {
				if groups[c.Text] == nil {
					order = append(order, c.Text)
				}
				groups[c.Text] = append(groups[c.Text], one)
			}
		}
	}
	for _, name := range order {
		if err := p.gradeItems(ctx, groups[name]); err != nil {
			return err
		}
	}
	return nil
}

// put makes the question of an item, and reports whether there is anything to ask.
func (p *Panel) put(one *item) bool {
	g := one.of
	asking, err := p.asking(one)
	if err != nil {
		one.grade.Lost = &model.Failure{Reason: model.ReasonVerdict, Message: model.Untrusted(err.Error())}
		return false
	}
	asking.Request.SuiteID, asking.Request.CaseID = g.suite.ID, g.c.ID
	one.asking, one.grade.Key = asking, asking.Key
	if g.again.name != "" {
		return true
	}
	one.kept = p.keptOf(one)
	recorded := func(v model.Verdict) bool { return v.Criterion == one.grade.Text && v.Shows == one.shows }
	if one.kept == nil && !p.options.AskStale && slices.ContainsFunc(g.response.Verdicts, recorded) { // and does not hold
		one.grade.Lost = &model.Failure{Reason: model.ReasonStaleVerdict, Message: model.Untrusted(
			"the recorded verdict is of another judge, question or answer; run `failproof record " + g.suite.Path +
				"`")}
		return false
	}
	return true
}

// asking is what the judge is asked of an item. The error is judge.ErrTooLong.
func (p *Panel) asking(one *item) (judge.Asking, error) {
	c := one.of.c
	if !one.shows {
		return p.Question(c, one.grade.Text, one.of.response.Text)
	}
	q := judge.Question{Shows: true, Criterion: p.hide(one.grade.Text), Asked: map[string]string{}}
	if one.grade.IsReference {
		q.Reference = p.hide(c.Rubric.Reference)
	}
	if task, asks := c.Vars[skilleval.Task]; asks {
		q.Asked[skilleval.Task] = p.hide(task)
	}
	return p.judge.Ask(q)
}

// Question returns the judge's question about a criterion and an answer to a case. The error is judge.ErrTooLong.
func (p *Panel) Question(c *suite.Case, criterion string, text model.Untrusted) (judge.Asking, error) {
	seen, _ := answer.Of(string(text))
	asked, context := c.Rubric.Shows(c.Vars)
	return p.judge.Ask(judge.Question{Criterion: p.hide(criterion), Reference: p.hide(c.Rubric.Reference),
		Asked: p.hideAll(asked), Context: p.hideAll(context), Answer: model.Untrusted(p.hide(seen))})
}

func (p *Panel) hide(s string) string { return p.options.Redactor.Text(s) }

func (p *Panel) hideAll(texts map[string]string) map[string]string {
	for name, text := range texts {
		texts[name] = p.hide(text)
	}
	return texts
}

// gradeItems grades the items of one criterion. Older verdicts are used only if all items have one.
func (p *Panel) gradeItems(ctx context.Context, items []*item) error {
	kept := !slices.ContainsFunc(items, func(one *item) bool { return one.kept == nil })
	for _, one := range items {
		ask := p.once
		switch {
		case kept:
			one.take(*one.kept)
			continue
		case one.of.again.name != "":
			ask = p.ask
		}
		got, err := ask(ctx, one)
		if err != nil {
			return err
		}
		one.take(got)
	}
	return nil
}

func (one *item) take(g Grade) {
	one.grade.Met, one.grade.Why, one.grade.Lost, one.grade.against = g.Met, g.Why, g.Lost, g.against
	one.grade.recorded, one.grade.use = g.recorded, g.use
}

// once asks a question unless it was asked in this run already; then it waits for that verdict.
func (p *Panel) once(ctx context.Context, one *item) (Grade, error) {
	p.mu.Lock()
	hear, known := p.now[one.asking.Key]
	if !known {
		hear = sync.OnceValues(func() (Grade, error) {
			if one.shows && one.kept != nil {
				return *one.kept, nil
			}
			return p.ask(ctx, one)
		})
		p.now[one.asking.Key] = hear
	}
	p.mu.Unlock()
	grade, err := hear()
	if known {
		grade.use = use{cached: 1}
	}
	return grade, err
}

// keptOf returns the verdict recorded beside the answer, or that of the journal's replies; nil without one.
func (p *Panel) keptOf(one *item) *Grade {
	for _, v := range one.of.response.Verdicts {
		if v.Key == one.asking.Key {
			return &Grade{Met: v.Met, Why: v.Why, recorded: true}
		}
	}
	if p.options.Journal == nil {
		return nil
	}
	var replies []judge.Reply
	for vote := 1; vote <= p.judge.Votes; vote++ {
		r, found := p.options.Journal.Find(p.address(one, vote))
		if !found {
			return nil
		}
		reply, err := judge.Read(r)
		if err != nil {
			return nil
		}
		replies = append(replies, reply)
		if most, ok := judge.Majority(replies, p.judge.Votes); ok {
			return &Grade{Met: most.Met, Why: most.Why, against: judge.Against(replies, most.Met), use: use{cached: 1}}
		}
	}
	return nil
}

func (p *Panel) address(one *item, vote int) model.Address {
	return model.Address{Request: hashed(p.options.Where, one.asking.Key), Occurrence: vote, Trial: 1,
		Pair: cmp.Or(one.of.again.name, "verdict")}
}

// ask puts a question to the judge, vote by vote until most say the same.
func (p *Panel) ask(ctx context.Context, one *item) (Grade, error) {
	told, err := p.control(ctx, one.shows)
	if err != nil {
		return Grade{}, fmt.Errorf("ask the judge: %w", err)
	}
	if told.Wrong != "" {
		lost := model.Failure{Reason: model.ReasonVerdict,
			Message: model.Untrusted("it got a control wrong three times running: " + told.Wrong)}
		return Grade{Lost: &lost}, nil
	}
	votes := max(p.judge.Votes, one.of.again.votes)
	var out Grade
	var replies []judge.Reply
	for vote := 1; vote <= votes; vote++ {
		reply, lost, err := p.vote(ctx, one, vote, &out.use)
		switch {
		case err != nil:
			return out, fmt.Errorf("ask the judge: %w", err)
		case lost != nil:
			recorded := one.of.response.Attempts == 0 && !one.of.response.Cached
			// verdicts beside the answer would be read
			if out.Lost = lost; recorded && (lost.Reason == model.ReasonAuth || lost.Reason == model.ReasonNoKey) {
				told := *lost
				told.Message += model.Untrusted("; verdicts that `failproof record " +
					one.of.suite.Path + "` wrote need no key")
				out.Lost = &told
			}
			if lost.Stop || lost.NotAsked() {
				return out, nil
			}
			continue
		}
		replies = append(replies, reply)
		if most, ok := judge.Majority(replies, votes); ok {
			out.Met, out.Why, out.Lost, out.against = most.Met, most.Why, nil, judge.Against(replies, most.Met)
			return out, nil
		}
	}
	return out, nil
}

// attempts is how often a judge is asked for one reply that can be read.
const attempts = 2

// vote asks for one reply. lost says why there is none.
func (p *Panel) vote(ctx context.Context, one *item, vote int,
	spent *use) (reply judge.Reply, lost *model.Failure, err error) {
	address := p.address(one, vote)
	if one.of.again.name != "" && p.options.Journal != nil { // a run that was cut off goes on
		if r, found := p.options.Journal.Find(address); found {
			if reply, err := judge.Read(r); err == nil {
				spent.cached++
				return reply, nil, nil
			}
		}
	}
	for range attempts {
		r, err := p.client.Answer(ctx, one.asking.Request)
		if err != nil {
			return reply, nil, err
		}
		*spent = spent.plus(usedBy(r))
		if r.Failure != nil {
			return reply, r.Failure, nil
		}
		reply, fault := judge.Read(r)
		if fault == nil {
			if p.options.Journal != nil {
				p.options.Journal.Keep(address, one.asking.Request, r)
			}
			return reply, nil, nil
		}
		lost = &model.Failure{Reason: model.ReasonVerdict, Message: model.Untrusted(fault.Error())}
	}
	return reply, lost, nil
}
