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

// Paths are where a configuration is looked for; the first that is there counts.
var Paths = [...]string{".github/failproof.yml", "failproof.yml"}

// Find returns the path of the tree's configuration, false if it has none. A file that cannot be opened is found, so that
// Load says why.
func Find(fsys fs.FS) (path string, ok bool) {
	for _, path := range Paths {
		if exists(fsys, path) {
			return path, true
		}
	}
	return "", false
}

// Misnamed is a file that is called as a configuration would be, but for its extension; "" where there is none. It is not read.
func Misnamed(fsys fs.FS) string {
	for _, path := range Paths {
		if name := strings.TrimSuffix(path, ".yml") + ".yaml"; exists(fsys, name) {
			return name
		}
	}
	return ""
}

// Default is what holds without a configuration: no suites, no targets, and a gate at the figures of deployment.
func Default() *Config {
	return &Config{
		Phase:      Deployment,
		Gate:       defaultGate(Deployment),
		Targets:    map[string]Target{},
		Refusal:    Refusal{Language: "en"},
		Semantic:   Semantic{Provider: ProviderAuto, OnUnavailable: Review},
		Recordings: Recordings{Stale: StaleError},
		Explain:    Explain{MaxCalls: defaultExplain},
		Scoring:    Scoring{Risk: risk.DefaultSettings()},
		written:    map[string]string{},
	}
}

// Load reads a configuration and returns everything that is wrong with it. The Config is nil if any of that is an error.
func Load(fsys fs.FS, path string) (*Config, []document.Diagnostic) {
	data, ds := document.Read(fsys, path)
	if document.HasErrors(ds) {
		return nil, ds
	}
	root, faults := document.Parse(path, data)
	r := &reader{path: path, faults: append(ds, faults...)}
	var cfg *Config
	if root != nil {
		cfg = r.checked(root)
	}
	if path == Paths[0] && exists(fsys, Paths[1]) {
		r.faults = append(r.faults, document.NewWarning(path, document.Position{}, "two-configurations", "%s is there too and is not read; remove one of them", Paths[1]))
	}
	document.Sort(r.faults)
	r.faults = slices.Compact(r.faults)
	if document.HasErrors(r.faults) {
		return nil, r.faults
	}
	return cfg, r.faults
}

var configSchema = document.EmbeddedSchema("config.schema.json", schemas.Config)

// checked reads a tree, and what is wrong with it by the schema, and beyond what any schema can say.
func (r *reader) checked(root *document.Node) *Config {
	r.faults = append(r.faults, configSchema().Check(r.path, root)...)
	cfg := Default()
	cfg.Path = r.path
	r.fill(cfg, root)
	cfg.note("", root)
	return cfg
}

func explainOf(n *document.Node) Explain {
	if wordOf(n) == string(Off) {
		return Explain{}
	}
	return Explain{MaxCalls: cmp.Or(wholeOf(n.Get("max_calls")), defaultExplain)}
}

// warnNobodyToAsk warns of entries by which recorded cases are asked live where there is nobody to ask.
func (r *reader) warnNobodyToAsk(n *document.Node, cfg *Config) {
	if slices.ContainsFunc(slices.Collect(maps.Values(cfg.Targets)), Target.Live) {
		return
	}
	const what = "recordings.%s has nobody to ask: the configuration has no live target; add one to targets, or take the entry out"
	if cfg.Recordings.Verify > 0 {
		r.warnAt(n.Get("verify"), "no-live-target", what, "verify")
	}
	if cfg.Recordings.Stale == StaleAsk {
		r.warnAt(n.Get("stale"), "no-live-target", what, "stale")
	}
}

// fill takes over every setting of the file. A value of the wrong kind has its fault already and is passed over.
func (r *reader) fill(cfg *Config, root *document.Node) {
	cfg.Suites, cfg.SuitesAt = r.suites(root.Get("suites"))
	cfg.Targets = r.targets(root.Get("targets"))
	cfg.DefaultTargets = r.defaultTargets(root, cfg.Targets)
	cfg.Gate = defaultGate(cmp.Or(Phase(root.Get("phase").AsText()), cfg.Phase))
	cfg.Scoring = r.scoring(root.Get("scoring"))
	for _, e := range cfg.entries() {
		at := root
		for part := range strings.SplitSeq(e.key, ".") {
			at = at.Get(part)
		}
		e.read(at)
	}
	r.gate(root.Get("gate"), &cfg.Gate)
	cfg.Policies = r.policies(root.Get("policies"))
	cfg.Refusal.ExtraPatterns = r.patterns(root.Get("refusal").Get("extra_patterns"))
	cfg.Secrets.RedactPatterns = r.patterns(root.Get("secrets").Get("redact_patterns"))
	cfg.Semantic.SHA256 = strings.ToLower(cfg.Semantic.SHA256)
	r.checkSemantic(cfg.Semantic, root.Get("semantic"))
	cfg.Judge = r.judge(root.Get("judges").Get("default"), cfg.Targets)
	recordedOf(cfg.Targets, cfg.answering())
	r.warnNobodyToAsk(root.Get("recordings"), cfg)
	cfg.Limits.MaxWallSeconds = r.seconds(root.Get("limits").Get("max_wall"), 24*time.Hour)
	cfg.Explain = explainOf(root.Get("explain"))
}

type reader struct {
	path   string
	faults []document.Diagnostic
}

func (r *reader) errorAt(at *document.Node, rule, format string, args ...any) {
	r.faultAt(at.Pos, rule, format, args...)
}

func (r *reader) warnAt(at *document.Node, rule, format string, args ...any) {
	r.faults = append(r.faults, document.NewWarning(r.path, at.Pos, rule, format, args...))
}

func (r *reader) faultAt(at document.Position, rule, format string, args ...any) {
	r.faults = append(r.faults, document.NewFault(r.path, at, rule, format, args...))
}

// wholeOf returns a whole number, 0 if there is none; the schema bounds it.
func wholeOf(n *document.Node) int {
	v, _ := n.AsNumber()
	return int(min(v, 1e15))
}

// seconds reads a duration, which the schema has given its form: 500ms, 30s, 20m, 1h.
func (r *reader) seconds(n *document.Node, most time.Duration) float64 {
	text := n.AsText()
	d, err := time.ParseDuration(text)
	switch {
	case text == "" || err != nil:
		return 0
	case d > most:
		r.errorAt(n, "range", "%s is longer than %s", document.Quote(text), most)
	}
	return d.Seconds()
}
