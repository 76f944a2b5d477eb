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

// Target is the live target that gave a recorded answer, with its settings at that time.
type Target struct {
	Name        string   `json:"name"`
	Provider    string   `json:"provider"`
	Model       string   `json:"model,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	MaxTokens   *int     `json:"max_tokens,omitempty"`

	Settings map[string]string `json:"settings,omitempty"` // further settings, by key
}

// Binding is the conditions under which recorded answers apply, besides the key of their request. The zero Binding
// checks the key alone.
type Binding struct {
	Targets         map[string]Target                     // live targets of the effective configuration, by name
	HeadOnlyTargets []string                              // live targets that only the head has
	LiveTarget      string                                // the live target that gave the answers; "" if unknown
	BaseCase        func(suiteID, caseID string) BaseCase // nil: there is no base
	Unchecked       bool                                  // answers are used without a check: none is stale
	AllowStale      bool                                  // stale answers count, and are marked
	Reruns          func(suiteID, caseID string) Answers  // to a flipped case, by round; nil: none
	HowToRecord     func(suiteID string, n Need) string   // short advice for making answers of the suite
	CaseIDs         func(suiteID string) []string         // the ids of a suite's cases; nil: unknown

	// CurrentOnBranch reports whether an answer, with its key and target, is current on the branch before it was merged
	// with another. It is nil if no merge is judged.
	CurrentOnBranch func(suiteID, caseID, key string, from *Target) bool
}

// Need says why the answer to a case must be recorded.
type Need int

// NeedStale means that the recorded answer does not apply any more. NeedMissing means that no answer is recorded.
const (
	NeedStale Need = iota
	NeedMissing
)

// BaseCase is a case on the base.
type BaseCase struct {
	RequestChanged bool    // the base's request differs or, if the base lacks the case, the base's prompt for the suite
	Answers        Answers // the base's recorded answers to the case
	SuiteID        string  // the suite's id on the base; "" if the base lacks it
	CaseID         string  // the case's id on the base

	Request func() model.Request // returns the base's request; nil if unknown
}

// Answers are the recorded answers to one case. The zero Answers is empty. Each answer is parsed when it is used.
type Answers struct {
	client  *Client
	entries []entry
}

// Len returns the number of answers.
func (a Answers) Len() int { return len(a.entries) }

func (a Answers) record(i int) record { return a.client.record(a.entries[i]) }

// target returns the target that gave the answer at index i, or nil if no target is named.
func (a Answers) target(i int) *Target { return a.entries[i].target }

// NamesTargets reports whether any answer names its target.
func (c *Client) NamesTargets() bool { return c != nil && len(c.targets) > 0 }

// Bind sets the conditions for answers. Call it before Answer.
func (c *Client) Bind(b Binding) { c.binding = b }

// Answers returns the recorded answers to a case. A nil client has none.
func (c *Client) Answers(suiteID, caseID string) Answers {
	if c == nil {
		return Answers{}
	}
	return Answers{c, firstAnswers(c.entriesOf(suiteID, caseID))}
}

// TargetNames returns the names of the targets that gave the answers to a case.
func (a Answers) TargetNames() (out []string) {
	for i := range a.entries {
		if t := a.target(i); t != nil {
			out = append(out, t.Name)
		}
	}
	return out
}

// IsCurrent reports whether the recording has the given number of trials of a request, none of them stale.
func (c *Client) IsCurrent(q model.Request, trials int) bool {
	base := c.binding.baseCase(q)
	for trial := 1; trial <= trials; trial++ {
		if r, ok := lookup(c, q.SuiteID, q.CaseID, trial); !ok || c.binding.staleReason(r, q, base) != "" {
			return false
		}
	}
	return true
}

// CountChanged compares the recorded answers to a request with what they would be if the live targets were targets, and
// live the one that gave the answers. stale answers are current now and not then, early ones then and not now. from is
// the target that one of these answers names.
func (c *Client) CountChanged(q model.Request, trials int, targets map[string]Target,
	live string) (stale, early int, from string) {
	later, base := Binding{Targets: targets, LiveTarget: live}, c.binding.baseCase(q)
	for trial := 1; trial <= trials; trial++ {
		r, ok := lookup(c, q.SuiteID, q.CaseID, trial)
		now, then := c.binding.staleReason(r, q, base) == "", later.staleReason(r, q, base) == ""
		if !ok || now == then {
			continue
		}
		if from = r.answeringTarget(base.Answers).Name; now {
			stale++
		} else {
			early++
		}
	}
	return stale, early, from
}

// LineFrom returns the line of the recorded answer to a request and its trial. ok reports whether the answer is
// current, has a request key, and is either hand-written or from the given target. `failproof record` writes only such
// answers.
func (c *Client) LineFrom(q model.Request, target string) (line string, ok bool) {
	e, found := c.find(q.SuiteID, q.CaseID, q.Trial)
	if !found {
		return "", false
	}
	r := c.record(e)
	if r.RequestKey == "" || r.Target == nil && !r.HandWritten || r.Target != nil && r.Target.Name != target {
		return "", false
	}
	return e.text, c.binding.staleReason(r, q, c.binding.baseCase(q)) == ""
}

// staleReason returns why an answer does not apply to a request, or "" if it applies. The text begins with the remedy.
func (b Binding) staleReason(r record, q model.Request, base BaseCase) string {
	target := r.answeringTarget(base.Answers)
	why := ""
	switch {
	case b.Unchecked:
		return ""
	case r.RequestKey != "" && r.RequestKey != q.Key():
		why = describeMismatch(r.RequestKey, q, base)
	case r.RequestKey == "" && base.RequestChanged:
		why = "the prompt changed and the answer has no request key"
	case b.isFromOther(target):
		why = fmt.Sprintf("recorded from %s, but these are recordings of %s", quotedValue(target.Name), b.LiveTarget)
	case b.hasChangedTarget(target, q):
		target, now := target.with(q), b.Targets[target.Name].with(q)
		why = fmt.Sprintf("%s had %s, now %s", quotedValue(target.Name), target.firstDifference(now),
			now.firstDifference(target))
	default:
		return ""
	}
	remedy := "record the answer again"
	switch {
	case b.CurrentOnBranch != nil && b.CurrentOnBranch(q.SuiteID, q.CaseID, r.RequestKey, target):
		remedy = "update the branch and record again"
	case b.HowToRecord != nil:
		remedy = b.HowToRecord(q.SuiteID, NeedStale)
	}
	return fmt.Sprintf("%s: stale, %s (%s)", remedy, why, r.File)
}

// isUnchanged reports whether an answer is equal to the base's although the request changed. It returns false if
// `failproof record` can have written the answer.
func (b Binding) isUnchanged(r record, q model.Request, base BaseCase) bool {
	changed := base.RequestChanged
	for i := range base.Answers.entries {
		changed = changed || b.hasChangedTarget(base.Answers.target(i), q)
	}
	return changed && !b.recordable(r) && base.Answers.contains(r)
}

// recordable reports whether `failproof record` could have written a line. The line must name an existing target.
func (b Binding) recordable(r record) bool {
	if r.HandWritten || r.Target == nil {
		return false
	}
	_, known := b.Targets[r.Target.Name]
	return known || slices.Contains(b.HeadOnlyTargets, r.Target.Name)
}

func (b Binding) baseCase(q model.Request) BaseCase {
	if b.BaseCase == nil {
		return BaseCase{}
	}
	return b.BaseCase(q.SuiteID, q.CaseID)
}

// isFromOther reports whether an answer comes from a live target other than b.LiveTarget. A target that is not in the
// configuration does not count, because it may have been renamed.
func (b Binding) isFromOther(target *Target) bool {
	if target == nil || b.LiveTarget == "" || target.Name == b.LiveTarget {
		return false
	}
	_, known := b.Targets[target.Name]
	return known
}

// hasChangedTarget reports whether a target has other settings in the effective configuration than it had for the
// answer. Settings that the request q has itself do not count.
func (b Binding) hasChangedTarget(target *Target, q model.Request) bool {
	if target == nil {
		return false
	}
	now, known := b.Targets[target.Name]
	return known && !target.AnswersAlike(now, q)
}

// answeringTarget returns the target that gave an answer, or nil if a person wrote the answer. If the line names
// neither a target nor a person, it returns the target of a base answer with the same words. Otherwise, deleting a
// line's target would make its answer look hand-written.
func (r record) answeringTarget(base Answers) *Target {
	if r.Target != nil || r.HandWritten {
		return r.Target
	}
	for i := range base.entries {
		if t := base.target(i); t != nil && r.sameAnswer(base.record(i)) {
			return t
		}
	}
	return nil
}

// contains reports whether one of the answers equals the answer in the line r.
func (a Answers) contains(r record) bool {
	return slices.ContainsFunc(a.entries, func(e entry) bool { return r.sameAnswer(a.client.record(e)) })
}

// sameAnswer reports whether two lines have the same answer, ignoring white space between words.
func (r record) sameAnswer(b record) bool {
	return joinFields(r.RawResponse) == joinFields(b.RawResponse) && joinFields(r.Error) == joinFields(b.Error) &&
		joinFields(&r.Refusal) == joinFields(&b.Refusal) &&
		slices.Equal(r.ToolCalls, b.ToolCalls)
}

func joinFields(s *string) string {
	if s == nil {
		return ""
	}
	return strings.Join(strings.Fields(*s), " ")
}

// AnswersAlike reports whether two targets answer the request of a recorded case with equal settings. What the request
// sets itself, as a prompt file does, is not the target's.
func (t Target) AnswersAlike(other Target, q model.Request) bool {
	return t.with(q).Equals(other.with(q))
}

// with returns the target with the model and parameters that the request of a recorded case sets itself.
func (t Target) with(q model.Request) Target {
	t.Model = cmp.Or(q.Model, t.Model)
	t.Temperature = cmp.Or(q.Parameters.Temperature, t.Temperature)
	t.TopP = cmp.Or(q.Parameters.TopP, t.TopP)
	t.MaxTokens = cmp.Or(q.Parameters.MaxTokens, t.MaxTokens)
	return t
}

// Equals reports whether two targets have equal settings, whatever their names.
func (t Target) Equals(other Target) bool { return t.firstDifference(other) == "" }

// quotedValue returns a name or value from a pull request. If it is not plain, it is quoted, so that it cannot continue
// the message around it.
func quotedValue(value string) string {
	if value == unset || plainValue.MatchString(value) {
		return value
	}
	return document.Quote(value)
}

var plainValue = regexp.MustCompile(`^[A-Za-z0-9._:/@+-]{1,100}$`)

// firstDifference finds the first setting whose value differs between t and other. It returns the setting's name and
// its value in t, or "" if all settings are equal.
func (t Target) firstDifference(other Target) string {
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

// settings returns the settings of a target that an answer depends on, by name.
func (t Target) settings() [5][2]string {
	return [...][2]string{{"provider", t.Provider}, {"model", t.Model}, {"temperature", formatSetting(t.Temperature)},
		{"top_p", formatSetting(t.TopP)}, {"max_tokens", formatSetting(t.MaxTokens)}}
}

const unset = "(none)"

func formatSetting[T int | float64](v *T) string {
	if v == nil {
		return unset
	}
	return fmt.Sprint(*v)
}

// The sides of a rerun.
const (
	RerunOnBase = "base"
	RerunOnHead = "head"
)

const (
	rerunBase rerunSide = iota + 1
	rerunHead
)

// Pair is a case on both sides, with the requests that its recorded reruns must match.
type Pair struct {
	BaseKey, HeadKey         string
	BaseTargets, HeadTargets map[string]Target // live targets of each side's configuration, by name
}

// Reruns returns the recorded reruns of both sides for a flipped case, by round. A round counts if both answers are
// current for both requests and come from a model. Hand-written answers and answers of another comparison are left out.
func (c *Client) Reruns(suiteID, caseID string, p Pair) (base, head Answers) {
	if c == nil {
		return base, head
	}
	base.client, head.client = c, c
	rounds := map[entryName]entry{}
	for _, e := range c.entriesOf(suiteID, caseID) {
		if e.side != 0 {
			rounds[e.entryName] = e
		}
	}
	for _, e := range c.entriesOf(suiteID, caseID) {
		headEntry, onHead := rounds[entryName{e.trial, rerunHead}]
		if e.side != rerunBase || e.trial < 1 || !onHead {
			continue
		}
		b, h := c.record(e), c.record(headEntry)
		if b.BaseKey == p.BaseKey && h.BaseKey == p.BaseKey && b.isRerunFor(p.HeadKey, p.BaseTargets) &&
			h.isRerunFor(p.HeadKey, p.HeadTargets) {
			base.entries, head.entries = append(base.entries, e), append(head.entries, headEntry)
		}
	}
	return base, head
}

// OwnReruns returns the recorded reruns of a case that sent the request with the given key when that request was new.
// targets are the live targets of the recording's configuration, by name.
func (c *Client) OwnReruns(suiteID, caseID, key string, targets map[string]Target) Answers {
	if c == nil {
		return Answers{}
	}
	out := Answers{client: c}
	for _, e := range c.entriesOf(suiteID, caseID) {
		if e.side == rerunHead && c.record(e).isRerunFor(key, targets) {
			out.entries = append(out.entries, e)
		}
	}
	return out
}

// isRerunFor reports whether a model, by its present settings in targets, gave the answer in a rerun of the head's
// request with the given key.
func (r record) isRerunFor(key string, targets map[string]Target) bool {
	if r.Target == nil || r.HandWritten || r.RequestKey != key {
		return false
	}
	now, known := targets[r.Target.Name]
	return !known || r.Target.Equals(now)
}

// File returns the file with the first answer, or "" if there are no answers.
func (a Answers) File() string {
	if len(a.entries) == 0 {
		return ""
	}
	return a.client.files[a.entries[0].file]
}

// Samples returns the answers as samples of a model.
func (a Answers) Samples() (out []model.Response) {
	for i := range a.entries {
		out = append(out, a.record(i).sample())
	}
	return out
}

func (r record) sample() model.Response {
	out := r.response()
	out.Sampled = true
	return out
}

// SameTarget reports whether no answer of other names another target than the first of a.
func (a Answers) SameTarget(other Answers) bool {
	return !slices.ContainsFunc(other.entries, func(e entry) bool {
		return e.target != nil && len(a.entries) > 0 && !e.target.Equals(*a.target(0))
	})
}

func rerunAnswer(c *Client, q model.Request) model.Response {
	var answers Answers
	if c.binding.Reruns != nil {
		answers = c.binding.Reruns(q.SuiteID, q.CaseID)
	}
	if q.Rerun > answers.Len() {
		return model.FailedResponse(model.ReasonUnrecorded, "no recording: %s has no rerun %d of case %s",
			Path(c.path, q.SuiteID), q.Rerun, q.CaseID)
	}
	return answers.record(q.Rerun - 1).sample()
}

// describeMismatch describes the request with the given key, which an answer was made for, in comparison with q. If the
// two differ only by white space, the description says so, because editors add and remove line ends. base is the case
// on the base.
func describeMismatch(key string, q model.Request, base BaseCase) string {
	for _, end := range []string{"", "\n", "\n\n"} {
		allMessages := slices.Clone(q.Messages)
		for i, m := range q.Messages {
			other := m
			other.Content = strings.TrimRight(m.Content, " \t\r\n") + end
			messages := slices.Clone(q.Messages)
			messages[i], allMessages[i] = other, other
			if withMessages(q, messages).Key() == key {
				return "made for this prompt with other white space at its end"
			}
		}
		if withMessages(q, allMessages).Key() == key {
			return "made for this prompt with other white space at its end"
		}
	}
	if base.Request != nil {
		if request := base.Request(); request.Key() == key && sameWords(request.Messages, q.Messages) {
			if request.Messages = q.Messages; request.Key() == q.Key() {
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

// sameWords reports whether messages differ only in white space.
func sameWords(a, b []model.Message) bool {
	return slices.EqualFunc(a, b, func(a, b model.Message) bool {
		return a.Role == b.Role && slices.Equal(strings.Fields(a.Content), strings.Fields(b.Content))
	})
}
