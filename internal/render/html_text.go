package render

import "strings"

// span of a page: text, or text that is set as code. The template escapes both.
type textSpan struct {
	Text string
	Code bool
}

// spans shows a phrase; each foreign part is cut to runes.
func (p phrase) spans(runes int) (out []textSpan) {
	for _, x := range p {
		switch text := lead(x.text, runes); x.kind {
		case quoted:
			out = append(out, textSpan{text, true})
		case sentence:
			out = append(out, marked(text)...)
		default:
			out = append(out, marked(x.text)...)
		}
	}
	return out
}

// sentenceSpans shows a sentence of this program, which may quote a file or an answer.
func sentenceSpans(text string) []textSpan { return marked(lead(text, sentenceRunes)) }

// marked sets as code what stands between two backticks.
func marked(text string) (out []textSpan) {
	for text != "" {
		before, rest, opened := strings.Cut(text, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !opened || !closed || code == "" {
			return append(out, textSpan{text, false})
		}
		if before != "" {
			out = append(out, textSpan{before, false})
		}
		out, text = append(out, textSpan{code, true}), after
	}
	return out
}

// named is a name that can be seen: a link without one could not be read aloud.
func named(name string) string {
	if strings.TrimSpace(name) == "" {
		return "unnamed"
	}
	return name
}

// place is a line of a file; URL is "" where it cannot be linked.
type place struct{ Name, URL string }

func (v *view) placeOf(sha, path string, line, column int) place {
	if path == "" {
		return place{}
	}
	return place{named(placeName(v.l.Path(path), line, column)), v.l.file(sha, path, line)}
}

// revisionOf names a commit by its first seven characters, and else by its name.
func (v *view) revisionOf(sha, name string) place {
	if shaForm.MatchString(sha) {
		return place{sha[:7], v.l.commit(sha)}
	}
	return place{ends(name, nameRunes), ""}
}
