package config

import (
	"cmp"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/schemas"
)

// Paths are the possible paths of a configuration. The first path that exists is used.
var Paths = [...]string{".github/failproof.yml", "failproof.yml"}

// Find returns the path of the tree's configuration, or false if there is none. It also finds a file that cannot be
// opened, because Load then reports why.
func Find(fsys fs.FS) (path string, ok bool) {
	for _, path := range Paths {
		if Exists(fsys, path) {
			return path, true
		}
	}
	return "", false
}

// Misnamed returns the path of a configuration that is not read because its extension is .yaml instead of .yml, or "".
func Misnamed(fsys fs.FS) string {
	for _, path := range Paths {
		if name := strings.TrimSuffix(path, ".yml") + ".yaml"; Exists(fsys, name) {
			return name
		}
	}
	return ""
}

// Default returns the configuration of a tree without a file: no suites, no targets, and a gate for the phase
// deployment.
func Default() *Config {
	return &Config{
		Phase:      Deployment,
		Gate:       defaultGate(Deployment),
		Targets:    map[string]Target{},
		Refusal:    Refusal{Language: "en"},
		Semantic:   Semantic{Provider: ProviderAuto, OnUnavailable: Review},
		Recordings: Recordings{Stale: StaleError},
		Explain:    Explain{MaxCalls: ExplainByCase},
		Scoring:    Scoring{Risk: risk.DefaultSettings()},
		entryTexts: map[string]string{},
	}
}

// Load reads the configuration at path and returns all its errors and warnings. The Config is nil if there is an error.
func Load(fsys fs.FS, path string) (*Config, []document.Diagnostic) {
	cfg, _, ds := readFile(fsys, path)
	if document.HasErrors(ds) {
		return nil, ds
	}
	return cfg, ds
}

// readFile reads the configuration at path and returns it with its tree and all its errors and warnings. The
// configuration and the tree are nil if the file cannot be read at all.
func readFile(fsys fs.FS, path string) (cfg *Config, root *document.Node, ds []document.Diagnostic) {
	data, ds := document.Read(fsys, path)
	if document.HasErrors(ds) {
		return nil, nil, ds
	}
	root, faults := document.Parse(path, data)
	r := newReader(path)
	r.Add(append(ds, faults...)...)
	if root != nil {
		cfg = readTree(r, root)
	}
	if path == Paths[0] && Exists(fsys, Paths[1]) {
		r.WarnAt(document.Position{}, "two-configurations", "%s exists too and is not read; remove one of the two", Paths[1])
	}
	return cfg, root, r.All()
}

var configSchema = document.EmbeddedSchema("config.schema.json", schemas.Config)

// readTree returns the configuration in the tree root. It adds all errors to r, including errors that a schema cannot
// express.
func readTree(r *reader, root *document.Node) *Config {
	r.Add(configSchema().Check(r.Path, root)...)
	cfg := Default()
	cfg.Path = r.Path
	fill(r, cfg, root)
	addTexts(cfg.entryTexts, "", root)
	return cfg
}

// warnNoLiveTarget warns if a setting of recordings needs a live target and the configuration has none. n is the value
// of the key recordings.
func warnNoLiveTarget(r *reader, n *document.Node, cfg *Config) {
	if slices.ContainsFunc(slices.Collect(maps.Values(cfg.Targets)), Target.Live) {
		return
	}
	const what = "recordings.%s needs a live target, and the configuration has none; add one to targets, or " +
		"remove this entry"
	if cfg.Recordings.Verify > 0 {
		r.WarnAt(n.Get("verify").Pos, "no-live-target", what, "verify")
	}
	if cfg.Recordings.Stale == StaleAsk {
		r.WarnAt(n.Get("stale").Pos, "no-live-target", what, "stale")
	}
}

// fill sets cfg from every setting of the file. It skips values of the wrong kind, which the schema reports.
func fill(r *reader, cfg *Config, root *document.Node) {
	cfg.Suites, cfg.SuitePositions = readSuites(r, root.Get("suites"))
	cfg.Results = readResults(r, root.Get("results"))
	if at := root.Get("suites"); at != nil && len(cfg.Results) > 0 {
		r.ErrorAt(at.Pos, "suites", "suites and results stand in one configuration, and a run has one of them; take "+
			"the other into a configuration of its own")
	}
	cfg.Targets = readTargets(r, root.Get("targets"))
	cfg.DefaultTargets = readDefaultTargets(r, root, cfg.Targets)
	cfg.Gate = defaultGate(cmp.Or(Phase(root.Get("phase").AsText()), cfg.Phase))
	cfg.Scoring = readScoring(r, root.Get("scoring"))
	for _, e := range cfg.entries() {
		at := root
		for part := range strings.SplitSeq(e.key, ".") {
			at = at.Get(part)
		}
		e.read(at)
	}
	checkConfirmable(r, cfg.Gate, root.Get("gate"))
	cfg.Gate.Quarantine = readQuarantine(r, root.Get("gate").Get("quarantine"))
	cfg.Policies = readPolicies(r, root.Get("policies"))
	cfg.Refusal.ExtraPatterns = r.patterns(root.Get("refusal").Get("extra_patterns"))
	cfg.RedactPatterns = r.patterns(root.Get("secrets").Get("redact_patterns"))
	cfg.Semantic.SHA256 = strings.ToLower(cfg.Semantic.SHA256)
	checkSemantic(r, cfg.Semantic, root.Get("semantic"))
	cfg.Judge = readJudge(r, root.Get("judges").Get("default"), cfg.Targets)
	setRecordedInputs(cfg.Targets, cfg.answeringTargets())
	warnNoLiveTarget(r, root.Get("recordings"), cfg)
	cfg.Limits.MaxWallSeconds = r.seconds(root.Get("limits").Get("max_wall"), 24*time.Hour)
	explain := root.Get("explain")
	cfg.Explain.MaxCalls = cmp.Or(intOf(explain.Get("max_calls")), ExplainByCase)
	if wordOf(explain) == string(Off) {
		cfg.Explain.MaxCalls = 0
	}
}

// reader collects the diagnostics of the configuration that is being read.
type reader struct{ document.Diagnostics }

func newReader(path string) *reader { return &reader{*document.NewDiagnostics(path)} }

// intOf returns the number in n without its fraction, or 0 if n is no number. The schema checks the form and the
// range.
func intOf(n *document.Node) int {
	v, _ := n.AsNumber()
	return int(min(v, 1e15))
}

// seconds returns the duration in n in seconds. The schema allows the forms 500ms, 30s, 20m and 1h. A duration above
// limit is an error.
func (r *reader) seconds(n *document.Node, limit time.Duration) float64 {
	d, _ := time.ParseDuration(n.AsText()) // 0 for any other form, which the schema reports
	if d > limit {
		r.ErrorAt(n.Pos, "range", "%s is longer than %s", document.Quote(n.AsText()), limit)
	}
	return d.Seconds()
}

// Salvaged is the valid part of the base's configuration. An error in the base must not weaken the rules for the head.
type Salvaged struct {
	Config  *Config  // valid entries, and defaults for the rest; nil if no entry is valid
	Dropped []string // keys of invalid entries: gate.min_run_score, policies.no-promises
	Faults  []document.Diagnostic
}

// salvageRounds limits how often Salvage checks the remaining entries. Dropping an entry may make another entry invalid
// that needs it.
const salvageRounds = 16

// Salvage reads the configuration at path entry by entry and drops invalid entries. If there is no error, its Config
// equals the one of Load.
func Salvage(fsys fs.FS, path string) Salvaged {
	cfg, root, faults := readFile(fsys, path)
	out := Salvaged{Faults: faults}
	if root.Get("version") == nil {
		return out
	}
	var dropping []document.Diagnostic // errors that led to dropped entries
	var paths [][]string               // the entries of each error
	for range salvageRounds {
		known := len(dropping)
		for _, d := range faults {
			if d.Severity == document.Error && !slices.Contains(dropping, d) {
				dropping = append(dropping, d)
			}
		}
		if len(dropping) == known {
			out.Config, out.Dropped = cfg, cfg.recordDropped(root, paths)
			return out
		}
		places := make([]document.Position, len(dropping))
		for i, d := range dropping {
			places[i] = d.Pos()
		}
		pruned, dropped, ok := document.Prune(root, places, func(path []string, i int) bool { return dropsInner(path, dropping[i].Rule) })
		if !ok || slices.ContainsFunc(dropped, func(path []string) bool { return path[0] == "version" }) {
			return out
		}
		r := newReader(path)
		cfg, paths = readTree(r, pruned), dropped
		faults = r.All()
	}
	return out
}

// dropsInner reports whether Salvage drops only the invalid entries below path. Otherwise, Salvage drops everything
// below path. rule is the rule of the error. A target that lacks a key is dropped as a whole, although the error is
// reported at the target's first entry.
func dropsInner(path []string, rule string) bool {
	return len(path) == 1 || len(path) == 2 && path[0] == "targets" && rule != "missing-key"
}

// recordDropped returns the keys of the entries at paths, which Salvage dropped. If a judge or a target is among them,
// recordDropped records in c why it is missing. root is the root of the file's tree.
func (c *Config) recordDropped(root *document.Node, paths [][]string) (keys []string) {
	for _, path := range paths {
		key := strings.TrimSuffix(strings.Join(path, "."), ".")
		if slices.Contains(keys, key) {
			continue
		}
		keys = append(keys, key)
		if key == judgeKey || key == "judges" {
			c.removeJudge("has an error in the base's configuration, " + c.Path)
		}
		name, ofTarget := strings.CutPrefix(key, "targets.")
		if _, there := c.Targets[name]; ofTarget && len(path) == 2 && !there {
			c.withhold(name, "has an error in the base's configuration, "+c.Path)
		}
	}
	written := textsOf(root.Get("default_targets"))
	if name := root.Get("default_target").AsText(); name != "" {
		written = []string{name}
	}
	if slices.ContainsFunc(written, func(name string) bool { return c.Withheld[name] != "" }) {
		c.DefaultTargets = written // a suite without a target gets the reason, and no other target
	}
	return keys
}
