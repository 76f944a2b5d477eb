package label

import "github.com/failproof/failproof/internal/english"

// reported tells "is found to be", which says something, from "needs to be", which does not.
func (r *reading) reported(c *context, j int) bool {
	if r.decided(j) || r.wordAt(j+1, "say", "think", "call", "conclude", "claim", "assume", "state", "consider") {
		return true
	}
	if !r.wordAt(j+1, "be", "have") && !r.wordAt(j-1, "likely", "unlikely") {
		return r.wordAt(j-1, "applies", "entitled", "happy", "glad", "pleased", "subject", "closer", "nearer", "closest", "nearest") || r.routed(j) // "to" of a phrase, not of an infinitive
	}
	if r.wordAt(j-1, "appears", "appear", "seems", "seem", "likely", "unlikely", "looks", "believed", "thought") {
		c.hedged = true
		return true
	}
	return r.found(j)
}

// decided reports what a decision is before the "to" at j: "the decision is to deny it", "we chose to approve".
func (r *reading) decided(j int) bool {
	for i := j - 2; i >= max(0, j-4) && (copulas[r.tokens[j-1].text] || r.wordAt(j-1, "be")) && r.sameClause(i, j); i-- {
		if strongNouns[r.tokens[i].text] || intents[r.tokens[i].text] {
			return true
		}
	}
	return false
}

// routed reports a verb before "to" that names where something goes: "send it to review", "set to low".
func (r *reading) routed(j int) bool {
	for i := j - 1; i >= max(0, j-3) && r.sameClause(i, j); i-- {
		if w := r.tokens[i].text; routes[w] || changes[w] {
			return true
		}
	}
	return false
}

var routes = english.Set("add adds decide decided choose chose opt opted point points pointed pointing send sent route routed forward forwarded assign assigned move moved goes go going belongs set mapped maps amounts comes equals corresponds translates")

// found reports a verb of finding before j: "I find the vendor to be …".
func (r *reading) found(j int) bool {
	for i := j - 1; i >= max(0, j-6) && r.sameClause(i, j); i-- {
		if findings[r.tokens[i].text] {
			return true
		}
	}
	return false
}
