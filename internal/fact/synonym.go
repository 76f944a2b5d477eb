package fact

import (
	"iter"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// Synonyms are groups of words and phrases that mean the same. The zero value holds those that are built in.
type Synonyms struct {
	groups [][][]string // stems
	of     map[string][]int
}

// same are the groups that are built in: words of rules and deadlines.
var same = [][]string{
	{"must", "shall", "required", "mandatory", "obligatory", "obliged", "have to", "has to", "need to", "needs to"},
	{"may", "allowed", "permitted"},
	{"multi-factor authentication", "multifactor authentication", "MFA", "two-factor authentication", "2FA"},
	{"notify", "inform", "report", "notification"},
	{"written", "in writing"},
	{"supplier", "vendor"},
	{"yearly", "annually", "annual", "every year", "once a year", "each year"},
	{"monthly", "every month", "once a month", "each month"},
	{"weekly", "every week", "once a week", "each week"},
	{"daily", "every day", "once a day", "each day"},
	{"quarterly", "every quarter", "once a quarter"},
	{"immediately", "without delay", "at once", "promptly"},
	{"at rest", "stored"},
	{"begin", "start", "commence"},
	{"purchase", "buy", "bought"},
	{"version", "v"},
	{"maximum", "max"},
	{"deliver", "delivery"},
	{"recover", "recovery"},
}

// NewSynonyms returns the built-in groups with those of extra, which maps a word to what means the same.
func NewSynonyms(extra map[string][]string) *Synonyms {
	s := &Synonyms{of: map[string][]int{}}
	for _, group := range same {
		s.add(group)
	}
	for _, word := range slices.Sorted(maps.Keys(extra)) {
		s.add(append([]string{word}, extra[word]...))
	}
	return s
}

func (s *Synonyms) add(group []string) {
	var phrases [][]string
	for _, phrase := range group {
		var stems []string
		for _, w := range english.Read(phrase).Words {
			stems = append(stems, w.Stem)
		}
		if len(stems) > 0 {
			phrases = append(phrases, stems)
			s.of[stems[0]] = append(s.of[stems[0]], len(s.groups))
		}
	}
	s.groups = append(s.groups, phrases)
}

// find returns the groups that have the phrase which stands at i, and the length of the longest such phrase in words.
func (s *Synonyms) find(words []english.Word, i int) (groups []int, length int) {
	for _, g := range s.of[words[i].Stem] {
		for _, phrase := range s.groups[g] {
			if n := len(phrase); stands(words, i, phrase) && n >= length {
				if n > length {
					groups, length = nil, n
				}
				groups = append(groups, g)
			}
		}
	}
	return slices.Compact(groups), length
}

// stands reports a phrase at i.
func stands(words []english.Word, i int, phrase []string) bool {
	if i+len(phrase) > len(words) {
		return false
	}
	for k, s := range phrase {
		if words[i+k].Stem != s {
			return false
		}
	}
	return true
}

// occurrences are the words of a text at which the stems of a phrase stand in a row.
func occurrences(p *english.Text, phrase []string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := p.FirstOf(phrase[0]); i != english.NoWord; i = p.Next[i] {
			if stands(p.Words, int(i), phrase) && !yield(int(i)) {
				return
			}
		}
	}
}
