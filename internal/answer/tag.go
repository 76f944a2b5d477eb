package answer

import (
	"cmp"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
)

// asides are the beginnings and ends of what a browser treats as a comment.
var asides = [...][2]string{{"<!-->", ""}, {"<!--->", ""}, {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}}

// declaration matches a declaration such as <!DOCTYPE html>.
var declaration = regexp.MustCompile(`^<![A-Za-z][^<>]*>`)

// comment skips the comment at the current place. An unclosed <!-- at the beginning of a line hides the rest of the
// text. Any other unclosed comment is shown. comment returns false if none begins here.
func (r *renderer) comment() bool {
	rest := r.text[r.at:]
	if !strings.HasPrefix(rest, "<!") && !strings.HasPrefix(rest, "<?") {
		return false
	}
	for _, aside := range asides {
		begin, end := aside[0], aside[1]
		if !strings.HasPrefix(rest, begin) {
			continue
		}
		switch r.at += len(begin); {
		case r.follows(end):
			r.at += strings.Index(r.text[r.at:], end) + len(end)
		case begin == "<!--" && r.bare:
			r.at = len(r.text)
		default:
			r.keep(begin)
		}
		return true
	}
	size := len(declaration.FindString(rest))
	r.at += size
	return size > 0
}

// follows reports whether the text from the current place on has end, in small letters. It searches for each end once.
func (r *renderer) follows(end string) bool {
	last, known := r.last[end]
	if !known {
		last = strings.LastIndex(text.LowerASCII(r.text), end)
		r.last[end] = last
	}
	return last >= r.at
}

// tag handles the tag at the current place. It drops most attributes, and the whole element if it is hidden. It returns
// false if no tag begins here.
func (r *renderer) tag() bool {
	t, ok := readTag(r.text[r.at:])
	if !ok {
		return false
	}
	written := r.text[r.at : r.at+t.size]
	r.at += t.size
	begins := r.element == "" && !t.closing && t.hidden()
	switch {
	case begins && t.first == "" && !r.follows("</"+t.name):
		r.keep(written) // a mere mention of the element hides nothing
	case begins && !void[t.name]:
		r.element, r.depth = t.name, 1
	case r.element == t.name && !t.closing:
		r.depth++
	case r.element == t.name:
		if r.depth--; r.depth == 0 {
			r.element = ""
		}
	case t.first == "" || english.VerdictNouns[t.first]: // data, such as <result verdict="low">
		r.keep(written)
	case t.hidden(): // a void element has no content to skip
	default:
		r.keep("<" + t.name + ">")
		r.follow("(", t.attributes["href"], ") ")
	}
	return true
}

// void are the elements that have no content and no closing tag.
var void = english.Set("area base br col embed hr img input link meta source track wbr")

// unshown are the elements whose content a browser does not show as text, for example the fallback text in a video.
var unshown = english.Set("script style template noscript head title datalist iframe noframes video audio canvas rp defs")

// blocks are the elements whose tag begins an HTML block of Markdown. Most such blocks end at a blank line.
var blocks = english.Set(`address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
	figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search
	section summary table tbody td tfoot th thead title tr track ul pre script style textarea`)

// htmlBlock reports whether line begins an HTML block, in which backticks mark no code. on reports whether that block
// continues after blank lines.
func htmlBlock(line string) (block, on bool) {
	if strings.HasPrefix(line, "<!") || strings.HasPrefix(line, "<?") {
		return true, false
	}
	t, ok := readTag(line)
	if !ok {
		return false, false
	}
	return blocks[t.name] || strings.TrimSpace(line[t.size:]) == "", t.name == "pre" || t.name == "textarea"
}

// element is one parsed tag.
type element struct {
	name       string // in lower case
	closing    bool
	attributes map[string]string // by key in lower case; the first of equal keys, as in a browser
	first      string            // the key of the first attribute; "": the tag has none
	size       int
}

// hidden reports whether a browser hides the element.
func (e element) hidden() bool {
	_, hidden := e.attributes["hidden"]
	_, popover := e.attributes["popover"]
	_, open := e.attributes["open"]
	style, styled := e.attributes["style"]
	return hidden || popover || styled && unseen(style) || unshown[e.name] || e.name == "dialog" && !open
}

// unseen reports whether the style attribute hides its element. It decodes entities and CSS escapes and drops comments,
// as a browser does.
func unseen(style string) bool {
	style = cssComment.ReplaceAllString(html.UnescapeString(style), "")
	return hiding.MatchString(strings.ToLower(unescapedCSS(style)))
}

// hiding matches a CSS rule that hides the element.
var hiding = regexp.MustCompile(`(?:^|;)\s*(?:display\s*:\s*none|color\s*:\s*transparent|visibility\s*:\s*(?:hidden|collapse)|` +
	`(?:font(?:-size)?|opacity)\s*:(?:[^;]*\s)?\s*(?:-[0-9.]+|[.0]*0[.0]*)[a-z%]*)\s*(?:[\s;!/]|$)`)

// cssComment matches a comment in CSS. An unclosed comment extends to the end.
var cssComment = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`)

// cssEscape matches a CSS escape: a backslash with the number of a character and an optional white space, or with any
// other character.
var cssEscape = regexp.MustCompile(`(?s)\\(?:([0-9a-fA-F]{1,6})[ \t\r\n\f]?|.)`)

func unescapedCSS(style string) string {
	return cssEscape.ReplaceAllStringFunc(style, func(escape string) string {
		n, err := strconv.ParseUint(strings.TrimSpace(escape[1:]), 16, 32)
		if err != nil {
			return escape[1:]
		}
		return string(rune(n))
	})
}

var (
	// attributePattern matches an attribute. Its groups are the key, and the value in the three ways to write it.
	attributePattern = regexp.MustCompile(`([^ \t\r\n/>="'<]+)(?:` + gap + `=` + gap +
		`(?:"([^"]*)"|'([^']*)'|([^ \t\r\n<>"']+)))?`)
	// tagPattern matches a tag. Its groups are the slash of a closing tag, the name and the attributes.
	tagPattern = regexp.MustCompile(`^<(/?)([A-Za-z][A-Za-z0-9-]*)((?:[ \t\r\n/]+` + attributePattern.String() +
		`)*)[ \t\r\n/]*>`)
)

// readTag reads the tag at the beginning of text. ok is false if there is none.
func readTag(text string) (t element, ok bool) {
	m := tagPattern.FindStringSubmatch(text[:tagEnd(text)])
	if m == nil {
		return t, false
	}
	t = element{name: strings.ToLower(m[2]), closing: m[1] != "", attributes: map[string]string{}, size: len(m[0])}
	for _, a := range attributePattern.FindAllStringSubmatch(m[3], -1) {
		key := strings.ToLower(a[1])
		t.first = cmp.Or(t.first, key)
		if _, given := t.attributes[key]; !given {
			t.attributes[key] = a[2] + a[3] + a[4]
		}
	}
	return t, true
}

// tagEnd returns the offset after the first angle bracket in text that is in no quotation marks and closes a tag. It
// returns 0 if there is none. A pattern that is tried on a tag alone is much faster than on all that follows.
func tagEnd(text string) int {
	quote := byte(0)
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == '<':
			return 0
		case c == '>':
			return i + 1
		}
	}
	return 0
}
