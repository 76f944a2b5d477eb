package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// mustPass is never averaged: one wrong answer to a case that must pass fails the gate, a missing one leaves it undecided.
func (j *judgement) mustPass() {
	told := caseReasons{j, report.CodeMustPass, config.Err, map[weight]int{}}
	for s, p := range j.in.Comparison.all() {
		switch {
		case p.head == nil || !p.head.MustPass:
		case p.head.FailedAnswers() > 0:
			w, text := j.wrongMustPass(s, p)
			told.add(w, s, p, text)
		case p.head.Tally().Unscored > 0:
			w, text := j.lostMustPass(s, p)
			told.add(w, s, p, text)
		}
	}
	told.rest()
}

// mustPassChanges keeps a change from taking a case that must pass on the base out of its way.
func (j *judgement) mustPassChanges() {
	told := caseReasons{j, report.CodeMustPassChange, j.gate.OnMustPassChange, map[weight]int{}}
	for s, p := range j.in.Comparison.all() {
		if p.base == nil || !p.base.MustPass {
			continue
		}
		switch text, harmless := p.mustPassChange(); {
		case text == "":
		case harmless:
			told.add(warns, s, p, text)
		default:
			told.add(fails, s, p, text)
		}
	}
	told.rest()
}

// mustPassChange says what became of a case that must pass on the base, "" if nothing did. It is harmless where only its
// expectation changed, and its answer meets the base's as well as its own.
func (p casePair) mustPassChange() (text string, harmless bool) {
	switch {
	case p.head == nil:
		return "was removed", false
	case !p.head.MustPass && !p.head.Passes():
		return "is no longer must_pass, and does not pass", false
	case !p.head.MustPass:
		return "is no longer must_pass", false
	case p.base.InputKey != p.head.InputKey:
		return "has another input", false
	case p.failsOldExpectation():
		return "would have failed by the old expectation: " + string(p.head.UnderBase().Primary), false
	case p.unjudged():
		return "has another expectation, and was not judged by the old one", false
	case p.cutShort() && p.head.Unproven():
		return "was answered in full and is cut at its length limit: that it does not say what it must not proves nothing", false
	case p.base.ExpectationKey != p.head.ExpectationKey:
		return "has another expectation, and meets the old one as well", true
	}
	return "", true
}

// caseReasons gives each of the first cases a reason of its own and counts the rest, weight by weight.
type caseReasons struct {
	j     *judgement
	code  string
	level config.Level
	found map[weight]int
}

func (r caseReasons) add(w weight, s *suitePair, p casePair, text string) {
	if r.found[w]++; r.found[w] <= casesListed {
		r.j.add(r.level, w, report.Reason{Code: r.code, SuiteID: s.id, CaseID: s.name(p),
			Message: fmt.Sprintf("must-pass case %s/%s %s", s.id, s.name(p), text)})
	}
}

func (r caseReasons) rest() {
	for w := fails; w <= warns; w++ {
		if more := r.found[w] - casesListed; more > 0 {
			r.j.add(r.level, w, report.Reason{Code: r.code, Message: "and " + text.Count(more, "more must-pass case")})
		}
	}
}
