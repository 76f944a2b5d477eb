package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Sources are the texts that an answer may rest on. They are one answer's: what is looked for in vain has more of them read.
type Sources struct {
	texts  []*english.Text
	names  map[string]bool // clause numbers and regulatory terms of texts[:listed]
	listed int
	unread []string
}

// NewSources takes texts that have been read, and others whose words are read in their order, when those before them do not have what is looked for.
func NewSources(read []*english.Text, unread ...string) *Sources {
	return &Sources{texts: read, names: map[string]bool{}, unread: unread}
}

// more reads one more source; false if all are read.
func (s *Sources) more() bool {
	if len(s.unread) == 0 {
		return false
	}
	s.texts = append(s.texts, english.ReadWords(s.unread[0]))
	s.unread = s.unread[1:]
	return true
}

// has reports a share of stems that stand in the sources. It takes those out of stems that it finds.
func (s *Sources) has(stems []string, share float64) bool {
	all, looked := len(stems), 0
	for {
		stems = slices.DeleteFunc(stems, func(stem string) bool { return knows(s.texts[looked:], stem) })
		looked = len(s.texts)
		if enough := float64(all-len(stems)) >= share*float64(all); enough || !s.more() {
			return enough
		}
	}
}

// knows reports a stem that stands in one of the texts.
func knows(texts []*english.Text, stem string) bool {
	return slices.ContainsFunc(texts, func(p *english.Text) bool { return p.FirstOf(stem) != english.NoWord })
}

// named reports the number of a clause that stands in the sources.
func (s *Sources) named(number string) bool {
	for !s.list()[number] {
		if !s.more() {
			return false
		}
	}
	return true
}

// spells reports an acronym whose words a source writes out.
func (s *Sources) spells(w english.Word) bool {
	t := &term{initials: initialsOf(w, 1)}
	return t.initials != "" && slices.ContainsFunc(s.texts, func(p *english.Text) bool {
		return !each(p, t.writtenOutAt, func(place) bool { return false })
	})
}

// shortens reports a name whose acronym a source has; n words from the one at i.
func (s *Sources) shortens(p *english.Text, i, n int) bool {
	initials := ""
	for _, w := range p.Words[i : i+n] {
		if !w.Is(english.IsFunction) {
			initials += w.Text[:1]
		}
	}
	return n > 1 && s.list()[initials]
}

// list returns the names of the texts that have been read.
func (s *Sources) list() map[string]bool {
	for ; s.listed < len(s.texts); s.listed++ {
		p := s.texts[s.listed]
		for i := range p.Words {
			if w := &p.Words[i]; w.Digits || w.Capitals {
				s.names[w.Text] = true
			}
			if name, _ := instrument(p, i); name != "" {
				s.names[strings.ToLower(name)] = true
			}
		}
	}
	return s.names
}
