package results

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/results/rows"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// alignVariants renames the base's providers and prompts to the head's names for them.
func (p *Pairing) alignVariants() {
	for _, get := range []func(*testCase) *rows.Name{providerOf, promptOf} {
		names, moved := alignNames(distinct(p.Base.cases, get), distinct(p.Head.cases, get))
		p.PairedByOrder = append(p.PairedByOrder, moved...)
		for _, c := range p.Base.cases {
			if head, known := names[*get(c)]; known {
				*get(c) = head
			}
		}
	}
}

func providerOf(c *testCase) *rows.Name { return &c.provider }

func promptOf(c *testCase) *rows.Name { return &c.prompt }

// distinct returns the different names that get returns for the cases, in their order.
func distinct(cases []*testCase, get func(*testCase) *rows.Name) (names []rows.Name) {
	seen := map[rows.Name]bool{}
	for _, c := range cases {
		if n := *get(c); !seen[n] {
			seen[n] = true
			names = append(names, n)
		}
	}
	return names
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

// nameSuites sets the suite id of each case: SUITE, or SUITE@PROVIDER.PROMPT. It leaves out a provider or a prompt if
// there is only one.
func (p *Pairing) nameSuites() {
	all := slices.Concat(p.Head.cases, p.Base.cases)
	providers, prompts := len(distinct(all, providerOf)), len(distinct(all, promptOf))
	type variant struct {
		suite            string
		provider, prompt rows.Name
	}
	ids, unique := map[variant]string{}, text.Names{}
	for _, c := range all {
		v := variant{c.suite, c.provider, c.prompt}
		if ids[v] == "" {
			var target []string
			if providers > 1 {
				target = append(target, slug(v.provider.Long))
			}
			if prompts > 1 {
				target = append(target, slug(cmp.Or(v.prompt.Short, v.prompt.Long)))
			}
			id := p.suiteName(v.suite)
			if len(target) > 0 {
				id = suiteid.ForTarget(id, strings.Join(target, "."))
			}
			ids[v] = unique.Free(id, func(i int) string { return fmt.Sprintf("%s-%d", id, i) })
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

// idRunes is the largest number of runes in an id.
const idRunes = 140

// nameCases sets the id of each case: one line, unique in its suite.
func (s *Side) nameCases() {
	unique := map[string]*text.Names{}
	for _, c := range s.cases {
		if unique[c.suiteID] == nil {
			unique[c.suiteID] = &text.Names{}
		}
		id := strings.TrimSpace(document.Line(c.name))
		if cut := text.FirstRunes(id, idRunes); cut != id {
			id = fmt.Sprintf("%s… %x", cut, sha256.Sum256([]byte(c.name)))[:len(cut)+len("… ")+6]
		}
		id = cmp.Or(id, "unnamed")
		c.id = unique[c.suiteID].Free(id, func(i int) string { return fmt.Sprintf("%s (%d)", id, i) })
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
	for _, n := range distinct(s.cases, providerOf) {
		if n.Long != "" {
			names = append(names, short(n.Long))
		}
	}
	return names
}
