package refusal

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// cued is a pattern that is compiled when a sentence first holds its cues.
type cued struct {
	needs  cueSet
	regexp func() *regexp.Regexp
	led    func() *regexp.Regexp // of a pattern that begins with {lead}: the rest of it, from where it is looked for on; else nil
}

const leadName = "{lead}"

// newCued prepares a pattern. One that does not compile panics only when it is first needed.
func newCued(pattern string) cued {
	c := cued{regexp: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expand(pattern)) })}
	if body, ok := strings.CutPrefix(pattern, leadName); ok {
		c.led = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + expand(body) + `)`) })
	}
	return c
}

// leads matches what ends with {lead}.
var leads = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expand(leadName) + `$`) })

// leadReach is how far before a subject its lead begins, in bytes.
const leadReach = 48

// sentence is a sentence or another part of the flat view, with the cues that it holds, or the whole that it is of.
type sentence struct {
	text string
	cues cueSet
}

// from is the rest of the sentence, to its end.
func (s *sentence) from(at int) *sentence { return &sentence{s.text[at:], s.cues} }

// holds reports whether the pattern matches the sentence.
func (s *sentence) holds(c *cued) bool {
	return s.cues.hold(&c.needs) && c.regexp().MatchString(s.text)
}

// find returns the first match's own words (its group, if it has one), nil without a match.
func (s *sentence) find(c *cued) *english.Span {
	if all := s.findAll(c, 1); len(all) > 0 {
		return &all[0]
	}
	return nil
}

// findAll returns the words of up to n matches, or of all if n is negative.
func (s *sentence) findAll(c *cued, n int) (out []english.Span) {
	if !s.cues.hold(&c.needs) {
		return nil
	}
	if c.led != nil {
		return s.findLed(c, n)
	}
	for _, at := range c.regexp().FindAllStringSubmatchIndex(s.text, n) {
		out = append(out, groupOf(at, 0))
	}
	return out
}

// findLed tries a pattern that begins with {lead} only where a subject stands: an NFA of hundreds of states that begins anew at every
// byte costs fifty times as much.
func (s *sentence) findLed(c *cued, n int) (out []english.Span) {
	for at := nextSubject(s.text, 0); at >= 0 && len(out) != n; {
		end := at + 1
		if m := c.led().FindStringSubmatchIndex(s.text[at:]); m != nil && leads().MatchString(s.text[max(0, at-leadReach):at]) {
			out = append(out, groupOf(m, at))
			end = at + m[1]
		}
		at = nextSubject(s.text, end)
	}
	return out
}

// groupOf returns the span of the first group that took part in a match: the refusing words.
func groupOf(match []int, at int) english.Span {
	for i := 2; i < len(match); i += 2 {
		if match[i] >= 0 {
			return english.Span{Start: at + match[i], End: at + match[i+1]}
		}
	}
	return english.Span{Start: at + match[0], End: at + match[1]}
}

// nextSubject returns the next place at which a pattern behind {lead} can begin: "i", written together with its verb or not, "ai",
// "an ai", "as an ai, i", "this model" and "we". It is negative if there is none.
func nextSubject(s string, from int) int {
	for i := from; i < len(s); i++ {
		if !asciiLetter(s[i]) || i > 0 && asciiLetter(s[i-1]) {
			continue
		}
		end := i + 1
		for end < len(s) && asciiLetter(s[end]) {
			end++
		}
		switch s[i:end] {
		case "i", "im", "id", "ill", "ive", "ai", "an", "as", "this", "we":
			return i
		}
		i = end - 1
	}
	return -1
}

func asciiLetter(c byte) bool { return 'a' <= c && c <= 'z' }

// A cue is a choice of literals of which every match of a pattern contains at least one. Cues are derived from the
// patterns, so that a sentence without them is passed over without any change of judgement. A pattern that is
// searched for in every sentence costs a hundred times as much as the one pass that finds the cues.

const (
	cueWide  = 130 // most literals of a cue; wider ones stand in every sentence
	cuesKept = 4   // most cues kept for one pattern
)

// dull names the phrases that no cue comes from: the long ones, which take long to parse, and who speaks, which is in most answers.
var dull = []string{"i", "am", "myself", "lead", "adv", "serves", "thing", "gap", "tells", "domain"}

// cuesOf returns the best cues of a pattern, none if it matches texts with nothing in common.
func cuesOf(pattern string) []literal.Choice {
	if pattern == "" {
		return nil // as most rules have of what they may need besides
	}
	for _, name := range dull {
		pattern = strings.ReplaceAll(pattern, "{"+name+"}", `(?s:.*)`)
	}
	re, err := syntax.Parse(expand(pattern), syntax.Perl)
	if err != nil {
		return nil
	}
	found := literal.Rules{Rare: ":" + string(english.Coded)}.Of(re)
	var out []literal.Choice
	for _, c := range found[:min(len(found), cuesKept)] {
		if c = c.Shortest(); len(c) <= cueWide {
			out = append(out, c)
		}
	}
	return out
}

// cueSet is a set of cues, one bit each.
type cueSet [4]uint64

func (s *cueSet) add(cue int) { s[cue/64] |= 1 << (cue % 64) }

// hold reports whether all of the needed cues are in the set.
func (s *cueSet) hold(needs *cueSet) bool {
	return s[0]&needs[0] == needs[0] && s[1]&needs[1] == needs[1] && s[2]&needs[2] == needs[2] && s[3]&needs[3] == needs[3]
}

// scan returns the cues of a sentence, found in one pass.
func scan(f *literal.Finder, sentence string) (out cueSet) {
	f.In(sentence, func(cue int) { out.add(cue) })
	return out
}

// cueBook collects the cues of all patterns before a finder is built of them.
type cueBook struct{ literal.Book }

// add takes a pattern in.
func (b *cueBook) add(pattern string) cued { return b.addAs(pattern, pattern) }

// addAs takes a pattern in with the cues of another.
func (b *cueBook) addAs(pattern, like string) cued {
	c := newCued(pattern)
	for _, choice := range cuesOf(like) {
		if b.Count() == len(c.needs)*64 {
			break
		}
		c.needs.add(b.Add(choice))
	}
	return c
}
