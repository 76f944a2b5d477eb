package page

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/text"
)

// The only markup that the page may have.
var (
	ownElements = strings.Fields("html head meta title link style body a svg symbol circle path header p span ul li code main section use div h1 h2 h3 " +
		"small strong b dl dt dd figure figcaption details summary table caption thead tbody tfoot tr th td rect text nav footer script label input select option del ins mark i")
	ownAttributes = strings.Fields("lang charset http-equiv content name rel href id class role tabindex scope width height viewbox d x y cx cy r rx dir hidden open " +
		"type placeholder autocomplete spellcheck value focusable")
	ownIcon   = regexp.MustCompile(`^data:image/svg\+xml,%3Csvg xmlns='http://www\.w3\.org/2000/svg' [^"<>]*$`)
	ownPull   = regexp.MustCompile(`^https://github\.com/acme/prompts(?:/pull/7)?$`)
	handler   = regexp.MustCompile(`(?i)^on|^style$|^src`)
	knownRole = []string{"img", "region", "status", "group"}
)

func parsePage(page string) *html.Node {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		panic(err) // only the reader can fail
	}
	return doc
}

// pageFaults parses a page as HTML and returns all markup that is not ours, and whatever a screen reader could not
// read.
func pageFaults(page string) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if text.EscapeHidden(page) != page {
		add("invisible characters")
	}
	doc, ids := parsePage(page), map[string]int{}
	for n := range doc.Descendants() {
		if id := attr(n, "id"); id != "" {
			ids[id]++
		}
	}
	for id, times := range ids {
		if times > 1 {
			add("%d elements have the id %q", times, id)
		}
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			out = append(out, elementFaults(n, ids)...)
		}
		if n.Type == html.CommentNode {
			add("comment %q", n.Data)
		}
	}
	return append(out, documentFaults(doc)...)
}

func elementFaults(n *html.Node, ids map[string]int) (out []string) {
	add := func(format string, args ...any) { out = append(out, "<"+n.Data+">: "+fmt.Sprintf(format, args...)) }
	if !slices.Contains(ownElements, n.Data) {
		add("is none of ours")
	}
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		own := slices.Contains(ownAttributes, key) || strings.HasPrefix(key, "aria-") || strings.HasPrefix(key, "data-")
		switch {
		case handler.MatchString(key) || !own:
			add("attribute %s=%q", a.Key, a.Val)
		case key == "href":
			if !ownReference(n, a.Val, ids) {
				add("link to %q", a.Val)
			}
		case key == "aria-labelledby" && ids[a.Val] == 0:
			add("is labelled by %q, which is not there", a.Val)
		case key == "role" && !slices.Contains(knownRole, a.Val):
			add("role %q", a.Val)
		}
	}
	return append(out, readingFaults(n)...)
}

func ownReference(n *html.Node, url string, ids map[string]int) bool {
	if to, inside := strings.CutPrefix(url, "#"); inside {
		return ids[to] == 1
	}
	if n.Data == "link" {
		return ownIcon.MatchString(url)
	}
	return n.Data == "a" && (rendertest.AllowedLink.MatchString(url) || ownPull.MatchString(url))
}

// readingFaults returns the problems of an element for a screen reader.
func readingFaults(n *html.Node) (out []string) {
	add := func(text string) { out = append(out, "<"+n.Data+">: "+text) }
	switch n.Data {
	case "a":
		if strings.TrimSpace(textOf(n)) == "" {
			add("link without a text")
		}
	case "svg":
		if (attr(n, "role") == "img") == (attr(n, "aria-hidden") == "true") || attr(n, "role") == "img" && attr(n, "aria-label") == "" {
			add("neither a picture with a label nor hidden")
		}
	case "table":
		if len(find(n, "caption")) != 1 {
			add("table without a caption")
		}
	case "details":
		if n.FirstChild == nil || n.FirstChild.Data != "summary" && (n.FirstChild.NextSibling == nil || n.FirstChild.NextSibling.Data != "summary") {
			add("details without a summary first")
		}
	case "th":
		if attr(n, "scope") == "" {
			add("header without a scope")
		}
	}
	return out
}

// documentFaults returns the violations of the page's security policy and outline.
func documentFaults(doc *html.Node) (out []string) {
	styles, scripts := find(doc, "style"), find(doc, "script")
	if len(styles) != 1 || len(scripts) != 1 || textOf(styles[0]) != style || textOf(scripts[0]) != script {
		out = append(out, "the page has another style or script than ours")
	}
	policy := ""
	for _, m := range find(doc, "meta") {
		if attr(m, "http-equiv") == "Content-Security-Policy" {
			policy = attr(m, "content")
		}
	}
	if policy != securityPolicy() || !strings.HasPrefix(policy, "default-src 'none';") {
		out = append(out, "the page has the security policy "+policy)
	}
	if h1 := find(doc, "h1"); len(h1) != 1 {
		out = append(out, fmt.Sprintf("%d first headings", len(h1)))
	}
	if lang := attr(find(doc, "html")[0], "lang"); lang != "en" {
		out = append(out, "the page does not say its language")
	}
	return out
}

func find(n *html.Node, name string) (out []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			out = append(out, d)
		}
	}
	return out
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attr(n, "class")), class)
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// inWords returns the page as text, a line for each block. A picture is replaced by its label.
func inWords(page string) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(strings.ReplaceAll(n.Data, "\n", " "))
			return
		case n.Data == "style", n.Data == "script", n.Data == "head", attr(n, "aria-hidden") == "true":
			return
		case n.Data == "svg":
			b.WriteString(" [" + attr(n, "aria-label") + "]")
			return
		}
		switch block := n.Data; block {
		case "h1", "h2", "h3":
			b.WriteString("\n" + strings.Repeat("#", int(block[1]-'0')) + " ")
		case "tr", "p", "li", "summary", "caption", "figcaption", "section", "dt", "div", "nav", "header", "footer":
			b.WriteString("\n")
		case "td", "th", "dd", "option":
			b.WriteString(" | ")
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(parsePage(page))
	var lines []string
	for line := range strings.Lines(b.String()) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
