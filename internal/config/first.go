package config

import (
	"maps"
	"slices"
)

// NewTargets decides whether a run calls live targets and embedding endpoints that only the head's configuration
// names. With CallNew, the head decides where a key is sent.
type NewTargets bool

const (
	CallNew     NewTargets = true // the caller trusts the head
	WithholdNew NewTargets = false
)

// ResolveAlone returns the head's own configuration, for a run without a base or a first run. With WithholdNew, the run
// calls no live target and no embedding endpoint.
func ResolveAlone(head *Config, targets NewTargets) *Config {
	effective := head.clone()
	if targets == WithholdNew {
		effective.withholdNew()
	}
	return effective
}

// ResolveFirst returns the rules for a head that adds the first configuration. Suites, default targets, results,
// targets and the judge are the head's, but no mode and no threshold of results that lets more pass than the defaults.
// The head's policies apply to the cases that name them. All other settings have their defaults until the merge. A head
// without a configuration, which has no path, adds none.
func ResolveFirst(head *Config, targets NewTargets) (*Config, []Change) {
	own, effective := ResolveAlone(head, targets), Default()
	effective.Path, effective.Suites, effective.SuitePositions, effective.DefaultTargets = own.Path, own.Suites, own.SuitePositions, own.DefaultTargets
	effective.Targets, effective.Withheld, effective.Unmerged = own.Targets, own.Withheld, own.Unmerged
	for _, r := range own.Results {
		if r.Mode == ModeNoisy {
			r.Mode = ""
		}
		if r.PassThreshold != nil {
			r.PassThreshold = new(max(*r.PassThreshold, effective.Phase.Threshold()))
		}
		effective.Results = append(effective.Results, r)
	}
	effective.Judge, effective.NoJudgeReason = own.Judge, own.NoJudgeReason
	for _, p := range own.Policies {
		if p.ApplyAll {
			effective.Announced = append(effective.Announced, p)
			p.ApplyAll = false
		}
		effective.Policies = append(effective.Policies, p)
	}
	if head.Path == "" {
		return effective, nil
	}
	return effective, []Change{{Path: head.Path, Key: configurationKey, Head: head.Path}}
}

// RuleUnmerged is the rule of errors about a target or a judge that is only called after the merge.
const RuleUnmerged = "unmerged"

const withheldReason = "is in a configuration that is not merged yet: a live target is called after the merge"

// WithheldRule returns the rule of an error about a withheld target or judge: RuleUnmerged or otherwise.
func (c *Config) WithheldRule(otherwise string) string {
	if c.Unmerged {
		return RuleUnmerged
	}
	return otherwise
}

func (c *Config) withholdNew() {
	c.Unmerged = true
	for _, name := range slices.Sorted(maps.Keys(c.Targets)) {
		if c.Targets[name].Live() {
			c.withhold(name, withheldReason)
			if c.isJudgeTarget(name) {
				c.removeJudge(withheldReason)
			}
		}
	}
	if c.Semantic.Provider == ProviderHTTP {
		c.Semantic = Semantic{Provider: ProviderOff, OnUnavailable: Review}
	}
}
