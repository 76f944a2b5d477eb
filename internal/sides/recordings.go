package sides

import (
	"maps"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// bindRecordings sets the conditions under which the recordings of both sides count. The head's recordings must fit the
// current requests. headConfig is the head's own configuration. The base's recordings count even if they are stale.
// Otherwise, after a merge that makes recordings stale, the next pull request would have nothing to compare with.
func bindRecordings(p *Sides, headConfig *config.Config) {
	p.Base.Bind(recorded.Binding{Unchecked: true, Reruns: func(suiteID, caseID string) recorded.Answers {
		name := p.Pairs.HeadName(suiteID, caseID)
		base, _ := p.RecordedReruns(name.Suite, name.Case)
		return base
	}})
	p.Head.Bind(recorded.Binding{Targets: RecordedTargets(p.Rules),
		HeadOnlyTargets: slices.Collect(maps.Keys(RecordedTargets(headConfig))),
		BaseCase:        p.BaseFinder(), BaseAnswers: p.Base.AnswersUnder, HowToRecord: recordAdvice(p.Head, headConfig),
		CurrentOnBranch: p.Inputs.fitsBranch(),
		AllowStale:      p.Rules.Recordings.Stale == config.StaleWarn,
		CaseIDs:         p.Head.CaseIDs,
		Reruns: func(suiteID, caseID string) recorded.Answers {
			_, head := p.RecordedReruns(suiteID, caseID)
			return head
		}})
}

// RecordedRounds returns how many rounds of reruns of a case the head's recordings have. file is the path of the file
// with these reruns.
func (s *Sides) RecordedRounds(suiteID, caseID string) (rounds int, file string) {
	_, head := s.RecordedReruns(suiteID, caseID)
	return head.Len(), head.File()
}

// RecordedTargets returns the live targets of a configuration in the form that recordings use.
func RecordedTargets(c *config.Config) map[string]recorded.Target {
	out := map[string]recorded.Target{}
	for name, t := range c.Targets {
		if t.Live() {
			out[name] = RecordedTarget(t)
		}
	}
	return out
}

// RecordedTarget returns t in the form that recordings use.
func RecordedTarget(t config.Target) recorded.Target {
	return recorded.Target{Name: t.Name, Provider: t.Provider, Model: t.Model, Temperature: t.Temperature,
		TopP: t.TopP, MaxTokens: t.MaxTokens, Settings: t.Settings()}
}

// BaseFinder returns a function that finds, for a case on the head, the request and the recordings on the base. It
// returns nil if there is no base. For a stored base, the function only says whether the request changed, because a
// report has neither recordings nor prompts.
func (s *Sides) BaseFinder() func(suiteID, caseID string) recorded.BaseCase {
	switch {
	case s.Inputs.Stored != nil:
		return func(suiteID, caseID string) recorded.BaseCase {
			was, now := s.Inputs.Stored.Head.Find(suiteid.Name{Suite: suiteID, Case: caseID}),
				s.Pairs.Find(suiteID, caseID).Head
			return recorded.BaseCase{RequestChanged: was != nil &&
				(now == nil || was.RequestKey != report.ParseKey(now.Keys().RequestKey.String()))}
		}
	case s.Base == nil:
		return nil
	}
	return func(suiteID, caseID string) recorded.BaseCase {
		both := s.Pairs.Find(suiteID, caseID)
		if both.Base == nil || both.Head == nil {
			return recorded.BaseCase{RequestChanged: s.Pairs.head[suiteID].promptChanged}
		}
		return recorded.BaseCase{RequestChanged: both.Base.Keys().RequestKey != both.Head.Keys().RequestKey,
			Answers: s.Base.AnswersOf(both.BaseSuite, both.Base.ID), SuiteID: both.BaseSuite.ID, CaseID: both.Base.ID,
			Request: func() model.Request { return both.Base.Open().Prompt }}
	}
}

// recordAdvice returns a function that says how to record a missing or stale answer of a suite of head. cfg is the
// head's own configuration.
func recordAdvice(head *Side, cfg *config.Config) func(suiteID string, n recorded.Need) string {
	live := len(RecordedTargets(cfg))
	if cfg.Judge != nil && cfg.IsOnlyJudge(cfg.Judge.Target) {
		live--
	}
	return func(suiteID string, n recorded.Need) string {
		path, named, moved := "", false, false
		if s := head.Find(suiteID); s != nil {
			path, named = s.Path, cfg.Targets[s.Target].RecordedFrom != ""
			moved = head.Config.Targets[s.Target].Path != cfg.Targets[s.Target].Path
		}
		switch {
		case moved && n == recorded.NeedMissing:
			return "keep a copy of the recordings there until the merge, because a new `path` of a target applies from then on"
		case n == recorded.NeedStamp:
			return "read the answer, then `failproof record --stamp --yes`"
		case n == recorded.NeedStaleByHand: // a model's answer must not replace it unasked
		case live == 1, named:
			return "run `" + text.Command("failproof record", path) + "`"
		case live > 1:
			return "run `" + text.Command("failproof record --target NAME", path) + "`"
		}
		if n == recorded.NeedMissing {
			return "write the answer down, then `failproof record --stamp`"
		}
		return "write the answer again, then `failproof record --stamp`"
	}
}

// AnswersAfterMerge counts the recorded answers to a case of the head that the head's own configuration makes stale,
// and those that are current only by it. from is the live target that one of them names.
func (s *Sides) AnswersAfterMerge(of *suite.Suite, c *suite.Case) (stale, early int, from string) {
	client := s.Head.Recordings[of.Target]
	if client == nil {
		return 0, 0, ""
	}
	return client.CountChanged(c.Open().Prompt, c.Trials, RecordedTargets(s.headConfig),
		s.headConfig.Targets[of.Target].RecordedFrom)
}

// fitsBranch returns a function that reports whether a stale recording fits the branch before its merge. If it does,
// the merge made the recording stale, and recording again before the merge would not help. fitsBranch returns nil if
// the head is no merge commit.
func (in Inputs) fitsBranch() func(suiteID, caseID, key string, from *recorded.Target) bool {
	if in.OpenBranch == nil {
		return nil
	}
	type branch struct {
		cases map[string]map[string]*suite.Case // by suite and case
		live  map[string]recorded.Target
	}
	loadBranch := sync.OnceValue(func() (b branch) {
		tree, _ := in.OpenBranch()
		if tree == nil { // without the branch there is no hint
			return b
		}
		if c, _ := ReadConfig(tree, in.Config); c != nil {
			suites, _ := suite.Load(tree, c, in.SuiteGlobs(c.Suites))
			b.cases, b.live = map[string]map[string]*suite.Case{}, RecordedTargets(c)
			for _, s := range suites {
				b.cases[s.ID] = s.Cases.ByID()
			}
		}
		return b
	})
	return func(suiteID, caseID, key string, from *recorded.Target) bool {
		c := loadBranch().cases[suiteID][caseID]
		if c == nil || key != "" && key != c.Keys().RequestKey.String() {
			return false
		}
		if from == nil {
			return key != ""
		}
		target, known := loadBranch().live[from.Name]
		return !known || target.AnswersAlike(*from, c.Open().Prompt)
	}
}

// RecordingsOf returns how the recorded answers to suites that do not run are compared.
func (s *Sides) RecordingsOf(base, head []*suite.Suite) suite.Recordings {
	open := func(tree *source.Tree, c *config.Config, suites []*suite.Suite) *Side {
		isLive := func(one *suite.Suite) bool { return c.Targets[one.Target].Live() }
		side, _ := OpenSide(tree, c, slices.DeleteFunc(slices.Clone(suites), isLive), s.Live, nil)
		return side
	}
	return recordings(open(s.Inputs.Base, s.Base.Config, base), open(s.Inputs.Head, s.Rules, head))
}

// recordings returns how the recorded answers of the two sides are compared. Equal answers of another model are no
// changed answers.
func recordings(base, head *Side) suite.Recordings {
	if base == nil {
		return suite.Recordings{}
	}
	same := func(p suite.Pair) (answers, models bool) {
		return base.Recordings[p.BaseSuite.Target].HasSameAnswers(p.BaseSuite.ID, p.Base.ID,
			head.Recordings[p.HeadSuite.Target], p.HeadSuite.ID, p.Head.ID)
	}
	retargeted := targetChanged(base, head)
	return suite.Recordings{
		Difference: func(p suite.Pair) suite.ReasonKind {
			was, now := base.Recordings[p.BaseSuite.Target], head.Recordings[p.HeadSuite.Target]
			switch answers, _ := same(p); {
			case answers:
				return ""
			case was.HasNewWords(p.BaseSuite.ID, p.Base.ID, now, p.HeadSuite.ID, p.Head.ID):
				return suite.AnswerChanged
			}
			return suite.RecordingChanged
		},
		TargetDiffers: func(p suite.Pair) bool {
			answers, models := same(p)
			return answers && !models || retargeted(p)
		},
	}
}

// targetChanged returns a function that reports whether the head changed the settings of a target from which a case's
// answers were recorded.
func targetChanged(base, head *Side) func(suite.Pair) bool {
	before, now := RecordedTargets(base.Config), RecordedTargets(head.Config)
	maps.DeleteFunc(before, func(name string, was recorded.Target) bool {
		now, known := now[name]
		return !known || was.Equals(now)
	})
	return func(p suite.Pair) bool {
		if len(before) == 0 {
			return false
		}
		from := slices.Concat(base.AnswersOf(p.BaseSuite, p.Base.ID).TargetNames(),
			head.AnswersOf(p.HeadSuite, p.Head.ID).TargetNames())
		return slices.ContainsFunc(from, func(name string) bool {
			was, changed := before[name]
			return changed && !was.AnswersAlike(now[name], p.Head.Open().Prompt)
		})
	}
}

// RecordedReruns returns the recorded reruns of a case on the head, for both sides. Reruns count only if they fit the
// requests of both sides.
func (s *Sides) RecordedReruns(suiteID, caseID string) (base, head recorded.Answers) {
	both := s.Pairs.Find(suiteID, caseID)
	if both.Base == nil || both.Head == nil {
		return base, head
	}
	return s.Head.Recordings[both.HeadSuite.Target].Reruns(suiteID, caseID,
		recorded.Pair{BaseKey: both.Base.Keys().RequestKey.String(), HeadKey: both.Head.Keys().RequestKey.String(),
			BaseTargets: RecordedTargets(s.Base.Config), HeadTargets: RecordedTargets(s.Rules)})
}

// EarlierReruns returns EarlierRerunsOf the case with the given name on the head.
func (s *Sides) EarlierReruns(suiteID, caseID string) []model.Response {
	return s.EarlierRerunsOf(s.Pairs.Find(suiteID, caseID))
}

// EarlierRerunsOf returns the answers to a case in the reruns that the base's own recordings have for the base's
// request. If the head sends that request to the same target, it returns none, because both sides are then samples of
// the same.
func (s *Sides) EarlierRerunsOf(both suite.Pair) []model.Response {
	if both.Base == nil || both.Head == nil {
		return nil
	}
	key := both.Base.Keys().RequestKey
	own := s.Base.Recordings[both.BaseSuite.Target].OwnReruns(both.BaseSuite.ID, both.Base.ID, key.String(),
		RecordedTargets(s.Base.Config))
	if key == both.Head.Keys().RequestKey && own.SameTarget(s.Head.AnswersOf(both.HeadSuite, both.Head.ID)) {
		return nil
	}
	return own.Samples()
}

// LostReruns reports whether the head lacks reruns that the base's recordings have of a request that both sides send to
// the same target, without newer reruns of the same in their place.
func (s *Sides) LostReruns(both suite.Pair) bool {
	if both.Base == nil || both.Head == nil || both.Base.Keys().RequestKey != both.Head.Keys().RequestKey {
		return false
	}
	key, targets := both.Head.Keys().RequestKey.String(), RecordedTargets(s.Rules)
	was := s.Base.Recordings[both.BaseSuite.Target].OwnReruns(both.BaseSuite.ID, both.Base.ID, key, targets)
	now := s.Head.Recordings[both.HeadSuite.Target].OwnReruns(both.HeadSuite.ID, both.Head.ID, key, targets)
	first := s.Head.AnswersOf(both.HeadSuite, both.Head.ID)
	newer, _ := s.RecordedReruns(both.HeadSuite.ID, both.Head.ID)
	return now.Lacks(was) && newer.Len() == 0 && first.Len() > 0 && was.SameTarget(first)
}
