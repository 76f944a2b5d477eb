package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// antonymTable are rows of words that contradict each other, as words.txt says.
var antonymTable = strings.Split(lists.Text("antonyms"), ",")

// antonymsByStem maps a stem to the phrases of the table that begin with it. A phrase has its synonyms and opposites,
// and is listed once for each of its rows.
var antonymsByStem = func() map[string][]antonyms {
	m := map[string][]antonyms{}
	put := func(own, other [][]string, whole bool) {
		for _, phrase := range own {
			m[phrase[0]] = append(m[phrase[0]],
				antonyms{phrase: phrase, synonyms: own, opposites: other, complementary: whole})
		}
	}
	for _, row := range antonymTable {
		if at := strings.IndexAny(row, "|=>"); at >= 0 {
			one, other, whole := phrases(row[:at]), phrases(row[at+1:]), row[at] == '='
			put(one, other, whole)
			if row[at] != '>' {
				put(other, one, whole)
			}
		} else {
			for all, i := phrases(row), 0; i < len(all); i++ {
				m[all[i][0]] = append(m[all[i][0]], antonyms{phrase: all[i], synonyms: all[i : i+1],
					opposites: slices.Delete(slices.Clone(all), i, i+1)})
			}
		}
	}
	return m
}()

// antonyms is a phrase of the table with its synonyms and its opposites.
type antonyms struct {
	phrase              []string
	synonyms, opposites [][]string
	complementary       bool // the denial of a synonym means the opposites: not open is closed
}

// phrases returns the stems of each phrase in a row. Spaces separate the phrases, and _ joins the words of a phrase.
func phrases(row string) [][]string {
	return stems(strings.Fields(row)...)
}

// stems returns the stems of each phrase, and leaves out phrases without a word.
func stems(all ...string) (out [][]string) {
	for _, phrase := range all {
		if words := english.Parse(strings.ReplaceAll(phrase, "_", " ")).Words; len(words) > 0 {
			out = append(out, stemsOf(words))
		}
	}
	return out
}
