package compare

import (
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// Names that one reason lists, and cases that get a reason of their own; the rest is counted. The changes name them all.
const (
	namesListed  = 10
	casesListed  = 50
	maxPrecision = 12
)

// all yields every case of the comparison with its suite.
func (c Comparison) all() iter.Seq2[*suitePair, casePair] {
	return func(yield func(*suitePair, casePair) bool) {
		for _, s := range c.pairs {
			for _, p := range s.cases {
				if !yield(s, p) {
					return
				}
			}
		}
	}
}

// uncompared counts the cases that only the base's missing answers keep from being compared.
func (c Comparison) uncompared() (n int) {
	for _, p := range c.all() {
		if p.status == report.Errored && !sideOf(p.head).Lacking() {
			n++
		}
	}
	return n
}

func (j *judgement) regressions() {
	r := rule(j.policy.Gate.MaxRegressions, config.Rule{Level: config.Err})
	if n := j.in.Comparison.Regressions(); !score.Meets(r.Value, float64(n)) {
		what := count(n, "regression")
		if j.in.Comparison.Noisy {
			what += " confirmed by fresh runs"
		}
		j.add(r.Level, fails, report.Reason{Code: "max_regressions", Message: fmt.Sprintf("%s, max_regressions is %s", what, plain(r.Value))})
	}
}

// Regressions counts the regressed cases that are judged.
func (c Comparison) Regressions() (n int) {
	for _, p := range c.all() {
		if p.status == report.Regressed && !p.quarantined {
			n++
		}
	}
	return n
}

// mustPass is never averaged: one wrong answer fails the gate, a missing one leaves it undecided.
func (j *judgement) mustPass() {
	found := map[weight]int{}
	for s, p := range j.in.Comparison.all() {
		w, text := j.mustPassFault(s, p)
		if text == "" {
			continue
		}
		if found[w]++; found[w] > casesListed {
			continue
		}
		j.add(config.Err, w, report.Reason{Code: CodeMustPass, SuiteID: s.id, CaseID: p.id(),
			Message: fmt.Sprintf("must-pass case %s/%s %s", s.id, p.id(), text)})
	}
	for w := fails; w <= warns; w++ {
		if more := found[w] - casesListed; more > 0 {
			j.add(config.Err, w, report.Reason{Code: CodeMustPass, Message: fmt.Sprintf("and %s", count(more, "more must-pass case"))})
		}
	}
}

func (j *judgement) mustPassFault(s *suitePair, p casePair) (w weight, text string) {
	mustBase := p.base != nil && p.base.MustPass
	switch {
	case p.head == nil && mustBase:
		return warns, "was removed"
	case p.head == nil:
		return 0, ""
	case p.head.MustPass && p.head.FailedAnswers() > 0:
		return j.wrongMustPass(s, p)
	case p.head.MustPass && p.head.Tally.Unscored > 0:
		return suspends, "has no answer: " + string(p.head.Primary)
	case mustBase && !p.head.MustPass && !p.head.Passes():
		return warns, "is no longer must_pass, and does not pass"
	case mustBase && !p.head.MustPass:
		return warns, "is no longer must_pass"
	case (mustBase || p.head.MustPass) && p.failsOldExpectation():
		return warns, "would have failed by the base's expectation: " + string(p.head.UnderBase.Primary)
	}
	return 0, ""
}

// failsOldExpectation reports a redefined case whose answers the base's expectation would not have let pass.
func (p casePair) failsOldExpectation() bool {
	return p.status == report.Redefined && p.head.UnderBase.Passed < p.head.UnderBase.Trials
}

func (j *judgement) minCases() {
	r := rule(j.policy.Gate.MinCases, off)
	n := cmp.Or(j.in.AllCases, j.in.Head.Cases())
	if !score.Meets(float64(n), r.Value) {
		j.add(r.Level, fails, report.Reason{Code: "min_cases", Message: fmt.Sprintf("%s, min_cases is %s", count(n, "case"), plain(r.Value))})
	}
}

func (j *judgement) unverified() {
	r := rule(j.policy.Gate.MaxUnverified, off)
	if n := j.in.Head.Unverified(); !score.Meets(r.Value, float64(n)) {
		j.add(r.Level, fails, report.Reason{Code: "max_unverified",
			Message: fmt.Sprintf("%s passed with nothing to verify, max_unverified is %s", count(n, "case"), plain(r.Value))})
	}
}

// removed names the removed cases that passed on the base.
func (j *judgement) removed() {
	var gone int
	var passed names
	for s, p := range j.in.Comparison.all() {
		if p.status == report.Removed {
			if gone++; p.base.Passes() {
				passed.add(s, p)
			}
		}
	}
	if gone == 0 {
		return
	}
	message := count(gone, "case was", "cases were") + " removed"
	if passed.n > 0 {
		message += fmt.Sprintf(", %d of them passed on the base: %s", passed.n, passed.text())
	}
	j.add(level(j.policy.Gate.OnRemoved, config.Warn), fails, passed.reason("on_removed", message))
}

// redefined names the cases whose answers the base's expectation would not have let pass, whatever the new one says of
// them: were it silent where the new one fails too, a worse answer could turn a failed gate into a passed one.
func (j *judgement) redefined() {
	var hidden, unknown names
	for s, p := range j.in.Comparison.all() {
		switch {
		case p.status != report.Redefined:
		case p.failsOldExpectation():
			hidden.add(s, p)
		case p.head.UnderBase.Trials == 0 && p.head.FailedAnswers()+p.head.Tally.Passed > 0:
			unknown.add(s, p)
		}
	}
	l := level(j.policy.Gate.OnRedefined, config.Warn)
	if hidden.n > 0 {
		j.add(l, fails, hidden.reason("on_redefined",
			count(hidden.n, "redefined case")+" would have failed by the base's expectation: "+hidden.text()))
	}
	if unknown.n > 0 {
		j.add(l, fails, unknown.reason("on_redefined",
			count(unknown.n, "redefined case was", "redefined cases were")+" not judged by the base's expectation: "+unknown.text()))
	}
}

func (j *judgement) policyChanges() {
	l := level(j.policy.Gate.OnPolicyChange, config.Warn)
	if j.policy.Fork && l == config.Warn {
		l = config.Err
	}
	var announced, inForce names
	for _, c := range j.in.PolicyChanges {
		if c.InForce() {
			inForce.put(c.Key)
		} else {
			announced.put(c.Key)
		}
	}
	j.policyChange(l, announced, "announced and not obeyed until merged")
	j.policyChange(l, inForce, "announced, and in force for this run")
}

func (j *judgement) policyChange(l config.Level, keys names, what string) {
	if keys.n > 0 {
		j.add(l, fails, report.Reason{Code: "on_policy_change",
			Message: fmt.Sprintf("the head changes %s, %s: %s", count(keys.n, "setting"), what, keys.text())})
	}
}

func (j *judgement) noBase() {
	switch j.in.BaseState {
	case report.BaseMissing:
		j.add(config.Warn, warns, report.Reason{Code: CodeNoBase, Message: "no base to compare with: bars were judged, regressions were not"})
	case report.BaseIncomparable:
		j.add(config.Warn, warns, report.Reason{Code: CodeNoBase, Message: "the base was judged in another way: bars were judged, regressions were not"})
	}
}

// names lists what a reason is about, as far as it has room.
type names struct {
	n      int
	listed []string
	suite  string // of the first
	id     string
}

func (l *names) add(s *suitePair, p casePair) {
	if l.n == 0 {
		l.suite, l.id = s.id, p.id()
	}
	l.put(s.id + "/" + p.id())
}

func (l *names) put(name string) {
	if l.n++; l.n <= namesListed {
		l.listed = append(l.listed, name)
	}
}

func (l *names) text() string {
	text := strings.Join(l.listed, ", ")
	if more := l.n - len(l.listed); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// reason names the case itself where there is only one.
func (l *names) reason(code, message string) report.Reason {
	r := report.Reason{Code: code, Message: message}
	if l.n == 1 {
		r.SuiteID, r.CaseID = l.suite, l.id
	}
	return r
}

// figures writes two unequal numbers with three decimals, or with as many as it takes to tell them apart.
func figures(a, b float64) (string, string) {
	for digits := 3; ; digits++ {
		x, y := strconv.FormatFloat(a, 'f', digits, 64), strconv.FormatFloat(b, 'f', digits, 64)
		if x != y || digits == maxPrecision {
			return x, y
		}
	}
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// count writes a number with its noun; the plural takes an s unless it is given.
func count(n int, noun string, plural ...string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case len(plural) > 0:
		return strconv.Itoa(n) + " " + plural[0]
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
