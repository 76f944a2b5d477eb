package score_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/score"
)

func TestSimilarityInMeaningIsTheCosineOfTheEmbeddings(t *testing.T) {
	e := expect(t, "B7", score.Expected{Reference: "The vendor keeps logs."}, []string{"logs"}, nil)
	for _, c := range []struct {
		rule, answer string
		found        score.Similarity
		unknown      bool // the model cannot compare
		method       string
		value        float64
		cosine       float64
		warnings     []string
	}{
		{"to six digits", "Logs are kept.", score.Similarity{Cosine: 0.81234567}, false, score.MethodSemantic, 0.812346, 0.812346, nil},
		{"no less than nothing", "Logs are kept.", score.Similarity{Cosine: -0.2}, false, score.MethodSemantic, 0, -0.2, nil},
		{"no more than all", "Logs are kept.", score.Similarity{Cosine: 1.000002}, false, score.MethodSemantic, 1, 1.000002, nil},
		{"of texts that the model reads in part", "Logs are kept.", score.Similarity{Cosine: 0.5, Truncated: true}, false, score.MethodSemantic, 0.5, 0.5, []string{score.WarnSemanticTruncated}},
		{"of words that it lacks", "Logs are kept.", score.Similarity{Cosine: 0.5, LowCoverage: true}, false, score.MethodSemantic, 0.5, 0.5, []string{score.WarnLowCoverage}},
		{"of a text without an embedding", "Logs are kept.", score.Similarity{NoEmbedding: true}, false, score.MethodSemantic, 0, 0, []string{score.WarnLowCoverage}},
		{"an empty answer has none", " ", score.Similarity{Cosine: 0.9}, false, score.MethodSemantic, 0, 0, nil},
		{"words decide if the model cannot compare", "The vendor keeps no secrets.", score.Similarity{}, true, score.MethodLexical, -1, 0, []string{score.WarnContradiction, score.WarnSemanticUnavailable}},
	} {
		got := e.Measure(c.answer, score.Settings{Model: "m", Compare: func(expected, _ string) (score.Similarity, bool) {
			if expected != e.Reference {
				t.Errorf("%s: compared with %q", c.rule, expected)
			}
			return c.found, !c.unknown
		}})
		m := got.Metrics[0]
		slices.Sort(got.Warnings)
		if m.Method != c.method || c.value >= 0 && (m.Value != c.value || *m.Cosine != c.cosine || m.Model != "m") || got.Degraded() != c.unknown {
			t.Errorf("%s: %+v, want %v by %s", c.rule, m, c.value, c.method)
		}
		if c.value >= 0 && !slices.Equal(got.Warnings, c.warnings) {
			t.Errorf("%s: warnings %v, want %v", c.rule, got.Warnings, c.warnings)
		}
		if unread := strings.Contains(m.Description, "no embedding of this answer"); unread != c.found.NoEmbedding {
			t.Errorf("%s: %q", c.rule, m.Description)
		}
	}
}

func TestALabelSaysWhatWasExpectedAndFound(t *testing.T) {
	labels := label.New("Yes", []string{"Yes", "No"})
	for _, c := range []struct{ answer, why, label string }{
		{"Yes", `expected label "Yes", got "Yes"`, "Yes"},
		{"No", `expected label "Yes", got "No"`, "No"},
		{"Perhaps.", "expected label \"Yes\", got none; `label_in` can say where the label stands", ""},
		{"Yes or No.", "expected label \"Yes\", got two labels and no verdict (Yes, No); `label_in` can say where the label stands", ""},
	} {
		got := expect(t, "B1", score.Expected{Labels: labels}, nil, nil).Measure(c.answer, score.Settings{})
		if got.LabelFinding != c.why || got.Label != c.label {
			t.Errorf("%q: label %q, %q; want %q, %q", c.answer, got.Label, got.LabelFinding, c.label, c.why)
		}
	}
}

func TestEachKeyFactSaysHowItWasFound(t *testing.T) {
	facts := []string{"30 days", "the vendor keeps logs", "encrypted backups"}
	e := expect(t, "B7", score.Expected{}, facts, nil)
	const answer = "We answer within 30 days. The vendor does not keep logs."
	got := e.Measure(answer, score.Settings{}).Metrics[0]
	want := []score.FactResult{{Fact: "30 days", Outcome: score.FactSaid},
		{Fact: "the vendor keeps logs", Outcome: score.FactContradicted, Sentence: "The vendor does not keep logs"}, {Fact: "encrypted backups", Outcome: score.FactNotFound}}
	if diff := cmp.Diff(want, got.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, e.SearchFacts(answer)); diff != "" {
		t.Errorf("facts without a metric (-want +got):\n%s", diff)
	}
	const told = "seems to contradict “the vendor keeps logs” in “The vendor does not keep logs”; not found: “encrypted backups” (1 of 3 key facts covered)"
	if got.Description != told {
		t.Errorf("%q, want %q", got.Description, told)
	}
	judged := e.Measure(answer, score.Settings{FactVerdicts: map[string]score.FactVerdict{"encrypted backups": {Said: true}, "30 days": {Why: "unclear"}}}).Metrics[0]
	if judged.Value != 2.0/3 || !judged.Facts[2].Judged || judged.Facts[2].Outcome != score.FactSaid || judged.Facts[0].Judged || !strings.Contains(judged.Description, "2 of 3 key facts covered, 1 decided by the judge") {
		t.Errorf("%+v; want the judge to decide what was not found, and no more", judged)
	}
	denied := e.Measure(answer, score.Settings{FactVerdicts: map[string]score.FactVerdict{"encrypted backups": {Why: "never said"}}}).Metrics[0]
	if denied.Value != 1.0/3 || !strings.Contains(denied.Description, "“encrypted backups”, says the judge: “never said”") {
		t.Errorf("%+v; want the judge's reason", denied)
	}
}
