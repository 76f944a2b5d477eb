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

// Scorer compiles the rules of the settings, beside the shipped ones.
func (s Settings) Scorer() (*Scorer, error) {
	book := shippedRules()
	if len(s.Rules) == 0 {
		alone := *book.alone()
		alone.figures = s.Figures
		return &alone, nil
	}
	own := *book.scorer
	own.figures = s.Figures
	return own.with(book.compiler, s.Rules)
}

// shippedBook is the shipped rules, compiled.
type shippedBook struct {
	scorer   *Scorer // without its finder
	compiler compiler
	alone    func() *Scorer // without further rules
}

// shippedRules compiles them once: several configurations may be read, and each is held to its own rules beside these.
var shippedRules = sync.OnceValue(func() shippedBook {
	b := Shipped()
	s, c, err := compileBook(&b)
	if err != nil {
		panic("risk: embedded rules: " + err.Error()) // they are part of the program, and a test compiles them
	}
	return shippedBook{s, c, sync.OnceValue(func() *Scorer {
		alone, _ := s.with(c, nil) // nothing that could be wrong
		return alone
	})}
})
