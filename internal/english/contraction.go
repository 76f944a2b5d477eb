package english

import "strings"

var contractions = map[string][]string{
	"can't": {"can", "not"}, "won't": {"will", "not"}, "shan't": {"shall", "not"}, "cannot": {"can", "not"},
	"ain't": {"is", "not"}, "isnt": {"is", "not"}, "doesnt": {"does", "not"}, "dont": {"do", "not"},
	"arent": {"are", "not"}, "wasnt": {"was", "not"}, "cant": {"can", "not"}, "let's": {"let", "us"},
	"inapplicable": {"not", "applicable"}, "aren": {"are"},
}

func parts(word string) []string {
	if p, ok := contractions[word]; ok {
		return p
	}
	stem, ending, found := strings.Cut(word, "'")
	switch {
	case !found:
		return []string{word}
	case ending == "t" && strings.HasSuffix(stem, "n"):
		return []string{strings.TrimSuffix(stem, "n"), "not"}
	case ending == "s" && subject[stem]:
		return []string{stem, "is"}
	case ending == "re":
		return []string{stem, "are"}
	}
	return []string{stem}
}

var subject = Set("it that this he she there here what who vendor answer verdict conclusion label system")

// Words before a full stop that does not end a sentence.
var titles = Set("mr mrs ms dr prof st")

var abbreviations = Set("e g i eg ie etc vs art sec cl para mr ms mrs dr ltd inc co st fig approx")

// Words that begin a clause of their own.
var clauseWords = Set("but however although though while whereas because since unless yet")

// Words that begin a clause with a reason behind what they give it for: "high given the low reserves".
var reasonGiving = Set("given due owing considering despite")

// Set is a set of words, which stand in a row.
func Set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}
