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

// Panel lets a judge grade answers. Equal questions get one verdict, except in reruns. It is safe for concurrent use.
type Panel struct {
	judge       judge.Judge
	fingerprint string
	client      model.Client
	options     PanelOptions
	controls    controls // control questions about criteria
	shows       controls // control questions about what text can show

	mu  sync.Mutex
	now map[string]func() (Grade, error) // by key of the question: the first call asks the judge, others wait
}

// PanelOptions configures a Panel.
type PanelOptions struct {
	Where    string           // the judge's address, which distinguishes cached verdicts of different judges
	Journal  model.Journal    // cache of replies; nil: none
	Redactor *redact.Redactor // applied to all that is sent; nil: redacts nothing
	Standing judge.Standing   // whether the judge's verdicts count
	AskStale bool             // a stale recorded verdict is asked for again; otherwise it counts as missing
}

// NewPanel returns a Panel of a judge that is called through client.
func NewPanel(j judge.Judge, client model.Client, o PanelOptions) *Panel {
	return &Panel{judge: j, fingerprint: j.Fingerprint(), client: client, options: o,
		now: map[string]func() (Grade, error){}}
}

// grading is one answer with the criteria of one case.
type grading struct {
	suite     *suite.Suite
	c         *suite.Case // with its Body
	response  model.Response
	regrading regrading // zero if this is no rerun
	other     *grading  // of the other side by the same criteria; nil: none
	as        gradedAs
	items     []*item
	facts     []score.FactRead // results of the rules for key facts; nil until needed
}

// gradedAs says whose answer a grading is about, and by whose criteria.
type gradedAs int

const (
	headsOwn  gradedAs = iota
	basesOwn           // the base's answer
	underBase          // the head's answer by the base's criteria
)

// regrading holds the settings for grading a rerun.
type regrading struct {
	// identifies round, side and comparison: only verdicts cached under it are used; "" if this is no rerun
	name  string
	votes int      // smallest number of votes for each verdict
	only  []string // criteria to judge; nil: all
}

type item struct {
	grading *grading
	grade   Grade
	settled bool // the judge is not asked
	shows   bool // the question is whether text can show the criterion
	asking  judge.Asking
	kept    *Grade // recorded or cached verdict
}

// item returns the item for the criterion c. The item is settled, so that no judge is asked, in two cases: the rerun is
// about other criteria, or the rules for key facts decide.
func (g *grading) item(c suite.Criterion) *item {
	one := &item{grading: g, grade: Grade{Criterion: c}}
	if g.regrading.only != nil && !slices.Contains(g.regrading.only, c.Text) {
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

// gradeTrial grades the answers of one trial, both sides together. It uses a recorded or cached verdict only if the
// other side has one too. Otherwise a changed judge could make the sides differ. It returns the client's error.
func (p *Panel) gradeTrial(ctx context.Context, all []*grading) error {
	shown, err := p.askWhatShows(ctx, all)
	if err != nil {
		return err
	}
	var asked []*item
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
				asked = append(asked, one)
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

// put builds the question of an item and looks for a recorded or cached verdict. It returns false if no verdict can
// come: the question is too long, or the recorded verdict is stale.
func (p *Panel) put(one *item) bool {
	g := one.grading
	asking, err := p.asking(one)
	if err != nil {
		one.grade.Lost = &model.Failure{Reason: model.ReasonVerdict, Message: model.Untrusted(err.Error())}
		return false
	}
	asking.Request.SuiteID, asking.Request.CaseID = g.suite.ID, g.c.ID
	one.asking, one.grade.Key = asking, asking.Key
	if g.regrading.name != "" {
		return true
	}
	one.kept = p.keptOf(one)
	stale := one.kept == nil && !p.options.AskStale && one.hasRecorded()
	if one.kept == nil && (g.as == underBase || g.as == basesOwn && stale) {
		one.kept = p.keptOfOther(one)
	}
	if one.kept == nil && stale {
		one.grade.Lost = &model.Failure{Reason: model.ReasonStaleVerdict, Message: model.Untrusted(
			"the recorded verdict is of another judge, question or answer")}
		return false
	}
	return true
}

// hasRecorded reports whether the item's answer is recorded with a verdict by the item's criterion.
func (one *item) hasRecorded() bool {
	return slices.ContainsFunc(one.grading.response.Verdicts, func(v model.Verdict) bool {
		return v.Criterion == one.grade.Text && v.Shows == one.shows
	})
}

// keptOfOther returns the recorded verdict on the answer of the other side if that makes the same question, otherwise
// nil. The key is computed from that answer, because a recording can have any keys.
func (p *Panel) keptOfOther(one *item) *Grade {
	if one.grading.other == nil {
		return nil
	}
	theirs := &item{grading: one.grading.other, grade: Grade{Criterion: one.grade.Criterion}, shows: one.shows}
	asking, err := p.asking(theirs)
	if err != nil || asking.Key != one.asking.Key {
		return nil
	}
	theirs.asking = asking
	return theirs.recorded()
}

// CurrentVerdicts counts the recorded verdicts on the answer r to the case c that are of the panel's judge. The case
// must have its Body.
func (p *Panel) CurrentVerdicts(s *suite.Suite, c *suite.Case, r model.Response) (n int) {
	for _, one := range (&grading{suite: s, c: c, response: r}).all() {
		asking, err := p.asking(one)
		if one.asking = asking; err == nil && one.recorded() != nil {
			n++
		}
	}
	return n
}

// asking returns the question of an item, or judge.ErrTooLong.
func (p *Panel) asking(one *item) (judge.Asking, error) {
	c, hide := one.grading.c, p.options.Redactor
	if !one.shows {
		return p.Question(c, one.grade.Text, one.grading.response.Text)
	}
	q := judge.Question{Shows: true, Criterion: hide.Text(one.grade.Text), Asked: map[string]string{}}
	if one.grade.IsReference {
		q.Reference = hide.Text(c.Rubric.Reference)
	}
	if task, asks := c.Vars[skilleval.Task]; asks {
		q.Asked[skilleval.Task] = hide.Text(task)
	}
	return p.judge.Ask(q)
}

// Question returns the judge's question about the criterion and the answer text to the case c, or judge.ErrTooLong.
func (p *Panel) Question(c *suite.Case, criterion string, text model.Untrusted) (judge.Asking, error) {
	seen, _ := answer.Of(string(text))
	asked, context := c.Rubric.Shows(c.Vars)
	hide := p.options.Redactor
	for _, texts := range []map[string]string{asked, context} {
		for name, text := range texts {
			texts[name] = hide.Text(text)
		}
	}
	return p.judge.Ask(judge.Question{Criterion: hide.Text(criterion), Reference: hide.Text(c.Rubric.Reference),
		Asked: asked, Context: context, Answer: model.Untrusted(hide.Text(seen))})
}

// gradeItems grades items, which have the same criterion. It uses recorded and cached verdicts only if all items have
// one. If only the head's answer by the base's criteria has none, and the judge gives none, the others count.
func (p *Panel) gradeItems(ctx context.Context, items []*item) error {
	kept := !slices.ContainsFunc(items, func(one *item) bool { return one.kept == nil })
	for _, one := range items {
		ask := p.once
		switch {
		case kept:
			one.take(*one.kept)
			continue
		case one.grading.regrading.name != "":
			ask = p.ask
		}
		got, err := ask(ctx, one)
		if err != nil {
			return err
		}
		one.take(got)
	}
	for _, one := range items {
		if one.grade.Lost == nil || one.kept == nil && one.grading.as != underBase {
			return nil
		}
	}
	for _, one := range items {
		if one.kept != nil {
			one.take(*one.kept)
		}
	}
	return nil
}

func (one *item) take(g Grade) {
	one.grade.Met, one.grade.Why, one.grade.Lost, one.grade.against = g.Met, g.Why, g.Lost, g.against
	one.grade.recorded, one.grade.use = g.recorded, g.use
}

// once returns the verdict on an item's question. For equal questions, only the first call in a run asks the judge.
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

// keptOf returns the recorded verdict on an item's question, or else the majority of the cached replies. It returns nil
// if there is neither.
func (p *Panel) keptOf(one *item) *Grade {
	if found := one.recorded(); found != nil || p.options.Journal == nil {
		return found
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
		if majority, ok := judge.Majority(replies, p.judge.Votes); ok {
			return &Grade{Met: majority.Met, Why: majority.Why, against: judge.Against(replies, majority.Met), use: use{cached: 1}}
		}
	}
	return nil
}

// recorded returns the recorded verdict on the item's question, or nil.
func (one *item) recorded() *Grade {
	for _, v := range one.grading.response.Verdicts {
		if v.Key == one.asking.Key {
			return &Grade{Met: v.Met, Why: v.Why, recorded: true}
		}
	}
	return nil
}

func (p *Panel) address(one *item, vote int) model.Address {
	return model.Address{Request: hashed(p.options.Where, one.asking.Key), Occurrence: vote, Trial: 1,
		Pair: cmp.Or(one.grading.regrading.name, "verdict")}
}

// ask puts an item's question to the judge, vote by vote until there is a majority.
func (p *Panel) ask(ctx context.Context, one *item) (Grade, error) {
	controls, err := p.control(ctx, one.shows)
	if err != nil {
		return Grade{}, fmt.Errorf("ask the judge: %w", err)
	}
	if controls.Wrong != "" {
		lost := model.Failure{Reason: model.ReasonVerdict,
			Message: model.Untrusted("it got a control wrong three times running: " + controls.Wrong)}
		return Grade{Lost: &lost}, nil
	}
	votes := max(p.judge.Votes, one.grading.regrading.votes)
	var out Grade
	var replies []judge.Reply
	for vote := 1; vote <= votes; vote++ {
		reply, lost, err := p.vote(ctx, one, vote, &out.use)
		switch {
		case err != nil:
			return out, fmt.Errorf("ask the judge: %w", err)
		case lost != nil:
			recorded := one.grading.response.Attempts == 0 && !one.grading.response.Cached
			// with recorded verdicts no key would be needed
			if out.Lost = lost; recorded && (lost.Reason == model.ReasonAuth || lost.Reason == model.ReasonNoKey) {
				hinted := *lost
				hinted.Message += model.Untrusted("; verdicts that `failproof record " +
					one.grading.suite.Path + "` wrote need no key")
				out.Lost = &hinted
			}
			if lost.Stop || lost.NotAsked() {
				return out, nil
			}
			continue
		}
		replies = append(replies, reply)
		if majority, ok := judge.Majority(replies, votes); ok {
			out.Met, out.Why, out.Lost, out.against = majority.Met, majority.Why, nil, judge.Against(replies, majority.Met)
			return out, nil
		}
	}
	return out, nil
}

// attempts is the largest number of calls to get one readable reply.
const attempts = 2

// vote returns one reply of the judge to an item's question, from the cache or by a call. It adds the cost to spent.
// failure says why there is no readable reply.
func (p *Panel) vote(ctx context.Context, one *item, vote int,
	spent *use) (reply judge.Reply, failure *model.Failure, err error) {
	address := p.address(one, vote)
	if one.grading.regrading.name != "" && p.options.Journal != nil { // an interrupted run continues
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
		failure = &model.Failure{Reason: model.ReasonVerdict, Message: model.Untrusted(fault.Error())}
	}
	return reply, failure, nil
}
