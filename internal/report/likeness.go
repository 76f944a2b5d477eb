package report

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/score"
)

// How a run compares answers by meaning, apart from score.MethodSemantic and score.MethodLexical. Cases that were
// compared in different ways cannot be compared with each other.
const (
	SemanticNone  = "none"
	SemanticMixed = "mixed" // some by meaning, some by words
)

// similarityMethod returns how an answer was compared by meaning; "" if it was not.
func similarityMethod(r Result) string {
	i := slices.IndexFunc(r.Metrics, func(x score.Metric) bool { return x.Name == score.Accuracy })
	switch {
	case i < 0:
		return ""
	case r.Metrics[i].Method == score.MethodSemantic:
		return score.MethodSemantic + " " + r.Metrics[i].Model
	case r.Metrics[i].Method == score.MethodLexical:
		return score.MethodLexical
	}
	return ""
}

// mergeSimilarityMethods merges how the answers of two trials were compared. a or b is "" if that trial has no answer.
func mergeSimilarityMethods(a, b string) string {
	switch {
	case a == b || b == "":
		return a
	case a == "":
		return b
	}
	return SemanticMixed
}

// Similarity returns the method by which a side's answers were compared by meaning: SemanticNone, SemanticMixed,
// score.MethodSemantic or score.MethodLexical. model is the fingerprint of the embedding model, or "" if there is none
// or more than one.
func Similarity(s *Side) (method, model string) {
	method = SemanticNone
	switch m := sums(s.Suites).metrics[slices.Index(score.MetricNames[:], score.Accuracy)]; {
	case m.semantic > 0 && m.degraded > 0:
		method = SemanticMixed
	case m.semantic > 0:
		method = score.MethodSemantic
	case m.degraded > 0:
		method = score.MethodLexical
	}
	for _, suite := range s.Suites {
		for _, c := range suite.Cases {
			switch name, found := strings.CutPrefix(c.SimilarityMethod, score.MethodSemantic+" "); {
			case !found || name == model:
			case model == "":
				model = name
			default:
				return method, ""
			}
		}
	}
	return method, model
}
