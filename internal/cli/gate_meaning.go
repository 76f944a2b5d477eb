package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// lowAUC is the chance of telling an answer's own case from another below which a suite is warned of.
const lowAUC = 0.8

// Codes of warnings about the embeddings of a run.
const (
	warnDiscrimination = "semantic_low_discrimination"
	warnReproducible   = "semantic_not_reproducible"
	warnModelChanged   = "semantic_model_changed"
)

// prepareMeaning opens the embedder, where a suite that is asked needs one, and embeds the expected answers: what is wrong
// with it shows before anything is asked. Where the configuration takes nothing in its place, that is a fault.
func (g *gate) prepareMeaning(ctx context.Context) error {
	s, c := g.firstSemantic()
	if c == nil {
		return nil
	}
	fault, err := g.openMeaning(ctx)
	if err != nil || fault == nil {
		return err
	}
	g.unavailable = fault
	g.meaning = nil
	if g.effective.Semantic.FailsWithout() {
		g.faults = append(g.faults, document.Diagnostic{Severity: document.Error, Path: c.Path, Line: c.Pos.Line, Column: c.Pos.Column,
			Rule: "semantic-unavailable",
			Message: document.Line(fmt.Sprintf("strategy %s compares answers by meaning and there is no embedding model (%s): %s",
				s.Plan.Strategy, fault.Reason, fault.Text))})
	}
	return nil
}

// firstSemantic is the first case that is asked and compared by meaning, or nil.
func (g *gate) firstSemantic() (*suite.Suite, *suite.Case) {
	for _, at := range []suite.Side{suite.Head, suite.Base} {
		for _, s := range g.asked[at] {
			for i := range s.Cases {
				if m := s.Cases[i].Measured; m != nil && m.Semantic() {
					return s, &s.Cases[i]
				}
			}
		}
	}
	return nil, nil
}

func (g *gate) openMeaning(ctx context.Context) (*embed.Fault, error) {
	s := g.effective.Semantic
	if !s.Embeds() {
		return embed.Faultf(embed.Disabled, "semantic.provider is %s", s.Provider), nil
	}
	cache := userFolder(g.Getenv, "embeddings")
	if g.Cache == noCache {
		cache = ""
	}
	embedder, err := openEmbedder(s, g.Dir, cache, g.Getenv)
	if fault, ok := embed.AsFault(err); ok {
		return fault, nil
	}
	if err != nil {
		return nil, err
	}
	// The home of a job in GitHub Actions ends with the job.
	if s.Provider == config.ProviderHTTP && (cache == "" || g.Getenv("GITHUB_ACTIONS") == "true") {
		g.warnings = append(g.warnings, report.Warning{Code: warnReproducible,
			Message: "embeddings of the endpoint are not kept from run to run, and a server's differ a little from call to call"})
	}
	g.meaning = evaluate.NewMeaning(embedder)
	return g.meaning.Learn(ctx, g.asked[suite.Head], g.asked[suite.Base])
}

// finishMeaning says in the report by which model answers were compared, and what there is to know of that.
func (g *gate) finishMeaning(rep *report.Report, head, base *report.Side) {
	if g.meaning != nil {
		g.unavailable = g.meaning.Fault()
		rep.Scoring.SelfChecks = g.selfChecks(rep)
	}
	if g.unavailable != nil {
		for i, w := range rep.Warnings {
			if w.Code == score.WarnUnavailable {
				rep.Warnings[i].Message = fmt.Sprintf("semantic unavailable: %s (%s); the similarity of words is shown instead, and cannot be compared with one of meaning",
					g.unavailable.Reason, g.unavailable.Text)
			}
		}
	}
	warnOfModels(rep, head, base)
}

// selfChecks lists how well the likeness tells the cases of each suite apart, and warns where it does not.
func (g *gate) selfChecks(rep *report.Report) (out []report.SemanticDiscrimination) {
	for _, s := range g.asked[suite.Head] {
		d, ok := g.meaning.Discrimination(s.ID)
		if !ok {
			continue
		}
		out = append(out, report.SemanticDiscrimination{SuiteID: s.ID, Answers: d.Answers, AUC: d.AUC, Background: d.Background})
		if !score.Meets(d.AUC, lowAUC) {
			rep.Warnings = append(rep.Warnings, report.Warning{Code: warnDiscrimination, SuiteID: s.ID, Path: s.Path, Line: s.Pos.Line, Count: d.Answers,
				Message: fmt.Sprintf("the likeness in meaning hardly tells the cases apart: an answer is more like its own expected answer than like another case's in %.0f %% of the comparisons", 100*d.AUC)})
		}
	}
	return out
}

// warnOfModels counts the cases that both sides have, compared by meaning in two ways.
func warnOfModels(rep *report.Report, head, base *report.Side) {
	// A stored report may have said so of another base.
	rep.Warnings = slices.DeleteFunc(slices.Clone(rep.Warnings), func(w report.Warning) bool { return w.Code == warnModelChanged })
	if base == nil {
		return
	}
	n := 0
	for _, s := range base.Suites {
		for _, c := range s.Cases {
			if other := find(head, s.ID, c.ID); other != nil && c.Likeness != "" && other.Likeness != "" && c.Likeness != other.Likeness {
				n++
			}
		}
	}
	if n > 0 {
		rep.Warnings = append(rep.Warnings, report.Warning{Code: warnModelChanged, Count: n,
			Message: fmt.Sprintf("base and head were compared with the expected answers in two ways (%s, then %s): these cases are not held against each other",
				wayOf(base), wayOf(head))})
	}
}

func find(s *report.Side, suiteID, caseID string) *report.Case {
	if one := s.Suite(suiteID); one != nil {
		return one.Case(caseID)
	}
	return nil
}

func wayOf(s *report.Side) string { return cmp.Or(s.SemanticModel(), s.Semantic()) }
