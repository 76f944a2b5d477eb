package sides

import (
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/redact"
)

// Redactor returns a redactor that hides the run's secrets and what the configured patterns match.
func (p *Sides) Redactor() *redact.Redactor {
	if p.Rules == nil {
		return redact.New(p.Inputs.Secrets, nil)
	}
	hide := redact.New(p.Secrets(), p.Rules.Secrets.RedactPatterns)
	if p.Live == nil {
		return hide
	}
	return hide.WithLearned(p.Live.LearnedKeys)
}

// Secrets returns the values that no output may contain: the caller's secrets, and the keys of targets and embeddings.
func (p *Sides) Secrets() []string {
	values := append([]string{}, p.Inputs.Secrets...)
	for _, name := range slices.Sorted(maps.Keys(p.Rules.Targets)) {
		for _, variable := range p.Rules.Targets[name].EnvVars() {
			values = append(values, strings.TrimSpace(p.Inputs.Getenv(variable)))
		}
	}
	if env := p.Rules.Semantic.APIKeyEnv; env != "" {
		values = append(values, p.Inputs.Getenv(env))
	}
	return values
}
