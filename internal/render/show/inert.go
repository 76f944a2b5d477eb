// Package show is the only printer of texts by a model, a file or a pull request. In its output nothing foreign is a
// link, a mention, HTML, a runner's command or an invisible character. It also formats numbers, links and outcomes.
package show

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/worddiff"
)

// Visible returns a text with invisible characters in a visible form; see text.Visible.
func Visible(s string) string { return text.EscapeHidden(s) }

// OneLine returns a text on one line: every run of white space becomes one space.
func OneLine(text string) string { return Visible(strings.Join(strings.Fields(text), " ")) }

// Excerpt returns the first runes of a text on one line. It reads no more of the text than needed.
func Excerpt(s string, runes int) string {
	start := text.FirstRunes(s, 4*runes)
	shown := CutEnd(OneLine(start), runes)
	if len(start) < len(s) && !strings.HasSuffix(shown, "…") {
		shown += "…"
	}
	return shown
}

// ShortName returns both ends of a name on one line.
func ShortName(text string, runes int) string {
	if len(text) > 16*runes {
		text = strings.ToValidUTF8(text[:4*runes]+"…"+text[len(text)-8*runes:], "")
	}
	return cutMiddle(OneLine(text), runes)
}

// CutEnd returns the first runes of a text, with an ellipsis if there are more.
func CutEnd(s string, runes int) string {
	if len(s) <= runes || utf8.RuneCountInString(s) <= runes {
		return s
	}
	return strings.TrimRight(text.FirstRunes(s, runes-1), text.Joiners) + "…"
}

// cutMiddle returns both ends of a name. The tail is longer, because it distinguishes names.
func cutMiddle(s string, runes int) string {
	all := []rune(s)
	if len(all) <= runes {
		return s
	}
	head := (runes - 1) / 3
	return strings.TrimRight(string(all[:head]), text.Joiners) + "…" +
		strings.TrimLeft(string(all[len(all)-(runes-1-head):]), text.Joiners)
}

// Lengths of foreign texts, in runes.
const (
	NameRunes     = 60
	QuoteRunes    = 110
	SentenceRunes = 400
	diffColumns   = 76 // width of a diff beside its signs; a block of code scrolls on a phone
	diffIndent    = 12 // most indentation that is repeated in the pieces of a wrapped line
)

// Inline returns text as one line of inert Markdown for a paragraph or a list item. Plain words stay, and all else
// becomes inline code, in which nothing is a link, a mention, a reference, an image, HTML or an emoji.
func Inline[T ~string](t T) string { return Prose(Excerpt(string(t), SentenceRunes)) }

// Code returns a code span of one line. Its marks are longer than any in the text.
func Code(text string) string {
	if text == "" {
		return ""
	}
	marks := strings.Repeat("`", longestBackticks(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") {
		text = " " + text + " "
	}
	return marks + text + marks
}

// EscapeBars escapes the bars in a table cell, because a table is split at bars even within code. After a backslash,
// where parsers disagree about an escaped bar, it writes a reference.
func EscapeBars(text string) string {
	if !strings.Contains(text, "|") {
		return text
	}
	text = strings.ReplaceAll(text, `\|`, `\\u{7c}`)
	return strings.ReplaceAll(text, "|", `\|`)
}

func longestBackticks(text string) (longest int) {
	run := 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// plainWord matches prose that cannot become Markdown, an autolink or a reference: a word of any language, or a number
// or time of day, with punctuation around it. plainRun is the same for a script without spaces, plainSign a single
// sign, and plainEmoji a picture.
var (
	plainWord = regexp.MustCompile(`^[("“‘'«„¿¡]{0,3}(?:` + plainLetters + `(?:['’-]` + plainLetters +
		`)*|[+−-]?[0-9]{1,6}(?:[.,][0-9]+){0,3}(?::[0-9]{2})?(?:%|m?s|m|h)?)[)"“”’'»,.;:!?…؟،؛।]{0,4}$`)
	plainRun   = regexp.MustCompile(`^[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{M}0-9ー・。、，！？「」『』（）〜…]+$`)
	plainSign  = regexp.MustCompile(`^[–—…≥≤→×·?!«»%€£§]$`)
	plainEmoji = regexp.MustCompile(`^[\p{So}\x{1F3FB}-\x{1F3FF}\x{FE0F}\x{200D}]+[)"“”’'»,.;:!?…]{0,4}$`)
	bareHash   = regexp.MustCompile(`(?:^|[^A-Za-z0-9])[0-9a-fA-F]{7,}(?:$|[^A-Za-z0-9])`)
	siteName   = regexp.MustCompile(`(?i)www`)
	itemMark   = regexp.MustCompile(`^[0-9]+[.)]+$`) // begins a list at the start of a line
)

const plainLetters = `\p{L}[\p{L}\p{M}\x{200C}\x{200D}]*`

// verdictMarks are the emoji of failproof's messages. In a foreign text they become code.
const verdictMarks = "✅❌⚠⏸🚫"

// isRightToLeft reports whether a letter is written from right to left, which may reorder its neighbors.
func isRightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF || r >= 0x10800 &&
		r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}

// Prose returns a text with its plain words unchanged and all else as code. Adjacent code shares one span, unless a
// comma ends the first.
func Prose(text string) string { return prose(text, true, isPlain) }

// prose is Prose with another test for plain words. lineStart is set for text at the beginning of a line.
func prose(text string, lineStart bool, isPlain func(word string) bool) string {
	var out, marked []string
	flush := func() {
		if len(marked) > 0 {
			out = append(out, span(strings.Join(marked, " ")))
			marked = nil
		}
	}
	for _, word := range words(text) {
		first := lineStart && len(out)+len(marked) == 0
		if isPlain(word) && !(first && itemMark.MatchString(word)) {
			flush()
			out = append(out, word)
			continue
		}
		if marked = append(marked, word); strings.HasSuffix(word, ",") { // the names of a list get a span each
			flush()
		}
	}
	flush()
	return strings.Join(out, " ")
}

func isPlain(word string) bool {
	if bareHash.MatchString(word) || siteName.MatchString(word) || strings.ContainsAny(word, verdictMarks) ||
		strings.ContainsFunc(word, isRightToLeft) {
		return false
	}
	return plainWord.MatchString(word) || plainRun.MatchString(word) || plainSign.MatchString(word) ||
		plainEmoji.MatchString(word)
}

// words splits text at spaces outside of backticks.
func words(text string) []string {
	var out []string
	for text != "" {
		end := strings.IndexByte(text, ' ')
		if tick := strings.IndexByte(text, '`'); tick == 0 {
			if closing := strings.IndexByte(text[1:], '`'); closing > 0 {
				end = strings.IndexByte(text[1+closing:], ' ')
				if end >= 0 {
					end += 1 + closing
				}
			}
		}
		if end < 0 {
			end = len(text)
		}
		if end > 0 {
			out = append(out, text[:end])
		}
		text = strings.TrimPrefix(text[end:], " ")
	}
	return out
}

// span returns words as code. A comma, colon or semicolon at the end stays outside. If backticks enclose all words,
// they are dropped, and any punctuation behind them stays outside.
func span(text string) string {
	body := strings.TrimRight(text, ",;:")
	if marked := strings.TrimRight(text, ",;:.?!)"); strings.HasSuffix(marked, "`") && len(marked) > 2 {
		body = marked
	}
	if body == "" || body[0] == ':' {
		return Code(text)
	}
	tail := text[len(body):]
	if body[0] == '`' && len(body) > 2 && strings.Count(body, "`") == 2 && body[len(body)-1] == '`' {
		return Code(body[1:len(body)-1]) + tail
	}
	return Code(body) + tail
}

// WrapLine splits a line into pieces of at most columns characters, the first of at most firstColumns.
func WrapLine(line string, firstColumns, columns int) []string {
	var out []string
	for limit := firstColumns; utf8.RuneCountInString(line) > limit; limit = columns {
		piece := text.FirstRunes(line, limit+1)
		at := strings.LastIndexByte(piece, ' ')
		if at <= len(piece)/3 {
			at = len(text.FirstRunes(line, limit))
		}
		out = append(out, strings.TrimRight(line[:at], " "+text.Joiners))
		line = strings.TrimLeft(strings.TrimPrefix(line[at:], " "), text.Joiners)
	}
	return append(out, line)
}

// signOf returns '-' for a line that only the base has, '+' for one of the head, and ' ' for one of both.
func signOf(l worddiff.Line) string {
	switch {
	case !l.Head:
		return "-"
	case !l.Base:
		return "+"
	}
	return " "
}

// Diff returns the lines as a fenced code block, in which GitHub colors them by their signs. It ends in a line feed.
// Long lines are wrapped; each piece has its line's sign and indentation, so that it does not look like a line of its
// own. No text can end the block: its fence is longer than any inside, and every line begins with a sign.
func Diff(lines []worddiff.Line) string {
	var body strings.Builder
	for _, l := range lines {
		line := Visible(strings.TrimRight(l.Text, "\r\n"))
		said := strings.TrimLeft(line, " ")
		indent := line[:min(len(line)-len(said), diffIndent)]
		for _, piece := range WrapLine(line[len(indent):], diffColumns-len(indent), diffColumns-len(indent)) {
			body.WriteString(strings.TrimRight(signOf(l)+" "+indent+piece, " ") + "\n")
		}
	}
	marks := strings.Repeat("`", max(3, longestBackticks(body.String())+1))
	return marks + "diff\n" + body.String() + marks + "\n"
}
