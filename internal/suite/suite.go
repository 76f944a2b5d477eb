// Package suite turns the files of a tree into suites and cases, or into diagnostics with line and column.
// It also says what makes two cases the same (request and expectation keys) and which suites a pull request touches.
// It reads through an fs.FS only and asks no target.
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
	ID          string
	Path        string
	Pos         document.Position // of the suite in its file
	Description string
	Benchmark   string
	Plan        score.Plan    // how its answers are measured, resolved
	Target      string        // name in the configuration, resolved
	Trials      int           // of a case that does not say otherwise
	Weight      float64       // of this suite in the run score; 1 unless set
	MinScore    *float64      // the suite bar
	As          string        // of a base's suite: the id that the head has for it; "" where nobody joined them
	Names       suiteid.Names // of a base's suite: what the head calls the base's cases; none where nobody joined them
	BarFaulty   bool          // of a base's suite: it has a bar, which cannot be told
	Files       []SentFile    // whose texts its cases are asked with: prompts, and then what variables hold
	Sent        string        // in words, what files its prompt is made of, where that is an agent's
	PromptKey   string        // SHA-256 of the prompt that its cases share, before variables are filled in; "" if each has its own
	Cases       Cases

	joined *joinedWith     // of a base's suite: whom Names are of
	used   map[string]bool // the names of the variables that its prompts, assertions, judge or target read; nil where that is not known
	unused []string        // those that some case has, and that are not among them

	said     []message // what all its cases are sent
	saysEach bool      // some case has more of a prompt for itself

	prompts bool            // its file is a prompt file of GitHub Models
	held    []config.Change // what that asks for, and does not get

	Lines bool // its cases are rows of JSON lines, which may stand in several files
}

// HeadID is the id that the suite goes by in a comparison: the head's.
func (s *Suite) HeadID() string { return cmp.Or(s.As, s.ID) }

// Sends returns the paths of the prompts and tools of its cases, without files in variables.
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

// Targets are who answers its cases, the suite's own first.
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

// Case is one input with what is expected of the answer. Open makes the Body.
type Case struct {
	ID       string
	Path     string // of the file that holds it
	Pos      document.Position
	Target   string // who answers it in place of the suite's target; "" for that one
	Severity string // low, medium, high, critical; medium unless set

	Trials   int // answers asked for and judged on a side
	MustPass bool
	unnamed  bool // its ID is made of what it asks

	*Body           // nil until it is opened
	read  *reading  // nil for a case that no file holds
	place int       // in its suite
	like  *likeBase // of a head's case that differs from the base's in what nobody reads
}

// Place tells the case from all others of its suite.
func (c *Case) Place() int { return c.place }

// Keys say what a case asks and how it is judged.
type Keys struct {
	RequestKey     Key // of what the model would be sent
	ExpectationKey Key // of the case's own input and all that judges it but must_pass; see Redefined
}

// Keys returns the keys of the case, which need not be opened. It is safe for concurrent use.
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

// Body is what a case asks and how its answers are judged, rendered and compiled.
type Body struct {
	Keys     Keys
	Prompt   model.Request     // SuiteID, CaseID, Provider, Model, Messages and Parameters filled; Trial is 0
	OwnTurns bool              // some of the messages are the case's own
	Vars     map[string]string // values as written; nil if the case has none. Read only
	Aside    []string          // those of them that are not sent: what an assertion or a judge reads, or nobody
	asks     *prompt           // of which Prompt is rendered
	beside   Key               // of what judges the case beside its input; zero where that is not known

	Judging
}

// Judging is how the answers to a case are judged, compiled, and how that is described.
type Judging struct {
	Expect         *expect.Expectation // never nil
	Policies       []*expect.Policy    // of the case and those that apply to all, in name order
	Measured       *score.Expected     // what the metrics hold an answer against; nil: none is taken
	Rubric         *Rubric             // what a judge grades it by; nil: nobody does
	Probe          *risk.Probe         // what the risk of an answer is held against; nil: the case is no probe
	Expected       string              // expected_classification: a category, or ""
	AgreesWithFail bool                // expected_classification: fail of a FailProof file; changes no score
	CaseThreshold  *float64            // this case's bar instead of the phase's
	Description    string
	Category       string
	Tags           []string
	Skipped        []string // evaluators of *.prompt.yml that are not judged, by name
}

// prompt is what its Prompt is rendered of; nil where that is not known.
func (c *Case) prompt() *prompt {
	if c.Body != nil {
		return c.Body.asks
	}
	return c.read.asks
}

// judging is how its answers are judged, whether it is opened or not.
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

// Semantic reports a case whose answers are compared by meaning.
func (c *Case) Semantic() bool {
	m := c.judging().Measured
	return m != nil && m.Semantic()
}

// Graded reports a case whose answers a judge grades.
func (c *Case) Graded() bool { return c.judging().Rubric != nil }

// Criteria counts what a judge grades its answers by.
func (c *Case) Criteria() int {
	if r := c.judging().Rubric; r != nil {
		return len(r.Criteria)
	}
	return 0
}

// reading is what was read of a case: its Body before the prompt is rendered.
type reading struct {
	*envelope
	keys    Keys
	beside  Key
	asks    *prompt
	vars    variables
	schema  string // JSON Schema of the answer, where the target takes it
	expect  *expect.Expectation
	judging *Judging // but Expect; one for neighbours that have the same
}

// judgingAndExpect returns how the answers are judged.
func (r *reading) judgingAndExpect() Judging {
	j := *r.judging
	j.Expect = r.expect
	return j
}

// envelope is what the requests of a suite's cases have in common.
type envelope struct {
	request model.Request // Provider, Model, Parameters and Tools
	target  config.Target
}

// variables are names and their values, as written; of a repeated name the last value counts.
type variables []variable

type variable struct{ name, text string }

// texts are the values by their names; nil for none.
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

// Open returns the case with its Body. Rendering the prompt again costs less than keeping it for every case. It is safe
// for concurrent use.
func (c *Case) Open() Case {
	out := *c
	if out.Body == nil {
		out.Body = c.read.body(c.ID)
	}
	if p := out.Probe; p != nil && p.Severity != c.Severity { // the base's is in force
		body, probe := *out.Body, *p
		probe.Severity = c.Severity
		body.Probe, out.Body = &probe, &body
	}
	return out
}

// body renders what the case of an ID asks.
func (r *reading) body(id string) *Body {
	vars := r.vars.texts()
	b := &Body{Keys: r.keys, Prompt: r.prompt(id, vars), OwnTurns: r.asks.of != nil, Vars: vars, asks: r.asks, beside: r.beside, Judging: r.judgingAndExpect()}
	b.Aside = aside(b)
	b.setQuestion()
	b.setProbeInput()
	return b
}

// prompt renders what the model is sent for the case of an ID.
func (r *reading) prompt(id string, vars map[string]string) model.Request {
	q := r.request
	q.CaseID, q.Messages, q.AnswerSchema = id, r.asks.render(vars), r.schema
	q.Vars = r.sentBeside(vars, r.asks)
	return q
}

// sentBeside returns the variables that the target is sent beside the messages. A recorded answer answers what any live
// target is sent, as far as its messages do not tell it.
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
