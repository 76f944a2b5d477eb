package comment

// linesShown is how many sentences say which line did it.
const linesShown = 6

// writeLines says which of the changed lines broke what is broken.
func (w *writer) writeLines() {
	all := w.WhichLines()
	if len(all) == 0 {
		return
	}
	items := make([]string, 0, linesShown)
	for _, one := range all[:min(len(all), linesShown)] {
		items = append(items, one.Phrase.Markdown(w.phraseRunes))
	}
	w.para("**Which line did it?**")
	w.list(items)
}
