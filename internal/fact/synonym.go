package fact

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/english"
)

// Synonyms are groups of words and phrases that mean the same. The zero value has no groups.
type Synonyms struct {
	groups       [][][]string // stems
	groupsByStem map[string][]int
}

// synonymTable are the built-in groups.
var synonymTable = strings.Split(lists.Text("synonyms"), ",")

// builtInGroups returns the groups of synonymTable, parsed as English once.
var builtInGroups = sync.OnceValue(func() (groups [][][]string) {
	for _, group := range synonymTable {
		groups = append(groups, phrases(group))
	}
	return groups
})

// NewSynonyms returns synonyms with the built-in groups, and with a group for each word in extra and its synonyms.
func NewSynonyms(extra map[string][]string) *Synonyms {
	s := &Synonyms{groupsByStem: map[string][]int{}}
	for _, group := range builtInGroups() {
		s.add(group)
	}
	for _, word := range slices.Sorted(maps.Keys(extra)) {
		s.add(stems(append([]string{word}, extra[word]...)...))
	}
	return s
}

// add adds a group to s and returns s.
func (s *Synonyms) add(phrases [][]string) *Synonyms {
	for _, stems := range phrases {
		s.groupsByStem[stems[0]] = append(s.groupsByStem[stems[0]], len(s.groups))
	}
	s.groups = append(s.groups, phrases)
	return s
}

// findGroups looks for the longest phrase of any group that begins at i. It returns the groups that have this phrase,
// and its length in words.
func (s *Synonyms) findGroups(words []english.Word, i int) (groups []int, length int) {
	for _, g := range s.groupsByStem[words[i].Stem] {
		for _, phrase := range s.groups[g] {
			if n := len(phrase); hasStemsAt(words, i, phrase) && n >= length {
				if n > length {
					groups, length = nil, n
				}
				groups = append(groups, g)
			}
		}
	}
	return slices.Compact(groups), length
}

// hasStemsAt reports whether the stems of a phrase begin at i.
func hasStemsAt(words []english.Word, i int, phrase []string) bool {
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

// phrases returns the stems of each phrase in a row. Spaces separate the phrases, and _ joins the words of a phrase.
func phrases(row string) [][]string { return stems(strings.Fields(row)...) }

// stems returns the stems of each phrase, and leaves out phrases without a word.
func stems(all ...string) (out [][]string) {
	for _, phrase := range all {
		if words := english.Parse(strings.ReplaceAll(phrase, "_", " ")).Words; len(words) > 0 {
			out = append(out, stemsOf(words))
		}
	}
	return out
}
