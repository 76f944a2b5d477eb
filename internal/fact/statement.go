package fact

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// spot is a place where a term of a fact stands in an answer and is said, or at least supposed.
type spot struct {
	place
	term             int
	supposed, denied bool
}

// Bounds of what is looked at, so that the time stays linear in the text.
const (
	mostTerms = 64 // of a fact; what else it says is not looked for
	mostSpots = 64 // of a statement, and statements before and behind one
	mostTried = 16 // statements that have enough of a fact
)

// spots are the places of the fact's terms that count, in the order of the answer; not ok if a number has none, if too many others have none, or
// if a term only says whose another thing is. A term that the fact itself denies may stand in a denial or out of it: "passwords: never share
// them" denies what "never share passwords" does.
func (f *Fact) spots(p *english.Text) (out []spot, ok bool) {
	lacks, turned := 0, f.turnedClauses(p)
	for i, t := range f.terms {
		had, owned := len(out), false // owned by something else, or by its opposite
		for at := range f.places(p, i) {
			denied := p.Denies(at.from) != turned[p.Words[at.from].Clause]
			if p.Words[at.from].Negative && denied != t.negative {
				owned = true // unvaccinated travellers, of vaccinated ones
				continue
			}
			if denied && !t.negative && !t.either && !p.Resumed(at.from) {
				continue
			}
			standing, owns := p.Standing(at.from, f.meant), f.owns(p, at)
			owned = owned || owns
			if standing != english.Unsaid && !owns {
				if out == nil {
					out = make([]spot, 0, 2*len(f.terms))
				}
				out = append(out, spot{at, i, standing == english.Supposed, denied})
			}
		}
		if len(out) > had {
			continue
		}
		if lacks++; owned || t.number || !f.enough(len(f.terms)-lacks, bits.OnesCount64(f.light|f.person)) {
			return nil, false
		}
	}
	slices.SortFunc(out, func(a, b spot) int { return cmp.Compare(a.from, b.from) })
	return out, true
}

// statement is what the answer says of one thing: phrases that go on with each other.
type statement struct {
	terms uint64 // of the fact, that it has
	spots []spot
	own   uint64 // without those of the line that it stands under
	row   bool   // of a table
	head  []spot // of the line that it stands under
}

// together reports that the answer says enough of the fact in one statement, in which nothing takes the place of what it lacks. A fact whose
// words stand in what is said of different things is not said.
func (f *Fact) together(p *english.Text, spots []spot) bool {
	all, tried, light := f.statements(p, spots), 0, f.light
	if f.person != 0 && f.speaksTo(p) {
		light |= f.person
	}
	for i, s := range all {
		if !f.holds(s, light) {
			continue
		}
		if tried++; tried > mostTried {
			break
		}
		s.spots = s.spots[:min(len(s.spots), mostSpots)]
		if !s.shifted(p) && !f.depends(p, s) && !elsewhere(s, all[max(0, i-mostSpots):min(len(all), i+mostSpots)]) && !f.replaced(p, s) && !f.contradicted(p, s) && !f.recanted(p, s) {
			return true
		}
	}
	return false
}

// holds reports a statement with all numbers and enough of the other terms, one of what the fact denies denied, that is more than supposed:
// either all numbers and enough of the rest are, or some term that is never supposed.
func (f *Fact) holds(s statement, light uint64) bool {
	var said, supposed, denied uint64
	for _, part := range [][]spot{s.spots, s.head} {
		for _, at := range part {
			bit := uint64(1) << at.term
			if at.supposed {
				supposed |= bit
			} else {
				said |= bit
			}
			if at.denied {
				denied |= bit
			}
		}
	}
	lacks := bits.OnesCount64(light &^ s.terms)
	return f.numbers&^s.terms == 0 && (f.negative == 0 || denied&f.negative != 0) && f.enough(bits.OnesCount64(s.terms), lacks) &&
		(said&^supposed != 0 || f.numbers&^said == 0 && f.enough(bits.OnesCount64(said), lacks))
}

// speaksTo reports an answer that may mean the one whom the fact speaks of, by "you" or without a word: it speaks of nobody else.
func (f *Fact) speaksTo(p *english.Text) bool {
	return !slices.ContainsFunc(p.Words, func(w english.Word) bool { return addressees[w.Stem] })
}

// statements are those of the answer that have terms of the fact.
func (f *Fact) statements(p *english.Text, spots []spot) []statement {
	all := make([]statement, 0, 4)
	phrases := p.Phrases()
	var s statement
	led := false // by words that say nothing of the fact
	for k, i := 0, 0; i < len(phrases) && k < len(spots); i++ {
		x := phrases[i]
		from, mask := k, uint64(0)
		for ; k < len(spots) && spots[k].from < x.Last; k++ {
			mask |= 1 << spots[k].term
		}
		here := spots[from:k]
		goesOn := s.own != 0 && (x.Joins && (!led || x.TakesUp) || mask != 0 && f.goesOn(p, x, here, s.own, mask))
		led = x.Leads && !x.Joins && mask == 0
		switch {
		case led:
		case x.Starts && !x.Joins && mask == 0:
			if s.own != 0 {
				all, s = append(all, s), statement{}
			}
		case mask == 0:
		case goesOn:
			s.terms, s.own, s.spots = s.terms|mask, s.own|mask, spots[k-len(s.spots)-len(here):k]
		default:
			if s.own != 0 {
				all = append(all, s)
			}
			s = statement{terms: mask, spots: here, own: mask, row: x.Row, head: under(spots, x.Under)}
			for _, h := range s.head {
				s.terms |= 1 << h.term
			}
		}
	}
	return append(all, s)
}

// under are the spots in the line which others stand under.
func under(spots []spot, l english.Lead) []spot {
	from := sort.Search(len(spots), func(i int) bool { return spots[i].from >= l.First })
	to := sort.Search(len(spots), func(i int) bool { return spots[i].from >= l.Last })
	return spots[from:max(from, to)]
}

// shifted reports a row of a table with a term in a column whose head has none, where the head of another column has one: the pool is closed on
// Sunday, not the gym.
func (s statement) shifted(p *english.Text) bool {
	if !s.row {
		return false
	}
	first := s.spots[0].from
	for first > 0 && p.Words[first-1].Line == p.Words[first].Line {
		first--
	}
	heads, label := uint64(0), p.Column(first)
	for _, h := range s.head {
		if c := p.Column(h.from); c > label {
			heads |= 1 << min(c, mostTerms-1)
		}
	}
	return heads != 0 && slices.ContainsFunc(s.spots, func(at spot) bool {
		c := p.Column(at.from)
		return c > label && heads&(1<<min(c, mostTerms-1)) == 0
	})
}

// depends reports a statement of which nothing stands in the condition that it is under, about something else: "If the reform is passed, …".
// What "you" do, or any, may be its condition.
func (f *Fact) depends(p *english.Text, s statement) bool {
	first, sentence := s.spots[0].from, p.Sentence(s.spots[0].from)
	for k := max(0, int(p.Words[first].Clause)-1); !f.meant.Sure && k < len(p.Clauses) && p.Clauses[k].Sentence <= sentence; k++ {
		c := p.Clauses[k]
		if c.Sentence == sentence && c.Supposed && c.First+1 < c.Last && p.Words[c.First+1].Text == "the" &&
			!slices.ContainsFunc(s.spots, func(at spot) bool { return at.from >= c.First && at.from < c.Last }) {
			return true
		}
	}
	return false
}

// owns reports a place that only says whose another thing is, of which the text does not speak: the patient's sister.
func (w *wording) owns(p *english.Text, at place) bool {
	last, k := p.Words[at.to-1], at.from-1
	if k > 0 && articles[p.Words[k].Text] {
		k--
	}
	if k >= 0 && !p.Parted(k+1) && p.Words[k].Is(english.IsFunction) && !articles[p.Words[k].Text] {
		return false // at the tenant's expense
	}
	return strings.ContainsRune(p.Source[last.Start:last.End], '\'') && at.to < len(p.Words) && !p.Parted(at.to) && w.other(p, at.to)
}

// goesOn reports a phrase that speaks of what the statement before it does: it says nothing but what the fact says, or begins with what the
// fact says, and has no subject of its own.
func (f *Fact) goesOn(p *english.Text, x english.Phrase, here []spot, before, mask uint64) bool {
	first, alien := true, false
	for i, k := x.First, 0; i < x.Last; i++ {
		for k < len(here) && here[k].to <= i {
			k++
		}
		if k < len(here) && here[k].from <= i {
			first = false
			continue
		}
		if foreign(p, i) {
			alien = true
			if first {
				return false
			}
		}
	}
	if x.Starts {
		return !alien && !x.Aside
	}
	again := before & mask
	if x.Own { // of another subject, the same
		return !alien && (again == 0 || again&(1<<here[0].term) != 0)
	}
	return again == 0
}

// foreign reports a word with content that could stand in place of one of the fact's.
func foreign(p *english.Text, i int) bool {
	w := &p.Words[i]
	return p.Content(i) && !w.Is(english.IsHedge) && !(strings.HasSuffix(w.Text, "ly") && against[w.Stem] == nil) && !lightVerbs[w.Text] && w.Text != "please"
}

// elsewhere reports another statement which says something that this one lacks, and of the same: what it has is said of something else.
func elsewhere(s statement, all []statement) bool {
	return slices.ContainsFunc(all, func(o statement) bool { return o.own&^s.terms != 0 && o.own&s.own != 0 })
}
