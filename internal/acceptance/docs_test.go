package acceptance_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/failproof/failproof/examples"
	"github.com/failproof/failproof/internal/cli"
)

// pages returns the documentation by path, from the root of the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"docs/*.md", "docs/reference/*.md"} {
		names, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no pages in %s: %v", pattern, err)
		}
		found = append(found, names...)
	}
	out := map[string]string{}
	for _, name := range append(found, "README.md", "CONTRIBUTING.md", "CHANGELOG.md") {
		out[name] = shipped(t, name)
	}
	return out
}

// TestThePagesStayShort bounds what a reader has to read: a page, and all pages that are no reference.
func TestThePagesStayShort(t *testing.T) {
	const aPage, guides, contributing = 2500, 14000, 1200
	all := 0
	for path, page := range pages(t) {
		words := len(strings.Fields(page))
		switch {
		case filepath.Dir(path) == "docs" && path != "docs/README.md":
			all += words
		case path == "CONTRIBUTING.md" && words > contributing:
			t.Errorf("%s has %d words, want at most %d", path, words, contributing)
		}
		if words > aPage && path != "CHANGELOG.md" {
			t.Errorf("%s has %d words, want at most %d", path, words, aPage)
		}
	}
	if all > guides {
		t.Errorf("tutorial, how-to guides and explanation have %d words, want at most %d", all, guides)
	}
}

// shipped reads a file of the repository.
func shipped(t *testing.T, name string) string {
	t.Helper()
	return read(t, filepath.Join(root, name))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var fenced = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// blocks returns the fenced blocks of a language.
func blocks(page, language string) (out []string) {
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		if m[1] == language {
			out = append(out, m[2])
		}
	}
	return out
}

// command runs failproof in a folder and returns its exit code and output.
func command(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = start{dir, []string{"SOURCE_DATE_EPOCH=1767603600"}, &out, &errs}.here(t.Context(), args...)
	return code, out.String(), errs.String()
}

// demo makes the demo's repository and returns its folder and the comment of its change.
func demo(t *testing.T) (dir, comment string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "demo")
	if code, _, errs := command(t, dir, "demo", "--dir", dir); code != cli.ExitFailed {
		t.Fatalf("failproof demo exits %d, want %d: %s", code, cli.ExitFailed, errs)
	}
	return dir, read(t, filepath.Join(dir, ".failproof", "out", "comment.md"))
}

// drawn is the comment that docs/comment.png shows.
const drawn = "testdata/demo-comment.md"

func TestTheReadmeShowsTheDemosComment(t *testing.T) {
	_, comment := demo(t)
	if *update {
		if err := os.WriteFile(drawn, []byte(comment), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if read(t, drawn) != comment {
		t.Errorf("docs/comment.png shows another comment than the demo makes: go test ./internal/acceptance -run Readme -update, "+
			"then go run ./tools/picture -width 760 internal/acceptance/%s docs/comment.png", drawn)
	}
	if !strings.Contains(shipped(t, "README.md"), "](docs/comment.png)") {
		t.Error("README.md does not show docs/comment.png")
	}
}

func TestTheReadmeShowsTheExampleAndTheWorkflow(t *testing.T) {
	shown := blocks(shipped(t, "README.md"), "yaml")
	if len(shown) != 3 {
		t.Fatal("README.md shows something else than the core of the workflow, a suite and a configuration")
	}
	for i, path := range []string{"suites/support/refund.yaml", ".github/failproof.yml"} {
		file, err := fs.ReadFile(examples.Repository, "repository/main/"+path)
		if err != nil || shown[i+1] != string(file) {
			t.Errorf("README.md shows another %s than the examples have: %v", path, err)
		}
	}
	workflow := shipped(t, "internal/starter/files/.github/workflows/failproof.yml")
	if page := blocks(shipped(t, "docs/action.md"), "yaml"); len(page) == 0 || page[0] != workflow {
		t.Error("docs/action.md shows another workflow than `failproof init` writes")
	}
	type parts struct {
		On   any
		Jobs map[string]struct {
			Name        string
			Permissions any
			Steps       []struct{ Uses string }
		}
	}
	var whole, core parts
	for text, into := range map[string]*parts{workflow: &whole, shown[0]: &core} {
		if err := yaml.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	gate := whole.Jobs["gate"]
	gate.Name, _, _ = strings.Cut(gate.Name, "${{") // the branch of a pull request into another one
	whole.Jobs["gate"] = gate
	if diff := cmp.Diff(whole, core); diff != "" || core.On == nil || core.Jobs["gate"].Permissions == nil {
		t.Errorf("README.md shows another workflow than `failproof init` writes (-init +README):\n%s", diff)
	}
}

func TestEveryCommandOfTheDocumentationRuns(t *testing.T) {
	dir, _ := demo(t)
	ran := 0
	for path, page := range pages(t) {
		for _, block := range blocks(page, "console") {
			for line := range strings.Lines(block) {
				words, want := shell(t, path, line)
				if words == nil {
					continue
				}
				if code, out, errs := command(t, dir, words...); code != want {
					t.Errorf("%s: %s exits %d, want %d\n%s%s", path, strings.TrimSpace(line), code, want, out, errs)
				}
				ran++
			}
		}
	}
	if ran < 10 {
		t.Fatalf("only %d commands were found", ran)
	}
}

var annotated = regexp.MustCompile(`^\$ failproof (.*?)(?:\s+# exit (\d))?\s*$`)

// shell splits a line of a console block; nil if it holds no command.
func shell(t *testing.T, path, line string) (words []string, exit int) {
	t.Helper()
	if !strings.HasPrefix(line, "$ ") {
		return nil, 0
	}
	m := annotated.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
	if m == nil {
		t.Fatalf("%s: not a command of failproof: %s", path, line)
	}
	exit, _ = strconv.Atoi(m[2])
	return strings.Fields(m[1]), exit
}

var link = regexp.MustCompile(`\]\(([^)#:\s]*)(#[^)\s]*)?\)`)

func TestEveryLinkBetweenPagesLeadsSomewhere(t *testing.T) {
	for path, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			to := path
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
				continue
			}
			if m[2] != "" && !strings.Contains(anchors(shipped(t, to)), "\n"+m[2]+"\n") {
				t.Errorf("%s links to %s%s, and that page has no such heading", path, m[1], m[2])
			}
		}
	}
}

// anchors lists the headings of a page as GitHub names them, a line each.
func anchors(page string) string {
	out := "\n"
	for line := range strings.Lines(fenced.ReplaceAllString(page, "")) {
		if title, is := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); is && strings.HasPrefix(line, "#") {
			title = regexp.MustCompile(`[^a-z0-9_ -]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			out += "#" + strings.ReplaceAll(title, " ", "-") + "\n"
		}
	}
	return out
}

// actionFile is what action.yml names.
type actionFile struct{ Inputs, Outputs map[string]any }

func readAction(t *testing.T) (a actionFile) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(shipped(t, "action.yml")), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTheActionsPageNamesEveryInputAndOutput(t *testing.T) {
	action := readAction(t)
	page := shipped(t, "docs/reference/action.md")
	for _, table := range []struct {
		name  string
		named map[string]any
	}{{"## Inputs", action.Inputs}, {"## Outputs", action.Outputs}} {
		_, rows, _ := strings.Cut(page, table.name+"\n")
		rows, _, _ = strings.Cut(rows, "\n## ")
		if len(table.named) == 0 || rows == "" {
			t.Fatalf("%s: nothing to compare", table.name)
		}
		for name := range table.named {
			if !regexp.MustCompile("(?m)^\\| [^|]*`" + regexp.QuoteMeta(name) + "`[^|]*\\|").MatchString(rows) {
				t.Errorf("docs/reference/action.md: %s has no row of %s", table.name, name)
			}
		}
	}
}
