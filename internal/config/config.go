// Package config turns the configuration file into settings. For each setting, it decides whether the value of the base
// or of the head applies. It reads only the file trees that its callers pass.
package config

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Phase is a preset of thresholds.
type Phase string

const (
	Baseline   Phase = "baseline"
	Finetuned  Phase = "finetuned"
	Deployment Phase = "deployment"
)

// Threshold returns the phase's default threshold: 0.15, 0.50 or 0.85.
func (p Phase) Threshold() float64 {
	switch p {
	case Baseline:
		return 0.15
	case Finetuned:
		return 0.50
	default:
		return 0.85
	}
}

// Config is a configuration with its defaults filled in.
type Config struct {
	Path           string // path of the file in its tree
	Suites         []string
	SuitePositions map[string]document.Position // positions of Suites in the file; nil if the file names none
	DefaultTargets []string                     // names of the targets of suites that name no target
	Targets        map[string]Target
	Withheld       map[string]string // by target name: why a target of the file is not called; see Resolve
	Unmerged       bool              // live targets and the judge are withheld until the configuration is merged
	Phase          Phase
	Gate           Gate
	Policies       []Policy // in name order
	Announced      []Policy // those that the head adds for all cases or edits, as they are after the merge
	Refusal        Refusal
	Scoring        Scoring
	Semantic       Semantic
	Results        []Results // another runner's results, in name order; empty if suites are run
	Recordings     Recordings
	Judge          *Judge // nil if the file has no judge, or if its judge is not in effect
	NoJudgeReason  string // why the file's judge is not in effect; "" if the file has no judge
	Limits         Limits
	Explain        Explain
	RedactPatterns []*regexp.Regexp // patterns of texts that must never be printed
	PromptBounds   *PromptBounds    // nil: no limits for prompt files

	entryTexts map[string]string // the text of each entry of the file, by key as in Change.Key
}

// Target is a model, application, command or recording that answers cases. The comment of a field that only one
// provider uses begins with the name of that provider.
type Target struct {
	Name              string
	Provider          string // recorded, echo, openai, anthropic, http, exec
	Path              string // recorded: the recording's path; {suite} is replaced by the suite's id
	RecordedFrom      string // recorded: name of the live target that gave the answers; "" if not named
	Model             string
	BaseURL           string
	APIKeyEnv         string
	APIKeyFile        string   // path of a file with the key, outside of the repository
	Headers           []Header // sent in addition to the headers of the protocol, in name order
	AllowHTTP         bool     // allows unencrypted http, except to public IP addresses
	Command           []string // exec: the program and its arguments
	HTTP              HTTP     // http: the request to an application, and how to read its response
	API               string   // openai: APIChat or APIResponses
	ReasoningEffort   string   // openai
	Seed              *int     // openai
	Stop              []string // openai
	ExtraBody         string   // openai: a JSON object whose members are added to the body; "" for none
	StructuredOutput  bool     // whether requests contain the suite's schema for its answers
	Temperature       *float64
	TopP              *float64
	MaxTokens         *int
	TimeoutSeconds    float64
	PatienceSeconds   float64 // how long a run waits for the target during outages, in total
	Concurrency       int
	RequestsPerMinute int
	TokensPerMinute   int
	Price             *Price
	PricedModel       string     // the model that Price belongs to; "" if that is Model
	Trials            int        // answers to each case, if the suite sets no number; 0: Gate.Trials if live, else 1
	Inputs            CaseInputs // parts of a case that are sent in addition to its messages
}

// Price is in US dollars per million tokens.
type Price struct{ InputPerMillion, OutputPerMillion float64 }

// Level is the effect of a broken rule of the gate.
type Level string

const (
	Off  Level = "off"
	Warn Level = "warn"
	Err  Level = "error"
)

// Gate has the settings of the gate's rules.
type Gate struct {
	Settings [keyCount]Setting `json:"-"` // by Key; scores, shares and drops are in [0, 1]

	// How a regression is distinguished from noise:
	Mode       string       `json:"mode"`    // auto, strict or noisy
	Trials     int          `json:"trials"`  // answers to each live case before reruns, if no suite or target sets them
	Confirm    int          `json:"confirm"` // maximum reruns of a flipped case on each side; 0: none
	Pooled     string       `json:"pooled"`  // PooledOn or PooledOff
	Recheck    *int         `json:"recheck"` // maximum reruns of every case of a suite; nil: auto
	Alpha      float64      `json:"alpha"`   // highest accepted chance of blocking a harmless change
	Quarantine []Quarantine `json:"quarantine,omitempty"`

	FailOn string `json:"fail_on"` // FailOnError or FailOnNever
}

// Values of Gate.FailOn.
const (
	FailOnError = "error" // a broken rule with the level error fails the run
	FailOnNever = "never" // nothing fails: the verdict is only reported
)

// Values of Gate.Pooled. PooledOn tests the reruns of all rerun cases together if no case is confirmed alone.
const (
	PooledOn  = "on"
	PooledOff = "off"
)

// Values of Gate.Mode. ModeAuto makes live cases noisy, and ModeStrict none. ModeNoisy makes live cases noisy, and also
// cases with several recorded answers.
const (
	ModeAuto   = "auto"
	ModeStrict = "strict"
	ModeNoisy  = "noisy"
)

// Quarantine excludes a case from the verdict until a date.
type Quarantine struct {
	ID      string `json:"id"` // the suite's id, a slash and the case's id
	Reason  string `json:"reason"`
	Expires string `json:"expires"` // the last day of the quarantine: 2006-01-02

	Pos document.Position `json:"-"` // position of the entry in the file
}

// Policy is a named rule on what an answer may say.
type Policy struct {
	Name        string
	Description string
	Patterns    []*regexp.Regexp
	ApplyAll    bool // whether the policy applies to every case (apply: all)
}

// Refusal configures how refusals are recognized.
type Refusal struct {
	ExtraPatterns []*regexp.Regexp
	Language      string // language of the answers; only en
}

// Recordings says how stale recordings are treated and how many recorded cases are verified live.
type Recordings struct {
	Stale  string // StaleError, StaleAsk or StaleWarn
	Verify int    // number of recorded cases to call live
}

// StaleError and the values below say how a stale recorded answer counts.
const (
	StaleError = "error" // its case gets an error
	StaleAsk   = "ask"   // the case is called live if the run has the key; otherwise it gets an error
	StaleWarn  = "warn"  // it counts as an answer, with a warning
)

// Limits limits the use of live targets. Recordings have no limits. Zero means the default; see WithDefaults.
type Limits struct {
	MaxCalls       int
	MaxTokens      int // 0 means no limit
	MaxCostUSD     float64
	MaxCases       int
	MaxWallSeconds float64
}

// WithDefaults returns the limits with the defaults filled in.
func (l Limits) WithDefaults() Limits {
	l.MaxCalls, l.MaxCases = cmp.Or(l.MaxCalls, 2000), cmp.Or(l.MaxCases, 10_000)
	l.MaxCostUSD, l.MaxWallSeconds = cmp.Or(l.MaxCostUSD, 5), cmp.Or(l.MaxWallSeconds, 1200)
	return l
}

// Explain limits the answers that a run requests to find the changed line that broke a case.
type Explain struct{ MaxCalls int } // 0: no answers; ExplainByCase: as many as the cases need

// ExplainByCase is the value of Explain.MaxCalls that allows explainCase answers for each broken case. Finding one of
// twelve changed lines takes about 40 answers, or about 90 with much noise.
const (
	ExplainByCase = -1
	explainCase   = 120
)

// MaxAnswers returns the maximum number of answers for explaining the given number of broken cases.
func (e Explain) MaxAnswers(cases int) int {
	if e.MaxCalls == ExplainByCase {
		return explainCase * cases
	}
	return e.MaxCalls
}

// Change is a setting that differs between base and head. The gate's rule on_policy_change decides whether a change
// fails the gate.
type Change struct {
	Path string `json:"path"` // the file with the setting
	Key  string `json:"key"`  // gate.min_run_score, policies.no-promises, suites.support/refund.min_score
	Base string `json:"base"` // as written in the file; "" if absent
	Head string `json:"head"`
	// the head's value applies at once; otherwise the base's applies until the merge
	Effective bool `json:"effective"`
	// cases (suite/case) that a new or edited policy will fail after the merge
	FailingCases []string `json:"caught,omitempty"`
	Missed       string   `json:"missed,omitempty"` // the score of this run, if it misses the proposed threshold

	// Of the first setting that changes the judge: the head's recorded verdicts that count now and not after the merge,
	// and those that count only after it, because they are of the new judge.
	StaleVerdicts int `json:"stale_verdicts,omitempty"`
	EarlyVerdicts int `json:"early_verdicts,omitempty"`

	// Of the first setting that changes a target: the same of the head's recorded answers.
	StaleAnswers int `json:"stale_answers,omitempty"`
	EarlyAnswers int `json:"early_answers,omitempty"`
}

// PromptFileKeys are the last parts of the keys of changes of what a prompt file asks of its model.
var PromptFileKeys = [...]string{"model", "temperature", "top_p", "max_tokens", "responseFormat", "jsonSchema"}

// IsTargetChange reports whether the change adds, removes or edits a target, or edits what a prompt file asks of its
// model in place of the target's settings.
func (c Change) IsTargetChange() bool {
	return strings.HasPrefix(c.Key, "targets.") || strings.HasPrefix(c.Key, "suites.") &&
		slices.Contains(PromptFileKeys[:], c.Key[strings.LastIndexByte(c.Key, '.')+1:])
}

// OfJudge reports whether the change is about the judge, whose target is one of targets.
func (c Change) OfJudge(targets ...string) bool {
	return strings.HasPrefix(c.Key, "judges.") || c.OfTarget(targets...)
}

// OfTarget reports whether the change is about one of the named targets.
func (c Change) OfTarget(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.HasPrefix(c.Key+".", "targets."+name+".")
	})
}

// policyPrefix is the prefix of the keys of policies.
const policyPrefix = "policies."

// PolicyName returns the name of the policy that the change is about, or "".
func (c Change) PolicyName() string {
	if name, ok := strings.CutPrefix(c.Key, policyPrefix); ok {
		return name
	}
	return ""
}
