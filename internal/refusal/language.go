package refusal

import (
	_ "embed" // the languages
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
	"github.com/failproof/failproof/internal/text"
)

// language describes how one language is recognized and how it refuses. Answers in a language without Refuses get the
// remark RemarkUnsupportedLanguage, except in English, which rules.json reads.
type language struct {
	Scripts         []string // Unicode scripts that it is written in; none for Latin letters
	Foreign         pattern  // letters and frequent words that only other languages in this script have
	Words           string   // frequent words, of a language in Latin letters
	Letters         string   // letters that it has besides a to z
	Phrases         phrases
	Refuses         []pattern
	Lacks           []pattern // limits, which refuse only if no answer follows
	But             pattern   // turns from a limit to an answer
	Instructs       pattern   // says what to do, or what was done, in place of what a limit lacks
	Examples        []string
	Counterexamples []string

	scripts  []*unicode.RangeTable
	openings []pattern             // Refuses, then Lacks
	table    func() *literal.Table // compiles the patterns
}

//go:embed languages.json
var languagesFile []byte

// languages is languages.json, with the languages in which a word is frequent.
type languages struct {
	all   []*language
	words map[string][]int
}

const englishAt = 0 // the index of English

var shippedLanguages = sync.OnceValue(func() *languages {
	l := &languages{words: map[string][]int{}}
	byName := text.MustParse[map[string]*language](languagesFile)
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(byName)), func(name string) bool { return name == "en" })
	for i, name := range slices.Insert(others, englishAt, "en") {
		one := byName[name]
		l.all = append(l.all, one)
		for w := range strings.FieldsSeq(one.Words) {
			l.words[w] = append(l.words[w], i)
		}
		for _, s := range one.Scripts {
			one.scripts = append(one.scripts, unicode.Scripts[s])
		}
		one.table = sync.OnceValue(one.compile)
	}
	return l
})

func (l *language) compile() *literal.Table {
	t := l.Phrases.table()
	for _, p := range [...]*pattern{&l.Foreign, &l.But, &l.Instructs} {
		p.compile(t)
	}
	l.openings = slices.Concat(l.Refuses, l.Lacks)
	for i := range l.openings {
		l.openings[i].compile(t)
	}
	return t
}

const (
	spokenBytes  = 600 // beginning of a text by which its language is recognized
	refusesBytes = 450 // beginning of a text in which a refusal is looked for
	leastWords   = 3   // least frequent words of a language by which it is recognized
	fewWords     = 3   // most words of a text that may be a mere name
	answerBytes  = 120 // longest text after a "but" that is an offer and no answer
)

// of returns the languages with rules that a text may be in, English last. It returns none for a language without
// rules. A short text without frequent words may be in any language in Latin letters.
func (l *languages) of(s string) []*language {
	head := text.FirstBytes(s, spokenBytes)
	if one, latin := l.byScript(head); !latin {
		return one
	}
	head = strings.ToLower(head)
	seen, words := l.countWords(head)
	most, english := slices.Max(seen), l.all[:1]
	if seen[englishAt] == most && (most > 0 || english[0].spells(head)) { // English, or as likely English
		if most >= leastWords || words <= 1 {
			return english
		}
		return append(l.reading(head, seen, most), english[0])
	}
	out := l.reading(head, seen, max(min(1, most), most-1))
	if out == nil && most < leastWords && words <= fewWords {
		return english
	}
	return out
}

// reading returns the languages other than English with rules for Latin letters that a text may be in. least is the
// least number of their frequent words, of which the text has the numbers in seen.
func (l *languages) reading(head string, seen []int, least int) (out []*language) {
	for i, one := range l.all {
		reads := seen[i] >= least && one.Words != "" && one.Refuses != nil
		if reads && (seen[i] >= leastWords || one.spells(head)) {
			out = append(out, one)
		}
	}
	return out
}

// IsForeign reports whether a text is surely not English, by its script, its letters or its frequent words.
func IsForeign(s string) bool {
	l := shippedLanguages()
	head := strings.ToLower(text.FirstBytes(s, spokenBytes))
	if _, latin := l.byScript(head); !latin {
		return true
	}
	seen, words := l.countWords(head)
	more := slices.Max(seen) - seen[englishAt]
	return more >= leastWords || more > 0 && words > fewWords && !l.all[englishAt].spells(head)
}

// countWords counts the words of a lower-case text, and those that are frequent in each language.
func (l *languages) countWords(s string) (seen []int, words int) {
	seen = make([]int, len(l.all))
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		words++
		for _, i := range l.words[w] {
			seen[i]++
		}
	}
	return seen, words
}

// spells reports whether a lower-case text has only letters of the language.
func (l *language) spells(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf && unicode.Is(unicode.Latin, r) && !strings.ContainsRune(l.Letters, r)
	})
}

// byScript returns the languages that a text may be in, by its script. latin reports whether at least half of its
// letters are Latin, as in a text without letters.
func (l *languages) byScript(head string) (candidates []*language, latin bool) {
	letters, other := 0, 0
	seen := make([]int, len(l.all))
	for _, r := range head {
		switch {
		case !unicode.IsLetter(r):
		case r < utf8.RuneSelf || unicode.Is(unicode.Latin, r):
			letters++
		default:
			other++
			for i, one := range l.all {
				if unicode.In(r, one.scripts...) {
					seen[i]++
				}
			}
		}
	}
	if other <= letters {
		return nil, true
	}
	most := 1
	for i, n := range seen {
		if n >= most { // for Han letters alone, Chinese wins, because it comes after Japanese
			most, candidates = n, l.all[i:i+1]
		}
	}
	for _, one := range candidates {
		if t := one.table(); one.Foreign.source != "" && (sentence{t.Read(text.Lower(head))}).holds(&one.Foreign) {
			return nil, false
		}
	}
	return candidates, false
}

// readForeign finds a refusal in a candidate other than English, at the beginning of an answer.
func readForeign(v *view, candidates []*language) (Match, bool) {
	for _, l := range candidates {
		if l.Refuses == nil {
			continue // English
		}
		t := l.table()
		head := sentence{t.Read(text.Lower(text.FirstBytes(v.Plain, refusesBytes)))}
		for i, p := range l.openings {
			kind, most := Declined, answerBytes
			if i >= len(l.Refuses) {
				kind, most = Unable, 0
			}
			at := head.findAll(&p, -1)
			first := slices.IndexFunc(at, func(m english.Span) bool { return !asks(v.Plain[m.End:]) })
			if first < 0 {
				continue
			}
			rest := sentence{t.Read(text.Lower(v.Plain[at[first].End:]))}
			if kind == Unable && rest.holds(&l.Instructs) {
				continue
			}
			if but := rest.find(&l.But); but == nil || len(rest.Text)-but.Start <= most {
				m := v.match("opening", at[first].Start, wordEnd(v.Plain, at[first].End))
				m.Kind = kind
				return m, true
			}
		}
	}
	return Match{}, false
}

// wordEnd returns the end of the word of s in which the byte i stands. In a script without spaces, it returns i.
func wordEnd(s string, i int) int {
	letters := func(r rune) bool {
		return unicode.In(r, unicode.Letter, unicode.Mark) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	if last, _ := utf8.DecodeLastRuneInString(s[:i]); !letters(last) {
		return i
	}
	return len(s) - len(strings.TrimLeftFunc(s[i:], letters))
}

// asks reports whether a clause that goes on with rest ends in a question mark. It then repeats what the user asked:
// "Why can I not pay?".
func asks(rest string) bool {
	rest, _, _ = strings.Cut(rest, " - ")
	end := strings.IndexAny(rest, ".!?,;:–—。、؟،।")
	return end >= 0 && (rest[end] == '?' || strings.HasPrefix(rest[end:], "؟"))
}
