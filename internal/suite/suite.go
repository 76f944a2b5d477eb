// Package suite turns files into suites and cases, or into diagnostics with line and column. It computes the keys that
// say whether two cases are the same, and finds the suites that a pull request touches. It reads files only through an
// fs.FS, and calls no target.
package suite

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// Suite is a named group of cases.
type Suite struct {
	ID               string
	Path             string
	Pos              document.Position // place of the suite in its file
	Description      string
	Benchmark        string
	Plan             score.Plan // how its answers are measured
	Target           string     // name of the target in the configuration
	targetIsDefault  bool       // the suite's file names no target
	writtenTrials    int        // the suite file's own trials; 0: none
	Trials           int        // number of trials of cases that set none
	Weight           float64    // weight in the run score; 1 unless set
	MinScore         *float64   // threshold of the suite; nil: none of its own
	ThresholdInvalid bool       // of a base suite: the file has an invalid min_score
	Files            []SentFile // files whose text is sent: prompts first, then variables
	AgentSource      string     // of an agent's prompt: its files in words; otherwise ""
	// SHA-256 of the messages that all cases share, before variables are filled in; "": there are none
	PromptKey string
	Cases     Cases

	PromptFile bool // the file is a prompt file of GitHub Models
	JSONLines  bool // the cases are rows of JSON lines, possibly in several files

	used   map[string]bool // variables that a prompt, an assertion, the judge or the target reads; nil: unknown
	unused []string        // variables of cases that are not in used

	shared  []message       // messages that all cases share
	ignored []config.Change // settings that a prompt file requests and that are not allowed
}

// EachCase iterates over the cases of suites, each with its suite.
func EachCase(suites []*Suite) iter.Seq2[*Suite, *Case] {
	return func(yield func(*Suite, *Case) bool) {
		for _, s := range suites {
			for _, c := range s.Cases {
				if !yield(s, c) {
					return
				}
			}
		}
	}
}

// TargetOf returns the target of the suite's case c: its own, or the suite's.
func (s *Suite) TargetOf(c *Case) string { return cmp.Or(c.Target, s.Target) }

// PromptPaths returns the paths of the files with the suite's prompts and tools. Files of variables are left out.
func (s *Suite) PromptPaths() (paths []string) {
	if s.PromptFile {
		paths = append(paths, s.Path)
	}
	for _, f := range s.Files {
		if f.Kind != KindVariable {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Targets returns the targets of the suite and of its cases. The suite's target comes first, and the others are sorted.
func (s *Suite) Targets() []string {
	out := []string{s.Target}
	for _, c := range s.Cases {
		if c.Target != "" && !slices.Contains(out, c.Target) {
			out = append(out, c.Target)
		}
	}
	slices.Sort(out[1:])
	return out
}

// Case is one input with the expectation for its answer. Body is nil until Open sets it.
type Case struct {
	ID       string
	Path     string // path of its file
	Pos      document.Position
	Target   string // the case's own target; "" for the suite's
	Severity string // low, medium, high, critical; medium unless set

	Trials      int // number of answers on each side
	MustPass    bool
	idGenerated bool // ID is made from the input

	*Body                     // nil before Open
	parsed   *parsedCase      // what Open makes the Body from; nil: not read from a file
	index    int              // index in its suite
	baseKeys *replacementKeys // of a head case: keys that replace its own; nil: none
}

// Index returns the case's index in its suite, which is unique there.
func (c *Case) Index() int { return c.index }

// Keys identify the request of a case and how the case is judged.
type Keys struct {
	RequestKey     Key // hash of the request to the model
	ExpectationKey Key // hash of the case's own input and all that judges it, except must_pass
}

// Keys returns the keys of the case. The case need not be opened. Keys is safe for concurrent use.
func (c *Case) Keys() (k Keys) {
	if c.Body != nil {
		k = c.Body.Keys
	} else {
		k = c.parsed.keys
	}
	if c.baseKeys != nil {
		k.ExpectationKey = c.baseKeys.expectation
	}
	return k
}

// Body is the rendered request of a case and its compiled expectation.
type Body struct {
	Keys       Keys
	Prompt     model.Request     // the request, without Trial
	OwnTurns   bool              // some messages are sent only for this case
	Vars       map[string]string // values as written; nil: none. Read only
	SentVars   map[string]string // those of Vars that are sent, in the messages or besides
	source     *prompt           // the messages of Prompt before variables were filled in
	judgingKey Key               // hash of how the case is judged, without its input; zero: unknown

	Judging
}

// Judging has the compiled checks of a case's answers, and the description of the case.
type Judging struct {
	Expect            *expect.Expectation // never nil
	Policies          []*expect.Policy    // the case's own policies and those of all cases, sorted by name
	Measured          *score.Expected     // what the metrics compare an answer with; nil: no metrics
	Rubric            *Rubric             // the criteria for a judge; nil: none
	Probe             *risk.Probe         // how the answer's risk is scored; nil: the case is no probe
	ExpectedCategory  classify.Category   // the category that is expected; "": pass
	AgreesWithFail    bool                // a FailProof file says expected_classification: fail, which changes no score
	CaseThreshold     *float64            // threshold of this case; nil: that of the phase
	Description       string
	Category          string
	Tags              []string
	SkippedEvaluators []string // names of evaluators of a *.prompt.yml that are not supported
}

// judging returns how the answers to the case are judged. The case need not be opened.
func (c *Case) judging() Judging {
	if c.Body != nil {
		return c.Body.Judging
	}
	return c.parsed.judgingAndExpect()
}

// keyOfJudging returns the hash of how the case is judged, without its input, or zero if it is unknown.
func (c *Case) keyOfJudging() Key {
	if c.Body != nil {
		return c.Body.judgingKey
	}
	return c.parsed.judgingKey
}

// Unverified reports whether every answer to the case passes, because it has no criterion, format, policy, metric or
// probe.
func (c *Case) Unverified() bool {
	j := c.judging()
	return j.Expect.Empty() && len(j.Policies) == 0 && j.Measured == nil && j.Rubric == nil && j.Probe == nil && j.ExpectedCategory == ""
}

// Semantic reports whether the case's answers are compared by meaning.
func (c *Case) Semantic() bool {
	m := c.judging().Measured
	return m != nil && m.IsSemantic()
}

// Graded reports whether a judge grades the answers to the case.
func (c *Case) Graded() bool { return c.judging().Rubric != nil }

// CriteriaCount returns the number of criteria that a judge grades in an answer to the case.
func (c *Case) CriteriaCount() int {
	if r := c.judging().Rubric; r != nil {
		return len(r.Criteria)
	}
	return 0
}

// parsedCase is a case as it was read from a file. Open makes a Body from it.
type parsedCase struct {
	*suiteRequest
	*parsedContent
	source  *prompt
	judging *Judging // without Expect; equal neighbors share it
}

// parsedContent is the part of a parsedCase that equal cases of both sides share; see shareParsed.
type parsedContent struct {
	keys       Keys
	judgingKey Key
	vars       variables
	schema     string // JSON Schema of the answer; "" for none
	expect     *expect.Expectation
}

// judgingAndExpect returns a copy of p.judging with Expect set.
func (p *parsedCase) judgingAndExpect() Judging {
	j := *p.judging
	j.Expect = p.expect
	return j
}

// suiteRequest is what the requests of all cases of a suite share.
type suiteRequest struct {
	request model.Request // has SuiteID, Provider, Model, Settings, Parameters and Tools
	target  config.Target
}

func newSuiteRequest(suiteID string, t config.Target, tools string) *suiteRequest {
	q := model.Request{SuiteID: suiteID, Provider: t.Provider, Tools: tools}
	if t.Provider != model.Recorded { // a recorded answer names the model and settings that it was made with
		q.Model, q.Settings = t.Model, t.Settings()
		q.Parameters = model.Parameters{Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens}
	}
	return &suiteRequest{q, t}
}

// variables are the names and values of variables, as written. If a name is repeated, its last value counts.
type variables []variable

type variable struct{ name, text string }

// texts returns a map from names to values, or nil if there are none.
func (v variables) texts() map[string]string {
	if len(v) == 0 {
		return nil
	}
	out := make(map[string]string, len(v))
	for _, one := range v {
		out[one.name] = one.text
	}
	return out
}

// Open returns a copy of the case with its Body. Each call renders the Body again, because to keep the rendered prompt
// of every case would cost more. Open is safe for concurrent use.
func (c *Case) Open() Case {
	out := *c
	if out.Body == nil {
		out.Body = c.parsed.body(c.ID)
	}
	// ApplyBase sets only the severity of the case.
	if p := out.Probe; p != nil && p.Severity != c.Severity {
		body, probe := *out.Body, *p
		probe.Severity = c.Severity
		body.Probe, out.Body = &probe, &body
	}
	return out
}

// OpenBoth opens a case on both sides; nil stays nil. The two share one Body if they were read once (see LineFiles).
func OpenBoth(base, head *Case) (b, h *Case) {
	if base != nil {
		b = new(base.Open())
	}
	switch {
	case head == nil:
	case base != nil && base.Body == nil && head.Body == nil && base.parsed == head.parsed && base.ID == head.ID &&
		base.Severity == head.Severity:
		h = new(*head)
		h.Body = b.Body
	default:
		h = new(head.Open())
	}
	return b, h
}

// body returns the Body of the case with the given id.
func (p *parsedCase) body(id string) *Body {
	vars := p.vars.texts()
	b := &Body{Keys: p.keys, Prompt: p.prompt(id, vars), OwnTurns: p.source.shared != nil, Vars: vars, source: p.source, judgingKey: p.judgingKey, Judging: p.judgingAndExpect()}
	b.SentVars = map[string]string{}
	maps.Copy(b.SentVars, b.Prompt.Vars)
	p.source.eachVariable(func(name string) {
		if value, defined := vars[name]; defined {
			b.SentVars[name] = value
		}
	})
	setQuestion(b)
	setProbeInput(b)
	return b
}

// prompt returns the request of the case with the given id.
func (p *parsedCase) prompt(id string, vars map[string]string) model.Request {
	q := p.request
	q.CaseID, q.Messages, q.Vars = id, p.source.render(vars), p.sentVars(vars, p.source)
	if p.target.Inputs.Schema {
		q.AnswerSchema = p.schema
	}
	return q
}

// sentVars returns the variables of vars that the target gets besides the messages. A recorded target gets those that
// the messages of p do not contain, because the live target for which it stands would get them.
func (r *suiteRequest) sentVars(vars map[string]string, p *prompt) map[string]string {
	sent := r.target.Inputs.SentVars(vars)
	if r.target.Provider != model.Recorded || sent == nil {
		return sent
	}
	p.eachVariable(func(name string) { delete(sent, name) })
	if len(sent) == 0 {
		return nil
	}
	return sent
}
