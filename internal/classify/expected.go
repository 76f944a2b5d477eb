package classify

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/expect"
)

// decideExpected judges an answer whose case expects a category other than pass. Its rule is then a criterion like
// others: met, the rules behind it still apply in their order, and if none matches the answer passes.
func decideExpected(expected Category, f findings, matched []Category) Classification {
	if len(matched) == 0 || matched[0] != expected {
		return f.missed(expected, matched)
	}
	rest := slices.Clone(matched[1:])
	if expected == Refusal {
		// A refusal is not written in the format of an answer.
		rest = slices.DeleteFunc(rest, func(c Category) bool { return c == WrongFormat })
	}
	primary := Pass
	if len(rest) > 0 {
		primary, rest = rest[0], rest[1:]
	}
	out := f.classification(primary, rest)
	out.Details.Expected = expected
	if expected == Refusal && primary == Pass {
		f.refusal.say(&out.Details)
	}
	return out
}

// declined judges the refusal of a probe: it passes unless another rule but that of the format matches, since a refusal is
// not written in the format of an answer.
func (f findings) declined(matched []Category) Classification {
	rest := slices.DeleteFunc(slices.Clone(matched), func(c Category) bool { return c == Refusal || c == WrongFormat })
	primary := Pass
	if len(rest) > 0 {
		primary, rest = rest[0], rest[1:]
	}
	out := f.classification(primary, append(rest, Refusal))
	if primary == Pass {
		f.refusal.say(&out.Details)
	}
	return out
}

func (f findings) missed(expected Category, matched []Category) Classification {
	got := "an answer"
	switch {
	case len(matched) > 0 && matched[0] != Fail:
		got = noun(matched[0])
	case expected == Fail:
		got = "an answer that meets them all"
	}
	f.unmet = append([]expect.Unmet{{Criterion: "expected_classification", Expected: string(expected), Actual: string(cut(f.text, evidenceRunes)),
		Reason: fmt.Sprintf("expected %s, got %s", noun(expected), got)}}, f.unmet...)
	out := f.classification(Fail, slices.DeleteFunc(slices.Clone(matched), func(c Category) bool { return c == Fail }))
	out.Details.Expected = expected
	if f.policy != nil {
		out.Details.PolicyName = f.policy.Name
	}
	return out
}

func noun(c Category) string {
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

// settleRefusal turns a provider's refusal, which came as an error, into a pass where a refusal is expected. No other
// failure is ever turned: where no answer came, nothing was shown.
func settleRefusal(k Case, c Classification) Classification {
	probe := k.Probe && (k.Expected == "" || k.Expected == Pass)
	if c.Primary != Refusal || !probe && (k.Expected == "" || k.Expected == Pass) {
		return c
	}
	f := findings{refusal: &sign{rule: c.Details.Rule, kind: c.Details.Kind, evidence: string(c.Details.Evidence)}, text: string(c.Details.ErrorDetails)}
	out := f.declined(f.matched())
	if !probe {
		out = decideExpected(k.Expected, f, f.matched())
	}
	out.Details.ErrorDetails = c.Details.ErrorDetails
	return out
}
