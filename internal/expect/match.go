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
	modePrefix       = "prefix" // of the form starts_with
)

// Criterion is one compiled condition that an answer must meet: a comparison with an expected text, expected calls of
// tools, or an assertion.
type Criterion struct {
	Name     string // in Unmet: expected_response, expected_tools, assert or an evaluator's
	Expected string // as written in the file; of a form, its name and texts
	Mode     string // of a comparison, resolved: never auto
	// AlwaysTrue is true if the result is the same for every answer, which is probably a mistake: the text to contain
	// is empty, the regular expression matches every text, or the expression reads no part of the answer.
	AlwaysTrue bool

	Vars    []string // variables that an assertion reads by name, in the order of the text
	AllVars bool     // it may read other variables too, as vars[response.text] and len(vars) do

	requested string    // the mode that CompileMatch got
	condition checkFunc // without the rule for truncated answers
	pattern   *pattern  // of mode regex
	// it requires that something is absent, so a truncated answer does not meet it
	requiresAbsence bool
}

// checkFunc checks an answer. It returns why the answer misses the check, or "".
type checkFunc func(a *Answer) (missed string)

// mismatch returns why an answer does not meet the criterion, or "".
func (c *Criterion) mismatch(a *Answer) (why string) {
	why = c.condition(a)
	if why == "" && a.Truncated && c.requiresAbsence {
		why = "the answer is truncated at its length limit, so the missing text may contain it"
	}
	return why
}

// CompileMatch compiles expected under a mode. The error is a *CompileError.
func CompileMatch(expected, mode string) (*Criterion, error) {
	mode = cmp.Or(mode, ModeAuto)
	m := &Criterion{Name: "expected_response", Mode: mode, requested: mode, Expected: expected}
	if mode == ModeAuto || mode == ModeFailProof {
		m.Mode, expected = autoMode(expected)
	}
	if mode == ModeFailProof && m.Mode == ModeExact && hasRegexSigns(expected) {
		m.Mode = ModeRegex
	}
	var err error
	m.condition, err = m.newCheck(expected)
	return m, err
}

// hasRegexSigns reports whether a text looks like a regular expression. Most texts lack all characters of the signs,
// which is quick to see.
func hasRegexSigns(text string) bool {
	return strings.ContainsAny(text, `\*+[(^`) && regexSigns.MatchString(text)
}

// regexSigns matches signs of a regular expression that plain sentences lack: character classes, repeated dots, flags,
// and a pair of anchors. A repeated parenthesis is not such a sign, because "free shipping (EU)*" may have a footnote.
var regexSigns = regexp.MustCompile(`\\[sSdDwWbB]|\.[*+]|\[(?:\^|\w-\w)[^\]]*\][*+?{]|\(\?[imsU]*[:)]|(?s)^\^.*\$$`)

// autoMode resolves mode auto. It also returns the text to compare with.
func autoMode(expected string) (mode, text string) {
	text = strings.TrimSpace(expected)
	switch {
	case len(text) > 2 && text[0] == '/' && text[len(text)-1] == '/':
		return ModeRegex, text[1 : len(text)-1]
	case startsContainer(text) && strictJSON(text).fault == "":
		return ModeJSON, text
	case plainNumber.MatchString(text):
		return ModeNumber, text
	}
	return ModeExact, text
}

// comparison is a mode that compares texts.
type comparison struct {
	normalize func(string) string // both texts
	met       func(got, want string) bool
	why       func(got, want string) string // message if not met
}

var comparisons = map[string]comparison{
	ModeExact:        {trimmed, equal, difference},
	modePrefix:       {trimmed, strings.HasPrefix, difference},
	ModeEquals:       {normalizeLineFeeds, equal, difference},
	ModeContains:     {normalizeLineFeeds, strings.Contains, notContained},
	ModeContainsFold: {folded, strings.Contains, notContained},
	ModePrefixFold:   {folded, strings.HasPrefix, func(string, string) string { return "does not start with it" }},
	ModeSuffixFold:   {folded, strings.HasSuffix, func(string, string) string { return "does not end with it" }},
}

func (m *Criterion) newCheck(text string) (checkFunc, error) {
	switch m.Mode {
	case ModeContains:
		// A block scalar of YAML ends in an unintended line feed.
		text = strings.Trim(text, "\r\n")
	case ModeRegex:
		return m.newRegexCheck(strings.TrimRight(text, "\r\n"))
	case ModeJSON:
		return newJSONCheck(text)
	case ModeNumber:
		return newNumberCheck(text)
	}
	c := comparisons[m.Mode]
	want := c.normalize(text)
	m.AlwaysTrue = c.met("", want) && c.met("a", want)
	return func(a *Answer) string {
		if got := c.normalize(a.Text); !c.met(got, want) {
			return c.why(got, want)
		}
		return ""
	}, nil
}

// EffectiveMode returns the mode in which m compares. For a regex, it returns the requested mode: ModeAuto recognizes a
// regex by its slashes, while ModeRegex takes the slashes literally.
func (m *Criterion) EffectiveMode() string {
	if m.Mode == ModeRegex {
		return m.requested
	}
	return m.Mode
}

func normalizeLineFeeds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func trimmed(s string) string { return strings.TrimSpace(normalizeLineFeeds(s)) }

// folded returns a text without differences of letter case, which GitHub's evaluators ignore.
func folded(s string) string { return strings.ToLower(normalizeLineFeeds(s)) }

func equal(got, want string) bool { return got == want }

// difference returns a message about the first character, counted from 1, at which two unequal texts differ.
func difference(got, want string) string {
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

// notContained returns the message that a text does not contain another, or contains it only with other letter case,
// white space or Unicode form.
func notContained(got, want string) string {
	fold := func(s string) string { return norm.NFC.String(collapseSpace(strings.ToLower(s))) }
	if strings.Contains(fold(got), fold(want)) {
		return "contained only with other letter case, white space or Unicode form"
	}
	return "not contained"
}

var whiteSpace = regexp.MustCompile(`[\s\v\x{85}\pZ]+`)

func collapseSpace(s string) string { return whiteSpace.ReplaceAllString(s, " ") }

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
	re := regexp.MustCompile(source)
	return &pattern{re: re, size: len(program.Inst), matchesAll: matchesEveryText(re, tree),
		hasEndAnchor: hasOp(tree, ends...)}, nil
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

// costFault returns why a text is too long to search, or "". p may be nil.
func (p *pattern) costFault(text string) string {
	if p == nil || len(text) <= maxRegexWork/p.size {
		return ""
	}
	return fmt.Sprintf("the pattern is too costly for an answer of %d bytes", len(text))
}

var (
	starts    = []syntax.Op{syntax.OpBeginText, syntax.OpBeginLine}
	ends      = []syntax.Op{syntax.OpEndText, syntax.OpEndLine}
	zeroWidth = slices.Concat(starts, ends, []syntax.Op{syntax.OpWordBoundary, syntax.OpNoWordBoundary})
)

// hasOp reports whether a part of a pattern is one of the operations.
func hasOp(t *syntax.Regexp, ops ...syntax.Op) bool {
	return slices.Contains(ops, t.Op) || slices.ContainsFunc(t.Sub, func(s *syntax.Regexp) bool { return hasOp(s, ops...) })
}

// matchesEveryText reports whether a pattern accepts the empty string anywhere, or at the start or end of each text.
func matchesEveryText(re *regexp.Regexp, tree *syntax.Regexp) bool {
	parts := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		parts = tree.Sub
	}
	if slices.Contains(starts, parts[0].Op) {
		parts = parts[1:]
	} else if last := len(parts) - 1; slices.Contains(ends, parts[last].Op) {
		parts = parts[:last]
	}
	return re.MatchString("") && !slices.ContainsFunc(parts, func(p *syntax.Regexp) bool { return hasOp(p, zeroWidth...) })
}

func (m *Criterion) newRegexCheck(source string) (checkFunc, error) {
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
