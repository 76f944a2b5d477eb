package acceptance_test

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/starter"
)

// firstRelease is what the documentation names where only a release will do, until CHANGELOG.md has one.
const firstRelease = "v0.1.0"

var (
	releasedIn = regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)$`)
	// ofBranch is what works without a release: a step of the action, and a schema for editors.
	ofBranch = regexp.MustCompile(`(- uses: failproof/failproof@|/failproof/failproof/)(main|v\d+\.\d+\.\d+)( |/schemas/)`)
	// ofRelease is what only a release has.
	ofRelease  = regexp.MustCompile(`(failproof/failproof(?:/setup)?@|releases/download/|refs/tags/|--branch |rev: )(v\d+\.\d+\.\d+)()`)
	unreleased = regexp.MustCompile(`(?i)no release is published|until v\d\S* is released|until v\d\S*,`)
)

// TestTheDocumentationNamesTheReleaseThatInitWrites holds the documentation to the newest release of CHANGELOG.md, and
// init to the documentation. Where a release was added, -update writes it into every example; what says that there is
// none is then for people to take out.
func TestTheDocumentationNamesTheReleaseThatInitWrites(t *testing.T) {
	tag := ""
	if m := releasedIn.FindStringSubmatch(shipped(t, "CHANGELOG.md")); m != nil {
		tag = "v" + m[1]
	}
	written := ofBranch.FindStringSubmatch(initWorkflow(t, tag))
	if written == nil {
		t.Fatal("init writes a workflow that names no action")
	}
	texts := pages(t)
	const example = "examples/repository/main/.github/workflows/failproof.yml"
	for _, name := range []string{"setup/install", example} {
		texts[name] = shipped(t, name)
	}
	if texts[example] != initWorkflow(t, tag) && !*update {
		t.Errorf("%s is not what init writes", example)
	}
	delete(texts, "CHANGELOG.md")
	seen := map[*regexp.Regexp]int{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		for form, want := range map[*regexp.Regexp]string{ofBranch: written[2], ofRelease: cmp.Or(tag, firstRelease)} {
			if form == ofBranch && name == "docs/install.md" { // its examples need a release
				continue
			}
			for _, m := range form.FindAllStringSubmatch(text, -1) {
				seen[form]++
				if m[2] != want && !*update {
					t.Errorf("%s names %s; expected %s, as CHANGELOG.md and init do: -update writes it", name, m[0], want)
				}
			}
			text = form.ReplaceAllString(text, "${1}"+want+"${3}")
		}
		if said := unreleased.FindString(text); said != "" && tag != "" {
			t.Errorf("%s says %q, and %s is released", name, said, tag)
		}
		if *update && text != texts[name] {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if seen[ofBranch] < 10 || seen[ofRelease] < 5 {
		t.Errorf("only %d examples work without a release, and %d need one", seen[ofBranch], seen[ofRelease])
	}
}

// initWorkflow is the workflow that the release of a tag writes; "" is every other build.
func initWorkflow(t *testing.T, tag string) string {
	t.Helper()
	dir := t.TempDir()
	_, err := starter.Survey(dir, tag).Write(dir, false, func(string, bool) {})
	if err != nil {
		t.Fatal(err)
	}
	return read(t, filepath.Join(dir, ".github/workflows/failproof.yml"))
}
