package refusal

import "regexp"

// Kind says how an answer refuses.
type Kind string

const (
	Declined  Kind = "declined"  // it will not, or may not
	Unable    Kind = "unable"    // it has no access, no ability, no data
	Deflected Kind = "deflected" // a lecture, a hotline or another topic stands in place of an answer
)

// Stance is what an answer says of itself or of the question before it answers. It is no refusal.
type Stance string

const (
	Disputed   Stance = "disputed"   // it rejects the premise, or the claim
	Disclaimed Stance = "disclaimed" // a ritual sentence, and then an answer
)

// What a model has no means for: a verb right after the negation, or a noun in its clause. Where neither is found, "cannot" means "will not".
var (
	lacksVerb = regexp.MustCompile(`(?:\bcan ?not|n'?t|\bnot|\b(?:un|in|not )(?:able|capable)(?: to| of)?|\bno way to)(?: (?:[a-z]+ly|yet|able to|capable of|have|to))* ` +
		`(?:access|brows|see\b|seeing|view|hear\b|hearing|watch|listen|visit|search|retriev|track|download|play\b|playing|know\b|predict|forecast|determin|verif|confirm|` +
		`remember|feel\b|feeling|experienc|locat|look up|check\b|open\b|programmed|designed|equipped|trained|built|made)`)
	lacksThing = regexp.MustCompile(`\b(?:(?:have|having|lack|no|any|the)(?: [a-z-]+){0,3} (?:access|data|knowledge|information (?:about|on))|real[- ]time|up-to-date|opinions?\b|` +
		`emotions?\b|beliefs?\b|feelings?\b|personal (?:experiences?|views?|preferences?)|capabilit|ability|physical (?:body|form|presence))`)
	// What was given to answer from, anywhere in the sentence: "based on the context, I cannot answer".
	lacksSource = regexp.MustCompile(`\b(?:from|based on|given|using|with) (?:the |this |these |your )?(?:[a-z]+ )?(?:passages?|context|documents?|sources?|excerpts?|materials?|text|article|knowledge base)\b`)
	// clauseEnd is where the words of an inability end and its reason, or something else, begins.
	clauseEnd = regexp.MustCompile(`[,.;:!?]|\b(?:but|because|since|as (?:it|i|that|this|they)|so|and i)\b`)
)

// kindOf tells the kind of a refusal from the rule's group and, of an inability, from its words: the sentence from the refusing ones on, which
// stand from from to to.
// The first clause is passed over where it only names the speaker ("I, as an AI, …").
func (r *compiledRule) kindOf(sentence string, from, to int) Kind {
	if r.kind != "" {
		return r.kind
	}
	words := sentence[from:]
	if at := clauseEnd.FindStringIndex(sentence[to:]); at != nil {
		words = sentence[from : to+at[0]]
	}
	if lacksSource.MatchString(sentence) || lacksVerb.MatchString(words) || lacksThing.MatchString(words) {
		return Unable
	}
	return Declined
}
