package label_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/label"
)

func TestALabelIsReadWhereTheSuiteSaysThatItStands(t *testing.T) {
	line := func(begin string) *label.Place {
		in, err := label.NewLinePlace(begin)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	pattern, err := label.NewPatternPlace(`(?i)grade:\s*(\S+)`)
	if err != nil {
		t.Fatal(err)
	}
	severity, grades := []string{"Critical", "High", "Low"}, []string{"A+", "A", "A-"}
	for _, c := range []struct {
		rule     string
		in       *label.Place
		labels   []string
		answer   string
		expected string
		value    float64
		status   string
	}{
		{"a line", line("Severity:"), severity, "Severity: Critical\nConfidence: Low", "Critical", 1, ""},
		{"what stands elsewhere does not count", line("Severity:"), severity, "Severity: Low\n\nFinal answer: Critical", "Critical", 0, ""},
		{"laid out in bold, as an item of a list", line("severity:"), severity, "- **Severity:** `Critical`", "Critical", 1, ""},
		{"on the line below", line("Severity:"), severity, "## Severity:\n\nCritical\n", "Critical", 1, ""},
		{"with words around it", line("Severity:"), severity, "Severity: Critical, because data leaks at low cost", "Critical", 1, ""},
		{"another line that begins alike", line("Severity"), severity, "Severity-weighted: Low\nSeverities: Low\nSeverity: Critical", "Critical", 0.7, label.StatusTwoLabels},
		{"no such line", line("Severity:"), severity, "It is Critical.", "Critical", 0, label.StatusNoLabel},
		{"nothing behind it", line("Severity:"), severity, "Severity:", "Critical", 0, label.StatusNoLabel},
		{"two lines that agree", line("Severity:"), severity, "Severity: High\nSeverity: high", "High", 1, ""},
		{"two lines are two labels, never the last", line("Severity:"), severity, "Severity: High\nSeverity: Low", "Low", 0.7, label.StatusTwoLabels},
		{"a form of the answer before it", line("Severity:"), severity, "Severity: [Critical|High|Low]\n\nSeverity: Low", "Low", 1, ""},
		{"a form alone", line("Severity:"), severity, "Severity: [Critical|High|Low]", "Low", 0.7, label.StatusTwoLabels},
		{"in italics", line("Severity:"), severity, "_Severity:_ High", "High", 1, ""},
		{"italics throughout", line("Severity:"), severity, "*Severity: High*", "High", 1, ""},
		{"a change", line("Severity:"), severity, "Severity: High -> Low", "Low", 1, ""},
		{"a change, not what it was before", line("Severity:"), severity, "Severity: High → Low", "High", 0, ""},
		{"a line with two labels", line("Severity:"), severity, "Severity: High or Low", "High", 0.7, label.StatusTwoLabels},
		{"a line that denies one", line("Severity:"), severity, "Severity: not Low but High", "High", 1, ""},
		{"a pattern", pattern, grades, "Grade: A- (solid)", "A-", 1, ""},
		{"a pattern, symbols belong to the label", pattern, grades, "grade: A+", "A", 0, ""},
		{"a pattern that matches nowhere", pattern, grades, "An A+.", "A+", 0, label.StatusNoLabel},
		{"windows line ends", line("Severity:"), severity, "Severity: High\r\nConfidence: Low\r\n", "High", 1, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := label.FindAt(label.New(c.expected, c.labels), c.in, c.answer)
			if got.Value != c.value || got.Status != c.status {
				t.Errorf("FindAt(%q) = %+v, want %v %q", c.answer, got, c.value, c.status)
			}
		})
	}
}

func TestAPlaceThatCannotHoldALabelIsAFault(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`severity: (\w+`, "missing closing )"}, {`severity: \w+`, "0 groups"}, {`(a)(b)`, "2 groups"}, {`(\w*)`, "empty text"}, {strings.Repeat("a", 2000), "at most 1024"},
	} {
		if _, err := label.NewPatternPlace(c.source); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("NewPatternPlace(%.20q) = %v, want %q", c.source, err, c.want)
		}
	}
	for _, begin := range []string{"  ", "**", "a\nb"} {
		if _, err := label.NewLinePlace(begin); err == nil {
			t.Errorf("NewLinePlace(%q) is no fault", begin)
		}
	}
}

func TestTwoLabelsThatCannotBeToldApart(t *testing.T) {
	for _, c := range []struct {
		rule   string
		labels []string
		alike  bool
	}{
		{"letter case", []string{"High", "high"}, true},
		{"spaces and hyphens", []string{"in-scope", "In Scope"}, true},
		{"two ways to deny", []string{"Not compliant", "Non-Compliant", "Compliant"}, true},
		{"a plus before a number", []string{"+1", "1", "-1"}, true},
		{"marks behind a name", []string{"Yes", "Yes!"}, true},
		{"an emoji beside a word", []string{"🔴 High", "🟢 High"}, true},
		{"symbols tell labels apart", []string{"A+", "A-", "A", "C#", "C++", "C", "-1", "1", "<10", ">10", "10", "$", "$$", "👍", "👎"}, false},
		{"a denial", []string{"Compliant", "Non-Compliant", "Partially Compliant"}, false},
		{"inflections", []string{"Applies", "Applicable"}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if a, b, got := label.New(c.labels[0], c.labels).Indistinguishable(); got != c.alike {
				t.Errorf("Indistinguishable(%q) = %q, %q, %v; want %v", c.labels, a, b, got, c.alike)
			}
		})
	}
}

// Beside =, *, or ^ a letter is a variable; an option's name may end in a full stop that ends no sentence; and how sure
// an answer is says nothing of its label.
func TestALetterOfAFormulaIsNoOption(t *testing.T) {
	options := []string{"A", "B", "C", "D", "E", "F", "G"}
	run(t, []labelCase{
		{"a result", options, "F", "We get F = 3.2 N", 0},
		{"a law", options, "D", "E = mc^2 gives the energy. The answer is (D).", 1},
		{"an answer by an equals sign", options, "B", "Answer = B", 1},
		{"likely is of the question", options, "G", "A strict parent is likely to agree with option (G). The answer is (G).", 1},
		{"a comparison without a winner", options, "B", "Both have strengths: A is shorter, B has more detail.", 0},
		{"a ticked box beside an empty one", options, "B", "- [ ] A\n- [x] B", 1},
		{"how sure it is", levels, "Medium", "Severity: Medium\nConfidence: High", 1},
		{"how sure it is, first", levels, "Medium", "Confidence: High\nSeverity: Medium", 1},
		{"how sure it is, as JSON", levels, "Low", `{"severity": "low", "confidence": "high"}`, 1},
		{"nothing but how sure it is", levels, "High", "Confidence: High", 1},
	})
}
