package refusal

import (
	"regexp"

	"github.com/failproof/failproof/internal/english"
)

// asideBytes is the length in bytes of the longest answer in which everyday words can refuse; see handsNothing.
const asideBytes = 420

var (
	// structured matches what only an answer has: code, a table, a list.
	structured = regexp.MustCompile(`\x01|\x02{12}|[|]|\n\s*[-*•#>]`)
	// figure matches a digit that is not part of a name, such as X200 or INC-40921.
	figure = regexp.MustCompile(`(?:^|[^a-z0-9-])[0-9]`)
)

// handsNothing reports whether an answer gives nothing of what the user asked for. Such an answer is complete, has no
// code, list or figure, and neither announces an answer nor asks for what is missing.
func handsNothing(d *Detector, v *view) bool {
	whole := sentence{v.Flat, v.cues}
	if !v.whole || structured.MatchString(v.Plain) || whole.holds(&d.signs.Asks) {
		return false
	}
	for _, at := range english.Sentences(v.Lower) {
		s := d.sentence(v, at)
		if s.holds(&d.signs.Delivery) || figure.MatchString(s.text) && !s.holds(&d.signs.Referral) {
			return false
		}
	}
	return true
}
