package cli

import (
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// measuring reports a run that compares a revision with itself to learn how noisy its targets are: --trials is given, and
// both sides are one commit or one folder. Then all suites are asked, and each side for itself.
func (g *gate) measuring() bool {
	return g.Trials > 0 && g.base != nil && same(g.Base.Revision, g.Head.Revision)
}

func same(a, b source.Revision) bool {
	if a.SHA != "" || b.SHA != "" {
		return a.SHA == b.SHA
	}
	return a.Kind == b.Kind && a.Name == b.Name
}

// apart makes equal questions of both sides two questions: what is measured is how unlike their answers are.
func apart(target func(name string) evaluate.Target) func(name string) evaluate.Target {
	return func(name string) evaluate.Target {
		t := target(name)
		t.Where = "the same revision again: " + t.Where
		return t
	}
}

// setTrials gives every case of a live target the number of answers that the caller wants.
func (g *gate) setTrials() {
	if g.Trials == 0 {
		return
	}
	for _, s := range []*side{g.head, g.base} {
		for _, one := range s.all() {
			if s.isLive(one.Target) {
				setTrials(one, g.Trials)
			}
		}
	}
}

func setTrials(s *suite.Suite, n int) {
	s.Trials = n
	for i := range s.Cases {
		s.Cases[i].Trials = n
	}
}
