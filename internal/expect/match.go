package expect

import (
	"regexp"
	"strings"
)

// Modes of a match. The last four are those of the string evaluators of *.prompt.yml, which trim nothing.
const (
	ModeAuto         = "auto"
	ModeExact        = "exact"
	ModeContains     = "contains"
	ModeRegex        = "regex"
	ModeJSON         = "json"
	ModeNumber       = "number"
	ModeEquals       = "equals"
	ModeContainsFold = "contains_fold"
	ModePrefixFold   = "prefix_fold"
	ModeSuffixFold   = "suffix_fold"
)

// Match is one compiled comparison of an answer with an expected text.
type Match struct {
	Criterion string // its name in Unmet; expected_response unless set

	mode     string // resolved: never auto
	expected string // as the file has it
	always   bool
	judge    judge
}

// judge compares an answer, and says why it is not as expected; "" if it is.
type judge func(a *Answer) (missed string)

// CompileMatch compiles expected under a mode. The error is a *CompileError.
func CompileMatch(expected, mode string) (*Match, error) {
	m := &Match{Criterion: "expected_response", mode: mode, expected: expected}
	if mode == ModeAuto || mode == "" {
		m.mode, expected = autoMode(expected)
	}
	return m.compile(expected)
}

// CompileFailProof compiles the expected_response of a FailProof file: as auto does, and a text that carries regular
// expression signs (\s, \d, .* and the like) is a regular expression. The error is a *CompileError.
func CompileFailProof(expected string) (*Match, error) {
	m := &Match{Criterion: "expected_response", expected: expected}
	m.mode, expected = autoMode(expected)
	if m.mode == ModeExact && mayHaveSigns(expected) && regexSigns.MatchString(expected) {
		m.mode = ModeRegex
	}
	return m.compile(expected)
}

// regexSigns are what plain sentences do not hold: character classes, repeated dots, flags, a pair of anchors. A repeated
// bracket alone is none of them: "free shipping (EU)*" has a footnote.
var regexSigns = regexp.MustCompile(`\\[sSdDwWbB]|\.[*+]|\[(?:\^|\w-\w)[^\]]*\][*+?{]|\(\?[imsU]*[:)]|(?s)^\^.*\$$`)

// mayHaveSigns is a quick look for what each of regexSigns has: most texts have none of it.
func mayHaveSigns(text string) bool {
	return strings.ContainsAny(text, `\[`) || strings.Contains(text, ".*") || strings.Contains(text, ".+") || strings.Contains(text, "(?") ||
		strings.HasPrefix(text, "^")
}

// autoMode resolves mode auto and returns the text that the mode compares with.
func autoMode(expected string) (mode, text string) {
	text = strings.TrimSpace(expected)
	switch {
	case len(text) > 2 && text[0] == '/' && text[len(text)-1] == '/':
		return ModeRegex, text[1 : len(text)-1]
	case isContainer(text):
		return ModeJSON, text
	case text != "" && text[0] <= '9' && plainNumber.MatchString(text): // no letter begins one
		return ModeNumber, text
	}
	return ModeExact, text
}

// isContainer reports whether text is a JSON object or array.
func isContainer(text string) bool {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	return strictJSON(text).fault == ""
}

func (m *Match) compile(text string) (_ *Match, err error) {
	if m.judge, err = m.newJudge(text); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Match) newJudge(text string) (judge, error) {
	switch m.mode {
	case ModeExact:
		return equalTo(strings.TrimSpace(lineFeeds(text)), strings.TrimSpace), nil
	case ModeEquals:
		return equalTo(lineFeeds(text), func(s string) string { return s }), nil
	case ModeContains:
		// A block scalar of YAML ends in a line feed that nobody meant.
		text = strings.Trim(lineFeeds(text), "\n")
		m.always = text == ""
		return holds(text), nil
	case ModeContainsFold, ModePrefixFold, ModeSuffixFold:
		m.always = text == ""
		return foldJudge(m.mode, text), nil
	case ModeRegex:
		return m.regexJudge(strings.TrimRight(text, "\r\n"))
	case ModeJSON:
		return jsonJudge(text)
	case ModeNumber:
		return numberJudge(text)
	}
	return nil, faultf(0, "unknown match %s; expected auto, exact, contains, regex, json or number", quoteCut(m.mode))
}

// AlwaysTrue reports that every answer meets the match, which is hardly meant: an empty text to contain, or a regular
// expression that matches the empty string anywhere.
func (m *Match) AlwaysTrue() bool { return m.always }

// Expected is what an answer is compared with, as the file has it.
func (m *Match) Expected() string { return m.expected }

// Mode returns the mode in force, with auto resolved.
func (m *Match) Mode() string { return m.mode }

func (m *Match) check(a *Answer) *Unmet {
	why := m.judge(a)
	if why == "" {
		return nil
	}
	return &Unmet{Criterion: m.Criterion, Expected: cut(m.expected, shownRunes), Actual: cut(a.said(), shownRunes), Reason: why}
}
