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
	var all []document.Diagnostic // by which entries were dropped
	var paths [][]string          // of those entries, by fault
	for range rounds {
		known := len(all)
		for _, d := range faults {
			if d.Severity == document.Error && !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
		if len(all) == known {
			out.Config, out.Dropped = cfg, cfg.without(root, paths)
			return out
		}
		places := make([]document.Position, len(all))
		for i, d := range all {
			places[i] = d.At()
		}
		rest, gone, ok := document.Prune(root, places, func(path []string, i int) bool { return apart(path, all[i].Rule) })
		if !ok || slices.ContainsFunc(gone, func(path []string) bool { return path[0] == "version" }) {
			return out
		}
		r := &reader{path: path}
		cfg, paths = r.checked(rest), gone
		faults = r.faults
	}
	return out
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

// without tells a configuration what it was read without, and returns the keys of that. whole is as the file has it.
func (c *Config) without(whole *document.Node, paths [][]string) (keys []string) {
	for _, path := range paths {
		key := strings.TrimSuffix(strings.Join(path, "."), ".")
		if slices.Contains(keys, key) {
			continue
		}
		keys = append(keys, key)
		if key == judgeKey || key == "judges" {
			c.withoutJudge("is faulty in the base's configuration, %s", c.Path)
		}
		name, ofTarget := strings.CutPrefix(key, "targets.")
		if _, there := c.Targets[name]; ofTarget && len(path) == 2 && !there {
			c.withhold(name, "is faulty in the base's configuration, "+c.Path)
		}
	}
	written := textsOf(whole.Get("default_targets"))
	if name := whole.Get("default_target").AsText(); name != "" {
		written = []string{name}
	}
	if slices.ContainsFunc(written, func(name string) bool { return c.Withheld[name] != "" }) {
		c.DefaultTargets = written // who uses one that is withheld is told why it is not asked
	}
	return keys
}
