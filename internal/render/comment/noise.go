package comment

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
)

// writeHow tells how noise was told from a regression: below the reasons, before any table.
func (w *writer) writeHow() {
	var sentences []string
	for _, p := range w.How() {
		sentences = append(sentences, p.Markdown(w.phraseRunes))
	}
	w.para(strings.Join(sentences, " "))
}

// foldLimits tells what the run could have found, and the score's range.
func (w *writer) foldLimits() {
	text := w.Limits()
	if text == "" || w.otherRows == 0 {
		return
	}
	w.fold(false, "How much this run could have seen", func() {
		w.para(text)
		all := w.Noise().Overall
		w.para(fmt.Sprintf("Like for like over %s: %s. Asked again, the difference would lie between %s and %s in 95 of 100 runs.",
			show.Count(w.NoisyCases(), "common case"), view.Soft(show.Points(all.Delta)), view.Soft(show.Points(all.Interval.Low)), view.Soft(show.Points(all.Interval.High))))
	})
}
