package config

import (
	"maps"
	"slices"
)

// Takes says what of a case a target is sent beside its messages.
type Takes struct {
	Vars    []string // names of variables, sorted
	AllVars bool
	Schema  bool // the schema that the suite has for its answers
}

// takes is what a live target is sent.
func (t Target) takes() Takes {
	variables, all := t.HTTP.Body.Variables()
	return Takes{Vars: variables, AllVars: all, Schema: t.StructuredOutput}
}

func (a Takes) and(b Takes) Takes {
	vars := slices.Concat(a.Vars, b.Vars)
	slices.Sort(vars)
	return Takes{Vars: slices.Compact(vars), AllVars: a.AllVars || b.AllVars, Schema: a.Schema || b.Schema}
}

// Sent are the variables of a case that are sent; nil if none is.
func (a Takes) Sent(vars map[string]string) map[string]string {
	if !a.AllVars && len(a.Vars) == 0 {
		return nil
	}
	out := maps.Clone(vars)
	if !a.AllVars {
		maps.DeleteFunc(out, func(name, _ string) bool { return !slices.Contains(a.Vars, name) })
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// Recording returns a target whose answers are recorded under a path. An answer of a live target holds while everything that any
// live target of the configuration is sent of its case stays as it was.
func (c *Config) Recording(name, path string) Target {
	return Target{Name: name, Provider: "recorded", Path: path, Takes: takenByLive(c.answering())}
}

func takenByLive(targets map[string]Target) (all Takes) {
	for _, t := range targets {
		if t.Live() {
			all = all.and(t.Takes)
		}
	}
	return all
}
