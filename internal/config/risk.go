package config

import (
	"encoding/json"
	"errors"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model/body"
	"github.com/failproof/failproof/internal/risk"
)

// risk reads the figures of risk scores and the rules beside the shipped ones.
func (r *reader) risk(n *document.Node) risk.Settings {
	s := risk.DefaultSettings()
	_ = json.Unmarshal([]byte(body.JSON(n)), &s.Figures) // what is of another kind has its fault already
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
func (r *reader) riskRule(n *document.Node) (out risk.Rule) {
	_ = json.Unmarshal([]byte(body.JSON(n)), &out)
	for _, key := range []string{"patterns", "also", "unless", "asked", "asked_unless"} {
		r.patterns(n.Get(key))
	}
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

func textsOf(n *document.Node) (out []string) {
	for _, item := range n.List() {
		out = append(out, item.AsText())
	}
	return out
}
