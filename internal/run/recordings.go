package run

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// bindRecordings holds the recorded answers of the head to its requests and targets, and to what the base asks and answers. Those
// of the base count as they are: were a stale one no answer, a change of keys alone would make the next change incomparable.
// It returns a look-up of the fresh answers that the head's recordings hold.
func (p Plan) bindRecordings(own *config.Config, pairs pairs) compare.Redrawn {
	fresh := p.fresh(pairs)
	p.base.bind(recorded.Binding{AsItIs: true, Fresh: func(suiteID, caseID string) recorded.Answers {
		if s := p.base.find(suiteID); s != nil {
			suiteID, caseID = s.HeadID(), s.Names.Head(caseID)
		}
		base, _ := fresh(suiteID, caseID)
		return base
	}})
	p.head.bind(recorded.Binding{Targets: recordedTargets(p.rules), Others: slices.Collect(maps.Keys(recordedTargets(own))),
		Before: p.baseForm(pairs), Mend: p.mend(own), Branch: p.holdsOnBranch(), Warn: p.rules.Recordings.Stale == config.StaleWarn,
		Cases: p.head.caseIDs,
		Fresh: func(suiteID, caseID string) recorded.Answers {
			_, head := fresh(suiteID, caseID)
			return head
		}})
	return func(suiteID, caseID string) (rounds int, file string) {
		_, head := fresh(suiteID, caseID)
		return head.Len(), head.File()
	}
}

// caseIDs are the ids of a suite's cases; none for a suite that is not there.
func (s *side) caseIDs(suiteID string) (out []string) {
	if found := s.find(suiteID); found != nil {
		for c := range found.Cases.All() {
			out = append(out, c.ID)
		}
	}
	return out
}

func (s *side) bind(b recorded.Binding) {
	if s == nil {
		return
	}
	for name, answers := range s.replay {
		b.Records = s.config.Targets[name].Records
		answers.Bind(b)
	}
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
func (p Plan) baseForm(pairs pairs) func(suiteID, caseID string) recorded.Before {
	switch {
	case p.Stored != nil:
		return p.beforeStored()
	case p.base == nil:
		return nil
	}
	return func(suiteID, caseID string) recorded.Before {
		pair := pairs[suiteID]
		was, is := pair.cases(caseID)
		switch {
		case pair.base == nil:
			return recorded.Before{}
		case was == nil || is == nil:
			return recorded.Before{Changed: pair.prompt}
		}
		return recorded.Before{Changed: was.Keys().RequestKey != is.Keys().RequestKey, Answers: p.base.replay[pair.base.Target].Answers(pair.base.ID, was.ID)}
	}
}

// beforeStored looks up what a stored base asked. It tells neither answers nor prompts.
func (p Plan) beforeStored() func(suiteID, caseID string) recorded.Before {
	cases := map[string]*suite.Index{}
	for _, s := range p.head.suites {
		cases[s.ID] = suite.NewIndex(s)
	}
	return func(suiteID, caseID string) recorded.Before {
		was, is := find(p.Stored.head, suiteID, caseID), cases[suiteID].Case(caseID)
		return recorded.Before{Changed: was != nil && (is == nil || was.RequestKey != report.ParseKey(is.Keys().RequestKey.String()))}
	}
}

// mend says how an answer of a suite is made, or made anew: whoever does asks by the head's own configuration.
func (p Plan) mend(own *config.Config) func(suiteID string, n recorded.Need) string {
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
func (r revisions) retargeted(rules *config.Config) func(baseSuite, headSuite *suite.Suite, caseID string) bool {
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
	return func(baseSuite, headSuite *suite.Suite, caseID string) bool {
		was, _ := baseSuite.Names.Base(caseID)
		from := slices.Concat(r.base.answersOf(baseSuite.ID, was).TargetNames(), r.head.answersOf(headSuite.ID, caseID).TargetNames())
		return slices.ContainsFunc(from, func(name string) bool { return other[name] })
	}
}

// answeredOtherwise reports whether the recorded answers to a case differ between the sides.
func (r revisions) answeredOtherwise(baseSuite, headSuite *suite.Suite, caseID string) bool {
	was, _ := baseSuite.Names.Base(caseID)
	return !r.base.replay[baseSuite.Target].Same(baseSuite.ID, was, r.head.replay[headSuite.Target], headSuite.ID, caseID)
}

// gone warns of recordings from targets that the configuration has no more: whether they are still asked so, nobody can tell.
func (p Plan) gone() (warnings []report.Warning) {
	live := recordedTargets(p.rules)
	for _, s := range p.asked[suite.Head] {
		counts := map[string]int{}
		if !p.head.replay[s.Target].NamesTargets() {
			continue
		}
		for c := range s.Cases.All() {
			for _, name := range p.head.answersOf(s.ID, c.ID).TargetNames() {
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

// pairs are the suites that both sides have, by the head's ids.
type pairs map[string]pair

// pair is a suite on both sides, with its cases by id.
type pair struct {
	base, head   *suite.Suite
	before, here *suite.Index
	prompt       bool // it asks by another prompt than the base
}

// pairs joins the suites of both sides; there are none without a base.
func (p Plan) pairs() pairs {
	out := pairs{}
	for _, b := range p.base.all() {
		if head := p.head.find(b.HeadID()); head != nil {
			out[head.ID] = pair{b, head, suite.NewIndex(b), suite.NewIndex(head), suite.PromptChanged(b, head)}
		}
	}
	return out
}

// cases are both sides' form of a case; nil where a side has none.
func (p pair) cases(id string) (base, head *suite.Case) {
	if p.base == nil {
		return nil, nil
	}
	if own, known := p.base.Names.Base(id); known {
		base = p.before.Case(own)
	}
	return base, p.here.Case(id)
}

// fresh returns a look-up of the answers of both sides that the head's recordings hold for a case that flipped, as far as they are
// answers to what both sides ask. Suite and case are the head's.
func (p Plan) fresh(all pairs) func(suiteID, caseID string) (base, head recorded.Answers) {
	return func(suiteID, caseID string) (base, head recorded.Answers) {
		pair := all[suiteID]
		was, is := pair.cases(caseID)
		if was == nil || is == nil {
			return base, head
		}
		return p.head.replay[pair.head.Target].Fresh(suiteID, caseID, recorded.Pair{BaseKey: was.Keys().RequestKey.String(), HeadKey: is.Keys().RequestKey.String(),
			BaseTargets: recordedTargets(p.base.config), HeadTargets: recordedTargets(p.rules)})
	}
}
