package score

import "strings"

// clause is a part of a sentence that says or denies one thing.
type clause struct {
	first, last int // words, half open
	sentence    int32
	negations   int
	hedged      bool
	open        bool // asked, supposed or reported, and so not said
	asked       bool // and without a yes or no behind it
	list        bool // begins after a comma
	apart       bool // begins after a comma, a dash, a bracket or the like
	inner       bool // goes on with the one before without a mark: "no …", "that is …"
}

func (c clause) negative() bool { return c.negations%2 == 1 }

// edge is what stands between two words.
type edge uint8

const (
	seamless edge = iota
	comma
	colon // and every other mark that divides a sentence
	stop  // the end of a sentence
	question
)

var (
	auxiliaries = set(`is are was were be been being am do does did has have had will would shall should can could may might must
		need needs`)
	forward = set("no without neither nor none nothing nobody nowhere except excluding")
	denying = set(`不 非 未 pas nicht kein keine nie niet ikke inte não не not never neither nor none nothing nobody nowhere without except excluding hardly scarcely unable
		prohibit prohibits prohibited prohibiting forbid forbids forbidden forbidding ban bans banned disallow disallows
		refuse refuses refused deny denies denied lack lacks lacking avoid avoids avoided refrain forget forgets neglect neglects
		omit omits omitted refute refutes refuted debunk debunks debunked disprove disproves disproved disproven`)
	ceasing     = set("stop stops stopped cease ceases ceased quit")
	questioning = set("doubt doubts disputes disagree disagrees")
	opening     = set("if whether suppose supposing assuming")
	reporters   = set("alleges alleged allegedly purports purportedly")
	resuming    = set("it that this they he she we you i there")
	hedging     = set(`may might could depends depending sometimes occasionally possible possibly perhaps maybe probably likely potentially
		arguably presumably apparently seems seem appears appear unclear uncertain unsure conceivably usually generally typically`)
)

// divide cuts the words into clauses and settles what each of them denies.
func (p *prose) divide() {
	sentence, from, before, m := int32(0), 0, seamless, 0
	for i := range p.words {
		var e edge
		e, m = p.edge(i, m)
		if i == 0 || e == seamless && !p.begins(i) {
			continue
		}
		p.split(from, i, sentence, before)
		from, before = i, e
		if e >= stop {
			sentence++
		}
	}
	p.split(from, len(p.words), sentence, before)
	p.ask()
	p.settle()
	p.lists()
	p.values()
	p.suppose()
	p.report()
}

// edge returns what stands before the word at i; m is the first mark not yet passed.
func (p *prose) edge(i, m int) (edge, int) {
	e := seamless
	for ; m < len(p.marks) && p.marks[m].at <= i; m++ {
		if p.marks[m].at < i {
			continue
		}
		switch r := p.marks[m].r; r {
		case '.':
			if i == 0 || !abbreviations[p.words[i-1].text] {
				e = max(e, stop)
			}
		case '!', '…', '\n':
			e = max(e, stop)
		case '?':
			e = question
		case ',':
			e = max(e, comma)
		case ';', ':', '(', ')', '[', ']', '–', '—', '|', '•':
			e = max(e, colon)
		}
	}
	return e, m
}

// begins reports a word that begins a clause of its own.
func (p *prose) begins(i int) bool {
	w := p.words[i]
	reason := reasonGiving[w.text] && !p.words[i-1].is(isAuxiliary)
	return reason || w.is(isClausal) && !(w.text == "but" && p.words[i-1].text == "anything" || w.text == "yet" && !p.parted(i)) || w.is(isOpening)
}

// split cuts words between two marks where another verb or a denial begins, and appends the clauses.
func (p *prose) split(from, to int, sentence int32, before edge) {
	start, verb, relative, inner := from, false, false, false
	cut := func(at int) {
		p.clause(start, at, sentence, before, inner)
		start, verb, before, inner = at, false, seamless, true
	}
	for i := from; i < to; i++ {
		w := p.words[i].text
		switch {
		case i == start:
		case p.denialBegins(i, verb), (w == "and" || w == "or") && p.another(i, to, verb):
			cut(i)
			relative = false
		case (w == "who" || w == "which" || w == "that") && i+1 < to && (p.words[i+1].is(isAuxiliary) || p.words[i+1].text == "never"):
			cut(i)
			relative = true
		case relative && i > start+2 && p.words[i].is(isAuxiliary) && !p.words[i-1].is(isAuxiliary) && p.words[i-1].text != "to" && p.words[i-1].text != "and":
			cut(i)
			relative = false
		}
		verb = verb || p.words[i].is(isAuxiliary)
	}
	p.clause(start, to, sentence, before, inner)
}

// denialBegins reports a denial at i that reaches forward only: "MFA with no exceptions", "an app, not SMS".
func (p *prose) denialBegins(i int, verb bool) bool {
	if !p.words[i].is(isDenier) {
		return false
	}
	w, next := p.words[i].text, p.textAt(i+1)
	switch {
	case (w == "instead" || w == "other" || w == "rather") && (next == "of" || next == "than"), w == "opposed" && next == "to":
		return true
	case w == "not":
		return !verb && !p.comparesNext(i)
	case w == "no":
		return next != "longer" && !p.comparesNext(i)
	case w == "without":
		return !certainly[next]
	}
	return p.words[i].is(isForward)
}

// certainly are words that "without" only stresses.
var certainly = set("delay undue doubt question fail exception exceptions hesitation limit limits")

// statementReach bounds in words how far behind an "and" its verb is looked for.
const statementReach = 24

// another reports an "and" or "or" at i behind which a statement of its own begins.
func (p *prose) another(i, to int, verb bool) bool {
	if i+1 < to && (p.words[i+1].text == "not" || p.words[i+1].text == "never") {
		return true
	}
	if !verb {
		return false
	}
	for j := i + 1; j < min(to, i+statementReach); j++ {
		if p.words[j].is(isAuxiliary) || j == i+1 && p.words[j].is(isResuming) {
			return true
		}
	}
	return false
}

func (p *prose) clause(from, to int, sentence int32, before edge, inner bool) {
	if from >= to {
		return
	}
	c := clause{first: from, last: to, sentence: sentence, inner: inner, list: before == comma, apart: before == comma || before == colon}
	for i := from; i < to; i++ {
		p.words[i].clause = int32(len(p.clauses))
		if ahead := p.ahead(i); p.words[i].negative && ahead >= from && (p.words[ahead].is(isAuxiliary) || p.words[ahead].text == "not") {
			p.words[i].negative = false // "MFA is optional" denies as "is not required" does
			p.words[i].denial = true
		}
		p.words[i].denial = p.words[i].denial || p.words[i].is(isDenier) && p.negates(i)
		if p.words[i].denial {
			c.negations++
		}
		c.hedged = c.hedged || p.words[i].is(isHedge)
		c.open = c.open || p.words[i].struck
		c.open = c.open || p.words[i].is(isOpening) && i == from || p.words[i].is(isReporter) && p.reports(i)
	}
	p.clauses = append(p.clauses, c)
}

// ahead is the place of the word before the one at i and its "non".
func (p *prose) ahead(i int) int {
	if i > 0 && p.words[i].glued && p.words[i-1].text == "non" {
		i--
	}
	return i - 1
}

// negates reports a word that denies its clause.
func (p *prose) negates(i int) bool {
	w, next := p.words[i].text, p.textAt(i+1)
	switch {
	case w == "not" || w == "no" || w == "never":
		return !notOnly[next] && next != "doubt" && next != "question" && next != "matter" && !p.comparesNext(i)
	case w == "far":
		return next == "from"
	case w == "anything":
		return next == "but"
	case ceasing[w]:
		return strings.HasSuffix(next, "ing")
	case w == "opposed" || w == "contrary" || w == "mistake":
		return next == "to"
	case w == "short" || w == "opposite":
		return next == "of"
	case w == "fail" || w == "fails" || w == "failed" || w == "failing":
		return next == "to"
	case w == "instead" || w == "other" || w == "rather":
		return next == "of" || next == "than"
	case w == "without":
		return !certainly[next]
	case questioning[w]:
		return next == "that" && !(i > 0 && stressing[p.words[i-1].text])
	case untruths[w] || w == "myth" || w == "misconception":
		return next == "that" || next == "to" || i > 0 && (p.words[i-1].is(isAuxiliary) || p.words[i-1].text == "a" || p.words[i-1].text == "not")
	}
	return denying[w] && !p.words[i].negative
}

// stressing are words behind which "doubt that" stresses what follows.
var stressing = set("no without any beyond little")

// reports reports a word at i that tells what somebody else says.
func (p *prose) reports(i int) bool {
	if opinions[p.words[i].text] {
		return i > 0 && speakers[p.words[i-1].text]
	}
	return reporters[p.words[i].text] || p.textAt(i+1) == "that"
}

// What somebody else is said to say: "some people believe", "critics argue".
var (
	opinions = set("believe think say argue assume suppose hold")
	speakers = set("people some many few others critics users customers rumours rumors sources skeptics sceptics")
)

// comparesNext reports a denial that only turns a comparison of amounts: "no later than", "must not exceed 14 days".
func (p *prose) comparesNext(i int) bool {
	for j := i + 1; j < min(i+4, len(p.words)); j++ {
		switch w := p.words[j].text; w {
		case "be", "any", "take", "last":
			continue
		default:
			behind := p.textAt(j + 1)
			return p.words[j].is(isComparison) && (behind == "than" || behind == "of" || j+1 < len(p.words) && p.words[j+1].amount)
		}
	}
	return false
}

// ask opens the sentences that end in a question mark. A yes behind one says what it asks, a no denies it.
func (p *prose) ask() {
	for _, m := range p.marks {
		if m.r != '?' || m.at == 0 || m.at > len(p.words) {
			continue
		}
		at := p.words[m.at-1].clause
		sentence := p.clauses[at].sentence
		if _, known := p.replies[sentence]; known {
			continue
		}
		if p.replies == nil {
			p.replies = map[int32]string{}
		}
		answer := p.reply(p.clauses[at].last)
		p.replies[sentence] = answer
		for ; at >= 0 && p.clauses[at].sentence == sentence; at-- {
			c := &p.clauses[at]
			c.open, c.asked = answer != "yes", answer == ""
			if answer == "no" {
				c.negations++
			}
		}
	}
}

func (p *prose) asks(sentence int32) bool {
	_, ok := p.replies[sentence]
	return ok
}

// replyWords bounds in words a reply that does not begin with yes or no.
const replyWords = 3

// reply returns the yes or no that begins at a word, "no" for "Unfortunately not.", else "".
func (p *prose) reply(at int) string {
	for i := at; i < min(at+replyWords, len(p.words)); i++ {
		w := p.words[i].text
		if i == at && (w == "yes" || w == "no") {
			return w
		}
		if w == "not" && !p.within(i+1, i) {
			return "no"
		}
	}
	return ""
}
