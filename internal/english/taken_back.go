package english

import (
	"regexp"
	"slices"
	"strings"
)

// Words of what takes a statement back.
const (
	takeBacks   = "please oh ah hmm actually sorry wait correction oops apologies but however although though yet"
	backward    = "this that which it there"
	claimNouns  = "claim statement assertion sentence idea notion belief assumption promise information answer"
	backAdverbs = `a an the just simply also clearly completely entirely plainly totally quite flatly obviously actually of
		course indeed in fact strictly speaking absolutely however though still really even any longer`
	denyingBack = "not no never"
	// What somebody says of his own statement, behind a verb.
	slips = `mistake error typo mistaken nonsense rubbish bogus hoax lie outdated obsolete retracted withdrawn
		debunked refuted disproved disproven`
	// Words that begin a whole clause which takes back.
	retracting = "scratch strike disregard ignore just let"
)

var (
	// What is done to a statement that no longer holds.
	disowning   = Set(forms("deny dispute refute retract withdraw contradict disprove debunk") + " denied denies disproven withdrawn")
	backwards   = Set(backward)
	mistaken    = Set(slips)
	complements = Set("that to if whether")
	limits      = Set("of for about")
)

// Ways to take back a statement, tried on the words behind it as backText writes them.
var (
	retraction = backPattern(`LEAD(?:correction|no (?:[,:] )?(?:sorry|wait)|(?:sorry|wait) (?:[,:] )?no|just kidding|i misspoke|` +
		`(?:scratch|strike|disregard|ignore) that|i take that back|i stand corrected|let me correct (?:that|myself)) (?:[,.:]|$)|` +
		`LEAD(?:i|he|she|they) (?:had|got) (?:BACK) wrong |` +
		`LEAD(?:oops|sorry|apologies|wait) (?:[,:] )?LEAD(?:BACK) was |` +
		`LEAD(?:TAKE|no) (?:[,:] )?i (?:misread|misremembered|misquoted|misheard|misunderstood|confused|mixed) `)
	// A judgment: its subject, what stands before the word that judges, that word, and the two behind it.
	judgment = backPattern(`LEAD(?:no (?:[,:] )?LEAD)?(?:(BACK|i|he|she|they) (?:[,:] )?(?:(?:NOUN) (?:[,:] )?)?)?` +
		`((?:(?:AUX|ADVERB|NOT) (?:[,:] )?)*)(?:(JUDGING) )?(\S*) ?(\S*)`)
)

func backPattern(pattern string) *regexp.Regexp {
	or := func(words ...string) string { return strings.Join(strings.Fields(strings.Join(words, " ")), "|") }
	keys := func(sets ...map[string]bool) (out []string) {
		for _, set := range sets {
			for word := range set {
				out = append(out, word)
			}
		}
		slices.Sort(out)
		return out
	}
	lead := "(?:(?:" + or(takeBacks) + ") (?:[,:] )?)*"
	return regexp.MustCompile("^(?:" + strings.NewReplacer("LEAD", lead, "TAKE", or(takeBacks), "BACK", or(backward),
		"NOUN", or(claimNouns), "AUX", or(keys(auxiliaries)...), "ADVERB", or(backAdverbs), "NOT", or(denyingBack),
		"JUDGING", or(keys(Untruths, Truths, Proofs)...)+"|myth|misconception|so|"+or(slips)).Replace(pattern) + ")")
}

// Bounds of how far behind a clause its sentence may go on before it is taken back, in clauses; and in words of what is
// read behind it, of a sentence that takes back and may itself be taken back, and of what somebody does with a statement.
const backReach, takesBack, longestRetraction, disownReach = 4, 16, 24, 8

// takenBack reports "but that is not true", "which is wrong", "False.", "Scratch that:" and the like right behind a
// clause or behind its sentence, in the same paragraph, unless that is taken back in turn: "That was a mistake. (It was
// not.)" A sentence that says of something else that it is wrong ("It is not true that …", "This policy is wrong")
// takes nothing back, nor does one that only limits the statement ("This is not true of sales").
func takenBack(p *Text, at int32) bool {
	sentence := p.Clauses[at].Sentence
	for last := at; int(last) < len(p.Clauses) && last <= at+backReach && p.Clauses[last].Sentence == sentence; last++ {
		ends := int(last)+1 == len(p.Clauses) || p.Clauses[last+1].Sentence != sentence
		if from := p.Clauses[last].Last; (last == at || ends) && judges(p, from) == refutes {
			return judges(p, sentenceEnd(p, from)) == silent
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

// judges returns what the sentence or clause that begins at from says of what stands before it.
func judges(p *Text, from int) judgement {
	if from >= len(p.Words) || newParagraph(p, from) {
		return silent
	}
	if disowns(p, from) {
		return refutes
	}
	if !p.Words[from].Is(isBacking) {
		return silent
	}
	text := backText(p, from)
	if retraction.MatchString(text) {
		return refutes
	}
	m := judgment.FindStringSubmatch(text)
	aside := p.Words[from].Text == "not" && from > 0 && within(p, from-1, from)
	refuted, about := judge(m[1], m[2], m[3], [2]string{m[4], m[5]}, aside)
	switch {
	case !about:
		return silent
	case refuted:
		return refutes
	}
	return confirms
}

// judge reads a judgment of a subject, "" for none, by what stands before the word that judges, that word, and what is
// next. It reports whether it refutes, and whether it is about the statement before it and nothing else.
func judge(subject, before, word string, next [2]string, aside bool) (refutes, about bool) {
	denies, verb := false, false
	for w := range strings.FieldsSeq(before) {
		denies, verb = denies != denials[w], verb || auxiliaries[w]
	}
	ends := next[0] == "" || next[0] == "."
	about = ends || subject != "" && !limits[next[0]] && !(subject == "it" && complements[next[0]])
	if subject == "i" {
		about = ends || next[0] == "," || next[0] == "about" && backwards[next[1]]
	}
	switch {
	case word == "": // "but it is not."
		ends = ends || strings.HasSuffix(before, "not : ")
		return true, ends && (aside && before == "not " || denies && subject != "" && subject != "there")
	case mistaken[word]:
		return !denies, about && verb && subject != ""
	case Truths[word], word == "so" && ends:
		return denies, about
	case Proofs[word]:
		return true, about && denies && subject != ""
	}
	return !denies, about && word != "so"
}

// backText writes the words from the one at i on in small letters, each with a space behind it, with a point between
// sentences and a comma or a colon for the marks within one.
func backText(p *Text, from int) string {
	var out strings.Builder
	for i := from; i < min(len(p.Words), from+takesBack); i++ {
		switch {
		case i == from:
		case !within(p, i, i-1):
			out.WriteString(". ")
		case strings.ContainsAny(p.between(i), ":;"):
			out.WriteString(": ")
		case p.Parted(i):
			out.WriteString(", ")
		}
		out.WriteString(p.Words[i].Text + " ")
	}
	return out.String()
}

// sentenceEnd returns the word behind the sentence of the one at i, or some words further on if it is long.
func sentenceEnd(p *Text, i int) int {
	end := i + 1
	for end < i+longestRetraction && within(p, end, i) {
		end++
	}
	return end
}

// disowns reports a sentence or clause that begins at from, in which somebody takes back or denies what stands before
// it: "but the ministry denied it", "The police have since withdrawn that."
func disowns(p *Text, from int) bool {
	for i := from + 1; i < from+disownReach && within(p, i, from); i++ {
		if w := &p.Words[i-1]; w.Is(isForward) || w.Text == "not" || w.Text == "never" {
			return false
		}
		if disowning[p.Words[i].Text] {
			return backwards[p.textAt(i+1)] && (!within(p, i+2, from) || p.Parted(i+2))
		}
	}
	return false
}
