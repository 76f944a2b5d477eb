package fact

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// reading is a fact or a claim beside an answer.
type reading struct {
	*frame
	p       *english.Text
	places  [][]place // of each term: where the answer has it, or denies its opposite
	termsOf []termSet // of each word of the answer: the terms that it is part of
	// clauses with the opposite of a term, in which a denial states the term
	turned map[int32]bool
}

// newReading returns f beside an answer. It returns nil if the answer lacks a required term or too many others.
func newReading(f *frame, p *english.Text) *reading {
	r := &reading{frame: f, p: p, places: make([][]place, len(f.terms))}
	for _, t := range f.opposables {
		if !t.complementary || t.term == english.NoWord {
			continue
		}
		for _, at := range placesOfPhrases(p, t.opposites) {
			if r.turned == nil {
				r.turned = map[int32]bool{}
			}
			r.turned[p.Words[at.from].Clause] = true
			r.places[t.term] = append(r.places[t.term], at)
		}
	}
	lacks := 0
	for i, t := range f.terms {
		r.places[i] = append(t.places(p), r.places[i]...)
		if len(r.places[i]) > 0 || t.amount != nil {
			continue
		}
		if lacks++; t.required || !f.isEnough(len(f.terms)-lacks, f.optional.size()) {
			return nil
		}
	}
	return r
}

// termsIn returns the terms of which words[from:to] of the answer have a part. A word that denies itself, such as
// noncompliant, is no part of a term that the fact affirms.
func (r *reading) termsIn(from, to int) (s termSet) {
	if r.termsOf == nil {
		r.termsOf = make([]termSet, len(r.p.Words))
		for i, places := range r.places {
			for _, at := range places {
				for k := at.from; k < at.to && (!r.p.Words[k].Negative || r.negative.has(i)); k++ {
					r.termsOf[k] |= 1 << i
				}
			}
		}
	}
	for i := from; i < to; i++ {
		s |= r.termsOf[i]
	}
	return s
}

// hasOtherWord reports whether one of words[from:to] of the answer is a content word that is none of the fact's terms.
func (r *reading) hasOtherWord(from, to int) bool {
	for i := from; i < to; i++ {
		if isContentWord(r.p, i) && r.termsIn(i, i+1) == 0 {
			return true
		}
	}
	return false
}

// isContentWord reports whether the word at i is a content word that could take the place of a word of the fact.
func isContentWord(p *english.Text, i int) bool {
	w := &p.Words[i]
	return p.IsContent(i) && !(strings.HasSuffix(w.Text, "ly") && antonymsByStem[w.Stem] == nil) && !lightVerbs[w.Text]
}

// termMatch is a place where a term of a fact stands in an answer.
type termMatch struct {
	place
	term         int
	supposed     bool
	denied       bool
	contradicted bool // the answer denies the term, but the fact does not
}

// Bounds of what is looked at, so that the time stays linear in the text.
const (
	maxTerms   = 64 // terms of a fact; further terms are not looked for
	maxMatches = 64 // matches of a statement
	maxTried   = 16 // statements that have enough of a fact
)

// statement is what the answer says about one thing, in phrases that continue each other.
type statement struct {
	terms       termSet // the fact's terms in the statement, including those in headMatches
	matches     []termMatch
	ownTerms    termSet     // the fact's terms in matches only
	headMatches []termMatch // matches in the line that introduces the statement, such as a heading
}

// match tries the statements of the answer in order, and returns whether one says or contradicts the fact.
func (r *reading) match() (out MatchResult) {
	if r == nil {
		return out
	}
	matches := r.matches()
	undenied := slices.DeleteFunc(slices.Clone(matches), func(at termMatch) bool { return at.contradicted })
	tried := 0
	for _, s := range r.statements(undenied) {
		if !r.covers(s) {
			continue
		}
		if tried++; tried > maxTried {
			break
		}
		s.matches = s.matches[:min(len(s.matches), maxMatches)]
		if !contradicts(r, s) {
			return MatchResult{Outcome: Said}
		}
		if out.Outcome == NotFound {
			out = s.contradiction(r.p)
		}
	}
	if out.Outcome != NotFound || len(undenied) == len(matches) && r.negative == 0 {
		return out
	}
	all := r.statements(matches)
	if r.negative != 0 {
		all = undeniedSentences(r, matches)
	}
	if i := slices.IndexFunc(all, r.hasEnoughTerms); i >= 0 {
		out = all[i].contradiction(r.p)
	}
	return out
}

// undeniedSentences returns the sentences that have all terms of a fact but deny nothing. If the fact is a denial, they
// contradict it.
func undeniedSentences(r *reading, matches []termMatch) (all []statement) {
	denies := func(w english.Word) bool { return w.IsDenial || w.Negative }
	for len(matches) > 0 {
		first, last := r.p.SentenceWords(r.p.SentenceOf(matches[0].from))
		n, s := 0, statement{}
		for ; n < len(matches) && matches[n].from < last; n++ {
			s.terms |= 1 << matches[n].term
		}
		s.matches, matches = matches[:n], matches[n:]
		if (s.terms|r.optional).size() == len(r.terms) && !slices.ContainsFunc(r.p.Words[first:last], denies) {
			all = append(all, s)
		}
	}
	return all
}

func (s statement) contradiction(p *english.Text) MatchResult {
	return contradiction(p, s.matches[0].from, s.matches[len(s.matches)-1].from)
}

// contradiction returns the result for words that contradict the fact, the first at from and the last at to. It quotes
// their sentences.
func contradiction(p *english.Text, from, to int) MatchResult {
	first, _ := p.SentenceWords(p.SentenceOf(from))
	_, last := p.SentenceWords(p.SentenceOf(to))
	text := oneLine(p.Source[p.Words[first].Start:p.Words[last-1].End])
	if len(text) > maxQuotedBytes {
		text = ""
	}
	return MatchResult{Contradicted, text}
}

// matches returns the places of the fact's terms that the answer means, in order.
func (r *reading) matches() (out []termMatch) {
	for i, t := range r.terms {
		had := len(out)
		out = r.addPlaces(out, i)
		if len(out) == had && t.amount != nil {
			out = r.addRivals(out, i)
		}
	}
	slices.SortFunc(out, func(a, b termMatch) int { return cmp.Compare(a.from, b.from) })
	return out
}

// addPlaces appends the matches of the term i to out. If the fact denies the term, the answer may deny it by another
// word: "passwords: never share them" says "never share passwords".
func (r *reading) addPlaces(out []termMatch, i int) []termMatch {
	t := r.terms[i]
	for _, at := range r.places[i] {
		standing := r.p.FactualityOf(at.from, r.uses)
		s := termMatch{place: at, term: i, supposed: standing == english.Supposed}
		s.denied = r.p.Denies(at.from) != r.turned[r.p.Words[at.from].Clause]
		s.contradicted = s.denied && !t.negative && !t.ignoresDenial && !english.IsResumed(r.p, at.from)
		if standing != english.Unsaid && (!r.p.Words[at.from].Negative || s.denied == t.negative) {
			out = append(out, s)
		}
	}
	return out
}

// addRivals appends the places at which the answer has another amount in place of the amount of the term i.
func (r *reading) addRivals(out []termMatch, i int) []termMatch {
	for k := range r.p.Words {
		if q := r.p.Words[k].Quantity; q != nil && r.terms[i].amount.MayConflict(*q) && isAffirmed(r, k) {
			out = append(out, termMatch{place: place{k, q.LastWord + 1}, term: i, contradicted: true})
		}
	}
	return out
}

// isEnough reports whether the number of found terms reaches the needed share of the fact's terms. ignorable is the
// number of missing terms that a fact can do without, such as "takes". These terms do not count in the share.
func (f *frame) isEnough(found, ignorable int) bool {
	return found > 0 && float64(found) >= f.strictness.minShare*float64(len(f.terms)-ignorable)-1e-9 // a rounding error
}

// covers reports whether a statement has enough of the fact. If the fact denies terms, the statement must deny one of
// them.
func (f *frame) covers(s statement) bool {
	denied := func(at termMatch) bool { return at.denied && f.negative.has(at.term) }
	return f.hasEnoughTerms(s) && (f.negative == 0 || slices.ContainsFunc(s.matches, denied) ||
		slices.ContainsFunc(s.headMatches, denied))
}

// hasEnoughTerms reports whether a statement has all required terms and enough of the others. At least one of the terms
// must be said and nowhere only supposed.
func (f *frame) hasEnoughTerms(s statement) bool {
	said := s.terms
	for _, at := range slices.Concat(s.matches, s.headMatches) {
		if at.supposed {
			said &^= 1 << at.term
		}
	}
	return f.required&^s.terms == 0 && said != 0 && f.isEnough(s.terms.size(), (f.optional&^s.terms).size())
}

// statements returns the statements of the answer that have terms of the fact.
func (r *reading) statements(matches []termMatch) (all []statement) {
	var s statement
	end := func() {
		if s.ownTerms != 0 {
			all, s = append(all, s), statement{}
		}
	}
	k := 0
	for _, x := range r.p.Phrases() {
		from, own := k, termSet(0)
		for ; k < len(matches) && matches[k].from < x.Last; k++ {
			own |= 1 << matches[k].term
		}
		switch {
		case own == 0 && x.StartsSentence && !x.Continues:
			end()
		case own == 0:
		case s.ownTerms != 0 && (x.Continues || r.continues(x, matches[from].from, s.ownTerms&own != 0)):
			s.terms, s.ownTerms, s.matches = s.terms|own, s.ownTerms|own, matches[from-len(s.matches):k]
		default:
			end()
			s = statement{terms: own, matches: matches[from:k], ownTerms: own, headMatches: matchesIn(matches, x.Lead)}
			for _, h := range s.headMatches {
				s.terms |= 1 << h.term
			}
		}
	}
	end()
	return all
}

// matchesIn returns the spots in l, a line that introduces other lines.
func matchesIn(spots []termMatch, l english.Lead) []termMatch {
	from := sort.Search(len(spots), func(i int) bool { return spots[i].from >= l.First })
	to := sort.Search(len(spots), func(i int) bool { return spots[i].from >= l.Last })
	return spots[from:max(from, to)]
}

// continues reports whether the phrase x, whose first term is at the word first, continues the statement before it. It
// must begin with a term of the fact. If it starts anew, or has a verb of its own, it must say only what the fact says.
// Any other phrase must repeat none of the statement's terms.
func (r *reading) continues(x english.Phrase, first int, repeats bool) bool {
	switch {
	case r.hasOtherWord(x.First, first):
		return false
	case x.StartsSentence || x.HasVerb:
		return !x.Aside && !r.hasOtherWord(first, x.Last)
	}
	return !repeats
}
