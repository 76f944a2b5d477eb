package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
)

// telephoneColumns is the number of columns of a table on GitHub's page that a phone of 380 pixels shows without
// scrolling sideways. Code scrolls.
const telephoneColumns = 3

func TestNothingAboveTheFoldsIsCutOffOnATelephone(t *testing.T) {
	for _, s := range rendertest.States {
		if s.Name == "hostile" {
			continue
		}
		fenced, folded := false, false
		for _, line := range strings.Split(Markdown(storyOf(s.Run(), rendertest.Links())), "\n") {
			switch {
			case strings.HasPrefix(line, "```"):
				fenced = !fenced
			case fenced:
			case strings.HasPrefix(line, "<details>"), strings.HasPrefix(line, "</details>"):
				folded = line != "</details>"
			case !folded && strings.HasPrefix(line, "|:--"):
				if n := strings.Count(line, "|") - 1; n > telephoneColumns {
					t.Errorf("%s: a table of %d columns", s.Name, n)
				}
			}
		}
	}
}

// TestAboveTheFoldsTheCommentSpeaksItsReadersWords checks that internal words of the gate occur only in folded parts.
func TestAboveTheFoldsTheCommentSpeaksItsReadersWords(t *testing.T) {
	for _, s := range rendertest.States {
		if s.Name == "hostile" {
			continue
		}
		text, folded := "", false
		for _, line := range strings.SplitAfter(Markdown(storyOf(s.Run(), rendertest.Links())), "\n") {
			if strings.HasPrefix(line, "<details>") || strings.HasPrefix(line, "</details>") {
				folded = !strings.HasPrefix(line, "</")
				continue
			}
			if !folded && !strings.Contains(line, "merge base of") { // the footer says how its revision was found
				text += line
			}
		}
		for _, word := range []string{" pp", "like for like", "common case", "trial ", "trials ", "on the base", "the head", "redefines", "max_unscored", "fresh run"} {
			if strings.Contains(text, word) {
				t.Errorf("%s says %q above the folds:\n%s", s.Name, word, text)
			}
		}
	}
}
