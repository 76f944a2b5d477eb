package story

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
)

// chance is all that is known of chance: how it was told from a change, what the run could have found, and the gate's own words for what
// is said above in others.
func chance(v *view.View) Part {
	_, numbers := reasons(v)
	p := Part{Title: "Statistics"}
	for _, line := range numbers {
		p.Items = append(p.Items, slices.Concat(show.Sentence(line.Mark.Icon()+" "), line.Text))
	}
	if all := show.Phrases(" ", how(v)); len(all) > 0 {
		p.Text = append(p.Text, all)
	}
	if text := limits(v); text != "" {
		all := noise(v).Overall
		p.Text = append(p.Text, show.Sentence(text), show.Sentence(fmt.Sprintf("Over %s of both sides: %s. Asked again, the difference would be between %s and %s in 95 of 100 runs.",
			show.Count(noisyCases(v), "case"), soft(show.Points(all.Delta)), soft(show.Points(all.Interval.Low)), soft(show.Points(all.Interval.High)))))
	}
	return p
}
