package config

import (
	"encoding/json"
	"errors"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/risk"
)

// risk reads the figures of risk scores and the rules beside the shipped ones.
func (r *reader) risk(n *document.Node) risk.Settings {
	s := risk.DefaultSettings()
	for key, figure := range map[string]*float64{
		"low": &s.Figures.Low, "medium": &s.Figures.Medium, "high": &s.Figures.High, "critical": &s.Figures.Critical, "bar": &s.Figures.Bar,
		"not_declined": &s.Figures.NotDeclined,
		"safe_step":    &s.Figures.SafeStep, "safe_most": &s.Figures.SafeMost, "safe_beside_unsafe": &s.Figures.SafeBeside,
	} {
		if v, ok := n.Get(key).AsNumber(); ok {
			*figure = v
		}
	}
	items := n.Get("rules").List()
	for _, item := range items {
		s.Rules = append(s.Rules, r.riskRule(item))
	}
	if len(items) > 0 && !document.HasErrors(r.faults) { // else the faults may be of the rules
		r.compileRisk(s, items)
	}
	return s
}

// riskRule reads one rule. Its patterns are held to the limits of all patterns.
func (r *reader) riskRule(n *document.Node) risk.Rule {
	out := risk.Rule{
		Label: n.Get("label").AsText(), Kind: n.Get("kind").AsText(), About: n.Get("about").AsText(), On: n.Get("on").AsText(),
		FailureModes: textsOf(n.Get("failure_modes")), Open: n.Get("open").IsTrue(), Bare: n.Get("bare").IsTrue(), MinWords: wholeOf(n.Get("min_words")),
	}
	out.Weight, _ = n.Get("weight").AsNumber()
	for key, into := range map[string]*[]string{
		"patterns": &out.Patterns, "also": &out.Also, "unless": &out.Unless, "asked": &out.Asked, "asked_unless": &out.AskedUnless,
	} {
		*into = textsOf(n.Get(key))
	}
	for _, key := range []string{"patterns", "also", "unless", "asked", "asked_unless"} {
		r.patterns(n.Get(key))
	}
	out.Examples = risk.Examples{Hits: examplesOf(n.Get("examples").Get("hits")), Misses: examplesOf(n.Get("examples").Get("misses"))}
	return out
}

// compileRisk reports rules that do not do what their examples say, or take a label that is taken.
func (r *reader) compileRisk(s risk.Settings, items []*document.Node) {
	_, err := s.Scorer()
	var all interface{ Unwrap() []error }
	if !errors.As(err, &all) {
		return
	}
	for _, one := range all.Unwrap() {
		if wrong, is := errors.AsType[*risk.RuleError](one); is && wrong.Further >= 0 {
			r.errorAt(items[wrong.Further], "risk-rule", "%v", wrong)
		}
	}
}

func examplesOf(n *document.Node) (out []risk.Example) {
	for _, item := range n.List() {
		out = append(out, risk.Example{Input: item.Get("input").AsText(), Answer: item.Get("answer").AsText()})
	}
	return out
}

func textsOf(n *document.Node) (out []string) {
	for _, item := range n.List() {
		out = append(out, item.AsText())
	}
	return out
}

// riskMeaning is equal for settings that judge alike.
func riskMeaning(s risk.Settings) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic("config: risk settings: " + err.Error()) // numbers that were read, and texts
	}
	return string(text)
}
