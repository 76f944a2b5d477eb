package report

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/risk"
)

// Builder reduces results to a Side as they arrive. The zero value is ready; it is for one goroutine.
type Builder struct {
	side    Side
	strings map[string]string // one copy of each path and severity
	failing int               // bytes of evidence kept
	passing int
}

// Plan says which suites will be asked, in the order of the report. A planned suite without a result has no score.
func (b *Builder) Plan(suites []SuitePlan) {
	for _, p := range suites {
		b.suite(p)
	}
}

// Add counts one trial. Results come in suite, case and trial order. A trial that was counted before, or that is not
// 1 or more, is an error, since a report must not count an answer twice; so is a category that does not exist.
func (b *Builder) Add(r Result) error {
	category := slices.Index(classify.Categories[:], r.Classification.Primary)
	if category < 0 {
		return fmt.Errorf("result %s/%s: unknown classification %q", r.SuiteID, r.CaseID, r.Classification.Primary)
	}
	s := b.suite(SuitePlan{ID: r.SuiteID, Path: r.Path, Line: 1, Weight: 1})
	if last := s.lastTrial(r.CaseID); r.Trial <= last {
		return fmt.Errorf("result %s/%s: trial %d after trial %d", r.SuiteID, r.CaseID, r.Trial, last)
	}
	c := b.caseOf(s, r)
	c.last = r.Trial
	b.side.live = b.side.live || !r.Replayed
	if r.Look != "" {
		b.again(c, r)
		return nil
	}
	c.Shared = r.Shared && (c.Shared || c.Tally.Trials == 0)
	s.histogram[category]++
	s.trials++
	if r.Classification.Unscored() {
		s.unscored++
	}
	if f := notAsked(r.Classification); f != "" {
		s.notAsked++
		b.ended(f, r.Classification.Details.ErrorDetails, 1)
	}
	b.show(c, r)
	count(c, r)
	s.measured.add(r)
	if r.Risk != nil {
		b.side.probes.Add(risk.Place{SuiteID: r.SuiteID, CaseID: r.CaseID, Trial: r.Trial}, *r.Risk)
	}
	c.Likeness = b.intern(joinedLikeness(c.Likeness, likenessOf(r)))
	b.total(r)
	return nil
}

// again keeps a trial that was asked for in a further look. It enters no score and is no evidence of the case; it costs.
func (b *Builder) again(c *Case, r Result) {
	c.Fresh = append(c.Fresh, FreshTrial{Look: r.Look, Trial: r.Trial, Passed: r.Scores.Accuracy == 1, Lost: r.Classification.Unscored()})
	if !r.Replayed {
		b.side.Calls = b.side.Calls.Plus(callsOf(r))
	}
	if f := notAsked(r.Classification); f != "" {
		b.ended(f, r.Classification.Details.ErrorDetails, 0)
	}
}

// Side returns what was added. Nothing is added afterwards.
func (b *Builder) Side() *Side { return &b.side }

func (b *Builder) suite(p SuitePlan) *SuiteSide {
	if s := b.side.Suite(p.ID); s != nil {
		return s
	}
	if b.side.bySuite == nil {
		b.side.bySuite = map[string]*SuiteSide{}
	}
	s := &SuiteSide{SuitePlan: p, index: map[string]*Case{}}
	b.side.bySuite[p.ID] = s
	b.side.Suites = append(b.side.Suites, s)
	return s
}

func (s *SuiteSide) lastTrial(caseID string) int {
	if c, ok := s.index[caseID]; ok {
		return c.last
	}
	return 0
}

func (b *Builder) caseOf(s *SuiteSide, r Result) *Case {
	if c, ok := s.index[r.CaseID]; ok {
		return c
	}
	c := &Case{
		ID:             r.CaseID,
		Path:           b.intern(r.Path),
		Line:           r.Line,
		Severity:       b.intern(r.Severity),
		MustPass:       r.MustPass,
		RequestKey:     ParseKey(r.RequestKey),
		ExpectationKey: ParseKey(r.ExpectationKey),
	}
	s.index[r.CaseID] = c
	s.Cases = append(s.Cases, c)
	return c
}

func (b *Builder) intern(text string) string {
	if kept, ok := b.strings[text]; ok {
		return kept
	}
	if b.strings == nil {
		b.strings = map[string]string{}
	}
	b.strings[text] = text
	return text
}

func count(c *Case, r Result) {
	k := r.Classification
	c.Tally.Trials++
	c.Tally.Passed += k.Accuracy()
	if k.Unscored() {
		c.Tally.Unscored++
	}
	c.Unverified = c.Unverified || k.Details.Unverified
	if r.OverallScore != nil {
		c.overall.Add(*r.OverallScore, 1)
	}
	if r.UnderBase != nil && !r.UnderBase.Unscored() {
		u := &c.UnderBase
		if u.Trials == 0 || u.Primary == classify.Pass {
			u.Primary = r.UnderBase.Primary
		}
		u.Trials++
		u.Passed += r.UnderBase.Accuracy()
	}
}

func (b *Builder) total(r Result) {
	if !r.Replayed {
		b.side.Calls = b.side.Calls.Plus(callsOf(r))
	}
	if r.ExpectedFail && !r.Classification.Unscored() {
		b.side.agreement.Expected++
		if r.Classification.Primary == classify.Fail {
			b.side.agreement.Agreed++
		}
	}
	for _, code := range r.Warnings {
		b.warn(code)
	}
	if len(r.Skipped) > 0 {
		b.warn(WarnSkipped)
	}
}

// callsOf is what one answer cost.
func callsOf(r Result) (c Calls) {
	if r.Cached {
		return Calls{Cached: 1}
	}
	c.Provider = 1
	if r.Attempts != nil {
		c.Provider = *r.Attempts
	}
	if r.Tokens != nil {
		c.TokensIn, c.TokensOut = r.Tokens.In, r.Tokens.Out
	}
	if r.CostUSD != nil {
		c.CostUSD = *r.CostUSD
	}
	return c
}

func (b *Builder) warn(code string) {
	if b.side.warnings == nil {
		b.side.warnings = map[string]int{}
	}
	b.side.warnings[b.intern(code)]++
}
