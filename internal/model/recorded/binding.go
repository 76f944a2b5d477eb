package recorded

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// Target is the live target that an answer was recorded from, as it was asked.
type Target struct {
	Name        string   `json:"name"`
	Provider    string   `json:"provider"`
	Model       string   `json:"model,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	MaxTokens   *int     `json:"max_tokens,omitempty"`

	Settings map[string]string `json:"settings,omitempty"` // what else it was asked by, by key
}

// Binding is what recorded answers must match beside the key of their request. The zero Binding is the key alone.
type Binding struct {
	Targets map[string]Target                    // the live targets of the configuration in force, by name
	Others  []string                             // live targets that the head alone names
	Records string                               // the live target whose answers they are; "" where that is not said
	Before  func(suiteID, caseID string) Before  // nil: there is no base
	AsItIs  bool                                 // nothing is stale: what there is counts
	Warn    bool                                 // what is stale counts, and says that it is
	Fresh   func(suiteID, caseID string) Answers // to a case that flipped, round by round; nil: there are none
	Mend    func(suiteID string, n Need) string  // what makes answers of the suite, in a few words
	Cases   func(suiteID string) []string        // the ids of a suite's cases; nil: they are not known

	// Branch tells whether an answer, with the key and the target of its line, holds on the branch by itself, where
	// what is judged is the branch merged with another; nil where it is not.
	Branch func(suiteID, caseID, key string, from *Target) bool
}

// Need is why answers are to be made.
type Need int

// What an answer is.
const (
	Stale Need = iota
	Missing
)

// Before is what the base knows of a case.
type Before struct {
	Changed bool    // the base asks something else; of a case that it lacks, the prompt of the suite is another one
	Answers Answers // that the base has for it
	Suite   string  // what the base calls its suite; "" where the base lacks it
	Case    string  // what the base calls it

	Asks func() model.Request // what the base asks; nil where that is not known
}

// Answers are the recorded answers to one case; the zero Answers are none. Each is read when it is used.
type Answers struct {
	of      *Client
	entries []entry
}

// Len is the number of answers.
func (a Answers) Len() int { return len(a.entries) }

func (a Answers) record(i int) record { return a.of.record(a.entries[i]) }

// target is whom an answer says that it was recorded from.
func (a Answers) target(i int) *Target { return a.entries[i].target }

// NamesTargets reports whether some answer says whom it was recorded from.
func (c *Client) NamesTargets() bool { return c != nil && len(c.targets) > 0 }

// Bind sets what answers must match. Call it before the first is asked for.
func (c *Client) Bind(b Binding) { c.binding = b }

// Answers returns what is recorded for a case; nothing for a nil client.
func (c *Client) Answers(suiteID, caseID string) Answers {
	if c == nil {
		return Answers{}
	}
	return Answers{c, c.trials(suiteID, caseID)}
}

// TargetNames lists whom the answers to a case were recorded from.
func (a Answers) TargetNames() (out []string) {
	for i := range a.entries {
		if t := a.target(i); t != nil {
			out = append(out, t.Name)
		}
	}
	return out
}

// IsCurrent reports whether the recording has the given number of trials of a request, and all of them answer it.
func (c *Client) IsCurrent(q model.Request, trials int) bool {
	was := c.before(q)
	for trial := 1; trial <= trials; trial++ {
		if r, ok := c.lookup(q.SuiteID, q.CaseID, trial); !ok || c.stale(r, q, was) != "" {
			return false
		}
	}
	return true
}

// HoldsOf reports whether all trials are current by their own keys, and each names the given target or is by hand. An
// answer that does neither was not written by `failproof record`.
func (c *Client) HoldsOf(q model.Request, trials int, target string) bool {
	for trial := 1; trial <= trials; trial++ {
		r, ok := c.lookup(q.SuiteID, q.CaseID, trial)
		if !ok || r.RequestKey == "" || r.Target == nil && !r.ByHand || r.Target != nil && r.Target.Name != target {
			return false
		}
	}
	return c.IsCurrent(q, trials)
}

// stale says why an answer is not one to a request, beginning with the remedy; "" if it is.
func (c *Client) stale(r record, q model.Request, was Before) string {
	from := r.from(was.Answers)
	why := ""
	switch {
	case c.binding.AsItIs:
		return ""
	case r.RequestKey != "" && r.RequestKey != q.Key():
		why = madeFor(r.RequestKey, q, was)
	case r.RequestKey == "" && was.Changed:
		why = "the prompt changed and the answer has no request key"
	case c.anothers(from):
		why = fmt.Sprintf("recorded from %s, but these are recordings of %s", quotedValue(from.Name), c.binding.Records)
	case c.retargeted(from):
		now := c.binding.Targets[from.Name]
		why = fmt.Sprintf("%s had %s, now %s", quotedValue(from.Name), from.differing(now), now.differing(*from))
	default:
		return ""
	}
	mend := "record the answer again"
	switch {
	case c.binding.Branch != nil && c.binding.Branch(q.SuiteID, q.CaseID, r.RequestKey, from):
		mend = "update the branch and record again"
	case c.binding.Mend != nil:
		mend = c.binding.Mend(q.SuiteID, Stale)
	}
	return fmt.Sprintf("%s: stale, %s (%s)", mend, why, r.File)
}

// isSampled reports whether a model gave the answer, so that another sample may differ.
func (r record) isSampled(was Before) bool { return !r.ByHand && r.from(was.Answers) != nil }

// isUnchanged reports whether a hand-written answer is the base's although the request changed.
func (c *Client) isUnchanged(r record, was Before) bool {
	asked := was.Changed
	for i := range was.Answers.entries {
		asked = asked || c.retargeted(was.Answers.target(i))
	}
	return asked && !c.recordable(r) && was.Answers.have(r)
}

// recordable reports whether `failproof record` could have written a line, which names an existing target.
func (c *Client) recordable(r record) bool {
	if r.ByHand || r.Target == nil {
		return false
	}
	_, known := c.binding.Targets[r.Target.Name]
	return known || slices.Contains(c.binding.Others, r.Target.Name)
}

func (c *Client) before(q model.Request) Before {
	if c.binding.Before == nil {
		return Before{}
	}
	return c.binding.Before(q.SuiteID, q.CaseID)
}

// anothers reports whether another live target gave an answer than the one whose answers are recorded here. A target
// that is gone from the configuration may have been renamed.
func (c *Client) anothers(from *Target) bool {
	if from == nil || c.binding.Records == "" || from.Name == c.binding.Records {
		return false
	}
	_, known := c.binding.Targets[from.Name]
	return known
}

// retargeted reports whether the configuration in force has a target of that name with other settings.
func (c *Client) retargeted(from *Target) bool {
	if from == nil {
		return false
	}
	now, known := c.binding.Targets[from.Name]
	return known && !from.Equals(now)
}

// from returns the target that gave an answer; nil if a person wrote it. An answer that is word for word the base's has
// the base's target, unless it says that it is by hand: leaving the target out makes no other answer.
func (r record) from(before Answers) *Target {
	if r.Target != nil || r.ByHand {
		return r.Target
	}
	for i := range before.entries {
		if t := before.target(i); t != nil && r.sameAnswer(before.record(i)) {
			return t
		}
	}
	return nil
}

// have reports whether one of the answers is that of a line.
func (a Answers) have(r record) bool {
	return slices.ContainsFunc(a.entries, func(e entry) bool { return r.sameAnswer(a.of.record(e)) })
}

// sameAnswer reports whether two lines hold the same answer. White space between words is ignored.
func (r record) sameAnswer(b record) bool {
	return words(r.RawResponse) == words(b.RawResponse) && words(r.Error) == words(b.Error) &&
		words(&r.Refusal) == words(&b.Refusal) &&
		slices.Equal(r.ToolCalls, b.ToolCalls)
}

func words(s *string) string {
	if s == nil {
		return ""
	}
	return strings.Join(strings.Fields(*s), " ")
}

// Equals reports whether two targets are asked alike, whatever their names.
func (t Target) Equals(other Target) bool { return t.differing(other) == "" }

// quotedValue returns a name or value from a pull request, quoted unless it is plain, so that it cannot continue the
// sentence around it.
func quotedValue(value string) string {
	if value == unset || plainValue.MatchString(value) {
		return value
	}
	return document.Quote(value)
}

var plainValue = regexp.MustCompile(`^[A-Za-z0-9._:/@+-]{1,100}$`)

// differing names the first setting in which two targets differ; "" if there is none.
func (t Target) differing(other Target) string {
	theirs := other.settings()
	for i, s := range t.settings() {
		if s != theirs[i] {
			return s[0] + " " + quotedValue(s[1])
		}
	}
	names := slices.Collect(maps.Keys(t.Settings))
	names = slices.AppendSeq(names, maps.Keys(other.Settings))
	for _, name := range slices.Sorted(slices.Values(names)) {
		if value := t.Settings[name]; value != other.Settings[name] {
			return quotedValue(name) + " " + quotedValue(cmp.Or(value, unset))
		}
	}
	return ""
}

// settings are what binds an answer, by name, its target's name apart.
func (t Target) settings() [5][2]string {
	return [...][2]string{{"provider", t.Provider}, {"model", t.Model}, {"temperature", figure(t.Temperature)},
		{"top_p", figure(t.TopP)}, {"max_tokens", figure(t.MaxTokens)}}
}

const unset = "(none)"

func figure[T int | float64](v *T) string {
	if v == nil {
		return unset
	}
	return fmt.Sprint(*v)
}

// The sides of an answer that was asked for again.
const (
	FreshBase = "base"
	FreshHead = "head"
)

const (
	freshBase freshSide = iota + 1
	freshHead
)

// Pair is a case as both sides ask it, to which fresh answers are held.
type Pair struct {
	BaseKey, HeadKey         string
	BaseTargets, HeadTargets map[string]Target // the live targets of each side's configuration, by name
}

// Fresh returns the fresh answers of both sides to a case that flipped, round by round, as far as both answers of a
// round are current for both requests and come from a model. Answers by hand and those of another comparison are left
// out.
func (c *Client) Fresh(suiteID, caseID string, p Pair) (base, head Answers) {
	if c == nil {
		return base, head
	}
	base.of, head.of = c, c
	rounds := map[entryName]entry{}
	for _, e := range c.of(suiteID, caseID) {
		if e.fresh != 0 {
			rounds[e.entryName] = e
		}
	}
	for _, e := range c.of(suiteID, caseID) {
		other, both := rounds[entryName{e.trial, freshHead}]
		if e.fresh != freshBase || e.trial < 1 || !both {
			continue
		}
		if b, h := c.record(e), c.record(other); b.freshFor(p, p.BaseTargets) && h.freshFor(p, p.HeadTargets) {
			base.entries, head.entries = append(base.entries, e), append(head.entries, other)
		}
	}
	return base, head
}

func (r record) freshFor(p Pair, targets map[string]Target) bool {
	if r.Target == nil || r.ByHand || r.RequestKey != p.HeadKey || r.BaseKey != p.BaseKey {
		return false
	}
	now, known := targets[r.Target.Name]
	return !known || r.Target.Equals(now)
}

// File is where the answers stand; "" for none.
func (a Answers) File() string {
	if len(a.entries) == 0 {
		return ""
	}
	return a.of.files[a.entries[0].file]
}

func (c *Client) freshAnswer(q model.Request) model.Response {
	var all Answers
	if c.binding.Fresh != nil {
		all = c.binding.Fresh(q.SuiteID, q.CaseID)
	}
	if q.Fresh > all.Len() {
		return model.Failed(model.ReasonUnrecorded, "no recording: %s has no rerun %d of case %s",
			Path(c.path, q.SuiteID), q.Fresh, q.CaseID)
	}
	out := all.record(q.Fresh - 1).response()
	out.Drawn = true
	return out
}

// madeFor says how another request differs from the current one, where that is easy to miss: an editor may add or
// remove a line end behind a prompt.
func madeFor(key string, q model.Request, was Before) string {
	for _, end := range []string{"", "\n", "\n\n"} {
		all := slices.Clone(q.Messages)
		for i, m := range q.Messages {
			other := m
			other.Content = strings.TrimRight(m.Content, " \t\r\n") + end
			one := slices.Clone(q.Messages)
			one[i], all[i] = other, other
			if withMessages(q, one).Key() == key {
				return "made for this prompt with other white space at its end"
			}
		}
		if withMessages(q, all).Key() == key {
			return "made for this prompt with other white space at its end"
		}
	}
	if was.Asks != nil {
		if asked := was.Asks(); asked.Key() == key && sameWords(asked.Messages, q.Messages) {
			if asked.Messages = q.Messages; asked.Key() == q.Key() {
				return "made for this prompt with other white space"
			}
		}
	}
	return "made for another prompt"
}

func withMessages(q model.Request, messages []model.Message) model.Request {
	q.Messages = messages
	return q
}

// sameWords reports messages that differ in nothing but white space.
func sameWords(a, b []model.Message) bool {
	return slices.EqualFunc(a, b, func(a, b model.Message) bool {
		return a.Role == b.Role && slices.Equal(strings.Fields(a.Content), strings.Fields(b.Content))
	})
}
