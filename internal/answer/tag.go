package answer

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
)

// asides are the beginnings and ends of what Markdown treats as a comment.
var asides = [...]struct{ begin, end string }{{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}}

// comment skips the comment at the current place of a paragraph. It returns false if none begins here, or if it has no
// end, because then it is shown. In a block of HTML, tag skips comments.
func (p *page) comment() bool {
	rest := p.text[p.at:]
	for _, aside := range asides {
		const mark = len("<!") // <!--> is a comment
		if p.html.on || !strings.HasPrefix(rest, aside.begin) {
			continue
		}
		if !p.follows(p.at+mark, aside.end) {
			return false
		}
		size := mark + strings.Index(rest[mark:], aside.end) + len(aside.end)
		if _, browser := readHTML(rest[:size]); browser < size {
			size = len(rest) // a browser may take the end for the beginning of another
		}
		p.skip(size)
		return true
	}
	return false
}

// follows reports whether the text from the offset from on has end, in small letters. It searches for each end once.
func (p *page) follows(from int, end string) bool {
	last, known := p.last[end]
	if !known {
		last = strings.LastIndex(text.LowerASCII(p.text), end)
		p.last[end] = last
	}
	return last >= from
}

// beginHTML begins a block of HTML if the line is the first of one. marks are its marks of layout, bare is the rest.
func (p *page) beginHTML(marks, bare string) {
	m := blockBegin.FindStringSubmatch(bare)
	if m == nil {
		return
	}
	name := strings.ToLower(m[2])
	known := blocks[name] || verbatim[name] && m[1] == ""
	if !known && name != "" && !loneTag.MatchString(bare) {
		return
	}
	p.html = htmlBlock{true, verbatim[name], " "}
	switch {
	case strings.Contains(marks, ">"):
		p.html.margin = ">"
	case marks != "": // perhaps in a list item, with which it ends
	case known && !(verbatim[name] && strings.Contains(bare, "</")): // such a block may end with the line
		p.html.margin = ""
	case name == "":
		p.aside = p.at + len(marks)
	}
}

// verbatim are the tags after which blank lines end no block of HTML.
var verbatim = english.Set("pre textarea script style html !doctype")

// blockBegin matches what may be the beginning of a block of HTML. Its groups are the slash and the name of a tag.
var blockBegin = regexp.MustCompile(`(?i)^<(?:(/?)(!doctype|[a-z][a-z0-9-]*)(?:[\s/>]|$)|[!?])`)

// tagPattern matches a tag as Markdown has it. loneTag matches one that is alone in its line.
var (
	tagPattern = regexp.MustCompile(tagMarkup)
	loneTag    = regexp.MustCompile(tagMarkup + `\s*$`)
	tagName    = regexp.MustCompile(name)
	tagMarkup  = `^<(?:/` + name + `|` + name + `(?:[ \t\r\n]+[A-Za-z_:][\w.:-]*(?:` + gap + `=` + gap +
		`(?:"[^"]*"|'[^']*'|[^\s<>"'=\x60]+))?)*[ \t\r\n]*/?)[ \t\r\n]*>`
)

const name = `[A-Za-z][A-Za-z0-9-]*`

// readHTML reads the tag or the comment at the beginning of text as a browser does, which wants less order than
// Markdown. Without an end it takes the whole text.
func readHTML(text string) (token html.Token, size int) {
	z := html.NewTokenizer(strings.NewReader(text))
	if z.Next() == html.ErrorToken {
		return token, len(text)
	}
	size = len(z.Raw())
	return z.Token(), size
}

// browserTag matches what a browser takes for the beginning of a tag or a comment.
var browserTag = regexp.MustCompile(`^<[A-Za-z/!?]`)

// markup reads the tag or the comment at the current place, as Markdown has it or, in a block of HTML, as a
// browser does. size is 0 if there is none. If it is uncertain where it ends, it takes the rest of the text.
func (p *page) markup() (t html.Token, size int) {
	rest := p.text[p.at:]
	if size = len(tagPattern.FindString(rest)); size > 0 {
		t, _ = readHTML(rest[:size])
		return t, size
	}
	if !p.html.on || !browserTag.MatchString(rest) {
		return t, 0
	}
	t, size = readHTML(rest)
	if !p.html.certain() && strings.IndexByte(rest[1:size], '<') >= 0 && !wholeComment.MatchString(rest[:size]) {
		size = len(rest)
	}
	return t, size
}

// tag handles the tag at the current place. It drops most attributes, and the whole element if it is hidden. It returns
// false if no tag begins here.
func (p *page) tag() bool {
	t, size := p.markup()
	if size == 0 {
		return false
	}
	written := p.text[p.at : p.at+size]
	p.skip(size)
	name, closes := t.Data, t.Type == html.EndTagToken
	switch {
	case !closes && t.Type != html.StartTagToken && t.Type != html.SelfClosingTagToken: // a comment
		p.html.forever = p.html.forever || !wholeComment.MatchString(written)
	case len(p.hidden) > 0:
		p.nest(name, closes)
	case len(t.Attr) == 0 && (closes || !hides(t) || !p.follows(p.at, "</"+name)):
		p.keep(written) // a mere mention of an element hides nothing
	case closes || !hides(t):
		p.keepTag(t, written)
	case !void[name]:
		p.hidden, p.begun = append(p.hidden, name), lineEnd(p.text, p.at)
	}
	return true
}

// nest begins or ends an element in a hidden one. If it is uncertain what a tag ends, nothing more is shown.
func (p *page) nest(name string, closes bool) {
	inner := p.hidden[len(p.hidden)-1]
	switch {
	case name != inner && plainText[inner], void[name]:
	case !closes:
		p.hidden = append(p.hidden, name)
	case name != inner && endless[inner] && len(p.hidden) > 1:
		p.hidden = p.hidden[:len(p.hidden)-1]
		p.nest(name, closes)
	case name == inner && (p.html.certain() || p.at <= p.begun && !p.odd):
		p.hidden = p.hidden[:len(p.hidden)-1]
	default:
		p.hidden = append(p.hidden, "")
	}
}

// endless are elements that end with the one around them.
var endless = english.Set("option optgroup rp rt")

// plainText are elements in which a browser reads no tag.
var plainText = english.Set("script style title iframe noframes noscript")

// wholeComment matches a comment of which a browser and Markdown see the same end.
var wholeComment = regexp.MustCompile(`(?s)^<!--.*-->$`)

// keepTag keeps the tag without its attributes, or with them if they are data, such as <result verdict="low">.
func (p *page) keepTag(t html.Token, written string) {
	if english.VerdictNouns[t.Attr[0].Key] {
		p.keep(written)
		return
	}
	p.keep("<" + t.Data + ">")
	href, _ := attribute(t, "href")
	p.follow("(", href, ") ")
}

// attribute returns the value of the first attribute with the key, as a browser does.
func attribute(t html.Token, key string) (value string, given bool) {
	i := slices.IndexFunc(t.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return "", false
	}
	return t.Attr[i].Val, true
}

// void are the elements that have no content and no closing tag.
var void = english.Set("area base br col embed hr img input link meta source track wbr")

// unshown are the elements whose content a browser does not show as text, for example the fallback text in a video.
var unshown = english.Set("script style template noscript head title datalist iframe noframes video audio canvas rp defs")

// blocks are the elements whose tag begins an HTML block of Markdown. Most such blocks end at a blank line.
var blocks = english.Set(`address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
	figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search
	section summary table tbody td tfoot th thead title tr track ul`)

// hides reports whether a browser hides the element that the tag begins.
func hides(t html.Token) bool {
	_, hidden := attribute(t, "hidden")
	_, popover := attribute(t, "popover")
	_, open := attribute(t, "open")
	style, _ := attribute(t, "style")
	return hidden || popover || unseen(style) || unshown[t.Data] || t.Data == "dialog" && !open
}

// unseen reports whether the style attribute hides its element. It decodes CSS escapes and drops comments, as a browser
// does.
func unseen(style string) bool {
	return hiding.MatchString(strings.ToLower(unescapedCSS(cssComment.ReplaceAllString(style, ""))))
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
