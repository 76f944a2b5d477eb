package run

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// forecast says what questions cost, and what the run may ask beside them. Nothing is asked again of a stored base, or to measure
// noise.
func (p Plan) forecast(questions evaluate.Plan) forecast.Forecast {
	more := forecast.Further{Again: compare.MostAgain, VerifyMost: p.Rules.Recordings.Verify, VerifyRounds: verifyRounds,
		SettleMost: staleFlips, SettleRounds: FreshRounds}
	if p.Measuring() || p.Inputs.Stored != nil {
		more.Again = nil
	} else {
		more.Explain = mostExplaining(p.Sides)
	}
	if !p.Measuring() && more.VerifyMost > 0 {
		all, _ := verifiable(p.Sides, nil)
		for _, one := range all {
			more.Verify = append(more.Verify, evaluate.Question{Target: one.Head.Target, Request: one.Head.Prompt})
		}
	}
	for _, one := range p.stale {
		if one.Base == nil {
			continue
		}
		var both []evaluate.Question
		for _, c := range []suite.Case{*one.Head, *one.Base} {
			askLive(&c, p.Rules.Targets[one.target.Name])
			both = append(both, evaluate.Question{Target: c.Target, Request: c.Prompt})
		}
		more.Settle = append(more.Settle, both)
	}
	return forecast.Of(questions, more, p.Rules)
}

// announce says what a run needs, and ends it before the first call where its budget is known not to suffice. What it returns is
// nil where nothing in scope asks a live target.
func announce(p *sides.Sides, f forecast.Forecast, to Sinks) (*report.CallPlan, error) {
	if f.Empty() {
		return nil, nil
	}
	if p.Inputs.Shards != nil { // it was asked, and paid
		return &f.Plan, nil
	}
	why := f.Refused()
	ask := why == "" && to.GoOn != nil && f.Asks()
	if !ask { // else the question says it
		to.Say("%s", f.Line())
	}
	if why != "" {
		p.Live.Run.Refuse(why)
		return &f.Plan, nil
	}
	if room := f.Room(); room != "" {
		to.Say("%s", room)
	}
	if ask && !to.GoOn(f.Line()) {
		return nil, fault.Inputf("nothing was asked, as you wished; --yes asks without a question")
	}
	return &f.Plan, nil
}

// Dry is what the plan would ask, with what there is to say of it. It asks nothing and makes no folder.
func (p Plan) Dry() (f forecast.Forecast, warnings []report.Warning) {
	open := asking{live: p.Live}
	if info, err := os.Stat(sides.PathIn(p.Inputs.Dir, cmp.Or(p.Inputs.Cache, output.DefaultCache))); err == nil && info.IsDir() {
		open, warnings = openAsking(p.Sides)
	}
	f = p.forecast(questions(p.Sides, Meaning{}, open))
	if warnings = append(warnings, open.end()...); p.Live.Asks() {
		return f, slices.Concat(p.Warnings, warnings)
	}
	return f, nil
}

// warnPrice is the code of a warning that a cost is counted by the price of another model.
const warnPrice = "price_of_other_model"

// unknownPrices warns of models that the head asks and whose price nobody has told before: the price of their target is that of
// the base's model. The figures are estimates then, and so are the limits in dollars.
func unknownPrices(p *sides.Sides) (warnings []report.Warning) {
	before := map[[2]string]bool{}
	for _, s := range p.Asked[suite.Base] {
		if !p.Rules.Targets[s.Target].Live() {
			continue
		}
		for c := range s.Cases.All() {
			before[[2]string{s.Target, c.Open().Prompt.Model}] = true
		}
	}
	unknown := map[[2]string]string{} // target and model → the model whose price is taken
	for _, s := range p.Asked[suite.Head] {
		t := p.Rules.Targets[s.Target]
		if !t.Live() || t.Price == nil {
			continue
		}
		for c := range s.Cases.All() {
			asked := [2]string{s.Target, c.Open().Prompt.Model}
			switch {
			case asked[1] == t.Model && t.PricedModel != "":
				unknown[asked] = t.PricedModel
			case asked[1] != t.Model && !before[asked]:
				unknown[asked] = t.Model
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(unknown), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, asked := range names {
		warnings = append(warnings, report.Warning{Code: warnPrice, Path: p.Rules.Path, Message: fmt.Sprintf(
			"nobody has told what %s costs: target %s is counted at the price of %s, and limits.max_cost_usd holds by that figure; calls and tokens are counted as they are",
			asked[1], asked[0], unknown[asked])})
	}
	return warnings
}
