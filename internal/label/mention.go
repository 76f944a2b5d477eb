package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// mention is one place where an answer names a label.
type mention struct {
	start, end int // token indices; start takes in the words of negation that belong to the label
	label      int
	ruled      bool // picked out among the rows of a list
	asserted   bool // said of the thing in question: no condition, duty, question or list of choices
	listed     bool // one of the choices in "compliant or non-compliant"
	negated    bool
	hedged     bool
	due        bool   // only as a duty: "you should deny it"
	implied    bool   // only as what is left over: "not an emergency", of Emergency and Routine
	wishful    bool   // only as what would be
	ought      bool   // only as what should be
	words      stance // by the words around it alone
	stance     stance
	cue        int // the place of what announces it; mentions with one are settled together
}

// reading is an answer with the labels it names.
type reading struct {
	set       *Set
	tokens    []token
	question  []token
	asked     map[string]bool // words of the question; made when first needed
	mentions  []mention
	named     []mention      // and those among them that are denied and leave none over
	hedges    []doubt        // what is hedged
	retracted int            // the last place where something is taken back and nothing put in its place
	options   map[string]int // labels by the names that the question, or the answer, gives them
}

func (s *Set) read(tokens []token) *reading { return s.readWith(tokens, nil) }

func (s *Set) readWith(tokens []token, options map[string]int) *reading {
	r := &reading{set: s, tokens: tokens, options: options}
	r.hedges = r.doubts()
	var prior mention
	for i := 0; i < len(tokens); {
		m, ok := r.mentionAt(i, &prior)
		if !ok && options != nil {
			m, ok = r.optionAt(i)
		}
		if !ok {
			m, ok = r.pointed(i)
		}
		if !ok {
			i++
			continue
		}
		i, prior = m.end, m
		r.named = append(r.named, m)
		if m.label != none {
			r.mentions = append(r.mentions, m)
		}
	}
	r.markLists()
	r.settleRows()
	r.setAside()
	r.hedgeImplied()
	return r
}

// hedgeImplied takes what is only implied for hedged, unless it is said as well.
func (r *reading) hedgeImplied() {
	said := make([]bool, len(r.set.labels))
	for _, m := range r.mentions {
		said[m.label] = said[m.label] || m.asserted && !m.implied
	}
	for i := range r.mentions {
		m := &r.mentions[i]
		m.hedged = m.hedged || m.implied && !said[m.label]
	}
}

// mentionAt reads the label at i; prior is the one before it, which may deny this one as well.
func (r *reading) mentionAt(i int, prior *mention) (mention, bool) {
	if !r.tokens[i].word || r.tokens[i].struck {
		return mention{}, false
	}
	first := r.set.lemma(r.tokens[i].text)
	for _, core := range r.set.cores {
		flipped, ok := r.matches(i, first, core)
		if !ok || !r.stands(i, core) {
			continue
		}
		end := i + len(core)
		c := r.around(i, end)
		if flipped {
			c.denials++
			c.within++
		}
		if c.denials == 0 && r.alsoDenied(prior, c.start) {
			c.denials++
		}
		m := c.mention(end)
		m.label, m.implied = r.set.resolve(core, c)
		return m, true
	}
	return mention{}, false
}

func (c *context) mention(end int) mention {
	return mention{start: c.start, end: end, asserted: !c.is(unsays), negated: c.denials%2 == 1, hedged: c.is(hedges), due: c.is(owes), wishful: c.is(wishes), ought: c.is(oughts)}
}

// alsoDenied reports a label that "or" joins to one which is denied: "not a bug or a question". A label that is a denial
// by name denies nothing else.
func (r *reading) alsoDenied(prior *mention, at int) bool {
	if !prior.negated || prior.label != none && r.set.labels[prior.label].negative {
		return false
	}
	or := false
	for _, t := range r.tokens[prior.end:max(prior.end, at)] {
		or = or || t.text == "or"
		if !links[t.text] || t.sentence != r.tokens[at].sentence {
			return false
		}
	}
	return or
}

var links = english.Set("or , a an the to for")

// matches reports whether core stands at i, where first is the lemma; flipped if its first word carries "non" in front of it.
func (r *reading) matches(i int, first string, core []string) (flipped, ok bool) {
	if i+len(core) > len(r.tokens) {
		return false, false
	}
	for k, want := range core {
		t := &r.tokens[i+k]
		if !t.word || t.struck || t.signed || t.sentence != r.tokens[i].sentence {
			return false, false
		}
		got := first
		if k > 0 {
			got = r.set.lemma(t.text)
		}
		if k == 0 && len(core) == 1 && got != want && participle(t.text, want) && r.wordAt(i-1, "be", "is", "are", "not", "therefore") {
			continue // "should be escalated"
		}
		if k == 0 && got != want && r.set.denies(t, want) {
			flipped = true
			continue
		}
		if got != want {
			return false, false
		}
	}
	return flipped, true
}

// participle reports the form of a verb for what is done to a thing: escalated, denied.
func participle(word, verb string) bool {
	stem, ok := strings.CutSuffix(word, "d")
	return ok && (stem == verb || stem == verb+"e" || strings.HasSuffix(verb, "y") && stem == verb[:len(verb)-1]+"ie")
}

// stands reports whether the words from i on are a label and not a part of something else.
func (r *reading) stands(i int, core []string) bool {
	end := i + len(core)
	if end < len(r.tokens) && r.tokens[end].word && r.tokens[end].glued {
		return r.wordAt(end, "severity", "priority", "level") // not high-risk
	}
	if r.tokens[i].glued && i > 0 {
		if english.DigitAt(core[0], 0) {
			return false // P1
		}
		before := r.tokens[i-1].text
		if before != "non" && before != "not" && before != "is" && !transparent[before] && !degree[before] {
			return false // self-compliant
		}
	}
	if len(core) > 1 {
		return true
	}
	switch w := core[0]; {
	case w == "apply":
		return !r.wordAt(end, "for") || r.tokens[i].text != "apply"
	case r.set.loud[w] && !r.tokens[i].loud:
		return r.bare(i)
	case len(w) == 1 && english.DigitAt(w, 0) && r.rated(i) && !r.scale(i):
		return true
	case short[w] || len(w) == 1:
		return r.standsAlone(i, w) && !r.scale(i)
	}
	return !r.otherwise(i, core[0])
}

// symbolic reports a word at i that is a sign, or the name of an option, and nothing that could be asked of somebody.
func (r *reading) symbolic(i int) bool {
	w := r.tokens[i].text
	return len(w) == 1 || strings.ContainsFunc(w, func(c rune) bool { return !english.WordRune(c) && c != '\'' })
}

// bare reports a word between two marks.
func (r *reading) bare(i int) bool {
	return (i == 0 || !r.tokens[i-1].word) && (i+1 == len(r.tokens) || !r.tokens[i+1].word)
}

// rated reports a number that stands before its scale, 3 out of 5, or before what it counts, or behind what it rates.
func (r *reading) rated(i int) bool {
	if r.wordAt(i+1, "out") && r.wordAt(i+2, "of") {
		return i+3 == len(r.tokens) || !english.DigitAt(r.tokens[i+3].text, 0) || r.set.opens(r.tokens[i+3].text) // pain 3 out of 10
	}
	if r.wordAt(i+1, "stars", "star", "points", "point") {
		return true
	}
	last := i+1 == len(r.tokens) || !r.tokens[i+1].word || r.tokens[i+1].sentence != r.tokens[i].sentence
	return last && !r.scale(i) && (r.wordAt(i-1, "it", "this", "a", "as") || !r.wordAt(i-1, "of", "to") && r.rates(i))
}

// rates reports a verb of rating in the clause before a number.
func (r *reading) rates(i int) bool {
	for j := i - 1; j >= max(0, i-nearWords) && r.sameClause(j, i); j-- {
		if r.wordAt(j, "rate", "rated", "score", "scored", "give") {
			return r.wordAt(j-1, "i", "would", "we")
		}
	}
	return false
}

// scale reports the number behind the bar of a rating, 4/5, which is not a list of choices, 1/2/3.
func (r *reading) scale(i int) bool {
	if r.wordAt(i-1, "of") && (r.wordAt(i-2, "out") && i > 2 && english.DigitAt(r.tokens[i-3].text, 0) || i > 1 && english.DigitAt(r.tokens[i-2].text, 0)) {
		return true
	}
	bar := func(at int) bool { return at > 0 && at+1 < len(r.tokens) && r.tokens[at].text == "/" }
	return bar(i-1) && english.DigitAt(r.tokens[i].text, 0) && english.DigitAt(r.tokens[i-2].text, 0) && !bar(i+1) && !bar(i-3)
}

// Words behind which a label is part of another phrase: good question, false positive.
var otherSense = map[string]map[string]bool{
	"question": english.Set("good great excellent interesting nice fair tough tricky important your the no without beyond"),
	"fact":     english.Set("in"),
	"positive": english.Set("false true"),
	"negative": english.Set("false true"),
}

// Words before which a label is part of another phrase: false alarm.
var otherSenseAhead = map[string]map[string]bool{
	"false": english.Set("alarm alarms positive positives negative negatives"),
	"true":  english.Set("positive positives negative negatives"),
}

func (r *reading) otherwise(i int, w string) bool {
	if i+1 < len(r.tokens) && r.tokens[i+1].word && otherSenseAhead[w][r.tokens[i+1].text] {
		return true
	}
	return i > 0 && r.tokens[i-1].word && otherSense[w][r.tokens[i-1].text] && r.tokens[i-1].sentence == r.tokens[i].sentence
}

// Labels that are also everyday words; they count only where they stand by themselves.
var short = english.Set("yes no none not other")

func (r *reading) standsAlone(i int, w string) bool {
	t := r.tokens[i]
	if len(w) == 1 && w >= "a" && !t.upper {
		return r.chosen(i)
	}
	if len(w) > 1 && r.wordAt(i+1, "and", "or") && i+2 < len(r.tokens) && short[r.tokens[i+2].text] {
		return true // yes and no
	}
	opens := i == 0 || !r.tokens[i-1].word || r.tokens[i-1].sentence != t.sentence || opener[r.tokens[i-1].text]
	last := i+1 >= len(r.tokens) || !r.tokens[i+1].word || r.tokens[i+1].sentence != t.sentence
	if len(w) == 1 {
		return opens && last || t.quoted || r.chosen(i) || r.set.lettered && w >= "a" && i > 0 && r.tokens[i-1].word && r.tokens[i-1].sentence == t.sentence
	}
	if last && i > 0 && assigns[w][r.tokens[i-1].text] && r.tokens[i-1].sentence == t.sentence {
		return true // "this falls under Other"
	}
	opens = opens || i > 1 && last && (indefinite[r.tokens[i-2].text] || indefinite[r.tokens[i-1].text]) // "a clear yes"
	return opens && (last || pronoun[r.tokens[i+1].text]) || t.quoted
}

var (
	assigns = map[string]map[string]bool{"other": english.Set("as under to into in"), "none": english.Set("as under into")}
	opener  = english.Set("is be says say answer therefore thus hence so actually wait option choice choose chose pick select definitely clearly probably likely maybe perhaps possibly simply with and but")
	pronoun = english.Set("it they he she this that there the because since as i we")
)

func (r *reading) wordAt(i int, any ...string) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].word && slices.Contains(any, r.tokens[i].text)
}

// resolve turns a core and what stands around it into a label, which may only be implied.
func (s *Set) resolve(core []string, c context) (label int, implied bool) {
	negative := c.denials%2 == 1
	if negative && c.another && len(s.labels) > 2 {
		return none, false
	}
	if c.is(completes) && c.denials > c.within {
		for i, l := range s.labels {
			if len(l.core) == len(core)+1 && degree[l.core[0]] && slices.Equal(l.core[1:], core) {
				return i, false // "not fully compliant" is partially compliant, where there is such a label
			}
		}
	}
	return s.pick(core, negative)
}

// markLists finds labels that are only listed: "compliant or non-compliant", and one a line.
func (r *reading) markLists() {
	for i := 1; i < len(r.mentions); i++ {
		a, b := &r.mentions[i-1], &r.mentions[i]
		switch {
		case r.wordAt(a.start-1, "between") && r.wordAt(a.end, "and") && a.end+1 == b.start:
			a.listed, b.listed = true, true
		case a.label == b.label:
		case r.wordAt(a.end, "to") && a.end+1 == b.start && r.wordAt(a.start-1, "from") && r.scaleBefore(a.start):
			a.asserted, b.asserted = false, false // "on a scale from low to high"
		case r.wordAt(b.start-1, "to") && b.start-a.end <= 2 && r.wordAt(a.start-1, "from"):
			a.asserted, b.asserted = false, true // "from high to medium"
		case r.joined(a.end, b.start, arrows) && a.asserted:
			a.asserted = false // "high → medium"; one arrow behind another makes a scale
			if i > 1 && r.joined(r.mentions[i-2].end, a.start, arrows) {
				r.mentions[i-2].listed, a.listed, b.listed = true, true, true
			}
		case r.wordAt(a.end, "to") && a.end+1 == b.start:
			a.listed, b.listed = true, true
		case r.joined(a.end, b.start, joiners) || r.listLines(a, b):
			a.listed, b.listed = true, true
		case r.tokens[b.start].text == "nor" && a.end == b.start:
			a.asserted, b.asserted = false, false
		case a.negated && len(r.set.labels) > 2 && r.joined(a.end, b.start, amending):
			a.asserted = false // "not compliant but partially compliant"
		}
	}
	for i := range r.mentions {
		if r.mentions[i].listed {
			r.mentions[i].asserted = false
		}
	}
}

// scaleBefore reports the word for a range of labels in the clause before i.
func (r *reading) scaleBefore(i int) bool {
	for j := i - 1; j >= max(0, i-5) && r.sameClause(j, i); j-- {
		if r.wordAt(j, "scale", "range", "ranges", "ranging", "anything", "options", "goes") {
			return true
		}
	}
	return false
}

var (
	arrows   = english.Set("→")
	joiners  = english.Set("or vs versus / | , &")
	amending = english.Set("but rather instead , – only it is")
)

// joined reports two labels of a sentence that only such words part; brackets do not matter.
func (r *reading) joined(from, to int, by map[string]bool) bool {
	some := false
	for _, t := range r.tokens[from:max(from, to)] {
		if t.text != "(" && t.text != ")" && !by[t.text] {
			return false
		}
		some = some || by[t.text]
	}
	return some && r.tokens[from].sentence == r.tokens[to].sentence
}

// listLines reports two lines, one after the other, each nothing but a label.
func (r *reading) listLines(a, b *mention) bool {
	return r.tokens[a.start].line.to == r.tokens[b.start].line.from && r.aloneInLine(*a) && r.aloneInLine(*b)
}

// lineReach bounds in tokens how far on either side of a label the rest of its line is looked at.
const lineReach = 32
