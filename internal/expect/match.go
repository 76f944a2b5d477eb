package expect

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/failproof/failproof/internal/literal"
	"github.com/failproof/failproof/internal/text"
)

// Modes of a match. The last four are for string evaluators of *.prompt.yml and trim nothing. ModeFailProof is for
// FailProof files: it is ModeAuto, except that a text with signs of a regular expression (\s, .* and the like) is one.
const (
	ModeAuto         = "auto"
	ModeFailProof    = "failproof"
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
	Mode      string // resolved: never auto
	Expected  string // as written in the file
	// AlwaysTrue is true if every answer meets the match, which is probably a mistake: the text to contain is empty, or
	// the regular expression matches every text.
	AlwaysTrue bool

	requested string // the mode that CompileMatch got
	mismatch  checkFunc
	pattern   *pattern // of mode regex
}

// checkFunc checks an answer. It returns why the answer misses the check, or "".
type checkFunc func(a *Answer) (missed string)

// CompileMatch compiles expected under a mode. The error is a *CompileError.
func CompileMatch(expected, mode string) (*Match, error) {
	mode = cmp.Or(mode, ModeAuto)
	m := &Match{Criterion: "expected_response", Mode: mode, requested: mode, Expected: expected}
	if mode == ModeAuto || mode == ModeFailProof {
		m.Mode, expected = autoMode(expected)
	}
	if mode == ModeFailProof && m.Mode == ModeExact && mayBeRegex(expected) && regexSigns.MatchString(expected) {
		m.Mode = ModeRegex
	}
	var err error
	m.mismatch, err = m.newCheck(expected)
	return m, err
}

// regexSigns matches signs of a regular expression that plain sentences lack: character classes, repeated dots, flags,
// and a pair of anchors. A repeated parenthesis is not such a sign, because "free shipping (EU)*" may have a footnote.
var regexSigns = regexp.MustCompile(`\\[sSdDwWbB]|\.[*+]|\[(?:\^|\w-\w)[^\]]*\][*+?{]|\(\?[imsU]*[:)]|(?s)^\^.*\$$`)

// mayBeRegex reports whether a text has the characters that regexSigns needs. FailProof files are read faster with it.
func mayBeRegex(text string) bool {
	return strings.ContainsAny(text, `\[^`) || strings.Contains(text, ".*") || strings.Contains(text, ".+") ||
		strings.Contains(text, "(?")
}

// autoMode resolves mode auto. It also returns the text to compare with.
func autoMode(expected string) (mode, text string) {
	text = strings.TrimSpace(expected)
	switch {
	case len(text) > 2 && text[0] == '/' && text[len(text)-1] == '/':
		return ModeRegex, text[1 : len(text)-1]
	case startsContainer(text) && strictJSON(text).fault == "":
		return ModeJSON, text
	case text != "" && text[0] <= '9' && plainNumber.MatchString(text): // a number begins with no letter
		return ModeNumber, text
	}
	return ModeExact, text
}

func (m *Match) newCheck(text string) (checkFunc, error) {
	switch m.Mode {
	case ModeExact:
		return newEqualCheck(strings.TrimSpace(normalizeLineFeeds(text)), strings.TrimSpace), nil
	case ModeEquals:
		return newEqualCheck(normalizeLineFeeds(text), func(s string) string { return s }), nil
	case ModeContains:
		// A block scalar of YAML ends in an unintended line feed.
		text = strings.Trim(normalizeLineFeeds(text), "\n")
		m.AlwaysTrue = text == ""
		return func(a *Answer) string {
			if got := normalizeLineFeeds(a.Text); !strings.Contains(got, text) {
				return notContained(text, got)
			}
			return ""
		}, nil
	case ModeContainsFold, ModePrefixFold, ModeSuffixFold:
		m.AlwaysTrue = text == ""
		return newFoldCheck(m.Mode, text), nil
	case ModeRegex:
		return m.newRegexCheck(strings.TrimRight(text, "\r\n"))
	case ModeJSON:
		return newJSONCheck(text)
	case ModeNumber:
		return newNumberCheck(text)
	}
	return nil, faultf(0, "unknown match %s; expected auto, exact, contains, regex, json or number",
		quoteTruncated(m.Mode))
}

// EffectiveMode returns the mode in which m compares. For a regex, it returns the requested mode: ModeAuto recognizes a
// regex by its slashes, while ModeRegex takes the slashes literally.
func (m *Match) EffectiveMode() string {
	if m.Mode == ModeRegex {
		return m.requested
	}
	return m.Mode
}

func normalizeLineFeeds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func newEqualCheck(want string, normalize func(string) string) checkFunc {
	return func(a *Answer) string {
		if got := normalize(normalizeLineFeeds(a.Text)); got != want {
			return difference(want, got)
		}
		return ""
	}
}

// difference returns a message about the first character, counted from 1, at which two unequal texts differ.
func difference(want, got string) string {
	if sameButForm(want, got) {
		return onlyForm
	}
	same := commonPrefix(want, got)
	return fmt.Sprintf("differs at character %d: expected %s, got %s",
		utf8.RuneCountInString(want[:same])+1, firstCharacter(want[same:]), firstCharacter(got[same:]))
}

// onlyForm is the message about two unequal texts for which sameButForm is true. They look equal.
const onlyForm = "differs only in its Unicode form"

// sameButForm reports whether two texts have the same characters in normal form NFC.
func sameButForm(a, b string) bool { return norm.NFC.String(a) == norm.NFC.String(b) }

// commonPrefix returns the length in bytes of the longest common beginning of two texts that ends between characters.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

func firstCharacter(s string) string {
	if s == "" {
		return "the end"
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return fmt.Sprintf("byte 0x%02x", s[0])
	}
	return strconv.QuoteRune(r)
}

// folds are differences between texts that a near miss ignores, and how to remove them.
var folds = []struct {
	name string
	fold func(string) string
}{{"letter case", strings.ToLower}, {"white space", collapseSpace}, {"Unicode form", norm.NFC.String}}

// notContained returns the message that a text does not contain another, or contains it only with other letter case,
// white space or Unicode form.
func notContained(want, got string) string {
	near := func(chosen int) (names []string, contained bool) {
		w, g := want, got
		for i, f := range folds {
			if chosen&(1<<i) != 0 {
				names, w, g = append(names, f.name), f.fold(w), f.fold(g)
			}
		}
		return names, strings.Contains(g, w)
	}
	all := 1<<len(folds) - 1
	if _, contained := near(all); contained {
		for chosen := 1; chosen <= all; chosen++ { // the fewest differences that explain it come first
			if names, contained := near(chosen); contained {
				return "contained only with other " + text.List(names, "and")
			}
		}
	}
	return "not contained"
}

var whiteSpace = regexp.MustCompile(`[\s\v\x{85}\pZ]+`)

func collapseSpace(s string) string { return whiteSpace.ReplaceAllString(s, " ") }

// newFoldCheck returns a check that ignores letter case, as GitHub's evaluators do.
func newFoldCheck(mode, want string) checkFunc {
	want = strings.ToLower(normalizeLineFeeds(want))
	return func(a *Answer) string {
		switch got := strings.ToLower(normalizeLineFeeds(a.Text)); {
		case mode == ModeContainsFold && !strings.Contains(got, want):
			return notContained(want, got)
		case mode == ModePrefixFold && !strings.HasPrefix(got, want):
			return "does not start with it"
		case mode == ModeSuffixFold && !strings.HasSuffix(got, want):
			return "does not end with it"
		}
		return ""
	}
}

// Limits of every pattern in a suite.
const (
	maxPatternBytes = literal.MaxPatternBytes
	maxRegexWork    = literal.MaxSteps
)

// pattern is a compiled regular expression with the size that bounds its cost.
type pattern struct {
	re           *regexp.Regexp
	size         int  // instructions
	matchesAll   bool // it matches every text
	hasEndAnchor bool // it has an anchor for the end of the text or of a line
}

func compilePattern(source string) (*pattern, error) {
	if len(source) > maxPatternBytes {
		return nil, faultf(0, "regular expression of %d bytes; at most %d are allowed", len(source), maxPatternBytes)
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, patternFault(source, err)
	}
	tree = tree.Simplify()
	program, err := syntax.Compile(tree)
	if err != nil {
		return nil, patternFault(source, err)
	}
	return &pattern{re: regexp.MustCompile(source), size: len(program.Inst), matchesAll: matchesEveryText(tree),
		hasEndAnchor: containsEndAnchor(tree)}, nil
}

// search reports whether text matches. If the text is too long to search, why has a message.
func (p *pattern) search(text string) (met bool, why string) {
	if why := p.costFault(text); why != "" {
		return false, notEvaluated(why)
	}
	return p.re.MatchString(text), ""
}

// matchesByAbsence reports whether a text matches only because it lacks something. Such a text still matches if cut in
// half, but no longer if more text of any kind follows.
func (p *pattern) matchesByAbsence(text string) bool {
	if p == nil || !p.hasEndAnchor {
		return false
	}
	met := func(text string) bool { met, _ := p.search(text); return met }
	half := []rune(text)
	return met(string(half[:len(half)/2])) && !met(text+sampleText)
}

// sampleText is a text with each printable ASCII character, an accented letter, and several lines.
var sampleText = func() string {
	var out strings.Builder
	for c := byte(' '); c < 0x7f; c++ {
		out.WriteByte(c)
	}
	return out.String() + "\né\n\nA b.\n"
}()

// containsEndAnchor reports whether a pattern has an anchor for the end of the text or of a line.
func containsEndAnchor(t *syntax.Regexp) bool {
	return t.Op == syntax.OpEndText || t.Op == syntax.OpEndLine || slices.ContainsFunc(t.Sub, containsEndAnchor)
}

// costFault returns why a text is too long to search, or "". p may be nil.
func (p *pattern) costFault(text string) string {
	if p == nil || len(text) <= maxRegexWork/p.size {
		return ""
	}
	return fmt.Sprintf("the pattern is too costly for an answer of %d bytes", len(text))
}

// matchesEveryText reports whether a pattern accepts the empty string at the start or end, and so matches every text.
func matchesEveryText(tree *syntax.Regexp) bool {
	if tree.Op != syntax.OpConcat {
		return nullable(tree)
	}
	parts := tree.Sub
	switch first, last := parts[0].Op, parts[len(parts)-1].Op; {
	case first == syntax.OpBeginText || first == syntax.OpBeginLine:
		parts = parts[1:]
	case last == syntax.OpEndText || last == syntax.OpEndLine:
		parts = parts[:len(parts)-1]
	}
	return allNullable(parts)
}

// nullable reports whether the pattern accepts the empty string at any place.
func nullable(t *syntax.Regexp) bool {
	switch t.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpRepeat:
		return t.Min == 0 || nullable(t.Sub[0])
	case syntax.OpCapture, syntax.OpPlus:
		return nullable(t.Sub[0])
	case syntax.OpConcat:
		return allNullable(t.Sub)
	case syntax.OpAlternate:
		return slices.ContainsFunc(t.Sub, nullable)
	}
	return false
}

func allNullable(parts []*syntax.Regexp) bool {
	return !slices.ContainsFunc(parts, func(p *syntax.Regexp) bool { return !nullable(p) })
}

func (m *Match) newRegexCheck(source string) (checkFunc, error) {
	p, err := compilePattern(source)
	if fault, ok := errors.AsType[*CompileError](err); ok {
		if at := strings.Index(m.Expected, source); at > 0 { // /source/: count the slash too
			fault.Offset += utf8.RuneCountInString(m.Expected[:at])
		}
		return nil, fault
	}
	m.AlwaysTrue, m.pattern = p.matchesAll, p
	return func(a *Answer) string {
		if met, why := p.search(a.Text); !met {
			return cmp.Or(why, "no match")
		}
		return ""
	}, nil
}
