package show_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
)

func TestACardIsLinkedWhereThePageIsPublished(t *testing.T) {
	for page, want := range map[string]string{
		"":                                     "",
		"https://acme.github.io/7/report.html": "https://acme.github.io/7/report.html#case/a/b",
		"http://acme.github.io/report.html":    "",
		"https://acme.github.io/a) b":          "",
		"https://acme.github.io/x#y":           "",
		"javascript:alert(1)":                  "",
	} {
		if got := (show.Links{Page: page}).CaseURL("case/a/b"); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
}

func TestFileLinks(t *testing.T) {
	const blob = "https://github.com/acme/prompts/blob/" + rendertest.HeadSHA + "/"
	in := func(change func(*show.Links)) show.Links {
		l := rendertest.Links()
		change(&l)
		return l
	}
	cases := []struct {
		rule string
		l    show.Links
		path string
		line int
		want string
	}{
		{"a line of a file", rendertest.Links(), "a/b.yaml", 7, blob + "a/b.yaml#L7"},
		{"a whole file", rendertest.Links(), "b.yaml", 0, blob + "b.yaml"},
		{"a Markdown file has lines in its source only", rendertest.Links(), "b.MD", 7, blob + "b.MD?plain=1#L7"},
		{"a folder inside the repository", in(func(l *show.Links) { l.Dir = "svc/bot" }), "b.yaml", 1, blob + "svc/bot/b.yaml#L1"},
		{"odd characters are encoded", rendertest.Links(), "a b)(|@é.yaml", 1, blob + "a%20b%29%28%7C%40%C3%A9.yaml#L1"},
		{"a path that leaves the commit is not linked", rendertest.Links(), "a/../../b", 1, ""},
		{"an absolute path is not linked", rendertest.Links(), "/etc/passwd", 1, ""},
		{"a path of endless length is not linked", rendertest.Links(), strings.Repeat("a", 601), 1, ""},
		{"no repository, no link", in(func(l *show.Links) { l.Repo = "" }), "b.yaml", 1, ""},
		{"no commit, no link", in(func(l *show.Links) { l.HeadSHA = "" }), "b.yaml", 1, ""},
		{"a repository that is none counts as absent", in(func(l *show.Links) { l.Repo = "a/b/../c" }), "b.yaml", 1, ""},
		{"a server that is none counts as absent", in(func(l *show.Links) { l.Server = "javascript:x" }), "b.yaml", 1, ""},
		{"a commit that is none counts as absent", in(func(l *show.Links) { l.HeadSHA = "main) [x](" }), "b.yaml", 1, ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := c.l.File(c.l.HeadSHA, c.path, c.line); got != c.want {
				t.Errorf("file(%q, %d) = %q, want %q", c.path, c.line, got, c.want)
			}
		})
	}
}

func TestRunLinks(t *testing.T) {
	cases := []struct{ rule, url, want string }{
		{"a run of the server", "https://github.com/a/b/actions/runs/1/attempts/2", "https://github.com/a/b/actions/runs/1/attempts/2"},
		{"a run elsewhere is not linked", "https://evil.example/a", ""},
		{"a server that only begins like ours is not linked", "https://github.com.evil.example/a", ""},
		{"what ends a link is not linked", "https://github.com/a) [x](y", ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := (show.Links{Server: "https://github.com", RunURL: c.url}).Run(); got != c.want {
				t.Errorf("run of %q = %q, want %q", c.url, got, c.want)
			}
		})
	}
}

func TestLinked(t *testing.T) {
	cases := []struct{ rule, name, url, want string }{
		{"a plain name is a link", "refund-over_limit", "u", "[refund-over_limit](u)"},
		{"an odd name is code in the link", "a]b", "u", "[`a]b`](u)"},
		{"a name like a commit is code", "deadbeef", "u", "[`deadbeef`](u)"},
		{"a name like a reference is code", "GH-12", "u", "[`GH-12`](u)"},
		{"no link, no plain text", "refund", "", "`refund`"},
		{"no name", "", "u", "[unnamed](u)"},
		{"a long name loses its middle", strings.Repeat("a", 50) + strings.Repeat("b", 50), "",
			"`" + strings.Repeat("a", 19) + "…" + strings.Repeat("b", 40) + "`"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := show.MarkdownLink(c.name, c.url); got != c.want {
				t.Errorf("linked(%q, %q) = %q, want %q", c.name, c.url, got, c.want)
			}
		})
	}
}
