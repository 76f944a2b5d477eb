// Package meaning embeds the texts of a run, so that answers can be compared by meaning.
package meaning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/models"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// Codes of warnings about the embeddings of a run.
const (
	warnDiscrimination = "semantic_low_discrimination"
	warnReproducible   = "semantic_not_reproducible"
	warnModelChanged   = "semantic_model_changed"
)

// Meaning is by what answers are compared with the expected ones by meaning.
type Meaning struct {
	Model    *evaluate.Meaning // nil: nothing is compared by meaning
	missing  *embed.Fault      // why not, where something was to be
	Faults   []sides.BaseFault // of the model's files, as the base has them
	Warnings []report.Warning
}

// Learn opens the embedder, if a suite that is asked needs one, and embeds the expected answers, so that its faults
// show before anything is asked. If the configuration allows no substitute, a fault is returned with the plan's.
func Learn(p *sides.Sides, ctx context.Context) (Meaning, []document.Diagnostic, error) {
	if document.HasErrors(p.Faults) {
		return Meaning{}, p.Faults, nil
	}
	p.Changes = append(p.Changes, modelChanges(p.Inputs, p.Rules, p.Ruling)...)
	if err := p.Vouch(); err != nil {
		return Meaning{}, p.Faults, err
	}
	s, c := p.FirstSemantic()
	if c == nil {
		return Meaning{}, p.Faults, nil
	}
	m, err := openMeaning(p, ctx)
	if err != nil || m.missing == nil || !p.Rules.Semantic.FailsWithout() {
		return m, p.Faults, err
	}
	return m, append(p.Faults, document.NewFault(c.Path, c.Pos, "semantic-unavailable",
		"strategy %s compares answers by meaning, but there is no embedding model (%s): %s",
		s.Plan.Strategy, m.missing.Reason, m.missing.Text)), nil
}

func openMeaning(p *sides.Sides, ctx context.Context) (Meaning, error) {
	s := p.Rules.Semantic
	if !s.Embeds() {
		return Meaning{missing: embed.Faultf(embed.Disabled, "semantic.provider is %s", s.Provider)}, nil
	}
	cache := models.UserFolder(p.Inputs.Getenv, "embeddings")
	if p.Inputs.Cache == sides.NoCache {
		cache = ""
	}
	embedder, err := OpenEmbedder(p.Inputs, s, p.Ruling, cache)
	if why, ok := errors.AsType[*embed.Fault](err); ok {
		return Meaning{missing: why, Faults: modelFaults(p, why)}, nil
	}
	if err != nil {
		return Meaning{}, err
	}
	m := Meaning{Model: evaluate.NewMeaning(embedder)}
	// The home of a job in GitHub Actions ends with the job.
	if s.Provider == config.ProviderHTTP && (cache == "" || p.Inputs.Getenv("GITHUB_ACTIONS") == "true") {
		m.Warnings = []report.Warning{{Code: warnReproducible,
			Message: "the endpoint's embeddings are not cached, and can differ slightly between calls"}}
	}
	if m.missing, err = m.Model.Learn(ctx, p.Asked[suite.Head], p.Asked[suite.Base]); m.missing != nil {
		m.Model = nil
	}
	return m, err
}

// RuleModel is the rule of an embedding model's files that are not those that the configuration means. No head can mend
// them, since they judge it.
const RuleModel = "embedding-model"

// modelFaults suspends a run whose base names a model of its own and lacks its files, or has others: the working
// folder's files are the head's, and comparing by words would replace a judge that was removed.
func modelFaults(p *sides.Sides, why *embed.Fault) []sides.BaseFault {
	rule, known := map[embed.Reason]string{embed.ModelElsewhere: document.RuleElsewhere,
		embed.ChecksumMismatch: RuleModel}[why.Reason]
	if !known || why.Path == "" || p.Ruling == p.Inputs.Head {
		return nil
	}
	return []sides.BaseFault{{Diagnostic: document.NewFault(why.Path, document.Position{}, rule, "%s", why.Text),
		Tree: p.Ruling}}
}

// Report writes into the report which model compared answers, and its warnings.
func Report(rep *report.Report, asked []*suite.Suite, m Meaning, head, base *report.Side) {
	missing := m.missing
	if m.Model != nil {
		missing = m.Model.Fault()
		var warnings []report.Warning
		rep.Scoring.SelfChecks, warnings = m.selfChecks(asked)
		rep.Warnings = append(rep.Warnings, warnings...)
	}
	if missing != nil {
		for i, w := range rep.Warnings {
			if w.Code == score.WarnUnavailable {
				rep.Warnings[i].Message = fmt.Sprintf("semantic unavailable: %s (%s); the similarity of words is "+
					"shown instead, which cannot be compared with similarity in meaning",
					missing.Reason, missing.Text)
			}
		}
	}
	WarnOfModels(rep, head, base)
}

// selfChecks lists how well likeness tells the cases of each suite apart, and warns where it does not.
func (m Meaning) selfChecks(asked []*suite.Suite) (out []report.SemanticDiscrimination, warnings []report.Warning) {
	for _, s := range asked {
		d, ok := m.Model.Discrimination(s.ID)
		if !ok {
			continue
		}
		out = append(out, report.SemanticDiscrimination{SuiteID: s.ID, Answers: d.Answers, AUC: d.AUC,
			Background: d.Background})
		if d.Low() {
			warnings = append(warnings, report.Warning{Code: warnDiscrimination, SuiteID: s.ID, Path: s.Path,
				Line: s.Pos.Line, Count: d.Answers,
				Message: fmt.Sprintf("similarity in meaning hardly distinguishes the cases: an answer is closer to "+
					"its own expected answer than to another case's in only %.0f %% of the comparisons", 100*d.AUC)})
		}
	}
	return out, warnings
}

// WarnOfModels counts the cases that both sides have, compared by meaning in two ways.
func WarnOfModels(rep *report.Report, head, base *report.Side) {
	// A stored report may have said so of another base.
	rep.Warnings = slices.DeleteFunc(slices.Clone(rep.Warnings),
		func(w report.Warning) bool { return w.Code == warnModelChanged })
	if base == nil {
		return
	}
	n := 0
	for _, s := range base.Suites {
		for _, c := range s.Cases {
			if other := head.Find(s.Head(c.ID)); other != nil && c.Likeness != "" && other.Likeness != "" &&
				c.Likeness != other.Likeness {
				n++
			}
		}
	}
	if n > 0 {
		rep.Warnings = append(rep.Warnings, report.Warning{Code: warnModelChanged, Count: n,
			Message: fmt.Sprintf("the similarity method changed between base and head (%s, then %s): these cases "+
				"are not compared",
				wayOf(base), wayOf(head))})
	}
}

func wayOf(s *report.Side) string {
	method, model := s.Similarity()
	return cmp.Or(model, method)
}
