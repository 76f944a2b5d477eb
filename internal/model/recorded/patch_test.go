package recorded_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/suiteid"
)

// applied applies a patch with git in a folder that has the file, and returns what became of it.
func applied(t *testing.T, name string, old []byte, patch []byte) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if old != nil {
		if err := os.WriteFile(path, old, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git := exec.Command("git", "apply", "-")
	git.Dir, git.Stdin = dir, strings.NewReader(string(patch))
	git.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s", err, out, patch)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func entry(id, text string) string {
	return fmt.Sprintf(`{"suite_id":"s","case_id":%q,"raw_response":%q}`, id, text)
}

func TestAPatchOfARecordingIsTakenByGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	a, b, c := entry("a", "1"), entry("b", "2"), entry("c", "3")
	a2, d := entry("a", "new")+"\n"+entry("a", "new too")+"\n", entry("d", "4")+"\n"
	many := ""
	for i := range 30 {
		many += entry(fmt.Sprintf("m%d", i), "x") + "\n"
	}
	for _, q := range []struct {
		rule, name, old string
		edits           map[suiteid.Name][]byte
		want            string
	}{
		{"a case in the middle", "r/s.jsonl", b + "\n" + a + "\n" + c + "\n", map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2)}, b + "\n" + a2 + c + "\n"},
		{"all its lines become the new ones, where the first stood", "s.jsonl", a + "\n" + b + "\n" + a + "\n", map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2)}, a2 + b + "\n"},
		{"a case more comes last", "s.jsonl", b + "\n", map[suiteid.Name][]byte{{Suite: "s", Case: "d"}: []byte(d)}, b + "\n" + d},
		{"behind a line without a line break", "s.jsonl", b, map[suiteid.Name][]byte{{Suite: "s", Case: "d"}: []byte(d)}, b + "\n" + d},
		{"a last line without a line break", "s.jsonl", b + "\n" + a, map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2)}, b + "\n" + a2},
		{"the same, and a case more", "s.jsonl", b + "\n" + a, map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2), {Suite: "s", Case: "d"}: []byte(d)}, b + "\n" + a2 + d},
		{"two places far apart", "s.jsonl", a + "\n" + many + c + "\n", map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2), {Suite: "s", Case: "c"}: []byte(d)}, a2 + many + d},
		{"line breaks of Windows stay", "s.jsonl", b + "\r\n" + a + "\r\n", map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2)}, b + "\r\n" + a2},
		{"a line that is none stays", "s.jsonl", "not json\n" + a + "\n", map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2)}, "not json\n" + a2},
		{"a name with a line break breaks out of no line", "a\nb.jsonl", a + "\n", map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2)}, a2},
		{"a name with other than plain characters", "a b/ä\"s.jsonl", a + "\n", map[suiteid.Name][]byte{{Suite: "s", Case: "a"}: []byte(a2)}, a2},
	} {
		t.Run(q.rule, func(t *testing.T) {
			if got := applied(t, q.name, []byte(q.old), recorded.Patch(q.name, []byte(q.old), q.edits)); got != q.want {
				t.Errorf("after the patch:\n%s\nwant:\n%s", got, q.want)
			}
		})
	}
	if got := applied(t, "new/s.jsonl", nil, recorded.Patch("new/s.jsonl", nil, map[suiteid.Name][]byte{{Suite: "s", Case: "d"}: []byte(d)})); got != d {
		t.Errorf("a new file: %q", got)
	}
}

func TestPatchesOfAnyCasesAreTakenByGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 25 {
		old, want, edits := "", "", map[suiteid.Name][]byte{}
		for i := range 1 + r.IntN(25) {
			id := fmt.Sprintf("c%d", i)
			old += entry(id, "old") + "\n"
			if r.IntN(4) > 0 {
				want += entry(id, "old") + "\n"
				continue
			}
			lines := strings.Repeat(entry(id, "new")+"\n", 1+r.IntN(3))
			edits[suiteid.Name{Suite: "s", Case: id}] = []byte(lines)
			want += lines
		}
		if len(edits) == 0 {
			continue
		}
		if got := applied(t, "s.jsonl", []byte(old), recorded.Patch("s.jsonl", []byte(old), edits)); got != want {
			t.Errorf("after the patch:\n%s\nwant:\n%s", got, want)
		}
	}
}

func TestABOMHidesNoLine(t *testing.T) {
	text := []byte("\ufeff" + `{"suite_id":"s","case_id":"a","raw_response":"x"}` + "\n")
	if left := recorded.Replace(text, map[string][]byte{"s": nil}); len(left) > 0 {
		t.Errorf("Replace() = %q, want nothing: the line is of the suite", left)
	}
	if first, _ := recorded.Lines(text, "s"); len(first["a"]) == 0 {
		t.Error("Lines() lacks the first line")
	}
}
