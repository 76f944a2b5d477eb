package evaluate

import (
	"slices"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// grading is one answer with the criteria of one case.
type grading struct {
	suite     *suite.Suite
	c         *suite.Case // with its Body
	response  model.Response
	regrading regrading // zero if this is no rerun
	other     *grading  // of the other side by the same criteria; nil: none
	as        gradedAs
	items     []*item
	facts     []score.FactResult // results of the rules for key facts; nil until needed
}

// gradedAs says whose answer a grading is about, and by whose criteria.
type gradedAs int

const (
	headsOwn  gradedAs = iota
	basesOwn           // the base's answer
	underBase          // the head's answer by the base's criteria
)

// regrading holds the settings for grading a rerun.
type regrading struct {
	// identifies round, side and comparison: only verdicts cached under it are used; "" if this is no rerun
	name     string
	votes    int      // smallest number of votes for each verdict
	criteria []string // criteria to judge; nil: all
}

type item struct {
	grading         *grading
	grade           Grade
	decided         bool // the judge is not asked
	asksSufficiency bool // the question is whether text suffices for the criterion
	question        judge.PreparedQuestion
	known           *verdict // recorded or cached
}

// newItem returns the item for the criterion c. The item is decided, so that no judge is asked, in two cases: the rerun
// is about other criteria, or the rules for key facts decide.
func (g *grading) newItem(c suite.Criterion) *item {
	it := &item{grading: g, grade: Grade{Criterion: c}}
	if g.regrading.criteria != nil && !slices.Contains(g.regrading.criteria, c.Text) {
		it.decided, it.grade.Met, it.grade.assumed = true, true, true
	}
	if c.Fact == "" {
		return it
	}
	if g.facts == nil {
		g.facts = g.c.Measured.SearchFacts(string(g.response.Text))
	}
	i := slices.IndexFunc(g.facts, func(f score.FactResult) bool { return f.Fact == c.Fact })
	if outcome := g.facts[i].Outcome; outcome != score.FactNotFound {
		it.decided, it.grade.Met, it.grade.assumed, it.grade.recorded = true, outcome == score.FactSaid, false, true
	}
	return it
}

func (g *grading) grades() (out Grades) {
	if g == nil {
		return nil
	}
	for _, one := range g.items {
		out = append(out, one.grade)
	}
	return out
}

// hasRecorded reports whether the item's answer is recorded with a verdict by the item's criterion.
func (i *item) hasRecorded() bool {
	return slices.ContainsFunc(i.grading.response.Verdicts, func(v model.Verdict) bool {
		return v.Criterion == i.grade.Text && v.Shows == i.asksSufficiency
	})
}

// recorded returns the recorded verdict on the item's question, or nil.
func (i *item) recorded() *verdict {
	for _, v := range i.grading.response.Verdicts {
		if v.Key == i.question.Key {
			return &verdict{Met: v.Met, Why: v.Why, recorded: true}
		}
	}
	return nil
}
