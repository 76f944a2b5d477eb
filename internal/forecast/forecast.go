// Package forecast estimates the calls and the cost of a run before it starts, and their upper limits.
package forecast

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// assumedAnswerTokens is the assumed number of tokens of an answer. If the token limit of the answer is lower, the
// limit is assumed.
const assumedAnswerTokens = 250

// ConsentAboveUSD is the cost in US dollars above which a person at a terminal must agree.
const ConsentAboveUSD = 1.0

// Forecast is the estimate of a run's calls and cost, with their upper limits.
type Forecast struct {
	Plan report.CallPlan

	suites, cases int // numbers on the head
	compared      bool
	limits        config.Limits
	targets       []targetCalls // by target, sorted by name
	unbounded     bool          // some target has a price but no token limit, so the cost has no limit

	gate          config.Gate
	reruns        compare.RerunLimits
	extra         ExtraCalls
	rerunPrices   []price     // prices of one rerun of each case that may flip, the most expensive first
	settlePrices  []price     // prices of one rerun of each newly recorded case, the most expensive first
	judgeNeed     targetCalls // the judge's calls that grade the planned answers
	regradePrices []price     // prices of grading once more each case that may flip, the most expensive first
	verifyPrice   price       // price of verifying recorded cases; also part of needs and Plan
}

// targetCalls is the calls to one target and their cost.
type targetCalls struct {
	target config.Target
	cached int // answers in the response cache
	price
}

// cost returns the estimated cost of the calls in US dollars, or nil if the target has no price.
func (n targetCalls) cost() *float64 {
	if n.target.Price == nil {
		return nil
	}
	return &n.estimatedUSD
}

// price is the number of calls, their estimated tokens, and their estimated and highest cost in US dollars.
type price struct {
	calls, tokens        int
	estimatedUSD, maxUSD float64
}

func (p price) plus(q price) price {
	return price{p.calls + q.calls, p.tokens + q.tokens, p.estimatedUSD + q.estimatedUSD, p.maxUSD + q.maxUSD}
}

func (p price) times(n int) price {
	return price{p.calls * n, p.tokens * n, p.estimatedUSD * float64(n), p.maxUSD * float64(n)}
}

// priceOf returns the price of one call with the question q. p is the price of the target. If p is nil, the call costs
// nothing.
func priceOf(q evaluate.Question, p *config.Price) price {
	maxOut, _ := schedule.MostOut(q.Request)
	in, out := schedule.TokensIn(q.Request), min(maxOut, assumedAnswerTokens)
	if p == nil {
		return price{calls: 1, tokens: in + out}
	}
	return price{1, in + out, schedule.Cost(*p, in, out), schedule.Cost(*p, schedule.MostIn(q.Request), maxOut)}
}

// New returns the forecast of the plan and of the further calls in extra. c is the effective configuration.
func New(plan evaluate.Plan, extra ExtraCalls, c *config.Config) Forecast {
	f := Forecast{suites: len(plan.Head.Suites), compared: plan.Base != nil, limits: c.Limits.WithDefaults(),
		gate: c.Gate, extra: extra}
	for _, s := range plan.Head.Suites {
		f.cases += len(s.Cases)
	}
	first, rerunPrices := f.addCalls(plan, extra, c)
	f.rerunPrices = slices.Collect(maps.Values(rerunPrices))
	for _, questions := range extra.SettleQuestions {
		var both price
		for _, q := range questions {
			both = both.plus(priceOf(q, c.Targets[q.Target].Price))
		}
		f.settlePrices = append(f.settlePrices, both)
	}
	for _, list := range [][]price{f.rerunPrices, f.regradePrices, f.settlePrices} {
		slices.SortFunc(list, func(a, b price) int { return cmp.Or(cmp.Compare(b.maxUSD, a.maxUSD), b.calls-a.calls) })
	}
	if extra.Reruns {
		f.reruns = compare.MaxReruns(c.Gate, len(f.rerunPrices))
	}
	f.setTotals(first)
	return f
}

// addCalls adds up the calls to each target and to the judge. planned is the price of all calls except verification.
// rerunPrices has, for each compared case, the price of one rerun on both sides.
func (f *Forecast) addCalls(plan evaluate.Plan, more ExtraCalls, c *config.Config) (planned price, rerunPrices map[evaluate.CaseRef]price) {
	needs := map[string]*targetCalls{}
	rerunPrices = map[evaluate.CaseRef]price{}
	needOf := func(q evaluate.Question) (n *targetCalls, one price) {
		target := c.Targets[q.Target]
		if n = needs[q.Target]; n == nil {
			n = &targetCalls{target: target}
			needs[q.Target] = n
		}
		return n, priceOf(q, target.Price)
	}
	for q := range evaluate.Questions(plan) {
		n, one := needOf(q)
		if q.Compared.Suite != nil && q.Request.Trial == 1 {
			rerunPrices[q.Compared] = rerunPrices[q.Compared].plus(one)
		}
		f.unbounded = f.unbounded || n.isUnbounded(q) && (!q.Cached || q.Compared.Suite != nil)
		if q.Cached {
			n.cached++
			continue
		}
		n.price, planned = n.plus(one), planned.plus(one)
	}
	f.addGrading(plan, c, rerunPrices)
	for _, q := range withinLimits(more.dearest(c), planned.plus(f.judgeNeed.price), c) {
		n, one := needOf(q)
		n.price, f.verifyPrice, f.unbounded = n.plus(one), f.verifyPrice.plus(one), f.unbounded || n.isUnbounded(q)
	}
	for _, n := range needs {
		f.targets = append(f.targets, *n)
	}
	slices.SortFunc(f.targets, func(a, b targetCalls) int { return strings.Compare(a.target.Name, b.target.Name) })
	return planned.plus(f.judgeNeed.price), rerunPrices
}

// isUnbounded reports whether the cost of an answer to q has no limit.
func (n targetCalls) isUnbounded(q evaluate.Question) bool {
	_, limited := schedule.MostOut(q.Request)
	return !limited && n.target.Price != nil
}

// setTotals sets Plan and its upper limits. In the worst case every case flips and is rerun as often as the gate
// allows. first is the price of all planned calls except verification.
func (f *Forecast) setTotals(first price) {
	worst := first.plus(f.verifyPrice.times(f.extra.VerifyRounds))
	for _, p := range f.settlePrices[:min(len(f.settlePrices), f.extra.MaxSettled)] {
		worst = worst.plus(p.times(f.extra.SettleRounds))
	}
	for _, p := range f.regradePrices[:min(len(f.regradePrices), f.reruns.Cases)] {
		worst = worst.plus(p)
	}
	if f.mayExplain() {
		worst = worst.plus(f.rerunPrices[0].times(f.extra.ExplainAnswers / 2)) // the price is of both sides
	}
	for i, p := range f.rerunPrices {
		worst = worst.plus(p.times(f.reruns.Recheck))
		if i < f.reruns.Cases {
			worst = worst.plus(p.times(f.reruns.Confirm))
		}
	}
	for _, n := range f.targets {
		f.Plan.Calls, f.Plan.Cached, f.Plan.Tokens = f.Plan.Calls+n.calls, f.Plan.Cached+n.cached, f.Plan.Tokens+
			n.tokens
		f.Plan.CostUSD = report.PlusUSD(f.Plan.CostUSD, n.cost())
		if n.cost() == nil {
			f.Plan.Unpriced += n.calls
		}
	}
	f.Plan.JudgeCalls, f.Plan.JudgeCostUSD = f.judgeNeed.calls, f.judgeNeed.cost()
	f.Plan.MostCalls = max(min(worst.calls, f.limits.MaxCalls), f.calls())
	if f.cost() == nil {
		return
	}
	maxUSD := worst.maxUSD
	if f.unbounded || maxUSD > f.limits.MaxCostUSD {
		maxUSD = max(f.limits.MaxCostUSD, *f.cost()) // a plan above the limit is refused
	}
	f.Plan.MostUSD = &maxUSD
}

// Line describes the calls and the cost of the run in one sentence.
func (f Forecast) Line() string {
	p := f.Plan
	line := map[bool]string{false: "this run needs ", true: "this comparison needs "}[f.compared] +
		text.Count(p.Calls, "call")
	if p.Calls > 0 {
		line += f.costText()
	}
	if f.verifyPrice.calls > 0 {
		line += ", " + strconv.Itoa(f.verifyPrice.calls) + " of them to verify recordings"
	}
	line += f.gradingText() + f.maxText()
	if p.Cached > 0 {
		line += fmt.Sprintf("; %s kept from before", text.Count(p.Cached, "answer"))
	}
	return line
}

func (f Forecast) costText() string {
	switch {
	case f.Plan.CostUSD == nil:
		return ", at a cost that is not known (no target has a `price`)"
	case f.Plan.Unpriced > 0:
		return fmt.Sprintf(", about $%s without %s of targets that have no `price`", text.Dollars(*f.Plan.CostUSD),
			text.Count(f.Plan.Unpriced, "call"))
	}
	return ", about $" + text.Dollars(*f.Plan.CostUSD)
}

func (f Forecast) maxText() string {
	p := f.Plan
	cost := ""
	if p.MostUSD != nil && (p.MostCalls > f.calls() || text.Dollars(*p.MostUSD) != text.Dollars(*f.cost())) {
		cost = "$" + text.Dollars(*p.MostUSD)
		if *p.MostUSD >= f.limits.MaxCostUSD {
			cost += " (limits.max_cost_usd)"
		}
		if f.unbounded {
			cost += " and what the answers then under way take, since a target has no `max_tokens`"
		}
	}
	switch {
	case p.MostCalls > f.calls():
		words := "; at most " + text.Count(p.MostCalls, "call")
		if p.MostCalls == f.limits.MaxCalls {
			words += " (limits.max_calls)"
		}
		if cost != "" {
			words += " and " + cost
		}
		switch {
		case f.verifyPrice.calls == 0 && f.mayExplain():
			return words + fmt.Sprintf(", where cases flip, are asked again, and %d answers tell which line did it",
				f.extra.ExplainAnswers)
		case f.verifyPrice.calls == 0:
			return words + ", where cases flip and are asked again"
		case len(f.rerunPrices)+len(f.settlePrices) == 0:
			return words + ", where the model no longer says what is recorded and is asked again"
		}
		return words + ", where cases flip, or the model no longer says what is recorded, and they are asked again"
	case cost != "" && f.calls() > 0:
		return ", at most " + cost
	}
	return ""
}

// WhyRefused returns why the limits are too low for the run, or "" if they are high enough.
func (f Forecast) WhyRefused() string {
	switch tokens, cost := f.Plan.Tokens+f.judgeNeed.tokens, f.cost(); {
	case f.calls() > f.limits.MaxCalls:
		return fmt.Sprintf("%s %s needed, more than limits.max_calls (%d) allows", text.Count(f.calls(), "call"),
			map[bool]string{false: "are", true: "is"}[f.calls() == 1], f.limits.MaxCalls)
	case f.limits.MaxTokens > 0 && tokens > f.limits.MaxTokens:
		return fmt.Sprintf("about %d tokens are needed, more than limits.max_tokens (%d) allows",
			tokens, f.limits.MaxTokens)
	case cost != nil && *cost > f.limits.MaxCostUSD:
		return fmt.Sprintf("about $%s is needed, more than limits.max_cost_usd (%s) allows", text.Dollars(*cost),
			text.Decimal(f.limits.MaxCostUSD))
	}
	return ""
}

// RerunLimitText returns a sentence that says how many of the cases that may flip can be rerun within the limits. If
// all can be rerun, RerunLimitText returns "".
func (f Forecast) RerunLimitText() string {
	fits, limit := f.reruns.Cases, ""
	// reruns come before verification
	left, leftUSD := f.limits.MaxCalls-f.calls()+f.verifyPrice.calls, f.limits.MaxCostUSD+f.verifyPrice.estimatedUSD
	if cost := f.cost(); cost != nil {
		leftUSD -= *cost
	}
	var all price
	for i, one := range f.rerunPrices[:f.reruns.Cases] {
		all = all.plus(one.times(f.reruns.Confirm))
		switch {
		case all.calls > left:
			limit = fmt.Sprintf("limits.max_calls (%d)", f.limits.MaxCalls)
		case all.estimatedUSD > leftUSD:
			limit = fmt.Sprintf("limits.max_cost_usd (%s)", text.Decimal(f.limits.MaxCostUSD))
		default:
			continue
		}
		fits = i
		break
	}
	switch {
	case limit == "":
		return ""
	case fits == 0:
		return limit + " leaves no room to ask a case again that flips: if one does, the run is undecided"
	}
	return fmt.Sprintf("%s leaves room to ask %s again, of %d that may flip: if more do, the run is undecided", limit,
		text.Count(fits, "case"), f.reruns.Cases)
}

// Empty reports whether the run calls no live target and no judge.
func (f Forecast) Empty() bool { return len(f.targets) == 0 && f.judgeNeed.calls == 0 }

// NeedsConsent reports whether the cost may be above ConsentAboveUSD, so that a person at a terminal must agree. It
// returns false if no price is known.
func (f Forecast) NeedsConsent() bool {
	return f.calls() > 0 && f.Plan.MostUSD != nil && *f.Plan.MostUSD > ConsentAboveUSD
}

// Print prints the calls to each target, and the total.
func (f Forecast) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join([]string{"target", "provider", "calls", "kept", "tokens", "cost"}, "\t"))
	for _, n := range f.targets {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\n", n.target.Name, n.target.Provider, n.calls, n.cached,
			n.tokens, formatUSD(n.cost()))
	}
	if f.judgeNeed.calls > 0 {
		fmt.Fprintf(t, "%s (judge)\t%s\t%d\t\t%d\t%s\n", f.judgeNeed.target.Name, f.judgeNeed.target.Provider,
			f.judgeNeed.calls,
			f.judgeNeed.tokens, formatUSD(f.Plan.JudgeCostUSD))
	}
	if !f.Empty() {
		if err := t.Flush(); err != nil {
			return err
		}
	}
	lines := fmt.Sprintf("%s, %s: %s\n", text.Count(f.suites, "suite"), text.Count(f.cases, "case"), f.Line())
	if why := f.WhyRefused(); why != "" {
		lines += "nothing would be asked: " + why + "\n"
	} else if room := f.RerunLimitText(); room != "" {
		lines += room + "\n"
	}
	lines += detectionText(f)
	_, err := io.WriteString(w, lines)
	return err
}

// detectionText returns a sentence that says how likely the run finds a single case that got worse. It returns "" if no
// case is rerun or the limits refuse the run.
func detectionText(f Forecast) string {
	n := len(f.rerunPrices)
	if f.reruns.Confirm == 0 || n == 0 || f.WhyRefused() != "" {
		return ""
	}
	in := func(fails float64) string {
		return strconv.Itoa(int(math.Round(100 * compare.DetectionPower(f.gate, n, f.gate.Trials, fails))))
	}
	return fmt.Sprintf("A case that was always right is found broken: if it always fails now, in %s of 100 runs; if "+
		"it fails in 60 of 100 answers, in %s. "+
		"`trials` and `confirm` find more.\n", in(1), in(0.6))
}

func formatUSD(cost *float64) string {
	if cost == nil {
		return "not known"
	}
	return "$" + text.Dollars(*cost)
}

// withinLimits returns as many of all, the verification questions, as the limits of the run allow, from the first on.
// So verification never ends a run. sum is the price of all other calls.
func withinLimits(all []evaluate.Question, sum price, c *config.Config) []evaluate.Question {
	limits := c.Limits.WithDefaults()
	for i, q := range all {
		sum = sum.plus(priceOf(q, c.Targets[q.Target].Price))
		if sum.calls > limits.MaxCalls || limits.MaxTokens > 0 && sum.tokens > limits.MaxTokens ||
			sum.estimatedUSD > limits.MaxCostUSD {
			return all[:i]
		}
	}
	return all
}
