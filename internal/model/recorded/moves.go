package recorded

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

// Case is a case that a client's answers are for.
type Case struct {
	suiteid.Name        // as recordings name it
	SuiteID      string // the suite's whole id
	Key          string // of its current request
}

// caseAnswers are the answers that are recorded under one name.
type caseAnswers struct {
	Answers
	was, now suiteid.Name
	key      string // request key of the first one; "" if it has none
	owned    bool   // they belong to the case that had this name on the base, and that has another one now
}

// Moves returns the new names of the answers that are recorded under another name than that of their case. Answers
// belong to the case that had their name on the base, if that case has another name now and no other case wrote them;
// see moves.ownedOnBase. Otherwise they belong to the case whose current request they answer, unless that case has an
// answer to it or one without a request key. The answers that such a case had get the free name in return, because a
// file has one answer a name.
func (c *Client) Moves() (out []RenamedAnswer) {
	cases, all, owned := c.binding.cases(), c.byCase(), map[suiteid.Name]*caseAnswers{}
	m := moves{c, map[suiteid.Name]*caseAnswers{}, map[string][]*caseAnswers{}, map[suiteid.Name]string{}, map[string]bool{}}
	for _, one := range cases {
		m.current[one.Name], m.suites[one.Suite] = one.Key, true
	}
	for _, a := range all {
		m.byName[a.now] = a
	}
	for _, one := range cases {
		if a := m.ownedOnBase(one); a != nil {
			owned[one.Name], a.owned = a, true
		}
	}
	for _, one := range cases {
		if a := owned[one.Name]; a != nil {
			m.rename(a, one.Name)
		}
	}
	for _, a := range all {
		if !a.owned && m.current[a.now] != a.key {
			m.free[a.key] = append(m.free[a.key], a)
		}
	}
	for _, one := range cases {
		if owned[one.Name] == nil {
			m.takeAnswering(one)
		}
	}
	for _, a := range all {
		for _, e := range a.Answers {
			if a.now != a.was {
				out = append(out, RenamedAnswer{e.place(), a.was, a.now})
			}
		}
	}
	return out
}

// moves finds the answers of each case.
type moves struct {
	client  *Client
	byName  map[suiteid.Name]*caseAnswers // by their present name
	free    map[string][]*caseAnswers     // by their keys: those that no case with this request has under its name
	current map[suiteid.Name]string       // keys of the cases' requests
	suites  map[string]bool               // suites of this run
}

// ownedOnBase returns the answers under the name that a case had on the base: those that the base has in the same words
// or, if no case has that name now and the case has no answers, any. It returns nil if there are none, if they were
// moved already, or if the case has answers that the base does not have under the case's present name, because these
// are new.
func (m *moves) ownedOnBase(one Case) *caseAnswers {
	b := m.client.binding
	base, own := b.baseCase(model.Request{SuiteID: one.SuiteID, CaseID: one.Case}), m.byName[one.Name]
	if own != nil && (hasAll(base.Answers, own.Answers) || b.BaseAnswers == nil || !hasAll(b.BaseAnswers(one.Name), own.Answers)) {
		return nil
	}
	// a suite that was renamed may have its new id in the recording already
	for _, suite := range []string{suiteid.AuthorID(base.SuiteID), one.Suite} {
		was := suiteid.Name{Suite: suite, Case: base.CaseID}
		key, taken := m.current[was]
		a := m.byName[was]
		if a == nil || a.owned || was == one.Name || taken && a.key == key || a.File() != Path(m.client.path, one.Suite) {
			continue
		}
		if !taken && own == nil || hasAll(base.Answers, a.Answers) {
			return a
		}
	}
	return nil
}

// takeAnswering gives a case that lacks answers to its current request the first free ones.
func (m *moves) takeAnswering(one Case) {
	own, free := m.byName[one.Name], m.free[one.Key]
	if own != nil && (own.key == one.Key || own.key == "" && own.ofSide("") != nil) {
		return
	}
	for i, a := range free {
		if m.current[a.now] != one.Key && m.isReadFor(one.Suite, a) {
			copy(free[1:], free[:i])
			m.free[one.Key] = free[1:]
			m.rename(a, one.Name)
			return
		}
	}
}

// isReadFor reports whether the given suite reads the file with the answers, and no suite that is not of this run.
func (m *moves) isReadFor(suite string, a *caseAnswers) bool {
	return a.was.Suite == suite || a.File() == Path(m.client.path, suite) &&
		(m.suites[a.was.Suite] || strings.Contains(m.client.path, "{suite}"))
}

// rename gives answers a name, and their former name to those that had it.
func (m *moves) rename(a *caseAnswers, name suiteid.Name) {
	old := m.byName[name]
	if m.byName[a.now] = old; old != nil {
		old.now = a.now
	}
	m.byName[name], a.now = a, name
}

// hasAll reports whether base has all first answers among the given ones, in the same words.
func hasAll(base, answers Answers) bool {
	return !slices.ContainsFunc(answers, func(e entry) bool { return e.side == "" && !base.contains(e.record()) })
}

// byCase returns all answers by the name that they are recorded under, in the order of their lines.
func (c *Client) byCase() (out []*caseAnswers) {
	for suite, all := range c.suites {
		for len(all) > 0 {
			end := slices.IndexFunc(all, func(e entry) bool { return e.id != all[0].id })
			if end < 0 {
				end = len(all)
			}
			name := suiteid.Name{Suite: suite, Case: all[0].id}
			out = append(out, &caseAnswers{Answers: all[:end], was: name, now: name, key: all[0].requestKey()})
			all = all[end:]
		}
	}
	slices.SortFunc(out, func(a, b *caseAnswers) int {
		return cmp.Or(strings.Compare(a.File(), b.File()), cmp.Compare(a.Answers[0].line, b.Answers[0].line))
	})
	return out
}

// ByRequest returns the first answers by their request keys.
func (c *Client) ByRequest() map[string]Answers {
	out := map[string]Answers{}
	for _, all := range c.suites {
		for _, e := range all {
			if key := e.requestKey(); e.side == "" && key != "" {
				out[key] = append(out[key], e)
			}
		}
	}
	return out
}

// requestKey returns the request key of a first answer, without parsing the rest of the line; "" if it has none.
func (e entry) requestKey() string {
	var r struct {
		RequestKey string `json:"request_key"`
	}
	if e.side == "" {
		_ = json.Unmarshal([]byte(e.text), &r) // it was parsed before
	}
	return r.RequestKey
}

// cases returns the cases that the answers are for; none if they are unknown.
func (b Binding) cases() []Case {
	if b.Cases == nil {
		return nil
	}
	return b.Cases()
}

// owners tells which names and requests other cases have. It is made when an answer is missing or stale.
type owners struct {
	moved map[suiteid.Name]bool   // names that Moves takes answers from, or moves them to
	byKey map[string]suiteid.Name // cases by the keys of their requests
}

func (c *Client) findOwners() owners {
	out := owners{map[suiteid.Name]bool{}, map[string]suiteid.Name{}}
	for _, m := range c.Moves() {
		out.moved[m.OldName], out.moved[m.NewName] = true, true
	}
	for _, one := range c.binding.cases() {
		out.byKey[one.Key] = one.Name
	}
	return out
}
