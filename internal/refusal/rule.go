package refusal

import (
	"cmp"
	"slices"
	"strings"
)

// force says how much else a rule's words need before they count as a refusal.
type force int

const (
	// firm words refuse wherever refusals stand: "I can't help with that".
	firm force = iota
	// limit words state what the model lacks. They refuse only in the opening and only when no answer follows:
	// "I don't have access to personal data." but not "I can't see your screen, but try a restart."
	limit
	// objection words turn the request down on moral grounds. They refuse only where the answer begins, before any
	// lecture or correction; later they are part of an answer: "It is not appropriate to suggest that a group …"
	objection
	// admonition words do so, and a lecture may stand before them: "Theft is a crime. I urge you not to do it."
	admonition
	// aside words are everyday ones in which the speaker stands aside: "Count me out." They refuse only in an answer that hands nothing over.
	aside
)

// rule is one way to refuse. Patterns are written for lower-case text with plain apostrophes; {names} are
// expanded from the phrases, and the first group holds the refusing words.
type rule struct {
	name        string
	force       force
	kind        Kind // "": its words tell
	disapproves bool // of a limit: what follows is no answer while it moralises more than it informs
	why         string
	decision    bool // with a fact as the reason, its words are a decision on somebody's claim, and so an answer
	wordless    bool // of an aside: nothing that is said may be of the matter, not even in passing
	handing     bool // of an aside: its sentence must also hold what an assistant does for a user, or hands to him
	pattern     string
	follow      string   // what the text after must also hold, if not empty; of an admonition, the text around
	cues        string   // a pattern whose cues stand for those of the rule's own, which are too many
	yes, no     []string // texts that the rule finds, and near ones that nothing finds; tests read them
}

// exception is a way to say a rule's words without refusing. Its pattern is tried on the sentence from those words on.
type exception struct {
	name    string
	why     string
	pattern string
	then    string   // what the text after the words of the rule must hold besides, if not empty
	no      []string // texts that would be refusals without it
}

type compiledRule struct {
	rule
	pattern cued
	follow  cued
}

type compiledException struct {
	exception
	pattern cued
	then    cued
}

// mayStandAt reports whether the rule looks at this place.
func (r *compiledRule) mayStandAt(p *place) bool {
	switch r.force {
	case limit, admonition:
		return p.opening
	case objection:
		return p.first
	case aside:
		return p.brief
	}
	return true
}

func compileRules(cues *cueBook) []compiledRule {
	var out []compiledRule
	for _, group := range []struct {
		rules []rule
		kind  Kind
	}{{abilityRules, ""}, {willRules, Declined}, {policyRules, Declined}, {requestRules, Declined}, {limitRules, ""}, {objectionRules, Deflected}, {asideRules, ""}} {
		for _, r := range group.rules {
			if r.kind == "" {
				r.kind = group.kind
			}
			out = append(out, compiledRule{rule: r, pattern: cues.addAs(r.pattern, cmp.Or(r.cues, r.pattern)), follow: cues.add(r.follow)})
		}
	}
	return out
}

func compileExceptions(cues *cueBook) []compiledException {
	var out []compiledException
	for _, e := range exceptions {
		out = append(out, compiledException{exception: e, pattern: cues.add(`^` + e.pattern), then: cues.add(e.then)})
	}
	return out
}

// expand replaces {names} by their phrases. Phrases may name only those that stand before them in the table.
func expand(pattern string) string {
	for _, p := range slices.Backward(slices.Concat(phrases, roles)) {
		pattern = strings.ReplaceAll(pattern, "{"+p.name+"}", "(?:"+p.pattern+")")
	}
	return pattern
}
