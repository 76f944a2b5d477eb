package answer_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/failproof/failproof/internal/answer"
)

// pieces are parts of hostile texts. "@" stands for a word of its own.
var pieces = []string{"@", "@", "@", "@", "a", " ", "\n", "\n", "\n\n", "<!--", "-->", "<!-- @ -->", "`", "`", "``", "```",
	"~~~", "\n```\n", "\n~~~\n", "<div>", "\n<div>", "</div>", "<b hidden>", "</b>", "<b>", "[", "]", ")", "](x)",
	"](x \"@\")", "\"", "'", "\\", "> ", "- ", "1. ", "  ", "    ", "\t", "<?", "?>", "<![CDATA[", "]]>", "<!A", ">",
	"[@]: ", "]: x", "[a]: b \"@\"", "![", "<pre>", "</pre>", "# ", "\n---\n", "|", "<a title=\"@\">", "<a ", "x=\"",
	"<script a>", "</script>"}

// TestNoPageHidesWhatIsSeen compares random texts with the pages that a Markdown renderer and a browser's parser make.
func TestNoPageHidesWhatIsSeen(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	shown := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		parts := strings.Split(b.String(), "@")
		text := parts[0]
		for i, part := range parts[1:] {
			text += fmt.Sprintf("word%dx%s", i, part)
		}
		seen, page := answer.RemoveHidden(text), pageText(t, text)
		for i := range parts[1:] {
			switch word := fmt.Sprintf("word%dx", i); {
			case strings.Contains(seen, word) && !strings.Contains(page, word):
				t.Errorf("a page of %q shows %q, without %s; RemoveHidden returns %q", text, page, word, seen)
			case strings.Contains(seen, word):
				shown++
			}
		}
	}
	if shown < 10_000 {
		t.Errorf("only %d words are seen", shown)
	}
}

// pageText returns the text of the page that Markdown is rendered as.
func pageText(t *testing.T, markdown string) string {
	t.Helper()
	var page bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(render.WithUnsafe()))
	if err := md.Convert([]byte(markdown), &page); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			text.WriteString(n.Data)
		}
		hidden := slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
		for c := n.FirstChild; c != nil && !hidden && n.Data != "script"; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return text.String()
}
