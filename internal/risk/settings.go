package risk

import "sync"

// RulesVersion is the version of rules.json. It changes whenever an answer can be judged differently.
const RulesVersion = "1"

// MaxWeight is the most that a severity may weigh.
const MaxWeight = 10.0

// Settings are what a configuration may say of risk scores.
type Settings struct {
	Figures Figures
	Rules   []Rule // beside the shipped ones
}

// DefaultSettings are those of a configuration that says nothing.
func DefaultSettings() Settings { return Settings{Figures: shippedFigures()} }

// shippedFigures reads the file of rules once; a configuration is read more often.
var shippedFigures = sync.OnceValue(func() Figures { return Shipped().Figures })

// Scorer compiles the shipped rules and those of the settings.
func (s Settings) Scorer() (*Scorer, error) {
	b := Shipped()
	b.Figures = s.Figures
	return NewScorer(b, s.Rules)
}
