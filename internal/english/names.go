package english

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// literal is a name with symbols, such as A+, -1, <10, C# or an emoji. A text is searched for the name as it is
// written, and the name becomes one word.
type literal struct {
	name    string     // as the word's text: tidied, in lower case, with no-break spaces
	written [][]string // each way to write the name, cut into pieces; white space may separate two pieces
}

// Names are the names to recognize when a text is cut into words. A name with symbols becomes one word. A line break
// within a name does not separate words.
type Names struct {
	all   []literal       // longest names first
	pairs map[string]bool // pairs of words, with a space between, that follow each other in a name
}

// NewNames returns names in the form that ParseWith takes.
func NewNames(names []string) *Names {
	l := &Names{pairs: map[string]bool{}}
	for _, name := range names {
		text, ok := LiteralName(name)
		if word := NonBreaking(text); ok &&
			!slices.ContainsFunc(l.all, func(x literal) bool { return x.name == word }) {
			l.all = append(l.all, literal{word, spellings(text)})
		}
	}
	for _, name := range names {
		words := Parse(name).Words
		for i := 1; i < len(words); i++ {
			l.pairs[words[i-1].Text+" "+words[i].Text] = true
		}
	}
	slices.SortStableFunc(l.all, func(a, b literal) int { return cmp.Compare(len(b.name), len(a.name)) })
	return l
}

// NonBreaking returns name with no-break spaces in place of spaces.
func NonBreaking(name string) string { return strings.ReplaceAll(name, " ", "\u00a0") }

// LiteralName returns the form of name that is searched for in texts, and whether this form has symbols, as C++ has.
// The form lacks a plus before a number, marks after a name, and an emoji before or after words.
func LiteralName(name string) (string, bool) {
	text := strings.Join(strings.Fields(strings.ToLower(Tidy(name))), " ")
	if words := strings.TrimFunc(strings.Map(unsymbolic, text), unicode.IsSpace); strings.ContainsFunc(words,
		IsWordRune) {
		text = strings.TrimRight(words, ".,:;!? ")
		if digits := strings.TrimPrefix(text, "+"); IsDigitAt(digits, 0) {
			text = digits
		}
	}
	if text == "n/a" {
		return text, false
	}
	for i, r := range text {
		joins := (r == '-' || r == '\'') && IsWordRuneBefore(text, i) && IsWordRuneAt(text, i+1)
		if !joins && r != ' ' && r != '_' && !IsWordRune(r) {
			return asciiSigns.Replace(text), true
		}
	}
	return text, false
}

// asciiSigns replaces signs of comparison by their ASCII forms.
var asciiSigns = strings.NewReplacer("≤", "<=", "≥", ">=", "≠", "!=", "⩽", "<=", "⩾", ">=")

// unsymbolic returns -1 for an emoji or another picture, and any other character itself.
func unsymbolic(r rune) rune {
	if r >= utf8.RuneSelf && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r)) {
		return -1
	}
	return r
}

// Each row of signsBefore has a sign before a number and words for it, and each of signsBehind a sign behind a letter.
var signsBefore, signsBehind = rowsOf("signsBefore"), rowsOf("signsBehind")

// spellings returns the ways to write the literal name, in pieces: as it is, and with words for its sign.
func spellings(name string) [][]string {
	out := [][]string{pieces(name)}
	if strings.Contains(name, " & ") {
		out = append(out, pieces(strings.ReplaceAll(name, " & ", " and ")))
	}
	for _, row := range signsBefore {
		if rest, ok := strings.CutPrefix(name, row[0]); ok && IsDigitAt(rest, 0) {
			for _, said := range row[1:] {
				out = append(out, append(strings.Split(said, "_"), pieces(rest)...))
			}
		}
	}
	for _, row := range signsBehind {
		if rest, ok := strings.CutSuffix(name, row[0]); ok && len(rest) == 1 && IsWordRuneAt(rest, 0) {
			out = append(out, []string{rest, row[1]})
		}
	}
	return out
}

// pieces splits name where a text may have white space. These places are the spaces of the name, and the ends of signs
// at the beginning of a word.
func pieces(name string) (out []string) {
	for _, field := range strings.Fields(name) {
		if rest := strings.TrimLeft(field, "<>=~§"+currencies); rest != "" && rest != field {
			out = append(out, field[:len(field)-len(rest)])
			field = rest
		}
		out = append(out, field)
	}
	return out
}

// at returns the name of the literal that begins at text[at], and the index of the byte after the literal. It returns
// false if no literal begins there.
func (n *Names) at(text string, at int) (name string, end int, ok bool) {
	for _, x := range n.all {
		for i, written := range x.written {
			if end := endOf(text, at, written); end > 0 && bounded(text, at, end, i == 0) {
				return x.name, end, true
			}
		}
	}
	return "", 0, false
}

// endOf looks for pieces in text, one after the other, from text[at] on. It returns the index of the byte after the
// last piece, or 0 if the pieces are not there. It ignores letter case, and a backslash before a sign.
func endOf(text string, at int, pieces []string) int {
	for i, piece := range pieces {
		if i > 0 {
			for at < len(text) && text[at] == ' ' {
				at++
			}
		}
		for _, want := range piece {
			if at < len(text) && text[at] == '\\' && !IsWordRune(want) {
				at++
			}
			got, size := utf8.DecodeRuneInString(text[min(at, len(text)):])
			if size == 0 || got != want && unicode.ToLower(got) != want &&
				!(want == '-' && (got == '–' || got == '—')) {
				return 0
			}
			at += size
		}
	}
	return at
}

// bounded reports whether text[start:end] is no part of a longer word, number or row of signs. If signed is true and
// the range has only ASCII signs, the range must also meet the conditions of the function alone.
func bounded(text string, start, end int, signed bool) bool {
	if beginsWithin(text, start) || endsWithin(text, start, end) {
		return false
	}
	if signed && !strings.ContainsFunc(text[start:end], func(r rune) bool {
		return IsWordRune(r) || r >= utf8.RuneSelf
	}) {
		return alone(text, start, end)
	}
	return true
}

// beginsWithin reports whether text[start] continues a word, a number, a row of signs or an arrow.
func beginsWithin(text string, start int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:])
	ahead := RuneBefore(text, start)
	if IsWordRune(first) {
		digits := IsDigitAt(text, start) && (ahead == '.' || ahead == '-' && !IsWordRuneBefore(text, start-1))
		return IsWordRune(ahead) || digits
	}
	joins := first < utf8.RuneSelf && !strings.ContainsRune("$<>=~", first) && IsWordRune(ahead)
	return ahead == first || joins || first == '>' && (ahead == '-' || ahead == '=')
}

// endsWithin reports whether the word or sign at the end of text[start:end] continues after end.
func endsWithin(text string, start, end int) bool {
	behind, _ := utf8.DecodeRuneInString(text[end:])
	last := RuneBefore(text, end)
	if IsWordRune(last) {
		return IsWordRune(behind) || signedAt(text, end)
	}
	number := last != '-' && IsWordRuneAt(text, start) && IsDigitAt(text, end)
	return behind == last || strings.ContainsRune("+-#–—", last) && (behind == '>' || IsWordRune(behind) && !number)
}

// signedAt reports whether a word ends at text[at] and a sign there changes the word's meaning: C++, A+, 4.5.
func signedAt(text string, at int) bool {
	end := at
	for end < len(text) && (text[end] == '+' || text[end] == '#') {
		end++
	}
	if end > at {
		return !IsWordRuneAt(text, end) || IsDigitAt(text, end) && !digitBefore(text, at)
	}
	return at < len(text) && text[at] == '.' && digitBefore(text, at) && IsDigitAt(text, at+1)
}

// alone reports whether the symbols text[start:end] have white space or quotation marks on both sides. It is false if
// they begin a list item.
func alone(text string, start, end int) bool {
	before, after := strings.TrimRight(text[:start], " \t"), strings.TrimLeft(text[end:], " \t")
	first, last := before == "" || strings.HasSuffix(before, "\n"), after == "" || after[0] == '\n' // on the line
	opens := first || len(before) < start || strings.ContainsRune("\"'([{*:=|", rune(text[start-1]))
	spaced := len(after) < len(text)-end
	closes := last || spaced || strings.ContainsRune("\"')]}*.,;:!|", rune(text[end]))
	bullet := first && !last && spaced && end == start+1
	return opens && closes && !bullet
}
