package suite

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/failproof/failproof/internal/suiteid"
)

// Side is one of the two revisions compared.
type Side string

const (
	Base Side = "base"
	Head Side = "head"
)

// Why a suite is in scope.
type Why string

const (
	NewSuite           Why = "new suite"
	RemovedSuite       Why = "removed suite"
	ModelChanged       Why = "model changed" // a prompt file names another one, or other parameters
	RequestChanged     Why = "request changed"
	InputChanged       Why = "input changed"
	ExpectationChanged Why = "expectation changed"
	AnswerChanged      Why = "recorded answer changed"
	TargetChanged      Why = "target of the recording changed"
	CaseAdded          Why = "case added"
	CaseRemoved        Why = "case removed"
	CaseMovedIn        Why = "case moved in"
	CaseMovedOut       Why = "case moved out"
	TargetAdded        Why = "target added"
	TargetRemoved      Why = "target removed"
)

// perCase are those that hold of single cases, in order.
var perCase = []Why{ModelChanged, RequestChanged, InputChanged, ExpectationChanged, AnswerChanged, TargetChanged, CaseAdded, CaseRemoved, CaseMovedIn, CaseMovedOut}

// Reason counts the cases of a suite to which one thing happened. For NewSuite, RemovedSuite, TargetAdded and
// TargetRemoved these are all its cases, since one side alone has the suite for that target.
type Reason struct {
	Why   Why
	Cases int
	First string // id of the first such case
}

// Touched is a suite that differs between base and head. An id is "" if the suite is on one side only; the ids differ
// if the suite was renamed.
type Touched struct {
	BaseID  string
	HeadID  string
	Reasons []Reason // in the order of the constants of Why
}

// ID is the name that the suite goes by: the head's if there is one.
func (t Touched) ID() string { return cmp.Or(t.HeadID, t.BaseID) }

// Selection is what a pull request touches.
type Selection struct {
	Suites  []Touched // in scope, by ID
	LeftOut int       // suites of the head that are not in scope
}

// Has reports whether the suite of that id is in scope on that side.
func (s Selection) Has(side Side, id string) bool {
	return id != "" && slices.ContainsFunc(s.Suites, func(t Touched) bool { return side == Base && t.BaseID == id || side == Head && t.HeadID == id })
}

// Recordings compares the sides' recorded answers. A nil function means that there are none.
type Recordings struct {
	Answered   func(Pair) bool // another answer is recorded, or there is one on one side only
	Retargeted func(Pair) bool // a target that they were recorded from is asked otherwise
}

// Scope finds the suites that a pull request touches: those where a key or a recorded answer of a case, or a target
// that answers were recorded from, differs or is on one side only. Weight, min_score, trials and description bring no
// suite into scope, nor does what a recorded answer is bound by. The suites of both sides are joined: each of the
// base's has the head's id.
func Scope(base, head []*Suite, recorded Recordings) Selection {
	var out Selection
	all, m := suitePairs(base, head), matchingOf(base)
	for _, p := range all {
		reasons := p.compare(m, recorded)
		if len(reasons) > 0 {
			out.Suites = append(out.Suites, Touched{BaseID: idOf(p.base), HeadID: idOf(p.head), Reasons: reasons})
		} else if p.head != nil {
			out.LeftOut++
		}
	}
	slices.SortFunc(out.Suites, func(a, b Touched) int { return cmp.Compare(a.ID(), b.ID()) })
	return out
}

// suitePair is one suite on both sides; one of them may be nil.
type suitePair struct {
	base, head *Suite
	other      *Suite // where one is nil: the suite as that side has another target answer it; nil if it has none
}

func idOf(s *Suite) string {
	if s == nil {
		return ""
	}
	return s.ID
}

// suitePairs joins the suites of both sides by id, by target and by rename, and gives the base's suites and cases the
// head's ids.
func suitePairs(base, head []*Suite) []suitePair {
	of := readByAll(base, head)
	heads, joined := byID(head), suiteid.Join(ones(base, of), ones(head, of))
	before, now, taken := byWritten(base), byWritten(head), map[string]bool{} // the forms of each suite, by what its author calls it
	for _, b := range base {
		if h := heads[joined[b.ID]]; h != nil { // which may be two names
			before[suiteid.AuthorID(h.ID)], now[suiteid.AuthorID(b.ID)] = b, h
			taken[h.ID] = true
		}
	}
	var out []suitePair
	for _, b := range base {
		b.As = cmp.Or(joined[b.ID], b.ID)
		p := suitePair{base: b, head: heads[joined[b.ID]]}
		if p.head == nil {
			p.other = now[suiteid.AuthorID(b.ID)]
		}
		out = append(out, p)
	}
	for _, h := range head {
		if !taken[h.ID] {
			out = append(out, suitePair{head: h, other: before[suiteid.AuthorID(h.ID)]})
		}
	}
	overlookUnused(out, matchingOf(base))
	name(base, head, out, of)
	return out
}

// name tells each of the base's suites the head's names of its cases, unless they are known.
func name(base, head []*Suite, all []suitePair, of reads) {
	if len(base) == 0 || !slices.ContainsFunc(base, func(b *Suite) bool { return b.joined == nil || b.joined != base[0].joined }) && slices.Equal(base[0].joined.heads, head) {
		return
	}
	names, with := renamed(all, of), &joinedWith{heads: head}
	for _, b := range base {
		b.Names, b.joined = names, with
	}
	overlookUnused(all, matchingOf(base))
}

// joinedWith is what the suites of a base were joined with.
type joinedWith struct{ heads []*Suite }

// ones are suites as they are joined.
func ones(suites []*Suite, of reads) []suiteid.One[Keys] {
	out := make([]suiteid.One[Keys], len(suites))
	for i, s := range suites {
		out[i] = suiteid.One[Keys]{ID: s.ID, Target: s.Target, Cases: func() []suiteid.Case[Keys] { return s.identities(of) },
			Lines: func(sent bool) []string { return contentLines(s, sent) }}
	}
	return out
}

// identities are the cases as what they are, whatever they are called.
func (s *Suite) identities(of reads) []suiteid.Case[Keys] {
	out := make([]suiteid.Case[Keys], 0, s.Cases.Len())
	for c := range s.Cases.All() {
		out = append(out, suiteid.Case[Keys]{ID: c.ID, Key: c.identity(of)})
	}
	return out
}

// byWritten finds suites by the ids that their authors wrote; of one with several targets the first.
func byWritten(suites []*Suite) map[string]*Suite {
	out := make(map[string]*Suite, len(suites))
	for _, s := range suites {
		if id := suiteid.AuthorID(s.ID); out[id] == nil {
			out[id] = s
		}
	}
	return out
}

func byID(suites []*Suite) map[string]*Suite {
	out := make(map[string]*Suite, len(suites))
	for _, s := range suites {
		out[s.ID] = s
	}
	return out
}

// contentLines are the cases of a suite by their ids and keys.
func contentLines(s *Suite, sent bool) []string {
	lines := make([]string, 0, s.Cases.Len())
	for c := range s.Cases.All() {
		keys := c.Keys()
		if !sent {
			keys.RequestKey = Key{}
		}
		lines = append(lines, c.ID+" "+string(keys.RequestKey[:])+" "+string(keys.ExpectationKey[:]))
	}
	return lines
}

// compare returns what differs between both sides of a suite.
func (p suitePair) compare(m *matching, recorded Recordings) []Reason {
	found := tally{}
	all := m.cases(p.base, p.head)
	if p.base == nil && !m.names.Moves() { // nothing of it stands on the base
		all = func(func(Pair) bool) {}
	}
	for one := range all {
		p.count(found, one, recorded)
	}
	if p.base != nil && m.names.Moves() {
		for c := range p.base.Cases.All() {
			found.count(CaseMovedOut, p.base.Head(c.ID).Suite != p.base.HeadID(), c.ID)
		}
	}
	switch alone := found[CaseMovedIn] == nil && found[CaseMovedOut] == nil; {
	case p.base == nil && alone:
		return every(p.head, map[bool]Why{true: NewSuite, false: TargetAdded}[p.other == nil])
	case p.head == nil && alone:
		return every(p.base, map[bool]Why{true: RemovedSuite, false: TargetRemoved}[p.other == nil])
	}
	var out []Reason
	for _, why := range perCase {
		if r := found[why]; r != nil {
			out = append(out, *r)
		}
	}
	return out
}

// count counts what happened to a case.
func (p suitePair) count(found tally, one Pair, recorded Recordings) {
	switch {
	case one.Base == nil:
		found.count(CaseAdded, true, one.Head.ID)
		return
	case one.Head == nil:
		found.count(CaseRemoved, true, one.Base.ID)
		return
	}
	id := one.Head.ID
	redefined := one.Base.Keys().ExpectationKey != one.Head.Keys().ExpectationKey
	input := redefined && one.Base.InputKey() != one.Head.InputKey()
	model, more := p.asksOtherwise(one)
	found.count(ModelChanged, model, id)
	found.count(RequestChanged, more && !input, id)
	found.count(InputChanged, input, id)
	found.count(ExpectationChanged, redefined && !input || one.Base.MustPass != one.Head.MustPass, id)
	found.count(AnswerChanged, recorded.Answered != nil && recorded.Answered(one), id)
	found.count(TargetChanged, recorded.Retargeted != nil && recorded.Retargeted(one), id)
	found.count(CaseMovedIn, one.BaseSuite != p.base, id)
}

// asksOtherwise reports whether a case asks something else than on the base: model if a prompt file names another model
// or parameters, and more if anything else of the request differs.
func (p suitePair) asksOtherwise(one Pair) (model, more bool) {
	if one.Base.Keys().RequestKey == one.Head.Keys().RequestKey {
		return false, false
	}
	if p.head == nil || !p.head.prompts {
		return false, true
	}
	was, is := one.Base.Open().Prompt, one.Head.Open().Prompt
	model = was.Model != is.Model || !reflect.DeepEqual(was.Parameters, is.Parameters)
	was.Model, was.Parameters = is.Model, is.Parameters
	return model, was.Sum() != is.Sum()
}

// every is a reason that is one for all cases of a suite.
func every(s *Suite, why Why) []Reason { return []Reason{{why, s.Cases.Len(), s.Cases.At(0).ID}} }

// PromptChanged reports whether a suite's prompt differs from its base: the shared prompt does, or a case with the same
// variables is sent something else. It is false without a base.
func PromptChanged(base, head *Suite) bool {
	if base == nil || head == nil {
		return false
	}
	if base.PromptKey != head.PromptKey {
		return true
	}
	for p := range matchingOf([]*Suite{base}).cases(base, head) {
		if b, h := p.Base, p.Head; b != nil && h != nil && b.Keys().RequestKey != h.Keys().RequestKey {
			if of := readBy(p.BaseSuite, p.HeadSuite); maps.Equal(of.filter(b.Open().Vars), of.filter(h.Open().Vars)) {
				return true
			}
		}
	}
	return false
}

// FilePair is a sent file on both sides. A zero Named stands for a base without it.
type FilePair struct{ Base, Head SentFile }

// ChangedFiles returns the files of the head that say something else than the base's.
func ChangedFiles(base, head *Suite) (changed []FilePair) {
	return slices.DeleteFunc(pairedFiles(base, head), func(p FilePair) bool {
		return p.Base.Sum == p.Head.Sum || p.Base.Path == "" && p.Head.Kind == KindVariable // a new case says that of itself
	})
}

// pairedFiles pairs the head's files with the base's. A file of another path takes the place of one of the same kind
// that the head no longer uses.
func pairedFiles(base, head *Suite) (pairs []FilePair) {
	before := make(map[string]SentFile, len(base.Files))
	for _, f := range base.Files {
		before[f.Path] = f
	}
	kept := make(map[string]bool, len(head.Files))
	for _, f := range head.Files {
		kept[f.Path] = true
	}
	gone := slices.DeleteFunc(slices.Clone(base.Files), func(f SentFile) bool { return kept[f.Path] })
	for _, f := range head.Files {
		b, known := before[f.Path]
		if at := slices.IndexFunc(gone, func(g SentFile) bool { return g.Kind == f.Kind }); !known && at >= 0 {
			b = gone[at]
			gone = slices.Delete(gone, at, at+1)
		}
		pairs = append(pairs, FilePair{b, f})
	}
	return pairs
}

// tally counts the cases that things happened to.
type tally map[Why]*Reason

// count counts a case if it is so.
func (t tally) count(why Why, so bool, id string) {
	if !so {
		return
	}
	if t[why] == nil {
		t[why] = &Reason{Why: why, First: id}
	}
	t[why].Cases++
}
