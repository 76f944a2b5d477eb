package config

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Salvaged is what is in force of a configuration that may have faults: a base's, whose faults nobody who is judged by it may
// use.
type Salvaged struct {
	Config  *Config  // what parses, the rest being at its default; nil: nothing can be told of it
	Dropped []string // the keys that are not in force: gate.min_run_score, policies.no-promises
	Faults  []document.Diagnostic
}

// rounds bounds how often what is left is checked again: what is dropped may leave something else without what it needs.
const rounds = 16

// Salvage reads a configuration entry by entry. One without a fault is as Load has it.
func Salvage(fsys fs.FS, path string) Salvaged {
	cfg, faults := Load(fsys, path)
	if cfg != nil {
		return Salvaged{Config: cfg, Faults: faults}
	}
	out := Salvaged{Faults: faults}
	data, ds := document.Read(fsys, path)
	if document.HasErrors(ds) {
		return out
	}
	root, _ := document.Parse(path, data)
	if root == nil || root.Kind != document.Map || root.Get("version") == nil {
		return out
	}
	p := &pruning{path: path, whole: root, root: root}
	for range rounds {
		switch p.drop(faults) {
		case lost:
			return out
		case nothingLeft:
			out.Config, out.Dropped = p.read()
			return out
		}
		faults = p.check()
	}
	return out
}

// pruning drops entries until what is left has no fault.
type pruning struct {
	path   string
	whole  *document.Node // as the file has it
	root   *document.Node // what is left
	faults []document.Diagnostic
	paths  [][]string // of the entries that were dropped, by fault
}

type outcome int

const (
	nothingLeft outcome = iota // no fault is left
	dropped                    // something was dropped
	lost                       // a fault lies in no entry
)

// drop drops what the faults that are new lie in.
func (p *pruning) drop(faults []document.Diagnostic) outcome {
	before := len(p.faults)
	for _, d := range faults {
		if d.Severity == document.Error && !slices.Contains(p.faults, d) {
			p.faults = append(p.faults, d)
		}
	}
	if len(p.faults) == before {
		return nothingLeft
	}
	places := make([]document.Position, len(p.faults))
	for i, d := range p.faults {
		places[i] = d.At()
	}
	ok := false
	p.root, p.paths, ok = document.Prune(p.whole, places, func(path []string, i int) bool { return apart(path, p.faults[i].Rule) })
	if !ok || slices.ContainsFunc(p.paths, func(path []string) bool { return path[0] == "version" }) {
		return lost
	}
	return dropped
}

// apart says which sections fall entry by entry. What a target lacks is told at its first entry, and is no fault of that one.
func apart(path []string, rule string) bool {
	switch path[0] {
	case "gate", "policies", "refusal", "scoring", "semantic", "judges", "limits", "explain", "secrets", "suites":
		return len(path) == 1
	case "targets":
		return len(path) == 1 || len(path) == 2 && rule != "missing-key"
	}
	return false
}

// check returns the faults of what is left.
func (p *pruning) check() []document.Diagnostic {
	r := &reader{path: p.path}
	r.checked(p.root)
	return r.faults
}

// read makes the configuration of what is left, and says which keys are not and of targets why.
func (p *pruning) read() (cfg *Config, keys []string) {
	r := &reader{path: p.path}
	cfg = r.checked(p.root)
	for _, path := range p.paths {
		key := strings.TrimSuffix(strings.Join(path, "."), ".")
		if slices.Contains(keys, key) {
			continue
		}
		keys = append(keys, key)
		if key == judgeKey || key == "judges" {
			cfg.withoutJudge("is faulty in the base's configuration, %s", p.path)
		}
		name, ofTarget := strings.CutPrefix(key, "targets.")
		if _, there := cfg.Targets[name]; ofTarget && len(path) == 2 && !there {
			cfg.withhold(name, "is faulty in the base's configuration, "+p.path)
		}
	}
	written := textsOf(p.whole.Get("default_targets"))
	if name := p.whole.Get("default_target").AsText(); name != "" {
		written = []string{name}
	}
	if slices.ContainsFunc(written, func(name string) bool { return cfg.Withheld[name] != "" }) {
		cfg.DefaultTargets = written // who uses one that is withheld is told why it is not asked
	}
	return cfg, keys
}
