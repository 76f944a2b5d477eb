package compare_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// vectorCase is a case as the vectors write it: a value in [0, 1] a trial, null where none came.
type vectorCase struct {
	ID         string
	Base, Head []*float64
	Threshold  *float64
	Changed    bool
	Reused     bool
}

func (c vectorCase) bar() float64 {
	if c.Threshold != nil {
		return *c.Threshold
	}
	return 0.5
}

func (c vectorCase) noise() noise.Case {
	return noise.Case{ID: c.ID, Base: c.side(c.Base), Head: c.side(c.Head), Changed: c.Changed, Reused: c.Reused}
}

func (c vectorCase) side(values []*float64) *noise.Side {
	if values == nil {
		return nil
	}
	s := &noise.Side{Planned: len(values)}
	for _, v := range values {
		if v == nil {
			s.Unscored++
			continue
		}
		if s.Trials++; *v >= c.bar() {
			s.Passed++
		}
	}
	return s
}

// gateInput is a whole run of the policy.
type gateInput struct {
	Config gateConfig
	Suites []struct {
		ID     string
		Weight *float64
		Cases  []vectorCase
	}
	Confirm map[string]freshTrials
	Recheck map[string]freshTrials
}

type freshTrials struct{ Base, Head []*float64 }

type gateConfig struct {
	Mode          string
	Trials        int
	Confirm       *int
	ConfirmTrials *int `json:"confirm_trials"`
	MaxConfirm    *int `json:"max_confirm_cases"`
	Recheck       int  `json:"recheck_trials"`
	Alpha         *float64
	WarnAlpha     *float64 `json:"warn_alpha"`
	MaxDrop       *float64 `json:"max_drop"`
	MaxRegressed  int      `json:"max_regressed"`
	MaxErrored    *float64 `json:"max_errored"`
	MinScore      *float64 `json:"min_score"`
}

func or[T any](v *T, def T) T {
	if v != nil {
		return *v
	}
	return def
}

func (c gateConfig) settings() noise.Settings {
	s := noise.Settings{
		Trials: cmp.Or(c.Trials, 1), Confirm: or(cmp.Or(c.Confirm, c.ConfirmTrials), 8), MaxCandidates: or(c.MaxConfirm, 20),
		Recheck: c.Recheck, Alpha: or(c.Alpha, 0.01), WarnAlpha: or(c.WarnAlpha, 0.05), MaxDrop: or(c.MaxDrop, 0.02),
		MaxRegressions: c.MaxRegressed, MaxErrored: or(c.MaxErrored, 0.05),
	}
	if c.Mode == "strict" {
		s.Confirm, s.Recheck, s.MaxErrored = 0, 0, or(c.MaxErrored, 0)
	}
	return s
}

// gate runs the procedure and says the finding in the vectors' words.
func procedureOf(t *testing.T, in gateInput) map[string]any {
	s := in.Config.settings()
	suites := []noise.Suite{}
	for _, one := range in.Suites {
		suite := noise.Suite{ID: one.ID, Weight: or(one.Weight, 1)}
		for _, c := range one.Cases {
			suite.Cases = append(suite.Cases, c.noise())
		}
		suites = append(suites, suite)
	}
	head := headScore(suites)
	below := in.Config.MinScore != nil && (head == nil || !(*head+1e-9 >= *in.Config.MinScore))
	s.AlreadyFailed = below
	p := noise.New(s, suites)
	in.answer(t, p)
	return told(in, p, suites, head, below)
}

// answer feeds the procedure what the vector has.
func (in gateInput) answer(t *testing.T, p *noise.Procedure) {
	next := map[string]int{}
	for progress := true; progress; {
		progress = false
		for _, ask := range p.Needs() {
			from := in.Confirm
			if ask.Reason == report.RerunRecheck {
				from = in.Recheck
			}
			fresh := from[ask.SuiteID+"/"+ask.CaseID]
			for range ask.Rounds {
				i := next[string(ask.Reason)+ask.SuiteID+"/"+ask.CaseID]
				if i >= min(len(fresh.Base), len(fresh.Head)) {
					break
				}
				next[string(ask.Reason)+ask.SuiteID+"/"+ask.CaseID]++
				progress = true
				p.Add(ask.Reason, ask.SuiteID, ask.CaseID, trialOf(fresh.Base[i]), trialOf(fresh.Head[i]))
			}
		}
	}
}

func trialOf(v *float64) report.Rerun {
	if v == nil {
		return report.Rerun{Loss: classify.LossOutage}
	}
	return report.Rerun{Passed: *v == 1}
}

// headScore is the weighted mean of the suites' means over every case of the head that has an answer.
func headScore(suites []noise.Suite) *float64 {
	sum, weights := 0.0, 0.0
	for _, s := range suites {
		total, n := 0.0, 0
		for _, c := range s.Cases {
			if c.Head != nil && c.Head.Trials > 0 {
				total, n = total+float64(c.Head.Passed)/float64(c.Head.Trials), n+1
			}
		}
		if n > 0 {
			sum, weights = sum+s.Weight*total/float64(n), weights+s.Weight
		}
	}
	if weights == 0 {
		return nil
	}
	sum /= weights
	return &sum
}

func told(in gateInput, p *noise.Procedure, suites []noise.Suite, head *float64, below bool) map[string]any {
	f := p.Finding()
	n := f.Numbers
	strict := in.Config.Mode == "strict"
	statuses, counts := map[string]string{}, map[string]int{}
	for _, s := range suites {
		for _, c := range s.Cases {
			word := string(p.Status(s.ID, c.ID))
			if word == string(report.Redefined) {
				word = "changed"
			}
			statuses[s.ID+"/"+c.ID] = word
			counts[word]++
		}
	}
	block, faults, doubts := reasons(in, f, n, below, counts["regressed"])
	if strict {
		doubts = []string{}
	}
	out := map[string]any{
		"statuses": statuses, "counts": counts, "suites": scopes(n.Suites, strict), "overall": nil, "head_score": head,
		"p_head_errors": n.HeadErrors, "alpha_per_look": n.AlphaPerTest, "holm": holm(n.Overall, n.Suites),
		"block": block, "error": faults, "inconclusive": doubts, "verdict": verdictOf(block, faults, doubts),
	}
	if n.Overall != nil {
		out["overall"] = scopeWords("overall", *n.Overall, strict)
	}
	tellConfirm(out, n.Confirm)
	tellRecheck(out, n.Recheck)
	return out
}

func reasons(in gateInput, f noise.Finding, n report.Noise, below bool, regressed int) (block, faults, doubts []string) {
	block, faults, doubts = []string{}, []string{}, []string{}
	note := func(to *[]string, code string, is bool) {
		if is {
			*to = append(*to, code)
		}
	}
	if in.Config.Mode == "strict" {
		note(&block, "regressed_cases", regressed > in.Config.MaxRegressed)
		note(&block, "score_drop", slices.ContainsFunc(append(optional(n.Overall), n.Suites...), func(s report.Scope) bool {
			return s.Delta < -or(in.Config.MaxDrop, 0.02)-1e-9
		}))
	} else {
		note(&block, "drop_significant", f.Drop)
		note(&block, "confirmed_regression", f.Confirmed > in.Config.MaxRegressed)
		note(&block, "recheck_significant", f.Recheck)
	}
	note(&block, "below_floor", below)
	note(&faults, "suite_unscored", len(f.Unscored) > 0)
	note(&faults, "too_many_errors", f.TooManyErrors)
	note(&faults, "head_errors", f.HeadErrors)
	note(&faults, "confirm_incomplete", f.MissingReruns > 0)
	note(&faults, "recheck_incomplete", f.RecheckIncomplete)
	note(&doubts, "drop_suspected", f.PossibleDrop)
	return block, faults, doubts
}

func optional(s *report.Scope) []report.Scope {
	if s == nil {
		return nil
	}
	return []report.Scope{*s}
}

func verdictOf(block, faults, doubts []string) string {
	switch {
	case len(block) > 0:
		return "regression"
	case len(faults) > 0:
		return "error"
	case len(doubts) > 0:
		return "inconclusive"
	}
	return "pass"
}

func scopes(in []report.Scope, strict bool) []any {
	out := []any{}
	for _, s := range in {
		out = append(out, scopeWords(s.SuiteID, s, strict))
	}
	return out
}

func scopeWords(id string, s report.Scope, strict bool) map[string]any {
	out := map[string]any{
		"id": id, "n": s.Cases, "delta": s.Delta, "ci95": [2]float64{s.Interval.Low, s.Interval.High}, "ci_method": s.Method, "p_worse": s.PWorse, "p_better": s.PBetter,
		"n_informative": s.Informative, "test_mode": s.Test, "sigma2": s.Sigma2,
	}
	if strict {
		out["ci95"] = nil
	}
	return out
}

func holm(overall *report.Scope, suites []report.Scope) map[string]any {
	out := map[string]any{}
	for _, s := range append(optional(overall), suites...) {
		if s.Adjusted != nil {
			out[cmp.Or(s.SuiteID, "overall")] = *s.Adjusted
		}
	}
	return out
}

func tellConfirm(out map[string]any, test *report.ConfirmTest) {
	suspects, results := []string{}, map[string]any{}
	out["suspects"], out["confirm"] = suspects, results
	if test == nil {
		return
	}
	if test.Level != nil {
		out["confirm_threshold"] = *test.Level
	}
	for _, s := range test.Candidates {
		id := s.SuiteID + "/" + s.CaseID
		switch s.State {
		case report.CandidateNotRerun:
			continue
		case report.CandidateIncomplete:
			results[id] = nil
		default:
			results[id] = map[string]any{"confirmed": s.State == report.CandidateConfirmed, "rounds": s.Rounds,
				"base_passes": s.BasePasses, "head_passes": s.HeadPasses}
		}
		suspects = append(suspects, id)
	}
	out["suspects"] = suspects
}

func tellRecheck(out map[string]any, test *report.RecheckTest) {
	if test == nil {
		return
	}
	out["recheck_triggered"] = test.Triggered
	if test.Overall != nil {
		out["recheck_overall"] = scopeWords("overall", *test.Overall, false)
		out["recheck_holm"] = holm(test.Overall, test.Suites)
	}
}

type statusInput struct {
	Trials     int
	Base, Head []*float64
	Threshold  *float64
	Changed    bool
}

func status(t *testing.T, in statusInput) map[string]any {
	s := gateConfig{Trials: in.Trials}.settings()
	c := vectorCase{ID: "x", Base: in.Base, Head: in.Head, Threshold: in.Threshold, Changed: in.Changed}
	p := noise.New(s, []noise.Suite{{ID: "s", Weight: 1, Cases: []noise.Case{c.noise()}}})
	word := string(p.Status("s", "x"))
	if word == string(report.Redefined) {
		word = "changed"
	}
	return map[string]any{"status": word, "suspect": len(p.Finding().Numbers.Confirm.Candidates) > 0}
}

type confirmInput struct {
	Trials     int
	Threshold  float64
	Base, Head []float64
}

func confirm(_ *testing.T, in confirmInput) map[string]any {
	r := stats.NewRegion(in.Trials, in.Threshold)
	region := [][2]int{}
	for base := range in.Trials + 1 {
		for head := range in.Trials + 1 {
			if r.Has(base, head) {
				region = append(region, [2]int{base, head})
			}
		}
	}
	rounds, base, head := 0, 0, 0
	proven, certain := r.Certain(0, 0, 0)
	for ; !certain && rounds < len(in.Base); proven, certain = r.Certain(rounds, base, head) {
		base, head = base+int(in.Base[rounds]), head+int(in.Head[rounds])
		rounds++
	}
	return map[string]any{"confirmed": proven && certain, "rounds": rounds, "base_passes": base, "head_passes": head, "region": region}
}
