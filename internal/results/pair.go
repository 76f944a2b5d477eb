package results

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/results/rows"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Rules are how results are judged, beside what their runner says of them.
type Rules struct {
	Name     string   // of the suite where the runner names none; ""
	Strict   bool     // a flip counts as it is: no model is asked
	MustPass []string // patterns of the ids of cases that must pass
}

// Pairing is both sides with the report's ids for their cases.
type Pairing struct {
	Base, Head *Side // Base is nil without one
	Names      suiteid.Names
	Formats    []string
	Shows      bool        // what the runners judged by
	Of, Joined int         // cases of the base, and those that the head has
	Renamed    []string    // the cases of the head that go by another name on the base
	ByOrder    int         // cases of the head that only their order tells apart
	Edited     []string    // the cases of the head that passed before, and fail what they are held to now, which is another thing
	Moved      []string    // the head's names of providers and prompts that only their place pairs
	Models     [2][]string // the providers of base and head, as each side names them
	Runs       [2]int      // the most that a case of the base has, and one of the head

	name    string
	suites  []string // of both sides, in the order of the head's
	targets map[string]string
	partner map[*one]*one // of the base's cases, the head's
}

// Pair pairs the cases of both sides: by suite, and then by the runner's names for them. base may be nil.
func Pair(rules Rules, base, head *Side) *Pairing {
	p := &Pairing{Base: base, Head: head, Formats: []string{head.Format}, Shows: head.Shows, name: rules.Name, targets: map[string]string{}, partner: map[*one]*one{}}
	if base == nil {
		p.Base = &Side{}
	}
	for i, s := range []*Side{p.Base, p.Head} {
		p.Models[i] = s.providers()
	}
	p.alignVariants()
	p.nameSuites()
	p.join()
	p.joinLeft(func(c *one) string { return c.name })
	p.Renamed = p.joinLeft(func(c *one) string { return c.input })
	p.missRuns()
	p.findEdited()
	must := matcher(rules.MustPass)
	for _, side := range []*Side{p.Head, p.Base} {
		side.nameCases()
		for _, c := range side.cases {
			c.format, c.strict, c.mustPass = head.Format, rules.Strict, must(c.id)
		}
	}
	for was, is := range p.partner { // by either name
		was.input, is.input = firstOf(was.input, is.input), firstOf(is.input, was.input) // what a side does not show is no other
		was.mustPass = was.mustPass || is.mustPass
		is.mustPass = was.mustPass
	}
	p.Names = p.joinedNames()
	p.Of, p.Joined, p.Base = len(p.Base.cases), len(p.partner), base
	return p
}

// providers are those that a side names, in the order of its cases.
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

// Join takes pairings together, which have suites of their own each.
func Join(all []*Pairing) *Pairing {
	if len(all) == 1 {
		return all[0]
	}
	out := &Pairing{Head: &Side{}, Shows: true, targets: map[string]string{}, partner: map[*one]*one{}}
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
		out.Of, out.Joined, out.ByOrder = out.Of+p.Of, out.Joined+p.Joined, out.ByOrder+p.ByOrder
		for i, names := range p.Models {
			out.Models[i] = append(out.Models[i], names...)
		}
		out.Runs = [2]int{max(out.Runs[0], p.Runs[0]), max(out.Runs[1], p.Runs[1])}
		out.Moved = append(out.Moved, p.Moved...)
		out.Edited = append(out.Edited, p.Edited...)
		out.suites, out.Renamed, out.Shows = append(out.suites, p.suites...), append(out.Renamed, p.Renamed...), out.Shows && p.Shows
		if !slices.Contains(out.Formats, p.Formats[0]) {
			out.Formats = append(out.Formats, p.Formats[0])
		}
	}
	if out.Base != nil {
		out.Names = out.joinedNames()
	}
	return out
}

// Shared reports whether several suites have a case of an id.
func (p *Pairing) Shared(id string) bool {
	in := map[string]bool{}
	for _, side := range []*Side{p.Base, p.Head} {
		if side == nil {
			continue
		}
		for _, c := range side.cases {
			if c.id == id {
				in[c.suiteID] = true
			}
		}
	}
	return len(in) > 1
}

// alignVariants gives the base's providers and prompts the names that the head has for them.
func (p *Pairing) alignVariants() {
	of := func(s *Side, get func(*one) *rows.Name) (all []rows.Name) {
		seen := map[rows.Name]bool{}
		for _, c := range s.cases {
			if n := *get(c); !seen[n] {
				seen[n] = true
				all = append(all, n)
			}
		}
		return all
	}
	for _, get := range []func(*one) *rows.Name{
		func(c *one) *rows.Name { return &c.provider },
		func(c *one) *rows.Name { return &c.prompt },
	} {
		names, moved := alignNames(of(p.Base, get), of(p.Head, get))
		p.Moved = append(p.Moved, moved...)
		for _, c := range p.Base.cases {
			if head, known := names[*get(c)]; known {
				*get(c) = head
			}
		}
	}
}

// alignNames finds the head's names for the base's: the same, or else the short name if one of each side has it, or
// else the order if both sides have as many left; the last are moved.
func alignNames(base, head []rows.Name) (out map[rows.Name]rows.Name, moved []string) {
	out = map[rows.Name]rows.Name{}
	taken := map[rows.Name]bool{}
	left := func() (b, h []rows.Name) {
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
	put := func(b, h rows.Name) { out[b], taken[h] = h, true }
	for _, by := range []func(rows.Name) string{
		func(n rows.Name) string { return n.Long },
		func(n rows.Name) string { return n.Short },
	} {
		b, h := left()
		before, now := grouped(b, by), grouped(h, by)
		for name, one := range before {
			if other := now[name]; name != "" && len(one) == 1 && len(other) == 1 {
				put(one[0], other[0])
			}
		}
	}
	if b, h := left(); len(b) == len(h) {
		for i := range b {
			put(b[i], h[i])
			if b[i] != h[i] {
				moved = append(moved, fmt.Sprintf("%s (was %s)", short(h[i].Long), short(b[i].Long)))
			}
		}
	}
	return out, moved
}

func grouped[T any, K comparable](all []T, by func(T) K) map[K][]T {
	out := map[K][]T{}
	for _, one := range all {
		out[by(one)] = append(out[by(one)], one)
	}
	return out
}

// nameSuites gives each case the id of its suite: SUITE, or SUITE@PROVIDER if there are several providers or prompts.
func (p *Pairing) nameSuites() {
	all := append(append([]*one{}, p.Head.cases...), p.Base.cases...)
	providers, prompts := map[rows.Name]bool{}, map[rows.Name]bool{}
	for _, c := range all {
		providers[c.provider], prompts[c.prompt] = true, true
	}
	type variant struct {
		suite            string
		provider, prompt rows.Name
	}
	ids, own := map[variant]string{}, newNames("%s-%d")
	for _, c := range all {
		v := variant{c.suite, c.provider, c.prompt}
		if ids[v] == "" {
			var target []string
			if len(providers) > 1 {
				target = append(target, slug(v.provider.Long))
			}
			if len(prompts) > 1 {
				target = append(target, slug(firstOf(v.prompt.Short, v.prompt.Long)))
			}
			id := p.suiteName(v.suite)
			if len(target) > 0 {
				id = suiteid.Of(id, strings.Join(target, "."))
			}
			ids[v] = own.free(id)
			p.suites = append(p.suites, ids[v])
			p.targets[ids[v]] = v.provider.Long
		}
		c.suiteID = ids[v]
	}
}

func (p *Pairing) suiteName(own string) string {
	switch {
	case own == "":
		return firstOf(p.name, "results")
	case p.name == "":
		return slug(own)
	}
	return p.name + "." + slug(own)
}

func firstOf(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}

// slug is a name in the letters that ids of suites have.
func slug(name string) string {
	s := strings.Trim(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, text.First(name, 60)), "-.")
	return firstOf(s, "other")
}

// names gives each a name of its own.
type names struct {
	taken map[string]bool
	next  map[string]int // of those that want one name
	form  string         // of a name with a number
}

func newNames(form string) names { return names{map[string]bool{}, map[string]int{}, form} }

// free is a name that is not taken, and takes it.
func (n names) free(id string) string {
	name := id
	for n.taken[name] {
		n.next[id]++
		name = fmt.Sprintf(n.form, id, n.next[id]+1)
	}
	n.taken[name] = true
	return name
}

// join pairs the cases of one key: first those with the same assertions, then those of one title, then the rest in
// order.
func (p *Pairing) join() {
	type place struct{ suite, key string }
	at := func(c *one) place { return place{c.suiteID, c.key} }
	heads := grouped(p.Head.cases, at)
	for _, head := range heads {
		titles := map[string]bool{}
		for _, c := range head {
			titles[c.title] = true
		}
		if len(titles) < len(head) {
			p.ByOrder += len(head)
		}
	}
	type look struct {
		place
		by string
	}
	taken := map[*one]bool{}
	for _, by := range []func(c *one) string{
		func(c *one) string { return c.title + "\n" + c.expected },
		func(c *one) string { return c.expected },
		func(c *one) string { return c.title },
		func(*one) string { return "" },
	} {
		left := map[look][]*one{}
		for _, is := range p.Head.cases {
			if !taken[is] {
				left[look{at(is), by(is)}] = append(left[look{at(is), by(is)}], is)
			}
		}
		for _, was := range p.Base.cases {
			one := look{at(was), by(was)}
			if p.partner[was] == nil && len(left[one]) > 0 {
				p.partner[was], taken[left[one][0]], left[one] = left[one][0], true, left[one][1:]
			}
		}
	}
}

// joinLeft pairs the cases that are left and alone on their side with a text, and returns their names on the head.
func (p *Pairing) joinLeft(text func(*one) string) (called []string) {
	type place struct{ suite, text string }
	at := func(c *one) place { return place{c.suiteID, text(c)} }
	bases, heads := grouped(p.Base.cases, at), grouped(p.Head.cases, at)
	taken := map[*one]bool{}
	for _, is := range p.partner {
		taken[is] = true
	}
	for _, was := range p.Base.cases {
		is := heads[at(was)]
		if text(was) == "" || p.partner[was] != nil || len(bases[at(was)]) != 1 || len(is) != 1 || taken[is[0]] {
			continue
		}
		p.partner[was] = is[0]
		called = append(called, is[0].name)
	}
	return called
}

// idRunes bounds an id.
const idRunes = 140

// nameCases gives each case an id: one line, unique in its suite.
func (s *Side) nameCases() {
	own := map[string]names{}
	for _, c := range s.cases {
		if _, known := own[c.suiteID]; !known {
			own[c.suiteID] = newNames("%s (%d)")
		}
		id := strings.TrimSpace(document.Line(c.name))
		if cut := text.First(id, idRunes); cut != id {
			id = fmt.Sprintf("%s… %x", cut, sha256.Sum256([]byte(c.name)))[:len(cut)+len("… ")+6]
		}
		c.id = own[c.suiteID].free(firstOf(id, "unnamed"))
	}
}

// joinedNames are what the head calls the cases of the base.
func (p *Pairing) joinedNames() suiteid.Names {
	some := func(s *Side, key func(*one) *one) (out []suiteid.Some[*one]) {
		at := map[string]int{}
		for _, c := range s.cases {
			i, known := at[c.suiteID]
			if !known {
				i = len(out)
				at[c.suiteID], out = i, append(out, suiteid.Some[*one]{Suite: c.suiteID})
			}
			out[i].Cases = append(out[i].Cases, suiteid.Case[*one]{ID: c.id, Key: key(c), Own: key(c)})
		}
		return out
	}
	return suiteid.Rename(some(p.Base, func(c *one) *one {
		if is := p.partner[c]; is != nil {
			return is
		}
		return c
	}), some(p.Head, func(c *one) *one { return c }))
}
