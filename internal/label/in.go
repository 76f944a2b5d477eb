package label

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// Place is the place in an answer where the label must stand. It is read-only.
type Place struct {
	Description string                       // such as "the JSON field severity"
	Extract     func(answer string) []string // returns the text at each such place; nil if the answer has none
}

// NewLinePlace returns the place after begin, such as "Severity:", at the beginning of a line. The place is the rest of
// that line. If the rest is empty, it is the next line that is not. Markdown and letter case are ignored. An error
// means that begin is invalid.
func NewLinePlace(begin string) (*Place, error) {
	wanted := bareLine(english.Tidy(unstressed.Replace(begin)))
	if wanted == "" || strings.Contains(wanted, "\n") {
		return nil, errors.New("a line begins with a word or another text; expected one such as \"Severity:\"")
	}
	read := func(text string) (out []string) {
		lines := strings.Split(english.Tidy(unstressed.Replace(answer.RemoveHidden(text))), "\n")
		for i, line := range lines {
			line = bareLine(line)
			if len(line) < len(wanted) || !strings.EqualFold(line[:len(wanted)], wanted) ||
				english.IsWordRuneBefore(wanted, len(wanted)) && english.IsWordRuneAt(line, len(wanted)) {
				continue
			}
			rest := strings.TrimSpace(line[len(wanted):])
			for ; rest == "" && i+1 < len(lines); i++ {
				rest = bareLine(lines[i+1])
			}
			if rest != "" {
				out = append(out, rest)
			}
		}
		return out
	}
	return &Place{fmt.Sprintf("the line %q", begin), read}, nil
}

// unstressed removes the Markdown for bold type and code.
var unstressed = strings.NewReplacer("**", "", "__", "", "`", "")

// bareLine returns line without white space around it and without the marks of headings, quotations, tables, lists and
// italics before it.
func bareLine(line string) string {
	line = strings.Trim(line, " \t\r>#|")
	for _, bullet := range []string{"- ", "+ ", "• "} {
		line = strings.TrimPrefix(line, bullet)
	}
	return strings.TrimLeft(line, " *_")
}

// NewPatternPlace returns the place that the only group of the regular expression source matches. The expression is
// applied to the text that a reader of the answer sees. If it has <, > or /, it is applied to the raw answer. An error
// means that source is invalid.
func NewPatternPlace(source string) (*Place, error) {
	re, err := literal.Compile(source, source)
	if err != nil {
		return nil, err
	}
	if re.NumSubexp() != 1 {
		return nil, fmt.Errorf("the regular expression has %d groups; expected one, around the label", re.NumSubexp())
	}
	read := func(text string) (out []string) {
		if !strings.ContainsAny(source, "<>/") {
			text = answer.RemoveHidden(text)
		}
		for _, m := range re.Matches(text) {
			if m[2] < 0 {
				out = append(out, "") // the group took no part in the match
				continue
			}
			out = append(out, text[m[2]:m[3]])
		}
		return out
	}
	return &Place{"what /" + source + "/ matches", read}, nil
}

// FindAt compares the label in one place of an answer with the expected label, as Find does. It ignores the rest of the
// answer. If several labels stand in the place, all of them count. Text that only lists choices, as "High|Low" does,
// counts only if no other text in the place gives a label.
func FindAt(s *Set, p *Place, answer string) Result {
	var v, choices verdict
	for _, text := range p.Extract(answer) {
		given, into := verdict{labels: []int{s.named(text)}}, &v
		if given.labels[0] == none {
			parsed := s.ParseAnswer(text)
			r := s.read(parsed, tokensOf(parsed), map[string]int{})
			given = r.decide()
			if !slices.ContainsFunc(r.mentions, func(m mention) bool { return m.asserted }) {
				into = &choices
			}
		}
		for _, l := range given.labels {
			into.add(l, given.at, given.hedged)
		}
	}
	if len(v.labels) == 0 {
		v = choices
	}
	out := s.result(v)
	out.StandsAlone = out.sure()
	if out.Status == StatusNoLabel {
		out.Description += " in " + p.Description
	}
	return out
}
