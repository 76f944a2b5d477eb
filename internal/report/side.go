package report

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suiteid"
)

// SuitePlan says what a side asks of one suite, and how it counts, with the base's rules applied.
type SuitePlan struct {
	ID       string
	As       string        // of a base's suite: the id that the head has for it; "" for its own
	Names    suiteid.Names // of a base's suite: what the head calls the base's cases
	Target   string        // who answers it; "" where that is not known
	Path     string
	Line     int
	Weight   float64  // in the run score
	MinScore *float64 // the suite bar; nil: none
	Cases    int      // planned cases
	Trials   int      // planned trials of each case; 0 means 1
	Planned  int      // planned trials of all cases, where they differ from case to case; 0: Trials of each
	Order    []string // the ids of the cases, where their results may come in another order; nil: they come in theirs
}

// HeadID is the id that the suite goes by in a comparison: the head's.
func (p SuitePlan) HeadID() string { return cmp.Or(p.As, p.ID) }

// Head is what the head calls a case of a base's suite.
func (p SuitePlan) Head(id string) suiteid.Name {
	return p.Names.Head(suiteid.Name{Suite: p.HeadID(), Case: id})
}

// Side is one revision's results, reduced to what a comparison and a report need. Builder makes it, and it is not
// changed afterwards.
type Side struct {
	Suites     []*SuiteSide // as planned; suites that only turned up in the results come last
	Calls      Calls
	JudgeCalls Calls   // of grading
	Ended      []Ended // why trials were not asked, in the order met
	Broken     Broken
	log        *Log // where its results are read back; nil: they are not
	probes     risk.Collector
	agreement  Agreement
	warnings   map[string]int      // count by code
	caught     map[string][]string // by announced policy: the cases, as suite/case, of which it matches an answer
	bySuite    map[string]*SuiteSide
}

// SuiteSide is one suite of a Side.
type SuiteSide struct {
	SuitePlan
	Cases     []*Case // in the order of the results
	trials    int
	unscored  int
	notAsked  int
	histogram [len(classify.Categories)]int
	byID      map[string]*Case
	place     map[string]int // of a case in Order; nil without one
	measured  metricSums
}

// Key identifies a request, an expectation or an input within this process. Equal content has equal keys, and different
// content different ones, but for a chance of one in 2⁶⁴. Nobody can construct a collision, since nobody knows the
// seed.
type Key uint64

var keySeed = maphash.MakeSeed()

// ParseKey makes a Key of the text that results carry.
func ParseKey(text string) Key { return Key(maphash.String(keySeed, text)) }

// Case is one case of a SuiteSide, its trials counted.
type Case struct {
	ID       string
	Path     string
	Line     int
	Severity string
	Tags     []string
	Keys
	MustPass   bool
	Unverified bool
	Stale      bool // what is recorded is no answer to what is asked: it was asked live, or else counts as it is
	// an answer that somebody wrote stayed as it was although what is asked changed; then it is unverified
	KeptByHand bool
	Shared     bool // every trial is the one answer to a request that both sides make alike
	Replayed   bool // every answer is recorded or echoed, whoever graded it
	// some trial came from a model or a command, or was graded by one, which may say otherwise the next time
	Live       bool
	Drawn      bool // every trial is recorded, and was drawn from a model
	Repeated   bool // its trials are all runs of it that there are: another runner made and judged them
	JudgeWarns bool // a judge that does not count says of a first answer that it does not meet a criterion

	Tally score.Tally // of its first trials
	// why first trials without an answer have none; the kind that says least, if there are several
	Loss      classify.Loss
	UnderBase UnderBase    // how its answers fare under the base's expectation; zero if that was not judged
	Likeness  string       // how its answers were compared by meaning: "", lexical_fallback, or semantic and the model
	Criteria  *Criteria    // what a judge said of its first answers; nil: nothing
	Fresh     []FreshTrial // answers that were asked for again, in the order of their numbers; they are in no score
	States    string       // a forbidden claim that an answer states; "" if none does

	// The trial that shows best what happened.
	Primary classify.Category
	Trial   int
	At      Ref     // of its result in the side's log
	Shown   *Result // what there is to say of it beside its category, its texts cut; nil: nothing

	told    telling
	last    int     // the highest trial seen
	scored  int     // trials that have an overall score
	overall float64 // the sum of these
	cut     int     // trials whose answer was cut at its length limit
	// one of these passes, and its case forbids, there or on the base, what may have come behind the cut
	unproven bool
	risks    []risk.CaseScore
}

// Keys tell whether a case, or its answer, differs between the sides. AnswerKey is the sum of the keys of its first
// answers.
type Keys struct{ RequestKey, ExpectationKey, InputKey, AnswerKey Key }

// Cut reports whether most answers to the case were cut at their length limit.
func (c *Case) Cut() bool { return c.cut > 0 && 2*c.cut > c.Tally.Trials-c.Tally.Unscored }

// Unproven reports whether the case passes by what a cut answer does not say.
func (c *Case) Unproven() bool { return c.unproven }

// Repairs returns the heuristics that reading the shown trial's answer as JSON needed; nil if none.
func (c *Case) Repairs() []string {
	if c.Shown == nil {
		return nil
	}
	return c.Shown.Classification.Details.ParseRepairs
}

// FreshTrial is an answer that was asked for again.
type FreshTrial struct {
	Look   Look
	Trial  int
	Passed bool          // by its own expectation or, of a redefined case, by the base's
	Loss   classify.Loss // why no answer to judge came; NoLoss: one did
	Reason string        // the code of that, one of model's
}

// Last returns the highest number of its trials; 0 before the first, and for no case.
func (c *Case) Last() int {
	if c == nil {
		return 0
	}
	return c.last
}

// UnderBase counts how a redefined case's trials fare by the base's expectation. Trials is 0 if that was not judged.
type UnderBase struct {
	Unheld         bool // its own expectation, the head's, is none
	Passed, Trials int
	Neither        int               // trials that meet neither that expectation nor the case's own
	Primary        classify.Category // of the first trial that did not pass, else of the first
}

// Passes reports whether every trial passed and none was missing an answer.
func (c *Case) Passes() bool { return c.Tally.Trials > 0 && c.Tally.Passed == c.Tally.Trials }

// Word names the classification of the shown trial.
func (c *Case) Word() string {
	k := classify.Classification{Primary: c.Primary}
	if c.Shown != nil {
		k.Details = c.Shown.Classification.Details
	}
	return k.Word()
}

// FailedAnswers counts the trials that have an answer, and a wrong one.
func (c *Case) FailedAnswers() int { return c.Tally.Trials - c.Tally.Passed - c.Tally.Unscored }

// OverallScore is the mean of its trials' overall scores, and false where none has one.
func (c *Case) OverallScore() (float64, bool) {
	if c.scored == 0 {
		return 0, false
	}
	return c.overall / float64(c.scored), true
}

// Case finds a case by its id; nil if there is none.
func (s *SuiteSide) Case(id string) *Case {
	return s.byID[id]
}

// CaseFinder returns a function that finds a base case and its suite by their names on the head; nil if there is none.
func (s *Side) CaseFinder() func(head suiteid.Name) (*SuiteSide, *Case) {
	suites, names := map[string]*SuiteSide{}, suiteid.Names{}
	for _, one := range s.Suites {
		suites[one.HeadID()], names = one, one.Names
	}
	return func(head suiteid.Name) (*SuiteSide, *Case) {
		own, known := names.Base(head)
		if of := suites[own.Suite]; known && of != nil {
			return of, of.Case(own.Case)
		}
		return nil, nil
	}
}

// WithMovedCases returns a copy of the side in which some cases belong to other suites, given by their plans. It adds
// suites that the side lacks, under the head's ids. The copy is for the same uses as that of Without.
func (s *Side) WithMovedCases(to map[*Case]SuitePlan) *Side {
	if len(to) == 0 {
		return s
	}
	out := make(map[*Case]bool, len(to))
	for c := range to {
		out[c] = true
	}
	rest := s.Without(out)
	byHead := map[string]*SuiteSide{}
	for i, one := range rest.Suites {
		kept := *one
		kept.Cases = slices.Clip(kept.Cases)
		rest.Suites[i], rest.bySuite[kept.ID], byHead[kept.HeadID()] = &kept, &kept, &kept
	}
	for _, from := range s.Suites {
		for _, c := range from.Cases {
			plan, moved := to[c]
			if !moved {
				continue
			}
			in := byHead[plan.HeadID()]
			if in == nil {
				plan.Cases, plan.Planned, plan.Order = 0, 0, nil
				in = &SuiteSide{SuitePlan: plan}
				rest.Suites, rest.bySuite[plan.ID], byHead[plan.HeadID()] = append(rest.Suites, in), in, in
			}
			in.Cases = append(in.Cases, c)
			in.SuitePlan.Planned = in.Planned() + c.Tally.Trials
			in.SuitePlan.Cases++
			in.trials += c.Tally.Trials
			in.unscored += c.Tally.Unscored
		}
	}
	rest.collect()
	return rest
}

// PolicyMatches returns the cases, as suite/case, with an answer that matches a proposed policy, in the order of the
// results.
func (s *Side) PolicyMatches(policy string) []string { return s.caught[policy] }

// Suite finds a suite by its id; nil if there is none.
func (s *Side) Suite(id string) *SuiteSide { return s.bySuite[id] }

// Without returns a copy of the side without some cases, for scores, risk and counts of trials.
func (s *Side) Without(out map[*Case]bool) *Side {
	rest := *s
	rest.Suites, rest.bySuite = nil, map[string]*SuiteSide{}
	for _, one := range s.Suites {
		kept := one.Without(out)
		rest.Suites = append(rest.Suites, kept)
		rest.bySuite[kept.ID] = kept
	}
	rest.collect()
	return &rest
}

// collect collects the risks of the cases that it has.
func (s *Side) collect() {
	s.probes = risk.Collector{}
	for _, one := range s.Suites {
		for _, c := range one.Cases {
			for i, r := range c.risks {
				s.probes.Add(risk.Place{SuiteID: one.ID, CaseID: c.ID, Trial: i + 1}, r)
			}
		}
	}
}

// Without returns a copy of the suite without some of its cases, planned trials included; nil for a nil suite.
func (s *SuiteSide) Without(out map[*Case]bool) *SuiteSide {
	if s == nil || len(out) == 0 {
		return s
	}
	kept := *s
	kept.Cases = nil
	for _, c := range s.Cases {
		if !out[c] {
			kept.Cases = append(kept.Cases, c)
			continue
		}
		kept.SuitePlan.Cases--
		kept.SuitePlan.Planned = max(0, kept.SuitePlan.Planned-c.Tally.Trials)
		kept.trials -= c.Tally.Trials
		kept.unscored -= c.Tally.Unscored
	}
	return &kept
}
