package label

import (
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// context is what stands around a label: how often it is denied, and what the constructions around it come to.
type context struct {
	start   int
	denials int
	within  int // denials that "fully" reaches over: one in "fully non-compliant", none in "not fully compliant"
	how     effect
	another bool // "rather than": another label stands in its place
}

func (c *context) is(e effect) bool { return c.how&e != 0 }

// nearWords bounds how far a negation reaches back over words that carry none themselves, wideWords over any words.
const nearWords, wideWords = 12, 16

var (
	// The second words of denials of two.
	seconds     = english.Set("to from near of than but")
	being       = english.Set("is are was were")
	maybe       = english.Set("leaning resemble resembles may might could can would seem seems appear appears look looks sound sounds read reads feel feels")
	verbDenials = english.Set("fail fails failed short hardly scarcely unable")
	absences    = english.Set("without lack except excluding") // deny a thing beside the label
	contrasts   = english.Set("but however yet nevertheless nonetheless")
	degree      = english.Set(`partially partly mostly largely somewhat nearly almost barely mainly generally substantially broadly
		conditionally provisionally potentially borderline marginally`)
	// Words that may stand between a negation and what it negates.
	transparent = english.Set(`like out is are was were be been being am s do does did have has had will remain remains considered deemed classified classed labelled labeled regarded treated marked called judged
		rated said found held described categorised categorized to as a an the that it this they he she we you i
		fully entirely completely wholly strictly truly really merely actually currently yet at all in any way sense even quite very too
		so remotely technically legally exactly necessarily clearly formally totally longer means by of think believe consider
		find say either more by definitely certainly absolutely simply therefore thus hence overall still now also would qualify qualifies constitute constitutes count counts amount amounts represent represents likely probably possibly perhaps maybe case true been presently evidently est sont ist sind es está è é`)
)

// lists are the words that rows of tables name.
var lists = map[string]map[string]bool{
	"being": being, "maybe": maybe, "degree": degree, "transparent": transparent, "claims": english.Claims, "truths": english.Truths, "untruths": english.Untruths,
	"proofs": english.Proofs, "nouns": strongNouns, "interjections": interjections, "changes": changes, "contrasts": contrasts,
	"none":     english.Set("not never no hardly scarcely unable non without"),
	"classing": english.Set("considered deemed classified classed labelled labeled regarded treated marked called judged rated categorised categorized"),
	"wholes":   english.Set("fully entirely completely wholly totally strictly 100"),
	"belief":   english.Set("think believe consider find agree say see deem regard classify call feel expect mean suppose mark label"),
	"findings": english.Set(`find finds found consider considers considered deem deems deemed judge judges judged declare declares declared hold holds held rate
		rated assess assesses assessed turns turned believe said known shown proved proven determined concluded regarded classified`),
	"overstated": english.Set("hesitate reluctant hard difficult impossible exaggeration overstatement stretch premature misleading overkill unfair"),
	"denials":    english.Set("deny denies disagree disagrees doubt doubts doubtful dispute disputes"),
	"routes":     english.Set("add adds decide decided choose chose opt opted point points pointed pointing send sent route routed forward forwarded assign assigned move moved goes go going belongs set mapped maps amounts comes equals corresponds translates"),
	"sure":       english.Set("confidence certainty probability likelihood"),
	"touted":     english.Set("billed touted marketed advertised sold posing dressed"),
	"breaks":     english.Set("; now but however yet nevertheless nonetheless"),
	"formerly":   english.Set("previously earlier initially originally formerly previous initial original preliminary"),
	"calls":      english.Set("expect expects expected billed calls called guess guessed named assume assumes assumed believe believes believed think thinks thought describes described mentions mentioned flags flagged tags tagged marks marked lists listed scores scored labels labelled labeled rates rated says said considers considered asks asked wants wanted requests requested quotes quoted cites cited noted notes insists insisted maintains maintained argues argued swears"),
	"nobody":     without(english.FunctionWords, "he she they you one"),
	// Words before "it is" that leave no doubt that it is, and others that nobody says.
	"verbless": english.Set("shows show means proves confirms indicates demonstrates suggests clear certain obvious evident fact doubt sure confident say conclude given because since as so " + join(english.FunctionWords, transparent, makes, changes)),
	"makes":    makes,
	"choices":  english.Set("pick choose decide select tell say determine distinguish"), // of a choice that is not made: "I cannot pick between high and low"
	"intents":  english.Set("recommendation advice suggestion choice call plan"),        // what a decision is, before "is to deny it"
}

func without(words map[string]bool, but string) map[string]bool {
	out := maps.Clone(words)
	for w := range english.Set(but) {
		delete(out, w)
	}
	return out
}

func join(sets ...map[string]bool) string {
	var words []string
	for _, s := range sets {
		words = slices.AppendSeq(words, maps.Keys(s))
	}
	return strings.Join(words, " ")
}

// before holds what stands right before a label, or before words that may stand between.
var before = table(
	when(denies|unsays, "$none >exclude|excludes|excluded|withdraw|retract; $none * >exclude|excludes|excluded|withdraw|retract; $none >rule|rules|ruled|ruling out; $none * >rule|rules|ruled|ruling out"),
	when(denies, "exclude|excludes|excluded|withdraw|retract; rule|rules|ruled|ruling out; less of; less * than"),
	when(hedges, "like"),
	when(unsays, "below|above|beyond|against _; 0|zero _"), // "one notch below AAA"
	when(passes, "less ~ >than"),                           // "less positive than neutral"
	when(unsays, "than"),
	// "is found to be" says something, "needs to be" does not.
	when(passes, "$nouns|$intents ~ is|was|remains|be >to; to say|think|call|conclude|claim|assume|state|consider"),
	when(hedges, "appears|appear|seems|seem|likely|unlikely|looks|believed|thought >to"),
	when(passes, "$findings ~ ~ >to"),
	when(passes, "applies|entitled|happy|glad|pleased|subject|closer|nearer|closest|nearest >to !be|have; $routes|$changes ~ >to !be|have"),
	when(unsays|oughts|signs, "has|have >to be _"),
	when(unsays|owes, "have|has|need|needs >to _"),
	when(unsays, "to"),
	when(unsays|oughts|chooses|owes, "it|this >should be _ed"),
	when(unsays|oughts|chooses, "it|this >should be|have"),
	when(unsays|oughts|owes, "must|should|shall be _ed"),
	when(unsays|oughts|signs, "must be _"),
	when(unsays|oughts, "must|should|shall be|have"),
	when(unsays|owes, "must|should|shall _; must|should|shall not _"),
	when(unsays, "must|should|shall"),
	when(passes, "$nouns >would be"),                                        // "the label would be"
	when(hedges|wishes, "would be|have|only; it|this|that|she|he|they >be"), // "she'd be eligible"
	when(passes, "can be _ed; can be $classing; i|we >would; can|could not"),
	when(hedges, "$maybe|$degree"),
	when(completes, "$wholes"),
	when(classes, "$classing"),
	when(passes, "$transparent"),
)

// governs holds what governs the whole clause of a label: "I do not think that the vendor is …".
var governs = table(
	when(stops, "and|so|which|who"),
	when(passes, "until then|now; the|a|this|that|your|my|our|its|each|any >$claims"),
	when(unsays, "if|whether|unless|until|when|once; $claims"),
	when(hedges, "you|one >would|$maybe"), // "you would expect anger"
	when(unsays, "!i|we|nobody|one >would|$maybe say|argue|claim|think|object|suggest|call"),
	when(denies, "not $belief|$truths|all|every; not the $truths; not be said|claimed|argued; $untruths that|to"),
	when(denies|hedges, "$overstated to; no $proofs; no * of"),
	when(passes, "no|none|nothing|nobody ... doubt|question"),
	when(denies|hedges, "there $being >no|none|nothing|nobody"), // "there is nothing to say that"
	when(denies, "^ >no|none|nothing|nobody; ^ under|in|by|at|on >no|none|nothing|nobody"),
	when(denies|hedges, "!no|without|not|a|any >$denials"),
	when(unsays, "what >would; * that|which|who >would"), // "nothing that would make it toxic"
)

func (r *reading) around(start, end int) context {
	c := context{start: start}
	stop := r.near(&c, start)
	if hedged(r.hedges, c.start, end) {
		c.how |= hedges
	}
	r.wide(&c, start, stop)
	if c.denials == 0 && !c.is(unsays) && (r.deniedBefore(start) || r.embedded(start)) {
		c.how |= hedges
	}
	r.after(&c, start, end)
	if c.is(classes) {
		c.how &^= unsays
	}
	return c
}

// near walks back from a label over denials and the words that may stand between, and returns where it stopped.
func (r *reading) near(c *context, start int) int {
	touching := true
	j := start - 1
	for ; j >= max(0, start-nearWords) && r.sameClause(j, start); j-- {
		w := r.tokens[j].text
		if j > 0 && seconds[w] && r.single(j-1) { // "fails to", "far from", "rather than"
			c.denials++
			c.another = c.another || r.wordAt(j-1, "opposed", "rather", "instead")
			touching = false
			j--
			continue
		}
		found := r.find(before, j, start)
		if r.single(j) {
			c.denials++
		} else if found == nil {
			break
		} else {
			r.apply(c, found.effect, start)
		}
		if touching = touching && (r.single(j) || english.Auxiliary[w] && c.start < start); touching {
			c.start = j
		}
	}
	return j
}

// apply adds what a construction comes to for the label at start.
func (r *reading) apply(c *context, e effect, start int) {
	if e&chooses != 0 && len(r.set.labels) > 2 || e&signs != 0 && r.symbolic(start) {
		e &^= unsays
	}
	if e&completes != 0 && !c.is(completes) {
		c.within = c.denials
	}
	if e&denies != 0 {
		c.denials++
	}
	c.how |= e
}

func (r *reading) sameClause(j, start int) bool {
	return j >= 0 && r.tokens[j].word && !r.tokens[j].struck && r.tokens[j].clause == r.tokens[start].clause
}

// single reports a word that denies what follows it, alone.
func (r *reading) single(i int) bool {
	w := r.tokens[i].text
	return w == "non" || r.tokens[i].denial && !english.Untruths[w]
}

// wide reads the rest of the clause for what governs it whole.
func (r *reading) wide(c *context, start, j int) {
	for ; j >= max(0, start-wideWords) && r.sameClause(j, start); j-- {
		found := r.find(governs, j, start)
		switch {
		case found == nil && c.denials == 0 && r.deniesRest(j, start):
			r.apply(c, denies|hedges, start)
		case found == nil:
		case found.effect == stops:
			return
		default:
			r.apply(c, found.effect, start)
			if found.effect&unsays != 0 {
				c.how &^= owes
			}
		}
	}
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

func (r *reading) verbBetween(from, to int) bool {
	return slices.ContainsFunc(r.tokens[from+1:to], func(t token) bool { return being[t.text] })
}

// after reads what follows a label: a condition hedges it, ": false" turns it round, a question asks it.
func (r *reading) after(c *context, start, end int) {
	sentence := r.tokens[end-1].sentence
	if t := r.tokens[end-1]; t.asks {
		if c.how &^= unsays | owes; t.reply == "" {
			c.how |= unsays
		}
		if t.reply == "no" {
			c.denials++
		}
		return
	}
	if end+1 < len(r.tokens) && (r.tokens[end].text == ":" || r.tokens[end].text == "=") {
		if no, ok := r.yesNo(end + 1); ok && no {
			c.denials++
		}
	}
	if first := r.clauseStart(c.start); first >= c.start-1 || strings.HasSuffix(r.tokens[first].text, "ing") { // "calling it spam would be wrong"
		switch right, open := r.predicate(end); {
		case open, right > 0 && maybe[r.tokens[end].text] && !r.wordAt(end, "would"): // "seems right"
			c.how |= hedges
		case right < 0:
			c.denials++
		}
	}
	if r.imagined(c.start, end) {
		c.how |= unsays
	}
	if r.ofLabel(c.start, end) {
		c.how |= hedges
	}
	if r.conditioned(start) {
		c.how |= hedges | wishes
	}
	for i := end; i < min(end+4, len(r.tokens)) && r.tokens[i].sentence == sentence; i++ {
		if r.wordAt(i, "if", "once", "unless", "assuming", "depending") || r.tokens[i-1].word && r.wordAt(i, "provided", "pending", "subject") {
			c.how |= hedges
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
	if i+1 < len(r.tokens) && r.tokens[i+1].word && r.tokens[i+1].sentence == r.tokens[i].sentence {
		return false, false
	}
	return r.wordAt(i, "no", "false", "not", "never"), r.wordAt(i, "no", "false", "not", "never", "yes", "true")
}
