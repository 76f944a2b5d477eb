package noise

import (
	"math"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// firstTrials returns the values of the case's first trials. It returns false if the case is not compared.
func (c *Case) firstTrials() (stats.Pair, bool) {
	if !c.eligible() {
		return stats.Pair{}, false
	}
	return stats.Pair{Base: c.Base.values(), Head: c.Head.values()}, true
}

// allCasesTest holds the results of one test of all cases.
type allCasesTest struct {
	suites  []report.Scope
	overall *report.Scope
	trials  int // trials of both sides, counting only cases whose sides have separate answers
}

// suiteValues holds the compared cases of one suite.
type suiteValues struct {
	suite    *Suite
	pairs    []stats.Pair // one for each case whose sides have separate answers
	compared int          // compared cases, including those with one answer for both sides
	sum      float64
	interval stats.RerunDistribution
}

// testAllCases tests the cases of all scopes. values returns the compared values of a case, and false for a case that
// is not compared.
func testAllCases(scopes []*Suite, values func(*Case) (stats.Pair, bool)) allCasesTest {
	var f allCasesTest
	var suites []suiteValues
	for _, s := range scopes {
		g := gather(s, values)
		if g.compared == 0 {
			continue
		}
		suites = append(suites, g)
		f.suites = append(f.suites, g.scopeResult())
		for _, one := range g.pairs {
			f.trials += len(one.Base) + len(one.Head)
		}
	}
	f.overall = overall(suites, f.suites)
	f.adjust()
	return f
}

func gather(s *Suite, values func(*Case) (stats.Pair, bool)) suiteValues {
	g := suiteValues{suite: s}
	for i := range s.Cases {
		m := &s.Cases[i]
		pair, compared := values(m)
		if !compared {
			continue
		}
		if g.compared++; !m.Reused {
			g.pairs = append(g.pairs, pair)
			g.sum += pair.Delta()
		}
	}
	g.interval = stats.RerunInterval(g.pairs).Scaled(float64(len(g.pairs)) / float64(g.compared))
	return g
}

// strata returns the cases of s as strata of a significance test. weight is the weight of the whole suite.
func (s suiteValues) strata(weight float64) []stats.Stratum {
	out := make([]stats.Stratum, len(s.pairs))
	for i, one := range s.pairs {
		out[i] = stats.Stratum{Base: one.Base, Head: one.Head, Weight: weight / float64(s.compared)}
	}
	return out
}

func (s suiteValues) scopeResult() report.Scope {
	f := scopeOf(stats.StratifiedTest(s.strata(1)), s.interval)
	f.SuiteID, f.Cases, f.Delta = s.suite.ID, s.compared, stats.SnapToZero(s.sum/float64(s.compared))
	f.Method = s.interval.Method
	for _, one := range s.pairs {
		switch delta := stats.SnapToZero(one.Delta()); {
		case delta < 0:
			f.Worse++
		case delta > 0:
			f.Better++
		}
	}
	return f
}

func scopeOf(test stats.StratifiedResult, interval stats.RerunDistribution) report.Scope {
	c := report.Scope{PWorse: test.Worse, PBetter: test.Better, Informative: test.Informative,
		Test: test.Mode, Sigma2: interval.Sigma2}
	c.Interval.Low, c.Interval.High = interval.Interval()
	return c
}

// overall returns the scope of all suites together. each has the scopes of the suites. overall returns nil if no suite
// has a weight.
func overall(suites []suiteValues, each []report.Scope) *report.Scope {
	weights := 0.0
	for _, g := range suites {
		weights += g.suite.Weight
	}
	if weights == 0 {
		return nil
	}
	if len(suites) == 1 {
		one := each[0]
		one.SuiteID, one.Method, one.Cases = "", "", len(suites[0].pairs)
		return &one
	}
	return weightedOverall(suites, each, weights)
}

func weightedOverall(suites []suiteValues, each []report.Scope, weights float64) *report.Scope {
	var strata []stats.Stratum
	var interval stats.RerunDistribution
	delta, variance := 0.0, 0.0
	for i, g := range suites {
		share := g.suite.Weight / weights
		if share == 0 {
			continue
		}
		strata = append(strata, g.strata(share)...)
		delta += float64(share * each[i].Delta)
		interval.Center += float64(share * g.interval.Center)
		variance += float64(float64(share*share) * float64(g.interval.SE*g.interval.SE))
		interval.Sigma2 += float64(float64(len(g.pairs)) * g.interval.Sigma2)
	}
	interval.SE = math.Sqrt(variance)
	interval.Sigma2 /= float64(max(1, len(strata)))
	out := scopeOf(stats.StratifiedTest(strata), interval)
	out.Cases, out.Delta = len(strata), stats.SnapToZero(delta)
	for i, s := range each {
		if suites[i].suite.Weight > 0 {
			out.Worse, out.Better = out.Worse+s.Worse, out.Better+s.Better
		}
	}
	return &out
}

// adjust sets the adjusted p-value of each scope of the family. A scope in which nothing varied raises no alarm and
// does not count.
func (a *allCasesTest) adjust() {
	family := a.family()
	var tested []*report.Scope
	var p []float64
	for _, s := range family {
		s.Adjusted = new(1.0)
		if s.Informative > 0 {
			tested, p = append(tested, s), append(p, s.PWorse)
		}
	}
	for i, adjusted := range stats.Holm(p) {
		tested[i].Adjusted = &adjusted
	}
}

// family returns the overall scope and the scopes of the suites. A single suite is also the overall scope, and is
// returned once.
func (a *allCasesTest) family() []*report.Scope {
	var out []*report.Scope
	if a.overall != nil && len(a.suites) > 1 {
		out = append(out, a.overall)
	}
	for i := range a.suites {
		out = append(out, &a.suites[i])
	}
	return out
}
