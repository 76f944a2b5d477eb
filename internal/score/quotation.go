package score

import "strings"

// quotedWords is the fewest words in quotation marks that are speech; fewer are a name.
const quotedWords = 4

// speakerReach bounds in words how far behind a quotation stands who says it: “…,” the auditor wrote.
const speakerReach = 4

var speaks = set("says said say states stated reads read claims claimed writes wrote asks asked")

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
		case c == '\'' && wordAt(text, i+1) && !wordBefore(text, i):
			if open[1] == 0 {
				open[1] = i + 1
			}
		case c == '\'' && open[1] > 0 && i > open[1] && text[i-1] != ' ' && !wordAt(text, i+1):
			out = append(out, [2]int{open[1], i})
			open[1] = 0
		}
	}
	return out
}

// report takes for not said what is quoted as somebody's words: The policy says: “…”.
func (p *prose) report() {
	for _, q := range quotations(p.text) {
		from, to := p.at(q[0], q[1])
		if to-from < quotedWords || !p.spoken(from, to) {
			continue
		}
		for i := from; i < to; i++ {
			p.words[i].struck = true
			p.clauses[p.words[i].clause].open = true
		}
	}
}

// spoken reports that words[from:to] have a speaker, right before them or behind them in the sentence.
func (p *prose) spoken(from, to int) bool {
	if from > 0 && speaks[p.words[from-1].text] {
		return true
	}
	for i := to; i < to+speakerReach && p.within(i, to-1); i++ {
		if speaks[p.words[i].text] {
			return true
		}
	}
	return false
}
