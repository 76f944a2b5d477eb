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

// The runner reads commands from both streams of an action, by two parsers (actions/runner, ActionCommand.cs): `::x::`
// after any white space at the start of a line, and `##[x]` anywhere in one. Lines end at CR too, and its comparisons
// may pass over characters that show nothing. So those are shown, a line that would begin with a colon begins with a
// bar, and the bracket after a number sign is spelled out. Nothing invisible is put in: the comparisons might pass over
// it as well.
const (
	logBar     = "| "
	logBracket = `\x5b`
)

// Log returns text as one printable line, without a line feed, that the runner does not take for a command.
func Log[T ~string](t T) string {
	var b strings.Builder
	s := logState{start: true}
	line := strings.Join(strings.FieldsFunc(string(t), IsBreak), " ↵ ")
	for _, r := range Visible(strings.ReplaceAll(line, "\t", " ")) {
		s.put(&b, r)
	}
	return b.String()
}

// Diagnostic returns a fault as one line of a log: `path:line:column: message [rule]`; without a line, the path alone.
func Diagnostic(d document.Diagnostic) string {
	at := d.Path
	if d.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", d.Path, d.Line, max(d.Column, 1))
	}
	return Log(When(at != "", at+": ") + d.Message + When(d.Rule != "", " ["+d.Rule+"]"))
}

// Diagnostics returns faults as lines of a log, each with its line of the file below it. source reads a file; nil shows
// none.
func Diagnostics(faults []document.Diagnostic, source func(path string) string) string {
	var lines strings.Builder
	for _, d := range faults {
		lines.WriteString(Diagnostic(d) + "\n")
		if source == nil {
			continue
		}
		if line := Source(d, source(d.Path)); line != "" {
			lines.WriteString(line + "\n")
		}
	}
	return lines.String()
}

// mayHoldKey matches lines of a configuration in which somebody may have written a key in place of a variable's name.
var mayHoldKey = regexp.MustCompile(`(?i)api_key|secret|passw|authorization|bearer|headers`)

// sourceColumns is how much of a line of a file is shown below a fault.
const sourceColumns = 120

// sourceLine is the longest line, in bytes, that is shown in part, since all of it is searched for keys first, once for
// each fault.
const sourceLine = 8 << 10

// Source returns the line of a file that a fault is about, and a caret below its place, in two lines of a log; "" if
// the place is not in the file, or the line is very long or may hold a key.
func Source(d document.Diagnostic, file string) string {
	found := lineOf(file, d.Line)
	line := []rune(strings.TrimRight(found, "\r"))
	if len(found) > sourceLine || len(line) == 0 || d.Column < 1 || d.Column > len(line)+1 {
		return ""
	}
	before, after := string(line[:d.Column-1]), string(line[d.Column-1:])
	if redact.Keys(string(line)) != string(line) || mayHoldKey.MatchString(string(line)) {
		return ""
	}
	lead := Log("." + strings.ReplaceAll(before, "\t", " "))[1:]
	start := 0
	if n := utf8.RuneCountInString(lead); n > sourceColumns/2 {
		start = len(text.First(lead, n-sourceColumns/2))
		lead = "…" + lead[start:]
	}
	shown := lead + strings.TrimPrefix(Log("."+strings.ReplaceAll(CutEnd(after, sourceColumns/2), "\t", " ")), ".")
	return "  | " + shown + "\n  | " + strings.Repeat(" ", twwidth.Width(lead)) + "^"
}

// lineOf returns a line of text, counted from 1; "" if there is none.
func lineOf(text string, n int) string {
	for line := range strings.SplitSeq(text, "\n") {
		if n--; n == 0 {
			return line
		}
	}
	return ""
}

// LogWriter returns a writer that passes lines on to w so that the runner takes none for a command; ordinary lines stay
// as they are. A bare CR, and every other character that ends a line somewhere, ends the line. A rune that is split
// between two writes waits for its rest.
func LogWriter(w io.Writer) io.Writer { return &logWriter{w: w, state: logState{start: true}} }

// StyledLogWriter is a LogWriter that lets the escape sequences of terminal colours through. Foreign text written to it
// must hold none.
func StyledLogWriter(w io.Writer) io.Writer {
	return &logWriter{w: w, state: logState{start: true}, styled: true}
}

type logWriter struct {
	w     io.Writer
	state logState
	rest  []byte // of an incomplete rune
	cr    bool   // the last rune was a CR, which has ended its line
	last  rune
	joins rune // a joiner or the sign of an emoji that waits for what follows it, by which it stays or is shown; 0: none

	styled bool // escape sequences are ours and stay
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
		l.rune(&b, r, data[:size])
		data = data[size:]
	}
	if _, err := io.WriteString(l.w, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (l *logWriter) rune(b *strings.Builder, r rune, raw []byte) {
	if joiner := l.joins; joiner != 0 {
		l.joins = 0
		if text.Joins(l.last, joiner, r) {
			l.state.put(b, joiner)
		} else {
			for _, shown := range Visible(string(joiner)) {
				l.state.put(b, shown)
			}
		}
		l.last = joiner
	}
	if text.Waits(r) {
		l.joins = r
		return
	}
	l.last = r
	after := l.cr
	l.cr = r == '\r'
	switch {
	case r == '\n' && after:
	case IsBreak(r):
		b.WriteByte('\n')
		l.state = logState{start: true}
	case l.styled && r == '\x1b':
		b.WriteRune(r)
	default:
		for _, shown := range Visible(string(raw)) {
			l.state.put(b, shown)
		}
	}
}

type logState struct {
	start bool // nothing but white space so far
	sign  bool // the last character that a comparison sees is a number sign

	escape string // of a bracket, for Sprintf; "" for that of a log
}

func (s *logState) put(b *strings.Builder, r rune) {
	switch {
	case s.start && IsColon(r):
		b.WriteString(logBar)
	case s.sign && isBracket(r):
		s.sign = false
		if s.escape == "" {
			b.WriteString(logBracket)
		} else {
			fmt.Fprintf(b, s.escape, r)
		}
		return
	}
	b.WriteRune(r)
	if unicode.Is(unicode.M, r) {
		return // may be passed over
	}
	s.start = s.start && unicode.IsSpace(r)
	s.sign = isSign(r)
}

// IsBreak reports a character that ends a line for some reader: LF, VT, FF, CR, NEL, LS and PS.
func IsBreak(r rune) bool {
	return r >= '\n' && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// Wide and small forms count as the plain ones, in case a comparison folds them.
func IsColon(r rune) bool {
	return r == ':' || r == '：' || r == '﹕' || r == '︓' || r == '∷' || r == '⩴'
}
func isSign(r rune) bool    { return r == '#' || r == '＃' || r == '﹟' }
func isBracket(r rune) bool { return r == '[' || r == '［' || r == '﹇' }

// LineWriter writes a document line by line through change, which makes each harmless if the document is printed to the
// runner's log. Call Flush at the end.
type LineWriter struct {
	w      io.Writer
	change func(line []byte) []byte
	rest   []byte // of a line that is not whole
}

// NewLineWriter returns a LineWriter to w.
func NewLineWriter(w io.Writer, change func(line []byte) []byte) *LineWriter {
	return &LineWriter{w: w, change: change}
}

func (l *LineWriter) Write(text []byte) (int, error) {
	end := bytes.LastIndexByte(text, '\n') + 1
	if end > 0 {
		end += len(l.rest)
	}
	l.rest = append(l.rest, text...)
	if end == 0 {
		return len(text), nil
	}
	for line := range bytes.Lines(l.rest[:end]) {
		if _, err := l.w.Write(l.change(line)); err != nil {
			return 0, err
		}
	}
	l.rest = append(l.rest[:0], l.rest[end:]...)
	return len(text), nil
}

// Flush writes what is left of the last line.
func (l *LineWriter) Flush() error {
	_, err := l.w.Write(l.change(l.rest))
	l.rest = nil
	return err
}

// PassedOver is a character that a comparison may not see.
func PassedOver(r rune) bool { return unicode.In(r, unicode.Cf, unicode.M) }

// signLead begins every number sign but # in UTF-8.
const signLead = 0xEF

// Spelled escapes a bracket after a number sign, with which a runner's command may begin, so that readers of the
// document see the same text and the runner sees none. escape is the document language's form, for Sprintf. No
// structure of XML or JSON has such a bracket.
func Spelled(text []byte, escape string) []byte {
	if bytes.IndexByte(text, '#') < 0 && bytes.IndexByte(text, signLead) < 0 {
		return text // most lines, at a glance
	}
	var out strings.Builder
	out.Grow(len(text))
	s := logState{escape: escape}
	for _, r := range string(text) {
		s.put(&out, r)
	}
	return []byte(out.String())
}

// NoCommand returns a line of a document without escapes of its own, such as Markdown, so that the runner finds no
// command in it. A bracket behind a single number sign, as programs have it, stays.
func NoCommand(line []byte) []byte {
	if bytes.IndexByte(line, '#') < 0 && bytes.IndexByte(line, ':') < 0 && bytes.IndexByte(line, signLead) < 0 &&
		!bytes.ContainsAny(line, "∷⩴") {
		return line
	}
	var out bytes.Buffer
	signs, start := 0, true
	for _, r := range string(line) {
		switch {
		case start && IsColon(r):
			out.WriteString(logBar)
		case signs > 1 && isBracket(r):
			out.WriteString(logBracket)
			signs = 0
			continue
		}
		out.WriteRune(r)
		switch {
		case PassedOver(r):
			continue
		case isSign(r):
			signs++
		default:
			signs = 0
		}
		start = start && unicode.IsSpace(r)
	}
	return out.Bytes()
}

// JSONWriter returns a writer of JSON in which the runner finds no command. A number sign occurs in JSON texts only, so
// the second of `##[` can be written as an escape that every reader decodes. The other kind of command begins a line,
// which no JSON text does. A text must not be split over two writes.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

// WriteJSON writes a value as JSON, indented by two blanks, in which the runner finds no command.
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
