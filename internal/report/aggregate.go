package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// Score returns the suite score, the mean of the case scores; false if there is no result.
func (s *SuiteSide) Score() (float64, bool) { return caseMean((*Outcome).Score, s) }

// AnsweredScore returns the suite score over the trials with an answer; false if there are none.
func (s *SuiteSide) AnsweredScore() (float64, bool) { return caseMean((*Outcome).AnsweredScore, s) }

// caseMean returns the mean of the scores of the suites' cases, without cases that count neither way; false if no case
// has a score.
func caseMean(scoreOf func(*Outcome) (float64, bool), suites ...*SuiteSide) (float64, bool) {
	var m score.Mean
	for _, s := range suites {
		for _, c := range s.Cases {
			if v, ok := scoreOf(&c.Outcome); ok && !c.countsNeitherWay() {
				m.Add(v, 1)
			}
		}
	}
	return m.Value()
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

// Counts counts the cases and trials of a side or of one of its suites.
type Counts struct {
	Cases      int // cases that have a result
	Passed     int // cases whose every trial passed
	Unverified int // cases without a criterion that looked at an answer, and those of KeptByHand
	KeptByHand int // cases with a hand-written answer that did not change although the request did
	Trials     int // results
	Planned    int // planned trials, or Trials if there are more
	Unscored   int // trials that no answer came for, including planned trials without a result
}

// Counts counts the suite's cases and trials.
func (s *SuiteSide) Counts() Counts {
	planned := s.Planned
	if planned == 0 {
		planned = s.SuitePlan.Cases * max(s.SuitePlan.Trials, 1)
	}
	planned = max(planned, s.trials)
	n := Counts{Cases: len(s.Cases), Trials: s.trials, Planned: planned, Unscored: s.unscored + planned - s.trials}
	for _, c := range s.Cases {
		if c.Outcome.Right() {
			n.Passed++
		}
		if c.Unverified {
			n.Unverified++
		}
		if c.KeptByHand {
			n.KeptByHand++
		}
	}
	return n
}

// Counts returns the sum of the suites' counts.
func (s *Side) Counts() (sum Counts) {
	for _, suite := range s.Suites {
		n := suite.Counts()
		sum = Counts{sum.Cases + n.Cases, sum.Passed + n.Passed, sum.Unverified + n.Unverified,
			sum.KeptByHand + n.KeptByHand, sum.Trials + n.Trials, sum.Planned + n.Planned, sum.Unscored + n.Unscored}
	}
	return sum
}

// RunScore returns the run score, the weighted mean of the suite scores; false if no suite has a result.
func (s *Side) RunScore() (float64, bool) { return s.weightedMean((*SuiteSide).Score) }

// AnsweredScore returns the run score over the trials with an answer to judge; false if there are none.
func (s *Side) AnsweredScore() (float64, bool) { return s.weightedMean((*SuiteSide).AnsweredScore) }

func (s *Side) weightedMean(scoreOf func(*SuiteSide) (float64, bool)) (float64, bool) {
	var m score.Mean
	for _, suite := range s.Suites {
		if v, ok := scoreOf(suite); ok {
			m.Add(v, suite.Weight)
		}
	}
	return m.Value()
}

// MicroScore returns the mean over the cases of all suites; false if there is no result.
func (s *Side) MicroScore() (float64, bool) {
	return caseMean((*Outcome).Score, s.Suites...)
}

// NewHistogram counts the trials of suites by category, with an entry for every category.
func NewHistogram(suites ...*SuiteSide) Histogram {
	h := Histogram{}
	for i, c := range classify.Categories {
		h[c] = 0
		for _, s := range suites {
			h[c] += s.histogram[i]
		}
	}
	return h
}

// Risk returns the aggregated risk of the probes; nil if there are none, and for a nil side.
func (s *Side) Risk() *risk.Aggregates {
	if s == nil {
		return nil
	}
	var all []risk.Scored
	for _, one := range s.Suites {
		for _, c := range one.Cases {
			all = append(all, c.probes...)
		}
	}
	return risk.Aggregate(all)
}

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

	score.WarnSemanticUnavailable: "semantic unavailable: there is no embedding of these texts; the similarity of words is " +
		"shown instead, which cannot be compared with similarity in meaning",
	score.WarnSemanticTruncated: "the answer or the expected answer is longer than what the embedding model reads; the " +
		"rest of it was not compared",
	score.WarnLowCoverage: "the embedding model lacks more than a fifth of the words of the answer or the expected " +
		"answer",
	score.WarnNeedsReview: "the case bar was not applied to a similarity of words: the answer needs a review, and " +
		"counts as unverified if nothing else fails it",
	score.WarnAnswerTruncated: "the answer was cut at its length limit: that it does not say what its case forbids " +
		"proves nothing",
	score.WarnNoFacts:       "the case has no key facts; completeness was read from the sentences of the expected answer",
	score.WarnBelowFloor:    "the overall score meets its bar only thanks to grounding; content_score is below it",
	score.WarnContradiction: "the answer seems to contradict the expected answer; its similarity was capped",
	score.WarnUnsupportedObligation: "the answer obliges to something, or cites a clause, that neither the expected answer " +
		"nor the prompt has",
	score.WarnNoReference:    "there is no expected_response to compare the answer with; accuracy was not measured",
	score.WarnLabelNotListed: "the expected label is none of the labels; the meaning was compared in its place",

	classify.WarnUnsupportedLanguage: "the answer is in a language in which refusals are not recognized; none was looked for",

	WarnJudge:        "criteria are not met by the word of a judge that does not count: they only warn",
	WarnOtherModel:   "another model answered than the one that was asked for",
	WarnSkipped:      "the case has evaluators that are not judged here; they count neither as passed nor as failed",
	WarnEvidenceLeft: "the answer is in results.jsonl only, because the report keeps a bounded amount of evidence",
	WarnMissing:      "the trial was planned and has no result; it counts as unscored",
}

// Warnings returns the warnings of the results with their counts, sorted by code.
func (s *Side) Warnings() []Warning {
	n := s.Counts()
	counts := map[string]int{WarnMissing: n.Planned - n.Trials}
	maps.Copy(counts, s.warnings)
	out := []Warning{}
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		if counts[code] > 0 {
			text := cmp.Or(warningText[code], strings.ReplaceAll(code, "_", " "))
			out = append(out, Warning{Code: code, Message: text, Count: counts[code]})
		}
	}
	return out
}
