package comment

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
)

// writeNext says what to do now. Nothing of it is ever cut but the names of cases.
func (w *writer) writeNext() {
	var parts []string
	for _, p := range w.Next() {
		parts = append(parts, p.Markdown(show.NameRunes))
	}
	if len(parts) > 0 {
		w.para("**What now?** " + strings.Join(parts, " "))
	}
}
