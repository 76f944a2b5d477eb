package refusal

import (
	"regexp"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/english"
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
