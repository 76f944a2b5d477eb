package english

import "strings"

// quotedWords is the fewest words in quotation marks that are speech; fewer are a name.
const quotedWords = 4

// speakerReach bounds in words how far behind a quotation stands who says it: “…,” the auditor wrote.
const speakerReach = 4

var speaks = Set("says said say states stated reads read claims claimed writes wrote asks asked")

// quotations returns what stands between quotation marks in a tidied text, as half-open ranges of bytes without the marks. A
// quotation ends in the paragraph where it begins; an apostrophe is no mark.
func quotations(text string) (out [][2]int) {
	if !strings.ContainsAny(text, "\"'") {
		return nil
	}
	var open [2]int // where a double and a single quotation begin; 0: none is open
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n' && i+1 < len(text) && text[i+1] == '\n':
			open = [2]int{}
		case c == '"':
			if open[0] == 0 {
				open[0] = i + 1
				continue
			}
			out = append(out, [2]int{open[0], i})
			open[0] = 0
		case c == '\'' && WordAt(text, i+1) && !WordBefore(text, i):
			if open[1] == 0 {
				open[1] = i + 1
			}
		case c == '\'' && open[1] > 0 && i > open[1] && text[i-1] != ' ' && !WordAt(text, i+1):
			out = append(out, [2]int{open[1], i})
			open[1] = 0
		}
	}
	return out
}

// report takes for not said what is quoted as somebody's words: The policy says: “…”.
func (p *Text) report() {
	for _, q := range quotations(p.Source) {
		from, to := p.WordsAt(q[0], q[1])
		if to-from < quotedWords || !p.spoken(from, to) {
			continue
		}
		for i := from; i < to; i++ {
			p.Words[i].Struck = true
			p.Clauses[p.Words[i].Clause].Open = true
		}
	}
}

// spoken reports that words[from:to] have a speaker, right before them or behind them in the sentence.
func (p *Text) spoken(from, to int) bool {
	if from > 0 && speaks[p.Words[from-1].Text] {
		return true
	}
	for i := to; i < to+speakerReach && p.within(i, to-1); i++ {
		if speaks[p.Words[i].Text] {
			return true
		}
	}
	return false
}
