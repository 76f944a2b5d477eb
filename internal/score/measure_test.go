package score_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/score"
)

// expect makes what a case of a benchmark is measured against.
func expect(t *testing.T, benchmark string, e score.Expected, facts, claims []string) *score.Expected {
	t.Helper()
	e.Plan = score.StrategyMap(nil).Plan(benchmark, "", score.StrategyAccuracy)
	for _, text := range facts {
		f, err := words().Fact(text)
		if err != nil {
			t.Fatal(err)
		}
		e.Facts = append(e.Facts, f)
	}
	for _, text := range claims {
		c, err := words().Claim(text)
		if err != nil {
			t.Fatal(err)
		}
		e.Forbidden = append(e.Forbidden, c)
	}
	if e.Plan.AccuracyMethod == score.MethodSemantic {
		e.Sentences = words().Sentences(e.Reference)
	}
	return &e
}

func TestTheBenchmarkAloneGivesTheRightMetrics(t *testing.T) {
	labelled := score.Expected{Labels: label.New("Compliant", []string{"Compliant", "Non-Compliant"}), Question: "Is it compliant?"}
	answered := score.Expected{Reference: "The vendor keeps logs. They are kept for 30 days."}
	offList := score.Expected{Labels: label.New("Applies", []string{"Yes", "No"}), LabelNotListed: true, Reference: "It applies."}
	for _, c := range []struct {
		rule, benchmark string
		e               score.Expected
		facts, claims   []string
		want            []string // name/method
		warnings        []string
	}{
		{"no benchmark and nothing to measure", "", score.Expected{}, nil, nil, nil, nil},
		{"no benchmark, key facts", "", score.Expected{}, []string{"logs"}, nil, []string{"completeness/"}, nil},
		{"B1 with a label", "B1", labelled, []string{"compliant"}, nil, []string{"accuracy/label_guess", "completeness/", "grounding/"}, nil},
		{"B1 with a label off its list", "B1", offList, nil, nil, []string{"accuracy/lexical_fallback", "grounding/", "diagnostic_jaccard/"},
			[]string{"label_not_listed", "semantic_unavailable"}},
		{"B2 with a label", "B2", labelled, nil, nil, []string{"accuracy/label_guess", "grounding/"}, nil},
		{"B3", "B3", answered, []string{"30 days"}, nil, []string{"accuracy/lexical_fallback", "completeness/", "grounding/", "diagnostic_jaccard/"}, []string{"semantic_unavailable"}},
		{"B7", "B7", answered, []string{"30 days"}, nil, []string{"accuracy/lexical_fallback", "completeness/", "diagnostic_jaccard/"}, []string{"semantic_unavailable"}},
		{"B7 without key facts", "B7", answered, nil, nil, []string{"accuracy/lexical_fallback", "completeness/", "diagnostic_jaccard/"},
			[]string{"key_facts_missing", "semantic_unavailable"}},
		{"B7 with forbidden claims", "B7", answered, []string{"30 days"}, []string{"logs are public"},
			[]string{"accuracy/lexical_fallback", "completeness/", "grounding/", "diagnostic_jaccard/"}, []string{"semantic_unavailable"}},
		{"B7 without an expected answer", "B7", score.Expected{}, []string{"30 days"}, nil, []string{"completeness/"}, []string{"expected_response_missing"}},
		{"B20", "B20", answered, []string{"30 days"}, nil, []string{"accuracy/lexical_fallback", "completeness/", "grounding/", "diagnostic_jaccard/"}, []string{"semantic_unavailable"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			e := expect(t, c.benchmark, c.e, c.facts, c.claims)
			got := e.Measure("The vendor is compliant: it keeps logs for 30 days.", score.Settings{Corpus: likeness.NewCorpus(nil)})
			var names []string
			for _, m := range got.Metrics {
				names = append(names, m.Name+"/"+m.Method)
				if m.Degraded != (m.Method == score.MethodLexical) || m.Description == "" || m.Value < 0 || m.Value > 1 {
					t.Errorf("metric %+v", m)
				}
			}
			slices.Sort(got.Warnings)
			if !slices.Equal(names, c.want) || !slices.Equal(got.Warnings, c.warnings) || e.HasMetrics() != (len(names) > 0) {
				t.Errorf("metrics %v, warnings %v; want %v, %v", names, got.Warnings, c.want, c.warnings)
			}
		})
	}
}

func TestAnEmptyAnswerScoresNothingOnEveryMetric(t *testing.T) {
	for _, benchmark := range []string{"B1", "B7", "B20"} {
		e := expect(t, benchmark, score.Expected{Labels: label.New("Yes", []string{"Yes", "No"}), Reference: "Yes, for 30 days."}, []string{"30 days"}, []string{"40 days"})
		got := e.Measure(" \n", score.Settings{UnclearScore: 0.7, Corpus: likeness.NewCorpus(nil)})
		if len(got.Metrics) < 3 {
			t.Errorf("%s: only %+v", benchmark, got.Metrics)
		}
		for _, m := range got.Metrics {
			if m.Value != 0 {
				t.Errorf("%s: %s of an empty answer is %v", benchmark, m.Name, m.Value)
			}
		}
	}
}

// The worked example of the specification: accuracy 1, completeness 2/3 and grounding 0.7 at weights 1, 0.8 and 1.
func TestTheWorkedExampleOfB1(t *testing.T) {
	e := expect(t, "B1", score.Expected{Labels: label.New("Compliant", []string{"Compliant", "Non-Compliant"}), Question: "Is it?"},
		[]string{"30 days", "logs", "MFA"}, []string{"audits are waived"})
	got := e.Measure("Answer: Compliant. The logs are kept for 30 days. Audits are waived.", score.Settings{})
	overall, _ := score.Overall(got.Metrics)
	content, ok := got.ContentScore()
	if want := (1 + 0.8*2/3 + 0.7) / 2.8; math.Abs(overall-want) > 1e-12 {
		t.Errorf("overall %v, want %v", overall, want)
	}
	if want := (1 + 0.8*2/3) / 1.8; !ok || math.Abs(content-want) > 1e-12 {
		t.Errorf("content score %v, want %v", content, want)
	}
}

func TestSentencesOfTheExpectedAnswerStandInForKeyFacts(t *testing.T) {
	e := expect(t, "B7", score.Expected{Reference: "The vendor keeps the access logs. Backups are encrypted. A person reviews them monthly."}, nil, nil)
	got := e.Measure("Access logs are kept by the vendor. The backups are encrypted.", score.Settings{Corpus: likeness.NewCorpus(nil)})
	if m := got.Metrics[1]; m.Name != score.Completeness || m.Value != 2.0/3 || !slices.Contains(got.Warnings, score.WarnNoFacts) {
		t.Errorf("completeness %+v, warnings %v; want two of three sentences and key_facts_missing", m, got.Warnings)
	}
}

// compliance are labels of which each denies or limits another.
var compliance = []string{"Compliant", "Non-Compliant", "Partially Compliant"}

func TestLabelAccuracyIsAMetricThatSaysHowTheLabelWasFound(t *testing.T) {
	in, err := label.NewLinePlace("Answer:")
	if err != nil {
		t.Fatal(err)
	}
	e := score.Expected{Plan: score.Plan{AccuracyMethod: score.MethodLabel}, Labels: label.New("Compliant", compliance)}
	for _, where := range []*label.Place{nil, in} {
		want := score.MethodGuess
		if e.LabelPlace = where; where != nil {
			want = score.MethodLabel
		}
		m := e.Measure("Answer: Compliant", score.Settings{}).Metrics[0]
		if m.Name != score.Accuracy || m.Method != want || m.Weight != 1 || m.Value != 1 || m.Description == "" {
			t.Errorf("Measure = %+v; want a described accuracy of weight 1 by %s", m, want)
		}
		for answer, value := range map[string]float64{"Answer: Compliant\n" + strings.Repeat("So it is. ", label.MaxBytes/5): 1, "<!--\nAnswer: Compliant\n-->": 0} {
			if got := e.Measure(answer, score.Settings{UnclearScore: 0.7}).Metrics[0]; got.Value != value {
				t.Errorf("%.40q: %+v, want %v", answer, got, value)
			}
		}
	}
}

func TestAnAnswerThatTurnsRoundWhatWasExpectedIsCapped(t *testing.T) {
	const expected = "The vendor must keep the logs for 30 days."
	for _, c := range []struct{ answer, warning string }{
		{expected, ""},
		{"The vendor must not keep the logs for 30 days.", score.WarnContradiction},
		{"The vendor must keep the logs for 90 days.", score.WarnContradiction},
	} {
		got := expect(t, "B7", score.Expected{Reference: expected}, []string{"logs"}, nil).Measure(c.answer, score.Settings{})
		x, turned := got.Metrics[0], c.warning != ""
		if turned != (x.Status == score.StatusCapped) || turned != (x.Value == 0.5) || turned != strings.HasSuffix(x.Description, ", capped at 0.5") || turned && !slices.Contains(got.Warnings, c.warning) {
			t.Errorf("%q: %+v, warnings %v; want the warning %q", c.answer, x, got.Warnings, c.warning)
		}
	}
}

func TestUnclearFigureIsForAnswersWithoutALabelOnly(t *testing.T) {
	e := score.Expected{Plan: score.Plan{AccuracyMethod: score.MethodLabel}, Labels: label.New("Compliant", []string{"Compliant", "Non-Compliant"})}
	for answer, want := range map[string]float64{"Hello.": 0.7, "Non-Compliant": 0, "": 0} {
		if got := e.Measure(answer, score.Settings{UnclearScore: 0.7}).Metrics[0].Value; got != want {
			t.Errorf("%q with the figure 0.7 = %v, want %v", answer, got, want)
		}
	}
}

// A label that stands by itself, and the expected answer word for word, are what a case asks for.
func TestWhatWasAskedForCame(t *testing.T) {
	labels := label.New("block", []string{"block", "ok"})
	for _, c := range []struct {
		e      score.Expected
		answer string
		want   bool
	}{
		{score.Expected{Labels: labels}, "block: I can't assist with that.", true},
		{score.Expected{Labels: labels}, "ok: I can't assist with that.", true},
		{score.Expected{Labels: labels}, "I can't assist with that; I would block it.", false},
		{score.Expected{Labels: labels}, "I can't assist with that.", false},
		{score.Expected{Reference: "I can't hear you."}, "I can't hear you.\n", true},
		{score.Expected{Reference: "I can't hear you."}, "I can't hear you, sorry.", false},
	} {
		strategy := score.StrategyClassification
		if c.e.Labels == nil {
			strategy = score.StrategyReasoning
		}
		c.e.Plan = score.StrategyMap(nil).Plan("", strategy, score.StrategyAccuracy)
		if got := c.e.Measure(c.answer, score.Settings{}).Complies; got != c.want {
			t.Errorf("%q delivers: %v, want %v", c.answer, got, c.want)
		}
	}
}
