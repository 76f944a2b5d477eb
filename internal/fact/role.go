package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// act is what somebody does in a fact: a term for the verb, and as sets of terms who does it (0), and what it is done to (1).
type act struct {
	verb  int
	roles [2]uint64
	done  bool // it is said to have happened
}

var (
	being        = english.Set("is are was were be been being get gets got")
	determining  = english.Set("dr mr mrs ms prof professor a an the any all their its his her our your only just both to")
	over         = english.Set("was were been has have had did also always already now still")
	unmarked     = english.Set("cut put set reset hit hurt shut cast split spread found left read welcome")
	modals       = english.Set("can could may might should must will would")
	achieving    = english.Set("had forced managed began begun started continued came happened able proceeded obliged got")
	prepositions = english.Set("in on at by for with from to within during under over through per via about of into like despite without among than as between against")
)

// act reads the word at i of the fact as a verb.
func (w *wording) act(p *english.Text, i int) (a act, ok bool) {
	if w.of[i] == english.NoWord || p.Words[i].Is(english.IsDuty|english.IsComparison) || needing[p.Words[i].Text] || mutual[p.Words[i].Text] || !verb(p, i) {
		return a, false
	}
	a.verb, a.done = w.of[i], p.Words[i].Past() && !slices.ContainsFunc(leading(p, i), func(w english.Word) bool { return linking[w.Text] && !over[w.Text] })
	for role, at := range cast(p, place{i, i + 1}) {
		for k := at.from; k < at.to; k++ {
			if t := w.of[k]; t != english.NoWord {
				a.roles[role] |= 1 << t
			}
		}
	}
	return a, a.roles != [2]uint64{}
}

// verb reports a word that is one by its place: behind an auxiliary, or the first of its clause that agrees with the word before it, as
// "pays" does with "tenant", or has the ending of a past.
func verb(p *english.Text, i int) bool {
	first := max(p.Clauses[p.Words[i].Clause].First, i-aroundReach)
	if i == first || p.Words[i].Amount {
		return false
	}
	for k := first; k < i; k++ {
		if linking[p.Words[k].Text] {
			return len(leading(p, i)) > 0
		}
	}
	plural := func(k int) bool {
		text := p.Words[k].Text
		return strings.HasSuffix(text, "s") && !strings.HasSuffix(text, "ss") && !strings.HasSuffix(text, "is") && !strings.HasSuffix(text, "us")
	}
	for k := first + 1; k <= i; k++ {
		if p.Content(k-1) && p.Content(k) && !p.Words[k].Amount && (plural(k) != plural(k-1) || past(p.Words[k])) {
			return k == i
		}
	}
	return false
}

func past(w english.Word) bool { return w.Past() || unmarked[w.Text] }

func adverb(w english.Word) bool { return strings.HasSuffix(w.Text, "ly") }

// leading returns the auxiliaries, adverbs and denials right before a verb.
func leading(p *english.Text, verb int) []english.Word {
	return p.Words[skipBack(p, verb, func(w english.Word) bool {
		return linking[w.Text] || adverb(w) || w.Is(english.IsDenier) && !prepositions[w.Text]
	}):verb]
}

// cast returns the words of who does what a verb says, and of what it is done to; empty where they do not stand right beside it.
func cast(p *english.Text, verb place) (out [2]place) {
	k := verb.from - len(leading(p, verb.from))
	subject := place{k, k}
	for nominal(p, subject.from-1) && !border(p, subject.from) {
		subject.from--
	}
	subject.from = withMembers(p, subject)
	if ahead := skipBack(p, subject.from, func(w english.Word) bool { return articles[w.Text] }); ahead > 0 && !border(p, ahead) && prepositions[p.Words[ahead-1].Text] {
		subject.from = subject.to // of a subject that stands before it
	}
	by := !border(p, verb.to) && p.Words[verb.to].Text == "by"
	passive := past(p.Words[verb.to-1]) && (by || slices.ContainsFunc(p.Words[k:verb.from], func(w english.Word) bool { return being[w.Text] }))
	object := verb.to
	if passive {
		if !by {
			return [2]place{{}, subject}
		}
		object++
	}
	object = skip(p, object, determining)
	end := object
	for nominal(p, end) && (end == object || !border(p, end)) || end > object && (coordinates(p, end) || !border(p, end) && determining[p.Words[end].Text] && coordinates(p, end-1)) {
		end++
	}
	if passive {
		return [2]place{{object, end}, subject}
	}
	return [2]place{subject, {object, end}}
}

// withMembers is where the list begins that a subject ends: the staff of "Staff and contractors", which begins its clause and has no verb.
func withMembers(p *english.Text, subject place) int {
	k := subject.from - 1
	if k < 1 || subject.from == subject.to || !coordinates(p, k) || !nominal(p, k-1) {
		return subject.from
	}
	from := k
	for from > k-aroundReach && nominal(p, from-1) && !border(p, from) && !verb(p, from-1) {
		from--
	}
	if first := p.Clauses[p.Words[k].Clause].First; skip(p, first, determining) != from && first != from {
		return subject.from
	}
	return from
}

// nominal reports a word that may be one of a name for somebody or something.
func nominal(p *english.Text, i int) bool {
	return i >= 0 && i < len(p.Words) && p.Content(i) && !p.Words[i].Amount && !p.Words[i].Digits && !adverb(p.Words[i])
}

// skipBack returns the place behind the last word before i that is none of a kind, or that is parted from the next.
func skipBack(p *english.Text, i int, kind func(english.Word) bool) int {
	for i > 0 && !border(p, i) && kind(p.Words[i-1]) {
		i--
	}
	return i
}

// border reports a mark before the word at i, the beginning of a sentence, or the end of the text.
func border(p *english.Text, i int) bool {
	return p.Parted(i) || p.Sentence(i) != p.Sentence(i-1)
}

// coordinates reports a place within a list of names: "water, heating and garbage collection".
func coordinates(p *english.Text, i int) bool {
	if i+1 >= len(p.Words) || p.Sentence(i) != p.Sentence(i-1) {
		return false
	}
	w := p.Words[i].Text
	return (w == "and" || w == "or") && !p.Parted(i) || p.Source[p.Words[i-1].End:p.Words[i].Start] == ", " && nominal(p, i)
}

// miscast reports that the statement has the verb of an act only with somebody else as the one who does it, or to whom it is done,
// or where it has happened in the fact, as what can or should.
func (f *Fact) miscast(p *english.Text, a act, s statement) bool {
	wrong := false
	for _, at := range s.spots {
		if at.term != a.verb {
			continue
		}
		out := cast(p, at.place)
		maybe := a.done && ahead(p, at.from)
		recast := a.roles[0] == 0 && f.has(p, out[0], a.roles[1]) && out[1].from < out[1].to && !f.has(p, out[1], a.roles[1])
		for role, words := range out {
			recast = recast || f.recast(p, words, a.roles[role], a.roles[1-role])
		}
		if !maybe && !recast {
			return false
		}
		wrong = true
	}
	return wrong
}

// ahead reports a verb that tells of what can or will be: "could be paid", "is supposed to be paid".
func ahead(p *english.Text, verb int) bool {
	led := leading(p, verb)
	k := verb - len(led)
	to := k > 1 && p.Words[k-1].Text == "to" && !border(p, k) && (k < verb || !p.Words[verb].Past())
	return to && !achieving[p.Words[k-2].Text] || slices.ContainsFunc(led, func(w english.Word) bool { return modals[w.Text] })
}

// recast reports words in a role that somebody has in the fact, of which none is the fact's, or only those are that have the other role there.
func (f *Fact) recast(p *english.Text, at place, own, other uint64) bool {
	return own != 0 && at.from < at.to && !f.has(p, at, ^other|own)
}

// has reports that one of a set of terms stands among words.
func (f *Fact) has(p *english.Text, at place, terms uint64) bool {
	for k := at.from; k < at.to; k++ {
		for t := range f.terms {
			if terms&(1<<t) != 0 && f.terms[t].standsAt(p, k) > 0 {
				return true
			}
		}
	}
	return false
}
