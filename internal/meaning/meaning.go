// Package meaning opens the embedding model of a run, which compares answers by meaning.
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

// Model compares answers with the expected ones by meaning.
type Model struct {
	Similarity    *evaluate.Similarity // nil: nothing is compared by meaning
	embedderFault *embed.Fault         // why there is no embedder although a case needs one
	Faults        []sides.BaseFault    // errors in the embedder's files on the base
	Warnings      []report.Warning
}

// Open opens the embedder if a suite of the run needs one, and embeds the expected answers, so that its errors show
// before the first call. It returns the diagnostics of p. If the configuration allows no fallback, a missing embedder
// is an error among them, and an endpoint that was asked in vain is the error of the run.
func Open(p *sides.Sides, ctx context.Context) (Model, []document.Diagnostic, error) {
	if document.HasErrors(p.Faults) {
		return Model{}, p.Faults, nil
	}
	p.Changes = append(p.Changes, modelChanges(p.Inputs, p.Rules, p.RulesTree)...)
	if err := p.ConfirmTargets(); err != nil {
		return Model{}, p.Faults, err
	}
	s, c := p.FirstSemantic()
	if c == nil {
		return Model{}, p.Faults, nil
	}
	m, err := openModel(p, ctx)
	if err != nil || m.embedderFault == nil || !p.Rules.Semantic.FailsWithout() {
		return m, p.Faults, err
	}
	if m.Similarity != nil {
		return m, p.Faults, RunError(m.embedderFault)
	}
	return m, append(p.Faults, document.NewError(c.Path, c.Pos, "semantic-unavailable",
		"strategy %s compares answers by meaning, but there is no embedding model (%s): %s",
		s.Plan.Strategy, m.embedderFault.Reason, m.embedderFault.Text)), nil
}

// RunError returns the error of the run for err, an error of comparing meaning. An *embed.Fault is an outage of the
// endpoint, for which the configuration allows no fallback. Any other error is returned unchanged.
func RunError(err error) error {
	if why, ok := errors.AsType[*embed.Fault](err); ok {
		return fmt.Errorf("%w; semantic.on_unavailable is fail, so nothing was decided: run again when the endpoint "+
			"answers", why)
	}
	return err
}

func openModel(p *sides.Sides, ctx context.Context) (Model, error) {
	s := p.Rules.Semantic
	if !s.Embeds() {
		return Model{embedderFault: embed.Faultf(embed.ReasonDisabled, "semantic.provider is %s", s.Provider)}, nil
	}
	cache := models.UserFolder(p.Inputs.Getenv, "embeddings")
	if p.Inputs.Cache == sides.NoCache {
		cache = ""
	}
	embedder, err := OpenEmbedder(p.Inputs, s, p.RulesTree, cache)
	if why, ok := errors.AsType[*embed.Fault](err); ok {
		return Model{embedderFault: why, Faults: modelFaults(p, why)}, nil
	}
	if err != nil {
		return Model{}, err
	}
	m := Model{Similarity: evaluate.NewSimilarity(embedder)}
	// The home of a job in GitHub Actions ends with the job.
	if s.Provider == config.ProviderHTTP && (cache == "" || p.Inputs.Getenv("GITHUB_ACTIONS") == "true") {
		m.Warnings = []report.Warning{{Code: warnReproducible,
			Message: "the endpoint's embeddings are not cached, and can differ slightly between calls"}}
	}
	m.embedderFault, err = m.Similarity.EmbedExpected(ctx, p.Selected[suite.Head], p.Selected[suite.Base])
	return m, err
}

// RuleModel is the rule of the error that an embedding model's files do not have the configured checksum. A change
// cannot fix it, because the base's model judges the change.
const RuleModel = "embedding-model"

// modelFaults returns an error of the base if its model in the repository has missing or changed files. Falling back to
// words would let a head remove the model that judges it.
func modelFaults(p *sides.Sides, why *embed.Fault) []sides.BaseFault {
	rule, known := map[embed.Reason]string{embed.ReasonModelElsewhere: document.RuleElsewhere,
		embed.ReasonChecksumMismatch: RuleModel}[why.Reason]
	if !known || why.Path == "" || p.RulesTree == p.Inputs.Head {
		return nil
	}
	return []sides.BaseFault{{Diagnostic: document.NewError(why.Path, document.Position{}, rule, "%s", why.Text),
		Tree: p.RulesTree}}
}

// AddToReport adds the warnings about the embeddings and the self-checks to the report.
func AddToReport(rep *report.Report, suites []*suite.Suite, m Model, head, base *report.Side) {
	missing := m.embedderFault
	if m.Similarity != nil {
		missing = m.Similarity.Fault()
		var warnings []report.Warning
		rep.Scoring.SelfChecks, warnings = m.selfChecks(suites)
		rep.Warnings = append(rep.Warnings, warnings...)
	}
	if missing != nil {
		why := missing.Text
		if missing.Reason != embed.ReasonDisabled { // chosen
			why = fmt.Sprintf("semantic unavailable: %s (%s)", missing.Reason, missing.Text)
		}
		for i, w := range rep.Warnings {
			if w.Code == score.WarnSemanticUnavailable {
				rep.Warnings[i].Message = why + "; the similarity of words is shown instead, which cannot be compared " +
					"with similarity in meaning"
			}
		}
	}
	WarnOfChangedModel(rep, head, base)
}

// minAUC is the AUC below which similarity hardly distinguishes the cases of a suite.
const minAUC = 0.8

// selfChecks returns how well similarity distinguishes the cases of each suite, with a warning if it hardly does.
func (m Model) selfChecks(suites []*suite.Suite) (out []report.SemanticDiscrimination, warnings []report.Warning) {
	for _, s := range suites {
		d, ok := m.Similarity.Discrimination(s.ID)
		if !ok {
			continue
		}
		out = append(out, d)
		if !score.Meets(d.AUC, minAUC) {
			warnings = append(warnings, report.Warning{Code: warnDiscrimination, SuiteID: s.ID, Path: s.Path,
				Line: s.Pos.Line,
				Message: fmt.Sprintf("similarity in meaning hardly distinguishes the cases: an answer is closer to "+
					"its own expected answer than to another case's in only %.0f %% of the comparisons", 100*d.AUC)})
		}
	}
	return out, warnings
}

// WarnOfChangedModel warns of the shared cases that the two sides compared with different models or methods.
func WarnOfChangedModel(rep *report.Report, head, base *report.Side) {
	// A stored report may have the warning about another base.
	rep.Warnings = slices.DeleteFunc(slices.Clone(rep.Warnings),
		func(w report.Warning) bool { return w.Code == warnModelChanged })
	if base == nil {
		return
	}
	n := 0
	for _, s := range base.Suites {
		for _, c := range s.Cases {
			if other := head.Find(base.Matches.HeadName(s.ID, c.ID)); other != nil && c.SimilarityMethod != "" &&
				other.SimilarityMethod != "" &&
				c.SimilarityMethod != other.SimilarityMethod {
				n++
			}
		}
	}
	if n > 0 {
		rep.Warnings = append(rep.Warnings, report.Warning{Code: warnModelChanged, Count: n,
			Message: fmt.Sprintf("the similarity method changed between base and head (%s, then %s): these cases "+
				"are not compared",
				similarityMethod(base), similarityMethod(head))})
	}
}

func similarityMethod(s *report.Side) string {
	method, model := report.Similarity(s)
	return cmp.Or(model, method)
}
