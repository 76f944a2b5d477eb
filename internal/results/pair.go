package results

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/results/rows"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Rules are the settings by which results are judged.
type Rules struct {
	Name     string   // the suite's name, or a prefix for the suite names of the runner; may be ""
	Strict   bool     // reports whether one answer decides, because no model is called
	MustPass []string // patterns of the ids of cases that must pass
}

// Pairing is the results of both sides, with their cases paired.
type Pairing struct {
	Base, Head             *Side // Base is nil if only the head has results
	Names                  suiteid.Names
	Formats                []string
	ShowsAssertions        bool        // reports whether the results show the runner's assertions
	BaseCases, PairedCases int         // how many cases the base has, and how many of them were found on the head
	Renamed                []string    // the head's cases that have another name on the base
	OrderedCases           int         // the number of the head's cases that only their order tells apart
	OtherInput             []string    // the head's cases that have another input than on the base
	Edited                 []string    // the head's cases that passed on the base, and fail with changed assertions
	Repeated               []string    // see Side
	Incomplete             [2][]string // the cases of base and head with an answer in some of the runs, and in how many
	NoRunFound             bool        // reports whether Options.Runs matches no name on either side
	UnusedMustPass         []string    // the patterns of Rules.MustPass that match no case of either side
	PairedByOrder          []string    // the head's names of providers and prompts that are paired by order alone
	Models                 [2][]string // the names of the providers of base and head
	Runs                   [2]int      // the largest number of runs of a case, on base and head; see Merge

	name    string
	suites  []string // the ids of the suites of both sides; the head's come first
	targets map[string]string
	partner map[*testCase]*testCase // from a case of the base to the same case of the head
}

// Pair pairs the cases of both sides by suite, and then by the names that the runner gives to cases. base may be nil.
func Pair(rules Rules, base, head *Side) *Pairing {
	p := &Pairing{Base: base, Head: head, Formats: []string{head.Format.Name}, ShowsAssertions: head.Format.ShowsAssertions, name: rules.Name, targets: map[string]string{}, partner: map[*testCase]*testCase{}}
	if base == nil {
		p.Base = &Side{}
	}
	p.NoRunFound = head.NoRunFound && (base == nil || base.NoRunFound)
	for i, s := range []*Side{p.Base, p.Head} {
		p.Models[i] = s.providers()
		for _, name := range s.Repeated {
			if !slices.Contains(p.Repeated, name) {
				p.Repeated = append(p.Repeated, name)
			}
		}
	}
	p.alignVariants()
	p.nameSuites()
	p.pairByKey()
	p.pairByText(func(c *testCase) string { return c.name })
	p.Renamed = p.pairByText(func(c *testCase) string { return c.input })
	p.addMissingRuns()
	p.findIncomplete()
	p.findEdited()
	for _, side := range []*Side{p.Head, p.Base} {
		side.nameCases()
		for _, c := range side.cases {
			c.format, c.strict = head.Format.Name, rules.Strict
		}
	}
	p.markMustPass(rules.MustPass)
	for _, c := range p.Head.cases {
		c.pairName = "head " + c.suiteID + "/" + c.id
	}
	for _, was := range p.Base.cases {
		now := p.partner[was]
		if now == nil {
			was.pairName = "base " + was.suiteID + "/" + was.id
			continue
		}
		was.pairName = now.pairName
		// a missing input is not a changed input
		if was.input, now.input = cmp.Or(was.input, now.input), cmp.Or(now.input, was.input); was.input != now.input {
			p.OtherInput = append(p.OtherInput, now.name)
		}
		// MustPass may match either name
		was.mustPass = was.mustPass || now.mustPass
		now.mustPass = was.mustPass
	}
	p.Names = p.headNames()
	p.BaseCases, p.PairedCases, p.Base = len(p.Base.cases), len(p.partner), base
	return p
}

// markMustPass marks the cases of both sides whose id matches one of the patterns. In a pattern, * stands for any text.
func (p *Pairing) markMustPass(patterns []string) {
	for _, pattern := range patterns {
		ids := regexp.MustCompile(`(?s)^` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`) + `$`)
		used := false
		for _, c := range slices.Concat(p.Head.cases, p.Base.cases) {
			if ids.MatchString(c.id) || ids.MatchString(c.name) {
				c.mustPass, used = true, true
			}
		}
		if !used {
			p.UnusedMustPass = append(p.UnusedMustPass, pattern)
		}
	}
}

// providers returns the names of the providers, in the order of the cases.
func (s *Side) providers() (names []string) {
	seen := map[string]bool{"": true}
	for _, c := range s.cases {
		if name := c.provider.Long; !seen[name] {
			seen[name] = true
			names = append(names, short(name))
		}
	}
	return names
}

// Merge merges pairings that have no suite in common. Runs is that of the last pairing whose head has fewer runs.
func Merge(all []*Pairing) *Pairing {
	if len(all) == 1 {
		return all[0]
	}
	out := &Pairing{Head: &Side{}, ShowsAssertions: true, targets: map[string]string{},
		partner: map[*testCase]*testCase{}}
	for _, p := range all {
		out.Head.cases = append(out.Head.cases, p.Head.cases...)
		if p.Base != nil {
			if out.Base == nil {
				out.Base = &Side{}
			}
			out.Base.cases = append(out.Base.cases, p.Base.cases...)
		}
		maps.Copy(out.targets, p.targets)
		maps.Copy(out.partner, p.partner)
		out.BaseCases += p.BaseCases
		out.PairedCases += p.PairedCases
		out.OrderedCases += p.OrderedCases
		for i, list := range out.lists() {
			*list = append(*list, *p.lists()[i]...)
		}
		out.NoRunFound = out.NoRunFound || p.NoRunFound
		if p.Runs[1] < p.Runs[0] {
			out.Runs = p.Runs
		}
		out.ShowsAssertions = out.ShowsAssertions && p.ShowsAssertions
		if !slices.Contains(out.Formats, p.Formats[0]) {
			out.Formats = append(out.Formats, p.Formats[0])
		}
	}
	if out.Base != nil {
		out.Names = out.headNames()
	}
	return out
}

// lists returns the lists of p that Merge joins.
func (p *Pairing) lists() []*[]string {
	return []*[]string{&p.suites, &p.Renamed, &p.OtherInput, &p.Edited, &p.UnusedMustPass, &p.PairedByOrder, &p.Repeated,
		&p.Incomplete[0], &p.Incomplete[1], &p.Models[0], &p.Models[1]}
}

// InSeveralSuites reports whether several suites have a case with the given id.
func (p *Pairing) InSeveralSuites(id string) bool {
	suites := map[string]bool{}
	for _, side := range []*Side{p.Base, p.Head} {
		if side == nil {
			continue
		}
		for _, c := range side.cases {
			if c.id == id {
				suites[c.suiteID] = true
			}
		}
	}
	return len(suites) > 1
}

// alignVariants renames the base's providers and prompts to the head's names for them.
func (p *Pairing) alignVariants() {
	variants := func(s *Side, get func(*testCase) *rows.Name) (all []rows.Name) {
		seen := map[rows.Name]bool{}
		for _, c := range s.cases {
			if n := *get(c); !seen[n] {
				seen[n] = true
				all = append(all, n)
			}
		}
		return all
	}
	for _, get := range []func(*testCase) *rows.Name{
		func(c *testCase) *rows.Name { return &c.provider },
		func(c *testCase) *rows.Name { return &c.prompt },
	} {
		names, moved := alignNames(variants(p.Base, get), variants(p.Head, get))
		p.PairedByOrder = append(p.PairedByOrder, moved...)
		for _, c := range p.Base.cases {
			if head, known := names[*get(c)]; known {
				*get(c) = head
			}
		}
	}
}

// alignNames maps the base's names to the head's. It pairs equal names first. Then it pairs names with the same short
// name, if no other name of either side has that short name. If both sides have equally many names left, it pairs them
// in order. moved describes the different names that are paired in order.
func alignNames(base, head []rows.Name) (out map[rows.Name]rows.Name, moved []string) {
	out = map[rows.Name]rows.Name{}
	taken := map[rows.Name]bool{}
	unpaired := func() (b, h []rows.Name) {
		for _, n := range base {
			if _, known := out[n]; !known {
				b = append(b, n)
			}
		}
		for _, n := range head {
			if !taken[n] {
				h = append(h, n)
			}
		}
		return b, h
	}
	pair := func(b, h rows.Name) { out[b], taken[h] = h, true }
	for _, key := range []func(rows.Name) string{
		func(n rows.Name) string { return n.Long },
		func(n rows.Name) string { return n.Short },
	} {
		b, h := unpaired()
		before, now := grouped(b, key), grouped(h, key)
		for name, one := range before {
			if other := now[name]; name != "" && len(one) == 1 && len(other) == 1 {
				pair(one[0], other[0])
			}
		}
	}
	if b, h := unpaired(); len(b) == len(h) {
		for i := range b {
			pair(b[i], h[i])
			if b[i] != h[i] {
				moved = append(moved, fmt.Sprintf("%s (was %s)", short(h[i].Long), short(b[i].Long)))
			}
		}
	}
	return out, moved
}

func grouped[T any, K comparable](all []T, key func(T) K) map[K][]T {
	out := map[K][]T{}
	for _, one := range all {
		out[key(one)] = append(out[key(one)], one)
	}
	return out
}

// nameSuites sets the suite id of each case: SUITE, or SUITE@PROVIDER.PROMPT. It leaves out a provider or a prompt if
// there is only one.
func (p *Pairing) nameSuites() {
	all := append(append([]*testCase{}, p.Head.cases...), p.Base.cases...)
	providers, prompts := map[rows.Name]bool{}, map[rows.Name]bool{}
	for _, c := range all {
		providers[c.provider], prompts[c.prompt] = true, true
	}
	type variant struct {
		suite            string
		provider, prompt rows.Name
	}
	ids, unique := map[variant]string{}, newNames("%s-%d")
	for _, c := range all {
		v := variant{c.suite, c.provider, c.prompt}
		if ids[v] == "" {
			var target []string
			if len(providers) > 1 {
				target = append(target, slug(v.provider.Long))
			}
			if len(prompts) > 1 {
				target = append(target, slug(cmp.Or(v.prompt.Short, v.prompt.Long)))
			}
			id := p.suiteName(v.suite)
			if len(target) > 0 {
				id = suiteid.ForTarget(id, strings.Join(target, "."))
			}
			ids[v] = unique.free(id)
			p.suites = append(p.suites, ids[v])
			p.targets[ids[v]] = v.provider.Long
		}
		c.suiteID = ids[v]
	}
}

func (p *Pairing) suiteName(suite string) string {
	switch {
	case suite == "":
		return cmp.Or(p.name, "results")
	case p.name == "":
		return slug(suite)
	}
	return p.name + "." + slug(suite)
}

// slug returns a name in the characters that an id of a suite can have.
func slug(name string) string {
	s := strings.Trim(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, text.FirstRunes(name, 60)), "-.")
	return cmp.Or(s, "other")
}

// names makes names unique by adding numbers to duplicates.
type names struct {
	taken map[string]bool
	next  map[string]int // the number of duplicates of a name
	form  string         // the format of a name with a number
}

func newNames(form string) names { return names{map[string]bool{}, map[string]int{}, form} }

// free returns id, or id with a number if id is used already, and marks the result as used.
func (n names) free(id string) string {
	name := id
	for n.taken[name] {
		n.next[id]++
		name = fmt.Sprintf(n.form, id, n.next[id]+1)
	}
	n.taken[name] = true
	return name
}

// pairByKey pairs cases with the same key: first by title and assertions, then by assertions, then by title, then in
// order. If the head has more cases of a kind, those that fail are paired with those that passed.
func (p *Pairing) pairByKey() {
	type place struct{ suite, key string }
	at := func(c *testCase) place { return place{c.suiteID, c.key} }
	heads := grouped(p.Head.cases, at)
	for _, head := range heads {
		titles := map[string]bool{}
		for _, c := range head {
			titles[c.title] = true
		}
		if len(titles) < len(head) {
			p.OrderedCases += len(head)
		}
	}
	type matchKey struct {
		place
		title, expected string
	}
	taken := map[*testCase]bool{}
	for _, match := range []func(c *testCase) matchKey{
		func(c *testCase) matchKey { return matchKey{at(c), c.title, c.expected} },
		func(c *testCase) matchKey { return matchKey{at(c), "", c.expected} },
		func(c *testCase) matchKey { return matchKey{at(c), c.title, ""} },
		func(c *testCase) matchKey { return matchKey{at(c), "", ""} },
	} {
		without := func(cases []*testCase, paired func(*testCase) bool) map[matchKey][]*testCase {
			return grouped(slices.DeleteFunc(slices.Clone(cases), paired), match)
		}
		heads := without(p.Head.cases, func(c *testCase) bool { return taken[c] })
		for one, bases := range without(p.Base.cases, func(c *testCase) bool { return p.partner[c] != nil }) {
			unpaired := heads[one]
			if len(unpaired) > len(bases) { // a new case that passes hides no old one that fails
				slices.SortStableFunc(unpaired, failingFirst)
				slices.SortStableFunc(bases, func(a, b *testCase) int { return failingFirst(b, a) })
			}
			for i, was := range bases[:min(len(bases), len(unpaired))] {
				p.partner[was], taken[unpaired[i]] = unpaired[i], true
			}
		}
	}
}

// failingFirst compares cases so that those come first of which most answers did not pass.
func failingFirst(a, b *testCase) int {
	switch {
	case a.passes() == b.passes():
		return 0
	case b.passes():
		return -1
	}
	return 1
}

// pairByText pairs the unpaired cases of a suite for which the function text returns the same text. A case is paired
// only if no other case of its side in the suite has that text. pairByText returns the head's names of the newly paired
// cases.
func (p *Pairing) pairByText(text func(*testCase) string) (called []string) {
	type place struct{ suite, text string }
	at := func(c *testCase) place { return place{c.suiteID, text(c)} }
	bases, heads := grouped(p.Base.cases, at), grouped(p.Head.cases, at)
	taken := map[*testCase]bool{}
	for _, head := range p.partner {
		taken[head] = true
	}
	for _, was := range p.Base.cases {
		head := heads[at(was)]
		if text(was) == "" || p.partner[was] != nil || len(bases[at(was)]) != 1 || len(head) != 1 || taken[head[0]] {
			continue
		}
		p.partner[was] = head[0]
		called = append(called, head[0].name)
	}
	return called
}

// idRunes is the largest number of runes in an id.
const idRunes = 140

// nameCases sets the id of each case: one line, unique in its suite.
func (s *Side) nameCases() {
	unique := map[string]names{}
	for _, c := range s.cases {
		if _, known := unique[c.suiteID]; !known {
			unique[c.suiteID] = newNames("%s (%d)")
		}
		id := strings.TrimSpace(document.Line(c.name))
		if cut := text.FirstRunes(id, idRunes); cut != id {
			id = fmt.Sprintf("%s… %x", cut, sha256.Sum256([]byte(c.name)))[:len(cut)+len("… ")+6]
		}
		c.id = unique[c.suiteID].free(cmp.Or(id, "unnamed"))
	}
}

// headNames returns the head's names for the cases of the base.
func (p *Pairing) headNames() suiteid.Names {
	suitesOf := func(s *Side, key func(*testCase) *testCase) (out []suiteid.SuiteCases[*testCase]) {
		at := map[string]int{}
		for _, c := range s.cases {
			i, known := at[c.suiteID]
			if !known {
				i = len(out)
				at[c.suiteID], out = i, append(out, suiteid.SuiteCases[*testCase]{Suite: c.suiteID})
			}
			out[i].Cases = append(out[i].Cases, suiteid.Case[*testCase]{ID: c.id, Key: key(c), SuiteKey: key(c)})
		}
		return out
	}
	return suiteid.FindRenamed(suitesOf(p.Base, func(c *testCase) *testCase {
		if head := p.partner[c]; head != nil {
			return head
		}
		return c
	}), suitesOf(p.Head, func(c *testCase) *testCase { return c }))
}
