package english

import "strings"

// wrappedWords is the least number of words before a line break that a program may have put in to wrap a long line.
const wrappedWords = 4

// wraps reports whether the line break at l.at is within a sentence. It is if it stands between two words of a name,
// next to a joining word, or in wrapped text. In wrapped text, neither line may have a key.
func wraps(l *lexer) bool {
	source, words := l.text.Source, l.text.Words
	line := strings.TrimRight(source[strings.LastIndexByte(source[:l.at], '\n')+1:l.at], " ")
	next, _, _ := strings.Cut(strings.TrimLeft(source[l.at+1:], " "), "\n")
	ends := IsWordRuneBefore(line, len(line)) || strings.HasSuffix(line, ",") || strings.HasSuffix(line, "-")
	if len(words) == 0 || line == "" || !IsWordRuneAt(next, 0) || !ends {
		return false
	}
	last, word := words[len(words)-1].Text, strings.ToLower(next[:runEnd(next, 0)])
	switch {
	case l.names != nil && l.names.pairs[last+" "+word], joins(last):
		return true
	case next[0] < 'a' || next[0] > 'z' || len(word) == len(next):
		return false
	case joins(word) && next[len(word)] == ' ':
		return true
	}
	keyed := strings.ContainsAny(line+next, ":|") // after a key, or in a table
	return !keyed && len(strings.Fields(line)) >= wrappedWords
}

// joins reports whether word joins other words, as are, of and or do. No separate line begins or ends with such a word.
func joins(word string) bool { return lexicon[word]&isJoining != 0 }

// dash reads the hyphen or dash of size bytes at l.at. A hyphen joins two words, a dash separates them, and "->" is an
// arrow.
func (l *lexer) dash(size int) {
	after := l.at + size
	if strings.HasPrefix(l.text.Source[after:], ">") {
		l.mark(Arrow)
		l.at = after + 1
		return
	}
	left, right := strings.TrimRight(l.text.Source[:l.at], "*"), strings.TrimLeft(l.text.Source[after:], "*\n")
	if !IsWordRuneAt(right, 0) || !IsWordRuneBefore(left, len(left)) {
		l.mark('–')
	}
	l.at = after
}

// keyedBytes is the number of bytes after a tag in which its closing tag is searched for.
const keyedBytes = 80

// holds reports whether the opening tag that ends at l.at is the key of a value, as in "<severity>low</severity>".
func (l *lexer) holds(name string) bool {
	value, _, ok := strings.Cut(l.text.Source[l.at:min(len(l.text.Source), l.at+keyedBytes)], "</"+name+">")
	return ok && !markup[name] && !strings.ContainsAny(value, "<\n")
}

// tag reads the tag at l.at. It skips markup such as <b>, reads <answer> as a key, and takes any other tag as a break.
// If the text only looks like a tag, as <me@acme.com> does, tag reads its first character as a mark.
func (l *lexer) tag() {
	end := strings.IndexByte(l.text.Source[l.at:min(l.at+40, len(l.text.Source))], '>')
	if end < 0 || strings.ContainsAny(l.text.Source[l.at:l.at+end], ":@") ||
		!IsWordRuneAt(strings.TrimPrefix(l.text.Source[l.at+1:], "/"), 0) {
		l.mark('<')
		l.at++
		return
	}
	name, attributes, _ := strings.Cut(strings.ToLower(strings.Trim(l.text.Source[l.at+1:l.at+end], "/")), " ")
	open := l.text.Source[l.at+1] != '/'
	if key, _, ok := strings.Cut(attributes, "="); ok && VerdictNouns[key] {
		l.mark('\n')
		l.at += len(name) + 2 // what it says is read as text
		return
	}
	start := l.at + 1
	l.at += end + 1
	l.tagged = l.at
	switch {
	case name == "b" || name == "strong":
		l.bold = open
	case open && (VerdictNouns[name] || l.holds(name)):
		class := lexicon[name] & (isJudging | isBacking | isReason)
		l.push(&Word{Text: name, Class: class}, start, start+len(name))
		l.mark(':')
	default:
		l.mark('\n')
	}
}
