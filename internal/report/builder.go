package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suiteid"
)

// Builder reduces results to a Side as they arrive. Its zero value is ready to use. It is not safe for concurrent
// use.
type Builder struct {
	// the file from which the answers of shown trials are read back; nil: they are not shown
	Log        *Log
	side       Side
	shownBytes int // bytes of evidence
}

// Plan adds the planned suites, in the order of the report. A planned suite without a result has no score. m is of the
// base; that of the head is zero.
func (b *Builder) Plan(suites []SuitePlan, m suiteid.Matches) {
	b.side.Matches = m
	for _, p := range suites {
		b.getOrAddSuite(p)
	}
}

// Add counts one trial. place is where the log has its result. Results come in suite, case and trial order. A repeated
// trial, a trial below 1 and an unknown category are errors.
func (b *Builder) Add(r Result, place Ref) error {
	category := slices.Index(classify.Categories[:], r.Classification.Primary)
	if category < 0 {
		return fmt.Errorf("result %s/%s: unknown classification %q", r.SuiteID, r.CaseID, r.Classification.Primary)
	}
	s := b.getOrAddSuite(SuitePlan{ID: r.SuiteID, Path: r.Path, Line: 1, Weight: 1})
	c := s.Case(r.CaseID)
	if last := c.LastTrial(); r.Trial <= last {
		return fmt.Errorf("result %s/%s: trial %d after trial %d", r.SuiteID, r.CaseID, r.Trial, last)
	}
	if c == nil {
		c = &Case{ID: r.CaseID, Path: r.Path, Line: r.Line, Severity: r.Severity, Tags: r.Tags, MustPass: r.MustPass,
			RequestKey: ParseKey(r.RequestKey), ExpectationKey: ParseKey(r.ExpectationKey), InputKey: ParseKey(r.InputKey)}
		s.insert(c)
	}
	c.lastTrial = r.Trial
	b.side.InternalErrors.add(r)
	if r.RerunReason != "" {
		b.addRerun(c, r)
	} else {
		b.count(s, c, r, category, place)
	}
	return nil
}

// count counts a first answer: one that is not a rerun.
func (b *Builder) count(s *SuiteSide, c *Case, r Result, category int, at Ref) {
	c.noteSource(r)
	s.histogram[category]++
	s.trials++
	if r.Classification.Unscored() {
		s.unscored++
	}
	if r.Classification.Loss() == classify.LossNotAsked {
		s.notAsked++
		b.countEnded(r)
	}
	switch rank := evidenceOf(r.Classification); {
	case rank > c.rank:
		if c.rank == rightAnswer {
			c.right = new(c.Outcome)
		}
		c.rank = rank
		b.setShown(c, r, at)
	case rank == rightAnswer && c.rank > rightAnswer && c.right == nil:
		c.right = &Outcome{}
		c.right.show(r, at)
	}
	c.count(r)
	c.AnswerKey += ParseKey(string(r.ShownAnswer()))
	s.metrics.add(r)
	if r.Risk != nil {
		p := risk.Scored{SuiteID: r.SuiteID, CaseID: r.CaseID, Trial: r.Trial, CaseScore: *r.Risk}
		p.Task, p.Input, p.Signals, p.Harm = "", "", nil, nil // no aggregate needs them
		c.probes = append(c.probes, p)
	}
	for _, policy := range r.ProposedPolicies { // a case counts once for each policy
		name, before := r.SuiteID+"/"+r.CaseID, b.side.PolicyMatches[policy]
		if len(before) == 0 || before[len(before)-1] != name {
			b.side.PolicyMatches[policy] = append(before, name)
		}
	}
	c.addVerdicts(r)
	c.JudgeWarns = c.JudgeWarns || slices.Contains(r.Warnings, WarnJudge)
	c.SimilarityMethod = mergeSimilarityMethods(c.SimilarityMethod, similarityMethod(r))
	b.addTotals(r)
}

// noteSource records whether a first answer is shared, recorded or live.
func (c *Case) noteSource(r Result) {
	first := c.Outcome.Trials == 0
	c.Shared = r.Shared && (c.Shared || first)
	c.Sampled = r.Sampled && (c.Sampled || first)
	c.Replayed = r.Replayed && (c.Replayed || first)
	c.ByRunner = r.Runner != ""
	c.Live = c.Live || !r.Replayed || r.Judge != nil && !r.Judge.Recorded
}

// addRerun adds a rerun. It counts in no score, but its cost counts.
func (b *Builder) addRerun(c *Case, r Result) {
	c.Reruns = append(c.Reruns, Rerun{RerunReason: r.RerunReason, Trial: r.Trial, Passed: r.meetsEither(), Unmet: r.hasUnmet(),
		Loss: r.Classification.Loss(), LossReason: LossReason{r.Classification.Details.Reason, r.Classification.Details.OfJudge}})
	b.addCalls(r)
	if r.Classification.Loss() == classify.LossNotAsked {
		b.countEnded(r)
	}
}

// addCalls adds the calls made for an answer and for grading it.
func (b *Builder) addCalls(r Result) {
	if !r.Replayed && r.Runner == "" && r.RerunReason != RerunJudge {
		b.side.Calls = b.side.Calls.Plus(CallsOf(r))
	}
	b.side.JudgeCalls = b.side.JudgeCalls.Plus(r.Judge.Sum())
}

// Side returns the side. What is added later is added to it.
func (b *Builder) Side() *Side {
	b.side.log = b.Log
	return &b.side
}

func (b *Builder) getOrAddSuite(p SuitePlan) *SuiteSide {
	if s := b.side.Suite(p.ID); s != nil {
		return s
	}
	if b.side.bySuite == nil {
		b.side.bySuite, b.side.warnings, b.side.PolicyMatches = map[string]*SuiteSide{},
			map[string]int{}, map[string][]string{}
	}
	s := &SuiteSide{SuitePlan: p, byID: map[string]*Case{}}
	if p.Order != nil {
		s.place = make(map[string]int, len(p.Order))
		for i, id := range p.Order {
			s.place[id] = i
		}
	}
	b.side.bySuite[p.ID] = s
	b.side.Suites = append(b.side.Suites, s)
	return s
}

// insert puts a case in its planned place, or last if it has none.
func (s *SuiteSide) insert(c *Case) {
	s.byID[c.ID] = c
	place, planned := s.place[c.ID] // without an Order, cases stay in the order of their results
	at := len(s.Cases)
	for ; planned && at > 0; at-- {
		if before, known := s.place[s.Cases[at-1].ID]; !known || before < place {
			break
		}
	}
	s.Cases = slices.Insert(s.Cases, at, c)
}

func (c *Case) count(r Result) {
	k := r.Classification
	c.Outcome.Trials++
	c.Outcome.Passed += k.Accuracy()
	if k.Unscored() {
		c.Outcome.Unscored++
		c.Loss = lessBlaming(c.Loss, k.Loss())
	}
	if k.Details.Reason == classify.ReasonTruncated {
		c.truncated++
		c.PassesTruncated = c.PassesTruncated || slices.Contains(r.Warnings, score.WarnAnswerTruncated)
	}
	if claims := k.Details.StatedClaims; len(claims) > 0 && c.StatedClaim == "" {
		c.StatedClaim = strings.Clone(prefix(claims[0], claimRunes))
	}
	c.KeptByHand, c.Stale = c.KeptByHand || r.KeptByHand, c.Stale || r.Stale
	c.Unverified = c.Unverified || k.Details.Unverified || r.KeptByHand
	if r.OverallScore != nil {
		c.overall += *r.OverallScore
		c.scored++
	}
	if r.UnderBase != nil && !r.UnderBase.Unscored() {
		if c.UnderBase == nil {
			c.UnderBase = &UnderBase{}
		}
		c.UnderBase.count(r)
	}
}

func (u *UnderBase) count(r Result) {
	if u.Trials == 0 || u.Primary == classify.Pass {
		u.Primary = r.UnderBase.Primary
	}
	u.Trials++
	u.Passed += r.UnderBase.Accuracy()
	details := r.Classification.Details
	u.Unverified = u.Unverified || details.Unverified && !details.NeedsReview
	if !r.meetsEither() {
		u.Neither++
	}
}

// lessBlaming returns the reason that blames the head less. LossNotAsked blames it least, then LossOutage. The other
// reasons blame it equally.
func lessBlaming(a, b classify.Loss) classify.Loss {
	for _, l := range []classify.Loss{classify.LossNotAsked, classify.LossOutage} {
		if a == l || b == l {
			return l
		}
	}
	return b
}

// meetsEither reports whether an answer meets the case's expectation or, if the case is redefined, the base's.
func (r Result) meetsEither() bool {
	return r.Scores.Accuracy == 1 || r.UnderBase != nil && r.UnderBase.Accuracy() == 1
}

// hasUnmet reports whether, by the judge's verdict, the answer does not meet a criterion that counts.
func (r Result) hasUnmet() bool {
	return slices.ContainsFunc(r.Criteria, func(c Criterion) bool { return c.Met != nil && !*c.Met && !c.Optional && !c.NeedsRun })
}

func (b *Builder) addTotals(r Result) {
	b.addCalls(r)
	if r.ExpectedFail && !r.Classification.Unscored() {
		if b.side.ExpectedFail == nil {
			b.side.ExpectedFail = &Agreement{}
		}
		b.side.ExpectedFail.Expected++
		if r.Classification.Primary == classify.Fail {
			b.side.ExpectedFail.Agreed++
		}
	}
	for _, code := range r.Warnings {
		b.warn(code)
	}
	if len(r.Skipped) > 0 {
		b.warn(WarnSkipped)
	}
}

func (b *Builder) warn(code string) { b.side.warnings[code]++ }
