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

// usualOut is the assumed number of tokens of an answer. If the token limit of the answer is lower, the limit is
// assumed.
const usualOut = 250

// AskAbove is the cost in US dollars above which a person at a terminal must agree.
const AskAbove = 1.0

// Forecast is the estimate of a run's calls and cost, with their upper limits.
type Forecast struct {
	Plan report.CallPlan

	suites, cases int // numbers on the head
	compared      bool
	limits        config.Limits
	needs         []need // by target, sorted by name
	endless       bool   // some target has a price but no token limit, so the cost has no limit

	gate    config.Gate
	reruns  compare.RerunLimits
	further Further
	confirm []price // prices of one rerun of each case that may flip, the most expensive first
	settle  []price // prices of one rerun of each newly recorded case, the most expensive first
	judge   need    // the judge's calls that grade the planned answers
	regrade []price // prices of grading once more each case that may flip, the most expensive first
	verify  price   // price of verifying recorded cases; also part of needs and Plan
}

// need is the calls to one target and their cost.
type need struct {
	target config.Target
	kept   int // answers in the response cache
	price
}

// usd returns the estimated cost of the calls in US dollars, or nil if the target has no price.
func (n need) usd() *float64 {
	if n.target.Price == nil {
		return nil
	}
	return &n.about
}

// price is the number of calls, their estimated tokens, and their estimated and highest cost in US dollars.
type price struct {
	calls, tokens int
	about, maxUSD float64
}

func (p price) plus(q price) price {
	return price{p.calls + q.calls, p.tokens + q.tokens, p.about + q.about, p.maxUSD + q.maxUSD}
}

func (p price) times(n int) price {
	return price{p.calls * n, p.tokens * n, p.about * float64(n), p.maxUSD * float64(n)}
}

// priceOf returns the price of one call with the question q. Its cost is 0 if p, the price of the target, is nil.
func priceOf(q evaluate.Question, p *config.Price) price {
	maxOut, _ := schedule.MostOut(q.Request)
	in, out := schedule.TokensIn(q.Request), min(maxOut, usualOut)
	if p == nil {
		return price{calls: 1, tokens: in + out}
	}
	return price{1, in + out, schedule.Cost(*p, in, out), schedule.Cost(*p, schedule.MostIn(q.Request), maxOut)}
}

// Of returns the forecast of the plan and of the further calls in more. c is the effective configuration.
func Of(plan evaluate.Plan, more Further, c *config.Config) Forecast {
	f := Forecast{suites: len(plan.Head.Suites), compared: plan.Base != nil, limits: c.Limits.InForce(),
		gate: c.Gate, further: more}
	for _, s := range plan.Head.Suites {
		f.cases += len(s.Cases)
	}
	first, twice := f.ask(plan, more, c)
	f.confirm = slices.Collect(maps.Values(twice))
	for _, questions := range more.Settle {
		var both price
		for _, q := range questions {
			both = both.plus(priceOf(q, c.Targets[q.Target].Price))
		}
		f.settle = append(f.settle, both)
	}
	for _, list := range [][]price{f.confirm, f.regrade, f.settle} {
		slices.SortFunc(list, func(a, b price) int { return cmp.Or(cmp.Compare(b.maxUSD, a.maxUSD), b.calls-a.calls) })
	}
	if more.Reruns {
		f.reruns = compare.MaxReruns(c.Gate, len(f.confirm))
	}
	f.total(first)
	return f
}

// ask adds up the calls to each target and to the judge. first is the price of all calls except verification. twice
// has, for each compared case, the price of one rerun on both sides.
func (f *Forecast) ask(plan evaluate.Plan, more Further, c *config.Config) (first price, twice map[evaluate.CaseAt]price) {
	needs := map[string]*need{}
	twice = map[evaluate.CaseAt]price{}
	needOf := func(q evaluate.Question) (n *need, one price) {
		target := c.Targets[q.Target]
		if n = needs[q.Target]; n == nil {
			n = &need{target: target}
			needs[q.Target] = n
		}
		return n, priceOf(q, target.Price)
	}
	for q := range evaluate.Questions(plan) {
		n, one := needOf(q)
		if q.Compared.Suite != nil && q.Request.Trial == 1 {
			twice[q.Compared] = twice[q.Compared].plus(one)
		}
		f.endless = f.endless || n.endless(q) && (!q.Kept || q.Compared.Suite != nil)
		if q.Kept {
			n.kept++
			continue
		}
		n.price, first = n.plus(one), first.plus(one)
	}
	f.grade(plan, c, twice)
	for _, q := range roomFor(more.dearest(c), first.plus(f.judge.price), c) {
		n, one := needOf(q)
		n.price, f.verify, f.endless = n.plus(one), f.verify.plus(one), f.endless || n.endless(q)
	}
	for _, n := range needs {
		f.needs = append(f.needs, *n)
	}
	slices.SortFunc(f.needs, func(a, b need) int { return strings.Compare(a.target.Name, b.target.Name) })
	return first.plus(f.judge.price), twice
}

// endless reports whether the cost of an answer to q has no limit.
func (n need) endless(q evaluate.Question) bool {
	_, limited := schedule.MostOut(q.Request)
	return !limited && n.target.Price != nil
}

// total sets Plan and its upper limits. In the worst case every case flips and is rerun as often as the gate allows.
// first is the price of all planned calls except verification.
func (f *Forecast) total(first price) {
	worst := first.plus(f.verify.times(f.further.VerifyRounds))
	for _, one := range f.settle[:min(len(f.settle), f.further.SettleMost)] {
		worst = worst.plus(one.times(f.further.SettleRounds))
	}
	for _, one := range f.regrade[:min(len(f.regrade), f.reruns.Cases)] {
		worst = worst.plus(one)
	}
	if f.explains() {
		worst = worst.plus(f.confirm[0].times(f.further.Explain / 2)) // the price is of both sides
	}
	for i, one := range f.confirm {
		worst = worst.plus(one.times(f.reruns.Recheck))
		if i < f.reruns.Cases {
			worst = worst.plus(one.times(f.reruns.Confirm))
		}
	}
	for _, n := range f.needs {
		f.Plan.Calls, f.Plan.Kept, f.Plan.Tokens = f.Plan.Calls+n.calls, f.Plan.Kept+n.kept, f.Plan.Tokens+n.tokens
		f.Plan.CostUSD = report.PlusUSD(f.Plan.CostUSD, n.usd())
		if n.usd() == nil {
			f.Plan.Unpriced += n.calls
		}
	}
	f.Plan.JudgeCalls, f.Plan.JudgeCostUSD = f.judge.calls, f.judge.usd()
	f.Plan.MostCalls = max(min(worst.calls, f.limits.MaxCalls), f.calls())
	if f.cost() == nil {
		return
	}
	maxOut := worst.maxUSD
	if f.endless || maxOut > f.limits.MaxCostUSD {
		maxOut = max(f.limits.MaxCostUSD, *f.cost()) // a plan above the limit is refused
	}
	f.Plan.MostUSD = &maxOut
}

// Line describes the calls and the cost of the run in one sentence.
func (f Forecast) Line() string {
	p := f.Plan
	line := map[bool]string{false: "this run needs ", true: "this comparison needs "}[f.compared] +
		text.Count(p.Calls, "call")
	if p.Calls > 0 {
		line += f.about()
	}
	if f.verify.calls > 0 {
		line += ", " + strconv.Itoa(f.verify.calls) + " of them to verify recordings"
	}
	line += f.grading() + f.mostWords()
	if p.Kept > 0 {
		line += fmt.Sprintf("; %s kept from before", text.Count(p.Kept, "answer"))
	}
	return line
}

func (f Forecast) about() string {
	switch {
	case f.Plan.CostUSD == nil:
		return ", at a cost that is not known (no target has a `price`)"
	case f.Plan.Unpriced > 0:
		return fmt.Sprintf(", about $%s without %s of targets that have no `price`", text.Dollars(*f.Plan.CostUSD),
			text.Count(f.Plan.Unpriced, "call"))
	}
	return ", about $" + text.Dollars(*f.Plan.CostUSD)
}

func (f Forecast) mostWords() string {
	p := f.Plan
	cost := ""
	if p.MostUSD != nil && (p.MostCalls > f.calls() || text.Dollars(*p.MostUSD) != text.Dollars(*f.cost())) {
		cost = "$" + text.Dollars(*p.MostUSD)
		if *p.MostUSD >= f.limits.MaxCostUSD {
			cost += " (limits.max_cost_usd)"
		}
		if f.endless {
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
		case f.verify.calls == 0 && f.explains():
			return words + fmt.Sprintf(", where cases flip, are asked again, and %d answers tell which line did it",
				f.further.Explain)
		case f.verify.calls == 0:
			return words + ", where cases flip and are asked again"
		case len(f.confirm)+len(f.settle) == 0:
			return words + ", where the model no longer says what is recorded and is asked again"
		}
		return words + ", where cases flip, or the model no longer says what is recorded, and they are asked again"
	case cost != "" && f.calls() > 0:
		return ", at most " + cost
	}
	return ""
}

// Refused returns why the limits are too low for the run, or "" if they are high enough.
func (f Forecast) Refused() string {
	switch tokens, cost := f.Plan.Tokens+f.judge.tokens, f.cost(); {
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

// Room returns a sentence that says how many of the cases that may flip can be rerun within the limits. If all can be
// rerun, Room returns "".
func (f Forecast) Room() string {
	fits, maxOut := f.reruns.Cases, ""
	// reruns come before verification
	left, leftUSD := f.limits.MaxCalls-f.calls()+f.verify.calls, f.limits.MaxCostUSD+f.verify.about
	if cost := f.cost(); cost != nil {
		leftUSD -= *cost
	}
	var all price
	for i, one := range f.confirm[:f.reruns.Cases] {
		all = all.plus(one.times(f.reruns.Confirm))
		switch {
		case all.calls > left:
			maxOut = fmt.Sprintf("limits.max_calls (%d)", f.limits.MaxCalls)
		case all.about > leftUSD:
			maxOut = fmt.Sprintf("limits.max_cost_usd (%s)", text.Decimal(f.limits.MaxCostUSD))
		default:
			continue
		}
		fits = i
		break
	}
	switch {
	case maxOut == "":
		return ""
	case fits == 0:
		return maxOut + " leaves no room to ask a case again that flips: if one does, the run is undecided"
	}
	return fmt.Sprintf("%s leaves room to ask %s again, of %d that may flip: if more do, the run is undecided", maxOut,
		text.Count(fits, "case"), f.reruns.Cases)
}

// Empty reports whether the run calls no live target and no judge.
func (f Forecast) Empty() bool { return len(f.needs) == 0 && f.judge.calls == 0 }

// NeedsConsent reports whether the cost may be above AskAbove, so that a person at a terminal must agree. It returns
// false if no price is known.
func (f Forecast) NeedsConsent() bool {
	return f.calls() > 0 && f.Plan.MostUSD != nil && *f.Plan.MostUSD > AskAbove
}

// Print prints the calls to each target, and the total.
func (f Forecast) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join([]string{"target", "provider", "calls", "kept", "tokens", "cost"}, "\t"))
	for _, n := range f.needs {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\n", n.target.Name, n.target.Provider, n.calls, n.kept,
			n.tokens, usd(n.usd()))
	}
	if f.judge.calls > 0 {
		fmt.Fprintf(t, "%s (judge)\t%s\t%d\t\t%d\t%s\n", f.judge.target.Name, f.judge.target.Provider, f.judge.calls,
			f.judge.tokens, usd(f.Plan.JudgeCostUSD))
	}
	if !f.Empty() {
		if err := t.Flush(); err != nil {
			return err
		}
	}
	lines := fmt.Sprintf("%s, %s: %s\n", text.Count(f.suites, "suite"), text.Count(f.cases, "case"), f.Line())
	if why := f.Refused(); why != "" {
		lines += "nothing would be asked: " + why + "\n"
	} else if room := f.Room(); room != "" {
		lines += room + "\n"
	}
	lines += finds(f)
	_, err := io.WriteString(w, lines)
	return err
}

// finds returns a sentence that says how likely the run finds a single case that got worse. It returns "" if no case is
// rerun or the limits refuse the run.
func finds(f Forecast) string {
	n := len(f.confirm)
	if f.reruns.Confirm == 0 || n == 0 || f.Refused() != "" {
		return ""
	}
	in := func(fails float64) string {
		return strconv.Itoa(int(math.Round(100 * compare.DetectionPower(f.gate, n, f.gate.Trials, fails))))
	}
	return fmt.Sprintf("A case that was always right is found broken: if it always fails now, in %s of 100 runs; if "+
		"it fails in 60 of 100 answers, in %s. "+
		"`trials` and `confirm` find more.\n", in(1), in(0.6))
}

func usd(cost *float64) string {
	if cost == nil {
		return "not known"
	}
	return "$" + text.Dollars(*cost)
}

// roomFor returns as many of all, the verification questions, as the limits of the run allow, from the first on. So
// verification never ends a run. sum is the price of all other calls.
func roomFor(all []evaluate.Question, sum price, c *config.Config) []evaluate.Question {
	limits := c.Limits.InForce()
	for i, q := range all {
		sum = sum.plus(priceOf(q, c.Targets[q.Target].Price))
		if sum.calls > limits.MaxCalls || limits.MaxTokens > 0 && sum.tokens > limits.MaxTokens ||
			sum.about > limits.MaxCostUSD {
			return all[:i]
		}
	}
	return all
}
