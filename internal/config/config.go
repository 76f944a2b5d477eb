// Package config turns the configuration file into settings, and decides which of base and head a setting is taken
// from. It knows the file's keys and whose settings hold, the base's or the head's; it reads nothing but the bytes it
// is given.
package config

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Phase names the bar a model is held to.
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
	Path           string // where it was read from, in its tree
	Suites         []string
	SuitesAt       map[string]document.Position // where each of them stands in the file; nil where it names none, and DefaultSuites hold
	DefaultTargets []string                     // who answer a suite that does not say
	Targets        map[string]Target
	Withheld       map[string]string // why a target that the file names is not asked, by name; see Resolve
	Phase          Phase
	Gate           Gate
	Policies       []Policy // in name order
	Refusal        Refusal
	Scoring        Scoring
	Semantic       Semantic
	Results        []Results // of another runner, in name order; none where suites are run
	Recordings     Recordings
	Judge          *Judge // nil: there is none, or none in force
	NoJudge        string // why the judge that the file names is not in force; "" where it names none
	Limits         Limits
	Explain        Explain
	Secrets        Secrets
	PromptBounds   *PromptBounds // nil: prompt files ask for what they like

	written map[string]string // the entries of the file as written, by the key that a Change has
}

// Target is a named answerer.
type Target struct {
	Name              string
	Provider          string // recorded, echo, openai, anthropic, http, exec
	Path              string // recorded: the recording's path, {suite} is the suite id
	Records           string // recorded: the live target whose answers they are; "" where it does not say
	Model             string
	BaseURL           string
	APIKeyEnv         string
	APIKeyFile        string   // holds the key in place of a variable, outside of the repository
	Headers           []Header // sent beside the protocol's own, by name
	AllowHTTP         bool     // the address may be a private one without encryption
	Command           []string // exec
	HTTP              HTTP     // http
	API               string   // openai: APIChat or APIResponses
	ReasoningEffort   string   // openai
	Seed              *int     // openai
	Stop              []string // openai
	ExtraBody         string   // openai: members that are added to the body, a JSON object; "" for none
	StructuredOutput  bool     // the schema that a suite has for its answers is sent
	Temperature       *float64
	TopP              *float64
	MaxTokens         *int
	TimeoutSeconds    float64
	PatienceSeconds   float64 // how long in all a run waits for it while it is out of order
	Concurrency       int
	RequestsPerMinute int
	TokensPerMinute   int
	Price             *Price
	PricedModel       string     // the model that Price is of, where it is not Model; "" for Model
	Trials            int        // answers to each case of a suite that does not say otherwise; 0: one
	Takes             CaseInputs // of a case, beside its messages
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

// Gate is the policy that a run is held to.
type Gate struct {
	Settings [keyCount]Setting `json:"-"` // by Key; scores, shares and drops are in [0, 1]

	// How noise is told from a regression.
	Mode       string       `json:"mode"`    // auto, strict or noisy
	Trials     int          `json:"trials"`  // first answers of a live target to a case, where suite and target do not say
	Confirm    int          `json:"confirm"` // fresh answers to a case that flipped, at most; 0: none
	Pooled     string       `json:"pooled"`  // PooledOn or PooledOff
	Recheck    *int         `json:"recheck"` // fresh answers to every case; nil: auto
	Alpha      float64      `json:"alpha"`   // the chance of blocking a harmless change
	Quarantine []Quarantine `json:"quarantine,omitempty"`

	FailOn string `json:"fail_on"` // FailOnError or FailOnNever
}

// What fails a run.
const (
	FailOnError = "error"
	FailOnNever = "never" // nothing: the verdict is reported alone
)

// Whether what fresh answers prove of no single case is tested over all of them together.
const (
	PooledOn  = "on"
	PooledOff = "off"
)

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

	Pos document.Position `json:"-"` // of the entry
}

// Policy is a named rule on what an answer may say.
type Policy struct {
	Name        string
	Description string
	Patterns    []*regexp.Regexp
	ApplyAll    bool // apply: all
	Announced   bool // only the head has it, with apply: all: it decides the cases that name it, and of the others says what it would catch
}

// Refusal extends the refusal rule.
type Refusal struct {
	ExtraPatterns []*regexp.Regexp
	Language      string // en
}

// Recordings says what becomes of recorded answers that cannot be taken as they are.
type Recordings struct {
	Stale  string // StaleError, StaleAsk or StaleWarn
	Verify int    // recorded cases that are asked live; 0: none
}

// What a stale answer is.
const (
	StaleError = "error" // an error of its case
	StaleAsk   = "ask"   // a reason to ask the case live, where the run holds the key; else an error
	StaleWarn  = "warn"  // an answer all the same, which is warned of
)

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

// Explain says how many answers may be asked for to find the changed line that broke a case.
type Explain struct{ MaxCalls int } // answers; 0: nothing is asked; ExplainByCase: as many as the cases take

// ExplainByCase allows explainCase answers for each broken case: a line out of twelve takes about 40, and with much
// noise 90.
const (
	ExplainByCase = -1
	explainCase   = 120
)

// Most returns how many answers may be asked for to explain so many broken cases.
func (e Explain) Most(cases int) int {
	if e.MaxCalls == ExplainByCase {
		return explainCase * cases
	}
	return e.MaxCalls
}

// Secrets are shapes that must never be printed.
type Secrets struct{ RedactPatterns []*regexp.Regexp }

// Change is a difference between base and head that is announced (on_policy_change).
type Change struct {
	Path    string   `json:"path"` // the file that holds it
	Key     string   `json:"key"`  // gate.min_run_score, policies.no-promises, suites.support/refund.min_score
	Base    string   `json:"base"` // as written; "" if absent
	Head    string   `json:"head"`
	InForce bool     `json:"effective"`        // the head makes it at once; else the base's holds until the change is merged
	Caught  []string `json:"caught,omitempty"` // of a new policy for all cases: those, as suite/case, whose answer it will catch once merged
}

// OfTarget reports a change of what a target asks, or of whom.
func (c Change) OfTarget() bool { return strings.HasPrefix(c.Key, "targets.") }

// policyKey begins the key of a change of a policy.
const policyKey = "policies."

// Policy returns the name of the policy that the change is about; "" if it is about none.
func (c Change) Policy() string {
	if name, ok := strings.CutPrefix(c.Key, policyKey); ok {
		return name
	}
	return ""
}
