// Package suite turns the files of a tree into suites and cases, or into diagnostics with line and column.
// It also says what makes two cases the same (request and expectation keys) and which suites a pull request touches.
// It reads through an fs.FS only and asks no target.
package suite

import (
	"cmp"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/scratch"
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
	Files       []Named       // whose texts its cases are asked with: prompts, and then what variables hold
	PromptKey   string        // SHA-256 of the prompt that its cases share, before variables are filled in; "" if each has its own
	Cases       Cases

	joined *joinedWith     // of a base's suite: whom Names are of
	used   map[string]bool // the names of the variables that its prompts, assertions, judge or target read; nil where that is not known
	unused []string        // those that some case has, and that are not among them

	said     []message // what all its cases are sent
	saysEach bool      // some case has more of a prompt for itself
	shared   []sending // files that all its cases are asked with
	ownFiles bool      // some case is asked with others

	prompts bool            // its file is a prompt file of GitHub Models
	held    []config.Change // what that asks for, and does not get

	Lines bool // its cases are rows of JSON lines, which may stand in several files
}

// HeadID is the id that the suite goes by in a comparison: the head's.
func (s *Suite) HeadID() string { return cmp.Or(s.As, s.ID) }

// Sends are the paths of the prompts and tools that its cases are asked with; what variables hold is not among them.
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
	for _, c := range s.Cases.held { // only such a case has its own
		if c.Origin != nil && c.Target != "" && !slices.Contains(out, c.Target) {
			out = append(out, c.Target)
		}
	}
	slices.Sort(out[1:])
	return out
}

// Case is one prompt input with what is expected of the answer. Open makes the Body.
type Case struct {
	ID  string
	Pos document.Position
	*Origin

	Trials   int // answers asked for and judged on a side
	MustPass bool
	unnamed  bool // its ID is made of what it asks
	semantic bool
	unheld   bool
	graded   bool

	*Body             // nil until it is opened
	kept  scratch.Ref // what it is made of
	place int         // in its suite
	like  *likeBase   // of a head's case that differs from the base's in what nobody reads
}

// Place tells the case from all others of its suite.
func (c *Case) Place() int { return c.place }

// Keys say what a case asks and how it is judged.
type Keys struct {
	RequestKey     Key // of what the model would be sent
	ExpectationKey Key // of the case's own input and all that judges it but must_pass; see Redefined
}

// Keys are those of the case, which need not be opened for that. They may be asked for by several at once.
func (c *Case) Keys() (k Keys) {
	if c.Body != nil {
		k = c.Body.Keys
	} else {
		k, _ = c.from.keys(c)
	}
	if c.like != nil {
		k.ExpectationKey = c.like.expectation
	}
	return k
}

// Origin is what a case has in common with others: one for all that have it alike, which nobody changes.
type Origin struct {
	Path     string // of the file that holds them
	Target   string // who answers them in place of the suite's target; "" for that one
	Severity string // low, medium, high, critical; medium unless set

	from  *opener
	place int // in origins
}

// medium is that of a case which does not say otherwise.
var medium = &Origin{Severity: risk.Medium}

// AskOf gives a case another target than its suite's.
func (c *Case) AskOf(target string) {
	o := *c.Origin
	o.Target = target
	c.Origin = &o
}

// weigh gives a case another severity.
func (c *Case) weigh(severity string) {
	o := *c.Origin
	o.Severity = severity
	c.Origin = &o
}

// Body is what a case asks and how its answers are judged, rendered and compiled.
type Body struct {
	Keys     Keys
	Prompt   model.Request     // SuiteID, CaseID, Provider, Model, Messages and Parameters filled; Trial is 0
	OwnTurns bool              // some of the messages are the case's own
	Vars     map[string]string // values as written; nil if the case has none. Shared between cases: read only
	Aside    []string          // those of them that are not sent: what an assertion or a judge reads, or nobody
	turns    []turn            // its own
	asks     *prompt           // of which Prompt is rendered
	files    []sending         // that its own messages are read from
	judged   *judgedBy         // what its expectation key is made of; nil where it is not made again
	said     []message         // what the suite says to it alone

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

// Unheld reports a case without a criterion, format, policy, metric or probe: every answer to it passes.
func (c *Case) Unheld() bool {
	if b := c.Body; b != nil {
		return b.Expect.Empty() && len(b.Policies) == 0 && b.Measured == nil && b.Rubric == nil && b.Probe == nil && b.Expected == ""
	}
	return c.unheld
}

// Semantic reports a case whose answers are compared by meaning.
func (c *Case) Semantic() bool {
	if c.Body != nil {
		return c.Measured != nil && c.Measured.Semantic()
	}
	return c.semantic
}

// Graded reports a case whose answers a judge grades.
func (c *Case) Graded() bool {
	if c.Body != nil {
		return c.Rubric != nil
	}
	return c.graded
}

// Open returns the case with its Body. A run has as many cases as the files hold and asks a few at a time: to make a body anew costs
// less than to hold all of them. It may be called by several at once.
func (c *Case) Open() Case {
	out := *c
	if out.Body == nil {
		out.Body = c.from.body(c)
	}
	if p := out.Probe; p != nil && p.Severity != c.Severity { // the base's is in force
		body, probe := *out.Body, *p
		probe.Severity = c.Severity
		body.Probe, out.Body = &probe, &body
	}
	return out
}

// opener makes the bodies of a file's cases of what was kept of them.
type opener struct {
	mu     *sync.Mutex    // of all that the files of one Load share
	store  scratch.Writer // of the cases
	bodies scratch.Writer // of what their bodies are made of
	text   []byte         // room for a case
	node   []byte         // room for what a body is made of
	lines  document.Lines
	read   func(c *Case, n *document.Node) *Body
}
