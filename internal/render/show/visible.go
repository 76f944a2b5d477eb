// Package show is the only printer of what a model, a file or a pull request wrote: inert Markdown, visible characters, a line of a log
// that the runner takes for no command; and of what stands beside it: numbers, links, and what became of an answer in a phrase. In goes
// a value, out comes text in which nothing foreign is a link, a mention, HTML, a command or an invisible character.
package show

import (
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// Visible shows what the eye cannot see; see text.Visible.
func Visible(s string) string { return text.Visible(s) }

// OneLine shows text on one line: every run of white space becomes one space.
func OneLine(text string) string { return Visible(strings.Join(strings.Fields(text), " ")) }

// Lead shows the first runes of text on one line. No more of the text is read than may be needed.
func Lead(s string, runes int) string {
	start := text.First(s, 4*runes)
	shown := CutEnd(OneLine(start), runes)
	if len(start) < len(s) && !strings.HasSuffix(shown, "…") {
		shown += "…"
	}
	return shown
}

// Ends shows both ends of a name on one line.
func Ends(text string, runes int) string {
	if len(text) > 16*runes {
		text = strings.ToValidUTF8(text[:4*runes]+"…"+text[len(text)-8*runes:], "")
	}
	return cutMiddle(OneLine(text), runes)
}

// CutEnd keeps the first runes of text and says by an ellipsis that there was more.
func CutEnd(s string, runes int) string {
	if len(s) <= runes || utf8.RuneCountInString(s) <= runes {
		return s
	}
	return strings.TrimRight(text.First(s, runes-1), text.Joiners) + "…"
}

// cutMiddle keeps both ends of a name; the tail is longer, because it tells names apart.
func cutMiddle(s string, runes int) string {
	all := []rune(s)
	if len(all) <= runes {
		return s
	}
	head := (runes - 1) / 3
	return strings.TrimRight(string(all[:head]), text.Joiners) + "…" + strings.TrimLeft(string(all[len(all)-(runes-1-head):]), text.Joiners)
}
