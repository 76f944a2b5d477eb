package evaluate

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// question is one request to one target. It is for one side, or for both if their requests are equal.
type question struct {
	target     Target
	targetName string
	request    model.Request
	address    model.JournalKey
	uses       []*answerUse
	cached     *model.Response // the cached answer; nil: call the target
	compared   CaseRef         // the case on the head if both sides are called separately; otherwise zero
	pair       *trialPair      // the trial on both sides; nil if the question does not depend on the other side
	response   model.Response  // the answer
	bug        *Bug            // the client's panic
	err        error           // the client's error
}

// answerUse is the use of an answer for one case on one side. If both sides share an answer, each has a use of it.
type answerUse struct {
	side suite.Side
	own  sideCase // its case has its Body
	// of an answer of the head: the same case on the base, whose expectation also applies if redefined
	baseCase sideCase
	trial    int
	rerun    int  // number of the rerun from 1; 0 if this is no rerun
	reused   bool // the call was made for the other side
	done     chan *Answer

	regrading               regrading // zero if this is no rerun
	ownGrading, baseGrading *grading  // gradings by the case's own and by the base's criteria; nil: not graded

	number int // index in the order of results, from 0
	size   int // length of its answer in bytes

	// set before the answer is evaluated
	plan     *Plan
	question *question
	response model.Response // counts no attempts if the calls were made for the other side
}

// questionBuilder builds the questions of a plan. It numbers live cases with equal requests, so that the cache keeps an
// answer for each of them.
type questionBuilder struct {
	plan       *Plan
	occurrence map[CaseRef]int // number, from 2, of a case that repeats the request of an earlier one
	pairIndex  map[CaseRef]int // index of a case among those that both sides call; the key is the head's case
}

func newQuestioner(p *Plan) *questionBuilder {
	q := &questionBuilder{plan: p, occurrence: map[CaseRef]int{}, pairIndex: map[CaseRef]int{}}
	seen := map[string]int{}
	if !p.callsLive() {
		return q
	}
	for pair := range p.pairs() {
		if pair.callsBoth() {
			q.pairIndex[pair.head.ref()] = len(q.pairIndex)
		}
		if !pair.sharesRequest() {
			q.countRequest(seen, pair.base)
		}
		q.countRequest(seen, pair.head)
	}
	return q
}

func (q *questionBuilder) countRequest(seen map[string]int, m sideCase) {
	if !m.isLive() {
		return
	}
	key := m.requestHash()
	if seen[key]++; seen[key] > 1 {
		q.occurrence[m.ref()] = seen[key]
	}
}

// all yields the questions of every case and trial in order. Those of base and head of a trial follow each other, and
// the sides alternate in going first.
func (q *questionBuilder) all() iter.Seq[*question] {
	return func(yield func(*question) bool) {
		place := -1
		p := q.plan
		for pair := range p.pairs() {
			live := pair.base.isLive() || pair.head.isLive()
			if live {
				place++
			}
			if p.Part != PartAll && p.isOneSided(pair) != (p.Part == PartOneSided) || p.InShard != nil &&
				!(live && p.InShard(place)) {
				continue
			}
			for trial := 1; trial <= max(pair.base.trials(), pair.head.trials()); trial++ {
				for _, one := range q.trialQuestions(pair, trial) {
					if p.Skip != nil && p.Skip(one.request) {
						continue
					}
					if !yield(one) {
						return
					}
				}
			}
		}
	}
}

func (m sideCase) trials() int {
	if !m.exists() {
		return 0
	}
	return max(m.c.Trials, 1)
}

func (q *questionBuilder) trialQuestions(p casePair, trial int) []*question {
	base, head := p.base, p.head
	if trial > base.trials() {
		base = sideCase{}
	}
	if trial > head.trials() {
		head = sideCase{}
	}
	if base.exists() && head.exists() && p.sharesRequest() {
		one := q.newQuestion(suite.Head, head, trial, "")
		one.uses[0].baseCase = base
		other := newAnswerUse(suite.Base, base, trial)
		other.reused = true
		one.uses = []*answerUse{other, one.uses[0]}
		one.pair = &trialPair{equalSides: sidesEqual(other.own, one.uses[1].own)}
		return q.addCached(one)
	}
	pair := "" // identifies the comparison of two live sides with different requests
	if p.callsBoth() {
		pair = hash(p.base.requestHash(), p.head.requestHash())
	}
	return q.addCached(q.sideQuestions(base, head, trial, pair)...)
}

// rerunQuestions returns the questions of one rerun of a case: one for each side, even if their requests are equal. An
// earlier rerun is the base's alone.
func (q *questionBuilder) rerunQuestions(p casePair, trial int, w report.RerunRequest) []*question {
	name := "fresh"
	if p.base.isLive() && p.head.isLive() {
		name = "fresh " + hash(p.base.requestHash(), p.head.requestHash())
	}
	regrades, earlier := w.Reason == report.RerunJudge, w.Reason == report.RerunEarlier
	head := p.head
	if earlier {
		head = sideCase{}
	}
	questions := q.sideQuestions(p.base, head, trial, name)
	for _, one := range questions {
		r := one.uses[0]
		one.request.NoRetry = w.NoRetry
		one.request.Rerun = trial - max(p.base.trials(), p.head.trials())
		if w.Recorded {
			one.request.Rerun = trial - w.FirstNumber + 1
		}
		r.rerun = one.request.Rerun
		if w.Regrade {
			votes := RerunVotes
			if regrades {
				votes = RegradeVotes
			}
			r.regrading = regrading{name: fmt.Sprintf("verdict %s %s %s/%s %d", name, r.side, r.own.suite.ID, r.own.c.ID,
				r.rerun), votes: votes, criteria: w.Criteria}
			if !r.own.target.Live {
				one.request.Trial, one.request.Rerun = 1+(trial-1)%r.own.trials(), 0
			}
		}
	}
	q.addCached(questions...)
	for _, one := range questions {
		if regrades || earlier {
			one.cached = &w.Answers[0]
			if one.uses[0].side == suite.Head {
				one.cached = &w.Answers[1]
			}
		}
	}
	return questions
}

// sideQuestions returns separate questions for both sides. Which side goes first alternates by case and trial. A target
// may treat every other request differently. The alternation spreads this over both sides and so keeps the permutation
// test fair.
func (q *questionBuilder) sideQuestions(base, head sideCase, trial int, pair string) (out []*question) {
	if base.exists() {
		out = append(out, q.newQuestion(suite.Base, base, trial, pair))
	}
	if head.exists() {
		one := q.newQuestion(suite.Head, head, trial, pair)
		one.uses[0].baseCase = base
		out = append(out, one)
	}
	if len(out) < 2 {
		return out
	}
	out[0].compared, out[1].compared = head.ref(), head.ref()
	pairOfTrial := &trialPair{compared: pair != ""}
	if !base.isLive() && !head.isLive() { // recorded answers, which need not wait
		pairOfTrial.equalSides = sidesEqual(out[0].uses[0].own, out[1].uses[0].own)
	}
	pairOfTrial.inOneStep = pairOfTrial.equalSides || base.c.Graded() || head.c.Graded()
	out[0].pair, out[1].pair = pairOfTrial, pairOfTrial
	if pairOfTrial.compared && (q.pairIndex[head.ref()]+trial)%2 == 0 {
		slices.Reverse(out)
	}
	return out
}

func hash(a, b string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(a+b)))
}

func newAnswerUse(side suite.Side, m sideCase, trial int) *answerUse {
	m.c = new(m.c.Open())
	return &answerUse{side: side, own: m, trial: trial, done: make(chan *Answer, 1)}
}

func (q *questionBuilder) newQuestion(side suite.Side, m sideCase, trial int, pair string) *question {
	r := newAnswerUse(side, m, trial)
	one := &question{target: m.target, targetName: targetName(m.suite, m.c), request: r.own.c.Prompt,
		uses: []*answerUse{r}}
	one.request.Trial = trial
	if m.isLive() {
		if pair != "" {
			pair += " " + string(side)
		}
		one.address = model.JournalKey{Request: m.requestHash(), Occurrence: max(q.occurrence[m.ref()], 1),
			Trial: trial, Comparison: pair}
	}
	return one
}

// addCached fills in the cached answers of a trial and returns all. If only one of two compared answers is cached, it
// is not used. It may be from another model, and then the difference would look like an effect of the prompt.
func (q *questionBuilder) addCached(all ...*question) []*question {
	if q.plan.Journal == nil {
		return all
	}
	found := 0
	for _, one := range all {
		if !one.target.Live {
			continue
		}
		if kept, ok := q.plan.Journal.Find(one.address); ok {
			kept.Cached = true
			one.cached = &kept
			found++
		}
	}
	if found < len(all) && all[0].pair.isCompared() {
		for _, one := range all {
			one.cached = nil
		}
	}
	return all
}

// trialPair links the questions of both sides of one trial. Compared answers are cached together or not at all, so that
// answers of two runs are never paired. If the sides and their answers are equal, they are evaluated once.
type trialPair struct {
	inOneStep  bool           // evaluated together, because a model grades them or they may be equal
	compared   bool           // each side has its own question to a live target
	equalSides bool           // the case has equal requests and expectations on both sides
	result     *report.Result // result of the answer response, kept if the sides are equal; nil: none yet
	response   model.Response // the answer that result is about

	mu    sync.Mutex
	first *question // the question that was answered first
}

func (c *trialPair) isCompared() bool { return c != nil && c.compared }

// cache adds the answer of q to the cache. It adds a compared answer only together with the other side's answer, and
// only if both came.
func (q *question) cache(j model.Journal) {
	if !q.pair.isCompared() {
		if q.response.Failure == nil {
			j.Store(q.address, q.request, q.response)
		}
		return
	}
	pairOfTrial := q.pair
	pairOfTrial.mu.Lock()
	defer pairOfTrial.mu.Unlock()
	if pairOfTrial.first == nil {
		pairOfTrial.first = q
		return
	}
	if other := pairOfTrial.first; q.response.Failure == nil && other.response.Failure == nil {
		j.Store(other.address, other.request, other.response)
		j.Store(q.address, q.request, q.response)
	}
}

// sidesEqual reports whether a case has equal requests and expectations on both sides. It is false for probes and for
// cases that a judge grades, because a judge may decide differently each time. The bodies of both cases must be loaded.
func sidesEqual(base, head sideCase) bool {
	return base.suite.ID == head.suite.ID && !base.c.Graded() && base.c.Probe == nil && suite.Unchanged(base.c, head.c)
}

// resultOf returns the result of the answer r. If the sides are equal and r equals the answer that was evaluated last,
// it returns that result again. Otherwise it calls evaluate and keeps the result.
func (c *trialPair) resultOf(r model.Response, evaluate func() (report.Result, error)) (report.Result, error) {
	if c == nil || !c.equalSides || r.Failure != nil {
		return evaluate()
	}
	if c.result != nil && sameAnswer(c.response, r) {
		return *c.result, nil
	}
	judged, err := evaluate()
	if err == nil {
		c.result, c.response = &judged, r
	}
	return judged, err
}

// sameAnswer reports whether two answers are equal in all that affects the evaluation, which excludes their source.
func sameAnswer(a, b model.Response) bool {
	return a.Text == b.Text && a.Refusal == b.Refusal && a.Finish == b.Finish &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && a.Latency == b.Latency && a.Usage == b.Usage
}
