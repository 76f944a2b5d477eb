package english

import (
	"slices"
	"strings"
)

// takesBack bounds in words how soon a statement is taken back.
const takesBack = 8

var (
	takeBacks  = Set("please oh ah hmm actually sorry wait correction oops apologies but however although though yet")
	backward   = Set("this that which it there")
	claimNouns = Set("claim statement assertion sentence idea notion belief assumption promise information answer")
	// Words between what is taken back and the word that does so.
	backAdverbs = Set(`a an the just simply also clearly completely entirely plainly totally quite flatly obviously actually of course indeed in fact course
		strictly speaking absolutely however though still really even any longer`)
	complements = Set("that to if whether")
	limits      = Set("of for about")
	// What somebody says of his own statement, behind a verb.
	slips = Set("mistake error typo mistaken nonsense rubbish bogus hoax lie outdated obsolete retracted withdrawn debunked refuted disproved disproven")
	// Who said it.
	refuted = Set("he she they")
	misdone = Set("misread misremembered misquoted misheard misspoke misunderstood confused mixed")
	// Words that begin a sentence in which something is taken back, sooner or later.
	regrets = Set("oops sorry apologies wait")
	// What is done to a statement that no longer holds.
	disowning = Set(forms("deny dispute refute retract withdraw contradict disprove debunk") + " denied denies disproven withdrawn")
	// Whole clauses that take back what stands before them.
	retractions = [][]string{{"correction"}, {"no", "sorry"}, {"no", "wait"}, {"wait", "no"}, {"sorry", "no"}, {"scratch", "that"}, {"strike", "that"}, {"just", "kidding"}, {"i", "misspoke"}, {"i", "take", "that", "back"},
		{"i", "stand", "corrected"}, {"disregard", "that"}, {"ignore", "that"}, {"let", "me", "correct", "that"}, {"let", "me", "correct", "myself"}}
)

// backReach bounds in clauses how far behind a clause its sentence may go on before it is taken back.
const backReach = 4

// takenBack reports "but that is not true", "which is wrong", "False.", "Scratch that:" and the like right behind a clause or behind its
// sentence, in the same paragraph, unless that is taken back in turn: "That was a mistake. (It was not.)" A sentence that says of
// something else that it is wrong ("It is not true that …", "This policy is wrong") takes nothing back, nor does one that only limits
// the statement ("This is not true of sales").
func (p *Text) takenBack(at int32) bool {
	for last := at; int(last) < len(p.Clauses) && last <= at+backReach && p.Clauses[last].Sentence == p.Clauses[at].Sentence; last++ {
		ends := int(last)+1 == len(p.Clauses) || p.Clauses[last+1].Sentence != p.Clauses[at].Sentence
		if from := p.Clauses[last].Last; (last == at || ends) && p.judges(from) == refutes {
			return p.judges(p.sentenceEnd(from)) == silent
		}
	}
	return false
}

// judgement is what a sentence says of the one before it.
type judgement int8

const (
	silent   judgement = iota
	refutes            // that is wrong
	confirms           // that is not wrong
)

// judged is a judgement that a denial may turn round, or none if the sentence is about more.
func judged(refuted, about bool) judgement {
	switch {
	case !about:
		return silent
	case refuted:
		return refutes
	}
	return confirms
}

// sentenceEnd is the word behind the sentence of the one at i, or some words further on if it is long.
func (p *Text) sentenceEnd(i int) int {
	end := i + 1
	for end < i+longestRetraction && p.within(end, i) {
		end++
	}
	return end
}

// longestRetraction bounds in words a sentence that takes something back and may itself be taken back.
const longestRetraction = 24

// judges returns what the sentence or clause that begins at from says of what stands before it.
func (p *Text) judges(from int) judgement {
	if from >= len(p.Words) || p.newParagraph(from) {
		return silent
	}
	if p.disowns(from) {
		return refutes
	}
	if !p.Words[from].Is(isBacking) {
		return p.judgesOf("", from, from)
	}
	i := from
	for ; p.within(i, from) && (takeBacks[p.Words[i].Text] || p.Words[i].Text == "no" && (takeBacks[p.textAt(i+1)] || backward[p.textAt(i+1)] || p.textAt(i+1) == "i")); i++ {
		if p.retracts(i) {
			return refutes
		}
	}
	if p.retracts(i) {
		return refutes
	}
	regrets := slices.ContainsFunc(p.Words[from:i], func(w Word) bool { return regrets[w.Text] })
	if i > from && p.textAt(i) == "i" && misdone[p.textAt(i+1)] || regrets && backward[p.textAt(i)] && p.textAt(i+1) == "was" || p.gotWrong(i) {
		return refutes
	}
	subject := ""
	if p.within(i, from) && (refuted[p.Words[i].Text] || backward[p.Words[i].Text] || p.Words[i].Text == "i") {
		subject = p.Words[i].Text
		if i++; p.within(i, from) && claimNouns[p.Words[i].Text] {
			i++
		}
	}
	return p.judgesOf(subject, i, from)
}

// disowns reports a sentence or clause that begins at from, in which somebody takes back or denies what stands before it: "but the ministry
// denied it", "The police have since withdrawn that statement."
func (p *Text) disowns(from int) bool {
	for i := from + 1; i < from+longestKey+longestKey && p.within(i, from) && !p.Words[i-1].Is(isForward) && p.Words[i-1].Text != "not" && p.Words[i-1].Text != "never"; i++ {
		if w := p.Words[i].Text; i < len(p.Words) && disowning[w] {
			return backward[p.textAt(i+1)] && (!p.within(i+2, from) || p.Parted(i+2))
		}
	}
	return false
}

// judgesOf reads what is said from i on of a subject, "" for none.
func (p *Text) judgesOf(subject string, i, from int) judgement {
	not, verb := false, false
	for end := i + takesBack; i < end && p.within(i, from); i++ {
		w := &p.Words[i]
		if !w.Is(isJudging|isAuxiliary|isNegation) && w.Text != "so" {
			return silent
		}
		about := p.saysNoMore(i+1, from, subject)
		switch {
		case Untruths[w.Text] || w.Text == "myth" || w.Text == "misconception" || slips[w.Text] && verb && subject != "" && !p.Hyphened(i+1):
			return judged(!not, about)
		case w.Text == "not" || w.Text == "no" || w.Text == "never":
			if not = !not; !p.within(i+1, from) || strings.ContainsAny(p.between(i+1), ":;") {
				aside := w.Text == "not" && i == from && from > 0 && p.within(from-1, from) // "guaranteed – not!"
				return judged(true, aside || not && subject != "" && subject != "there")    // "but it is not."
			}
		case Truths[w.affirmed()], w.Text == "so" && !p.within(i+1, from):
			return judged(not != w.Negative, about)
		case not && Proofs[w.Text]:
			return judged(true, subject != "" && p.saysNoMore(i+1, from, "it"))
		}
		verb = verb || w.Is(isAuxiliary)
	}
	return silent
}

// gotWrong reports what says at i that its speaker erred: "I had it wrong", and of another, "he got that wrong".
func (p *Text) gotWrong(i int) bool {
	who, verb, what := p.textAt(i), p.textAt(i+1), p.textAt(i+2)
	return (who == "i" || refuted[who]) && (verb == "had" || verb == "got") && backward[what] && p.textAt(i+3) == "wrong"
}

// retracts reports a retraction at i, behind which a mark stands or the text ends.
func (p *Text) retracts(i int) bool {
	for _, phrase := range retractions {
		k := 0
		for k < len(phrase) && p.textAt(i+k) == phrase[k] && (k == 0 || !p.Parted(i+k) || strings.HasPrefix(p.between(i+k), ",")) {
			k++
		}
		if k == len(phrase) && (p.Parted(i+k) || k > 1 && p.textAt(i+k) == "about") {
			return true
		}
	}
	return false
}

// within reports a word at i in the sentence of the one at from.
func (p *Text) within(i, from int) bool {
	return i < len(p.Words) && p.Sentence(i) == p.Sentence(from)
}

// saysNoMore reports that what begins at i gives the sentence no other matter than the statement before it. Without a subject,
// "Wrong.", nothing may follow.
func (p *Text) saysNoMore(i, from int, subject string) bool {
	if !p.within(i, from) {
		return true
	}
	w := p.Words[i].Text
	if subject == "i" { // "I was wrong about that"
		return w == "about" && backward[p.textAt(i+1)] || p.Parted(i)
	}
	return subject != "" && !limits[w] && !(subject == "it" && complements[w])
}

// newParagraph reports an empty line before the word at i.
func (p *Text) newParagraph(i int) bool {
	_, rest, ok := strings.Cut(p.between(i), "\n")
	return ok && strings.Contains(rest, "\n")
}
