package evaluate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suite"
)

// halfAge is how old the kept answer of one side may be where the other side's is still to be asked for. It bounds the drift
// of a model that a comparison could take for a change of the prompt, and lets a run that was cut off go on.
const halfAge = time.Hour

// question is one request to one target, and whose answer it is: a side's, or both sides' if both ask the same.
type question struct {
	target   Target
	name     string // of the target
	request  model.Request
	address  model.Address
	readings []*reading
	kept     *model.Response // the journal's answer; nil: it is asked
}

// reading is one answer to one case on one side.
type reading struct {
	at    suite.Side
	of    member
	under member // the base's form of a redefined case, which the head's answer is also judged by
	trial int
	copy  bool // the other side is the one that asked
	done  chan outcome
}

// questioner makes the questions of a plan. Cases that ask a live target the same are told apart by their occurrence.
type questioner struct {
	plan  *Plan
	later map[*suite.Case]int // the occurrence of those that are not the first, by the head's case, else the base's
}

func newQuestioner(p *Plan) *questioner {
	q := &questioner{plan: p, later: map[*suite.Case]int{}}
	seen := map[string]int{}
	for pair := range p.pairs() {
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
		q.later[m.c] = seen[key]
	}
}

func (q *questioner) occurrence(m member) int { return max(q.later[m.c], 1) }

// all yields the questions of every case and trial in the order in which they are asked: base and head of one trial back to back.
func (q *questioner) all() iter.Seq[*question] {
	return func(yield func(*question) bool) {
		for pair := range q.plan.pairs() {
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

// trial returns what one trial of a case asks, the base first.
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
		return q.remembered(one)
	}
	return q.remembered(q.sides(base, head, trial, pairOf(p))...)
}

// fresh returns what one further trial of a case asks of each side, whether or not both ask the same.
func (q *questioner) fresh(p casePair, trial int) []*question {
	name := "fresh"
	if p.base.live() && p.head.live() {
		name = "fresh " + hashed(p.base.request(), p.head.request())
	}
	return q.remembered(q.sides(p.base, p.head, trial, name)...)
}

func (q *questioner) sides(base, head member, trial int, pair string) (out []*question) {
	if base.present() {
		out = append(out, q.question(suite.Base, base, trial, pair))
	}
	if head.present() {
		one := q.question(suite.Head, head, trial, pair)
		one.readings[0].under = base
		out = append(out, one)
	}
	return out
}

// pairOf names the comparison of a case whose request changed, between two live sides; "" for any other case.
func pairOf(p casePair) string {
	if !p.base.live() || !p.head.live() || p.shared() {
		return ""
	}
	return hashed(p.base.request(), p.head.request())
}

func hashed(a, b string) string {
	sum := sha256.Sum256([]byte(a + b))
	return hex.EncodeToString(sum[:])
}

func reads(at suite.Side, of member, trial int) *reading {
	return &reading{at: at, of: of, trial: trial, done: make(chan outcome, 1)}
}

func (q *questioner) question(at suite.Side, of member, trial int, pair string) *question {
	one := &question{target: of.target, name: of.suite.Target, request: of.c.Prompt, readings: []*reading{reads(at, of, trial)}}
	one.request.Trial = trial
	if of.live() {
		if pair != "" {
			pair += " " + string(at)
		}
		one.address = model.Address{Request: of.request(), Occurrence: q.occurrence(of), Trial: trial, Pair: pair}
	}
	return one
}

// remembered looks up what the journal has for the questions of one trial.
func (q *questioner) remembered(all ...*question) []*question {
	if q.plan.Journal == nil {
		return all
	}
	found := 0
	for _, one := range all {
		if one.look(q.plan.Journal, 0) {
			found++
		}
	}
	if found == len(all) || len(all) == 1 || all[0].address.Pair == "" {
		return all
	}
	for _, one := range all {
		one.look(q.plan.Journal, halfAge)
	}
	return all
}

// look takes the journal's answer if it has one of that age.
func (one *question) look(j model.Journal, age time.Duration) bool {
	one.kept = nil
	if !one.target.Live {
		return false
	}
	kept, ok := j.Find(one.address, age)
	if ok {
		kept.Cached = true
		one.kept = &kept
	}
	return ok
}

// ask asks, and keeps what was answered.
func (one *question) ask(ctx context.Context, j model.Journal) (model.Response, error) {
	r, err := one.target.Client.Answer(ctx, one.request)
	if err == nil && r.Failure == nil && one.target.Live && j != nil {
		j.Keep(one.address, one.request, r)
	}
	return r, err
}
