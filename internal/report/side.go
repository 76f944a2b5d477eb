package report

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// SuitePlan says what a side is going to ask of one suite, and how it counts. Base rules have been applied to it.
type SuitePlan struct {
	ID       string
	Path     string
	Line     int
	Weight   float64  // in the run score
	MinScore *float64 // the suite bar; nil: none
	Cases    int      // planned cases
	Trials   int      // planned trials of each case; 0 means 1
	Planned  int      // planned trials of all cases, where they differ from case to case; 0: Trials of each
}

// Side is one revision's results, reduced to what a comparison and a report need. It is made by Builder and not
// changed afterwards.
type Side struct {
	Suites    []*SuiteSide // as planned; suites that only turned up in the results come last
	Calls     Calls
	Ended     []Ended // why trials were not asked, in the order met
	probes    risk.Collector
	agreement Agreement
	warnings  map[string]int // count by code
	live      bool
	bySuite   map[string]*SuiteSide
}

// SuiteSide is one suite of a Side.
type SuiteSide struct {
	SuitePlan
	Cases     []*Case // in the order of the results
	trials    int
	unscored  int
	notAsked  int
	histogram [len(classify.Categories)]int
	index     map[string]*Case
	measured  measured
}

// Key identifies a request or an expectation; equal keys mean equal content.
type Key [sha256.Size]byte

// ParseKey reads the hexadecimal form that results carry. Any other text is hashed, so that it equals only itself.
func ParseKey(text string) Key {
	var k Key
	if len(text) == hex.EncodedLen(len(k)) {
		if _, err := hex.Decode(k[:], []byte(text)); err == nil {
			return k
		}
	}
	return sha256.Sum256([]byte(text))
}

// Case is one case of a SuiteSide, its trials counted.
type Case struct {
	ID             string
	Path           string
	Line           int
	Severity       string
	MustPass       bool
	RequestKey     Key
	ExpectationKey Key
	Tally          score.Tally
	Unverified     bool
	Likeness       string            // how its answers were compared by meaning: "", lexical_fallback, or semantic and the model
	Primary        classify.Category // of the shown trial
	Trial          int               // the shown trial
	Shown          *Shown            // nil: there is nothing to say but Primary
	UnderBase      UnderBase
	Shared         bool         // every trial is the one answer to a request that both sides make alike
	Fresh          []FreshTrial // in the order of their numbers; in no score
	overall        score.Mean
	last           int // the highest trial seen
	told           telling
}

// FreshTrial is an answer that was asked for again.
type FreshTrial struct {
	Look   Look
	Trial  int
	Passed bool
	Lost   bool // no answer to judge came
}

// Last is the highest number of its trials; 0 before the first.
func (c *Case) Last() int { return c.last }

// Shown is the evidence of a case: the trial that shows best what happened.
type Shown struct {
	Details      *classify.Details
	OverallScore *float64
	Excerpt      string // of the answer; never whole
}

// UnderBase is how a redefined case's trials fare under the base's expectation. Trials is 0 where that was not judged.
type UnderBase struct {
	Passed, Trials int
	Primary        classify.Category // of the first trial that did not pass, else of the first
}

// Passes reports whether every trial passed and none was missing an answer.
func (c *Case) Passes() bool { return c.Tally.Trials > 0 && c.Tally.Passed == c.Tally.Trials }

// FailedAnswers counts the trials that have an answer, and a wrong one.
func (c *Case) FailedAnswers() int { return c.Tally.Trials - c.Tally.Passed - c.Tally.Unscored }

// OverallScore is the mean of its trials' overall scores, and false where none has one.
func (c *Case) OverallScore() (float64, bool) { return c.overall.Value() }

// Case finds a case by its id; nil if there is none.
func (s *SuiteSide) Case(id string) *Case { return s.index[id] }

// Live reports whether any answer came from a model or a command, which may answer otherwise the next time.
func (s *Side) Live() bool { return s.live }

// Suite finds a suite by its id; nil if there is none.
func (s *Side) Suite(id string) *SuiteSide { return s.bySuite[id] }

// Without returns the side as if these cases had not been asked; it serves for scores and counts of trials, and the side
// itself stays as it is.
func (s *Side) Without(out map[*Case]bool) *Side {
	rest := *s
	rest.Suites, rest.bySuite = nil, map[string]*SuiteSide{}
	for _, one := range s.Suites {
		kept := *one
		kept.Cases = nil
		for _, c := range one.Cases {
			if !out[c] {
				kept.Cases = append(kept.Cases, c)
				continue
			}
			kept.SuitePlan.Cases--
			kept.SuitePlan.Planned = max(0, kept.SuitePlan.Planned-c.Tally.Trials)
			kept.trials -= c.Tally.Trials
			kept.unscored -= c.Tally.Unscored
		}
		rest.Suites = append(rest.Suites, &kept)
		rest.bySuite[kept.ID] = &kept
	}
	return &rest
}

// Plus adds up two sides' calls.
func (c Calls) Plus(d Calls) Calls {
	return Calls{
		Provider: c.Provider + d.Provider, Cached: c.Cached + d.Cached,
		TokensIn: c.TokensIn + d.TokensIn, TokensOut: c.TokensOut + d.TokensOut,
		CostUSD: c.CostUSD + d.CostUSD,
	}
}
