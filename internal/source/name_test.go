package source_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/source"
)

// refused are names that no tree looks up, whatever it holds.
var refused = []struct {
	rule string
	name string
	want error
}{
	{"an absolute path", "/etc/passwd", source.ErrOutside},
	{"a path that goes up", "../secret", source.ErrOutside},
	{"a path that goes down and up", "suites/../../x", source.ErrOutside},
	{"a path that goes up inside the tree", "suites/../README.md", source.ErrOutside},
	{"a backslash", `..\x`, source.ErrName},
	{"a Windows path", `C:\x`, source.ErrName},
	{"a Windows share", `\\srv\x`, source.ErrName},
	{"a NUL", "a\x00b", source.ErrName},
	{"a line break", "a\n::error::b", source.ErrName},
	{"a carriage return", "a\rb", source.ErrName},
	{"an escape", "a\x1bb", source.ErrName},
	{"a line separator", "a\u2028b", source.ErrName},
	{"a next-line control", "a\u0085b", source.ErrName},
	{"no UTF-8", "a\xffb", source.ErrName},
	{"decomposed letters (NFD)", "suites/e\u0301.yml", source.ErrName},
	{"more than 4096 bytes", strings.Repeat("a/", 2048) + "b", source.ErrName},
	{"an empty name", "", source.ErrName},
	{"an empty part", "suites//a", source.ErrName},
	{"a trailing slash", "suites/", source.ErrName},
	{"a dot part", "./README.md", source.ErrName},
	{"git's folder", ".git", source.ErrForbidden},
	{"a file in git's folder", ".git/config", source.ErrForbidden},
	{"git's folder of a nested repository", "suites/.git/config", source.ErrForbidden},
	{"git's folder in other letter case", ".GIT/config", source.ErrForbidden},
	{"git's folder as NTFS shortens it", "GIT~1/config", source.ErrForbidden},
	{"git's folder as Windows trims it", ".git. ./config", source.ErrForbidden},
	{"git's folder as HFS+ compares it", ".g\u200cit/config", source.ErrForbidden},
	{"an environment file", ".env", source.ErrForbidden},
	{"an environment file of one stage", "suites/.env.production", source.ErrForbidden},
	{"a file in an environment folder", ".envs/x", source.ErrForbidden},
	{"an environment file in other letter case", ".Env", source.ErrForbidden},
	{"an environment file as NTFS shortens it", "ENV~1", source.ErrForbidden},
}

func TestNamesThatAreRefused(t *testing.T) {
	all := plain()
	all[".env"], all["suites/.env.production"], all[".envs/x"] = file("KEY=1"), file("KEY=1"), file("KEY=1")
	for kind, tree := range withFolder(t, all) {
		for _, c := range refused {
			t.Run(kind+"/"+c.rule, func(t *testing.T) { wantRefusal(t, tree, c.name, c.want) })
		}
	}
}

func TestNamesThatAreAllowed(t *testing.T) {
	all := files{}
	for _, name := range []string{"a b.md", "100%0A.md", "@team.md", "-rf", ".github/failproof.yml", ".gitignore", "environment.md", "日本.md", "...", strings.Repeat("n", 255)} {
		all[name] = file(name)
	}
	for kind, tree := range withFolder(t, all) {
		for name := range all {
			if got, err := fs.ReadFile(tree, name); err != nil || string(got) != name {
				t.Errorf("%s: ReadFile(%q) = %q, %v", kind, name, got, err)
			}
		}
	}
}

func TestCredentialsAreInNoListing(t *testing.T) {
	all := plain()
	for _, name := range []string{".env", ".envs/x", "suites/.env.local", "suites/.git/config", ".GIT/config"} {
		all[name] = file("secret")
	}
	for kind, tree := range withFolder(t, all) {
		for _, name := range names(t, tree) {
			if lower := strings.ToLower(name); strings.Contains(lower, ".env") || strings.Contains(lower, ".git") {
				t.Errorf("%s lists %q", kind, name)
			}
		}
	}
}
