// Package redact removes secrets from text before it is stored or shown. It finds known values, also encoded, and
// common forms of keys. It is pure: all values are arguments.
package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Mark is the text that replaces a secret.
const Mark = "[redacted]"

// minSecret is the length in bytes of the shortest known value that is redacted. Shorter values would also match
// ordinary words.
const minSecret = 6

// Redactor removes secrets from text. It is safe for concurrent use; nil redacts nothing.
type Redactor struct {
	values *strings.Replacer // nil if no value is known
	known  []string          // the known values, for the search in unescaped text
	// letters and digits of the values, for the search in text without other characters
	separatedForms []string
	patterns       []*regexp.Regexp
	learned        *Learned  // secrets that become known later; nil if there are none
	inner          *Redactor // redacts further secrets; nil if there are none
}

// New returns a Redactor for the known secret values, the user's patterns, and the common forms of keys.
func New(values []string, patterns []*regexp.Regexp) *Redactor {
	r := &Redactor{patterns: patterns}
	var forms []string
	for _, v := range values {
		if len(v) >= minSecret {
			forms = append(forms, encodings(v)...)
			r.known = append(r.known, v, strings.ToUpper(v), strings.ToLower(v))
			r.separatedForms = append(r.separatedForms, separatedForms(v)...)
		}
	}
	if len(forms) == 0 {
		return r
	}
	// Longest first, because a form may contain a shorter one.
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	pairs := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		pairs = append(pairs, f, Mark)
	}
	r.values = strings.NewReplacer(pairs...)
	return r
}

// encodings returns the forms in which models and error texts may repeat the secret v.
func encodings(v string) []string {
	b := []byte(v)
	quoted, _ := json.Marshal(v) // a string always marshals
	reversed := []rune(v)
	slices.Reverse(reversed)
	forms := []string{
		v, strings.ToUpper(v), strings.ToLower(v), string(reversed),
		hex.EncodeToString(b), strings.ToUpper(hex.EncodeToString(b)),
		url.QueryEscape(v), url.PathEscape(v), strings.Trim(string(quoted), `"`),
		strings.Join(strings.Split(v, ""), " "), strings.Join(strings.Split(v, ""), "-"),
		strings.Join(strings.Split(v, ""), "\n"),
	}
	return append(forms, base64Forms(b)...)
}

// base64Forms returns the base64 texts of b at each of its three possible alignments. It leaves out characters at the
// ends that also depend on the bytes next to b.
func base64Forms(b []byte) []string {
	var forms []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			text := enc.EncodeToString(append(make([]byte, shift), b...))
			from := (shift*8 + 5) / 6
			to := len(text)
			if (len(b)+shift)%3 != 0 {
				to--
			}
			if to-from >= minSecret {
				forms = append(forms, text[from:to])
			}
		}
	}
	return forms
}

// shape is a common form of a key. For speed, pattern is tried only on text that contains hint.
type shape struct {
	hint    string
	pattern *regexp.Regexp
}

var shapes = []shape{
	{"sk-", regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`)},
	{"gh", regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{20,}`)},
	{"github_pat_", regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{20,}`)},
	{"AKIA", regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)},
	{"ASIA", regexp.MustCompile(`\bASIA[0-9A-Z]{16}\b`)},
	{"AIza", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`)},
	{"xox", regexp.MustCompile(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`)},
	{"glpat-", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`)},
	{"hf_", regexp.MustCompile(`\bhf_[A-Za-z0-9]{30,}`)},
	{"eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`)},
	{"PRIVATE KEY", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)},
}

// patternsFor returns the patterns that may match s: those of keys, then the user's.
func (r *Redactor) patternsFor(s string) (out []*regexp.Regexp) {
	for _, sh := range shapes {
		if strings.Contains(s, sh.hint) {
			out = append(out, sh.pattern)
		}
	}
	return append(out, r.patterns...)
}

// RedactKeys returns s with each key of a common form replaced by Mark. It is for text that is printed before the
// secrets are known.
func RedactKeys(s string) string { return new(Redactor).Text(s) }

// Text returns s with every secret replaced by Mark.
func (r *Redactor) Text(s string) string {
	if r == nil || s == "" {
		return s
	}
	s = r.inner.Text(s)
	if r.learned != nil {
		s = r.learned.redactor.Load().Text(s)
	}
	if r.values != nil {
		s = r.values.Replace(s)
	}
	for _, p := range r.patternsFor(s) {
		s = p.ReplaceAllString(s, Mark)
	}
	return r.redactEscaped(s)
}

// Learned is a set of secrets that become known during a run, such as a renewed token. It is safe for concurrent use.
// The zero value is empty.
type Learned struct {
	mu       sync.Mutex
	values   []string
	redactor atomic.Pointer[Redactor]
}

// Add adds a secret. Redactors made by With redact it from then on.
func (l *Learned) Add(value string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.Contains(l.values, value) {
		return
	}
	l.values = append(l.values, value)
	l.redactor.Store(New(l.values, nil))
}

// WithLearned returns a Redactor that also removes the secrets in l, including those added later.
func (r *Redactor) WithLearned(l *Learned) *Redactor {
	more := *r
	more.learned = l
	return &more
}

// WithValues returns a Redactor that also removes further values. r may be nil.
func (r *Redactor) WithValues(values []string) *Redactor {
	var more Redactor
	if r != nil {
		more = *r
	}
	inner := New(values, nil)
	inner.inner = more.inner
	more.inner = inner
	return &more
}
