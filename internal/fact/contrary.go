package fact

import (
	"iter"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// check is one way in which a statement that has enough of a fact may contradict it or say less.
type check struct {
	name   string
	claims bool // it also acquits of a claim; the others make a fact stricter
	finds  func(f *Fact, p *english.Text, s statement) bool
}

// checks are tried in their order. `go test -run Carries -v` prints how often each decides on each data set.
var checks = []check{
	{"opposite", true, (*Fact).opposite},
	{"rival amount", true, (*Fact).rivalAmount},
	{"rival word", false, (*Fact).rivalWord},
	{"exchanged", true, (*Fact).exchanged},
	{"to come", true, (*Fact).toCome},
	{"part only", true, (*Fact).partOnly},
	{"depends", false, (*Fact).depends},
	{"recanted", false, (*Fact).recanted},
}

// against reports a statement that a check finds to contradict the fact.
func (f *Fact) against(p *english.Text, s statement) bool {
	return slices.ContainsFunc(checks, func(c check) bool { return (c.claims || !f.meant.Sure) && c.finds(f, p, s) })
}

// contraries are the words of a fact that an answer could turn round.
type contraries struct {
	turns []turn
	names []int  // terms that are proper names or acronyms
	slots []slot // its terms in their order, if two of them that change places turn it round
	all   []int  // terms of which it speaks as of all: every employee
	whole bool   // it holds of all, or always
	limit bool   // it says itself that it holds only of some
	so    bool   // it says that something is so or was done, not that it has to, may or will be
	past  []bool // terms that are verbs of what was done
}

// turn is a word of a fact that has opposites, with the terms beside it; none is english.NoWord.
type turn struct {
	side
	term          int  // of the word itself
	before, after int  // terms
	directed      bool // it belongs to what stands behind it: must, before
}

// How far in words another word stands from those that it stands beside, and how much of a sentence is looked at.
const (
	besideReach = 3
	aroundReach = 24
)

var (
	articles  = english.Set("a an the any all their its his her our your to")
	universal = english.Set("all every each any everybody everyone both always daily")
	partial   = english.Set("some many most few several certain selected either neither one")
	almost    = english.Set("almost nearly virtually practically not")
	excepting = english.Set("except excluding unless")
	limiting  = []string{"only", "sole", "exclus"} // stems
)

// contrary returns what of the fact's own words an answer could turn round.
func (f *Fact) contrary() (c contraries) {
	p := f.Text
	c.slots, c.past = f.exchangeable(), make([]bool, len(f.terms))
	maybe := false
	for i := range p.Words {
		w, before, after := &p.Words[i], f.beside(i, -1), f.beside(i, 1)
		if before != english.NoWord || after != english.NoWord {
			c.turns = f.addTurns(c.turns, turn{term: f.of[i], before: before, after: after}, i)
		}
		if f.properName(i) {
			c.names = append(c.names, f.of[i])
		}
		maybe = maybe || toBe(p, i) || w.Is(english.IsDuty|english.IsHedge) || modals[w.Text]
		if w.Past() && f.of[i] != english.NoWord && (i == 0 || !present[p.Words[i-1].Text]) {
			c.past[f.of[i]], c.so = true, true
		}
		c.so = c.so || being[w.Text]
		c.limit = c.limit || slices.Contains(limiting, w.Stem) || excepting[w.Text]
		f.speaksOfAll(&c, i)
	}
	maybe = maybe || !(&term{forms: pending}).all(p, func(place) bool { return false })
	c.so = c.so && !maybe
	return c
}

// speaksOfAll notes what a word at i such as "every" makes the fact speak of as of all.
func (f *Fact) speaksOfAll(c *contraries, i int) {
	k := skip(f.Text, i+1, articles)
	if !universal[f.Text.Words[i].Text] || k == len(f.of) {
		return
	}
	c.whole = true
	if f.of[k] != english.NoWord && !f.Text.Words[k].Is(english.IsSpan) {
		c.all = append(c.all, f.of[k])
	}
}

// toBe reports a "to be" at i.
func toBe(p *english.Text, i int) bool {
	return p.Words[i].Text == "to" && i+1 < len(p.Words) && being[p.Words[i+1].Text]
}

// addTurns appends the opposites of the fact's word at i, with the terms beside it that t has. What one need not, one
// may: a duty that is denied has none.
func (f *Fact) addTurns(turns []turn, t turn, i int) []turn {
	w := &f.Text.Words[i]
	for _, s := range against[w.Stem] {
		if !w.Amount && !(w.Is(english.IsDuty) && f.Text.Denies(i)) && stands(f.Text.Words, i, s.phrase) {
			t.side, t.directed = s, w.Is(english.IsFunction|english.IsDuty)
			turns = append(turns, t)
		}
	}
	return turns
}

// beside returns the next term in a direction, within the clause of the word at i if that has others; none is
// english.NoWord.
func (f *Fact) beside(i, step int) int {
	c := f.Text.Clauses[f.Text.Words[i].Clause]
	another := func(t int) bool { return t != english.NoWord && t != f.of[i] }
	alone := !slices.ContainsFunc(f.of[c.First:c.Last], another)
	for j := i + step; j >= 0 && j < len(f.of) && (alone || j >= c.First && j < c.Last); j += step {
		if another(f.of[j]) {
			return f.of[j]
		}
	}
	return english.NoWord
}

// properName reports a word of the fact that is a name: with a capital, but not because it begins a sentence.
func (f *Fact) properName(i int) bool {
	p := f.Text
	upper := func(i int) bool {
		return i < len(p.Words) && p.Upper(i) && f.of[i] != english.NoWord && !p.Words[i].Amount
	}
	starts := i == 0 || p.Sentence(i) != p.Sentence(i-1)
	return upper(i) && f.terms[f.of[i]].address == "" && (!starts || p.Words[i].Capitals || upper(i+1))
}

// skip returns the first word from i on that is none of a set, or one behind the text if a mark comes first.
func skip(p *english.Text, i int, words map[string]bool) int {
	for i < len(p.Words) && words[p.Words[i].Text] && !p.Parted(i) {
		i++
	}
	if i < len(p.Words) && p.Parted(i) {
		return len(p.Words)
	}
	return i
}

// turnedClauses returns the clauses of an answer that say something by the other word for it, denied: "isn't open" of
// what is closed; or by a bound from its other side, denied. There, what is denied is said, and what is said denied.
func (f *Fact) turnedClauses(p *english.Text) map[int32]bool {
	turned := map[int32]bool{}
	for i := range f.terms {
		for at := range f.others(p, i) {
			turned[p.Words[at.from].Clause] = true
		}
	}
	return turned
}

// others yields the places of the other of a term: another word, or a bound from its other side.
func (f *Fact) others(p *english.Text, i int) iter.Seq[place] {
	return func(yield func(place) bool) {
		if t := f.terms[i]; t.bounded() && !each(p, t.beyondAt, yield) {
			return
		}
		for _, t := range f.turns {
			if t.whole && t.term == i && !(&term{forms: t.other}).all(p, yield) {
				return
			}
		}
	}
}

// opposite reports that the answer says the opposite of a word among more of the fact's terms than it says the word.
func (f *Fact) opposite(p *english.Text, _ statement) bool {
	return slices.ContainsFunc(f.turns, func(t turn) bool {
		return !t.whole && f.most(p, t, t.other, true) > f.most(p, t, t.own, t.directed)
	})
}

// most returns how many of the fact's terms stand around one of some phrases at most; fits asks that the phrase
// stands
// in the place of the fact's word.
func (f *Fact) most(p *english.Text, t turn, phrases [][]string, fits bool) (most int) {
	for at := range (&term{forms: phrases}).find(p) {
		if f.affirmed(p, at.from) && (!fits || f.fits(p, at, t)) {
			most = max(most, f.around(p, at.from))
		}
	}
	return most
}

// around counts the fact's terms in the sentence around a word.
func (f *Fact) around(p *english.Text, at int) (n int) {
	first, last := max(0, at-aroundReach), min(len(p.Words), at+aroundReach)
	for t := range f.terms {
		for j := first; j < last; j++ {
			if p.Sentence(j) == p.Sentence(at) && f.terms[t].standsAt(p, j) > 0 {
				n++
				break
			}
		}
	}
	return n
}

func (f *Fact) affirmed(p *english.Text, at int) bool {
	return !p.Denies(at) && p.Standing(at, f.meant) != english.Unsaid && !(at > 0 && p.Words[at-1].Text == "not")
}

// fits reports that beside a place stand the terms that stand beside the fact's word.
func (f *Fact) fits(p *english.Text, at place, t turn) bool {
	beside := func(term, step int) bool {
		return slices.ContainsFunc(besides(p, at, step), func(i int) bool { return f.terms[term].standsAt(p, i) > 0 })
	}
	if t.directed && t.after == english.NoWord {
		return beside(t.before, -1)
	}
	return t.after == english.NoWord || beside(t.after, 1) || !t.directed && beside(t.after, -1)
}

// besides returns the words beside a place in a direction, up to the third one with content, in the same clause.
func besides(p *english.Text, at place, step int) (out []int) {
	c, j := p.Clauses[p.Words[at.from].Clause], at.to
	if step < 0 {
		j = at.from - 1
	}
	for reach := besideReach; reach > 0 && j >= c.First && j < c.Last; j += step {
		out = append(out, j)
		if p.Content(j) {
			reach--
		}
	}
	return out
}

// rivalAmount reports an amount of the fact's kind beside the term that the fact has the amount of, and nowhere
// beside
// it the amount itself.
func (f *Fact) rivalAmount(p *english.Text, s statement) bool {
	for i, t := range f.terms {
		if t.amount == nil || s.terms&(1<<i) == 0 {
			continue
		}
		stands := func(k int) bool { return t.standsAt(p, k) > 0 }
		rivals := func(k int) bool {
			q := p.Words[k].Quantity
			return q != nil && t.amount.Rivals(*q) && f.affirmed(p, k) && f.other(p, q.Last)
		}
		if holder := f.holder(i); f.inPhrases(p, s, holder, rivals) && !f.inPhrases(p, s, holder, stands) {
			return true
		}
	}
	return false
}

// holder returns the term before an amount of the fact, to which it belongs.
func (f *Fact) holder(term int) int {
	for i := slices.Index(f.of, term) - 1; i >= 0; i-- {
		if t := f.of[i]; t != english.NoWord && f.terms[t].amount == nil {
			return t
		}
	}
	return english.NoWord
}

// inPhrases reports a word of a kind in a phrase of the statement that has a term.
func (f *Fact) inPhrases(p *english.Text, s statement, term int, is func(i int) bool) bool {
	return slices.ContainsFunc(s.spots, func(at spot) bool {
		x := p.PhraseOf(at.from)
		for i := x.First; i < x.Last && at.term == term; i++ {
			if is(i) {
				return true
			}
		}
		return false
	})
}

// rivalWord reports a term that the phrase with most of the fact lacks, and another word that stands there where the
// fact has the term, if the answer has the term elsewhere, both are names, or the other word is the phrase's subject:
// "Trainees get 28 days of leave. Employees get 25 days."
func (f *Fact) rivalWord(p *english.Text, s statement) bool {
	x, at := f.mainPhrase(p, s)
	if len(at) == 0 {
		return false
	}
	for i, t := range f.terms {
		if at[i].to > 0 || lightVerbs[t.text] || t.amount != nil {
			continue
		}
		from, to := gap(i, at, x)
		_, _ = from, to
		if s.terms&(1<<i) != 0 {
			continue
		}
		if f.standsApart(p, i, s, x) {
			return true
		}
		for k := from; k < to; k++ {
			if f.isName(i) && isName(p, k) && f.otherThing(p, k) {
				return true
			}
		}
	}
	return false
}

// mainPhrase returns the phrase that has most of the statement's terms, and the place of each term there.
func (f *Fact) mainPhrase(p *english.Text, s statement) (x english.Phrase, at []place) {
	most := 0
	for k := 0; k < len(s.spots); {
		y, n, in := p.PhraseOf(s.spots[k].from), 0, make([]place, len(f.terms))
		for ; k < len(s.spots) && s.spots[k].from < y.Last; k++ {
			if i := s.spots[k].term; in[i].to == 0 {
				in[i] = s.spots[k].place
				n++
			}
		}
		if n > most {
			x, at, most = y, in, n
		}
	}
	return x, at
}

// gap returns the words of a phrase where the fact has a term that the phrase lacks; none if its neighbors stand
// there
// the other way round.
func gap(term int, at []place, x english.Phrase) (from, to int) {
	from, to = x.First, x.Last
	for i := term - 1; i >= 0; i-- {
		if at[i].to > 0 {
			from = at[i].to
			break
		}
	}
	for i := term + 1; i < len(at); i++ {
		if at[i].to > 0 {
			to = at[i].from
			break
		}
	}
	return from, to
}

var contrasting = english.Set("but whereas while however yet although though unlike")

// standsApart reports a term that stands outside of a phrase, said or not: outside of its statement, or set
// against it.
func (f *Fact) standsApart(p *english.Text, i int, s statement, x english.Phrase) bool {
	for at := range f.places(p, i) {
		y := p.PhraseOf(at.from)
		if y.First == x.First {
			continue
		}
		if s.terms&(1<<i) == 0 || p.MarkBefore(y.First) == ';' || contrasting[p.Words[y.First].Text] {
			return true
		}
	}
	return false
}

// isName reports a term that is a proper name or an acronym of the fact.
func (f *Fact) isName(term int) bool {
	return slices.ContainsFunc(f.names, func(n int) bool { return n == term })
}

// isName reports a word with a capital. One that begins a clause is no name, unless something is its own: Globex's
// CEO.
func isName(p *english.Text, i int) bool {
	w := &p.Words[i]
	c := p.Clauses[w.Clause]
	text := p.Source[w.Start:w.End]
	owner := strings.HasSuffix(text, "'s") || strings.HasPrefix(p.Source[w.End:], "'s")
	return strings.ToLower(text) != text && (i != c.First || c.Inner || owner)
}

// inClause reports a statement with a spot in a clause.
func inClause(s statement, c english.Clause) bool {
	return slices.ContainsFunc(s.spots, func(at spot) bool { return at.from >= c.First && at.from < c.Last })
}

// depends reports a statement of which nothing stands in the condition that it is under, about something else: "If
// the
// reform is passed, …". What "you" do, or any, may be its condition.
func (f *Fact) depends(p *english.Text, s statement) bool {
	if f.meant.Sure {
		return false
	}
	first, last := p.SentenceWords(p.Sentence(s.spots[0].from))
	return slices.ContainsFunc(p.Clauses[p.Words[first].Clause:p.Words[last-1].Clause+1], func(c english.Clause) bool {
		return c.Supposed && c.First+1 < c.Last && p.Words[c.First+1].Text == "the" && !inClause(s, c)
	})
}

// pending are phrases for what is to come.
var pending = phrases(`supposed_to expected_to expected_that plan_to planning_to planned_for scheduled_to set_to due_to_be
	about_to ready_to hope_to aim_to intend_to want_to prepared_for preparing_for working_towards working_toward way_to
	track_to in_progress process_of is_planned is_pending are_pending is_underway is_awaiting are_awaiting is_seeking
	are_seeking is_pursuing are_pursuing`)

var modals = english.Set("may might could would can should will")

// toCome reports that the answer says of what the fact says to be so, or done, that it is to come, or only may be.
func (f *Fact) toCome(p *english.Text, s statement) bool {
	if !f.so {
		return false
	}
	for at := range (&term{forms: pending}).find(p) {
		reader := at.from > 0 && p.Words[at.from-1].Text == "you" || at.from > 1 && p.Words[at.from-2].Text == "you"
		if c := p.Clauses[p.Words[at.from].Clause]; inClause(s, c) && !p.Denies(at.from) && !reader {
			return true
		}
	}
	return slices.ContainsFunc(s.spots, func(at spot) bool {
		first := max(p.Clauses[p.Words[at.from].Clause].First, at.from-besideReach)
		modal := func(w english.Word) bool { return modals[w.Text] }
		return f.past[at.term] && slices.ContainsFunc(p.Words[first:at.from], modal)
	})
}

// recanting are words that begin a sentence which takes back what was said before.
var recanting = english.Set("actually correction corrected update edit note important erratum wait no sorry longer anymore more")

// recanted reports a sentence behind a statement, wherever, that begins with a word which takes back, and denies
// of the
// fact what the statement says, or has another amount: "Correction: the limit is 5 GB."
func (f *Fact) recanted(p *english.Text, s statement) bool {
	last := p.Sentence(len(p.Words) - 1)
	for n := p.Sentence(s.spots[len(s.spots)-1].from) + 1; !f.meant.Sure && n <= last; n++ {
		first, end := p.SentenceWords(n)
		if recanting[p.Words[first].Text] && f.takenBack(p, first, end) {
			return true
		}
	}
	return false
}

// takenBack reports that words[from:to] of an answer deny the fact, or have another amount, and say nothing else.
func (f *Fact) takenBack(p *english.Text, from, to int) (back bool) {
	for i := from; i < to; i++ {
		w := &p.Words[i]
		if w.Amount && w.Quantity == nil || recanting[w.Text] {
			continue
		}
		if q := w.Quantity; q != nil {
			rivals := func(t *term) bool { return t.amount != nil && t.amount.Rivals(*q) }
			back = back || slices.ContainsFunc(f.terms, rivals)
		} else if f.other(p, i) || p.Clauses[w.Clause].Supposed {
			return false
		}
		back = back || p.Denies(i) != (f.negative != 0) && (p.Content(i) || w.Denial)
	}
	return back
}
