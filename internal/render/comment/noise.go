package comment

import (
	"fmt"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
)

// limitWords tell what the run could have found, and the score's range.
func (w *writer) limitWords() []string {
	text := w.Limits()
	if text == "" || w.otherRows == 0 {
		return nil
	}
	all := w.Noise().Overall
	return []string{text, fmt.Sprintf("Like for like over %s: %s. Asked again, the difference would lie between %s and %s in 95 of 100 runs.",
		show.Count(w.NoisyCases(), "common case"), view.Soft(show.Points(all.Delta)), view.Soft(show.Points(all.Interval.Low)), view.Soft(show.Points(all.Interval.High)))}
}
