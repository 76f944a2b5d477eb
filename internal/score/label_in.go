package score

import (
	"errors"
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// LabelIn says where in an answer its label stands. It is read only.
type LabelIn struct {
	Where string                       // in words: the JSON field severity
	Read  func(answer string) []string // what stands there, once for each place; nil where nothing does
}

// LabelInLine finds what stands behind a beginning of a line, "Severity:", or on the next line if nothing does. Marks of lists, bold
// letters and letter case do not count.
// The error is a fault of the user's text.
func LabelInLine(begin string) (*LabelIn, error) {
	wanted := bareLine(english.Plain(unstressed(begin)))
	if wanted == "" || strings.Contains(wanted, "\n") {
		return nil, errors.New("a line begins with a word or another text; expected one such as \"Severity:\"")
	}
	read := func(answer string) (out []string) {
		lines := strings.Split(english.Plain(unstressed(answer)), "\n")
		for i, line := range lines {
			line = bareLine(line)
			if len(line) < len(wanted) || !strings.EqualFold(line[:len(wanted)], wanted) || endsInWord(wanted) && english.WordAt(line, len(wanted)) {
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
	return &LabelIn{fmt.Sprintf("the line %q", begin), read}, nil
}

func endsInWord(text string) bool { return english.WordBefore(text, len(text)) }

// unstressed takes off bold letters and code marks.
func unstressed(text string) string { return stresses.Replace(text) }

var stresses = strings.NewReplacer("**", "", "__", "", "`", "")

// bareLine takes off what a line is laid out with: white space, a heading, a quotation, a table, the mark of a list.
func bareLine(line string) string {
	line = strings.Trim(line, " \t\r>#|")
	for _, bullet := range []string{"- ", "* ", "+ ", "• "} {
		line = strings.TrimPrefix(line, bullet)
	}
	return strings.TrimSpace(line)
}

// LabelInPattern finds what the group of a regular expression matches; it must have exactly one. The error is a fault of the
// user's text.
func LabelInPattern(source string) (*LabelIn, error) {
	re, err := regular(source, source)
	if err != nil {
		return nil, err
	}
	if re.NumSubexp() != 1 {
		return nil, fmt.Errorf("the regular expression has %d groups; expected one, around the label", re.NumSubexp())
	}
	read := func(answer string) (out []string) {
		for _, m := range re.FindAllStringSubmatch(answer, matchesTried) {
			out = append(out, m[1])
		}
		return out
	}
	return &LabelIn{"what /" + source + "/ matches", read}, nil
}

// LabelAt holds the label that stands in one place of an answer against the expected one, as Label does. What stands elsewhere
// does not count. Several labels there are two labels, never the last of them.
func LabelAt(s *Labels, in *LabelIn, answer string, unclear float64) LabelResult {
	var v verdict
	for _, text := range in.Read(answer) {
		v.add(s.readOnly(text))
	}
	found := make([]string, len(v.labels))
	for i, l := range v.labels {
		found[i] = s.labels[l].name
	}
	out := s.result(found, v, true, unclear)
	out.Metric.Method = MethodLabel
	if out.Metric.Status == StatusNoLabel {
		out.Metric.Description += " in " + in.Where
	}
	return out
}

// readOnly reads a text that is nothing but a label, or says little more.
func (s *Labels) readOnly(text string) verdict {
	for i, l := range s.labels {
		if s.sameName(l.name, text) {
			return verdict{labels: []int{i}}
		}
	}
	v, _ := s.read(tokenise(s.vocabulary, text)).decide(nil)
	return v
}
