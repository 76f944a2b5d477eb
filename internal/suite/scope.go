package suite

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

// Side is one of the two revisions that are compared.
type Side string

const (
	Base Side = "base"
	Head Side = "head"
)

// ReasonKind is a reason for which a suite is in scope.
type ReasonKind string

const (
	NewSuite           ReasonKind = "new suite"
	RemovedSuite       ReasonKind = "removed suite"
	ModelChanged       ReasonKind = "model changed"  // a prompt file names another model or other parameters
	OtherTarget        ReasonKind = "target changed" // another target answers, or one with other settings
	RequestChanged     ReasonKind = "request changed"
	InputChanged       ReasonKind = "input changed"
	ExpectationChanged ReasonKind = "expectation changed"
	MustPassChanged    ReasonKind = "must_pass changed"
	AnswerChanged      ReasonKind = "recorded answer changed"
	RecordingChanged   ReasonKind = "recording changed" // the recorded answer is missing, or has other data, such as its time
	TargetChanged      ReasonKind = "target of the recording changed"
	CaseAdded          ReasonKind = "case added"
	CaseRemoved        ReasonKind = "case removed"
	CaseMovedIn        ReasonKind = "case moved in"
	CaseMovedOut       ReasonKind = "case moved out"
	TargetAdded        ReasonKind = "target added"
	TargetRemoved      ReasonKind = "target removed"
)

// caseReasons are the reasons that concern single cases, in the order in which they are listed.
var caseReasons = []ReasonKind{ModelChanged, OtherTarget, RequestChanged, InputChanged, ExpectationChanged,
	MustPassChanged, AnswerChanged, RecordingChanged, TargetChanged, CaseAdded, CaseRemoved, CaseMovedIn, CaseMovedOut}

// Reason is a reason with the number of cases that it applies to. NewSuite, RemovedSuite, TargetAdded and TargetRemoved
// apply to all cases of the suite.
type Reason struct {
	Kind  ReasonKind
	Cases int
	First string // id of the first such case
}

// TouchedSuite is a suite that differs between base and head. The id of a side that lacks the suite is "". The ids
// differ if the suite was renamed.
type TouchedSuite struct {
	BaseID  string
	HeadID  string
	Reasons []Reason // in the order of the constants of ReasonKind
}

// ID returns the id on the head. If the head lacks the suite, it returns the id on the base.
func (t TouchedSuite) ID() string { return cmp.Or(t.HeadID, t.BaseID) }

// Selection says which suites a pull request touches.
type Selection struct {
	Suites     []TouchedSuite // the suites in scope, sorted by ID
	OutOfScope int            // the number of head suites that are not in scope
}

// Has reports whether the suite with the given id on the given side is in scope.
func (s Selection) Has(side Side, id string) bool {
	return id != "" && slices.ContainsFunc(s.Suites, func(t TouchedSuite) bool { return side == Base && t.BaseID == id || side == Head && t.HeadID == id })
}

// Recordings has functions that compare the recorded answers to a case. They are nil if there are no recordings.
type Recordings struct {
	Difference    func(Pair) ReasonKind // AnswerChanged, RecordingChanged, or "" if the answers are equal
	TargetDiffers func(Pair) bool       // the target that answers were recorded from has other settings, or is another model
}

// Scope returns the suites that a pull request touches. It compares the keys of cases, recorded answers, and the
// targets that these were recorded from. Weight, min_score, trials and descriptions do not count.
func Scope(both Pairing, recorded Recordings) Selection {
	var out Selection
	for _, p := range both.suites() {
		reasons := p.scopeReasons(both, recorded)
		if len(reasons) > 0 {
			out.Suites = append(out.Suites, TouchedSuite{BaseID: idOf(p.base), HeadID: idOf(p.head), Reasons: reasons})
		} else if p.head != nil {
			out.OutOfScope++
		}
	}
	slices.SortFunc(out.Suites, func(a, b TouchedSuite) int { return cmp.Compare(a.ID(), b.ID()) })
	return out
}

func idOf(s *Suite) string {
	if s == nil {
		return ""
	}
	return s.ID
}

// scopeReasons returns the reasons for which the suite is in scope, or none.
func (p suitePair) scopeReasons(both Pairing, recorded Recordings) []Reason {
	found := tally{}
	for _, pair := range p.cases {
		p.countReasons(found, pair, recorded)
	}
	for _, c := range casesOf(p.base) {
		found.count(CaseMovedOut, both.HeadName(p.base.ID, c.ID).Suite != both.HeadID(p.base.ID), c.ID)
	}
	switch unmoved := found[CaseMovedIn] == nil && found[CaseMovedOut] == nil; {
	case p.base == nil && unmoved:
		return reasonForAll(p.head, map[bool]ReasonKind{true: NewSuite, false: TargetAdded}[p.otherTarget == nil])
	case p.head == nil && unmoved:
		return reasonForAll(p.base, map[bool]ReasonKind{true: RemovedSuite, false: TargetRemoved}[p.otherTarget == nil])
	}
	var out []Reason
	for _, why := range caseReasons {
		if r := found[why]; r != nil {
			out = append(out, *r)
		}
	}
	return out
}

// countReasons adds to found the reasons that apply to one case.
func (p suitePair) countReasons(found tally, pair Pair, recorded Recordings) {
	switch {
	case pair.Base == nil:
		found.count(CaseAdded, true, pair.Head.ID)
		return
	case pair.Head == nil:
		found.count(CaseRemoved, true, pair.Base.ID)
		return
	}
	id := pair.Head.ID
	redefined := pair.Base.Keys().ExpectationKey != pair.Head.Keys().ExpectationKey
	input := redefined && pair.Base.InputKey() != pair.Head.InputKey()
	who, more := requestDiffers(pair)
	found.count(who, who != "", id)
	found.count(RequestChanged, more && !input, id)
	found.count(InputChanged, input, id)
	found.count(ExpectationChanged, redefined && !input, id)
	found.count(MustPassChanged, pair.Base.MustPass != pair.Head.MustPass, id)
	if recorded.Difference != nil {
		why := recorded.Difference(pair)
		found.count(why, why != "", id)
	}
	found.count(TargetChanged, recorded.TargetDiffers != nil && recorded.TargetDiffers(pair), id)
	found.count(CaseMovedIn, pair.BaseSuite != p.base, id)
}

// requestDiffers compares the requests of a case on both sides. who is ModelChanged or OtherTarget if they go to
// another model or target, or with other settings, and otherwise "". rest reports whether anything else differs.
func requestDiffers(one Pair) (who ReasonKind, rest bool) {
	if one.Base.Keys().RequestKey == one.Head.Keys().RequestKey {
		return "", false
	}
	base, head := one.BaseSuite, one.HeadSuite
	was, now := answererOf(one.Base), answererOf(one.Head)
	if base.Target == head.Target && reflect.DeepEqual(was, now) {
		return "", true
	}
	who = OtherTarget
	if was.Provider, was.Settings = now.Provider, now.Settings; head.PromptFile && base.Target == head.Target &&
		!reflect.DeepEqual(was, now) {
		who = ModelChanged
	}
	was, asked := one.Base.Open().Prompt, one.Head.Open().Prompt
	was.Provider, was.Model, was.Parameters, was.Settings = now.Provider, now.Model, now.Parameters, now.Settings
	if base.Target != head.Target { // the target decides whether these are sent; both are compared as expectations
		was.Vars, was.AnswerSchema = asked.Vars, asked.AnswerSchema
	}
	return who, was.Sum() != asked.Sum()
}

// answererOf returns the part of a case's request that says who answers it: the provider, the model and the settings.
func answererOf(c *Case) model.Request {
	if c.parsed == nil {
		return model.Request{}
	}
	q := c.parsed.request
	return model.Request{Provider: q.Provider, Model: q.Model, Parameters: q.Parameters, Settings: q.Settings}
}

// reasonForAll returns a reason that applies to all cases of a suite.
func reasonForAll(s *Suite, why ReasonKind) []Reason {
	return []Reason{{why, len(s.Cases), s.Cases[0].ID}}
}

// PromptChanged reports whether the prompt of a suite changed. It did if the shared prompt differs, or if the request
// of a case differs although the variables that are read are equal. PromptChanged returns false if a side lacks the
// suite.
func PromptChanged(m suiteid.Matches, base, head *Suite) bool {
	if base == nil || head == nil {
		return false
	}
	if base.PromptKey != head.PromptKey {
		return true
	}
	for p := range (Pairing{m, []*Suite{base}, []*Suite{head}}).Pairs() {
		if b, h := p.Base, p.Head; b != nil && h != nil && b.Keys().RequestKey != h.Keys().RequestKey {
			if read := varsReadBy(p.BaseSuite, p.HeadSuite); maps.Equal(read.filter(b.Open().Vars), read.filter(h.Open().Vars)) {
				return true
			}
		}
	}
	return false
}

// FilePair is a file, whose text is sent, on both sides. Base is zero if the base has no such file.
type FilePair struct{ Base, Head SentFile }

// ChangedFiles returns the files of the head suite whose text differs from that of the base.
func ChangedFiles(base, head *Suite) (changed []FilePair) {
	pairs, _ := pairedFiles(base, head)
	return slices.DeleteFunc(pairs, func(p FilePair) bool {
		// A new file of a variable belongs to a new case, which is reported by itself.
		return p.Base.Sum == p.Head.Sum || p.Base.Path == "" && p.Head.Kind == KindVariable
	})
}

// RemovedFiles returns the files of the base suite that the head no longer sends, and that no other file replaces. A
// file of a variable belongs to a removed case, which is reported by itself.
func RemovedFiles(base, head *Suite) []SentFile {
	_, gone := pairedFiles(base, head)
	return slices.DeleteFunc(gone, func(f SentFile) bool { return f.Kind == KindVariable })
}

// pairedFiles returns each file of the head suite with the base's file of the same path. A file with a new path is
// paired with a file of the same kind that the head no longer uses. gone has the files of the base without a pair.
func pairedFiles(base, head *Suite) (pairs []FilePair, gone []SentFile) {
	before := make(map[string]SentFile, len(base.Files))
	for _, f := range base.Files {
		before[f.Path] = f
	}
	kept := make(map[string]bool, len(head.Files))
	for _, f := range head.Files {
		kept[f.Path] = true
	}
	gone = slices.DeleteFunc(slices.Clone(base.Files), func(f SentFile) bool { return kept[f.Path] })
	for _, f := range head.Files {
		b, known := before[f.Path]
		if at := slices.IndexFunc(gone, func(g SentFile) bool { return g.Kind == f.Kind }); !known && at >= 0 {
			b = gone[at]
			gone = slices.Delete(gone, at, at+1)
		}
		pairs = append(pairs, FilePair{b, f})
	}
	return pairs, gone
}

// tally counts cases for each reason.
type tally map[ReasonKind]*Reason

// count adds the case id to the reason why, if applies is set.
func (t tally) count(why ReasonKind, applies bool, id string) {
	if !applies {
		return
	}
	if t[why] == nil {
		t[why] = &Reason{Kind: why, First: id}
	}
	t[why].Cases++
}
