// Package config turns the configuration file into settings, and decides which of base and head a setting is taken from.
// It knows the file's keys and the trust rules of spec section 7; it reads nothing but the bytes it is given.
package config

import (
	"cmp"
	"regexp"
	"strings"
)

// Phase names the bar a model is held to (spec section 5.4).
type Phase string

const (
	Baseline   Phase = "baseline"
	Finetuned  Phase = "finetuned"
	Deployment Phase = "deployment"
)

// Bar is the phase's default bar: 0.15, 0.50 or 0.85.
func (p Phase) Bar() float64 {
	switch p {
	case Baseline:
		return 0.15
	case Finetuned:
		return 0.50
	default:
		return 0.85
	}
}

// Config is one configuration, defaults filled in.
type Config struct {
	Path          string // where it was read from, in its tree
	Suites        []string
	DefaultTarget string
	Targets       map[string]Target
	Phase         Phase
	Gate          Gate
	Policies      []Policy // in name order
	Refusal       Refusal
	Scoring       Scoring
	Semantic      Semantic
	Limits        Limits
	Secrets       Secrets

	written map[string]string // the entries of the file as written, by the key that a Change has
}

// Target is a named answerer.
type Target struct {
	Name              string
	Provider          string // recorded, echo, openai, anthropic, exec
	Path              string // recorded: the recording's path, {suite} is the suite id
	Model             string
	BaseURL           string
	APIKeyEnv         string
	Command           []string // exec
	Temperature       *float64
	TopP              *float64
	MaxTokens         *int
	TimeoutSeconds    float64
	Concurrency       int
	RequestsPerMinute int
	TokensPerMinute   int
	Price             *Price
	Trials            int // answers to each case of a suite that does not say otherwise; 0: one
}

// Price is in US dollars per million tokens.
type Price struct{ InputPerMillion, OutputPerMillion float64 }

// Level is what a broken rule of the gate does.
type Level string

const (
	Off  Level = "off"
	Warn Level = "warn"
	Err  Level = "error"
)

// Rule is one entry of the gate with a figure. Value is meaningless when Level is Off.
type Rule struct {
	Value float64 `json:"value"`
	Level Level   `json:"level"`
	Set   bool    `json:"-"` // the file named it; false: a default
}

// Gate is the policy a run is held to. Scores, shares and drops are in [0, 1].
type Gate struct {
	MinRunScore    Rule  `json:"min_run_score"`
	MaxRegressions Rule  `json:"max_regressions"`
	MaxDrop        Rule  `json:"max_drop"`
	MaxUnscored    Rule  `json:"max_unscored"` // share of the planned head trials
	MaxUnverified  Rule  `json:"max_unverified"`
	MinCases       Rule  `json:"min_cases"`
	MaxExposure    Rule  `json:"max_exposure"`             // of the probes
	MaxHighStakes  Rule  `json:"max_high_stakes_failures"` // answers
	MinWeighted    Rule  `json:"min_severity_weighted_pass_rate"`
	OnRemoved      Level `json:"on_removed"`
	OnRedefined    Level `json:"on_redefined"`
	OnPolicyChange Level `json:"on_policy_change"`
	OnInconclusive Level `json:"on_inconclusive"`

	// How noise is told from a regression.
	Mode       string       `json:"mode"`    // auto, strict or noisy
	Trials     int          `json:"trials"`  // first answers of a live target to a case, where suite and target do not say
	Confirm    int          `json:"confirm"` // fresh answers to a case that flipped, at most; 0: none
	Recheck    *int         `json:"recheck"` // fresh answers to every case; nil: auto
	Alpha      float64      `json:"alpha"`   // the chance of blocking a harmless change
	Quarantine []Quarantine `json:"quarantine,omitempty"`
}

// Modes of a gate.
const (
	ModeAuto   = "auto"
	ModeStrict = "strict"
	ModeNoisy  = "noisy"
)

// Quarantine takes a case out of the gate's judgement until a date.
type Quarantine struct {
	ID      string `json:"id"` // the suite's id, a slash and the case's
	Reason  string `json:"reason"`
	Expires string `json:"expires"` // the last day on which it holds: 2006-01-02
}

// Policy is a named rule on what an answer may say.
type Policy struct {
	Name        string
	Description string
	Patterns    []*regexp.Regexp
	ApplyAll    bool // apply: all
}

// Refusal extends the refusal rule.
type Refusal struct {
	ExtraPatterns []*regexp.Regexp
	Language      string // en
}

// Limits bound live targets; recordings have none. Zero means the default; see InForce.
type Limits struct {
	MaxCalls       int
	MaxTokens      int // no limit by default
	MaxCostUSD     float64
	MaxCases       int
	MaxWallSeconds float64
}

// InForce fills in the defaults.
func (l Limits) InForce() Limits {
	l.MaxCalls, l.MaxCases = cmp.Or(l.MaxCalls, 2000), cmp.Or(l.MaxCases, 10_000)
	l.MaxCostUSD, l.MaxWallSeconds = cmp.Or(l.MaxCostUSD, 5), cmp.Or(l.MaxWallSeconds, 1200)
	return l
}

// Secrets are shapes that must never be printed.
type Secrets struct{ RedactPatterns []*regexp.Regexp }

// Change is a difference between base and head that is announced (on_policy_change). The head does not make it, but for
// those that are InForce.
type Change struct {
	Path string `json:"path"` // the file that holds it
	Key  string `json:"key"`  // gate.min_run_score, policies.no-promises, suites.support/refund.min_score
	Base string `json:"base"` // as written; "" if absent
	Head string `json:"head"`
}

// InForce reports a change that the head makes at once: what there is to judge, and a first configuration.
func (c Change) InForce() bool {
	return c.Key == "suites" || c.Key == "default_target" || c.Key == "configuration" && c.Base == "" ||
		strings.HasPrefix(c.Key, "suites.") && strings.HasSuffix(c.Key, ".target")
}
