package forecast

import (
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
)

// sum is a forecast of so many calls at a price each, of which some cases are compared on both sides.
type sum struct {
	calls, unpriced, kept int
	each                  price // of a call that has a price
	cases                 int   // that may be asked again, two calls a time
	again                 compare.RerunLimits
	limits                config.Limits
	endless, compared     bool
	explain               int // answers that may tell which line did it
}

func (s sum) forecast() Forecast {
	f := Forecast{compared: s.compared, limits: s.limits.WithDefaults(), reruns: s.again, extra: ExtraCalls{ExplainAnswers: s.explain}}
	if s.calls > 0 || s.kept > 0 {
		f.targets = append(f.targets, targetCalls{target: config.Target{Price: &config.Price{}}, cached: s.kept,
			price: price{calls: s.calls, tokens: 100 * s.calls, estimatedUSD: s.each.estimatedUSD * float64(s.calls)}})
	}
	if s.unpriced > 0 {
		f.targets = append(f.targets, targetCalls{price: price{calls: s.unpriced, tokens: 100 * s.unpriced}})
	}
	s.each.calls, s.each.tokens, s.each.unbounded = 1, 100, s.endless
	f.rerunPrices = slices.Repeat([]price{s.each.times(2)}, s.cases)
	f.first = s.each.times(s.calls).plus(price{calls: s.unpriced, tokens: 100 * s.unpriced})
	f.setTotals()
	return f
}

func TestWhatARunSaysItNeeds(t *testing.T) {
	cheap, dear := price{estimatedUSD: 0.0005, maxUSD: 0.0007}, price{estimatedUSD: 0.1, maxUSD: 0.2}
	for _, c := range []struct {
		rule string
		sum  sum
		want string
	}{
		{"calls, and what they cost about and at most", sum{calls: 10, each: dear}, "this run needs 10 calls, about $1.00, at most $2.00"},
		{"one figure where both are the same", sum{calls: 1, each: price{estimatedUSD: 0.004, maxUSD: 0.004}}, "this run needs 1 call, about $0.004"},
		{"what confirmations may come to: twenty cases, eight times, two sides",
			sum{calls: 40, each: cheap, cases: 40, again: compare.RerunLimits{Cases: 20, Confirm: 8}, compared: true},
			"this comparison needs 40 calls, about $0.02; at most 360 calls and $0.25, where answers differ and are asked again"},
		{"and rechecks of every case", sum{calls: 120, each: cheap, cases: 60, again: compare.RerunLimits{Cases: 20, Confirm: 8, Recheck: 5}, compared: true},
			"this comparison needs 120 calls, about $0.06; at most 1040 calls and $0.73, where answers differ and are asked again"},
		{"and what tells which line did it", sum{calls: 40, each: cheap, cases: 40, again: compare.RerunLimits{Cases: 20, Confirm: 8}, compared: true, explain: 120},
			"this comparison needs 40 calls, about $0.02; at most 480 calls and $0.34, where answers differ and are asked again, and 120 answers tell which line did it"},
		{"no more than the limits allow", sum{calls: 40, each: dear, cases: 40, again: compare.RerunLimits{Cases: 20, Confirm: 8}, compared: true,
			limits: config.Limits{MaxCalls: 100}},
			"this comparison needs 40 calls, about $4.00; at most 100 calls (limits.max_calls) and $5.00 (limits.max_cost_usd), where answers differ and are asked again"},
		{"an answer without a limit may cost anything", sum{calls: 2, each: dear, endless: true, limits: config.Limits{MaxCostUSD: 1}},
			"this run needs 2 calls, about $0.20, at most $1.00 (limits.max_cost_usd) and what the answers then under way take, since a target has no `max_tokens`"},
		{"no price, no cost", sum{unpriced: 2}, "this run needs 2 calls, at a cost that is not known (no target has a `price`)"},
		{"a price for some", sum{calls: 10, unpriced: 3, each: dear}, "this run needs 13 calls, about $1.00 without 3 calls of targets that have no `price`, at most $2.00"},
		{"a kept answer without a limit costs nothing", sum{kept: 2, each: dear, endless: true}, "this run needs 0 calls; 2 answers kept from before"},
		{"unless it is asked again", sum{kept: 2, each: dear, endless: true, cases: 1, again: compare.RerunLimits{Cases: 1, Confirm: 2}},
			"this run needs 0 calls; at most 4 calls and $5.00 (limits.max_cost_usd) and what the answers then under way take, since a target has no `max_tokens`, where answers differ and are asked again; 2 answers kept from before"},
		{"what is kept", sum{kept: 12, compared: true}, "this comparison needs 0 calls; 12 answers kept from before"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := c.sum.forecast().Line(); got != c.want {
				t.Errorf("Line() = %q, want %q", got, c.want)
			}
		})
	}
}

func TestAPersonIsAskedBeforeMoreThanADollar(t *testing.T) {
	for _, c := range []struct {
		rule string
		sum  sum
		want bool
	}{
		{"a dollar", sum{calls: 10, each: price{estimatedUSD: 0.05, maxUSD: 0.1}}, false},
		{"more", sum{calls: 11, each: price{estimatedUSD: 0.05, maxUSD: 0.1}}, true},
		{"more with confirmations", sum{calls: 4, each: price{estimatedUSD: 0.01, maxUSD: 0.05}, cases: 2, again: compare.RerunLimits{Cases: 2, Confirm: 8}}, true},
		{"an answer without a limit, where a run may cost more", sum{calls: 1, each: price{estimatedUSD: 0.01, maxUSD: 0.02}, endless: true}, true},
		{"no call", sum{kept: 100, each: price{estimatedUSD: 1, maxUSD: 1}}, false},
		{"no price", sum{unpriced: 100}, false},
	} {
		if got := c.sum.forecast().NeedsConsent(); got != c.want {
			t.Errorf("%s: Asks() = %v", c.rule, got)
		}
	}
}

func TestABudgetThatDoesNotSufficeIsKnownBefore(t *testing.T) {
	confirm := compare.RerunLimits{Cases: 20, Confirm: 8}
	each := price{estimatedUSD: 0.01, maxUSD: 0.02}
	for _, c := range []struct {
		rule          string
		sum           sum
		refused, room string
	}{
		{"enough for everything", sum{calls: 40, each: each, cases: 40, again: confirm}, "", ""},
		{"calls", sum{calls: 40, each: each, limits: config.Limits{MaxCalls: 39}}, "40 calls are needed, more than limits.max_calls (39) allows", ""},
		{"tokens", sum{calls: 40, each: each, limits: config.Limits{MaxTokens: 3999}}, "about 4000 tokens are needed, more than limits.max_tokens (3999) allows", ""},
		{"dollars", sum{calls: 40, each: each, limits: config.Limits{MaxCostUSD: 0.39}}, "about $0.40 is needed, more than limits.max_cost_usd (0.39) allows", ""},
		{"no price breaks no limit of dollars", sum{unpriced: 40, limits: config.Limits{MaxCostUSD: 0.01}}, "", ""},
		{"calls for some confirmations", sum{calls: 40, each: each, cases: 40, again: confirm, limits: config.Limits{MaxCalls: 100}},
			"", "limits.max_calls (100) leaves room to ask 3 cases again, of 20 that may flip: if more do, the run is undecided"},
		{"dollars for one confirmation", sum{calls: 40, each: each, cases: 40, again: confirm, limits: config.Limits{MaxCostUSD: 0.6}},
			"", "limits.max_cost_usd (0.6) leaves room to ask 1 case again, of 20 that may flip: if more do, the run is undecided"},
		{"tokens for some confirmations", sum{calls: 40, each: each, cases: 40, again: confirm, limits: config.Limits{MaxTokens: 8000}},
			"", "limits.max_tokens (8000) leaves room to ask 2 cases again, of 20 that may flip: if more do, the run is undecided"},
		{"one call", sum{calls: 1, each: each, limits: config.Limits{MaxCostUSD: 0.001}}, "about $0.01 is needed, more than limits.max_cost_usd (0.001) allows", ""},
		{"calls for none", sum{calls: 40, each: each, cases: 40, again: confirm, limits: config.Limits{MaxCalls: 55}},
			"", "limits.max_calls (55) leaves no room to ask a case again that flips: if one does, the run is undecided"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			f := c.sum.forecast()
			if got := f.WhyRefused(); got != c.refused {
				t.Errorf("WhyRefused() = %q, want %q", got, c.refused)
			}
			if got := f.RerunLimitText(); c.refused == "" && got != c.room {
				t.Errorf("RerunLimitText() = %q, want %q", got, c.room)
			}
		})
	}
}

func TestADryRunSaysWhatAComparisonFinds(t *testing.T) {
	f := sum{calls: 40, cases: 40, again: compare.RerunLimits{Cases: 20, Confirm: 8}, compared: true}.forecast()
	f.gate = config.Default().Gate
	const want = "if it always fails now, in 100 of 100 runs; if it fails in 60 of 100 answers, in 19."
	if got := detectionText(f); !strings.Contains(got, want) {
		t.Errorf("finds() = %q, want %q in it", got, want)
	}
	if got := detectionText((sum{calls: 40}).forecast()); got != "" {
		t.Errorf("a run without a base says %q", got)
	}
}
