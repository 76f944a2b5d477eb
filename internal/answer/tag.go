package answer

import (
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// asides are the beginnings and ends of what a browser treats as a comment.
var asides = [...][2]string{{"<!-->", ""}, {"<!--->", ""}, {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}}

// comment skips the comment at the current place. An unclosed <!-- at the beginning of a line hides the rest of the
// text. Any other unclosed comment is shown. comment returns false if none begins here.
func (r *renderer) comment() bool {
	rest := r.text[r.at:]
	for i, aside := range asides {
		if !strings.HasPrefix(rest, aside[0]) {
			continue
		}
		size, end := len(aside[0]), -1
		if !r.endless[i] {
			end = strings.Index(rest[size:], aside[1])
			r.endless[i] = end < 0
		}
		switch {
		case end >= 0:
			r.at += size + end + len(aside[1])
		case aside[0] == "<!--" && r.bare:
			r.at = len(r.text)
		default:
			r.keep(rest[:size])
			r.at += size
		}
		return true
	}
	if len(rest) > 2 && rest[1] == '!' && asciiLetter(rest[2]) { // <!DOCTYPE html>
		if end := strings.IndexAny(rest[1:], "<>"); end >= 0 && rest[1+end] == '>' {
			r.at += 1 + end + 1
			return true
		}
	}
	return false
}

// tag handles the tag at the current place. It drops most attributes, and the whole element if it is hidden. It returns
// false if no tag begins here.
func (r *renderer) tag() bool {
	t, ok := readTag(r.text, r.at)
	if !ok {
		return false
	}
	from := r.at
	r.at = t.end
	begins := r.element == "" && !t.closing && t.hidden()
	switch {
	case begins && len(t.attributes) == 0 && !r.closes(t.name):
		r.keep(r.text[from:t.end]) // a mere mention of the element hides nothing
	case begins && !void[t.name]:
		r.element, r.depth = t.name, 1
	case r.element == t.name:
		r.nest(t.closing)
	case len(t.attributes) == 0 || english.VerdictNouns[t.attributes[0].key]: // data, such as <result verdict="low">
		r.keep(r.text[from:t.end])
	case t.hidden(): // a void element has no content to skip
	default:
		r.keep("<" + t.name + ">")
		if address, _ := t.value("href"); r.addresses && absolute(address) {
			r.keep("(" + address + ") ")
		}
	}
	return true
}

// nest counts the open elements that have the name of the hidden element. closing says whether the current tag closes
// one. The hidden element ends when none is open.
func (r *renderer) nest(closing bool) {
	if !closing {
		r.depth++
	} else if r.depth--; r.depth == 0 {
		r.element = ""
	}
}

// closes reports whether an element with the given name is closed further on. It remembers names without a closing tag
// and searches for each of them once.
func (r *renderer) closes(name string) bool {
	if r.lower == "" {
		r.lower, r.unclosed = strings.ToLower(r.text), map[string]bool{}
	}
	// Some letters change their length in lower case, so offsets would differ. Such text is hardly HTML, and the
	// element counts as closed.
	if len(r.lower) != len(r.text) || r.unclosed[name] {
		return len(r.lower) != len(r.text)
	}
	r.unclosed[name] = !strings.Contains(r.lower[r.at:], "</"+name)
	return !r.unclosed[name]
}

// void are the elements that have no content and no closing tag.
var void = english.Set("area base br col embed hr img input link meta source track wbr")

// unshown are the elements whose content a browser does not show as text, for example the fallback text in a video.
var unshown = english.Set("script style template noscript head datalist iframe noframes video audio canvas rp defs")

// blocks are the elements whose tag begins an HTML block of Markdown. Most such blocks end at a blank line.
var blocks = english.Set(`address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
	figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search
	section summary table tbody td tfoot th thead title tr track ul pre script style textarea`)

// htmlBlock reports whether line begins an HTML block, in which backticks mark no code. on reports whether that block
// continues after blank lines.
func htmlBlock(line string) (block, on bool) {
	t, ok := readTag(line, 0)
	if !ok {
		return false, false
	}
	return blocks[t.name] || strings.TrimSpace(line[t.end:]) == "", t.name == "pre" || t.name == "textarea"
}

// element is one parsed tag.
type element struct {
	name       string // in lower case
	closing    bool
	attributes []attribute
	end        int
}

type attribute struct{ key, value string } // the key in lower case

func (t element) value(key string) (value string, has bool) {
	for _, a := range t.attributes {
		if a.key == key {
			return a.value, true
		}
	}
	return "", false
}

// hidden reports whether a browser hides the element.
func (t element) hidden() bool {
	for _, a := range t.attributes {
		if a.key == "hidden" || a.key == "style" && unseen(a.value) {
			return true
		}
	}
	_, open := t.value("open")
	return unshown[t.name] || t.name == "dialog" && !open
}

// unseen reports whether the style attribute hides its element. It decodes entities and CSS escapes and drops comments,
// as a browser does.
func unseen(style string) bool {
	style = cssComment.ReplaceAllString(html.UnescapeString(style), "")
	for rule := range strings.SplitSeq(strings.ToLower(unescapedCSS(style)), ";") {
		key, value, _ := strings.Cut(rule, ":")
		value, _, _ = strings.Cut(strings.TrimSpace(value), "!")
		switch key, value = strings.TrimSpace(key), strings.TrimSpace(value); {
		case key == "display" && value == "none", key == "color" && value == "transparent", key == "visibility" &&
			(value == "hidden" || value == "collapse"),
			(key == "font-size" || key == "opacity") && value != "" && strings.Trim(value, "0.%pxemr") == "" &&
				strings.Contains(value, "0"):
			return true
		}
	}
	return false
}

// cssComment matches a comment in CSS. An unclosed comment extends to the end.
var cssComment = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`)

// cssEscape matches a CSS escape: a backslash with the number of a character and an optional white space, or with any
// other character.
var cssEscape = regexp.MustCompile(`(?s)\\(?:([0-9a-fA-F]{1,6})[ \t\r\n\f]?|.)`)

func unescapedCSS(style string) string {
	if strings.IndexByte(style, '\\') < 0 {
		return style
	}
	return cssEscape.ReplaceAllStringFunc(style, func(escape string) string {
		n, err := strconv.ParseUint(strings.TrimSpace(escape[1:]), 16, 32)
		if err != nil {
			return escape[1:]
		}
		return string(rune(n))
	})
}

// readTag reads the tag that begins at the offset at. ok is false if there is none.
func readTag(text string, at int) (t element, ok bool) {
	at++
	if at < len(text) && text[at] == '/' {
		t.closing = true
		at++
	}
	from := at
	for at < len(text) && (asciiLetter(text[at]) || at > from && (text[at] == '-' || english.DigitAt(text, at))) {
		at++
	}
	if at == from {
		return t, false
	}
	t.name = strings.ToLower(text[from:at])
	for at < len(text) {
		next := at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n/"))
		if next == len(text) {
			break
		}
		if text[next] == '>' {
			t.end = next + 1
			return t, true
		}
		a, end := readAttribute(text, next)
		if next == at || end < 0 {
			break
		}
		t.attributes = append(t.attributes, a)
		at = end
	}
	return t, false
}

// readAttribute reads the attribute that begins at the offset at, and returns its end. end is -1 if there is none.
func readAttribute(text string, at int) (a attribute, end int) {
	size := strings.IndexAny(text[at:], " \t\r\n/>=\"'<")
	if size <= 0 {
		return a, -1
	}
	a.key = strings.ToLower(text[at : at+size])
	at += size
	equals, _ := space(text, at)
	if equals == len(text) || text[equals] != '=' {
		return a, at
	}
	at, _ = space(text, equals+1)
	if at == len(text) {
		return a, -1
	}
	if quote := text[at]; quote == '"' || quote == '\'' {
		size = strings.IndexByte(text[at+1:], quote)
		if size < 0 {
			return a, -1
		}
		a.value = text[at+1 : at+1+size]
		return a, at + 1 + size + 1
	}
	if size = strings.IndexAny(text[at:], " \t\r\n<>\"'"); size <= 0 {
		return a, -1
	}
	a.value = text[at : at+size]
	return a, at + size
}

func asciiLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
