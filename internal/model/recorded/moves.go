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
	key      string       // request key of the first one; "" if it has none
	owner    suiteid.Name // the case that had this name on the base, if it has another one now
}

// Moves returns the new names of the answers that are recorded under another name than that of the case whose current
// request they answer. Answers under the name that a case had on the base are the case's, whatever it asks now, if no
// other case has that name or if the base has them in the same words. Such a case gets them, with their reruns, unless
// it has an answer to that request or one without a request key. Its answer to another request gets the free name in
// return, because a file has one answer a name.
func (c *Client) Moves() (out []RenamedAnswer) {
	cases, current, suites := c.binding.cases(), map[suiteid.Name]string{}, map[string]bool{}
	for _, one := range cases {
		current[one.Name], suites[one.Suite] = one.Key, true
	}
	all, byName, byKey := c.byCase(), map[suiteid.Name]*caseAnswers{}, map[string][]*caseAnswers{}
	for _, a := range all {
		byName[a.now] = a
	}
	owned := c.ownedByBase(cases, byName, current)
	for _, a := range all {
		byKey[a.key] = append(byKey[a.key], a)
	}
	for _, one := range cases {
		old, found := byName[one.Name], owned[one.Name]
		if found == nil && old != nil && old.owner == (suiteid.Name{}) && (old.key == one.Key || old.key == "" && old.ofSide("") != nil) {
			continue
		}
		if i := slices.IndexFunc(byKey[one.Key], func(a *caseAnswers) bool {
			return a.owner == (suiteid.Name{}) && current[a.now] != one.Key && c.isReadFor(one.Suite, a, suites)
		}); found == nil && i >= 0 {
			found = byKey[one.Key][i]
		}
		if found == nil {
			continue
		}
		if byName[found.now] = old; old != nil {
			old.now = found.now
		}
		byName[one.Name], found.now = found, one.Name
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

// ownedByBase returns by case the answers that are under the name that the case had on the base, and sets their owner.
// current has the keys of cases by their names. A case that has its answers of the base under its own name gets no
// others, because they were moved already, and neither does one with answers that the base does not have under that
// name, because they are new.
func (c *Client) ownedByBase(cases []Case, byName map[suiteid.Name]*caseAnswers,
	current map[suiteid.Name]string) map[suiteid.Name]*caseAnswers {
	owned := map[suiteid.Name]*caseAnswers{}
	for _, one := range cases {
		base, own := c.binding.baseCase(model.Request{SuiteID: one.SuiteID, CaseID: one.Case}), byName[one.Name]
		if own != nil && (hasAll(base.Answers, own.Answers) || c.binding.BaseAnswers == nil ||
			!hasAll(c.binding.BaseAnswers(one.Name), own.Answers)) {
			continue
		}
		for _, was := range []suiteid.Name{{Suite: suiteid.AuthorID(base.SuiteID), Case: base.CaseID}, {Suite: one.Suite, Case: base.CaseID}} {
			key, taken := current[was]
			a := byName[was]
			if a == nil || was == one.Name || taken && a.key == key || owned[one.Name] != nil {
				continue
			}
			if a.File() == Path(c.path, one.Suite) && (!taken && own == nil || hasAll(base.Answers, a.Answers)) {
				owned[one.Name], a.owner = a, one.Name
			}
		}
	}
	return owned
}

// isReadFor reports whether the given suite reads the file with the answers, and no suite that is not among suites, the
// suites of this run.
func (c *Client) isReadFor(suite string, a *caseAnswers, suites map[string]bool) bool {
	return a.was.Suite == suite || a.File() == Path(c.path, suite) && (suites[a.was.Suite] || strings.Contains(c.path, "{suite}"))
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
