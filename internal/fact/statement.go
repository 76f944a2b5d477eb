package fact

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// spot is a place where a term of a fact stands in an answer.
type spot struct {
	place
	term     int
	supposed bool
	denied   bool
	turned   bool // the answer denies the term, but the fact does not
}

// Bounds of what is looked at, so that the time stays linear in the text.
const (
	mostTerms = 64 // terms of a fact; further terms are not looked for
	mostSpots = 64 // spots of a statement
	mostTried = 16 // statements that have enough of a fact
)

// statement is what the answer says about one thing, in phrases that continue each other.
type statement struct {
	terms uint64 // the fact's terms in the statement, including those in head
	spots []spot
	own   uint64 // the fact's terms in spots only
	head  []spot // spots in the line that introduces the statement, such as a heading
}

// stated tries the statements of the answer in order, and returns whether one says or contradicts the fact.
func (f *frame) stated(p *english.Text) (out Reading) {
	spots, turned := f.spots(p)
	tried := 0
	for _, s := range f.statements(p, spots) {
		if !f.holds(s) {
			continue
		}
		if tried++; tried > mostTried {
			break
		}
		s.spots = s.spots[:min(len(s.spots), mostSpots)]
		if !contradicts(f, p, s) {
			return Reading{Outcome: Said}
		}
		if out.Outcome == NotFound {
			out = f.contradicted(p, s)
		}
	}
	if out.Outcome != NotFound || !turned && f.negative == 0 {
		return out
	}
	spots, _ = f.allSpots(p)
	all := f.statements(p, spots)
	if f.negative != 0 {
		all = f.undenied(p, spots)
	}
	if i := slices.IndexFunc(all, f.holdsEnough); i >= 0 {
		out = f.contradicted(p, all[i])
	}
	return out
}

// undenied returns the sentences that have all terms of a fact but deny nothing. If the fact is a denial, they
// contradict it.
func (f *frame) undenied(p *english.Text, spots []spot) (all []statement) {
	for len(spots) > 0 {
		first, last := p.SentenceWords(p.Sentence(spots[0].from))
		n, s := 0, statement{}
		for ; n < len(spots) && spots[n].from < last; n++ {
			s.terms |= 1 << spots[n].term
		}
		s.spots, spots = spots[:n], spots[n:]
		denies := false
		for i := first; i < last; i++ {
			denies = denies || p.Denies(i) || p.Words[i].Denial || p.Words[i].Negative
		}
		if !denies && countTerms(s.terms|f.light) == len(f.terms) {
			all = append(all, s)
		}
	}
	return all
}

// contradicted returns the reading of a statement that contradicts the fact. It quotes the statement's sentences, or
// the later sentence that takes the statement back.
func (f *frame) contradicted(p *english.Text, s statement) Reading {
	from, to := p.Sentence(s.spots[0].from), p.Sentence(s.spots[len(s.spots)-1].from)
	if n := takenBackIn(f, p, s); n >= 0 {
		from, to = n, n
	}
	first, _ := p.SentenceWords(from)
	_, last := p.SentenceWords(to)
	text := oneLine(p.Source[p.Words[first].Start:p.Words[last-1].End])
	if len(text) > mostQuoted {
		text = ""
	}
	return Reading{Contradicted, text}
}

// places yields the places at which the answer says a term, or denies its opposite.
func (f *frame) places(p *english.Text, i int) iter.Seq[place] {
	return func(yield func(place) bool) {
		for at := range f.terms[i].find(p) {
			if !yield(at) {
				return
			}
		}
		f.others(p, i)(yield)
	}
}

// spots returns the places of the fact's terms that are said or supposed, in the order of the answer. turned reports
// whether a term was left out because it is denied.
func (f *frame) spots(p *english.Text) (out []spot, turned bool) {
	all, turned := f.allSpots(p)
	return slices.DeleteFunc(all, func(s spot) bool { return s.turned }), turned
}

// allSpots returns the places of the fact's terms, or none if the answer lacks too many of them. turned reports whether
// the answer denies a term that the fact says. If the fact denies a term, the answer may deny it by another word:
// "passwords: never share them" says "never share passwords".
func (f *frame) allSpots(p *english.Text) (out []spot, turned bool) {
	lacks, other := 0, turnedClauses(f, p)
	for i, t := range f.terms {
		had, negated := len(out), false
		for at := range f.places(p, i) {
			standing := p.Standing(at.from, f.meant)
			if standing == english.Unsaid || f.owns(p, at) {
				continue
			}
			s := spot{place: at, term: i, supposed: standing == english.Supposed}
			s.denied = p.Denies(at.from) != other[p.Words[at.from].Clause]
			s.turned = s.denied && !t.negative && !t.either && !english.Resumed(p, at.from)
			if p.Words[at.from].Negative && s.denied != t.negative {
				negated = true // unvaccinated travelers, of vaccinated ones
				continue
			}
			turned = turned || s.turned
			if out == nil {
				out = make([]spot, 0, 2*len(f.terms))
			}
			out = append(out, s)
		}
		if len(out) > had {
			continue
		}
		if lacks++; t.number || negated || !f.enough(len(f.terms)-lacks, countTerms(f.light)) {
			return nil, false
		}
	}
	slices.SortFunc(out, func(a, b spot) int { return cmp.Compare(a.from, b.from) })
	return out, turned
}

// owns reports whether the term at a place is only the owner of something that the fact does not mention: the patient's
// sister.
func (f *frame) owns(p *english.Text, at place) bool {
	w, k := &p.Words[at.to-1], at.from-1
	if k > 0 && articles[p.Words[k].Text] {
		k--
	}
	if k >= 0 && !border(p, k+1) && p.Words[k].Is(english.IsFunction) && !articles[p.Words[k].Text] {
		return false // at the tenant's expense
	}
	owner := strings.HasSuffix(p.Source[w.Start:w.End], "'s")
	return owner && at.to < len(p.Words) && !p.Parted(at.to) && f.other(p, at.to)
}

// tolerance allows for rounding errors when a share of terms is compared.
const tolerance = 1e-9

// enough reports whether the number of found terms reaches the needed share of the fact's terms. light is the number of
// missing terms that a fact can do without, such as "takes". These terms do not count in the share.
func (f *frame) enough(found, light int) bool {
	return found > 0 && float64(found) >= f.bias.share*float64(len(f.terms)-light)-tolerance
}

// holds reports whether a statement has enough of the fact. If the fact denies terms, the statement must deny one of
// them.
func (f *frame) holds(s statement) bool {
	denied := func(at spot) bool { return at.denied && f.negative&(1<<at.term) != 0 }
	return f.holdsEnough(s) &&
		(f.negative == 0 || slices.ContainsFunc(s.spots, denied) || slices.ContainsFunc(s.head, denied))
}

// holdsEnough reports whether a statement has all numbers and enough of the other terms. At least one of the terms must
// be said and nowhere only supposed.
func (f *frame) holdsEnough(s statement) bool {
	var said, supposed uint64
	for _, part := range [][]spot{s.spots, s.head} {
		for _, at := range part {
			if at.supposed {
				supposed |= 1 << at.term
			} else {
				said |= 1 << at.term
			}
		}
	}
	return f.numbers&^s.terms == 0 && said&^supposed != 0 &&
		f.enough(countTerms(s.terms), countTerms(f.light&^s.terms))
}

// statements returns the statements of the answer that have terms of the fact.
func (f *frame) statements(p *english.Text, spots []spot) (all []statement) {
	var s statement
	k := 0
	for _, x := range p.Phrases() {
		from, mask := k, uint64(0)
		for ; k < len(spots) && spots[k].from < x.Last; k++ {
			mask |= 1 << spots[k].term
		}
		here := spots[from:k]
		switch {
		case mask == 0 && x.Starts && !x.Joins:
			if s.own != 0 {
				all, s = append(all, s), statement{}
			}
		case mask == 0:
		case s.own != 0 && (x.Joins || f.goesOn(p, x, here, s.own, mask)):
			s.terms, s.own, s.spots = s.terms|mask, s.own|mask, spots[k-len(s.spots)-len(here):k]
		default:
			if s.own != 0 {
				all = append(all, s)
			}
			s = statement{terms: mask, spots: here, own: mask, head: under(spots, x.Under)}
			for _, h := range s.head {
				s.terms |= 1 << h.term
			}
		}
		if k == len(spots) {
			break
		}
	}
	if s.own != 0 {
		all = append(all, s)
	}
	return all
}

// under returns the spots in l, a line that introduces other lines.
func under(spots []spot, l english.Lead) []spot {
	from := sort.Search(len(spots), func(i int) bool { return spots[i].from >= l.First })
	to := sort.Search(len(spots), func(i int) bool { return spots[i].from >= l.Last })
	return spots[from:max(from, to)]
}

// goesOn reports whether a phrase continues the statement before it. A phrase that starts anew, or has a subject of its
// own, must say only what the fact says. Any other phrase must begin with a term of the fact and repeat none of the
// statement's terms.
func (f *frame) goesOn(p *english.Text, x english.Phrase, here []spot, before, mask uint64) bool {
	alien := false
	for i, k := x.First, 0; i < x.Last; i++ {
		for k < len(here) && here[k].to <= i {
			k++
		}
		if k < len(here) && here[k].from <= i || !foreign(p, i) {
			continue
		}
		if alien = true; i < here[0].from {
			return false
		}
	}
	if x.Starts || x.Own {
		return !alien && !x.Aside
	}
	return before&mask == 0
}

// foreign reports whether the word at i is a content word that could take the place of a word of the fact.
func foreign(p *english.Text, i int) bool {
	w := &p.Words[i]
	return p.Content(i) && !(strings.HasSuffix(w.Text, "ly") && against[w.Stem] == nil) && !lightVerbs[w.Text]
}

// other reports whether the word at i has content and is none of the fact's terms.
func (f *frame) other(p *english.Text, i int) bool {
	return foreign(p, i) && !slices.ContainsFunc(f.terms, func(t *term) bool { return t.standsAt(p, i) > 0 })
}
