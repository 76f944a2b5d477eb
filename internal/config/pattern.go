package config

import (
	"cmp"
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// Limits on patterns, which may come from a pull request. Matching a glob takes time exponential in its braces and
// polynomial in its `**`.
const (
	maxPattern      = 1 << 10 // bytes of a regular expression
	maxGlob         = 4 << 10 // bytes
	maxDoubleStars  = 2
	maxAlternatives = 16
)

func (r *reader) patterns(list *document.Node) (out []*regexp.Regexp) {
	for _, n := range list.List() {
		if re := r.pattern(n); re != nil {
			out = append(out, re)
		}
	}
	return out
}

// pattern returns the compiled regular expression in n. It returns nil if n has no text, or if the expression has an
// error, which it reports.
func (r *reader) pattern(n *document.Node) *regexp.Regexp {
	source := n.AsText()
	if source == "" {
		return nil
	}
	if len(source) > maxPattern {
		r.ErrorAt(n.Pos, "pattern", "a pattern of %d bytes; at most %d are allowed", len(source), maxPattern)
		return nil
	}
	re, err := regexp.Compile(source)
	if err != nil {
		r.ErrorAt(n.Pos, "pattern", "pattern %s does not compile: %s", document.Quote(source), whyNot(source, err))
		return nil
	}
	if re.MatchString("") {
		r.WarnAt(n.Pos, "always-true", "pattern %s matches the empty text, so it matches every answer", document.Quote(source))
	}
	return re
}

// whyNot describes err, the error from compiling pattern. If the place of the error is known, it adds the number of the
// first wrong character, counted from 1.
func whyNot(pattern string, err error) string {
	fault, _ := errors.AsType[*syntax.Error](err) // it has no other errors
	at := strings.Index(pattern, fault.Expr)
	if at < 0 || fault.Expr == "" || fault.Expr == pattern {
		return text.PatternFault(fault)
	}
	return text.PatternFault(fault) + " " + document.Quote(fault.Expr) + " at character " + strconv.Itoa(1+utf8.RuneCountInString(pattern[:at]))
}

func readPolicies(r *reader, n *document.Node) (out []Policy) {
	for key, policy := range n.Entries() {
		out = append(out, Policy{
			Name:        key.Text,
			Description: policy.Get("description").AsText(),
			Patterns:    r.patterns(policy.Get("patterns")),
			ApplyAll:    policy.Get("apply").AsText() == "all",
		})
	}
	slices.SortFunc(out, func(a, b Policy) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func readSuites(r *reader, list *document.Node) (out []string, positions map[string]document.Position) {
	if list == nil {
		return slices.Clone(DefaultSuites), nil
	}
	positions = map[string]document.Position{}
	for _, n := range list.List() {
		text := n.AsText()
		if text == "" {
			continue
		}
		if wrong := GlobProblem(text); wrong != "" {
			r.ErrorAt(n.Pos, "glob", "%s %s", document.Quote(text), wrong)
		}
		out, positions[text] = append(out, text), n.Pos
	}
	return out, positions
}

// CutExclusion strips the ! from a glob that excludes files, such as `!drafts/**`. It reports whether the glob had a !.
func CutExclusion(glob string) (rest string, excluded bool) { return strings.CutPrefix(glob, "!") }

// globForm matches a glob in a list. Braces may be nested once.
var globForm = regexp.MustCompile(`(?:\{(?:[^{}]|\{[^{}]*\})*\}|[^\s,])+`)

// SplitGlobs splits a list of globs at white space and at commas that are not in braces.
func SplitGlobs(list string) []string { return globForm.FindAllString(list, -1) }

// GlobProblem returns why a glob of suite files is rejected, or "" if it is accepted. Its limits, such as
// maxDoubleStars, keep matching fast.
func GlobProblem(glob string) string {
	glob, _ = CutExclusion(glob)
	glob = strings.TrimPrefix(glob, "./")
	braces := inBraces.FindAllString(glob, -1)
	switch problem := outsideProblem(glob); {
	case glob == "":
		return "is empty"
	case len(glob) > maxGlob:
		return "is longer than " + strconv.Itoa(maxGlob) + " bytes"
	case problem != "":
		return problem
	case strings.Count(glob, "**") > maxDoubleStars:
		return "has more than " + strconv.Itoa(maxDoubleStars) + " `**`"
	case slices.ContainsFunc(braces, func(brace string) bool { return strings.Count(brace, "{") > 1 }):
		return "has braces in braces"
	case len(braces)+strings.Count(strings.Join(braces, ""), ",") > maxAlternatives:
		return "has more than " + strconv.Itoa(maxAlternatives) + " alternatives in braces"
	case !doublestar.ValidatePattern(glob):
		return "is not a valid pattern; a bracket or brace is not closed"
	}
	return ""
}

// inBraces matches an opening brace and the text up to its end.
var inBraces = regexp.MustCompile(`\{[^}]*`)
