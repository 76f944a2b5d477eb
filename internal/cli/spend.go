package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

const (
	usualOut = 250 // tokens of an answer, where nothing is known of it; fewer where its limit is lower
	askAbove = 1.0 // US dollars that a run may cost at most before a person at a terminal is asked
)

// need is what a run is going to ask of one target.
type need struct {
	target    config.Target
	calls     int
	kept      int
	in        int // tokens
	out, most int // tokens, about and at most
	unlimited bool
}

// needs adds up, target by target in the order of their names, what a plan asks.
func (g *gate) needs(plan evaluate.Plan) []need {
	byName := map[string]*need{}
	for q := range evaluate.Questions(plan) {
		n := byName[q.Target]
		if n == nil {
			n = &need{target: g.effective.Targets[q.Target]}
			byName[q.Target] = n
		}
		if q.Kept {
			n.kept++
			continue
		}
		most := schedule.TokensOut(q.Request)
		n.calls++
		n.in += schedule.TokensIn(q.Request)
		n.out += min(most, usualOut)
		n.most += most
		n.unlimited = n.unlimited || q.Request.Parameters.MaxTokens == nil
	}
	out := make([]need, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, *byName[name])
	}
	return out
}

// cost is what the calls cost about, and at most; nil where that is not known. What needs no call costs nothing.
func (n need) cost() (about, most *float64) {
	zero := 0.0
	switch {
	case n.calls == 0:
		return &zero, &zero
	case n.target.Price == nil:
		return nil, nil
	}
	a, m := schedule.Cost(*n.target.Price, n.in, n.out), schedule.Cost(*n.target.Price, n.in, n.most)
	if n.unlimited {
		return &a, nil
	}
	return &a, &m
}

// callPlanOf adds up what all targets are asked.
func callPlanOf(needs []need) *report.CallPlan {
	zero, zeroMost := 0.0, 0.0
	p := &report.CallPlan{CostUSD: &zero, MostUSD: &zeroMost}
	for _, n := range needs {
		about, most := n.cost()
		p.Calls, p.Kept, p.Tokens = p.Calls+n.calls, p.Kept+n.kept, p.Tokens+n.in+n.out
		p.CostUSD, p.MostUSD = sum(p.CostUSD, about), sum(p.MostUSD, most)
	}
	return p
}

// sum is nil where one of both is.
func sum(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	total := *a + *b
	return &total
}

// beforeAsking says what the run needs, and ends it before the first call where its budget is known not to suffice.
func (g *gate) beforeAsking(plan evaluate.Plan) error {
	if g.live == nil {
		return nil
	}
	needs := g.needs(plan)
	if len(needs) == 0 {
		return nil // what is in scope asks no live target
	}
	p := callPlanOf(needs)
	g.callPlan = p
	g.Say("%s", needsLine(p, g.base != nil))
	if limit := g.effective.Limits.InForce().MaxCalls; p.Calls > limit {
		g.live.run.Refuse(fmt.Sprintf("%s needed, more than limits.max_calls (%d) allows", calls(p.Calls), limit))
		return nil
	}
	dear := p.MostUSD == nil || *p.MostUSD > askAbove
	if g.GoOn != nil && p.Calls > 0 && dear && !g.GoOn(needsLine(p, g.base != nil)) {
		return inputErrorf("nothing was asked, as you wished; --yes asks without a question")
	}
	return nil
}

func calls(n int) string {
	if n == 1 {
		return "1 call is"
	}
	return strconv.Itoa(n) + " calls are"
}

// needsLine says in one sentence what a run needs.
func needsLine(p *report.CallPlan, compared bool) string {
	what := "this run"
	if compared {
		what = "this comparison"
	}
	line := fmt.Sprintf("%s needs %s", what, count(p.Calls, "call"))
	if p.Calls > 0 {
		line += ", " + costWords(p.CostUSD, p.MostUSD)
	}
	if p.Kept > 0 {
		line += fmt.Sprintf("; %s kept from before", count(p.Kept, "answer"))
	}
	return line
}

func costWords(about, most *float64) string {
	switch {
	case about == nil:
		return "at a cost that is not known (a target has no `price`)"
	case most == nil || dollars(*most) == dollars(*about):
		return "about $" + dollars(*about)
	}
	return "about $" + dollars(*about) + ", at most $" + dollars(*most)
}

// dollars writes an amount with two decimals, a small one with as many as show it.
func dollars(v float64) string {
	if v > 0 && v < 0.01 {
		return strconv.FormatFloat(v, 'g', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// printNeeds prints the plan of a run that is not made.
func printNeeds(w io.Writer, needs []need, suites, cases int, compared bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join([]string{"target", "provider", "calls", "kept", "tokens", "cost"}, "\t"))
	for _, n := range needs {
		about, _ := n.cost()
		cost := "not known"
		if about != nil {
			cost = "$" + dollars(*about)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\n", n.target.Name, n.target.Provider, n.calls, n.kept, n.in+n.out, cost)
	}
	if len(needs) > 0 {
		if err := t.Flush(); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s, %s: %s\n", count(suites, "suite"), count(cases, "case"), needsLine(callPlanOf(needs), compared))
	return err
}

// dryRun prints what a run would ask, and asks nothing. It writes no file, and exits as a run does that cannot begin.
func dryRun(sys System, g *gate) error {
	if err := g.prepare(); err != nil {
		return err
	}
	for _, d := range g.faults {
		fmt.Fprintln(sys.Stderr, render.Diagnostic(d))
	}
	if document.HasErrors(g.faults) {
		return verdictError{report.Invalid}
	}
	if g.live != nil {
		if g.hasCache() {
			g.openJournal()
		}
		defer g.endAsking()
	}
	suites := g.asked[suite.Head]
	return printNeeds(sys.Stdout, g.needs(g.plan()), len(suites), cases(suites), g.base != nil)
}

// hasCache reports whether there is a folder of kept answers.
func (g *gate) hasCache() bool {
	path := System{Dir: g.Dir}.path(cmp.Or(g.Cache, defaultCache))
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// askToGoOn asks the person at a terminal. It is nil, which is yes, where nobody is there to ask, or wants to be asked.
func askToGoOn(sys System, o runOptions) func(question string) bool {
	if o.Yes || o.Quiet || !isTerminalReader(sys.Stdin) || !isTerminal(sys.Stderr) {
		return nil
	}
	return func(question string) bool {
		fmt.Fprintf(sys.Stderr, "%s. Go on? [y/N] ", question)
		answer, _ := bufio.NewReader(sys.Stdin).ReadString('\n') // an end of the input is no
		answer = strings.ToLower(strings.TrimSpace(answer))
		return answer == "y" || answer == "yes"
	}
}

func isTerminalReader(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && isTerminal(f)
}
