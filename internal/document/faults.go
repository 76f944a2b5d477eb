package document

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/text"
)

const (
	maxMessage = 300 // bytes of a message
	maxShown   = 60  // runes of a value that a message repeats
	maxFaults  = 100 // that are listed of one file; a hostile one could hold a million
)

// faults collects what is wrong with one file.
type faults struct {
	path   string
	list   []Diagnostic
	unsaid int // beyond maxFaults
}

func (f *faults) errorAt(at Position, rule, format string, args ...any) {
	f.add(NewFault(f.path, at, rule, format, args...))
}

func (f *faults) add(d Diagnostic) {
	if len(f.list) >= maxFaults {
		f.unsaid++
		return
	}
	f.list = append(f.list, d)
}

// all returns the faults in file order, each once, with a last one for those that are not listed.
func (f *faults) all() []Diagnostic {
	Sort(f.list)
	if f.unsaid == 0 {
		return f.list
	}
	return append(f.list, NewFault(f.path, Position{}, "too-many-faults", "%d more faults are not listed", f.unsaid))
}

// Quote shows text of a file so that nothing in it is active, at most 60 runes of it.
func Quote(text string) string {
	text = redact.Keys(text) // whoever takes the name of a variable for the key itself must not read it in a comment
	cut := 0
	for range maxShown {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	if cut == len(text) {
		return strconv.Quote(text)
	}
	return strings.TrimSuffix(strconv.Quote(text[:cut]), `"`) + `…"`
}

// Line makes a message one line of valid UTF-8 that is at most 300 bytes long and holds no control characters.
func Line(message string) string {
	message = strings.Map(visible, strings.ToValidUTF8(redact.Keys(message), "\uFFFD"))
	return text.CutBytes(strings.Join(strings.Fields(message), " "), maxMessage)
}

// visible replaces runes that are not shown as themselves: controls, and those that turn the writing direction.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return ' '
	case !strconv.IsPrint(r):
		return '\uFFFD'
	}
	return r
}
