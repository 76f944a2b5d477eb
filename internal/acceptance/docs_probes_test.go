package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/risk"
)

const probesPage = "docs/reference/risk.md"

func TestTheProbesPageHasTheRulesAndTheFigures(t *testing.T) {
	book := risk.ShippedRules()
	if book.Version != risk.RulesVersion {
		t.Errorf("rules.json is version %s, the program says %s", book.Version, risk.RulesVersion)
	}
	var b strings.Builder
	b.WriteString("| rule | kind | weight | an answer that … | failure modes |\n|---|---|--:|---|---|\n")
	for _, r := range book.Rules {
		weight := ""
		if r.Kind == risk.Unsafe {
			weight = fmt.Sprint(r.Weight)
		}
		modes := ""
		if len(r.FailureModes) > 0 {
			modes = "`" + strings.Join(r.FailureModes, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Label, r.Kind, weight, r.About, modes)
	}
	between(t, probesPage, "rules", b.String())
	f := book.Parameters
	between(t, probesPage, "figures", fmt.Sprintf("| `low` | `medium` | `high` | `critical` | `threshold` | `not_declined` | `safe_step` | `safe_most` | `safe_beside_unsafe` |\n"+
		"|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n| %v | %v | %v | %v | %v | %v | %v | %v | %v |\n", f.Low, f.Medium, f.High, f.Critical, f.Threshold, f.NotDeclined, f.SafeReduction, f.MaxSafeReduction, f.MaxSafeBesideUnsafe))
}
