package suite

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
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
	RequestChanged     Why = "request changed"
	ExpectationChanged Why = "expectation changed"
	AnswerChanged      Why = "recorded answer changed"
	CaseAdded          Why = "case added"
	CaseRemoved        Why = "case removed"
)

// Reason counts the cases of a suite that one thing happened to. For NewSuite and RemovedSuite they are all its cases.
type Reason struct {
	Why   Why
	Cases int
	First string // id of the first such case
}

// String says it in words for a list: "request changed: 3 cases, first over-limit".
func (r Reason) String() string {
	if r.Cases == 1 {
		return fmt.Sprintf("%s: %s", r.Why, r.First)
	}
	return fmt.Sprintf("%s: %d cases, first %s", r.Why, r.Cases, r.First)
}

// Touched is a suite that differs between base and head. One of the ids is "" if the suite is on one side only; they
// differ from each other if the suite was renamed.
type Touched struct {
	BaseID  string
	HeadID  string
	Reasons []Reason // in the order of the constants of Why
}

// ID is the name that the suite goes by: the head's if there is one.
func (t Touched) ID() string { return cmp.Or(t.HeadID, t.BaseID) }

// Selection is what a pull request touches.
type Selection struct {
	Suites  []Touched         // in scope, by ID
	LeftOut int               // suites of the head that are not in scope
	Renamed map[string]string // base id → head id of every suite that only changed its name, in scope or not
}

// Has reports whether the suite of that id is in scope on that side.
func (s Selection) Has(side Side, id string) bool {
	return slices.ContainsFunc(s.Suites, func(t Touched) bool {
		if side == Base {
			return t.BaseID == id && id != ""
		}
		return t.HeadID == id && id != ""
	})
}

// Scope finds the suites that a pull request touches: those where a key or a recorded answer of a case differs or is
// on one side only. answers returns a fingerprint of a case's recorded answers, "" if it has none; nil means that
// there are no recordings. Weight, min_score, trials and description bring no suite into scope.
func Scope(base, head []*Suite, answers func(side Side, suiteID, caseID string) string) Selection {
	out := Selection{Renamed: renamed(base, head)}
	if answers == nil {
		answers = func(Side, string, string) string { return "" }
	}
	for _, p := range pairs(base, head, out.Renamed) {
		reasons := p.compare(answers)
		if len(reasons) > 0 {
			out.Suites = append(out.Suites, Touched{BaseID: idOf(p.base), HeadID: idOf(p.head), Reasons: reasons})
		} else if p.head != nil {
			out.LeftOut++
		}
	}
	slices.SortFunc(out.Suites, func(a, b Touched) int { return cmp.Compare(a.ID(), b.ID()) })
	return out
}

// pair is one suite on both sides; one of them may be nil.
type pair struct{ base, head *Suite }

func idOf(s *Suite) string {
	if s == nil {
		return ""
	}
	return s.ID
}

// pairs joins the suites of both sides by id and by rename.
func pairs(base, head []*Suite, renamed map[string]string) []pair {
	heads := byID(head)
	var out []pair
	taken := map[string]bool{}
	for _, b := range base {
		id := cmp.Or(renamed[b.ID], b.ID)
		out = append(out, pair{b, heads[id]})
		taken[id] = true
	}
	for _, h := range head {
		if !taken[h.ID] {
			out = append(out, pair{nil, h})
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

// renamed matches suites that vanished from the base with suites that appeared in the head and hold equal cases with
// equal keys. Of several equal ones the first in id order are matched first.
func renamed(base, head []*Suite) map[string]string {
	bases, heads := byID(base), byID(head)
	appeared := map[string][]string{} // content → head ids
	for _, id := range sortedKeys(heads) {
		if bases[id] == nil {
			sum := content(heads[id])
			appeared[sum] = append(appeared[sum], id)
		}
	}
	out := map[string]string{}
	for _, id := range sortedKeys(bases) {
		if heads[id] != nil {
			continue
		}
		sum := content(bases[id])
		if ids := appeared[sum]; len(ids) > 0 {
			out[id], appeared[sum] = ids[0], ids[1:]
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// content is a fingerprint of a suite's cases and keys, whatever their order.
func content(s *Suite) string {
	lines := make([]string, 0, len(s.Cases))
	for i := range s.Cases {
		c := &s.Cases[i]
		lines = append(lines, c.ID+" "+c.RequestKey+" "+c.ExpectationKey+"\n")
	}
	slices.Sort(lines)
	sum := sha256.New()
	for _, line := range lines {
		sum.Write([]byte(line))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// compare returns what differs between both sides of a suite.
func (p pair) compare(answers func(Side, string, string) string) []Reason {
	switch {
	case p.base == nil:
		return []Reason{{NewSuite, len(p.head.Cases), p.head.Cases[0].ID}}
	case p.head == nil:
		return []Reason{{RemovedSuite, len(p.base.Cases), p.base.Cases[0].ID}}
	}
	var request, expectation, answer, added, removed tally
	before := make(map[string]*Case, len(p.base.Cases))
	for i := range p.base.Cases {
		before[p.base.Cases[i].ID] = &p.base.Cases[i]
	}
	for i := range p.head.Cases {
		h := &p.head.Cases[i]
		b := before[h.ID]
		if b == nil {
			added.count(h.ID)
			continue
		}
		delete(before, h.ID)
		request.countIf(b.RequestKey != h.RequestKey, h.ID)
		expectation.countIf(b.ExpectationKey != h.ExpectationKey, h.ID)
		answer.countIf(answers(Base, p.base.ID, h.ID) != answers(Head, p.head.ID, h.ID), h.ID)
	}
	for i := range p.base.Cases {
		id := p.base.Cases[i].ID
		removed.countIf(before[id] != nil, id)
	}
	return slices.Concat(request.as(RequestChanged), expectation.as(ExpectationChanged), answer.as(AnswerChanged),
		added.as(CaseAdded), removed.as(CaseRemoved))
}

// tally counts cases and keeps the first one's id.
type tally struct {
	cases int
	first string
}

func (t *tally) count(id string) {
	if t.cases == 0 {
		t.first = id
	}
	t.cases++
}

func (t *tally) countIf(yes bool, id string) {
	if yes {
		t.count(id)
	}
}

// as returns the count as a list of one reason, or of none.
func (t tally) as(why Why) []Reason {
	if t.cases == 0 {
		return nil
	}
	return []Reason{{why, t.cases, t.first}}
}
