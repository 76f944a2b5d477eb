package announced

import (
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// scores has the scores of the head, without quarantined cases, and the gate in force.
type scores struct {
	gate config.Gate
	head *report.Side
}

// missed returns the score that will miss the threshold that c proposes. It returns "" if the score will meet it, if
// there is no score, or if c proposes no threshold.
func (s scores) missed(c config.Change) string {
	bar, err := strconv.ParseFloat(c.Head, 64)
	suiteID, ofSuite := strings.CutPrefix(strings.TrimSuffix(c.Key, ".min_score"), "suites.")
	got := s.head.RunScore
	switch {
	case c.Effective:
		return ""
	case c.Key == "phase" && !s.gate.Setting(config.MinRunScore).Set:
		bar, err = config.Phase(c.Head).Threshold(), nil
	case ofSuite && strings.HasSuffix(c.Key, ".min_score") && s.head.Suite(suiteID) != nil:
		got = s.head.Suite(suiteID).Score
	case c.Key != "gate."+config.MinRunScore.String():
		return ""
	}
	if now, ok := got(); err == nil && ok && !score.Meets(now, bar) {
		figure, _ := score.FormatWithLimit(now, bar)
		return figure
	}
	return ""
}
