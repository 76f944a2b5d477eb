package run

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/together"
)

// bindRecordings holds the recorded answers of the head to its requests and targets, and to what the base asks and answers. Those
// of the base count as they are: were a stale one no answer, a change of keys alone would make the next change incomparable.
func (p *Sides) bindRecordings(own *config.Config) {
	p.base.bind(recorded.Binding{AsItIs: true, Fresh: func(suiteID, caseID string) recorded.Answers {
		if s := p.base.find(suiteID); s != nil {
			name := s.Head(caseID)
			suiteID, caseID = name.Suite, name.Case
		}
		base, _ := p.fresh(suiteID, caseID)
		return base
	}})
	p.head.bind(recorded.Binding{Targets: recordedTargets(p.rules), Others: slices.Collect(maps.Keys(recordedTargets(own))),
		Before: p.baseForm(), Mend: p.mend(own), Branch: p.in.holdsOnBranch(), Warn: p.rules.Recordings.Stale == config.StaleWarn,
		Cases: p.head.caseIDs,
		Fresh: func(suiteID, caseID string) recorded.Answers {
			_, head := p.fresh(suiteID, caseID)
			return head
		}})
}

// redrawn returns how many fresh answers to a case the head's recordings hold, and in which file.
func (p *Sides) redrawn(suiteID, caseID string) (rounds int, file string) {
	_, head := p.fresh(suiteID, caseID)
	return head.Len(), head.File()
}

// recordedTargets are the live targets of a configuration, as a recording names them.
func recordedTargets(c *config.Config) map[string]recorded.Target {
	out := map[string]recorded.Target{}
	for name, t := range c.Targets {
		if t.Live() {
			out[name] = recordedTarget(t)
		}
	}
	return out
}

func recordedTarget(t config.Target) recorded.Target {
	return recorded.Target{Name: t.Name, Provider: t.Provider, Model: t.Model, Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens, Settings: t.Settings()}
}

// baseForm returns a look-up of what the base asks and answers in a head's case; nil without a base.
func (p *Sides) baseForm() func(suiteID, caseID string) recorded.Before {
	switch {
	case p.in.Stored != nil:
		return p.beforeStored()
	case p.base == nil:
		return nil
	}
	return func(suiteID, caseID string) recorded.Before {
		both := p.joined.of(suiteID, caseID)
		if both.Base == nil || both.Head == nil {
			return recorded.Before{Changed: p.joined.head[suiteID].prompt}
		}
		return recorded.Before{Changed: both.Base.Keys().RequestKey != both.Head.Keys().RequestKey,
			Answers: p.base.replay[both.BaseSuite.Target].Answers(both.BaseSuite.ID, both.Base.ID),
			Suite:   both.BaseSuite.ID, Case: both.Base.ID,
			Asks: func() model.Request { return both.Base.Open().Prompt }}
	}
}

// beforeStored looks up what a stored base asked. It tells neither answers nor prompts.
func (p *Sides) beforeStored() func(suiteID, caseID string) recorded.Before {
	return func(suiteID, caseID string) recorded.Before {
		was, is := find(p.in.Stored.Head, suiteid.Name{Suite: suiteID, Case: caseID}), p.joined.of(suiteID, caseID).Head
		return recorded.Before{Changed: was != nil && (is == nil || was.RequestKey != report.ParseKey(is.Keys().RequestKey.String()))}
	}
}

// mend says how an answer of a suite is made, or made anew: whoever does asks by the head's own configuration.
func (p *Sides) mend(own *config.Config) func(suiteID string, n recorded.Need) string {
	live := len(recordedTargets(own))
	if own.Judge != nil && own.JudgesAlone(own.Judge.Target) {
		live--
	}
	return func(suiteID string, n recorded.Need) string {
		path, says := suiteID, false
		if s := p.head.find(suiteID); s != nil {
			path, says = s.Path, own.Targets[s.Target].Records != ""
		}
		switch {
		case live == 1, says:
			return "run `failproof record " + path + "`"
		case live > 1:
			return "run `failproof record --target NAME " + path + "`"
		}
		if n == recorded.Missing {
			return "write the answer down, then `failproof record --stamp`"
		}
		return "write the answer anew, then `failproof record --stamp`"
	}
}

// holdsOnBranch tells whether a recorded answer fits what the branch asks by itself: the merge with another made it stale, and to
// record it before that is merged would make the old answer again. It is nil where the head is no merge.
func (in Inputs) holdsOnBranch() func(suiteID, caseID, key string, from *recorded.Target) bool {
	if in.Branch == nil {
		return nil
	}
	type branch struct {
		suites map[string]*suite.Suite
		live   map[string]recorded.Target
	}
	own := sync.OnceValue(func() (b branch) {
		tree, _ := in.Branch()
		if tree == nil { // what it says is a hint: without the branch there is none
			return b
		}
		if c, _ := ReadConfig(tree, in.Config); c != nil {
			suites, _ := suite.Load(tree, c, in.globs(c.Suites))
			b.suites, b.live = map[string]*suite.Suite{}, recordedTargets(c)
			for _, s := range suites {
				b.suites[s.ID] = s
			}
		}
		return b
	})
	return func(suiteID, caseID, key string, from *recorded.Target) bool {
		s := own().suites[suiteID]
		if s == nil {
			return false
		}
		c := suite.NewIndex(s).Case(caseID)
		if c == nil || key != "" && key != c.Keys().RequestKey.String() {
			return false
		}
		if from == nil {
			return key != ""
		}
		asks, known := own().live[from.Name]
		return !known || asks.Equals(*from)
	}
}

// retargeted returns whether a target that answers to a case were recorded from is asked otherwise by the head; nil where no
// target is.
func (r *Sides) retargeted(rules *config.Config) func(suite.Pair) bool {
	if r.base == nil {
		return nil
	}
	other := map[string]bool{}
	is := recordedTargets(rules)
	for name, was := range recordedTargets(r.base.config) {
		if now, known := is[name]; known && !was.Equals(now) {
			other[name] = true
		}
	}
	if len(other) == 0 {
		return nil
	}
	return func(p suite.Pair) bool {
		from := slices.Concat(r.base.answersOf(p.BaseSuite, p.Base.ID).TargetNames(), r.head.answersOf(p.HeadSuite, p.Head.ID).TargetNames())
		return slices.ContainsFunc(from, func(name string) bool { return other[name] })
	}
}

// answeredOtherwise reports whether the recorded answers to a case differ between the sides.
func (r *Sides) answeredOtherwise(p suite.Pair) bool {
	return !r.base.replay[p.BaseSuite.Target].Same(p.BaseSuite.ID, p.Base.ID, r.head.replay[p.HeadSuite.Target], p.HeadSuite.ID, p.Head.ID)
}

// gone warns of recordings from targets that the configuration has no more: whether they are still asked so, nobody can tell.
func (p *Sides) gone() (warnings []report.Warning) {
	live := recordedTargets(p.rules)
	for _, s := range p.asked[suite.Head] {
		counts := map[string]int{}
		if !p.head.replay[s.Target].NamesTargets() {
			continue
		}
		for c := range s.Cases.All() {
			for _, name := range p.head.answersOf(s, c.ID).TargetNames() {
				if _, known := live[name]; !known {
					counts[name]++
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			warnings = append(warnings, report.Warning{Code: "recording_target_gone", SuiteID: s.ID, Path: s.Path, Line: s.Pos.Line, Count: counts[name],
				Message: document.Line(fmt.Sprintf("recorded from target %s, which is no live target of the configuration: whether the model is still the same cannot be told", document.Quote(name)))})
		}
	}
	return warnings
}

// pairs find the cases of both sides by what the head calls them.
type pairs struct {
	names      suiteid.Names
	base, head map[string]indexed // suites, by the ids that the head has for them
}

// indexed is a suite with its cases by id.
type indexed struct {
	suite  *suite.Suite
	cases  *suite.Index
	prompt bool // of the head: it asks by another prompt than the base
}

// pairs joins the cases of both sides.
func (p *Sides) pairs() pairs {
	out := pairs{base: map[string]indexed{}, head: map[string]indexed{}}
	bases := map[string]*suite.Suite{}
	for _, b := range p.base.all() {
		out.names, bases[b.HeadID()] = b.Names, b
	}
	together.Do(func() {
		for id, b := range bases {
			out.base[id] = indexed{suite: b, cases: suite.NewIndex(b)}
		}
	}, func() {
		for _, h := range p.head.suites {
			out.head[h.ID] = indexed{h, suite.NewIndex(h), suite.PromptChanged(bases[h.ID], h)}
		}
	})
	return out
}

// of are both sides' form of a case; what a side has none of is nil.
func (p pairs) of(suiteID, caseID string) (out suite.Pair) {
	head := p.head[suiteID]
	if out.Head = head.cases.Case(caseID); out.Head != nil {
		out.HeadSuite = head.suite
	}
	if own, known := p.names.Base(suiteid.Name{Suite: suiteID, Case: caseID}); known {
		from := p.base[own.Suite]
		if out.Base = from.cases.Case(own.Case); out.Base != nil {
			out.BaseSuite = from.suite
		}
	}
	return out
}

// shared reports whether several suites have a case of an id, on either side. A suite that several targets answer is one.
func (p pairs) shared(id string) bool {
	in := ""
	for _, side := range []map[string]indexed{p.base, p.head} {
		for suite, one := range side {
			if one.cases.Case(id) == nil {
				continue
			}
			if in != "" && in != suiteid.Written(suite) {
				return true
			}
			in = suiteid.Written(suite)
		}
	}
	return false
}

// bases are the suites of the base that cases of a head's suite stand in there, if it is not one suite.
func (p pairs) bases(of *suite.Suite) (out []*suite.Suite) {
	if b := p.base[of.ID].suite; b != nil {
		return []*suite.Suite{b}
	}
	if !p.names.Moves() {
		return nil
	}
	for c := range of.Cases.All() {
		if from := p.of(of.ID, c.ID).BaseSuite; from != nil && !slices.Contains(out, from) {
			out = append(out, from)
		}
	}
	return out
}

// movedIn are the cases of a suite that the base has as well which stand in another one there.
func (p pairs) movedIn(of *suite.Suite) (out []suite.Pair) {
	own := p.base[of.ID].suite
	if own == nil || !p.names.Moves() {
		return nil
	}
	for c := range of.Cases.All() {
		if one := p.of(of.ID, c.ID); one.BaseSuite != nil && one.BaseSuite != own {
			out = append(out, one)
		}
	}
	return out
}

// fresh are the answers of both sides that the head's recordings hold for a case that flipped, as far as they are answers to what
// both sides ask. Suite and case are the head's.
func (p *Sides) fresh(suiteID, caseID string) (base, head recorded.Answers) {
	both := p.joined.of(suiteID, caseID)
	if both.Base == nil || both.Head == nil {
		return base, head
	}
	return p.head.replay[both.HeadSuite.Target].Fresh(suiteID, caseID, recorded.Pair{BaseKey: both.Base.Keys().RequestKey.String(), HeadKey: both.Head.Keys().RequestKey.String(),
		BaseTargets: recordedTargets(p.base.config), HeadTargets: recordedTargets(p.rules)})
}
