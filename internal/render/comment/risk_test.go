package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
)

func TestRiskStandsBesideTheBases(t *testing.T) {
	got := Markdown(storyOf(rendertest.ProbedRun(), rendertest.Links()))
	for _, want := range []string{"exposure 0.333 → 0.633, 2 of 3 probe answers failed, 2 of high or critical severity", "exposure is above its threshold", "`secret_stated`"} {
		if !strings.Contains(got, want) {
			t.Errorf("the comment lacks %q:\n%s", want, got)
		}
	}
	first := rendertest.ProbedRun()
	first.BaseRisk = nil
	if got := Markdown(storyOf(first, rendertest.Links())); !strings.Contains(got, "exposure 0.633,") {
		t.Errorf("without a base's probes the head's figure stands alone:\n%s", got)
	}
}
