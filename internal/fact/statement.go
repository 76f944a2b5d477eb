package fact

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

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
	terms       uint64 // the fact's terms in the statement, including those in headMatches
	matches     []termMatch
	ownTerms    uint64      // the fact's terms in matches only
	headMatches []termMatch // matches in the line that introduces the statement, such as a heading
}

// matchStatements tries the statements of the answer in order, and returns whether one says or contradicts the fact.
func (f *frame) matchStatements(p *english.Text) (out MatchResult) {
	matches, anyDenied := f.matches(p)
	undenied := slices.DeleteFunc(slices.Clone(matches), func(at termMatch) bool { return at.contradicted })
	tried := 0
	for _, s := range statements(f, p, undenied) {
		if !f.covers(s) {
			continue
		}
		if tried++; tried > maxTried {
			break
		}
		s.matches = s.matches[:min(len(s.matches), maxMatches)]
		if !contradicts(f, p, s) {
			return MatchResult{Outcome: Said}
		}
		if out.Outcome == NotFound {
			out = s.contradiction(p)
		}
	}
	if out.Outcome != NotFound || !anyDenied && f.negative == 0 {
		return out
	}
	all := statements(f, p, matches)
	if f.negative != 0 {
		all = undeniedSentences(f, p, matches)
	}
	if i := slices.IndexFunc(all, f.hasEnoughTerms); i >= 0 {
		out = all[i].contradiction(p)
	}
	return out
}

// undeniedSentences returns the sentences that have all terms of a fact but deny nothing. If the fact is a denial, they
// contradict it.
func undeniedSentences(f *frame, p *english.Text, matches []termMatch) (all []statement) {
	for len(matches) > 0 {
		first, last := p.SentenceWords(p.SentenceOf(matches[0].from))
		n, s := 0, statement{}
		for ; n < len(matches) && matches[n].from < last; n++ {
			s.terms |= 1 << matches[n].term
		}
		s.matches, matches = matches[:n], matches[n:]
		denies := false
		for i := first; i < last; i++ {
			denies = denies || p.Denies(i) || p.Words[i].IsDenial || p.Words[i].Negative
		}
		if !denies && bits.OnesCount64(s.terms|f.optional) == len(f.terms) {
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

// termPlaces returns the places at which the answer says a term, or denies its opposite.
func (f *frame) termPlaces(p *english.Text, i int) []place {
	return append(f.terms[i].places(p), f.oppositePlaces(p, i)...)
}

// matches returns the places of the fact's terms, or none if the answer lacks too many of them. anyDenied reports
// whether the answer denies a term that the fact says. If the fact denies a term, the answer may deny it by another
// word: "passwords: never share them" says "never share passwords".
func (f *frame) matches(p *english.Text) (out []termMatch, anyDenied bool) {
	lacks, other := 0, map[int32]bool{} // clauses with the opposite of a term, in which a denial states the term
	for i := range f.terms {
		for _, at := range f.oppositePlaces(p, i) {
			other[p.Words[at.from].Clause] = true
		}
	}
	for i, t := range f.terms {
		had := len(out)
		out = addPlaces(f, out, p, i, other)
		if len(out) == had && t.amount != nil {
			out = addRivals(f, out, p, i)
		}
		if len(out) > had {
			continue
		}
		if lacks++; t.required || !f.isEnough(len(f.terms)-lacks, bits.OnesCount64(f.optional)) {
			return nil, false
		}
	}
	slices.SortFunc(out, func(a, b termMatch) int { return cmp.Compare(a.from, b.from) })
	return out, slices.ContainsFunc(out, func(m termMatch) bool { return m.contradicted })
}

// addPlaces appends the matches of the term i to out. other has the clauses in which a denial states the term.
func addPlaces(f *frame, out []termMatch, p *english.Text, i int, other map[int32]bool) []termMatch {
	t := f.terms[i]
	for _, at := range f.termPlaces(p, i) {
		standing := p.FactualityOf(at.from, f.uses)
		if standing == english.Unsaid {
			continue
		}
		s := termMatch{place: at, term: i, supposed: standing == english.Supposed}
		s.denied = p.Denies(at.from) != other[p.Words[at.from].Clause] || t.negative && f.isLimited && isTakenOut(p, at.from)
		s.contradicted = s.denied && !t.negative && !t.ignoresDenial && !english.IsResumed(p, at.from)
		if p.Words[at.from].Negative && s.denied != t.negative {
			continue
		}
		out = append(out, s)
	}
	return out
}

// addRivals appends the places at which the answer has another amount in place of the amount of the term i.
func addRivals(f *frame, out []termMatch, p *english.Text, i int) []termMatch {
	for k := range p.Words {
		if q := p.Words[k].Quantity; q != nil && f.terms[i].amount.MayConflict(*q) && isAffirmed(f, p, k) {
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
	denied := func(at termMatch) bool { return at.denied && f.negative&(1<<at.term) != 0 }
	return f.hasEnoughTerms(s) &&
		(f.negative == 0 || slices.ContainsFunc(slices.Concat(s.matches, s.headMatches), denied))
}

// hasEnoughTerms reports whether a statement has all required terms and enough of the others. At least one of the terms
// must be said and nowhere only supposed.
func (f *frame) hasEnoughTerms(s statement) bool {
	var supposed uint64
	for _, at := range slices.Concat(s.matches, s.headMatches) {
		if at.supposed {
			supposed |= 1 << at.term
		}
	}
	return f.required&^s.terms == 0 && s.terms&^supposed != 0 &&
		f.isEnough(bits.OnesCount64(s.terms), bits.OnesCount64(f.optional&^s.terms))
}

// statements returns the statements of the answer that have terms of the fact.
func statements(f *frame, p *english.Text, matches []termMatch) (all []statement) {
	var s statement
	k := 0
	for _, x := range p.Phrases() {
		from, mask := k, uint64(0)
		for ; k < len(matches) && matches[k].from < x.Last; k++ {
			mask |= 1 << matches[k].term
		}
		here := matches[from:k]
		switch {
		case mask == 0 && x.StartsSentence && !x.Continues:
			if s.ownTerms != 0 {
				all, s = append(all, s), statement{}
			}
		case mask == 0:
		case s.ownTerms != 0 && (x.Continues || continues(f, p, x, here, s.ownTerms, mask)):
			s.terms, s.ownTerms, s.matches = s.terms|mask, s.ownTerms|mask, matches[k-len(s.matches)-len(here):k]
		default:
			if s.ownTerms != 0 {
				all = append(all, s)
			}
			s = statement{terms: mask, matches: here, ownTerms: mask, headMatches: matchesIn(matches, x.Lead)}
			for _, h := range s.headMatches {
				s.terms |= 1 << h.term
			}
		}
	}
	if s.ownTerms != 0 {
		all = append(all, s)
	}
	return all
}

// matchesIn returns the spots in l, a line that introduces other lines.
func matchesIn(spots []termMatch, l english.Lead) []termMatch {
	from := sort.Search(len(spots), func(i int) bool { return spots[i].from >= l.First })
	to := sort.Search(len(spots), func(i int) bool { return spots[i].from >= l.Last })
	return spots[from:max(from, to)]
}

// continues reports whether a phrase continues the statement before it. A phrase that starts anew, or has a verb of
// its own, must say only what the fact says. Any other phrase must begin with a term of the fact and repeat none of the
// statement's terms.
func continues(f *frame, p *english.Text, x english.Phrase, here []termMatch, before, mask uint64) bool {
	alien := false
	for i, k := x.First, 0; i < x.Last; i++ {
		for k < len(here) && here[k].to <= i {
			k++
		}
		if k < len(here) && here[k].from <= i || !isContentWord(p, i) {
			continue
		}
		if alien = true; i < here[0].from {
			return false
		}
	}
	if x.StartsSentence || x.HasVerb {
		return !alien && !x.Aside
	}
	return before&mask == 0
}

// isContentWord reports whether the word at i is a content word that could take the place of a word of the fact.
func isContentWord(p *english.Text, i int) bool {
	w := &p.Words[i]
	return p.IsContent(i) && !(strings.HasSuffix(w.Text, "ly") && antonymsByStem[w.Stem] == nil) && !lightVerbs[w.Text]
}
