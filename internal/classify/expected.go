package classify

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/refusal"
)

// decideExpected classifies an answer whose case expects the category expected, which is not pass. matched has the
// categories of the rules that matched. The answer passes if the first of them is the expected category. Any further
// category in matched then becomes the category of the answer; see classifyMet.
func decideExpected(expected Category, f findings, matched []Category) Classification {
	if len(matched) == 0 || matched[0] != expected {
		return f.classifyMissed(expected, matched)
	}
	out := f.classifyMet(matched[1:])
	out.Details.Expected = expected
	return out
}

// classifyMet classifies an answer that meets the expectation. matched lists the categories that matched as well. If
// there are none, the answer passes. Otherwise the first of them is the primary category. For a refusal, WrongFormat
// does not count, because refusals have no format. Categories in also are only added to AlsoMatched.
func (f findings) classifyMet(matched []Category, also ...Category) Classification {
	violations := slices.DeleteFunc(slices.Clone(matched),
		func(c Category) bool { return f.refusal != nil && c == WrongFormat })
	primary := Pass
	if len(violations) > 0 {
		primary, violations = violations[0], violations[1:]
	}
	out := f.classification(primary, append(violations, also...))
	if f.refusal != nil && primary == Pass {
		out.Details.addRefusal(f.refusal)
	}
	return out
}

// classifyMissed classifies an answer that is not in the expected category as a failure.
func (f findings) classifyMissed(expected Category, matched []Category) Classification {
	got := "an answer"
	switch {
	case len(matched) > 0 && matched[0] != Fail:
		got = describeCategory(matched[0])
	case expected == Fail:
		got = "an answer that meets them all"
	}
	f.unmet = append([]expect.Unmet{{Criterion: "expected_classification", Expected: string(expected),
		Actual: string(truncate(f.text, maxEvidenceRunes)),
		Reason: fmt.Sprintf("expected %s, got %s", describeCategory(expected), got)}}, f.unmet...)
	out := f.classification(Fail, slices.DeleteFunc(slices.Clone(matched), func(c Category) bool { return c == Fail }))
	out.Details.Expected = expected
	if f.policy != nil {
		out.Details.PolicyName = f.policy.Name
	}
	return out
}

func describeCategory(c Category) string {
	switch c {
	case Refusal:
		return "a refusal"
	case WrongFormat:
		return "an answer in a wrong format"
	case PolicyViolation:
		return "a policy violation"
	case Fail:
		return "an answer that misses a criterion"
	}
	return string(c)
}

// reclassifyRefusal classifies a refusal that the provider sent as an error. If the case expects a refusal or is a
// probe, the refusal passes. If the case expects a category other than a refusal and pass, the refusal fails. All other
// classifications are returned unchanged. Without an answer, an error or a timeout neither meets nor misses an
// expectation.
func reclassifyRefusal(k Case, c Classification) Classification {
	if c.Primary != Refusal || !k.Probe && (k.Expected == "" || k.Expected == Pass) {
		return c
	}
	f := findings{refusal: &refusal.Match{Rule: c.Details.Rule, Kind: c.Details.Kind,
		Evidence: string(c.Details.Evidence)},
		text: string(c.Details.ErrorDetails)}
	out := decide(k, f)
	out.Details.ErrorDetails = c.Details.ErrorDetails
	return out
}
