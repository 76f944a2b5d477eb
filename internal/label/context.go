package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// context is what stands around a label: how often it is negated, whether it is hedged, whether it is said at all.
type context struct {
	start      int
	negations  int
	hedged     bool
	unasserted bool
	wholly     bool // "fully"
	within     int  // negations that "fully" reaches over: one in "fully non-compliant", none in "not fully compliant"
	replaced   bool // "rather than": another label stands in its place
	classed    bool // "should be classified as"
	duty       bool // "should deny": the label itself is what has to be done
	wishful    bool // "would be"
	ought      bool // "should be": a correction where one is at hand, else a duty
}

// nearWords bounds how far a negation reaches back over words that carry none themselves, wideWords over any words.
const nearWords, wideWords = 12, 16

var (
	// The second words of denials of two.
	seconds = english.Set("to from near of than but")
	// Words that may stand between a negation and what it negates.
	transparent = english.Set(`like out is are was were be been being am s do does did have has had will remain remains considered deemed classified classed labelled labeled regarded treated marked called judged
		rated said found held described categorised categorized to as a an the that it this they he she we you i
		fully entirely completely wholly strictly truly really merely actually currently yet at all in any way sense even quite very too
		so remotely technically legally exactly necessarily clearly formally totally longer means by of think believe consider
		find say either more by definitely certainly absolutely simply therefore thus hence overall still now also would qualify qualifies constitute constitutes count counts amount amounts represent represents likely probably possibly perhaps maybe case true been presently evidently est sont ist sind es está è é`)
	classing = english.Set("considered deemed classified classed labelled labeled regarded treated marked called judged rated categorised categorized")
	wholes   = english.Set("fully entirely completely wholly totally strictly 100")
	degree   = english.Set(`partially partly mostly largely somewhat nearly almost barely mainly generally substantially broadly
		conditionally provisionally potentially borderline marginally`)
	duties     = english.Set("must should shall")
	maybe      = english.Set("leaning resemble resembles may might could can would seem seems appear appears look looks sound sounds read reads feel feels")
	condition  = english.Set("if whether unless until when once")
	overstated = english.Set("hesitate reluctant hard difficult impossible exaggeration overstatement stretch premature misleading overkill unfair")
	ruling     = english.Set("rule rules ruled ruling")
	excluding  = english.Set("exclude excludes excluded withdraw retract")
	relative   = english.Set("below above beyond against")
	belief     = english.Set("think believe consider find agree say see deem regard classify call feel expect mean suppose mark label")
	findings   = english.Set(`find finds found consider considers considered deem deems deemed judge judges judged declare declares declared hold holds held rate
		rated assess assesses assessed turns turned believe said known shown proved proven determined concluded regarded classified`)
	speaking = english.Set("say argue claim think object suggest call")
	denials  = english.Set("deny denies disagree disagrees doubt doubts doubtful dispute disputes")
)

func (r *reading) around(start, end int) context {
	c := context{start: start}
	stop := r.near(&c, start)
	c.hedged = c.hedged || hedged(r.hedges, c.start, end)
	r.wide(&c, start, stop)
	c.hedged = c.hedged || c.negations == 0 && !c.unasserted && (r.deniedBefore(start) || r.embedded(start))
	r.after(&c, start, end)
	if c.unasserted && c.classed {
		c.unasserted = false
	}
	return c
}

// near walks back from a label over negations and the words that may stand between, and returns where it stopped.
func (r *reading) near(c *context, start int) int {
	touching := true
	j := start - 1
	for ; j >= max(0, start-nearWords) && r.sameClause(j, start); j-- {
		w := r.tokens[j].text
		step := r.step(c, j, start)
		if step == 0 {
			break
		}
		touching = touching && (r.single(j) || english.Auxiliary[w] && c.start < start)
		j -= step - 1
		if touching {
			c.start = j
		}
	}
	return j
}

func (r *reading) sameClause(j, start int) bool {
	return j >= 0 && r.tokens[j].word && !r.tokens[j].struck && r.tokens[j].clause == r.tokens[start].clause
}

// step reads the word at j and returns how many words it used; 0 where the walk ends.
func (r *reading) step(c *context, j, start int) int {
	w := r.tokens[j].text
	if n := r.idiom(c, j); n != 0 {
		return n
	}
	switch {
	case r.single(j):
		c.negations++
	case !r.qualifies(c, j, start) && !transparent[w]:
		return 0
	}
	if wholes[w] && !c.wholly {
		c.wholly, c.within = true, c.negations
	}
	c.classed = c.classed || classing[w]
	return 1
}

// single reports a word that denies what follows it, alone.
func (r *reading) single(i int) bool {
	w := r.tokens[i].text
	return w == "non" || r.tokens[i].denial && !english.Untruths[w]
}

// qualifies reads a word at j that says how a label is meant: as a duty, a wish, a guess, or the other side of a comparison.
func (r *reading) qualifies(c *context, j, start int) bool {
	switch w := r.tokens[j].text; {
	case r.symbolic(start) && r.wordAt(start-1, "be") && (w == "must" || w == "to" && r.wordAt(j-1, "has", "have")): // "so it must be C++"
	case w == "like":
		c.hedged = true
	case relative[w] && j+1 == start:
		c.unasserted = true // "one notch below AAA"
	case (w == "0" || w == "zero") && j+1 == start, w == "than" && !r.lesser(j):
		c.unasserted = true
	case w == "to" && !r.reported(c, j):
		c.unasserted = true
		c.duty = j+1 == start && r.wordAt(j-1, "have", "has", "need", "needs")
	case duties[w]:
		c.unasserted = true
		c.ought = r.wordAt(j+1, "be", "have")
		if c.ought && w == "should" && len(r.set.labels) > 2 && r.wordAt(j-1, "it", "this") {
			c.unasserted = false // "this should be a P2"
		}
		c.duty = j+1 == start || j+2 == start && (r.wordAt(j+1, "not") || r.wordAt(j+1, "be") && strings.HasSuffix(r.tokens[start].text, "ed"))
	case w == "would" && j > 0 && strongNouns[r.tokens[j-1].text] && r.wordAt(j+1, "be"): // "the label would be"
	case w == "would" && r.wordAt(j+1, "be", "have", "only"), w == "be" && r.wordAt(j-1, "it", "this", "that", "she", "he", "they"): // "she'd be eligible"
		c.hedged, c.wishful = true, true
	case w == "can" && (c.classed || r.wordAt(j+1, "be") && strings.HasSuffix(r.tokens[start].text, "ed")) && !r.wordAt(j+1, "not"), w == "would" && r.wordAt(j-1, "i", "we"):
	case maybe[w] || degree[w]:
		c.hedged = c.hedged || !r.wordAt(j, "can", "could") || !r.wordAt(j+1, "not")
	default:
		return false
	}
	return true
}

// lesser reports a "than" at j behind "less": "less positive than neutral" says neutral.
func (r *reading) lesser(j int) bool {
	for i := j - 1; i >= max(0, j-4) && r.sameClause(i, j); i-- {
		if r.tokens[i].text == "less" {
			return true
		}
	}
	return false
}

// idiom reads the negations of two words: "fails to", "far from", "rather than", "anything but".
func (r *reading) idiom(c *context, j int) int {
	switch w := r.tokens[j].text; {
	case j > 0 && seconds[w] && r.tokens[j-1].denial && !english.Untruths[r.tokens[j-1].text]:
		c.replaced = c.replaced || r.wordAt(j-1, "opposed", "rather", "instead")
	case excluding[w], ruling[w] && r.wordAt(j+1, "out"):
		if at := j - 1; r.sameClause(at, j) && (r.single(at) || at > 0 && r.single(at-1)) {
			c.unasserted = true // "cannot rule out malware"
		}
		c.negations++
		return 1
	case w == "less" && (r.wordAt(j+1, "of") || r.wordAt(j+2, "than")):
		c.negations++
		return 1
	default:
		return 0
	}
	c.negations++
	return 2
}

// wide reads the rest of the clause for what governs it whole: "I do not think that the vendor is …".
func (r *reading) wide(c *context, start, j int) {
	for ; j >= max(0, start-wideWords) && r.sameClause(j, start); j-- {
		w, next := r.tokens[j].text, r.tokens[j+1].text
		switch {
		case w == "and" || w == "so" || w == "which" || w == "who":
			return
		case condition[w] && !(w == "until" && r.wordAt(j+1, "then", "now")) || english.Claims[w] && !r.wordAt(j-1, "the", "a", "this", "that", "your", "my", "our", "its", "each", "any"):
			c.unasserted, c.duty = true, false
		case (w == "would" || maybe[w]) && r.wordAt(j-1, "you", "one"):
			c.hedged = true // "you would expect anger"
		case maybe[w] && speaking[next] && !r.wordAt(j-1, "i", "we", "nobody", "one"):
			c.unasserted = true // "some would say"
		case w == "not" && (belief[next] || english.Truths[next] || next == "the" && r.factAt(j+2) || next == "all" || next == "every"):
			c.negations++
		case w == "not" && next == "be" && r.wordAt(j+2, "said", "claimed", "argued"):
			c.negations++
		case overstated[w] && next == "to":
			c.negations++
			c.hedged = true
		case w == "no" && (english.Proofs[next] || r.wordAt(j+2, "of")):
			c.negations++
			c.hedged = true
		case english.Untruths[w] && r.wordAt(j+1, "that", "to"):
			c.negations++
		case (w == "no" || w == "none" || w == "nothing" || w == "nobody") && r.subjectAt(j, start) && !r.doubtBetween(j, start):
			c.negations++
			c.hedged = c.hedged || r.wordAt(j-2, "there") // "there is nothing to say that"
		case denials[w] && !r.wordAt(j-1, "no", "without", "not", "a", "any"):
			c.negations++
			c.hedged = true
		case c.negations == 0 && r.deniesRest(j, start):
			c.negations++
			c.hedged = true
		case w == "would" && (r.wordAt(j-1, "what") || r.wordAt(j-1, "that", "which", "who") && r.sameClause(j-2, start)):
			c.unasserted = true // "nothing that would make it toxic"
		}
	}
}

// subjectAt reports that the word at j begins its clause, perhaps behind a preposition, or follows "there is" there.
func (r *reading) subjectAt(j, start int) bool {
	return !r.sameClause(j-1, start) || !r.sameClause(j-2, start) && r.wordAt(j-1, "under", "in", "by", "at", "on") || j > 0 && being[r.tokens[j-1].text] && r.wordAt(j-2, "there")
}

// deniesRest reports a denial at j of a verb, which denies all that its clause says behind it: "do not constitute harassment", "fails
// to qualify as urgent". One of a noun, "without MFA", does not.
func (r *reading) deniesRest(j, start int) bool {
	t := r.tokens[j]
	if !t.denial || t.inner != r.tokens[start].inner {
		return false
	}
	return verbDenials[t.text] || (t.text == "not" || t.text == "never") && j > 0 && (english.Auxiliary[r.tokens[j-1].text] || maybe[r.tokens[j-1].text])
}

// deniedBefore reports a denial in the clause before a label that no rule takes for one of it, or of another label.
func (r *reading) deniedBefore(start int) bool {
	from := max(0, start-wideWords)
	if n := len(r.named); n > 0 {
		from = max(from, r.named[n-1].end)
	}
	for j := start - 1; j >= from && r.sameClause(j, start) && r.tokens[j].inner == r.tokens[start].inner; j-- {
		if t := r.tokens[j]; t.denial && !absences[t.text] && !english.Untruths[t.text] {
			return true
		}
	}
	return false
}

var (
	verbDenials = english.Set("fail fails failed short hardly scarcely unable")
	absences    = english.Set("without lack except excluding") // deny a thing beside the label
	being       = english.Set("is are was were")
)

func (r *reading) factAt(i int) bool { return i < len(r.tokens) && english.Truths[r.tokens[i].text] }

func (r *reading) verbBetween(from, to int) bool {
	return slices.ContainsFunc(r.tokens[from+1:to], func(t token) bool { return being[t.text] })
}

func (r *reading) doubtBetween(from, to int) bool {
	return slices.ContainsFunc(r.tokens[from+1:to], func(t token) bool { return t.text == "doubt" || t.text == "question" })
}

// after reads what follows a label: a condition hedges it, ": false" turns it round, a question asks it.
func (r *reading) after(c *context, start, end int) {
	sentence := r.tokens[end-1].sent
	if t := r.tokens[end-1]; t.asks {
		c.unasserted, c.duty = t.reply == "", false
		if t.reply == "no" {
			c.negations++
		}
		return
	}
	if end+1 < len(r.tokens) && (r.tokens[end].text == ":" || r.tokens[end].text == "=") {
		if no, ok := r.yesNo(end + 1); ok && no {
			c.negations++
		}
	}
	if first := r.clauseStart(c.start); first >= c.start-1 || strings.HasSuffix(r.tokens[first].text, "ing") { // "calling it spam would be wrong"
		switch right, open := r.predicate(end); {
		case open:
			c.hedged = true
		case right > 0:
			c.hedged = c.hedged || maybe[r.tokens[end].text] && !r.wordAt(end, "would") // "seems right"
		case right < 0:
			c.negations++
		}
	}
	c.unasserted = c.unasserted || r.imagined(c.start, end)
	c.hedged = c.hedged || r.ofLabel(c.start, end)
	if r.conditioned(start) {
		c.hedged, c.wishful = true, true
	}
	for i := end; i < min(end+4, len(r.tokens)) && r.tokens[i].sent == sentence; i++ {
		if r.wordAt(i, "if", "once", "unless", "assuming", "depending") || r.tokens[i-1].word && r.wordAt(i, "provided", "pending", "subject") {
			c.hedged = true
		}
	}
}

var (
	indefinite  = english.Set("a an any")
	clauseLeads = english.Set("so because since and but therefore thus hence as while although whereas that for")
)

// imagined reports a label that is the subject of what is only imagined or denied: "spam would ask for money", "a compliant
// process cannot be shown".
func (r *reading) imagined(start, end int) bool {
	j := start - 1
	some := j >= 0 && indefinite[r.tokens[j].text]
	if some {
		j--
	}
	if r.sameClause(j, start) && !clauseLeads[r.tokens[j].text] {
		return false
	}
	for i := end; i < min(end+4, len(r.tokens)) && r.sameClause(i, start); i++ {
		switch w := r.tokens[i].text; {
		case w == "would":
			return !r.wordAt(i+1, "be") || !r.wordAt(i+2, "my", "our", "the")
		case w == "not" && some && i > end:
			return true
		}
	}
	return false
}

// verdicts reports that yes, no, true or false are labels.
func (s *Set) verdicts() bool {
	return slices.ContainsFunc(s.labels, func(l label) bool { return len(l.core) == 1 && replies[l.core[0]] })
}

var replies = english.Set("yes no true false")

// yesNo reads the word at i as an answer of its own, unless such words are labels here.
func (r *reading) yesNo(i int) (no, ok bool) {
	if r.set.verdicts() {
		return false, false
	}
	if i+1 < len(r.tokens) && r.tokens[i+1].word && r.tokens[i+1].sent == r.tokens[i].sent {
		return false, false
	}
	return r.wordAt(i, "no", "false", "not", "never"), r.wordAt(i, "no", "false", "not", "never", "yes", "true")
}
