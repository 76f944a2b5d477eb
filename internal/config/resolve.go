package config

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/document"
)

// Resolve decides which of base and head each setting is taken from (spec section 7), so that a pull request is judged by
// the rules that it found. fork says that the head is of another repository, or not known to be of this one.
//
//   - Gate, phase, scoring, limits, refusal, secrets and targets are the base's.
//   - Of a target that the base has, a head that is no fork may change model, temperature and max_tokens, if it leaves the provider.
//   - Policies are those of both; of two with one name the base's holds.
//   - Suites and default_target are the head's own, because they say what there is to judge.
//   - Without a base the head's holds, but a fork gets no live target and no endpoint for embeddings.
//
// changes is what the head wanted otherwise: settings that are not obeyed, and the new suites and default_target. Either
// side may be nil; the result shares nothing with them that could be changed through it.
func Resolve(base, head *Config, fork bool) (effective *Config, changes []Change, ds []document.Diagnostic) {
	switch {
	case base == nil && head == nil:
		return Default(), nil, nil
	case base == nil:
		return first(head, fork)
	case head == nil:
		return base.clone(), []Change{{Path: base.Path, Key: "configuration", Base: base.Path}}, nil
	}
	r := &resolver{base: base, head: head, effective: base.clone()}
	r.settings()
	r.targets(fork)
	r.policies()
	r.ownSettings()
	return r.effective, r.changes, r.faults
}

// first is a configuration that there was none before.
func first(head *Config, fork bool) (*Config, []Change, []document.Diagnostic) {
	effective := head.clone()
	var ds []document.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(head.Targets)) {
		if fork && head.Targets[name].Live() {
			delete(effective.Targets, name)
			ds = append(ds, warning(head.Path, "target", "target "+document.Quote(name)+
				" is left out: the configuration of a fork may name recordings only, until it is merged"))
		}
	}
	if fork && head.Semantic.Provider == ProviderHTTP {
		effective.Semantic = Semantic{Provider: ProviderOff, OnUnavailable: Review}
		ds = append(ds, warning(head.Path, "semantic", "semantic is left out: the configuration of a fork may not say where texts are sent, until it is merged"))
	}
	return effective, []Change{{Path: head.Path, Key: "configuration", Head: head.Path}}, ds
}

func warning(path, rule, message string) document.Diagnostic {
	return document.Diagnostic{Severity: document.Warning, Path: path, Rule: rule, Message: document.Line(message)}
}

type resolver struct {
	base, head, effective *Config
	changes               []Change
	faults                []document.Diagnostic
}

func (r *resolver) change(key string) {
	r.changes = append(r.changes, Change{Path: r.head.Path, Key: key, Base: r.base.written[key], Head: r.head.written[key]})
}

// settings compares what the base decides alone. A default that follows from another setting is no change of its own.
func (r *resolver) settings() {
	head := r.head.settings()
	for i, s := range r.base.settings() {
		_, inBase := r.base.written[s.key]
		_, inHead := r.head.written[s.key]
		if s.value != head[i].value && (inBase || inHead) {
			r.change(s.key)
		}
	}
}

func (r *resolver) targets(fork bool) {
	for _, name := range bothKeys(r.base.Targets, r.head.Targets) {
		ours, inBase := r.base.Targets[name]
		theirs, inHead := r.head.Targets[name]
		if !inBase || !inHead {
			r.change("targets." + name)
			continue
		}
		fixed, free := ours.parts()
		theirFixed, theirFree := theirs.parts()
		r.compare("targets."+name+".", fixed, theirFixed)
		if fork || ours.Provider != theirs.Provider { // what is free belongs to the provider that it was written for
			r.compare("targets."+name+".", free, theirFree)
			continue
		}
		ours.Model, ours.Temperature, ours.MaxTokens = theirs.Model, copied(theirs.Temperature), copied(theirs.MaxTokens)
		r.effective.Targets[name] = ours.clone()
	}
}

func (r *resolver) compare(prefix string, base, head []setting) {
	for i := range base {
		if base[i].value != head[i].value {
			r.change(prefix + base[i].key)
		}
	}
}

// policies adds the head's; one that the head drops or rewrites stays as it was.
func (r *resolver) policies() {
	ours, theirs := byName(r.base.Policies), byName(r.head.Policies)
	for _, name := range bothKeys(ours, theirs) {
		mine, inBase := ours[name]
		other, inHead := theirs[name]
		switch {
		case !inBase:
			r.effective.Policies = append(r.effective.Policies, other)
		case !inHead || mine.meaning() != other.meaning():
			r.change("policies." + name)
		}
	}
	slices.SortFunc(r.effective.Policies, func(a, b Policy) int { return cmp.Compare(a.Name, b.Name) })
}

func byName(policies []Policy) map[string]Policy {
	out := map[string]Policy{}
	for _, p := range policies {
		out[p.Name] = p
	}
	return out
}

// ownSettings takes over what the head says of its own files.
func (r *resolver) ownSettings() {
	r.effective.Path, r.effective.Suites = r.head.Path, slices.Clone(r.head.Suites)
	if !slices.Equal(r.base.Suites, r.head.Suites) {
		r.change("suites")
	}
	r.effective.DefaultTarget = r.head.DefaultTarget
	if r.base.DefaultTarget != r.head.DefaultTarget {
		r.change("default_target")
	}
	if name := r.head.DefaultTarget; name != "" {
		if _, known := r.effective.Targets[name]; !known {
			r.faults = append(r.faults, warning(r.head.Path, "target", "default_target "+document.Quote(name)+
				" is not in the base's configuration, from which targets are taken; it can be used when it is merged"))
		}
	}
}

func bothKeys[V any](a, b map[string]V) []string {
	keys := slices.Collect(maps.Keys(a))
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// clone copies all that a caller could change.
func (c *Config) clone() *Config {
	out := *c
	out.Suites = slices.Clone(c.Suites)
	out.Policies = slices.Clone(c.Policies)
	out.Refusal.ExtraPatterns = slices.Clone(c.Refusal.ExtraPatterns)
	out.Secrets.RedactPatterns = slices.Clone(c.Secrets.RedactPatterns)
	out.Scoring = c.Scoring.clone()
	out.Semantic.Threshold = copied(c.Semantic.Threshold)
	out.Gate.Recheck, out.Gate.Quarantine = copied(c.Gate.Recheck), slices.Clone(c.Gate.Quarantine)
	out.Targets = map[string]Target{}
	for name, t := range c.Targets {
		out.Targets[name] = t.clone()
	}
	return &out
}

func (t Target) clone() Target {
	t.Command = slices.Clone(t.Command)
	t.Temperature, t.TopP, t.MaxTokens, t.Price = copied(t.Temperature), copied(t.TopP), copied(t.MaxTokens), copied(t.Price)
	return t
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
