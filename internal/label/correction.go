package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

var (
	corrections       = english.Set("actually correction")
	correctionPhrases = table(when(passes, `scratch|strike|scrap that; scrap what; i was wrong; my mistake; that was wrong; that was a mistake; i retract; i take that|it back;
		i changed my mind; i meant|mean|misread; i change my; let me revise|correct; hold|hang on; no sorry; sorry no; i stand corrected; i made a mistake;
		looking again; or rather; make that; re checking`))
	// What an answer is corrected by, behind "on" and "upon".
	afterthoughts = english.Set("second closer further reflection review rereading re reading reconsideration inspection")
	// Words that break off what was said, before a mark: "No, low", "Hmm, no wait – B".
	interjections = english.Set("wait no nope oops whoops hmm oh ah sorry")
	slips         = english.Set("wait sorry oops whoops")
)

// corrected reads what the correction at i comes to: the last label of its sentence, or of one of the next two, "Wait. I missed clause
// 5. It is …". What merely breaks off an answer corrects it by the labels of its own sentence alone.
func (r *reading) corrected(i int) []*mention {
	if n := r.correction(i); n > 0 {
		end := r.sentenceEnd(i + n)
		for range 3 {
			if ms := r.said(r.meant(i, end)); len(ms) > 0 {
				return ms[len(ms)-1:]
			}
			end = r.sentenceEnd(end)
		}
		if !corrections[r.tokens[i].text] {
			r.retracted = i
		}
	}
	if end := r.brokenOff(i); end > 0 && r.answered(i) {
		return r.said(r.meant(i, end))
	}
	return nil
}

// answered reports a label before i.
func (r *reading) answered(i int) bool { return len(r.mentions) > 0 && r.mentions[0].end <= i }

// brokenOff returns where the sentence ends that an interjection at i opens, before a mark; 0 if there is none. One that is a sentence
// of its own opens the next, but for "No.", which may answer a question.
func (r *reading) brokenOff(i int) int {
	if !interjections[r.tokens[i].text] || i > 0 && r.tokens[i-1].word {
		return 0
	}
	last := i + 1
	for last < len(r.tokens) && interjections[r.tokens[last].text] {
		last++
	}
	if last == len(r.tokens) || r.tokens[last].word {
		return 0
	}
	next := r.skipMarks(last)
	if next == len(r.tokens) || r.tokens[next].sentence != r.tokens[i].sentence && r.tokens[i].text == "no" {
		return 0
	}
	return r.sentenceEnd(next)
}

// meant returns the labels between two places. In a correction, "it should be low" says that it is.
func (r *reading) meant(from, to int) []*mention {
	ms := r.within(from, to)
	for i := range ms {
		ms[i].asserted = ms[i].asserted || ms[i].ought
	}
	return ms
}

func (r *reading) correction(i int) int {
	t := r.tokens[i]
	opens := i == 0 || !r.tokens[i-1].word || interjections[r.tokens[i-1].text]
	switch {
	case corrections[t.text], slips[t.text] && opens && r.answered(i):
		return 1
	case (t.text == "on" || t.text == "upon") && i+1 < len(r.tokens) && afterthoughts[r.tokens[i+1].text]:
		return 2
	case (t.text == "edit" || t.text == "update") && opens && i+1 < len(r.tokens) && r.tokens[i+1].text == ":":
		return 1
	}
	return r.phrase(correctionPhrases, i)
}

// changes are verbs that move a label, "I would upgrade this to high", in every form.
var changes = verbs("change revise adjust raise lower upgrade downgrade bump increase escalate promote demote")

func verbs(words string) map[string]bool {
	s := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		short := strings.TrimSuffix(w, "e")
		s[w], s[w+"s"], s[short+"ed"], s[short+"ing"] = true, true, true, true
	}
	return s
}

// changeReach bounds in words how far behind such a verb its "to" is looked for.
const changeReach = 8

// provided reports a condition behind i in its sentence.
func (r *reading) provided(i int) bool {
	return slices.ContainsFunc(r.tokens[i:r.sentenceEnd(i)], func(t token) bool { return t.text == "if" || t.text == "once" || t.text == "unless" })
}

// change returns the label that another one is changed to.
func (r *reading) change(i int) []*mention {
	if !changes[r.tokens[i].text] {
		return nil
	}
	for j := i + 1; j < min(len(r.tokens), i+changeReach) && r.tokens[j].clause == r.tokens[i].clause; j++ {
		if r.tokens[j].text != "to" {
			continue
		}
		if r.conditioned(i) || r.provided(j) { // "if it spreads, raise it to high"
			break
		}
		return r.first(j+1, min(len(r.tokens), j+5))
	}
	return nil
}
