package show

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/worddiff"
)

// Limits of a quotation. The form of an answer with more lines or fewer plain words matters, so it is shown as code.
const (
	quotedLines = 15
	plainShare  = 0.8
	markedShare = 0.7 // largest share of changed words that are marked
)

// isProse reports whether a text reads well as a quotation: most words are plain, and it has few lines.
func isProse(s string) bool {
	if strings.Count(s, "\n") >= quotedLines || strings.Contains(s, "```") {
		return false
	}
	plain, all := 0, 0
	for _, word := range strings.Fields(Visible(s)) {
		all++
		if isPlainAlone(word) {
			plain++
		}
	}
	return all > 0 && float64(plain) >= plainShare*float64(all)
}

// BeforeAndNow shows two answers. Each is cut to a number of runes around the difference. JSON is shown as a diff of
// fields, prose as quotations with changed words in bold, and all else as a diff of lines. An empty answer is left out,
// and equal answers are shown once. The result ends in a line feed.
func BeforeAndNow(before, now string, runes int) string {
	if fields := compareFields(before, now); fields != nil {
		return Diff(fields)
	}
	prose := isProse(before+" "+now) && strings.Count(before+now, "\n") < quotedLines
	clean := func(s string) string { return strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n") }
	was, is := clean(before), clean(now)
	if was == is || was == "" || is == "" { // one answer is shown
		text := strings.Trim(CutEnd(cmp.Or(is, was), runes), "\n")
		if prose {
			return Quotation(When(was != is, If(was == "", "Now:", "Before:")), text) + "\n"
		}
		var lines []worddiff.Line
		for line := range strings.SplitSeq(text, "\n") {
			lines = append(lines, worddiff.Line{Text: line, Base: was != "", Head: is != ""})
		}
		return Diff(lines)
	}
	was, is = worddiff.ShortenAround(was, is, runes, runes)
	if !prose {
		return Diff(worddiff.Lines(strings.Trim(was, "\n"), strings.Trim(is, "\n")))
	}
	d := worddiff.Words(was, is)
	return quotation("Before:", was, d.Base) + "\n\n" + quotation("Now:", is, d.Head) + "\n"
}

// Quotation shows a text as a block quotation of inert Markdown, after a label of ours.
func Quotation(label, s string) string { return quotation(label, s, nil) }

// quotation is Quotation with some words in bold: those that only this text has, according to pieces.
func quotation(label, s string, pieces []worddiff.Piece) string {
	lines := markedLines(s, pieces)
	var out []string
	for _, line := range lines {
		out = append(out, line.markdown())
	}
	if label != "" {
		label = "**" + label + "**"
		if turns := strings.ContainsFunc(s, isRightToLeft); turns { // the label would reorder the line
			out = slices.Insert(out, 0, label, "")
		} else {
			out[0] = strings.TrimRight(label+" "+out[0], " ")
		}
	}
	var b strings.Builder
	for i, line := range out {
		end := "\n"
		if i == len(out)-1 {
			end = ""
		} else if line != "" && out[i+1] != "" {
			end = "\\\n" // a line break, in a job summary too
		}
		b.WriteString(strings.TrimRight("> "+line, " ") + end)
	}
	return b.String()
}

// markedWord is a word of a line, or in a script without spaces a part of it, and whether it changed.
type markedWord struct {
	text          string
	changed       bool
	noSpaceBefore bool // there is no space before it
}

type markedLine []markedWord

// markedLines splits a text into lines of words. A word with a changed letter is marked, unless most words are.
func markedLines(s string, pieces []worddiff.Piece) (lines []markedLine) {
	changed := make([]bool, len(s))
	at := 0
	for _, p := range pieces {
		for i := at; p.Changed && i < min(at+len(p.Text), len(s)); i++ {
			changed[i] = true
		}
		at += len(p.Text)
	}
	start, all, marked := 0, 0, 0
	for _, line := range strings.Split(s, "\n") {
		words := splitWords(line, changed[start:start+len(line)])
		for _, w := range words {
			size := max(1, CountFunc([]rune(w.text), worddiff.IsUnspaced)) // of such a script, each character counts
			if all += size; w.changed {
				marked += size
			}
		}
		lines = append(lines, words)
		start += len(line) + 1
	}
	if float64(marked) > markedShare*float64(all) {
		for _, line := range lines {
			for i := range line {
				line[i].changed = false
			}
		}
	}
	return lines
}

// splitWords splits a line at its spaces, and words of a script without spaces where changed text begins or ends.
func splitWords(line string, changed []bool) (words markedLine) {
	for from := 0; from < len(line); {
		from += len(line[from:]) - len(strings.TrimLeft(line[from:], blanks))
		end := len(line)
		if space := strings.IndexAny(line[from:], blanks); space >= 0 {
			end = from + space
		}
		plain := isPlainAlone(Visible(line[from:end]))
		for start := from; start < end; {
			next := start + 1
			for next < end && !(plain && isChangeBoundary(line, changed, next)) {
				next++
			}
			changed := slices.Contains(changed[start:next], true)
			words = append(words, markedWord{Visible(line[start:next]), changed, start > from})
			start = next
		}
		from = end
	}
	return words
}

const blanks = " \t\r\f\v"

// isChangeBoundary reports whether a changed part of a text begins or ends at the byte offset with a letter of a script
// without spaces. Markdown cannot begin or end bold at a punctuation mark that is next to a letter.
func isChangeBoundary(s string, changed []bool, offset int) bool {
	if changed[offset-1] == changed[offset] {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[offset:])
	if changed[offset-1] {
		r, _ = utf8.DecodeLastRuneInString(s[:offset])
	}
	return worddiff.IsUnspaced(r)
}

// markdown formats a line's words: plain ones as they are, others as code, and adjacent changed ones in bold.
func (l markedLine) markdown() string {
	var out strings.Builder
	for i := 0; i < len(l); {
		first, run := l[i], ""
		for at := i; i < len(l) && l[i].changed == first.changed; i++ {
			run += When(i > at && !l[i].noSpaceBefore, " ") + l[i].text
		}
		text := prose(run, out.Len() == 0, isPlainAlone)
		out.WriteString(When(out.Len() > 0 && !first.noSpaceBefore, " ") + If(first.changed, "**"+text+"**", text))
	}
	return out.String()
}

// isPlainAlone is isPlain for a word in a paragraph of its own, where a right-to-left word can reorder no other text.
func isPlainAlone(word string) bool {
	if !strings.ContainsFunc(word, isRightToLeft) {
		return isPlain(word)
	}
	return !bareHash.MatchString(word) && !strings.ContainsAny(word, verdictMarks) && plainWord.MatchString(word)
}

// fieldLines is the number of fields up to which two JSON answers are shown in full. Of more, only differing ones are.
const fieldLines = 12

// compareFields compares two answers field by field if both are JSON objects, and returns lines for Diff; nil
// otherwise. Equal fields are included if there are few fields.
func compareFields(before, now string) (lines []worddiff.Line) {
	was, ok1 := fieldsOf(cmp.Or(before, now))
	is, ok2 := fieldsOf(cmp.Or(now, before))
	if !ok1 || !ok2 {
		return nil
	}
	value := func(all []field, path string) (string, bool) {
		i := slices.IndexFunc(all, func(f field) bool { return f.path == path })
		if i < 0 {
			return "", false
		}
		return all[i].value, true
	}
	line := func(path, value string, base, head bool) {
		lines = append(lines, worddiff.Line{Text: path + ": " + CutEnd(value, 2*QuoteRunes), Base: base, Head: head})
	}
	for _, f := range is {
		switch old, had := value(was, f.path); {
		case had && old == f.value:
			if len(is) <= fieldLines {
				line(f.path, f.value, true, true)
			}
		case had:
			line(f.path, old, true, false)
			line(f.path, f.value, false, true)
		default:
			line(f.path, f.value, false, true)
		}
	}
	for _, f := range was {
		if _, has := value(is, f.path); !has {
			line(f.path, f.value, true, false)
		}
	}
	return lines[:min(len(lines), 4*fieldLines)]
}

// field is a value of a JSON object with its path of keys.
type field struct{ path, value string }

// fieldsOf returns the values of a JSON object in order; false if the text is no object.
func fieldsOf(s string) (out []field, ok bool) {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "{") || !utf8.ValidString(s) {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if ok = readFields(d, "", &out, 0); !ok || len(out) == 0 {
		return nil, false
	}
	_, err := d.Token()
	return out, err == io.EOF
}

// deepestField is the depth below which objects are shown as written.
const deepestField = 4

// readFields reads one value and adds its fields to out.
func readFields(d *json.Decoder, path string, out *[]field, depth int) bool {
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return false
	}
	if len(raw) == 0 || raw[0] != '{' || depth > deepestField {
		*out = append(*out, field{path, OneLine(string(raw))})
		return true
	}
	inner := json.NewDecoder(bytes.NewReader(raw))
	if _, err := inner.Token(); err != nil {
		return false
	}
	for inner.More() {
		key, err := inner.Token()
		name, ok := key.(string)
		if err != nil || !ok || !readFields(inner, Join(".", path, OneLine(name)), out, depth+1) {
			return false
		}
	}
	return true
}
