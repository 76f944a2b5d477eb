package english

import "strings"

// Clause is a part of a sentence that says or denies one thing.
type Clause struct {
	First, Last int // words, half open
	Sentence    int32
	negations   int
	Hedged      bool
	Supposed    bool // if, whether
	Asked       bool // and without a yes or no behind it
	Presumed    bool // by a question that asks for more: "When does it open?"
	Reported    bool // said of or by others, who may be wrong
	Past        bool // said of a past that has ended: "was free until May"
	quoted      bool // as somebody's words, which answers rest on
	was, former bool
	list        bool // begins after a comma
	Inner       bool // goes on with the one before without a mark: "no …", "that is …"
	verb        bool // says something of its own: "MFA is required", "it", and not "not admins"
}

// Negative reports a clause that denies what it holds: an odd number of denials.
func (c Clause) Negative() bool { return c.negations%2 == 1 }

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
	auxiliaries = Set(`is are was were be been being am do does did has have had will would shall should can could may might must
		need needs`)
	forward = Set("no without neither nor none nothing nobody nowhere except excluding")
	Denying = Set(`不 非 未 pas nicht kein keine keinen keiner keinem nie niet ikke inte não не not never neither nor none nothing nobody nowhere without except excluding hardly scarcely unable
		prohibit prohibits prohibited prohibiting forbid forbids forbidden forbidding ban bans banned disallow disallows
		refuse refuses refused deny denies denied lack lacks lacking avoid avoids avoided refrain forget forgets neglect neglects
		omit omits omitted refute refutes refuted debunk debunks debunked disprove disproves disproved disproven`)
	ceasing     = Set("stop stops stopped cease ceases ceased quit")
	questioning = Set("doubt doubts disputes disagree disagrees")
	opening     = Set("if whether suppose supposing assuming")
	imagining   = Set("imagine pretend")
	resuming    = Set("it that this they he she we you i there")
	hedging     = Set(`may might could depends depending sometimes occasionally possible possibly perhaps maybe probably likely potentially
		arguably presumably apparently seems seem appears appear unclear uncertain unsure conceivably usually generally typically`)
)

// divide cuts the words into clauses and settles what each of them denies.
func (p *Text) divide() {
	p.Clauses = make([]Clause, 0, len(p.Words)/6+1)
	sentence, from, before, m := int32(0), 0, seamless, 0
	for i := range p.Words {
		var e edge
		e, m = p.edge(i, m)
		if i == 0 || e == seamless && !p.begins(i) || p.Words[i].Amount && p.Words[i].Quantity == nil {
			continue
		}
		p.split(from, i, sentence, before)
		from, before = i, e
		if e >= stop {
			sentence++
		}
	}
	p.split(from, len(p.Words), sentence, before)
	p.ask()
	p.settle()
	p.lists()
	p.columns()
	p.rows()
	p.values()
	p.suppose()
	p.report()
	p.ended()
	p.others()
}

// edge returns what stands before the word at i; m is the first mark not yet passed.
func (p *Text) edge(i, m int) (edge, int) {
	e := seamless
	for ; m < len(p.Marks) && p.Marks[m].At <= i; m++ {
		switch r := p.Marks[m].Rune; r {
		case '.':
			within := i > 0 && p.Words[i].Start == p.Words[i-1].End+1 && !p.Upper(i) // northwind.org
			if i == 0 || !within && !abbreviations[p.Words[i-1].Text] {
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

// begins reports a word that begins a clause of its own.
func (p *Text) begins(i int) bool {
	w := &p.Words[i]
	reason := w.Is(isReason) && !w.Is(isNegation) && !p.Words[i-1].Is(isAuxiliary)
	return reason || w.Is(isClausal) && !(w.Text == "but" && p.Words[i-1].Text == "anything" || w.Text == "yet" && !p.Parted(i)) || w.Is(isOpening)
}

// split cuts words between two marks where another verb or a denial begins, and appends the clauses.
func (p *Text) split(from, to int, sentence int32, before edge) {
	start, verb, relative, inner := from, false, false, false
	cut := func(at int) {
		p.clause(start, at, sentence, before, inner)
		start, verb, before, inner = at, false, seamless, true
	}
	for i := from; i < to; i++ {
		w := p.Words[i].Text
		switch {
		case i == start:
		case p.denialBegins(i, verb), (w == "and" || w == "or") && p.another(i, to, verb):
			cut(i)
			relative = false
		case (w == "who" || w == "which" || w == "that") && i+1 < to && (p.Words[i+1].Is(isAuxiliary) || p.Words[i+1].Text == "never"):
			cut(i)
			relative = true
		case relative && i > start+2 && p.Words[i].Is(isAuxiliary) && !p.Words[i-1].Is(isAuxiliary) && p.Words[i-1].Text != "to" && p.Words[i-1].Text != "and":
			cut(i)
			relative = false
		}
		verb = verb || p.Words[i].Is(isAuxiliary)
	}
	p.clause(start, to, sentence, before, inner)
}

// denialBegins reports a denial at i that reaches forward only: "MFA with no exceptions", "an app, not SMS".
func (p *Text) denialBegins(i int, verb bool) bool {
	if !p.Words[i].Is(IsDenier) {
		return p.frees(i)
	}
	w, next := p.Words[i].Text, p.textAt(i+1)
	switch {
	case w == "not":
		return !verb && !p.comparesNext(i)
	case w == "no":
		return next != "longer" && !p.comparesNext(i)
	case w == "without":
		return !certainly[next]
	}
	return p.Words[i].Is(isForward)
}

// certainly are words that "without" only stresses.
var certainly = Set("delay undue doubt question fail exception exceptions hesitation")

// statementReach bounds in words how far behind an "and" its verb is looked for.
const statementReach = 24

// another reports an "and" or "or" at i behind which a statement of its own begins.
func (p *Text) another(i, to int, verb bool) bool {
	if !verb {
		return false
	}
	for j := i + 1; j < min(to, i+statementReach); j++ {
		if p.Words[j].Is(isAuxiliary) || j == i+1 && p.Words[j].Is(isResuming) {
			return true
		}
	}
	return false
}

func (p *Text) clause(from, to int, sentence int32, before edge, inner bool) {
	if from >= to {
		return
	}
	c := Clause{First: from, Last: to, Sentence: sentence, Inner: inner, list: before == comma}
	c.verb = p.Words[from].Is(isResuming)
	for i := from; i < to; i++ {
		w := &p.Words[i]
		w.Clause = int32(len(p.Clauses))
		c.verb = c.verb || w.Is(isAuxiliary)
		if w.Negative {
			if ahead := p.ahead(i); ahead >= from && (p.Words[ahead].Is(isAuxiliary) || p.Words[ahead].Text == "not") {
				w.Negative, w.Denial = false, true // "MFA is optional" denies as "is not required" does
			}
		}
		w.Denial = w.Denial || w.Is(IsDenier) && p.negates(i)
		freed, suffixed := p.frees(i), p.suffixed(i)
		if freed || suffixed {
			w.Class |= IsFunction // it denies, and says nothing by itself
		}
		if suffixed {
			p.Words[i-1].Negative = !p.Words[i-1].Negative
		}
		if freed || w.Denial && !p.waives(i) {
			c.negations++
		}
		c.Hedged = c.Hedged || w.Is(IsHedge) && !w.Amount
		c.Supposed = c.Supposed || i == from && (w.Is(isOpening) || imagining[w.Text])
		c.Reported = c.Reported || w.Is(isReporter) && p.reports(from, i)
		c.quoted = c.quoted || w.Is(isSaying) && p.tells(from, i)
		c.was = c.was || w.Is(isPast) || i > from && w.Past() && p.Content(i-1)
		c.former = c.former || w.Is(isFormer) && p.ends(i, to)
	}
	p.Clauses = append(p.Clauses, c)
}

// ahead is the place of the word before the one at i and its "non".
func (p *Text) ahead(i int) int {
	if i > 0 && p.Words[i].Glued && p.Words[i-1].Text == "non" {
		i--
	}
	return i - 1
}

// negates reports a word that denies its clause.
func (p *Text) negates(i int) bool {
	w, next := p.Words[i].Text, p.joined(i+1)
	switch {
	case w == "not" && i > 0 && p.Words[i-1].Text == "or" && (i+1 == len(p.Words) || p.Parted(i+1)):
		return false
	case w == "not" || w == "no" || w == "never":
		return !notOnly[next] && !overstating[next] && next != "doubt" && next != "question" && next != "matter" && !(next == "be" && p.textAt(i+2) == "more") && !p.comparesNext(i)
	case next == "but" && (w == "nobody" || w == "none" || w == "nothing"), w == "no" && next == "one" && p.textAt(i+2) == "but":
		return false // "nobody but residents"
	case w == "against":
		return i > 0 && advising[p.Words[i-1].Text]
	case denyingWith[w] != "":
		return next == denyingWith[w]
	case ceasing[w]:
		return strings.HasSuffix(next, "ing")
	case w == "without":
		return !certainly[next]
	case questioning[w]:
		return next == "that" && !(i > 0 && stressing[p.Words[i-1].Text])
	case Untruths[w] || w == "myth" || w == "misconception":
		return next == "that" || next == "to" || next == "is" && p.textAt(i+2) == "that" || i > 0 && p.MarkBefore(i) == 0 && (p.Words[i-1].Is(isAuxiliary) || p.Words[i-1].Text == "a" || p.Words[i-1].Text == "not")
	}
	return Denying[w] && !p.Words[i].Negative
}

// denyingWith are words that deny with another one behind them.
var denyingWith = map[string]string{"far": "from", "anything": "but", "opposed": "to", "contrary": "to", "mistake": "to", "fail": "to", "fails": "to", "failed": "to",
	"failing": "to", "short": "of", "opposite": "of", "instead": "of", "other": "than", "rather": "than"}

// advising are words behind which "against" tells what not to do.
var advising = Set(forms("recommend advise decide warn vote counsel"))

// overstating are what one "cannot" do enough, which denies nothing: I cannot stress this enough.
var overstating = Set("stress emphasise emphasize overstate overemphasise overemphasize")

// stressing are words behind which "doubt that" stresses what follows.
var stressing = Set("no without any beyond little")

// comparesNext reports a denial that only turns a comparison of amounts: "no later than", "must not exceed 14 days".
func (p *Text) comparesNext(i int) bool {
	for j := i + 1; j < min(i+4, len(p.Words)); j++ {
		switch w := p.Words[j].Text; w {
		case "be", "any", "take", "last":
			continue
		default:
			behind := p.textAt(j + 1)
			if j == i+1 && p.Content(j) && !p.Words[j].Is(IsComparison) && p.textAt(j+2) == "than" && !p.Parted(j+1) {
				continue // not bring more than
			}
			if w == "longer" && p.Words[j-1].Text == "no" {
				return behind == "than"
			}
			return p.Words[j].Is(IsComparison) && (behind == "than" || behind == "of" || j+1 < len(p.Words) && p.Words[j+1].Amount)
		}
	}
	return false
}
