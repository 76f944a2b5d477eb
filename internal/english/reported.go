package english

import (
	"slices"
	"strings"
)

// reports reports a word at i, in the clause that begins at from, that tells what somebody else holds, or wishes.
func (p *Text) reports(from, i int) bool {
	switch w, next := p.Words[i].Text, p.joined(i+1); {
	case reporters[w], rumours[w] && next == "has":
		return true
	case next == "that" && (doubted[w] || Claims[w] || rumours[w]):
		return !p.ownVoice(from, i)
	case opinions[w]:
		at := i - 1
		return at >= from && (speakers[p.Words[at].Text] || at > from && speakers[p.Words[at-1].Text] || p.Words[at].Text == "may" || p.Words[at].Text == "might")
	case accusing[w]:
		return slices.ContainsFunc(p.Words[i:min(len(p.Words), i+accusedReach)], func(w Word) bool { return w.Text == "of" })
	case wishing[w]:
		return next != "to"
	}
	return false
}

// accusedReach bounds in words how far behind an accusation stands what of.
const accusedReach = 5

// tells reports a word at i, in the clause that begins at from, that leads into what somebody else says: "a blog says that", "she was told
// that". What a rule or a source says is what the answer says.
func (p *Text) tells(from, i int) bool {
	behind := i + 1
	if addressing[p.Words[i].Text] && p.textAt(behind) != "that" {
		behind++
	} else if p.textAt(behind) == "to" { // somebody
		behind += 2
	}
	return p.joined(behind) == "that" && !p.ownVoice(from, i)
}

// ownVoice reports words before the one at i by which the answer itself or a source speaks, or nobody does.
func (p *Text) ownVoice(from, i int) bool {
	for k := max(from, i-voiceReach); k < i; k++ {
		if voices[p.Words[k].Text] || p.Words[k].Denial {
			return true
		}
	}
	return false
}

// voiceReach bounds in words how far ahead of a word that says something its speaker is looked for.
const voiceReach = 8

var (
	saying     = Set(forms("say tell write state report argue believe think insist swear suggest hold convince feel declare announce predict hope promise"))
	addressing = Set(forms("tell"))
	voices     = Set(`i we let me our policy policies terms law laws section clause article contract agreement manual handbook documentation docs
		guideline guidelines guidance regulation regulations act rule rules statute label standard study studies evidence`)
)

// What somebody else is said to say: "some people believe", "critics argue".
var (
	reporters = Set("alleges alleged allegedly purports purportedly")
	doubted   = Set(forms("insist swear maintain contend assert allege suspect speculate fear shout proclaim guess complain advertise assume suppose pretend dream") +
		" hypothesis assumption suspicion allegation accusation speculation notion belief theory")
	opinions = Set(forms("believe think say argue assume suppose hold"))
	accusing = Set(forms("accuse suspect") + " acquitted")
	wishing  = Set("wish wishes wished")
	rumours  = Set("rumour rumours rumor rumors gossip legend")
	speakers = Set("people some many few others critics users customers rumours rumors sources skeptics sceptics")
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
