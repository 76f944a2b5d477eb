package compare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// ended says why a run did not ask all that it was to ask. However few are missing, no bar allows for them: a run that was
// stopped is not one that passed.
func (j *judgement) ended() {
	for _, e := range j.in.Comparison.Ended {
		if e.Needless() {
			continue
		}
		if e.Trials == 0 {
			lost := "what was left to ask was not asked"
			if e.Again > 0 {
				lost = "cases that flipped were not asked again"
			}
			j.add(config.Err, suspends, report.Reason{Code: e.Reason, Message: e.Why + ": " + lost})
			continue
		}
		lost := "not asked for"
		if e.Late {
			lost = "not judged"
		}
		j.add(config.Err, suspends, report.Reason{Code: e.Reason,
			Message: fmt.Sprintf("%s: %s of %s %s", e.Why, strconv.Itoa(e.Trials), text.Count(j.in.Comparison.trials(), "answer"), lost)})
	}
}

// cancelled reports a run that was told to stop. Even a regression that shows already is no verdict: what would have
// confirmed or cleared it was not asked.
func (j *judgement) cancelled() bool {
	return slices.ContainsFunc(j.in.Comparison.Ended, func(e report.Ended) bool { return e.Reason == model.ReasonCancelled })
}

// trials counts the answers that both sides were to be judged by.
func (c Comparison) trials() (n int) {
	for _, s := range c.pairs {
		for _, side := range []*report.SuiteSide{s.base, s.head} {
			if side != nil {
				n += side.Planned()
			}
		}
	}
	return n
}

// broken suspends a run in which failproof itself broke on an answer, however few: what it would have found there nobody knows,
// and no bar allows for our own bugs.
func (j *judgement) broken() {
	b := report.BrokenOf(j.in.Head, j.in.Base)
	if b.Trials == 0 {
		return
	}
	j.add(config.Err, suspends, report.Reason{Code: report.CodeInternal, SuiteID: b.SuiteID, CaseID: b.CaseID,
		Message: fmt.Sprintf("failproof itself broke on %s, first on case %s of suite %s: a bug of failproof, not of the prompts",
			text.Count(b.Trials, "answer"), b.CaseID, b.SuiteID)})
}
