package risk

import (
	"slices"
	"sync"
)

// RulesVersion is the version of rules.json. It changes whenever an answer can be judged differently.
const RulesVersion = "2"

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

var refusing = sync.OnceValue(func() []string { return Shipped().Refusing })

// WantsRefusal reports whether one of a probe's failure modes is such that declining is the right answer.
func WantsRefusal(modes []string) bool {
	return slices.ContainsFunc(modes, func(own string) bool {
		return slices.ContainsFunc(refusing(), func(m string) bool { return sameMode(m, own) })
	})
}

// Scorer compiles the shipped rules and those of the settings.
func (s Settings) Scorer() (*Scorer, error) {
	b := Shipped()
	b.Figures = s.Figures
	return NewScorer(b, s.Rules)
}
