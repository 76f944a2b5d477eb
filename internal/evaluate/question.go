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
	target   Target
	name     string // of the target
	request  model.Request
	address  model.Address
	readings []*reading
	kept     *model.Response // the cached answer; nil: call the target
	compared CaseAt          // the case on the head if both sides are called separately; otherwise zero
	couple   *couple         // the trial on both sides; nil if the question does not depend on the other side
	response model.Response  // the answer
	bug      *Bug            // the client's panic
	err      error           // the client's error
}

// reading is the use of an answer for one case on one side. If both sides share an answer, each has a reading of it.
type reading struct {
	at     suite.Side
	member member // its case has its Body
	under  member // of an answer of the head: the same case on the base, whose expectation also applies if redefined
	trial  int
	fresh  int  // number of the rerun from 1; 0 if this is no rerun
	copy   bool // the call was made for the other side
	done   chan *Answer

	regrading           regrading // zero if this is no rerun
	graded, gradedUnder *grading  // gradings by the case's own and by the base's criteria; nil: not graded

	number int // index in the order of results, from 0
	size   int // length of its answer in bytes

	// set before the reading is judged
	plan     *Plan
	question *question
	response model.Response // counts no attempts if the calls were made for the other side
}

// questioner builds the questions of a plan. It numbers live cases with equal requests, so that the cache keeps an
// answer for each of them.
type questioner struct {
	plan  *Plan
	later map[CaseAt]int // number, from 2, of a case that repeats the request of an earlier one
	place map[CaseAt]int // index of a case among those that both sides call; the key is the head's case
}

func newQuestioner(p *Plan) *questioner {
	q := &questioner{plan: p, later: map[CaseAt]int{}, place: map[CaseAt]int{}}
	seen := map[string]int{}
	if !p.asksLive() {
		return q
	}
	for pair := range p.pairs() {
		if pair.bothAsked() {
			q.place[pair.head.at()] = len(q.place)
		}
		if !pair.shared() {
			q.count(seen, pair.base)
		}
		q.count(seen, pair.head)
	}
	return q
}

func (q *questioner) count(seen map[string]int, m member) {
	if !m.live() {
		return
	}
	key := m.request()
	if seen[key]++; seen[key] > 1 {
		q.later[m.at()] = seen[key]
	}
}

// all yields the questions of every case and trial in order. Those of base and head of a trial follow each other, and
// the sides alternate in going first.
func (q *questioner) all() iter.Seq[*question] {
	return func(yield func(*question) bool) {
		place := -1
		p := q.plan
		for pair := range p.pairs() {
			live := pair.base.live() || pair.head.live()
			if live {
				place++
			}
			if p.Part != Whole && p.oneSided(pair) != (p.Part == Last) || p.Share != nil && !(live && p.Share(place)) {
				continue
			}
			for trial := 1; trial <= max(pair.base.trials(), pair.head.trials()); trial++ {
				for _, one := range q.trial(pair, trial) {
					if !yield(one) {
						return
					}
				}
			}
		}
	}
}

func (m member) trials() int {
	if !m.present() {
		return 0
	}
	return max(m.c.Trials, 1)
}

func (q *questioner) trial(p casePair, trial int) []*question {
	base, head := p.base, p.head
	if trial > base.trials() {
		base = member{}
	}
	if trial > head.trials() {
		head = member{}
	}
	if base.present() && head.present() && p.shared() {
		one := q.question(suite.Head, head, trial, "")
		one.readings[0].under = base
		other := reads(suite.Base, base, trial)
		other.copy = true
		one.readings = []*reading{other, one.readings[0]}
		one.couple = &couple{alike: alike(other.member, one.readings[1].member)}
		return q.addCached(one)
	}
	pair := "" // identifies the comparison of two live sides with different requests
	if p.bothAsked() {
		pair = hashed(p.base.request(), p.head.request())
	}
	return q.addCached(q.sides(base, head, trial, pair)...)
}

// rerun returns the questions of one rerun of a case: one for each side, even if their requests are equal. An earlier
// rerun is the base's alone.
func (q *questioner) rerun(p casePair, trial int, w report.Want) []*question {
	name := "fresh"
	if p.base.live() && p.head.live() {
		name = "fresh " + hashed(p.base.request(), p.head.request())
	}
	regrades, earlier := w.Reason == report.RerunJudge, w.Reason == report.RerunEarlier
	head := p.head
	if earlier {
		head = member{}
	}
	both := q.sides(p.base, head, trial, name)
	for _, one := range both {
		r := one.readings[0]
		one.request.Once = w.Once
		one.request.Fresh = trial - max(p.base.trials(), p.head.trials())
		if w.Recorded {
			one.request.Fresh = trial - w.First + 1
		}
		r.fresh = one.request.Fresh
		if w.Regrade {
			votes := RerunVotes
			if regrades {
				votes = RegradeVotes
			}
			r.regrading = regrading{name: fmt.Sprintf("verdict %s %s %s/%s %d", name, r.at, r.member.suite.ID, r.member.c.ID,
				r.fresh), votes: votes, only: w.Criteria}
			if !r.member.target.Live {
				one.request.Trial, one.request.Fresh = 1+(trial-1)%r.member.trials(), 0
			}
		}
	}
	q.addCached(both...)
	for _, one := range both {
		if regrades || earlier {
			one.kept = &w.Answers[0]
			if one.readings[0].at == suite.Head {
				one.kept = &w.Answers[1]
			}
		}
	}
	return both
}

// sides returns separate questions for both sides. Which side goes first alternates by case and trial. A target may
// treat every other request differently. The alternation spreads this over both sides and so keeps the permutation test
// fair.
func (q *questioner) sides(base, head member, trial int, pair string) (out []*question) {
	if base.present() {
		out = append(out, q.question(suite.Base, base, trial, pair))
	}
	if head.present() {
		one := q.question(suite.Head, head, trial, pair)
		one.readings[0].under = base
		out = append(out, one)
	}
	if len(out) < 2 {
		return out
	}
	out[0].compared, out[1].compared = head.at(), head.at()
	both := &couple{compared: pair != ""}
	if !base.live() && !head.live() { // recorded answers, which need not wait
		both.alike = alike(out[0].readings[0].member, out[1].readings[0].member)
	}
	both.together = both.alike || base.c.Graded() || head.c.Graded()
	out[0].couple, out[1].couple = both, both
	if both.compared && (q.place[head.at()]+trial)%2 == 0 {
		slices.Reverse(out)
	}
	return out
}

func hashed(a, b string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(a+b)))
}

func reads(at suite.Side, m member, trial int) *reading {
	m.c = new(m.c.Open())
	return &reading{at: at, member: m, trial: trial, done: make(chan *Answer, 1)}
}

func (q *questioner) question(at suite.Side, m member, trial int, pair string) *question {
	r := reads(at, m, trial)
	one := &question{target: m.target, name: targetName(m.suite, m.c), request: r.member.c.Prompt,
		readings: []*reading{r}}
	one.request.Trial = trial
	if m.live() {
		if pair != "" {
			pair += " " + string(at)
		}
		one.address = model.Address{Request: m.request(), Occurrence: max(q.later[m.at()], 1),
			Trial: trial, Pair: pair}
	}
	return one
}

// addCached fills in the cached answers of a trial and returns all. If only one of two compared answers is cached, it
// is not used. It may be from another model, and then the difference would look like an effect of the prompt.
func (q *questioner) addCached(all ...*question) []*question {
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
			one.kept = &kept
			found++
		}
	}
	if found < len(all) && all[0].couple.isCompared() {
		for _, one := range all {
			one.kept = nil
		}
	}
	return all
}

// couple links the questions of both sides of one trial. Compared answers are cached together or not at all, so that
// answers of two runs are never paired. If the sides are alike and their answers are equal too, they are judged once.
type couple struct {
	together bool           // judged together, because a model grades them or they may be equal
	compared bool           // each side has its own question to a live target
	alike    bool           // the case has equal requests and expectations on both sides
	judged   *report.Result // result of the answer response, kept if the sides are alike; nil: none yet
	response model.Response // the answer that judged is the result of

	mu    sync.Mutex
	first *question // the question that was answered first
}

func (c *couple) isCompared() bool { return c != nil && c.compared }

// keep adds the answer of q to the cache. It adds a compared answer only together with the other side's answer, and
// only if both came.
func (q *question) keep(j model.Journal) {
	if !q.couple.isCompared() {
		if q.response.Failure == nil {
			j.Keep(q.address, q.request, q.response)
		}
		return
	}
	both := q.couple
	both.mu.Lock()
	defer both.mu.Unlock()
	if both.first == nil {
		both.first = q
		return
	}
	if other := both.first; q.response.Failure == nil && other.response.Failure == nil {
		j.Keep(other.address, other.request, other.response)
		j.Keep(q.address, q.request, q.response)
	}
}

// alike reports whether a case has equal requests and expectations on both sides. It is false for probes and for cases
// that a judge grades, because a judge may decide differently each time. The bodies of both cases must be loaded.
func alike(base, head member) bool {
	return base.suite.ID == head.suite.ID && !base.c.Graded() && base.c.Probe == nil && suite.Alike(base.c, head.c)
}

// judge returns the result of the answer r. If the sides are alike and r equals the answer that was judged last, it
// returns that result again. Otherwise it calls anew and keeps the result.
func (c *couple) judge(r model.Response, anew func() (report.Result, error)) (report.Result, error) {
	if c == nil || !c.alike || r.Failure != nil {
		return anew()
	}
	if c.judged != nil && sameAnswer(c.response, r) {
		return *c.judged, nil
	}
	judged, err := anew()
	if err == nil {
		c.judged, c.response = &judged, r
	}
	return judged, err
}

// sameAnswer reports whether two answers are equal in everything that affects judging, which excludes their source.
func sameAnswer(a, b model.Response) bool {
	return a.Text == b.Text && a.Refusal == b.Refusal && a.Finish == b.Finish &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && a.Latency == b.Latency && a.Usage == b.Usage
}
