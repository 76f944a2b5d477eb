package asking

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// SuitePlans returns the report's plan of each suite. indexes maps suite/case to an index. If indexes is not nil, each
// plan lists its cases in the order of these indexes.
func SuitePlans(suites []*suite.Suite, indexes map[string]int) []report.SuitePlan {
	out := make([]report.SuitePlan, len(suites))
	for i, s := range suites {
		out[i] = report.SuitePlan{ID: s.ID, Target: s.Target, Path: s.Path, Line: s.Pos.Line,
			Weight: s.Weight, MinScore: s.MinScore,
			Cases: len(s.Cases), Trials: s.Trials, Planned: s.Cases.Trials()}
		if indexes != nil {
			out[i].Order = sortedCaseIDs(s, indexes)
		}
	}
	return out
}

// sortedCaseIDs returns the ids of a suite's cases, sorted by indexes.
func sortedCaseIDs(s *suite.Suite, indexes map[string]int) []string {
	ids := make([]string, 0, len(s.Cases))
	for _, c := range s.Cases {
		ids = append(ids, c.ID)
	}
	slices.SortFunc(ids, func(a, b string) int { return indexes[s.ID+"/"+a] - indexes[s.ID+"/"+b] })
	return ids
}
