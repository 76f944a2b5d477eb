package acceptance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// shopKeys are the variables of a run in which every key is there; none of their values may stand anywhere.
var shopKeys = map[string]string{"SHOP_KEY": "shop-canary-key-1", "SHOP_SESSION": "shop-canary-session-2", "OTHER": "other-canary-3"}

func runKeyed(t *testing.T, dir string, args ...string) (exit int, said string) {
	t.Helper()
	var out bytes.Buffer
	s := start{dir: dir, stdout: &out, stderr: &out}
	exit = s.hereWith(t.Context(), func(name string) string { return shopKeys[name] }, args...)
	return exit, out.String()
}

// noCanary looks for keys in what was said and in all that lies in a folder.
func noCanary(t *testing.T, dir, said string) {
	t.Helper()
	if strings.Contains(said, "canary") {
		t.Errorf("a key is shown:\n%s", said)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("canary")) {
			t.Errorf("%s holds a key", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// shopExample is the example of docs/reference/targets.md: configuration, suite, what is sent and what is answered.
func shopExample(t *testing.T, server string) (files map[string]string, sent, answered string) {
	t.Helper()
	page := shipped(t, "docs/reference/targets.md")
	_, section, found := strings.Cut(page, "\n## Your application\n")
	yaml, json := blocks(section, "yaml"), blocks(section, "json")
	if !found || len(yaml) < 2 || len(json) < 2 {
		t.Fatal("docs/reference/targets.md has no example of an application")
	}
	config := strings.Replace(yaml[0], "https://staging.shop.example.com", server, 1)
	if config == yaml[0] {
		t.Fatal("the example has another address")
	}
	return map[string]string{"failproof.yml": config, "suites/s.yaml": yaml[1]}, json[0], json[1]
}

func sameJSON(t *testing.T, what, want string, got []byte) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestTheExampleOfAnApplicationRuns(t *testing.T) {
	dir := t.TempDir()
	var answered string
	server := modeltest.Serve(t, func(w http.ResponseWriter, r *http.Request) { modeltest.JSON(answered)(w, r) })
	files, sent, reply := shopExample(t, server.URL)
	answered = reply
	lays(t, dir, files)
	if exit, said := runKeyed(t, dir, "run", "--dry-run"); exit != cli.ExitPassed || !strings.Contains(said, "needs 1 call") || len(server.Requests()) > 0 {
		t.Errorf("a dry run exits %d after %d requests:\n%s", exit, len(server.Requests()), said)
	}
	exit, said := runKeyed(t, dir, "run", "--yes")
	if exit != cli.ExitPassed || len(server.Requests()) != 1 {
		t.Fatalf("failproof run exits %d after %d requests:\n%s", exit, len(server.Requests()), said)
	}
	asked := server.Requests()[0]
	sameJSON(t, "sent", sent, asked.Body)
	if h := asked.Header; asked.Path != "/v1/chat" || h.Get("Authorization") != "Bearer shop-canary-key-1" || h.Get("X-Session") != "shop-canary-session-2" || h.Get("X-Tenant") != "acme" {
		t.Errorf("asked %s with %v", asked.Path, h)
	}
	result := read(t, filepath.Join(dir, ".failproof", "out", "results.jsonl"))
	for _, want := range []string{`"cost_usd":0.0007`, `"shop-2026-01"`} {
		if !strings.Contains(result, want) {
			t.Errorf("%s is not in %s", want, result)
		}
	}
	noCanary(t, dir, said)
}

// commitTo makes dir a repository, or adds a commit to it, on a branch that may be new.
func commitTo(t *testing.T, dir, branch string) {
	t.Helper()
	head := plumbing.NewBranchReferenceName(branch)
	repository, err := git.PlainOpen(dir)
	if err != nil {
		if repository, err = git.PlainInitWithOptions(dir, &git.PlainInitOptions{InitOptions: git.InitOptions{DefaultBranch: head}}); err != nil {
			t.Fatal(err)
		}
	}
	w, err := repository.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repository.Head(); err == nil {
		if err := w.Checkout(&git.CheckoutOptions{Branch: head, Create: true, Keep: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.AddWithOptions(&git.AddOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	by := &object.Signature{Name: "Ada", Email: "ada@example.com", When: time.Unix(1767600000, 0).UTC()}
	if _, err := w.Commit("change", &git.CommitOptions{Author: by}); err != nil {
		t.Fatal(err)
	}
}

// A change edits the target in every way that would help it, and makes the prompt a worse one.
func TestAChangeCannotTakeTheApplicationItIsJudgedBy(t *testing.T) {
	t.Parallel()
	evil := modeltest.Serve(t, modeltest.JSON(`{"data":{"reply":"From nine to five."}}`))
	brief := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		reply := "From nine to five."
		if bytes.Contains(body, []byte("Be brief")) {
			reply = "Soon."
		}
		modeltest.JSON(fmt.Sprintf(`{"data":{"reply":%q}}`, reply))(w, r)
	}
	for _, c := range []struct{ rule, from, to, told string }{
		{"its address", "URL", evil.URL + "/", "targets.shop.url"},
		{"the variable of its key", "SHOP_KEY", "OTHER", "targets.shop.api_key_env"},
		{"the variable of a header", "SHOP_SESSION", "OTHER", "targets.shop.headers"},
		{"a header more", "X-Tenant: acme", "X-Tenant: acme, X-More: { env: OTHER }", "targets.shop.headers"},
		{"what is sent", `"{{ prompt }}"`, `"When are you open?"`, "targets.shop.body"},
		{"where the answer stands", "response.json.data.reply", `'"From nine to five."'`, "targets.shop.answer"},
		{"the kind of it", "provider: http", "provider: http\n    allow_http: true", "targets.shop.allow_http"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			server := modeltest.Serve(t, brief)
			dir := t.TempDir()
			files, _, _ := shopExample(t, server.URL)
			lays(t, dir, files)
			lays(t, dir, map[string]string{".gitignore": ".failproof\n"})
			commitTo(t, dir, "main")
			from := strings.ReplaceAll(c.from, "URL", server.URL+"/")
			head := strings.Replace(files["failproof.yml"], from, c.to, 1)
			if head == files["failproof.yml"] {
				t.Fatalf("%q is not in the configuration", from)
			}
			lays(t, dir, map[string]string{"failproof.yml": head, "suites/s.yaml": strings.Replace(files["suites/s.yaml"], `content: "`, `content: "Be brief. `, 1)})
			commitTo(t, dir, "change")
			exit, said := runKeyed(t, dir, "run", "--base", "main", "--no-cache")
			comment := read(t, filepath.Join(dir, ".failproof", "out", "comment.md"))
			if exit != cli.ExitFailed || !strings.Contains(comment, c.told) {
				t.Errorf("the run exits %d, want %d, and tells of %s:\n%s\n%s", exit, cli.ExitFailed, c.told, said, comment)
			}
			asked := server.Requests()
			if len(asked) < 2 {
				t.Errorf("%d requests, want both sides'", len(asked))
			}
			for _, one := range asked {
				text := fmt.Sprint(one.Header, string(one.Body))
				if strings.Contains(text, "other-canary") || !strings.Contains(text, "shop-canary-key-1") || !strings.Contains(text, "C-17") {
					t.Errorf("sent %s", text)
				}
			}
			noCanary(t, dir, said)
		})
	}
	t.Cleanup(func() {
		if n := len(evil.Requests()); n > 0 {
			t.Errorf("the other server was asked %d times", n)
		}
	})
}

// An application repeats the token that it was sent. The token is renewed while the run goes on, and neither of the two
// may be kept.
func TestATokenThatIsRenewedWhileARunGoesOn(t *testing.T) {
	secrets, err := os.MkdirTemp("/tmp", "failproof-test-") // no key is read from /dev, where other temporary files may lie
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(secrets)
	dir, token := t.TempDir(), filepath.Join(secrets, "token")
	var mu sync.Mutex
	valid := "first-canary-token"
	renew := func() {
		if err := os.WriteFile(token, []byte(valid+"\n"), 0o600); err != nil {
			t.Error(err)
		}
	}
	renew()
	asked := 0
	server := modeltest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if asked++; asked == 3 { // the token runs out while this request is under way
			valid = "second-canary-token"
			renew()
		}
		sent := r.Header.Get("Authorization")
		if sent != "Bearer "+valid {
			modeltest.Reply(401, `{"error":"no longer valid: `+sent+`"}`)(w, r)
			return
		}
		modeltest.JSON(`{"reply":"OK `+sent+`"}`)(w, r)
	})
	suite := "version: 1\nmessages: [{ role: user, content: \"Say OK. {{ n }}\" }]\ncases:\n"
	for i := range 6 {
		suite += fmt.Sprintf("  - { id: c%d, vars: { n: \"%d\" }, assert: [\"response.text contains 'OK'\"] }\n", i, i)
	}
	lays(t, dir, map[string]string{"suites/s.yaml": suite, "failproof.yml": fmt.Sprintf(`version: 1
suites: ["suites/*.yaml"]
default_target: app
targets:
  app: { provider: http, url: %q, api_key_file: %q, body: { q: "{{ prompt }}" }, answer: response.json.reply, concurrency: 1 }
  replay: { provider: recorded, path: recordings.jsonl }
`, server.URL, token)})
	exit, said := runKeyed(t, dir, "run", "--yes")
	if n := len(server.Requests()); exit != cli.ExitPassed || n != 7 {
		t.Errorf("the run exits %d after %d requests, want %d after 7:\n%s", exit, n, cli.ExitPassed, said)
	}
	noCanary(t, dir, said)
	if exit, said = runKeyed(t, dir, "record", "--no-cache", "--yes"); exit != cli.ExitPassed {
		t.Errorf("record exits %d:\n%s", exit, said)
	}
	lines := strings.FieldsFunc(read(t, filepath.Join(dir, "recordings.jsonl")), func(r rune) bool { return r == '\n' })
	if len(lines) != 6 || !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "OK Bearer [redacted]") }) {
		t.Errorf("recorded:\n%s", strings.Join(lines, "\n"))
	}
	noCanary(t, dir, said)
}
