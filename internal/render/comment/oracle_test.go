package comment

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/failproof/failproof/internal/render/rendertest"
	visible "github.com/failproof/failproof/internal/text"
)

// The only markup that a page may have.
var (
	ownTag   = regexp.MustCompile(`^<(?:br|sub|/sub)>$`)
	ownBlock = regexp.MustCompile(`^(?:<details(?: open)?><summary>[A-Za-z0-9 ,·;]+</summary>|</details>)\n$`)
	// activeText matches plain text that GitHub turns into links, pictures or formulas.
	activeText = regexp.MustCompile(`(?i)[@#$][a-z0-9]|\bgh-[0-9]|\b[0-9a-f]{7,}\b|[0-9a-f]{7,}@|://|www\.|:[a-z_]+:|\$.*\$`)
)

// faults parses a page as Markdown with GitHub's extensions and returns all markup that is not ours.
func faults(markdown string) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if !utf8.ValidString(markdown) {
		add("not UTF-8")
	}
	if !strings.HasSuffix(markdown, "\n") || strings.HasSuffix(markdown, "\n\n") {
		add("does not end in one line feed")
	}
	if visible.EscapeHidden(markdown) != markdown {
		add("invisible characters")
	}
	source := []byte(markdown)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	depth := 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			out = append(out, nodeFaults(n, source, &depth)...)
		}
		return ast.WalkContinue, nil
	})
	if depth != 0 {
		add("%d details are open at the end", depth)
	}
	return append(out, tableFaults(markdown)...)
}

func nodeFaults(n ast.Node, source []byte, depth *int) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch n := n.(type) {
	case *ast.Image, *ast.AutoLink, *ast.ThematicBreak, *ast.CodeBlock, *extast.Strikethrough, *extast.TaskCheckBox, *ast.LinkReferenceDefinition:
		add("%s", n.Kind())
	case *ast.Link:
		if !rendertest.AllowedLink.Match(n.Destination) || len(n.Title) > 0 {
			add("link to %q", n.Destination)
		}
	case *ast.RawHTML:
		if tag := string(n.Segments.Value(source)); !ownTag.MatchString(tag) {
			add("HTML %q", tag)
		}
	case *ast.HTMLBlock:
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			out = append(out, blockFaults(string(line.Value(source)), depth)...)
		}
	case *ast.FencedCodeBlock:
		if l := string(n.Language(source)); l != "text" && l != "diff" {
			add("code of language %q", n.Language(source))
		}
	case *ast.List:
		if n.Parent().Kind() != ast.KindDocument {
			add("list inside %s", n.Parent().Kind())
		}
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading, *extast.TableCell:
		if found := activeText.FindString(plainOf(n, source)); found != "" {
			add("active text %q in %q", found, plainOf(n, source))
		}
	}
	return out
}

func blockFaults(line string, depth *int) []string {
	if !ownBlock.MatchString(line) {
		return []string{fmt.Sprintf("HTML block %q", line)}
	}
	if strings.HasPrefix(line, "</") {
		*depth--
	} else {
		*depth++
	}
	if *depth < 0 || *depth > 1 {
		return []string{fmt.Sprintf("details are %d deep", *depth)}
	}
	return nil
}

// plainOf returns the text of a block outside code.
func plainOf(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeSpan:
			b.WriteByte(' ')
			return ast.WalkSkipChildren, nil
		case *ast.RawHTML:
			b.WriteByte(' ')
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// tableFaults returns the table rows with a wrong number of cells. Like cmark-gfm, it splits a row at each bar without
// a backslash before it, even in code.
func tableFaults(markdown string) (out []string) {
	columns, fence := 0, ""
	for _, line := range strings.Split(markdown, "\n") {
		marks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(marks) >= 3 && !strings.Contains(line[len(marks):], "`"): // no backtick follows a fence
			fence = marks
		case fence != "" && line == fence:
			fence = ""
		case fence != "":
		case !strings.HasPrefix(line, "|"):
			columns = 0
		case columns == 0:
			columns = bars(line)
		case bars(line) != columns:
			out = append(out, fmt.Sprintf("%d bars in place of %d: %s", bars(line), columns, line))
		}
	}
	if fence != "" {
		out = append(out, "a fence is open at the end")
	}
	return out
}

func bars(line string) (n int) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			n++
		}
	}
	return n
}
