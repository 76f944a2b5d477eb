package english

import "strings"

// Spelling returns the American spelling of a lower-case word: color for colour, center for centre. Both spellings of
// a word have the same stem.
func Spelling(word string) string {
	if other, ok := british[word]; ok {
		return other
	}
	if len(word) < shortestBritish {
		return word
	}
	for i := len(word) - 1; i > 1; i-- {
		switch before := word[i-1]; {
		case before == 'i' && word[i] == 's' && i >= len(word)-longestIse && iseEndings[word[i+1:]] &&
			!isesByNature(word[:i-1]):
			return word[:i] + "z" + word[i+1:]
		case before == 'o' && word[i] == 'u' && i+1 < len(word) && word[i+1] == 'r' && ourRoots[word[:i-1]]:
			return word[:i] + word[i+1:]
		}
	}
	return word
}

// shortestBritish is the least number of letters of a word with -ise or -our. longestIse is the largest number of
// letters of an ending that begins with "is".
const shortestBritish, longestIse = 5, 8

var (
	iseEndings = Set("e es ed er ers ing ation ations")
	ourRoots   = Set("col discol misdemean fav behavi hon dishon lab neighb harb hum flav endeav arm od rum vap vig " +
		"sav rig cand val spl clam glam parl tum")
)

// isesByNature reports whether a word that begins with begin, before the "ise", has -ise in American spelling too. Such
// beginnings are "rev" of revise and "prec" of precise.
func isesByNature(begin string) bool {
	switch last := begin[len(begin)-1]; last {
	case 'a', 'o', 'u', 'v', 'w':
		return true
	case 'c':
		return !strings.HasSuffix(begin, "ic")
	}
	return len(begin) < 4
}

// british maps British spellings that the rules for -ise and -our do not cover to American ones.
var british = map[string]string{
	"centre": "center", "centres": "centers", "centred": "centered", "fibre": "fiber",
	"litre": "liter", "litres": "liters",
	"theatre": "theater", "calibre": "caliber", "licence": "license", "licences": "licenses", "defence": "defense",
	"defences": "defenses", "offence": "offense", "offences": "offenses", "programme": "program",
	"programmes": "programs",
	"cheque":     "check", "cheques": "checks", "grey": "gray", "judgement": "judgment",
	"acknowledgement": "acknowledgment",
	"analyse":         "analyze", "analysed": "analyzed", "analyses": "analyzes", "analysing": "analyzing",
	"catalogue": "catalog",
	"dialogue":  "dialog", "fulfil": "fulfill", "enrol": "enroll", "enrolment": "enrollment",
	"tyre": "tire", "kerb": "curb",
	"sceptical": "skeptical", "artefact": "artifact", "artefacts": "artifacts", "ageing": "aging", "cosy": "cozy",
}
