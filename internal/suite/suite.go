// Package suite turns files into suites and cases, or into diagnostics with line and column. It computes the keys
// that say whether two cases are the same, and which suites a pull request touches. It reads files through an fs.FS
// only and calls no target.
package suite

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suiteid"
)

// Suite is a named group of cases.
type Suite struct {
	ID               string
	Path             string
	Pos              document.Position // of the suite in its file
	Description      string
	Benchmark        string
	Plan             score.Plan    // how its answers are measured, resolved
	Target           string        // name in the configuration, resolved
	Trials           int           // default of its cases
	Weight           float64       // in the run score; 1 unless set
	MinScore         *float64      // the suite threshold
	As               string        // of a base suite: the head's id for it; "" before they are joined
	Names            suiteid.Names // of a base suite: the head's names for its cases; none before they are joined
	ThresholdInvalid bool          // of a base suite: it has an invalid threshold
	Files            []SentFile    // files whose text is sent: prompts first, then variables
	Sent             string        // of an agent's prompt: its files in words
	PromptKey        string        // SHA-256 of the shared prompt, before variables are filled in; "" if each case has its own
	Cases            Cases

	joined *joinedWith     // of a base suite: the head suites that Names belongs to
	used   map[string]bool // variables that its prompts, assertions, judge or target read; nil if unknown
	unused []string        // variables of its cases that are not in used

	shared      []message // prompt messages of all its cases
	ownMessages bool      // some case has further prompt messages

	prompts bool            // its file is a prompt file of GitHub Models
	ignored []config.Change // settings that the file requests and does not get

	Lines bool // its cases are rows of JSON lines, possibly in several files
}

// HeadID returns the id of the suite on the head. A suite of the base may have another id.
func (s *Suite) HeadID() string { return cmp.Or(s.As, s.ID) }

// Sends returns the paths of the suite's prompts and tools, without the files of variables.
func (s *Suite) Sends() (paths []string) {
	if s.prompts {
		paths = append(paths, s.Path)
	}
	for _, f := range s.Files {
		if f.Kind != KindVariable {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Targets returns the targets of the suite's cases, the suite's own first.
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

// Case is one input with its expectation. Open makes the Body.
type Case struct {
	ID       string
	Path     string // of its file
	Pos      document.Position
	Target   string // the case's own target; "" for the suite's
	Severity string // low, medium, high, critical; medium unless set

	Trials   int // number of answers on each side
	MustPass bool
	unnamed  bool // its ID is made from its input

	*Body           // nil until opened
	read  *reading  // nil for a case without a file
	place int       // index in its suite
	like  *likeBase // of a head case: keys that ignore unread variables
}

// Place returns the case's index in its suite, which is unique there.
func (c *Case) Place() int { return c.place }

// Keys identify a case's request and how it is judged.
type Keys struct {
	RequestKey     Key // of the model's request
	ExpectationKey Key // of the case's own input and all that judges it, except must_pass; see Redefined
}

// Keys returns the keys of the case, also before Open. It is safe for concurrent use.
func (c *Case) Keys() (k Keys) {
	if c.Body != nil {
		k = c.Body.Keys
	} else {
		k = c.read.keys
	}
	if c.like != nil {
		k.ExpectationKey = c.like.expectation
	}
	return k
}

// Body is a case's rendered request and its compiled expectation.
type Body struct {
	Keys     Keys
	Prompt   model.Request     // SuiteID, CaseID, Provider, Model, Messages and Parameters filled; Trial is 0
	OwnTurns bool              // some of the messages are the case's own
	Vars     map[string]string // values as written; nil if there are none. Read only
	Aside    []string          // variables of Vars that are not sent
	source   *prompt           // the source of the messages in Prompt
	beside   Key               // of the expectation without the input; zero if unknown

	Judging
}

// Judging has the compiled checks of a case's answers, and their description.
type Judging struct {
	Expect         *expect.Expectation // never nil
	Policies       []*expect.Policy    // the case's own and those of all cases, in name order
	Measured       *score.Expected     // what the metrics compare an answer with; nil: no metrics
	Rubric         *Rubric             // a judge's criteria; nil: none
	Probe          *risk.Probe         // how the answer's risk is scored; nil: the case is no probe
	Expected       string              // expected_classification: a category, or ""
	AgreesWithFail bool                // expected_classification: fail of a FailProof file; changes no score
	CaseThreshold  *float64            // this case's threshold instead of the phase's
	Description    string
	Category       string
	Tags           []string
	Skipped        []string // evaluators of *.prompt.yml that are not supported, by name
}

// judging returns how the case's answers are judged, also before Open.
func (c *Case) judging() Judging {
	if c.Body != nil {
		return c.Body.Judging
	}
	return c.read.judgingAndExpect()
}

// Unheld reports whether a case has no criterion, format, policy, metric or probe, so that every answer passes.
func (c *Case) Unheld() bool {
	j := c.judging()
	return j.Expect.Empty() && len(j.Policies) == 0 && j.Measured == nil && j.Rubric == nil && j.Probe == nil && j.Expected == ""
}

// Semantic reports whether the case's answers are compared by meaning.
func (c *Case) Semantic() bool {
	m := c.judging().Measured
	return m != nil && m.Semantic()
}

// Graded reports whether a judge grades the case's answers.
func (c *Case) Graded() bool { return c.judging().Rubric != nil }

// Criteria returns the number of criteria that a judge grades.
func (c *Case) Criteria() int {
	if r := c.judging().Rubric; r != nil {
		return len(r.Criteria)
	}
	return 0
}

// reading is a case as read, before its Body is rendered.
type reading struct {
	*envelope
	keys    Keys
	beside  Key
	source  *prompt
	vars    variables
	schema  string // JSON Schema of the answer, if the target takes one
	expect  *expect.Expectation
	judging *Judging // without Expect; shared by equal neighbors
}

// judgingAndExpect returns a copy of judging in which Expect is set.
func (r *reading) judgingAndExpect() Judging {
	j := *r.judging
	j.Expect = r.expect
	return j
}

// envelope is what the requests of a suite's cases share.
type envelope struct {
	request model.Request // Provider, Model, Parameters and Tools
	target  config.Target
}

// variables are names with their values as written. The last value of a repeated name counts.
type variables []variable

type variable struct{ name, text string }

// texts returns the values by name, or nil.
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

// Open returns the case with its Body. It renders the Body each time, because keeping the rendered prompt of every case
// would cost more. It is safe for concurrent use.
func (c *Case) Open() Case {
	out := *c
	if out.Body == nil {
		out.Body = c.read.body(c.ID)
	}
	if p := out.Probe; p != nil && p.Severity != c.Severity { // the base's severity applies
		body, probe := *out.Body, *p
		probe.Severity = c.Severity
		body.Probe, out.Body = &probe, &body
	}
	return out
}

// body renders the case with an ID.
func (r *reading) body(id string) *Body {
	vars := r.vars.texts()
	b := &Body{Keys: r.keys, Prompt: r.prompt(id, vars), OwnTurns: r.source.shared != nil, Vars: vars, source: r.source, beside: r.beside, Judging: r.judgingAndExpect()}
	b.Aside = aside(b)
	setQuestion(b)
	setProbeInput(b)
	return b
}

// prompt renders the request of the case with an ID.
func (r *reading) prompt(id string, vars map[string]string) model.Request {
	q := r.request
	q.CaseID, q.Messages, q.AnswerSchema = id, r.source.render(vars), r.schema
	q.Vars = r.sentBeside(vars, r.source)
	return q
}

// sentBeside returns the variables that a target gets besides the messages. A recorded target gets those that are not
// in the messages, because the live target that it stands for would get them.
func (e *envelope) sentBeside(vars map[string]string, p *prompt) map[string]string {
	sent := e.target.Takes.SentVars(vars)
	if e.target.Provider != model.Recorded || sent == nil {
		return sent
	}
	p.fills(func(name string) { delete(sent, name) })
	if len(sent) == 0 {
		return nil
	}
	return sent
}
