package label_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/label"
)

// Labels of every kind: everyday words, names of code, opposites, degrees, phrases, verdicts and signs.
var kinds = [][]string{
	{"positive", "negative", "neutral"}, {"cancel_order", "track_order", "change_address"}, {"spam", "not spam"},
	{"Compliant", "Non-Compliant", "Partially Compliant"}, {"invoice", "purchase order", "receipt", "delivery note"}, {"Yes", "No"},
	{"Supported", "Refuted", "Not enough information"}, {"C", "C++", "Java"},
}

// Ways in which models give a label, X, or give none, as testdata/templates writes them, with any labels in them. Y and
// Z are others.
func TestLabelsInEveryWayOfGivingOne(t *testing.T) {
	for _, c := range []struct {
		file            string
		answers         int
		right, overruns int // at least; answers that score fully for a label that they do not give, at most
	}{{"given", 5598, 5535, 1}, {"open", 2851, 2823, 28}} {
		n, right, wrong := 0, 0, 0
		for _, template := range templates(t, c.file) {
			for _, labels := range kinds {
				set := label.New(labels[0], labels)
				for k, given := range labels {
					answer, ok := filled(template, labels, k)
					if !ok {
						continue
					}
					r := label.Read(set, "Which label fits the text?", answer)
					full := r.Predicted != "" && !r.Hedged
					switch n++; {
					case c.file == "open" && !full, c.file == "given" && full && r.Predicted == given:
						right++
					case full:
						wrong++
						t.Logf("%s: %q is read as %q", c.file, answer, r.Predicted)
					}
				}
			}
		}
		t.Logf("%s: %d of %d right, %d wrong labels counted right", c.file, right, n, wrong)
		if n != c.answers || right < c.right || wrong > c.overruns {
			t.Errorf("%s: %d answers, %d right and %d wrong labels counted right, want %d, at least %d and at most %d", c.file, n, right, wrong, c.answers, c.right, c.overruns)
		}
	}
}

func templates(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "templates", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

// filled puts labels into a template; ok is false where it asks for three and there are two.
func filled(template string, labels []string, given int) (answer string, ok bool) {
	others := slices.Delete(slices.Clone(labels), given, given+1)
	if len(others) == 1 && strings.Contains(template, "{Z}") {
		return "", false
	}
	y, z := others[given%len(others)], others[(given+1)%len(others)]
	return strings.NewReplacer("{X}", labels[given], "{Y}", y, "{Z}", z, `\n`, "\n").Replace(strings.TrimSuffix(template, "\n")), true
}
