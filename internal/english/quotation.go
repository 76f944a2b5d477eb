package english

import (
	"slices"
	"strings"
)

// quotedWords is the fewest words in quotation marks that are speech; fewer are a name, unless they have a verb.
const quotedWords = 4

var speaks = Set("says said say told states stated reads read claims claimed writes wrote asks asked")

// maxSingleQuoted is the longest quotation between single marks, in bytes. Beyond it, an apostrophe is the likelier reading.
const maxSingleQuoted = 300

// quotations returns what stands between quotation marks or backticks, as half-open ranges of bytes without the marks. A quotation
// ends in the paragraph where it begins; an apostrophe is no mark, nor is one behind a backslash, as in JSON.
func quotations(text string) (out [][2]int) {
	if strings.IndexByte(text, '"') < 0 && strings.IndexByte(text, '\'') < 0 && strings.IndexByte(text, '`') < 0 {
		return nil
	}
	var open ['`' + 1]int // by mark, where a quotation begins; 0: none is open
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '\n' && i+1 < len(text) && text[i+1] == '\n':
			clear(open[:])
		case (c == '"' || c == '`') && open[c] > 0:
			out = append(out, [2]int{open[c], i})
			open[c] = 0
		case c == '"' || c == '`':
			open[c] = i + 1
		case c == '\'' && WordAt(text, i+1) && !WordBefore(text, i):
			if open[c] == 0 {
				open[c] = i + 1
			}
		case c == '\'' && open[c] > 0 && i > open[c] && text[i-1] != ' ' && !WordAt(text, i+1):
			if i-open[c] <= maxSingleQuoted {
				out = append(out, [2]int{open[c], i})
			}
			open[c] = 0
		}
	}
	return out
}

// report takes for not said what is quoted as somebody's words: The policy says: “…”, or only mentioned: The sentence “…” is wrong.
func (p *Text) report() {
	for _, q := range quotations(p.Source) {
		from, to := p.WordsAt(q[0], q[1])
		if !p.speech(from, to) || !p.spoken(from) && !p.mentioned(from, to) {
			continue
		}
		for i := from; i < to; i++ {
			p.Words[i].Struck = true
			p.Clauses[p.Words[i].Clause].quoted = true
		}
	}
}

// speech reports that words[from:to] are more than a name.
func (p *Text) speech(from, to int) bool {
	return to-from >= quotedWords || to-from > 2 && slices.ContainsFunc(p.Words[from:to], func(w Word) bool { return w.Is(isAuxiliary) || w.Past() })
}

// mentioned reports quoted words[from:to] in a sentence that has others beside them.
func (p *Text) mentioned(from, to int) bool {
	return to < len(p.Words) && p.within(to, to-1) || from > 0 && p.within(from-1, from) && !strings.Contains(p.between(from), ":")
}

// spoken reports that the words from one on have a speaker right before them.
func (p *Text) spoken(from int) bool { return from > 0 && speaks[p.Words[from-1].Text] }
