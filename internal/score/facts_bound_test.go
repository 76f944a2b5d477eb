package score_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/score"
)

// repeated is a text of so many bytes, made of sentences by their numbers.
func repeated(bytes int, sentence string) string {
	var out strings.Builder
	for i := 0; out.Len() < bytes; i++ {
		fmt.Fprintf(&out, sentence, i)
	}
	return out.String()
}

// long is an answer that has no word of what it is held against, so that looking for it takes no time.
var long = strings.Repeat("nothing else ", 128<<10)

func TestAnExpectedAnswerAndAnAnswerThatAreTooLongAreNotComparedSentenceBySentence(t *testing.T) {
	e := score.Expected{Plan: score.StrategyMap(nil).Plan("", score.StrategyReasoning, ""), Reference: repeated(64<<10, "The vendor must pay fee %d now. ")}
	e.Sentences = words().Sentences(e.Reference)
	for answer, unlooked := range map[string]bool{long: true, "The vendor must pay fee 1 now.": false} {
		for _, m := range e.Measure(answer, score.Settings{}).Metrics {
			said := strings.Contains(m.Description, " not looked for: the answer and its expectation are too long together)")
			if m.Name == score.Completeness && (m.Value >= 1 || said != unlooked) {
				t.Errorf("completeness of %.40s… is %v, %s", answer, m.Value, m.Description)
			}
		}
	}
}

func TestAClaimThatIsNotLookedForCountsAsStated(t *testing.T) {
	var claims []string
	for i := range 100 {
		claims = append(claims, fmt.Sprintf("the vendor must pay fee number %d now", i))
	}
	e := score.Expected{Plan: score.StrategyMap(nil).Plan("", score.StrategyReasoning, "")}
	e.Forbidden = compiled(t, words().Claim, claims...)
	m := e.Measure(long, score.Settings{})
	if n := len(m.StatedClaims); n == 0 || n == len(claims) || m.StatedClaims[n-1] != claims[len(claims)-1] {
		t.Errorf("%d claims are said to be stated, want those alone that were not looked for", n)
	}
	if g := m.FailedGrounding(); g == nil || !strings.Contains(g.Description, "which could not be searched for: the answer and its expectation are too long together") {
		t.Errorf("grounding is %+v", g)
	}
	if m := e.Measure("Nothing else.", score.Settings{}); len(m.StatedClaims) > 0 {
		t.Errorf("a short answer states %q", m.StatedClaims)
	}
}

func TestASentenceOfAnyLengthIsCompared(t *testing.T) {
	if facts := words().Sentences(strings.Repeat("word ", 200_000) + "end"); len(facts) != 1 || len(facts[0].String()) > 1000 {
		t.Errorf("%d sentences", len(facts))
	}
}
