package config

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/suiteid"
)

// Resolve returns the effective settings: a pull request is judged by the base's rules.
// fork is true if the head belongs, or may belong, to another repository.
//
//   - Suites and default targets are the head's.
//   - Policies are the base's. A policy that only the head has applies to the cases that name it.
//   - Another runner's results are the base's, together with those that only the head has.
//   - Targets are the base's. A head of the same repository may change model, temperature and max_tokens of a target.
//     It must keep the target's provider, and the target must not be the judge's.
//   - All other settings, such as gate, phase, judge and limits, are the base's.
//
// changes lists every setting that differs. Change.Effective says whether the head's value applies at once. head is nil
// if the head has no configuration. Neither side is modified. Without a base, use ResolveAlone or ResolveFirst.
func Resolve(base, head *Config, fork bool) (effective *Config, changes []Change, ds []document.Diagnostic) {
	if head == nil {
		return base.clone(), []Change{{Path: base.Path, Key: configurationKey, Base: base.Path}}, nil
	}
	r := &resolver{base: base, head: head, effective: base.clone()}
	r.compareSettings()
	if base.Judge == nil && base.NoJudgeReason == "" && head.Judge != nil {
		r.effective.removeJudge("is only in the head's configuration, and the judge comes from the base: merge " +
			"it first, then write criteria for it")
	}
	r.resolveTargets(fork)
	r.resolvePolicies()
	r.resolveResults()
	r.takeHeadSettings()
	return r.effective, r.changes, r.faults
}

type resolver struct {
	base, head, effective *Config
	changes               []Change
	faults                []document.Diagnostic
}

func (r *resolver) recordProposed(key string) { r.recordChange(key, false) }

func (r *resolver) recordChange(key string, effective bool) {
	r.changes = append(r.changes, Change{Path: r.head.Path, Key: key, Base: r.base.entryTexts[key], Head: r.head.entryTexts[key], Effective: effective})
}

// compareSettings records a change for each setting that differs and that only the base decides. It records none for a
// default that differs because another setting does.
func (r *resolver) compareSettings() {
	head := r.head.entries()
	for i, e := range r.base.entries() {
		_, inBase := r.base.entryTexts[e.key]
		_, inHead := r.head.entryTexts[e.key]
		if e.meaning() != head[i].meaning() && (inBase || inHead) {
			r.recordProposed(e.key)
		}
	}
}

func (r *resolver) resolveTargets(fork bool) {
	for _, name := range bothKeys(r.base.Targets, r.head.Targets) {
		baseTarget, inBase := r.base.Targets[name]
		headTarget, inHead := r.head.Targets[name]
		if !inBase {
			r.effective.withhold(name, "is only in the head's configuration, and targets come from the base: "+
				"merge it first, then use it in suites")
		}
		if !inBase || !inHead {
			r.recordProposed("targets." + name)
			continue
		}
		// Keys that a head may change fit only the provider that they were written for.
		headMayChange := !fork && baseTarget.Provider == headTarget.Provider && !r.base.isJudgeTarget(name)
		theirKeys := headTarget.keys()
		for i, k := range baseTarget.keys() {
			if k.meaning() != theirKeys[i].meaning() {
				r.recordChange("targets."+name+"."+k.key, headMayChange && k.headMayChange)
			}
		}
		if !headMayChange {
			continue
		}
		if baseTarget.Model != headTarget.Model && baseTarget.Price != nil {
			baseTarget.Price, baseTarget.PricedModel = r.priceOf(baseTarget, headTarget)
		}
		baseTarget.Model, baseTarget.Temperature, baseTarget.MaxTokens = headTarget.Model, headTarget.Temperature,
			headTarget.MaxTokens
		r.effective.Targets[name] = baseTarget
	}
	setRecordedInputs(r.effective.Targets, r.head.answeringTargets())
}

// setRecordedInputs sets Inputs of each recorded target in targets to the case inputs that any target in live takes.
// The keys of recorded answers depend on these inputs. In a pull request, live has the head's targets, because
// `failproof record` calls them. Live targets in targets stay unchanged.
func setRecordedInputs(targets, live map[string]Target) {
	for name, t := range targets {
		if t.Provider == "recorded" {
			t.Inputs = liveInputs(live)
			targets[name] = t
		}
	}
}

// priceOf returns the price of the head's model at the base's target. baseTarget and headTarget have the same name. If
// a target of the base has the head's model and the same address, priceOf returns the price of that target, and model
// is "". Otherwise it returns the higher of the prices of baseTarget and headTarget, and model is the base's.
func (r *resolver) priceOf(baseTarget, headTarget Target) (price *Price, model string) {
	for _, name := range slices.Sorted(maps.Keys(r.base.Targets)) {
		t := r.base.Targets[name]
		if t.Provider == baseTarget.Provider && t.BaseURL == baseTarget.BaseURL && t.HTTP.URL == baseTarget.HTTP.URL && t.Model == headTarget.Model && t.Price != nil {
			return t.Price, ""
		}
	}
	dearer := *baseTarget.Price
	if p := headTarget.Price; p != nil {
		dearer.InputPerMillion = max(dearer.InputPerMillion, p.InputPerMillion)
		dearer.OutputPerMillion = max(dearer.OutputPerMillion, p.OutputPerMillion)
	}
	return &dearer, baseTarget.Model
}

// withhold removes the target with the given name, so that it is not called, and records why.
func (c *Config) withhold(name, why string) {
	delete(c.Targets, name)
	if c.Withheld == nil {
		c.Withheld = map[string]string{}
	}
	c.Withheld[name] = why
}

// resolvePolicies adds the policies that only the head has, for the cases that name them. A new policy with apply: all
// applies to other cases only after the merge, because the base's answers were not checked with it.
func (r *resolver) resolvePolicies() {
	r.effective.Policies = nil
	for _, both := range pairByName(r.base.Policies, r.head.Policies) {
		ours, theirs := both[0], both[1]
		if ours == nil {
			added := *theirs
			added.ApplyAll = false
			ours = &added
		}
		r.effective.Policies = append(r.effective.Policies, *ours)
		if theirs != nil && ours.meaning() == theirs.meaning() {
			continue
		}
		r.recordProposed(policyPrefix + ours.Name)
		// Of a policy that is for all cases no longer, it is not known which cases name it.
		if theirs != nil && (theirs.ApplyAll || !ours.ApplyAll) {
			r.effective.Announced = append(r.effective.Announced, *theirs)
		}
	}
}

// resolveResults adds the entries of `results` that only the head has.
func (r *resolver) resolveResults() {
	r.effective.Results = nil
	for _, both := range pairByName(r.base.Results, r.head.Results) {
		ours, theirs := both[0], both[1]
		switch {
		case ours == nil:
			ours = theirs
			r.recordChange(resultsPrefix+ours.Name, true)
		case theirs == nil || ours.meaning() != theirs.meaning():
			r.recordProposed(resultsPrefix + ours.Name)
		}
		r.effective.Results = append(r.effective.Results, *ours)
	}
}

// pairByName returns the entries of base and head in name order. Each pair has the entries with one name: that of the
// base, then that of the head. A side without such an entry has nil.
func pairByName[T interface{ name() string }](base, head []T) (pairs [][2]*T) {
	byName := map[string][2]*T{}
	for side, entries := range [][]T{base, head} {
		for i := range entries {
			both := byName[entries[i].name()]
			both[side] = &entries[i]
			byName[entries[i].name()] = both
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		pairs = append(pairs, byName[name])
	}
	return pairs
}

// takeHeadSettings takes the suites and default targets from the head. It warns of default targets that the base does
// not define.
func (r *resolver) takeHeadSettings() {
	r.effective.Path, r.effective.Suites, r.effective.SuitePositions = r.head.Path, r.head.Suites, r.head.SuitePositions
	if !slices.Equal(r.base.Suites, r.head.Suites) {
		r.recordChange("suites", true)
	}
	r.effective.DefaultTargets = r.head.DefaultTargets
	if !slices.Equal(r.base.DefaultTargets, r.head.DefaultTargets) {
		for _, key := range []string{"default_target", "default_targets"} {
			if key == "default_target" && len(r.base.DefaultTargets) < 2 && len(r.head.DefaultTargets) < 2 || r.base.entryTexts[key] != r.head.entryTexts[key] {
				r.recordChange(key, true)
			}
		}
	}
	for _, name := range r.head.DefaultTargets {
		if _, known := r.effective.Targets[name]; !known {
			r.faults = append(r.faults, document.NewWarning(r.head.Path, document.Position{}, "target",
				"default_target %s is not in the base's configuration, which defines the targets; it can be used "+
					"after the merge", document.Quote(name)))
		}
	}
}

// WithSettingsOf returns a configuration with the suites, default targets and targets of c. All other settings come
// from rules.
func (c *Config) WithSettingsOf(rules *Config) *Config {
	out := *rules
	out.Path, out.entryTexts = c.Path, c.entryTexts
	out.Suites, out.DefaultTargets, out.Targets = c.Suites, c.DefaultTargets, c.Targets
	return &out
}

// WithTarget returns a copy of c that also has the target t.
func (c *Config) WithTarget(t Target) *Config {
	out := c.clone()
	out.Targets[t.Name] = t
	return out
}

func bothKeys[V any](a, b map[string]V) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b)))))
}

// clone copies the parts of a configuration that this package modifies.
func (c *Config) clone() *Config {
	out := *c
	out.Withheld, out.Targets = maps.Clone(c.Withheld), map[string]Target{}
	maps.Copy(out.Targets, c.Targets)
	return &out
}

// WithRules returns a copy of c with the gate and the phase of a stored report. A comparison with a stored report uses
// the report's rules. It also returns the settings that differ between c and the copy.
func (c *Config) WithRules(gate Gate, phase Phase) (*Config, []Change) {
	out := c.clone()
	out.Gate, out.Phase = gate, phase
	var changes []Change
	wanted := c.entries()
	for i, e := range out.entries() {
		if was, wants := e.meaning(), wanted[i].meaning(); was != wants {
			changes = append(changes, Change{Path: c.Path, Key: e.key, Base: was, Head: wants})
		}
	}
	return out, changes
}

// configurationKey is the key of a change of the whole file: the file is new, is removed, or has moved.
const configurationKey = "configuration"

// DefaultSuites are the globs of suites in a tree whose configuration names none, or that has no configuration.
var DefaultSuites = []string{"suites/**/*.{yaml,yml,json,jsonl}", "**/*.prompt.{yml,yaml}", EvalsGlob}

// EvalsGlob matches files with evaluations of agent skills. Other files with these names are skipped.
const EvalsGlob = "**/{evals.json,eval.yaml}"

// ShadowError returns an error if the head adds a configuration at Paths[0] while the base's configuration is at
// Paths[1]. The base's one would then no longer be read.
func ShadowError(base, head fs.FS) (fault document.Diagnostic, found bool) {
	if Exists(base, Paths[0]) || !Exists(base, Paths[1]) || !Exists(head, Paths[0]) || !Exists(head, Paths[1]) {
		return document.Diagnostic{}, false
	}
	return document.NewError(Paths[0], document.Position{}, "two-configurations", "this file would replace %s, "+
		"the base's configuration; change that one, or remove it to move the configuration", Paths[1]), true
}

// PathChange returns a change if the configuration moved to another path. It returns nil if either tree has no
// configuration.
func PathChange(base, head fs.FS) []Change {
	was, _ := Find(base)
	headPath, _ := Find(head)
	if was == "" || headPath == "" || was == headPath {
		return nil
	}
	return []Change{{Path: headPath, Key: configurationKey, Base: was, Head: headPath}}
}

// Exists reports whether the tree has the file. It also returns true for a file that cannot be opened.
func Exists(fsys fs.FS, path string) bool {
	_, err := fs.Stat(fsys, path)
	return !errors.Is(err, fs.ErrNotExist)
}

// PromptBounds limits the models and tokens that a fork's prompt files may request, because the base's key pays for
// them.
type PromptBounds struct {
	Models []string                 // models that the base's targets or prompt files name
	Suites map[string]PromptRequest // what the base's prompt files request, by suite id
}

// PromptRequest is the model and the token limit that a prompt file requests.
type PromptRequest struct {
	Model     string
	MaxTokens *int // nil: no limit
}

// Limit returns the request of a suite within the bounds b. t is the target. If the base names the model nowhere, the
// model of the base's prompt file replaces it, or else the target's. The token limit is at most that of the base's
// prompt file, or else that of the target. If b is nil, everything is allowed. A suite without an entry has that of its
// id without the target, because only one side may have several targets.
func (b *PromptBounds) Limit(suiteID string, request PromptRequest, t Target) PromptRequest {
	if b == nil {
		return request
	}
	was := cmp.Or(b.Suites[suiteID], b.Suites[suiteid.AuthorID(suiteID)])
	if request.Model != "" && !slices.Contains(b.Models, request.Model) {
		request.Model = cmp.Or(was.Model, t.Model)
	}
	if limit := cmp.Or(was.MaxTokens, t.MaxTokens); limit != nil && (request.MaxTokens == nil || *request.MaxTokens > *limit) {
		request.MaxTokens = limit
	}
	return request
}
