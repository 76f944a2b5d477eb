package evaluate

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// trial is one trial of a case, or one rerun, with a question for each side that has the case. The answers of a trial
// are evaluated together.
type trial struct {
	name       suiteid.Name // the head's name of the case
	questions  []*question
	compared   bool         // each side asks for its own answer
	equalSides bool         // the case has equal requests and expectations on both sides
	unanswered atomic.Int32 // questions that are asked and have no answer yet

	// if the sides are equal, the answer that was evaluated last and its result; nil: none yet
	response model.Response
	result   *report.Result
}

// question is one side's request for an answer, and the answer.
type question struct {
	plan  *Plan
	trial *trial
	side  suite.Side
	own   sideCase // its case has its Body
	// of a question of the head: the same case on the base, whose expectation also applies if redefined
	baseCase  sideCase
	number    int // number of the trial
	rerun     int // number of the rerun from 1; 0 if this is no rerun
	reason    report.RerunReason
	regrading regrading // zero if this is no rerun
	compared  CaseRef   // the case on the head if both sides are asked separately; otherwise zero

	asked    *question // the question whose answer this one gets: itself, or the head's if both sides share the request
	request  model.Request
	address  model.JournalKey
	cached   *model.Response // the cached answer; nil: call the target
	response model.Response  // the answer
	bug      *fault.Bug      // the client's panic
	err      error           // the client's error

	ownGrading, baseGrading *grading // gradings by the case's own and by the base's criteria; nil: not graded
	done                    chan *Answer
}

// isAsked reports whether the question is asked, and does not share the answer to another one.
func (q *question) isAsked() bool { return q.asked == q }

// answer returns the answer to the question, without attempts if the call was made for the other side.
func (q *question) answer() model.Response {
	out := q.asked.response
	if !q.isAsked() {
		out.Cached, out.Attempts = true, 0
	}
	return out
}

// sharesAnswer reports whether one answer serves both sides of the trial.
func (t *trial) sharesAnswer() bool {
	return slices.ContainsFunc(t.questions, func(q *question) bool { return !q.isAsked() })
}

// asked returns the questions that are asked.
func (t *trial) asked() []*question {
	return slices.DeleteFunc(slices.Clone(t.questions), func(q *question) bool { return !q.isAsked() })
}

// questionBuilder builds the questions of a plan. It numbers live cases with equal requests, so that the cache keeps an
// answer for each of them.
type questionBuilder struct {
	plan       *Plan
	occurrence map[CaseRef]int // number, from 2, of a case that repeats the request of an earlier one
	pairIndex  map[CaseRef]int // index of a case among those that both sides call; the key is the head's case
}

func newQuestionBuilder(p *Plan) *questionBuilder {
	b := &questionBuilder{plan: p, occurrence: map[CaseRef]int{}, pairIndex: map[CaseRef]int{}}
	seen := map[string]int{}
	for pair := range p.pairs() {
		if pair.callsBoth() {
			b.pairIndex[pair.head.ref()] = len(b.pairIndex)
		}
		if !pair.sharesRequest() {
			b.countRequest(seen, pair.base)
		}
		b.countRequest(seen, pair.head)
	}
	return b
}

func (b *questionBuilder) countRequest(seen map[string]int, m sideCase) {
	if !m.isLive() {
		return
	}
	key := m.requestHash()
	if seen[key]++; seen[key] > 1 {
		b.occurrence[m.ref()] = seen[key]
	}
}

// all yields every trial of every case in order. The sides alternate in going first.
func (b *questionBuilder) all() iter.Seq[*trial] {
	return func(yield func(*trial) bool) {
		place := -1
		p := b.plan
		for pair := range p.pairs() {
			live := pair.base.isLive() || pair.head.isLive()
			if live {
				place++
			}
			if p.Part != PartAll && p.isOneSided(pair) != (p.Part == PartOneSided) || p.InShard != nil &&
				!(live && p.InShard(place)) {
				continue
			}
			for number := 1; number <= max(pair.base.trials(), pair.head.trials()); number++ {
				if t := b.newTrial(pair, number); len(t.questions) > 0 && !yield(t) {
					return
				}
			}
		}
	}
}

func (s sideCase) trials() int {
	if !s.exists() {
		return 0
	}
	return max(s.c.Trials, 1)
}

// newTrial returns the trial of a case with the given number, from 1, without the questions that the plan skips.
func (b *questionBuilder) newTrial(p casePair, number int) *trial {
	base, head := p.base, p.head
	if number > base.trials() {
		base = sideCase{}
	}
	if number > head.trials() {
		head = sideCase{}
	}
	comparison := "" // identifies the comparison of two live sides with different requests
	if p.callsBoth() {
		comparison = hash(p.base.requestHash(), p.head.requestHash())
	}
	t := b.newTwoSidedTrial(p.name, base, head, number, comparison)
	if len(t.questions) == 2 && p.sharesRequest() {
		q, other := t.questions[0], t.questions[1]
		q.asked, q.compared, other.compared = other, CaseRef{}, CaseRef{}
	}
	if skip := b.plan.Skip; skip != nil {
		t.questions = slices.DeleteFunc(t.questions, func(q *question) bool { return skip(q.asked.request) })
	}
	b.addCached(t)
	return t
}

// newRerun returns one rerun of a case. It asks each side, even if their requests are equal, or takes the answers that
// w has.
func (b *questionBuilder) newRerun(p casePair, number int, w report.RerunRequest) *trial {
	name := "fresh"
	if p.base.isLive() && p.head.isLive() {
		name = "fresh " + hash(p.base.requestHash(), p.head.requestHash())
	}
	head, hasAnswers := p.head, w.Answers[0] != nil
	if hasAnswers && w.Answers[1] == nil {
		head = sideCase{}
	}
	t := b.newTwoSidedTrial(p.name, p.base, head, number, name)
	for _, q := range t.questions {
		q.request.NoRetry = w.NoRetry
		q.request.Rerun = number - max(p.base.trials(), p.head.trials())
		if w.Recorded {
			q.request.Rerun = number - w.FirstNumber + 1
		}
		q.rerun, q.reason, q.cached = q.request.Rerun, w.Reason, w.Answers[0]
		if q.side == suite.Head {
			q.cached = w.Answers[1]
		}
		if w.Regrade {
			votes := RerunVotes
			if hasAnswers {
				votes = RegradeVotes
			}
			q.regrading = regrading{name: fmt.Sprintf("verdict %s %s %s/%s %d", name, q.side, q.own.suite.ID, q.own.c.ID,
				q.rerun), votes: votes, criteria: w.Criteria}
			if !q.own.target.Live {
				q.request.Trial, q.request.Rerun = 1+(number-1)%q.own.trials(), 0
			}
		}
	}
	if !hasAnswers {
		b.addCached(t)
	}
	return t
}

// newTwoSidedTrial returns a trial with a separate question for each side. Which side goes first alternates by case and
// trial. A target may treat every other request differently. The alternation spreads this over both sides and so keeps
// the permutation test fair.
func (b *questionBuilder) newTwoSidedTrial(name suiteid.Name, base, head sideCase, number int,
	comparison string) *trial {
	t := &trial{name: name}
	base.c, head.c = suite.OpenBoth(base.c, head.c)
	if base.exists() {
		b.addQuestion(t, suite.Base, base, number, comparison)
	}
	if head.exists() {
		b.addQuestion(t, suite.Head, head, number, comparison).baseCase = base
	}
	if len(t.questions) < 2 {
		return t
	}
	for _, q := range t.questions {
		q.compared = head.ref()
	}
	t.compared = comparison != ""
	t.equalSides = sidesEqual(t.questions[0].own, t.questions[1].own)
	if t.compared && (b.pairIndex[head.ref()]+number)%2 == 0 {
		slices.Reverse(t.questions)
	}
	return t
}

func hash(a, b string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(a+b)))
}

// addQuestion adds the question of one side, whose case is opened, to the trial t and returns it.
func (b *questionBuilder) addQuestion(t *trial, side suite.Side, m sideCase, number int, comparison string) *question {
	q := &question{plan: b.plan, trial: t, side: side, own: m, number: number, request: m.c.Prompt,
		done: make(chan *Answer, 1)}
	q.asked, q.request.Trial = q, number
	if m.isLive() {
		if comparison != "" {
			comparison += " " + string(side)
		}
		q.address = model.JournalKey{Request: m.requestHash(), Occurrence: max(b.occurrence[m.ref()], 1),
			Trial: number, Comparison: comparison}
	}
	t.questions = append(t.questions, q)
	return q
}

// addCached fills in the cached answers of a trial. If only one of two compared answers is cached, it is not used. It
// may be from another model, and then the difference would look like an effect of the prompt.
func (b *questionBuilder) addCached(t *trial) {
	if b.plan.Journal == nil {
		return
	}
	found := 0
	for _, q := range t.questions {
		if !q.own.target.Live || !q.isAsked() {
			continue
		}
		if kept, ok := b.plan.Journal.Find(q.address); ok {
			kept.Cached = true
			q.cached = &kept
			found++
		}
	}
	if t.compared && found < len(t.questions) {
		for _, q := range t.questions {
			q.cached = nil
		}
	}
}

// cache adds the new live answers of a trial to the cache. It adds compared answers only if both came, so that answers
// of two runs are never compared. A panic becomes the bug of a question.
func (t *trial) cache(j model.Journal) {
	var answered []*question
	for _, q := range t.asked() {
		if q.own.target.Live && q.cached == nil && q.err == nil && q.bug == nil && q.response.Failure == nil {
			answered = append(answered, q)
		}
	}
	if t.compared && len(answered) < len(t.questions) {
		return
	}
	for _, q := range answered {
		q.bug, _ = q.callRecovering("caching an answer", func() error {
			j.Store(q.address, q.request, q.response)
			return nil
		})
	}
}

// sidesEqual reports whether a case has equal requests and expectations on both sides. It is false for probes and for
// cases that a judge grades, because a judge may decide differently each time. The bodies of both cases must be loaded.
func sidesEqual(base, head sideCase) bool {
	return base.suite.ID == head.suite.ID && !base.c.Graded() && base.c.Probe == nil && suite.Unchanged(base.c, head.c)
}

// resultOf returns the result of the answer r. If the sides are equal and r equals the answer that was evaluated last,
// it returns that result again. Otherwise it calls evaluate and keeps the result.
func (t *trial) resultOf(r model.Response, evaluate func() (report.Result, error)) (report.Result, error) {
	if !t.equalSides || r.Failure != nil {
		return evaluate()
	}
	if t.result != nil && sameAnswer(t.response, r) {
		return *t.result, nil
	}
	judged, err := evaluate()
	if err == nil {
		t.result, t.response = &judged, r
	}
	return judged, err
}

// sameAnswer reports whether two answers are equal in all that affects the evaluation, which excludes their source.
func sameAnswer(a, b model.Response) bool {
	return a.Text == b.Text && a.Refusal == b.Refusal && a.Finish == b.Finish &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && a.Latency == b.Latency && a.Usage == b.Usage
}
