package show

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/text"
)

// The runner reads commands from both streams of an action with two parsers (actions/runner, ActionCommand.cs): `::x::`
// after white space at the start of a line, and `##[x]` anywhere in one. Lines also end at CR, and its comparisons may
// ignore invisible characters. This package therefore makes invisible characters visible, puts a bar before a colon at
// the start of a line, and escapes the bracket after a number sign.
const (
	logBar     = "| "
	logBracket = `\x5b`
)

// LogLine returns text as one printable line, without a line feed, that the runner does not read as a command.
func LogLine[T ~string](t T) string {
	var b strings.Builder
	s := logState{atLineStart: true}
	line := strings.Join(strings.FieldsFunc(string(t), IsBreak), " ↵ ")
	for _, r := range Visible(strings.ReplaceAll(line, "\t", " ")) {
		s.writeRune(&b, r)
	}
	return b.String()
}

// Diagnostic returns a diagnostic as one line of a log: `path:line:column: message [rule]`, with the parts that it has.
// The message of a warning begins with that word.
func Diagnostic(d document.Diagnostic) string {
	at := d.Path
	if d.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", d.Path, d.Line, max(d.Column, 1))
	}
	return LogLine(When(at != "", at+": ") + When(d.Severity == document.Warning, "warning: ") + d.Message +
		When(d.Rule != "", " ["+d.Rule+"]"))
}

// Diagnostics returns diagnostics as lines of a log, each followed by its line of the file if source is not nil.
func Diagnostics(faults []document.Diagnostic, source func(path string) string) string {
	var lines strings.Builder
	for _, d := range faults {
		lines.WriteString(Diagnostic(d) + "\n")
		if source == nil {
			continue
		}
		if line := SourceLine(d, source(d.Path)); line != "" {
			lines.WriteString(line + "\n")
		}
	}
	return lines.String()
}

// keyPattern matches lines of a configuration that may have a key in place of a variable's name.
var keyPattern = regexp.MustCompile(`(?i)api_key|secret|passw|authorization|bearer|headers`)

// sourceColumns is the length at which the line of a file is truncated.
const sourceColumns = 120

// sourceLine is the length in bytes of the longest line that SourceLine shows, so that lines are searched for API keys
// in bounded time.
const sourceLine = 8 << 10

// SourceLine returns a diagnostic's line of the file and a caret below its place, as two lines of a log. It returns ""
// if the place is not in the file, or the line is too long or may have a key.
func SourceLine(d document.Diagnostic, file string) string {
	lines := strings.Split(file, "\n")
	if d.Line < 1 || d.Line > len(lines) || len(lines[d.Line-1]) > sourceLine {
		return ""
	}
	line := []rune(strings.TrimRight(lines[d.Line-1], "\r"))
	if len(line) == 0 || d.Column < 1 || d.Column > len(line)+1 {
		return ""
	}
	before, after := string(line[:d.Column-1]), string(line[d.Column-1:])
	if redact.RedactKeys(string(line)) != string(line) || keyPattern.MatchString(string(line)) {
		return ""
	}
	lead := LogLine("." + strings.ReplaceAll(before, "\t", " "))[1:]
	start := 0
	if n := utf8.RuneCountInString(lead); n > sourceColumns/2 {
		start = len(text.FirstRunes(lead, n-sourceColumns/2))
		lead = "…" + lead[start:]
	}
	shown := lead + strings.TrimPrefix(LogLine("."+strings.ReplaceAll(CutEnd(after, sourceColumns/2), "\t", " ")), ".")
	return "  | " + shown + "\n  | " + strings.Repeat(" ", twwidth.Width(lead)) + "^"
}

// LogWriter returns a writer that changes lines for w so that the runner reads none as a command; ordinary lines stay
// unchanged. CR, and every other character that some reader takes for a line end, ends the line. A rune split between
// two writes waits for its rest.
func LogWriter(w io.Writer) io.Writer { return &logWriter{w: w, state: logState{atLineStart: true}} }

// StyledLogWriter is a LogWriter that keeps the escape sequences of terminal colors, which no foreign text may contain.
func StyledLogWriter(w io.Writer) io.Writer {
	return &logWriter{w: w, state: logState{atLineStart: true}, styled: true}
}

type logWriter struct {
	w       io.Writer
	state   logState
	rest    []byte // of an incomplete rune
	afterCR bool   // the last rune was a CR, which ended its line
	last    rune
	pending rune // a joiner or emoji modifier whose treatment depends on the next rune; 0: none

	styled bool // keep escape sequences, which are ours
}

func (l *logWriter) Write(p []byte) (int, error) {
	data := append(l.rest, p...)
	l.rest = nil
	var b strings.Builder
	for len(data) > 0 {
		if !utf8.FullRune(data) {
			l.rest = append([]byte(nil), data...)
			break
		}
		r, size := utf8.DecodeRune(data)
		l.writeRune(&b, r, data[:size])
		data = data[size:]
	}
	if _, err := io.WriteString(l.w, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (l *logWriter) writeRune(b *strings.Builder, r rune, raw []byte) {
	if joiner := l.pending; joiner != 0 {
		l.pending = 0
		if text.IsValidJoin(l.last, joiner, r) {
			l.state.writeRune(b, joiner)
		} else {
			for _, shown := range Visible(string(joiner)) {
				l.state.writeRune(b, shown)
			}
		}
		l.last = joiner
	}
	if text.NeedsContext(r) {
		l.pending = r
		return
	}
	l.last = r
	afterCR := l.afterCR
	l.afterCR = r == '\r'
	switch {
	case r == '\n' && afterCR:
	case IsBreak(r):
		b.WriteByte('\n')
		l.state = logState{atLineStart: true}
	case l.styled && r == '\x1b':
		b.WriteRune(r)
	default:
		for _, shown := range Visible(string(raw)) {
			l.state.writeRune(b, shown)
		}
	}
}

type logState struct {
	atLineStart bool // only white space so far
	signs       int  // number signs just before, as a comparison sees it

	spareSigns int    // number signs after which a bracket stays
	escape     string // escape of a bracket in a document, for Sprintf; "" for a log
}

func (s *logState) writeRune(b *strings.Builder, r rune) {
	switch {
	case s.atLineStart && s.escape == "" && IsColon(r):
		b.WriteString(logBar)
	case s.signs > s.spareSigns && isBracket(r):
		s.signs = 0
		if s.escape == "" {
			b.WriteString(logBracket)
		} else {
			fmt.Fprintf(b, s.escape, r)
		}
		return
	}
	b.WriteRune(r)
	switch {
	case IsIgnorable(r):
		return
	case isNumberSign(r):
		s.signs++
	default:
		s.signs = 0
	}
	s.atLineStart = r == '\n' || s.atLineStart && unicode.IsSpace(r)
}

// IsBreak reports whether some reader takes a character for a line end: LF, VT, FF, CR, NEL, LS or PS.
func IsBreak(r rune) bool {
	return r >= '\n' && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// IsColon reports whether a character is a colon. Wide and small forms count too, because a comparison may fold them.
func IsColon(r rune) bool {
	return r == ':' || r == '：' || r == '﹕' || r == '︓' || r == '∷' || r == '⩴'
}
func isNumberSign(r rune) bool { return r == '#' || r == '＃' || r == '﹟' }
func isBracket(r rune) bool    { return r == '[' || r == '［' || r == '﹇' }

// IsIgnorable reports whether a comparison may ignore a character.
func IsIgnorable(r rune) bool { return unicode.In(r, unicode.Cf, unicode.M) }

// signLead is the first byte in UTF-8 of every number sign except #.
const signLead = 0xEF

// EscapeBrackets escapes a bracket after a number sign, which may begin a runner's command. escape is the document
// language's form, for Sprintf, and readers see the same text. XML and JSON syntax has no such bracket.
func EscapeBrackets(text []byte, escape string) []byte {
	if bytes.IndexByte(text, '#') < 0 && bytes.IndexByte(text, signLead) < 0 {
		return text // true for most lines
	}
	var out strings.Builder
	out.Grow(len(text))
	s := logState{escape: escape}
	for _, r := range string(text) {
		s.writeRune(&out, r)
	}
	return []byte(out.String())
}

// EscapeCommands changes a document so that the runner finds no command in it. It is for documents without escapes of
// their own, such as Markdown. A bracket after a single number sign, as in programs, stays.
func EscapeCommands(document string) []byte {
	var out strings.Builder
	s := logState{atLineStart: true, spareSigns: 1}
	for _, r := range document {
		s.writeRune(&out, r)
	}
	return []byte(out.String())
}

// JSONWriter returns a writer of JSON in which the CI runner finds no command of its own. It escapes the second # of
// `##[`, which JSON has only within strings. Commands with `::` must begin a line, and no JSON string does. A string
// must not be split over two writes.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

// WriteJSON writes a value as JSON with an indentation of two spaces, in which the runner finds no command.
func WriteJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(JSONWriter(w))
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

type jsonWriter struct{ w io.Writer }

func (j jsonWriter) Write(text []byte) (int, error) {
	if _, err := j.w.Write(bytes.ReplaceAll(text, []byte("##["), []byte(`#\u0023[`))); err != nil {
		return 0, err
	}
	return len(text), nil
}
