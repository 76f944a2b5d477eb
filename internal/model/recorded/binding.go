package recorded

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

// Binding is the conditions under which recorded answers apply, besides the key of their request. The zero Binding
// checks the key alone.
type Binding struct {
	Targets         map[string]Target                     // live targets of the effective configuration, by name
	HeadOnlyTargets []string                              // live targets that only the head has
	LiveTarget      string                                // the live target that gave the answers; "" if unknown
	BaseCase        func(suiteID, caseID string) BaseCase // nil: there is no base
	BaseAnswers     func(suiteid.Name) Answers            // the base's answers under a name; nil: unknown
	Unchecked       bool                                  // answers are used without a check: none is stale
	AllowStale      bool                                  // stale answers count, and are marked
	Reruns          func(suiteID, caseID string) Answers  // to a flipped case, by round; nil: none
	HowToRecord     func(suiteID string, n Need) string   // short advice for making answers of the suite
	CaseIDs         func(suiteID string) []string         // the ids of a suite's cases; nil: unknown
	Cases           func() []Case                         // the cases that the answers are for; nil: unknown
	OnBase          func(key string) Answers              // the base's answers to a request; nil: unknown

	// CurrentOnBranch reports whether an answer, with its key and target, is current on the branch before it was merged
	// with another. It is nil if no merge is judged.
	CurrentOnBranch func(suiteID, caseID, key string, from *Target) bool

	owners func() owners // set by Bind
}

// Need says why the answer to a case must be recorded.
type Need int

// NeedStale means that the recorded answer does not apply any more, NeedStaleByHand that a person wrote it besides, and
// NeedStamp that only white space of the prompt changed since. NeedMissing means that no answer is recorded.
const (
	NeedStale Need = iota
	NeedStaleByHand
	NeedStamp
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

// Answers are recorded answers, each as its line, which is parsed when it is used.
type Answers []entry

// Len returns the number of answers.
func (a Answers) Len() int { return len(a) }

// Bind sets the conditions for answers. Call it before Answer.
func (c *Client) Bind(b Binding) {
	b.owners = sync.OnceValue(c.findOwners)
	c.binding = b
}

// TargetNames returns the names of the targets that gave the answers to a case.
func (a Answers) TargetNames() (out []string) {
	for _, e := range a {
		if e.target != nil {
			out = append(out, e.target.Name)
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

// LineFrom returns the line of the recorded answer to a request and its trial. current reports whether the answer is
// current, has a request key, and is either hand-written or from the given target: `failproof record` writes only such
// answers. staleByHand reports whether a person wrote the answer, and it does not apply.
func (c *Client) LineFrom(q model.Request, target string) (line string, current, staleByHand bool) {
	e, found := findEntry(c, q.SuiteID, q.CaseID, q.Trial)
	if !found {
		return "", false, false
	}
	r := e.record()
	if r.RequestKey == "" || r.Target == nil && !r.HandWritten || r.Target != nil && r.Target.Name != target {
		return "", false, false
	}
	current = c.binding.staleReason(r, q, c.binding.baseCase(q)) == ""
	return e.text, current, r.HandWritten && !current
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
		why = fmt.Sprintf("%s had %s, has %s now", quotedValue(target.Name), target.firstDifference(now),
			now.firstDifference(target))
	default:
		return ""
	}
	remedy := "record the answer again"
	switch {
	case b.CurrentOnBranch != nil && b.CurrentOnBranch(q.SuiteID, q.CaseID, r.RequestKey, target):
		remedy = "update the branch and record again"
	case b.HowToRecord == nil: // nobody reads the message
	case b.owners().moved[nameOfCase(q)]:
		remedy, why = moveAdvice, "made for another case"
	case r.HandWritten && strings.HasPrefix(why, otherSpace):
		remedy = b.HowToRecord(q.SuiteID, NeedStamp)
	case r.HandWritten:
		remedy = b.HowToRecord(q.SuiteID, NeedStaleByHand)
	default:
		remedy = b.HowToRecord(q.SuiteID, NeedStale)
	}
	return fmt.Sprintf("%s: stale, %s (%s)", remedy, why, r.File)
}

// moveAdvice is the remedy for an answer that is recorded under another name than its case's.
const moveAdvice = "run `failproof record --stamp`, which moves answers to their cases"

func nameOfCase(q model.Request) suiteid.Name {
	return suiteid.Name{Suite: suiteid.AuthorID(q.SuiteID), Case: q.CaseID}
}

// isUnchanged reports whether an answer is equal to the base's although the request changed. It returns false if
// `failproof record` can have written the answer, and for a stored base, which has no recordings.
func (b Binding) isUnchanged(r record, q model.Request, base BaseCase) bool {
	changed := base.RequestChanged
	for _, e := range base.Answers {
		changed = changed || b.hasChangedTarget(e.target, q)
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
	for _, e := range base {
		if e.target != nil && r.sameAnswer(e.record()) {
			return e.target
		}
	}
	return nil
}

// contains reports whether one of the answers equals the answer in the line r.
func (a Answers) contains(r record) bool {
	return slices.ContainsFunc(a, func(e entry) bool { return r.sameAnswer(e.record()) })
}

// keyOf returns the request key of the answer that equals the one in the line r; "" if there is none.
func (a Answers) keyOf(r record) string {
	for _, e := range a {
		if r.sameAnswer(e.record()) {
			return e.requestKey()
		}
	}
	return ""
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

// otherSpace begins the description of a request that differs only by white space.
const otherSpace = "made for this prompt with other white space"

// describeMismatch describes the request with the given key, which an answer was made for, in comparison with q. If the
// two differ only by the model and parameters, or by white space, which editors add and remove, the description says
// so. base is the case on the base.
func describeMismatch(key string, q model.Request, base BaseCase) string {
	for _, end := range []string{"", "\n", "\n\n"} {
		allMessages := slices.Clone(q.Messages)
		for i, m := range q.Messages {
			other := m
			other.Content = strings.TrimRight(m.Content, " \t\r\n") + end
			messages := slices.Clone(q.Messages)
			messages[i], allMessages[i] = other, other
			if withMessages(q, messages).Key() == key {
				return otherSpace + " at its end"
			}
		}
		if withMessages(q, allMessages).Key() == key {
			return otherSpace + " at its end"
		}
	}
	if base.Request != nil {
		request, settings := base.Request(), base.Request()
		settings.Model, settings.Parameters = q.Model, q.Parameters
		switch same := request.Key() == key; {
		case same && settings.Key() == q.Key():
			return "made with another model or other parameters of the prompt file"
		case same && sameWords(request.Messages, q.Messages):
			if request.Messages = q.Messages; request.Key() == q.Key() {
				return otherSpace
			}
		}
	}
	return "made for another prompt or input"
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
