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

	gate          config.Gate
	reruns        compare.RerunLimits
	extra         ExtraCalls
	first, worst  price       // price of all planned calls except verification, and of all calls that may be made
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
func (t targetCalls) cost() *float64 {
	if t.target.Price == nil {
		return nil
	}
	return &t.estimatedUSD
}

// price is the number of calls, their estimated tokens, and their estimated and highest cost in US dollars.
type price struct {
	calls, tokens        int
	estimatedUSD, maxUSD float64
	unbounded            bool // an answer has no token limit, so its cost has no limit
}

func (p price) plus(q price) price {
	return price{p.calls + q.calls, p.tokens + q.tokens, p.estimatedUSD + q.estimatedUSD, p.maxUSD + q.maxUSD,
		p.unbounded || q.unbounded}
}

func (p price) times(n int) price {
	return price{p.calls * n, p.tokens * n, p.estimatedUSD * float64(n), p.maxUSD * float64(n), p.unbounded && n > 0}
}

// priceOf returns the price of one call with the question q. p is the price of the target. If p is nil, the call costs
// nothing.
func priceOf(q evaluate.Question, p *config.Price) price {
	maxOut, limited := schedule.MostOut(q.Request)
	in, out := schedule.TokensIn(q.Request), min(maxOut, assumedAnswerTokens)
	if p == nil {
		return price{calls: 1, tokens: in + out}
	}
	return price{1, in + out, schedule.Cost(*p, in, out), schedule.Cost(*p, schedule.MostIn(q.Request), maxOut), !limited}
}

// New returns the forecast of the plan and of the further calls in extra. c is the effective configuration.
func New(plan evaluate.Plan, extra ExtraCalls, c *config.Config) Forecast {
	f := Forecast{suites: len(plan.Head.Suites), compared: plan.Base != nil, limits: c.Limits.WithDefaults(),
		gate: c.Gate, extra: extra}
	for _, s := range plan.Head.Suites {
		f.cases += len(s.Cases)
	}
	f.addCalls(plan, c)
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
	f.setTotals()
	return f
}

// addCalls adds up the planned calls to each target and to the judge, and the prices of reruns on both sides.
func (f *Forecast) addCalls(plan evaluate.Plan, c *config.Config) {
	needs, rerunPrices := map[string]*targetCalls{}, map[evaluate.CaseRef]price{}
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
		if q.Cached {
			n.cached++
			continue
		}
		n.price, f.first = n.plus(one), f.first.plus(one)
	}
	f.addGrading(plan, c, rerunPrices)
	f.first, f.rerunPrices = f.first.plus(f.judgeNeed.price), slices.Collect(maps.Values(rerunPrices))
	for _, q := range f.extra.verifiable(f.first, c) {
		n, one := needOf(q)
		n.price, f.verifyPrice = n.plus(one), f.verifyPrice.plus(one)
	}
	for _, n := range needs {
		f.targets = append(f.targets, *n)
	}
	slices.SortFunc(f.targets, func(a, b targetCalls) int { return strings.Compare(a.target.Name, b.target.Name) })
}

// setTotals sets Plan and its upper limits. In the worst case every case flips and is rerun as often as the gate
// allows.
func (f *Forecast) setTotals() {
	f.worst = f.first.plus(f.verifyPrice.times(f.extra.VerifyRounds))
	for _, more := range []struct {
		prices        []price
		cases, rounds int
	}{
		{f.settlePrices, f.extra.MaxSettled, f.extra.SettleRounds}, {f.regradePrices, f.reruns.Cases, 1},
		{f.rerunPrices, len(f.rerunPrices), f.reruns.Recheck}, {f.rerunPrices, f.reruns.Cases, f.reruns.Confirm},
		{f.rerunPrices, min(f.reruns.Cases, 1), f.extra.ExplainAnswers / 2}, // the price is of both sides
	} {
		for _, p := range more.prices[:min(len(more.prices), more.cases)] {
			f.worst = f.worst.plus(p.times(more.rounds))
		}
	}
	for _, n := range f.targets {
		f.Plan.Calls, f.Plan.Cached, f.Plan.Tokens = f.Plan.Calls+n.calls, f.Plan.Cached+n.cached, f.Plan.Tokens+n.tokens
		f.Plan.CostUSD = report.PlusUSD(f.Plan.CostUSD, n.cost())
		if n.cost() == nil {
			f.Plan.Unpriced += n.calls
		}
	}
	f.Plan.JudgeCalls, f.Plan.JudgeCostUSD = f.judgeNeed.calls, f.judgeNeed.cost()
	f.Plan.MostCalls = max(min(f.worst.calls, f.limits.MaxCalls), f.calls())
	if f.cost() == nil {
		return
	}
	maxUSD := f.worst.maxUSD
	if f.worst.unbounded || maxUSD > f.limits.MaxCostUSD {
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
		if f.worst.unbounded {
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
		words += ", where answers differ and are asked again"
		if f.extra.ExplainAnswers > 0 && f.reruns.Cases > 0 {
			words += fmt.Sprintf(", and %d answers tell which line did it", f.extra.ExplainAnswers)
		}
		return words
	case cost != "" && f.calls() > 0:
		return ", at most " + cost
	}
	return ""
}

// exceeded returns the first limit that sum is above, and the exceeding amount with a verb. It returns "" if there is
// none.
func exceeded(limits config.Limits, sum price) (limit, amount string) {
	switch {
	case sum.calls > limits.MaxCalls:
		return fmt.Sprintf("limits.max_calls (%d)", limits.MaxCalls), text.Count(sum.calls, "call is", "calls are")
	case limits.MaxTokens > 0 && sum.tokens > limits.MaxTokens:
		return fmt.Sprintf("limits.max_tokens (%d)", limits.MaxTokens), fmt.Sprintf("about %d tokens are", sum.tokens)
	case sum.estimatedUSD > limits.MaxCostUSD:
		return fmt.Sprintf("limits.max_cost_usd (%s)", text.Decimal(limits.MaxCostUSD)),
			fmt.Sprintf("about $%s is", text.Dollars(sum.estimatedUSD))
	}
	return "", ""
}

// WhyRefused returns why the limits are too low for the run, or "" if they are high enough.
func (f Forecast) WhyRefused() string {
	limit, amount := exceeded(f.limits, f.first) // verification stays within the limits
	if limit == "" {
		return ""
	}
	return fmt.Sprintf("%s needed, more than %s allows", amount, limit)
}

// RerunLimitText returns a sentence that says how many of the cases that may flip can be rerun within the limits. If
// all can be rerun, RerunLimitText returns "".
func (f Forecast) RerunLimitText() string {
	sum := f.first // reruns come before verification
	for fits, one := range f.rerunPrices[:f.reruns.Cases] {
		sum = sum.plus(one.times(f.reruns.Confirm))
		switch limit, _ := exceeded(f.limits, sum); {
		case limit == "":
		case fits == 0:
			return limit + " leaves no room to ask a case again that flips: if one does, the run is undecided"
		default:
			return fmt.Sprintf("%s leaves room to ask %s again, of %d that may flip: if more do, the run is undecided", limit,
				text.Count(fits, "case"), f.reruns.Cases)
		}
	}
	return ""
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
	row := func(name, kept string, n targetCalls) {
		cost := "not known"
		if usd := n.cost(); usd != nil {
			cost = "$" + text.Dollars(*usd)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%d\t%s\n", name, n.target.Provider, n.calls, kept, n.tokens, cost)
	}
	for _, n := range f.targets {
		row(n.target.Name, strconv.Itoa(n.cached), n)
	}
	if f.judgeNeed.calls > 0 {
		row(f.judgeNeed.target.Name+" (judge)", "", f.judgeNeed)
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
