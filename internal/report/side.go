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

// SuitePlan says what a side is going to ask of one suite, and how it counts. Base rules have been applied to it.
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

// Side is one revision's results, reduced to what a comparison and a report need. It is made by Builder and not
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
	measured  measured
}

// Key tells requests, expectations or inputs apart within this process: equal content has equal keys, and other content has other keys but for a
// chance of one in 2⁶⁴. Results carry SHA-256, of which the three keys of a million cases are 96 MB. A quarter of that is enough where nobody
// can look for two contents with one key, since nobody knows the seed.
type Key uint64

var keySeed = maphash.MakeSeed()

// ParseKey makes a Key of the text that results carry.
func ParseKey(text string) Key { return Key(maphash.String(keySeed, text)) }

// Case is one case of a SuiteSide, its trials counted. A run holds one for each case that it asks: what most cases have none of, or
// share with others, stands apart.
type Case struct {
	ID string
	*Origin
	*Keys              // nil: there is no other side
	trials     *trials // nil: they are passedOnce
	at         int64   // where the result of the shown trial stands in the side's log
	length     int32   // of what stands at
	Line       int32
	MustPass   bool
	Unverified bool
	Stale      bool // what is recorded is no answer to what is asked: it was asked live, or else counts as it is
	KeptByHand bool // an answer that somebody wrote stayed as it was although what is asked changed; then it is unverified
	Shared     bool // every trial is the one answer to a request that both sides make alike
	Replayed   bool // every answer is recorded or echoed, whoever graded it
	Live       bool // some trial came from a model or a command, or was graded by one, which may say otherwise the next time
	Drawn      bool // every trial is recorded, and was drawn from a model
}

// Keys tell on which side a case is another one, or is answered otherwise: AnswerKey is the sum of the keys of its first answers.
type Keys struct{ RequestKey, ExpectationKey, InputKey, AnswerKey Key }

// trials are what those of a case came to.
type trials struct {
	tally   tally
	shown   int32   // which of them
	last    int32   // the highest trial seen
	scored  int32   // how many have an overall score
	overall float64 // the sum of these
	shows   *Shown
	rare    *rarity // nil: it has none of that
	primary uint8   // of the shown trial, in classify.Categories
	told    telling
	loss    uint8
}

// passedOnce are the trials of nearly all cases of a large run: a right answer, of which there is nothing to show.
var passedOnce = trials{tally: tally{passed: 1, trials: 1}, shown: 1, last: 1, primary: uint8(slices.Index(classify.Categories[:], classify.Pass)), told: rightAnswer}

// told are its trials, to be read alone.
func (c *Case) told() *trials {
	if c.trials == nil {
		return &passedOnce
	}
	return c.trials
}

// tally is a score.Tally of fewer trials than any file holds.
type tally struct{ passed, trials, unscored int32 }

// Tally counts its first trials.
func (c *Case) Tally() score.Tally {
	t := c.told().tally
	return score.Tally{Passed: int(t.passed), Trials: int(t.trials), Unscored: int(t.unscored)}
}

// Trial is the number of the trial that is shown.
func (c *Case) Trial() int { return int(c.told().shown) }

// Shown is what there is to say of that trial beside its category; nil: nothing, or it is read back.
func (c *Case) Shown() *Shown { return c.told().shows }

// At is where the result of the shown trial stands in the side's log.
func (c *Case) At() Ref { return Ref{c.at, int(c.length)} }

// Origin is what a case has in common with others: one for all that have it alike, which nobody changes.
type Origin struct {
	Path     string
	Severity string
	Likeness string // how its answers were compared by meaning: "", lexical_fallback, or semantic and the model
}

// rarity is what few cases have.
type rarity struct {
	underBase UnderBase
	criteria  *Criteria
	fresh     []FreshTrial
	risks     []risk.CaseScore
	cut       int32  // trials whose answer was cut at its length limit
	stated    string // a forbidden claim that one of them states, and passes
	unproven  bool   // one of these passes, and its case forbids, there or on the base, what may have come behind the cut
}

func (t *trials) rarity() *rarity {
	if t.rare == nil {
		t.rare = &rarity{}
	}
	return t.rare
}

// rare is what it has of that, to be read alone.
func (c *Case) rare() *rarity {
	if has := c.told().rare; has != nil {
		return has
	}
	return &rarity{}
}

// Primary is the category of the shown trial.
func (c *Case) Primary() classify.Category { return classify.Categories[c.told().primary] }

// Loss is why its first trials without an answer have none; the kind that says least, where there are several.
func (c *Case) Loss() classify.Loss { return classify.Loss(c.told().loss) }

// UnderBase is how its answers fare under the base's expectation; zero where that was not judged.
func (c *Case) UnderBase() UnderBase { return c.rare().underBase }

// Cut reports a case of whose answers most were cut at their length limit.
func (c *Case) Cut() bool {
	has, t := c.told().rare, c.Tally()
	return has != nil && has.cut > 0 && 2*int(has.cut) > t.Trials-t.Unscored
}

// Unproven reports a case that passes by what an answer does not say that was cut.
func (c *Case) Unproven() bool {
	has := c.told().rare
	return has != nil && has.unproven
}

// States is a forbidden claim that an answer states which passes all the same; "" where none does.
func (c *Case) States() string { return c.rare().stated }

// Repairs are the heuristics by which the answer of the shown trial was read as JSON; nil: none, or it was not read so.
func (c *Case) Repairs() []string {
	if shown := c.Shown(); shown != nil && shown.Details != nil {
		return shown.Details.ParseRepairs
	}
	return nil
}

// Criteria are what a judge said of its first answers; nil: nothing.
func (c *Case) Criteria() *Criteria { return c.rare().criteria }

// Fresh are the answers that were asked for again, in the order of their numbers; they are in no score.
func (c *Case) Fresh() []FreshTrial { return c.rare().fresh }

// FreshTrial is an answer that was asked for again.
type FreshTrial struct {
	Look   Look
	Trial  int
	Passed bool          // by its own expectation or, of a redefined case, by the base's
	Loss   classify.Loss // why no answer to judge came; NoLoss: one did
}

// Last is the highest number of its trials; 0 before the first, and for no case.
func (c *Case) Last() int {
	if c == nil {
		return 0
	}
	return int(c.told().last)
}

// UnderBase is how a redefined case's trials fare under the base's expectation. Trials is 0 where that was not judged.
type UnderBase struct {
	Unheld         bool // its own expectation, the head's, is none
	Passed, Trials int
	Neither        int               // trials that meet neither that expectation nor the case's own
	Primary        classify.Category // of the first trial that did not pass, else of the first
}

// risks are those of a probe's first trials, by which the risk of some cases can be told; without their texts.
func (c *Case) risks() []risk.CaseScore { return c.rare().risks }

// Passes reports whether every trial passed and none was missing an answer.
func (c *Case) Passes() bool { return c.Tally().Trials > 0 && c.Tally().Passed == c.Tally().Trials }

// Word names the classification of the shown trial.
func (c *Case) Word() string {
	k := classify.Classification{Primary: c.Primary()}
	if shown := c.Shown(); shown != nil && shown.Details != nil {
		k.Details = *shown.Details
	}
	return k.Word()
}

// FailedAnswers counts the trials that have an answer, and a wrong one.
func (c *Case) FailedAnswers() int { return c.Tally().Trials - c.Tally().Passed - c.Tally().Unscored }

// OverallScore is the mean of its trials' overall scores, and false where none has one.
func (c *Case) OverallScore() (float64, bool) {
	t := c.told()
	if t.scored == 0 {
		return 0, false
	}
	return t.overall / float64(t.scored), true
}

// Case finds a case by its id; nil if there is none.
func (s *SuiteSide) Case(id string) *Case {
	return s.byID[id]
}

// Joined finds cases of a base, and the suites that they stand in there, by what they are called in a comparison, as the head calls them; nil if
// there is none.
func (s *Side) Joined() func(head suiteid.Name) (*SuiteSide, *Case) {
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

// Moved returns the side as if some of its cases stood in other suites, of these plans; it serves for what Without serves for. A suite that it
// does not have, by the id that the head has for it, is added.
func (s *Side) Moved(to map[*Case]SuitePlan) *Side {
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
			in.SuitePlan.Planned = in.Planned() + c.Tally().Trials
			in.SuitePlan.Cases++
			in.trials += c.Tally().Trials
			in.unscored += c.Tally().Unscored
		}
	}
	rest.collect()
	return rest
}

// Caught names the cases, as suite/case, of which an answer matches an announced policy, in the order of the results.
func (s *Side) Caught(policy string) []string { return s.caught[policy] }

// Suite finds a suite by its id; nil if there is none.
func (s *Side) Suite(id string) *SuiteSide { return s.bySuite[id] }

// Without returns the side as if these cases had not been asked; it serves for scores, risk and counts of trials, and the
// side itself stays as it is.
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
			for i, r := range c.risks() {
				s.probes.Add(risk.Place{SuiteID: one.ID, CaseID: c.ID, Trial: i + 1}, r)
			}
		}
	}
}

// Without returns the suite without some of its cases, planned trials included; nil of a suite that is not there.
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
		kept.SuitePlan.Planned = max(0, kept.SuitePlan.Planned-c.Tally().Trials)
		kept.trials -= c.Tally().Trials
		kept.unscored -= c.Tally().Unscored
	}
	return &kept
}
