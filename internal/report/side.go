package report

import (
	"hash/maphash"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/suiteid"
)

// SuitePlan holds the planned cases of a suite on one side, and its weight and threshold by the base's rules.
type SuitePlan struct {
	ID       string
	Target   string // "" if it is not known
	Path     string
	Line     int
	Weight   float64  // in the run score
	MinScore *float64 // the suite threshold; nil: none
	Cases    int      // planned cases
	Trials   int      // planned trials of each case; 0 means 1
	Planned  int      // planned trials of all cases, if they differ by case; 0: Trials of each
	Order    []string // case ids, if results may come in another order; nil: the order of the results
}

// Side is one revision's results, reduced to what comparisons and reports need. Builder makes it, and adds the answers
// that come during a comparison to it. Nothing else changes it but compare.MarkKeptByHand, before the comparison.
type Side struct {
	Matches        suiteid.Matches // of the base: which of its suites and cases are which of the head's
	Suites         []*SuiteSide    // as planned; suites that only the results name come last
	Calls          Calls
	JudgeCalls     Calls      // to grade answers
	EarlyEnds      []EarlyEnd // why planned trials were not run, in the order met
	InternalErrors InternalErrors
	// how often an expected `fail` came true; nil if no case expects one
	ExpectedFail *Agreement
	// for each proposed policy, the cases (suite/case) with an answer that matches it, in the order of results
	PolicyMatches map[string][]string
	log           *Log           // of its results; nil: they cannot be read back
	warnings      map[string]int // count by code
	bySuite       map[string]*SuiteSide
}

// SuiteSide holds the results of one suite on one side.
type SuiteSide struct {
	SuitePlan
	Cases     []*Case // in planned order
	trials    int
	unscored  int
	notAsked  int
	histogram [len(classify.Categories)]int
	byID      map[string]*Case
	place     map[string]int // the case's index in Order; nil without an Order
	metrics   metricSums
}

// Key is a hash of a request, an expectation or an input, valid within this process. Different content has equal keys
// with a chance of 2⁻⁶⁴. The seed is random, so that an author cannot construct a collision.
type Key uint64

var keySeed = maphash.MakeSeed()

// ParseKey returns the Key of a key text in a result.
func ParseKey(text string) Key { return Key(maphash.String(keySeed, text)) }

// Case is one case of a SuiteSide with its counted trials.
type Case struct {
	ID       string
	Path     string
	Line     int
	Severity string
	Tags     []string
	// compared to see whether a case or its answers differ between sides; AnswerKey is the sum of those of the first
	// answers
	RequestKey, ExpectationKey, InputKey, AnswerKey Key

	MustPass   bool
	Unverified bool
	// the recording is for another request: the case was called live, or its recorded answer counts all the same
	Stale bool
	// a hand-written recording was not changed although the request was; then the case is unverified
	KeptByHand bool
	Shared     bool // every trial is one answer to the equal request of both sides
	Replayed   bool // every answer is recorded or echoed; it may be graded live
	// a trial was answered or graded live, so that another run may differ
	Live     bool
	Sampled  bool // every trial is a recorded answer that came from a model
	ByRunner bool // another tool made and judged its trials; there can be no more of them
	// a truncated answer passes although its case, here or on the base, forbids some content that the rest may have had
	PassesTruncated bool
	JudgeWarns      bool // a judge that only warns finds a criterion unmet in a first answer
	LeftOut         bool // a report has no room for its answer and details
	rank            evidence
	// why first answers are missing; if for several reasons, the one that blames the head least
	Loss classify.Loss

	UnderBase *UnderBase // its answers judged by the base's expectation; nil if they were not
	// how its answers were compared by meaning: "", lexical_fallback, or semantic and the model
	SimilarityMethod string
	Criteria         *Criteria // the judge's verdicts on its first answers; nil if there are none
	Reruns           []Rerun   // reruns in the order of their numbers; they count in no score
	StatedClaim      string    // a forbidden claim that an answer makes; "" if none does

	Outcome   Outcome       // counts the first answers, and has the trial to show; compare adds its excerpt
	right     *Outcome      // the first right answer, if another trial is shown; without counts
	lastTrial int           // the highest trial number
	overall   float64       // the sum of the trials' overall scores
	scored    int32         // trials with an overall score
	truncated int32         // trials whose answer was truncated at its length limit
	probes    []risk.Scored // without their texts
}

// Truncated reports whether most answers to the case were truncated at their length limit.
func (c *Case) Truncated() bool {
	return c.truncated > 0 && 2*int(c.truncated) > c.Outcome.Trials-c.Outcome.Unscored
}

// Repairs returns the heuristics that were needed to parse the shown answer as JSON; nil if none were.
func (c *Case) Repairs() []string {
	if c.Outcome.Details == nil {
		return nil
	}
	return c.Outcome.Details.ParseRepairs
}

// Rerun is the result of a rerun.
type Rerun struct {
	RerunReason RerunReason
	Trial       int
	Passed      bool          // by its own expectation or, if the case is redefined, by the base's
	Unmet       bool          // the judge calls a criterion that counts unmet
	Loss        classify.Loss // why there is no answer to judge; NoLoss if there is one
	LossReason                // of a missing answer
}

// Verifications returns the number of verifying live answers to a recorded case, and how many of them are right.
func (c *Case) Verifications() (asked, right int) {
	for _, t := range c.Reruns {
		if t.RerunReason != RerunVerify {
			continue
		}
		if asked++; t.Passed {
			right++
		}
	}
	return asked, right
}

// LossReason says why an answer is missing, as the details of a classification do.
type LossReason struct {
	Reason  string `json:"reason,omitempty"`
	OfJudge bool   `json:"of_judge,omitempty"`
}

// LastTrial returns the highest trial number; 0 for a nil case and before the first trial.
func (c *Case) LastTrial() int {
	if c == nil {
		return 0
	}
	return c.lastTrial
}

// UnderBase counts the trials of a redefined case as judged by the base's expectation.
type UnderBase struct {
	Unverified     bool // the head's own expectation checks nothing
	Passed, Trials int
	Neither        int               // trials that meet neither expectation
	Primary        classify.Category // of the first trial that did not pass, else of the first
}

// ShowsAnswers reports whether the results have the answers. Those of another runner may have none.
func (c *Case) ShowsAnswers() bool {
	return !c.ByRunner || c.AnswerKey != ParseKey("")*Key(c.Outcome.Trials)
}

// ExpectsNothing reports whether the case's own expectation checks nothing. The case must be redefined.
func (c *Case) ExpectsNothing() bool {
	return c.UnderBase != nil && c.UnderBase.Unverified || c.ByRunner && c.Unverified
}

// FailedAnswers counts the wrong answers.
func (c *Case) FailedAnswers() int { return c.Outcome.Trials - c.Outcome.Passed - c.Outcome.Unscored }

// OverallScore returns the mean of the overall scores of the case's trials; false if no trial has one.
func (c *Case) OverallScore() (float64, bool) {
	if c.scored == 0 {
		return 0, false
	}
	return c.overall / float64(c.scored), true
}

// Case returns a case by its id; nil if there is none, and for a nil suite.
func (s *SuiteSide) Case(id string) *Case {
	if s == nil {
		return nil
	}
	return s.byID[id]
}

// CaseFinder returns a function that finds a base case and its suite by their names on the head. The function returns
// nil if there is no such case.
func (s *Side) CaseFinder() func(head suiteid.Name) (*SuiteSide, *Case) {
	suites := map[string]*SuiteSide{}
	for _, one := range s.Suites {
		suites[s.Matches.HeadID(one.ID)] = one
	}
	return func(head suiteid.Name) (*SuiteSide, *Case) {
		base, known := s.Matches.Base(head)
		if !known {
			return nil, nil
		}
		return suites[base.Suite], suites[base.Suite].Case(base.Case)
	}
}

// WithMovedCases returns a copy of the side with some cases moved to the head's suites of the given plans. Missing
// suites are added. As with Without, the copy is for scores, risk and counts only.
func (s *Side) WithMovedCases(plans map[*Case]SuitePlan) *Side {
	if len(plans) == 0 {
		return s
	}
	excluded := make(map[*Case]bool, len(plans))
	for c := range plans {
		excluded[c] = true
	}
	rest := s.Without(excluded)
	byHead := map[string]*SuiteSide{}
	for _, one := range rest.Suites {
		byHead[s.Matches.HeadID(one.ID)] = one
	}
	for _, from := range s.Suites {
		for _, c := range from.Cases {
			plan, moved := plans[c]
			if !moved {
				continue
			}
			dest := byHead[plan.ID]
			if dest == nil {
				plan.Cases, plan.Planned, plan.Order = 0, 0, nil
				dest = &SuiteSide{SuitePlan: plan}
				rest.Suites, rest.bySuite[plan.ID], byHead[plan.ID] = append(rest.Suites, dest), dest, dest
			}
			dest.Cases = append(dest.Cases, c)
			dest.Planned = dest.Counts().Planned + c.Outcome.Trials
			dest.SuitePlan.Cases++
			dest.trials += c.Outcome.Trials
			dest.unscored += c.Outcome.Unscored
		}
	}
	return rest
}

// WithPlans returns a copy of the side, with the same cases. change changes the plan of each suite of the copy.
func (s *Side) WithPlans(change func(*SuitePlan)) *Side {
	return s.withSuites(func(one *SuiteSide) *SuiteSide {
		changed := *one
		change(&changed.SuitePlan)
		return &changed
	})
}

// Suite returns a suite by its id; nil if there is none.
func (s *Side) Suite(id string) *SuiteSide { return s.bySuite[id] }

// Find returns a case by its name; nil if the side has no such case.
func (s *Side) Find(name suiteid.Name) *Case { return s.Suite(name.Suite).Case(name.Case) }

// Without returns a copy of the side without some cases, for scores, risk and counts of trials only.
func (s *Side) Without(excluded map[*Case]bool) *Side {
	return s.withSuites(func(one *SuiteSide) *SuiteSide { return one.Without(excluded) })
}

// withSuites returns a copy of the side with what change returns in place of each suite.
func (s *Side) withSuites(change func(*SuiteSide) *SuiteSide) *Side {
	result := *s
	result.Suites, result.bySuite = nil, map[string]*SuiteSide{}
	for _, one := range s.Suites {
		changed := change(one)
		result.Suites = append(result.Suites, changed)
		result.bySuite[changed.ID] = changed
	}
	return &result
}

// Without returns a copy of the suite without some of its cases and their planned trials; nil for a nil suite.
func (s *SuiteSide) Without(excluded map[*Case]bool) *SuiteSide {
	if s == nil || len(excluded) == 0 {
		return s
	}
	kept := *s
	kept.Cases = nil
	for _, c := range s.Cases {
		if !excluded[c] {
			kept.Cases = append(kept.Cases, c)
			continue
		}
		kept.SuitePlan.Cases--
		kept.Planned = max(0, kept.Planned-c.Outcome.Trials)
		kept.trials -= c.Outcome.Trials
		kept.unscored -= c.Outcome.Unscored
	}
	return &kept
}
