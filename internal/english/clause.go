package english

import "slices"

// Clause is a part of a sentence that says or denies one thing.
type Clause struct {
	First, Last int // the clause is words[First:Last] of the text
	Sentence    int32
	negations   int
	Hedged      bool
	Supposed    bool // begins with "if", "whether", "suppose" or the like
	Asked       bool // a question that no "yes" or "no" answers
	Reported    bool // says something about others or by others, who may be wrong
	Past        bool // is about a past that has ended: "was free until May"
	quoted      bool // repeats the words of somebody else; Uses.Quoted says whether they count
	was, former bool
	list        bool // begins after a comma, as an item of a list does
	Inner       bool // continues the clause before it without a mark between them: "no …", "that is …"
	verb        bool // has an auxiliary or begins with a pronoun, as "MFA is required" has and "not admins" has not
}

// Negative reports whether the clause denies what it says: it has an odd number of denials.
func (c Clause) Negative() bool { return c.negations%2 == 1 }

// edge is the kind of boundary between two words.
type edge uint8

const (
	seamless edge = iota
	comma
	colon // a colon, or another mark that divides a sentence
	stop  // the end of a sentence
	question
)

// Pass is one step that corrects or completes the clauses of a text.
type Pass struct {
	Name string
	run  func(p *Text)
}

// Passes are the steps that run, in this order, after a text is cut into clauses. Tests switch some of them off.
var Passes = []Pass{
	{"a question and its reply", markQuestions},
	{"what a clause hands on to the next", carryOn},
	{"a list under a denial", denyListed},
	{"a column of what is not true", denyColumns},
	{"a row of what is not true", denyRows},
	{"a value that denies its key", denyValues},
	{"what would be", markSupposed},
	{"what is quoted", markQuoted},
	{"what was", markPast},
	{"what others say", markOthersViews},
}

// splitClauses cuts the words of the text into clauses. It determines what each clause denies, asks, supposes and
// quotes.
func splitClauses(p *Text) {
	p.Clauses = make([]Clause, 0, len(p.Words)/6+1)
	sentence, from, before, m := int32(0), 0, seamless, 0
	for i := range p.Words {
		var e edge
		e, m = edgeAt(p, i, m)
		if i == 0 || e == seamless && !beginsClause(p, i) || p.Words[i].InAmount && p.Words[i].Quantity == nil {
			continue
		}
		split(p, from, i, sentence, before)
		from, before = i, e
		if e >= stop {
			sentence++
		}
	}
	split(p, from, len(p.Words), sentence, before)
	for _, pass := range Passes {
		pass.run(p)
	}
}

// edgeAt returns the edge before the word at i, and the index of the first mark after that edge. m is the index of the
// first mark to read.
func edgeAt(p *Text, i, m int) (edge, int) {
	e := seamless
	for ; m < len(p.Marks) && p.Marks[m].At <= i; m++ {
		switch r := p.Marks[m].Rune; r {
		case '.':
			within := i > 0 && p.Words[i].Start == p.Words[i-1].End+1 && !p.IsCapitalized(i) // northwind.org
			if i == 0 || !within && !shortened[p.Words[i-1].Text] {
				e = max(e, stop)
			}
		case '!', '…', '\n':
			e = max(e, stop)
		case '?':
			e = question
		case ',':
			e = max(e, comma)
		case ';', ':', Arrow, '(', ')', '[', ']', '–', '—', '|', '•':
			e = max(e, colon)
		}
	}
	return e, m
}

// beginsClause reports whether the word at i begins a clause of its own.
func beginsClause(p *Text, i int) bool {
	w := &p.Words[i]
	anything := w.Text == "but" && p.Words[i-1].Text == "anything"
	if w.Is(isReason) && !w.Is(isNegation) {
		return !p.Words[i-1].Is(isAuxiliary)
	}
	return w.Is(isClausal) && !anything && !(w.Text == "yet" && !p.HasMarkBefore(i)) || w.Is(isOpening)
}

// split divides words[from:to], which no mark separates, into clauses and appends them to the text. A clause begins at
// a denial, at a relative clause, after a relative clause, and at an "and" that another statement follows. In another
// language, it begins at an "and" after a denial if a verb follows.
func split(p *Text, from, to int, sentence int32, before edge) {
	start, verb, relative, denied, inner := from, false, false, false, false
	for i := from; i < to; i++ {
		w := &p.Words[i]
		begins := i+1 < len(p.Words) && p.Words[i+1].Is(isAuxiliary) && relatives[w.Text]
		ends := relative && i > start+2 && w.Is(isAuxiliary) && !p.Words[i-1].Is(isAuxiliary)
		and := verb && another(p, i, to) || denied && anotherForeign(p, i)
		if i > start && (begins || ends || and || denialBegins(p, i, verb)) {
			addClause(p, start, i, sentence, before, inner)
			start, verb, relative, denied, before, inner = i, false, begins, false, seamless, true
		}
		verb, denied = verb || w.Is(isAuxiliary), denied || w.Is(IsDenier) && denying[w.Text]
	}
	addClause(p, start, to, sentence, before, inner)
}

// statementReach is the number of words after an "and" in which a verb is searched for.
const statementReach = 24

// another reports whether the word at i is an "and" that begins another statement, with a verb of its own.
func another(p *Text, i, to int) bool {
	return p.Words[i].Text == "and" &&
		slices.ContainsFunc(p.Words[i+1:min(to, i+statementReach)], func(w Word) bool { return w.Is(isAuxiliary) })
}

// anotherForeign reports whether the word at i is an "and" of another language that begins another statement: a verb
// follows.
func anotherForeign(p *Text, i int) bool {
	return foreignAnds[p.Words[i].Text] && foreignVerbs[textAt(p, i+1)]
}

// addClause appends words[from:to] to the text as a clause.
func addClause(p *Text, from, to int, sentence int32, before edge, inner bool) {
	if from >= to {
		return
	}
	first := &p.Words[from]
	c := Clause{First: from, Last: to, Sentence: sentence, Inner: inner, list: before == comma}
	c.verb, c.Supposed = first.Is(isResuming), first.Is(isOpening) || imagining[first.Text]
	for i := from; i < to; i++ {
		p.Words[i].Clause = int32(len(p.Clauses))
		if addsDenial(p, from, i) {
			c.negations++
		}
		c.addWord(p, i)
	}
	p.Clauses = append(p.Clauses, c)
}

// addWord notes what the word at i tells of its clause.
func (c *Clause) addWord(p *Text, i int) {
	w := &p.Words[i]
	c.verb = c.verb || w.Is(isAuxiliary)
	c.Hedged = c.Hedged || w.Is(IsHedge) && !w.InAmount
	c.Reported = c.Reported || w.Is(isReporter) && joinedAt(p, i+1) == "that" && !ownVoice(p, c.First, i)
	c.quoted = c.quoted || w.Is(isSaying) && !ownVoice(p, c.First, i)
	c.was = c.was || w.Is(isPast) || i > c.First && w.IsPastForm() && p.IsContent(i-1)
	c.former = c.former || w.Is(isFormer) && endsPast(p, i, c.Last)
}

func has(p *Text, c *Clause, any ...string) bool {
	return slices.ContainsFunc(p.Words[c.First:c.Last], func(w Word) bool { return slices.Contains(any, w.Text) })
}

// within reports whether there is a word at i, in the same sentence as the word at j.
func within(p *Text, i, j int) bool {
	return i < len(p.Words) && p.SentenceOf(i) == p.SentenceOf(j)
}
