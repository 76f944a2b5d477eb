package config

import (
	"cmp"
	"slices"
)

// PromptBounds are what prompt files of a fork may ask live targets for. Such a file names a model and a limit of tokens itself, and of a target
// all is the base's, whose key pays.
type PromptBounds struct {
	Models []string             // that the base names, in its targets or its prompt files
	Suites map[string]PromptAsk // what the base's prompt files ask for, by suite id
}

// PromptAsk is what a prompt file asks a target for.
type PromptAsk struct {
	Model     string
	MaxTokens *int // nil: as many as it takes
}

// Bound returns what is asked of a target for a suite that wants to ask so: another model must be one that the base names, and there are no more
// tokens than the base's own file, or else its target, asks for. Nothing bounds a nil b.
func (b *PromptBounds) Bound(suiteID string, wants PromptAsk, t Target) PromptAsk {
	if b == nil {
		return wants
	}
	was := b.Suites[suiteID]
	if wants.Model != "" && !slices.Contains(b.Models, wants.Model) {
		wants.Model = cmp.Or(was.Model, t.Model)
	}
	if most := cmp.Or(was.MaxTokens, t.MaxTokens); most != nil && (wants.MaxTokens == nil || *wants.MaxTokens > *most) {
		wants.MaxTokens = most
	}
	return wants
}

// Bounding returns c, by which prompt files ask for no more than b.
func (c *Config) Bounding(b *PromptBounds) *Config {
	out := c.clone()
	out.PromptBounds = b
	return out
}
