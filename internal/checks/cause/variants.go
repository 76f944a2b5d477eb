package cause

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/bisect"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// mostHunks is the limit of hunks before hunks without an effect on requests are dropped. They are dropped if there are
// more than bisect.MaxHunks.
const mostHunks = 40

// variants builds the head's cases as if some hunks were reverted. It reads them from edited copies of the head's
// files, so that every kind of prompt works. Only the request comes from the copies; expectation and judge are the
// head's.
type variants struct {
	p      *sides.Sides
	all    []Case
	moved  map[string]string // base path to head path of moved files
	change bisect.Change
	cache  map[bisect.Set]map[int]*suite.Case // by the index of the case; nil: unreadable
}

func newVariants(p *sides.Sides, all []Case) *variants {
	v := &variants{p: p, all: all, cache: map[bisect.Set]map[int]*suite.Case{}}
	var pairs []suite.Pair
	for _, s := range all {
		pairs = append(pairs, s.Pair)
	}
	var texts []bisect.Text
	texts, v.moved = changedTexts(p, pairs)
	v.change = bisect.NewChange(texts, mostHunks)
	if len(v.change.Hunks) > bisect.MaxHunks { // with fewer hunks, the search does this for each case
		v.change = v.change.Only(v.active().Has).Joined(bisect.MaxHunks)
		clear(v.cache) // the hunks have other numbers now
	}
	return v
}

// active returns the hunks that matter to the request of a case.
func (v *variants) active() (out bisect.Set) {
	for i := range v.all {
		out |= bisect.Active(len(v.change.Hunks), func(in bisect.Set) string { return v.key(i, in) })
	}
	return out
}

// changedTexts returns the changed files that cases are read from, prompts first, and the head's path of each moved
// file.
func changedTexts(p *sides.Sides, all []suite.Pair) (out []bisect.Text, moved map[string]string) {
	moved = map[string]string{}
	add := func(base, head string) {
		if slices.ContainsFunc(out, func(t bisect.Text) bool { return t.Path == head }) {
			return
		}
		t := bisect.Text{Path: head, Base: sides.TextAt(p.Inputs.Base, base), Head: sides.TextAt(p.Inputs.Head, head)}
		if t.Base == t.Head {
			return
		}
		if base != "" && base != head {
			moved[base] = head
		}
		out = append(out, t)
	}
	for _, s := range all {
		for _, file := range suite.ChangedFiles(s.BaseSuite, s.HeadSuite) {
			add(file.Base.Path, file.Head.Path)
		}
	}
	for _, s := range all {
		add(s.BaseSuite.Path, s.HeadSuite.Path)
	}
	for _, s := range all {
		if s.Head != nil {
			add(s.Base.Path, s.Head.Path)
		}
	}
	return out, moved
}

// maxExplainAnswers returns the limit of answers for an explanation; 0 if there are fewer than two hunks or no
// explanation is made.
func maxExplainAnswers(p *sides.Sides) int {
	if p.Rules.Explain.MaxCalls == 0 || p.Base == nil || p.MeasuresNoise() || !p.Live.HasTargets() {
		return 0
	}
	var live []suite.Pair
	cases := 0
	for _, s := range p.Selected[suite.Head] {
		bases := p.Pairs.BaseSuites(s)
		liveCases := 0
		for _, c := range s.Cases {
			if p.Head.IsLive(s.TargetOf(c)) {
				liveCases++
			}
		}
		if len(bases) == 0 || liveCases == 0 {
			continue
		}
		cases += liveCases
		for _, b := range bases {
			live = append(live, suite.Pair{BaseSuite: b, HeadSuite: s})
		}
	}
	texts, _ := changedTexts(p, live)
	if len(bisect.NewChange(texts, mostHunks).Hunks) < 2 {
		return 0
	}
	return p.Rules.Explain.MaxAnswers(min(cases, MostExplained))
}

// keyOf returns the request key of a case; "" for nil.
func keyOf(c *suite.Case) string {
	if c == nil {
		return ""
	}
	return c.Keys().RequestKey.String()
}

// key returns the request key that a case has with only the given hunks. It is "" if that variant cannot be read, or if
// it has all hunks and its key still differs from the head's.
func (v *variants) key(index int, hunks bisect.Set) string {
	key := keyOf(v.caseWith(index, hunks))
	if hunks == bisect.All(len(v.change.Hunks)) && key != keyOf(v.all[index].Head) {
		return ""
	}
	return key
}

// caseWith returns a case with some hunks; nil if it cannot be read.
func (v *variants) caseWith(index int, hunks bisect.Set) *suite.Case {
	found, known := v.cache[hunks]
	if !known {
		found = v.read(hunks)
		v.cache[hunks] = found
	}
	return found[index]
}

// read reads the cases with some hunks. A case that cannot be read is nil.
func (v *variants) read(hunks bisect.Set) map[int]*suite.Case {
	files := v.change.Texts(hunks.Has)
	for base, head := range v.moved { // suites may use the old path
		if _, known := files[base]; !known {
			files[base] = files[head]
		}
	}
	tree := source.Overlay(v.p.Inputs.Head, v.p.Inputs.Base, files)
	out, loaded := map[int]*suite.Case{}, map[[2]string][]*suite.Suite{}
	for i, s := range v.all {
		// the case may be in the suite's file or in another one
		files := [2]string{suite.GlobOf(s.HeadSuite.Path), suite.GlobOf(s.Head.Path)}
		if _, known := loaded[files]; !known {
			loaded[files], _ = suite.Load(tree, v.p.Rules, files[:])
		}
		out[i] = v.caseOf(s, loaded[files])
	}
	return out
}

// caseOf returns the head's case with the request of its variant; nil if the suites have no such case.
func (v *variants) caseOf(s Case, suites []*suite.Suite) *suite.Case {
	// the change of its name may be reverted, but the head may also have another case of the base's name
	k := cmp.Or(caseNamed(s, suites, s.Head.ID), caseNamed(s, suites, s.Base.ID))
	if k == nil {
		return nil
	}
	variant := k.Open()
	if s.Head.Target != "" {
		asking.SwitchToLive(&variant, v.p.Rules.Targets[s.Head.Target])
	}
	c, body := *s.Head, *s.Head.Body
	body.Prompt = variant.Prompt
	body.Prompt.SuiteID, body.Prompt.CaseID = s.Head.Prompt.SuiteID, s.Head.Prompt.CaseID
	body.Keys.RequestKey = variant.Body.Keys.RequestKey
	c.Body = &body
	return &c
}

// caseNamed returns the case with an id in the suite of s on either side, or nil.
func caseNamed(s Case, suites []*suite.Suite, id string) *suite.Case {
	for _, one := range suites {
		if one.ID != s.HeadSuite.ID && one.ID != s.BaseSuite.ID && len(suites) > 1 {
			continue
		}
		for _, k := range one.Cases {
			if k.ID == id {
				return k
			}
		}
	}
	return nil
}
