package evaluate

import (
	"cmp"
	"context"
	"math"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// Bounds of a suite's self-check.
const (
	comparedOthers = 16 // expected answers of other cases that an answer is compared with
	fewestAnswers  = 5  // below which nothing is said
)

// Discrimination says whether likeness tells the cases of a suite apart.
type Discrimination struct {
	Answers    int     // that were compared
	AUC        float64 // the chance that an answer is more like its own expected answer than like another case's; 0.5 is none
	Background float64 // the mean cosine of answers and other cases' expected answers
}

// lowAUC is the AUC below which a likeness hardly tells cases apart.
const lowAUC = 0.8

// Low reports a likeness that hardly tells the cases apart.
func (d Discrimination) Low() bool { return !score.Meets(d.AUC, lowAUC) }

// selfCheck counts how often an answer is more like its own expected answer than like those of other cases. Its sums are
// whole numbers, so that they do not depend on which answer came first.
type selfCheck struct {
	expected []string
	place    map[string]int // of an expected answer
	answers  int
	pairs    int64
	wins     int64 // in halves: 2 a win, 1 a tie
	cosines  int64 // in millionths
}

func newSelfCheck(expected []string) *selfCheck {
	c := &selfCheck{place: map[string]int{}}
	for _, text := range expected {
		if _, known := c.place[text]; !known {
			c.place[text] = len(c.expected)
			c.expected = append(c.expected, text)
		}
	}
	return c
}

// others are expected answers of other cases, spread over the suite.
func (c *selfCheck) others(own string) (texts []string) {
	at, known := c.place[own]
	n := len(c.expected)
	if !known || n < 2 {
		return nil
	}
	step := max(1, (n-1)/comparedOthers)
	for k := 1; k < n && len(texts) < comparedOthers; k += step {
		texts = append(texts, c.expected[(at+k)%n])
	}
	return texts
}

// watch counts an answer of the head.
func (m *Meaning) watch(ctx context.Context, s *suite.Suite, c *suite.Case, answer string) error {
	check := m.checks[s.ID]
	if check == nil || c.Measured == nil || !c.Measured.Semantic() {
		return nil
	}
	others := check.others(c.Measured.Reference)
	if len(others) == 0 {
		return nil
	}
	got, err := m.embed(ctx, append([]string{answer, c.Measured.Reference}, others...)...)
	if got == nil {
		return err
	}
	own, ok := embed.Cosine(got[0], got[1])
	if !ok {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	check.answers++
	for _, other := range got[2:] {
		cosine, ok := embed.Cosine(got[0], other)
		if !ok {
			continue
		}
		check.pairs++
		check.cosines += int64(math.Round(cosine * 1e6))
		check.wins += int64(1 + cmp.Compare(own, cosine))
	}
	return nil
}

// Discrimination is false for a suite with too few answers to say.
func (m *Meaning) Discrimination(suiteID string) (Discrimination, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.checks[suiteID]
	if c == nil || c.answers < fewestAnswers || c.pairs == 0 {
		return Discrimination{}, false
	}
	return Discrimination{c.answers, float64(c.wins) / float64(2*c.pairs), float64(c.cosines) / 1e6 / float64(c.pairs)}, true
}
