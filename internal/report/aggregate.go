package report

import (
	"iter"
	"sort"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// Score returns the suite score (document 000); false if there is no result.
func (s *SuiteSide) Score() (float64, bool) { return score.Suite(tallies(s)) }

// AnsweredScore returns the suite score over the trials with an answer; false if there are none.
func (s *SuiteSide) AnsweredScore() (float64, bool) { return score.SuiteAnswered(tallies(s)) }

// tallies yields the tallies of the suites' cases, in order.
func tallies(suites ...*SuiteSide) iter.Seq[score.Tally] {
	return func(yield func(score.Tally) bool) {
		for _, s := range suites {
			for _, c := range s.Cases {
				if !yield(c.Tally) {
					return
				}
			}
		}
	}
}

// OverallScore returns the mean of the cases' overall scores; false if no case has one.
func (s *SuiteSide) OverallScore() (float64, bool) {
	var m score.Mean
	for _, c := range s.Cases {
		if v, ok := c.OverallScore(); ok {
			m.Add(v, 1)
		}
	}
	return m.Value()
}

// Planned returns the number of planned trials, or the number of results if there are more.
func (s *SuiteSide) Planned() int {
	planned := s.SuitePlan.Planned
	if planned == 0 {
		planned = s.SuitePlan.Cases * max(s.SuitePlan.Trials, 1)
	}
	return max(planned, s.trials)
}

// Trials counts the results.
func (s *SuiteSide) Trials() int { return s.trials }

// Unscored counts the trials that no answer came for, including planned trials without a result.
func (s *SuiteSide) Unscored() int { return s.unscored + s.Planned() - s.trials }

// Passed counts the cases whose every trial passed.
func (s *SuiteSide) Passed() int { return s.count((*Case).Passes) }

// Unverified counts the unverified cases: no criterion looked at an answer, or KeptByHand is true.
func (s *SuiteSide) Unverified() int { return s.count(func(c *Case) bool { return c.Unverified }) }

// KeptByHand counts the cases with a hand-written answer that did not change although the request did.
func (s *SuiteSide) KeptByHand() int { return s.count(func(c *Case) bool { return c.KeptByHand }) }

func (s *SuiteSide) count(is func(*Case) bool) (n int) {
	for _, c := range s.Cases {
		if is(c) {
			n++
		}
	}
	return n
}

// Histogram counts the suite's trials by category.
func (s *SuiteSide) Histogram() Histogram { return histogram(s) }

// RunScore returns the run score (document 000); false if no suite has a result.
func (s *Side) RunScore() (float64, bool) { return s.run((*SuiteSide).Score) }

// AnsweredScore returns the run score over the trials with an answer to judge; false if there are none.
func (s *Side) AnsweredScore() (float64, bool) { return s.run((*SuiteSide).AnsweredScore) }

func (s *Side) run(of func(*SuiteSide) (float64, bool)) (float64, bool) {
	var all []score.Weighted
	for _, suite := range s.Suites {
		if v, ok := of(suite); ok {
			all = append(all, score.Weighted{Score: v, Weight: suite.Weight})
		}
	}
	return score.Run(all)
}

// MicroScore returns the mean over the cases of all suites; false if there is no result.
func (s *Side) MicroScore() (float64, bool) { return score.Suite(tallies(s.Suites...)) }

// Histogram counts all trials by category.
func (s *Side) Histogram() Histogram { return histogram(s.Suites...) }

// histogram counts the trials of suites by category, with an entry for every category.
func histogram(suites ...*SuiteSide) Histogram {
	h := Histogram{}
	for i, c := range classify.Categories {
		h[c] = 0
		for _, s := range suites {
			h[c] += s.histogram[i]
		}
	}
	return h
}

// Cases counts the cases that have a result.
func (s *Side) Cases() int { return s.sum(func(suite *SuiteSide) int { return len(suite.Cases) }) }

// Passed counts the cases whose every trial passed.
func (s *Side) Passed() int { return s.sum((*SuiteSide).Passed) }

// Trials counts the results.
func (s *Side) Trials() int { return s.sum((*SuiteSide).Trials) }

// Planned returns the number of planned trials; see SuiteSide.Planned.
func (s *Side) Planned() int { return s.sum((*SuiteSide).Planned) }

// Unscored counts the trials that no answer came for, including planned trials without a result.
func (s *Side) Unscored() int { return s.sum((*SuiteSide).Unscored) }

// Unverified counts the unverified cases; see SuiteSide.Unverified.
func (s *Side) Unverified() int { return s.sum((*SuiteSide).Unverified) }

// KeptByHand counts the cases with a hand-written answer that did not change although the request did.
func (s *Side) KeptByHand() int { return s.sum((*SuiteSide).KeptByHand) }

func (s *Side) sum(of func(*SuiteSide) int) (n int) {
	for _, suite := range s.Suites {
		n += of(suite)
	}
	return n
}

// ExpectedFail returns how often an expected `fail` came true; nil if no case expects one.
func (s *Side) ExpectedFail() *Agreement {
	if s.agreement.Expected == 0 {
		return nil
	}
	a := s.agreement
	return &a
}

// Risk returns the aggregated risk of the probes; nil if there are none.
func (s *Side) Risk() *risk.Aggregates { return s.probes.Aggregate() }

// Warning codes that come from the results of one side.
const (
	WarnSkipped      = "evaluators_skipped"
	WarnEvidenceLeft = "evidence_left_out"
	WarnMissing      = "results_missing"
	WarnOtherModel   = "other_model"
	WarnJudge        = "judge_warns"
)

var warningText = map[string]string{
	"no_label":   "no label was found in the answer; `label_in` of a suite can say where it stands",
	"hedged":     "the answer hedges its label",
	"two_labels": "the answer gives two labels and settles on none; `label_in` of a suite can say which place counts",
	"no_weight":  "no metric has a weight, so the overall score is 0",

	score.WarnUnavailable: "semantic unavailable: there is no embedding of these texts; the similarity of words is " +
		"shown instead, which cannot be compared with similarity in meaning",
	score.WarnTruncated: "the answer or the expected answer is longer than what the embedding model reads; the " +
		"rest of it was not compared",
	score.WarnForeign: "the embedding model lacks more than a fifth of the words of the answer or the expected " +
		"answer",
	score.WarnNeedsReview: "the case bar was not applied to a similarity of words: the answer needs a review, and " +
		"counts as unverified if nothing else fails it",
	score.WarnCut: "the answer was cut at its length limit: that it does not say what its case forbids " +
		"proves nothing",
	score.WarnNoFacts:    "the case has no key facts; completeness was read from the sentences of the expected answer",
	score.WarnBelowFloor: "the overall score meets its bar only thanks to grounding; content_score is below it",
	score.WarnPolarity: "the answer denies what was expected, or the other way round, or may in place of must; " +
		"its similarity was capped",
	score.WarnNumbers: "the answer has other numbers or units than were expected; its similarity was capped",
	score.WarnUnsupported: "the answer obliges to something, or cites a clause, that neither the expected answer " +
		"nor the prompt has",
	score.WarnNoReference: "there is no expected_response to compare the answer with; accuracy was not measured",
	score.WarnNotALabel:   "the expected label is none of the labels; the meaning was compared in its place",

	classify.WarnUnread: "the answer is in a language in which refusals are not recognized; none was looked for",

	WarnJudge:        "criteria are not met by the word of a judge that does not count: they only warn",
	WarnOtherModel:   "another model answered than the one that was asked for",
	WarnSkipped:      "the case has evaluators that are not judged here; they count neither as passed nor as failed",
	WarnEvidenceLeft: "the answer is in results.jsonl only, because the report keeps a bounded amount of evidence",
	WarnMissing:      "the trial was planned and has no result; it counts as unscored",
}

// Warnings returns the warnings of the results with their counts, sorted by code.
func (s *Side) Warnings() []Warning {
	counts := map[string]int{}
	for code, n := range s.warnings {
		counts[code] = n
	}
	counts[WarnMissing] = s.Planned() - s.Trials()
	out := []Warning{}
	for code, n := range counts {
		if n > 0 {
			out = append(out, Warning{Code: code, Message: warningMessage(code), Count: n})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Code < out[j].Code })
	return out
}

func warningMessage(code string) string {
	if text, ok := warningText[code]; ok {
		return text
	}
	return strings.ReplaceAll(code, "_", " ")
}
