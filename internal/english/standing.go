package english

import "slices"

// Standing is how a text stands to what some of its words say, denied or not.
type Standing uint8

const (
	Said     Standing = iota
	Supposed          // if, whether
	Unsaid            // asked, reported, crossed out, taken back, or said of a past that has ended
)

// Standing returns how the text stands to the word at i, which is meant in some manner. What is only hedged is supposed.
func (p *Text) Standing(i int, meant Manner) Standing {
	at := p.Words[i].Clause
	c := &p.Clauses[at]
	asks := c.Supposed && !meant.Supposed
	switch {
	case c.Asked, c.Reported, c.quoted && !meant.Quoted, asks && meant.Sure, !meant.Past && c.Past, !meant.Past && !meant.From && p.left(i),
		p.Words[i].Struck && !(c.quoted && meant.Quoted), meant.So && p.planned(i, meant.Done), p.takenBack(at):
		return Unsaid
	case asks, c.Presumed, c.Hedged && meant.Sure && !meant.Hedged:
		return Supposed
	}
	return Said
}

// Manner is how words are meant by themselves, and so may stand in a text that says them, and what else of it counts.
type Manner struct {
	Hedged, Past, From, Supposed bool
	So, Done                     bool // as what is so, or done, and not what is to come
	Quoted                       bool // as somebody's words
	Sure                         bool // a hedge or a condition does not
}

// Manner returns how the text is meant.
func (p *Text) Manner() Manner {
	m := p.MannerOf(0, len(p.Words))
	m.So, m.Done = p.is()
	return m
}

// ends reports a word at i, in a clause that ends before to, that says of something past that it ended: until, formerly, used to be.
func (p *Text) ends(i, to int) bool {
	switch p.Words[i].Text {
	case "past":
		return i > 1 && p.Words[i-1].Text == "the" && p.Words[i-2].Text == "in"
	case "used":
	default:
		return true
	}
	if p.textAt(i+1) != "to" || i == 0 || p.Words[i-1].Is(isAuxiliary) {
		return false
	}
	later := slices.ContainsFunc(p.Words[min(i+3, to):min(i+statementReach, to)], func(w Word) bool { return w.Is(isAuxiliary) })
	return !later || p.textAt(i+2) == "be" // and not "keys used to encrypt data are kept"
}

// ended finds what was once and is no more: "was 5 GB until 2022", "Previously, it was 5 GB", "used to be 5 GB".
func (p *Text) ended() {
	for i := range p.Clauses {
		c := &p.Clauses[i]
		led := i > 0 && p.Clauses[i-1].former && p.Clauses[i-1].Sentence == c.Sentence && c.list && !p.Clauses[i-1].verb
		c.Past = c.former && (p.has(*c, "used") || onceOnly[p.Words[c.First].Text]) || c.was && (c.former || led)
	}
}

// onceOnly are words that begin a statement of what was.
var onceOnly = Set("formerly previously originally")

// left reports an amount at i that something has left: raised from 5 GB to 10 GB, up from 5 GB.
func (p *Text) left(i int) bool {
	if i < 2 || p.Words[i].Quantity == nil || !p.Words[i-1].Is(isFrom) {
		return false
	}
	return changes[p.Words[i-2].Text]
}

var changes = Set(`up down raised lowered increased decreased reduced cut changed moved went grew rose fell dropped extended shortened upgraded
	downgraded expanded doubled halved`)

// others finds what is said by others, "According to a forum, …", or told, "In the film, …", and of those from whom somebody differs, "Unlike our
// competitors, where returns are free, …"; and what somebody says for wrong where it is gone on against: "Your colleague says that …, but …".
func (p *Text) others() {
	for i := range p.Clauses {
		c, before := &p.Clauses[i], &p.Clauses[max(0, i-1)]
		same, w, led := c.Sentence == before.Sentence, p.Words[c.First].Text, p.Words[before.First].Text
		c.quoted = c.quoted || same && led == "according" && !p.ownVoice(before.First, before.Last)
		told := i > 0 && same && led == "in" && fiction[p.Words[before.Last-1].Text]
		c.Reported = c.Reported || told || w == "unlike" || same && led == "unlike" && relatives[w]
		if i == 0 || !(adversative[w] || w == "in" && adversative[p.textAt(c.First+1)]) || p.newParagraph(c.First) {
			continue
		}
		for k := i - 1; k >= max(0, i-supposeReach) && p.Clauses[k].Sentence >= c.Sentence-1; k-- {
			if b := &p.Clauses[k]; b.quoted && !p.Words[b.First].Struck {
				b.Reported = true
			}
		}
	}
}

var adversative = Set("but yet however though although nevertheless actually fact reality truth")

// fiction are what tells of what has not been.
var fiction = Set("film movie novel story tale episode dream legend myth")

var relatives = Set("where who which whose that")

// Resumed reports a word ahead of the denial of its clause that a clause soon behind goes on with: the refund of "A refund isn't instant; it
// takes five days", the limit of "The limit isn't 10 but 5".
func (p *Text) Resumed(i int) bool {
	at := int(p.Words[i].Clause)
	c := p.Clauses[at]
	if i > c.First+longestSubject || c.Asked || p.Words[i].Negative || !slices.ContainsFunc(p.Words[i:c.Last], func(w Word) bool { return w.Denial }) ||
		slices.ContainsFunc(p.Words[c.First:i], func(w Word) bool { return w.Denial || w.Is(isAuxiliary) }) {
		return false
	}
	for _, next := range p.Clauses[at+1 : min(len(p.Clauses), at+1+resumeReach)] {
		w := p.Words[next.First].Text
		if w == "it" || w == "they" || w == "but" && !next.verb {
			return true
		}
	}
	return false
}

// resumeReach bounds in clauses how far behind a denial its subject is taken up.
const resumeReach = 3

// longestSubject bounds in words what stands ahead of a denial.
const longestSubject = 8

// Excepts reports a clause that takes something out of what the one before says: "except EU orders", "not admins".
func (p *Text) Excepts(c Clause) bool {
	w := p.Words[c.First]
	return w.Denial && (w.Is(isForward) && w.Text != "no" || w.Text == "not") && !c.verb
}
