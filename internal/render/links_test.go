package render

import (
	"strings"
	"testing"
)

func TestFileLinks(t *testing.T) {
	const blob = "https://github.com/acme/prompts/blob/" + headSHA + "/"
	in := func(change func(*Links)) Links {
		l := links()
		change(&l)
		return l
	}
	cases := []struct {
		rule string
		l    Links
		path string
		line int
		want string
	}{
		{"a line of a file", links(), "a/b.yaml", 7, blob + "a/b.yaml#L7"},
		{"a whole file", links(), "b.yaml", 0, blob + "b.yaml"},
		{"a Markdown file has lines in its source only", links(), "b.MD", 7, blob + "b.MD?plain=1#L7"},
		{"a folder inside the repository", in(func(l *Links) { l.Dir = "svc/bot" }), "b.yaml", 1, blob + "svc/bot/b.yaml#L1"},
		{"odd characters are encoded", links(), "a b)(|@é.yaml", 1, blob + "a%20b%29%28%7C%40%C3%A9.yaml#L1"},
		{"a path that leaves the commit is not linked", links(), "a/../../b", 1, ""},
		{"an absolute path is not linked", links(), "/etc/passwd", 1, ""},
		{"a path of endless length is not linked", links(), strings.Repeat("a", 601), 1, ""},
		{"no repository, no link", in(func(l *Links) { l.Repo = "" }), "b.yaml", 1, ""},
		{"no commit, no link", in(func(l *Links) { l.HeadSHA = "" }), "b.yaml", 1, ""},
		{"a repository that is none counts as absent", in(func(l *Links) { l.Repo = "a/b/../c" }), "b.yaml", 1, ""},
		{"a server that is none counts as absent", in(func(l *Links) { l.Server = "javascript:x" }), "b.yaml", 1, ""},
		{"a commit that is none counts as absent", in(func(l *Links) { l.HeadSHA = "main) [x](" }), "b.yaml", 1, ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := c.l.file(c.l.HeadSHA, c.path, c.line); got != c.want {
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
			if got := (Links{Server: "https://github.com", RunURL: c.url}).run(); got != c.want {
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
			if got := linked(c.name, c.url); got != c.want {
				t.Errorf("linked(%q, %q) = %q, want %q", c.name, c.url, got, c.want)
			}
		})
	}
}
