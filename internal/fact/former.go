package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// isOfFormer reports whether the answer says the fact of another thing, such as "old price: 20 euros" for "the price is
// 20 euros". It is so if each word for the fact's subject stands behind a word such as "old", and the fact has no such
// word.
func isOfFormer(f *frame, p *english.Text, s statement) bool {
	verb := slices.IndexFunc(f.text.Words, func(w english.Word) bool { return presentVerbs[w.Text] })
	if verb < 0 {
		return false
	}
	saysValue := hasValueAt(f, verb+1)
	isFormer := func(w english.Word) bool { return formerWords[w.Text] || saysValue && formerValueWords[w.Text] }
	if slices.ContainsFunc(f.text.Words, isFormer) {
		return false
	}
	subjects := slices.DeleteFunc(slices.Clone(s.matches), func(at termMatch) bool {
		return !slices.Contains(f.termOf[:verb], at.term)
	})
	return len(subjects) > 0 && !slices.ContainsFunc(subjects, func(at termMatch) bool {
		i, first := at.from-1, max(p.Clauses[p.Words[at.from].Clause].First, at.from-adjacentReach)
		for i >= first && !isFormer(p.Words[i]) && !articlesAndTitles[p.Words[i].Text] {
			i--
		}
		return i < first || !isFormer(p.Words[i])
	})
}

// hasValueAt reports whether an amount, an address or a name begins at the word i of the fact, behind articles.
func hasValueAt(f *frame, i int) bool {
	for i < len(f.termOf) && articlesAndTitles[f.text.Words[i].Text] {
		i++
	}
	return i < len(f.termOf) && f.termOf[i] != english.NoWord && f.terms[f.termOf[i]].required
}
