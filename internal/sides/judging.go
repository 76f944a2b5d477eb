package sides

import (
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suite"
)

// NewJudge returns the judge that the configuration c sets. c.Judge must not be nil.
func NewJudge(c *config.Config) judge.Judge {
	return judge.Judge{Target: c.Targets[c.Judge.Target], Votes: c.Judge.Votes}
}

// ProposedJudge returns the judge that the head's own configuration sets. It returns false if that is the effective
// judge.
func (s *Sides) ProposedJudge() (proposed judge.Judge, found bool) {
	if s.headConfig.Judge == nil || s.Rules.Judge == nil {
		return judge.Judge{}, false
	}
	proposed = NewJudge(s.headConfig)
	return proposed, proposed.Fingerprint() != NewJudge(s.Rules).Fingerprint()
}

// OpenJudge returns a client of the judge if a case of the suites has criteria, otherwise nil. The judge's target is
// always that of the effective configuration.
func (s *Sides) OpenJudge(suites ...[]*suite.Suite) (model.Client, []document.Diagnostic) {
	if s.Rules.Judge == nil || !slices.ContainsFunc(suites, AnyGraded) {
		return nil, nil
	}
	return s.Live.Client(s.Rules, s.Rules.Judge.Target)
}

// readStanding returns how far the judge of c agrees with the labels, by the files of labels and agreement in tree.
func readStanding(tree fs.FS, c *config.Config) judge.Standing {
	if c.Judge == nil || c.Judge.LabelsPath == "" {
		return judge.UncheckedStanding()
	}
	labels, err := fs.ReadFile(tree, c.Judge.LabelsPath)
	if err != nil {
		return judge.Standing{Description: "not checked: " + c.Judge.LabelsPath + " cannot be read"}
	}
	agreement, _ := fs.ReadFile(tree, judge.AgreementPath(c.Judge.LabelsPath)) // nil without the file
	return judge.NewStanding(NewJudge(c), c.Judge.MinAgreement, labels, agreement)
}

// AnyGraded reports whether any case of suites has criteria.
func AnyGraded(suites []*suite.Suite) bool {
	return slices.ContainsFunc(suites, func(s *suite.Suite) bool { return s.Cases.Any((*suite.Case).Graded) })
}

// FirstSemantic returns the first case of the run that is compared by meaning, or nil.
func (s *Sides) FirstSemantic() (*suite.Suite, *suite.Case) {
	for _, s := range slices.Concat(s.Selected[suite.Head], s.Selected[suite.Base]) {
		if at := slices.IndexFunc(s.Cases, (*suite.Case).Semantic); at >= 0 {
			return s, s.Cases[at]
		}
	}
	return nil, nil
}
