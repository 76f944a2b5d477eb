package acceptance_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/cli"
)

// TestEqualVerdicts holds failproof to what it said before, on repositories and changes made by chance with everything
// that suites, configurations and recordings may hold. testdata/equal.txt has a line for each, which says how it ended.
// It then has a line for each kind of output, with a digest for each of them. Where an output is meant to change,
// -update writes its line anew, and the verdicts should stay.
//
// FAILPROOF_OLD names a failproof of before: then the outputs of both are compared word for word, as one does along a
// redesign.
func TestEqualVerdicts(t *testing.T) {
	t.Parallel()
	every := map[amount]int{everything: 4, sample: 27, least: 101}[wanted()] // each reaches every way of judging sooner or later
	old := os.Getenv("FAILPROOF_OLD")
	if *update || old != "" && wanted() == everything {
		every = 1
	}
	const name = "testdata/equal.txt"
	known, fresh := readLines(t, name), make([]outputs, all)
	t.Run("seeds", func(t *testing.T) {
		for seed := 0; seed < all; seed += every {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				now := judgedBy(t, start.run, seed)
				fresh[seed] = now
				switch {
				case old != "":
					now.compare(t, judgedBy(t, func(s start, t *testing.T, args ...string) (int, error) { return s.process(t.Context(), old, args...) }, seed))
				case !*update:
					now.check(t, seed, known)
				}
			})
		}
	})
	if *update && !t.Failed() {
		if err := os.WriteFile(name, []byte(equalText(fresh)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// all is the number of repositories and changes.
const all = 300

func readLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !*update {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// outputs are what failproof said of one change, by kind: exit codes, streams, and files by their base name.
type outputs map[string]string

// runs is a way to run failproof.
type runs func(s start, t *testing.T, args ...string) (code int, err error)

// stage is a change on disk, in a folder of its own.
type stage struct {
	*testing.T
	run   runs
	dir   string
	env   []string
	names *strings.Replacer // what is another in each run
	out   outputs
}

// ways are how a change may be judged; the seed says which.
var ways = []struct {
	judge func(s *stage, a *author, base, head tree)
	live  bool // there is a model, and its key is at hand
}{
	{judgeFolder, false}, {judgeFolderWithFlags, false}, {judgeRevisions, false}, {judgeStoredBase, false}, {judgeTwoReports, false},
	{judgeAlone, false}, {judgeLive, true}, {judgeLive, true}, {judgeStamped, false}, {judgeFolder, false},
}

func judgedBy(t *testing.T, run runs, seed int) outputs {
	t.Helper()
	a := newAuthor(uint64(seed))
	before, after := a.change()
	s := &stage{T: t, run: run, dir: t.TempDir(), out: outputs{}}
	s.env = []string{"HOME=" + filepath.Join(s.dir, "home"), "PATH=" + os.Getenv("PATH"), "SOURCE_DATE_EPOCH=1767225600"}
	s.names = strings.NewReplacer(s.dir, "DIR")
	way := ways[seed%len(ways)]
	if way.live {
		model := httptest.NewServer(&fickle{seed: seed, asked: map[string]int{}})
		defer model.Close()
		s.names = strings.NewReplacer(s.dir, "DIR", model.URL, modelURL)
		s.env = append(s.env, modelKey+"=k")
		for _, d := range []*draft{before, after} {
			d.target("fast")["base_url"] = model.URL + "/v1"
			if a.oneIn(2) {
				d.config["default_target"] = "fast"
				delete(d.config, "default_targets")
			}
		}
	}
	base, head := before.files(), after.files()
	keys, err := keysOnce(base)
	if err != nil {
		t.Fatal(err)
	}
	if base, err = base.bound(keys); err != nil {
		t.Fatal(err)
	}
	if head, err = head.bound(keys); err != nil {
		t.Fatal(err)
	}
	way.judge(s, a, base, head)
	return s.out
}

func (s *stage) lay(folder string, files tree) {
	s.Helper()
	if err := files.write(filepath.Join(s.dir, folder)); err != nil {
		s.Fatal(err)
	}
}

// failproof runs a command in a folder, and notes what it says and leaves behind.
func (s *stage) failproof(folder string, args ...string) {
	s.Helper()
	var stdout, stderr bytes.Buffer
	dir := filepath.Join(s.dir, folder)
	code, err := s.run(start{dir, s.env, &stdout, &stderr}, s.T, args...)
	if err != nil {
		s.Fatal(err)
	}
	if code == cli.ExitBug {
		s.Errorf("a bug of ours:\n%s", stderr.String())
	}
	s.note("exit", fmt.Sprintln(code, args[0]))
	s.note("stdout", stdout.String())
	s.note("stderr", onTheWay.ReplaceAllString(stderr.String(), ""))
	err = filepath.WalkDir(filepath.Join(dir, ".failproof/out"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if os.IsNotExist(err) {
				return nil
			}
			return err
		}
		data, err := os.ReadFile(name)
		s.note(filepath.Base(name), string(data))
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}

// onTheWay are the lines that say how far a run is: whether there are any, the clock decides.
var onTheWay = regexp.MustCompile(`(?m)^(?:\d+ of \d+ answers judged|asking [^\n]*, \d+ of \d+|[^\n]*: waiting \d+ (?:s|min))[^\n]*\n`)

// took are figures of the clock.
var took = regexp.MustCompile(`("(?:base_)?latency_(?:ms|score)": ?| time="| data-n=")[0-9.]+|[0-9.]+ m?s( before| now| ?<|,)`)

// latencyRow is the row of a table with the score that the clock gives.
var latencyRow = regexp.MustCompile(`latency score[^\n]*`)

// slower says how much slower the answers became. It stands between others in a line, which the terminal wraps.
var slower = regexp.MustCompile(` ·\s+[0-9.]+\s+×\s+slower|\s+· *<[a-z]+[^>]*>[0-9.]+ × slower</[a-z]+>`)

func (s *stage) note(kind, text string) {
	text = slower.ReplaceAllString(s.names.Replace(text), "")
	text = latencyRow.ReplaceAllString(text, "")
	if kind == "stdout" {
		text = strings.Join(strings.Fields(text), " ")
	}
	s.out[kind] += took.ReplaceAllString(text, "${1}0${2}")
}

func judgeFolder(s *stage, _ *author, base, head tree) {
	s.lay("base", base)
	s.lay("head", head)
	s.failproof("head", "run", "--run-id", "r", "--base", "../base")
}

func judgeFolderWithFlags(s *stage, a *author, base, head tree) {
	s.lay("base", base)
	s.lay("head", head)
	flags := []string{"run", "--run-id", "r", "--base", "../base", "--scope", pick(a, []string{"all", "changed"})}
	for _, more := range [][]string{{"--json"}, {"--quiet"}, {"--phase", "baseline"}, {"--min-run-score", "0.7"}} {
		if a.oneIn(3) {
			flags = append(flags, more...)
		}
	}
	s.failproof("head", flags...)
}

func judgeRevisions(s *stage, _ *author, base, head tree) {
	repo := repository{s.T, filepath.Join(s.dir, "repo", ".git")}
	first := repo.commit(base, "first")
	second := repo.commit(head, "second", first)
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\trepositoryformatversion = 0\n",
		"refs/heads/main": first + "\n", "refs/heads/change": second + "\n", "objects/pack/.keep": ""} {
		repo.write(name, []byte(text))
	}
	s.failproof("repo", "run", "--run-id", "r", "--base", "main", "--head", "change")
}

func judgeStoredBase(s *stage, _ *author, base, head tree) {
	s.lay("base", base)
	s.lay("head", head)
	s.failproof("base", "run", "--run-id", "b", "--quiet")
	s.failproof("head", "run", "--run-id", "r", "--base", "../base/.failproof/out/report.json")
}

func judgeTwoReports(s *stage, a *author, base, head tree) {
	s.lay("base", base)
	s.lay("head", head)
	s.failproof("base", "run", "--run-id", "b", "--quiet")
	s.failproof("head", "run", "--run-id", "r", "--quiet", "--json")
	s.lay("diff", nil)
	if err := os.Mkdir(filepath.Join(s.dir, "diff"), 0o777); err != nil {
		s.Fatal(err)
	}
	s.failproof("diff", "diff", "../base/.failproof/out", "../head/.failproof/out/report.json")
	for _, format := range []string{"table", "md", "html", "junit", "sarif"} {
		if a.oneIn(2) {
			s.failproof("diff", "render", "--format", format, ".failproof/out/report.json")
		}
	}
}

func judgeAlone(s *stage, a *author, _, head tree) {
	s.lay("head", head)
	s.failproof("head", "validate")
	s.failproof("head", "validate", "--json")
	s.failproof("head", "run", "--run-id", "r")
}

func judgeLive(s *stage, _ *author, base, head tree) {
	s.lay("base", base)
	s.lay("head", head)
	s.failproof("head", "run", "--run-id", "r", "--dry-run", "--base", "../base")
	s.failproof("head", "run", "--run-id", "r", "--base", "../base")
	s.failproof("head", "run", "--run-id", "again", "--base", "../base") // what is kept is not asked for
}

func judgeStamped(s *stage, _ *author, base, head tree) {
	s.lay("base", base)
	s.lay("head", head)
	s.failproof("base", "record", "--stamp", "--yes", "--base", "../base")
	s.failproof("head", "record", "--stamp", "--base", "../base")
	s.failproof("head", "run", "--run-id", "r", "--base", "../base")
}

// fickle is a model that answers now so and now so, which the seed, the question and how often it was asked decide.
type fickle struct {
	seed  int
	mu    sync.Mutex
	asked map[string]int
}

func (f *fickle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var request any
	if json.Unmarshal(body, &request) == nil {
		body, _ = json.Marshal(request) // the order of its keys decides nothing
	}
	f.mu.Lock()
	f.asked[string(body)]++
	times := f.asked[string(body)]
	f.mu.Unlock()
	sum := fnv.New32a()
	fmt.Fprint(sum, f.seed, times, string(body))
	chance := int(sum.Sum32() >> 4 % 100)
	if chance == 99 && times == 1 {
		http.Error(w, `{"error": {"message": "one moment"}}`, http.StatusServiceUnavailable)
		return
	}
	answers := []string{"yes", "no"}
	for _, k := range caseKinds {
		if before, _, _ := strings.Cut(k.question, "#"); strings.Contains(string(body), before) {
			answers = k.answers
		}
	}
	at := 0
	if most := 80 - 40*strings.Count(string(body), "careful"); chance >= most {
		at = 2 + chance%(len(answers)-2)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"id": "c1", "object": "chat.completion", "created": 1, "model": "served",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": strings.ReplaceAll(answers[at], "#", "7")}}},
		"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
	})
}

// verdict says in words how a change was judged, by the last report.
func (o outputs) verdict() string {
	words := []string{}
	for line := range strings.Lines(o["exit"]) {
		code, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		words = append(words, command+" "+code)
	}
	decoder := json.NewDecoder(strings.NewReader(o["report.json"]))
	var told struct {
		Verdict string
		Reasons []struct{ Level, Code string }
		Counts  map[string]int
	}
	for decoder.More() {
		told.Counts, told.Reasons = nil, nil
		if err := decoder.Decode(&told); err != nil {
			return err.Error()
		}
	}
	words = append(words, told.Verdict)
	for _, r := range told.Reasons {
		words = append(words, r.Level+":"+r.Code)
	}
	for _, change := range slices.Sorted(maps.Keys(told.Counts)) {
		if n := told.Counts[change]; n > 0 {
			words = append(words, fmt.Sprint(change, "=", n))
		}
	}
	return strings.Join(words, " ")
}

// line says how the change of a seed was judged.
func (o outputs) line(seed int) string { return fmt.Sprintf("%03d %s", seed, o.verdict()) }

// digest is that of one kind of output; "-" if there is none.
func (o outputs) digest(kind string) string {
	text, has := o[kind]
	if !has {
		return "-"
	}
	return fmt.Sprintf("%.2x", sha256.Sum256([]byte(text)))
}

// equalText is the text of testdata/equal.txt: the lines of all seeds, then for each kind of output their digests.
func equalText(every []outputs) string {
	var text strings.Builder
	kinds := outputs{}
	for seed, o := range every {
		fmt.Fprintln(&text, o.line(seed))
		maps.Copy(kinds, o)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		text.WriteString(kind)
		for _, o := range every {
			text.WriteString(" " + o.digest(kind))
		}
		text.WriteString("\n")
	}
	return text.String()
}

// check holds outputs to what testdata/equal.txt says of the seed.
func (o outputs) check(t *testing.T, seed int, known []string) {
	t.Helper()
	if len(known) < all {
		t.Fatalf("testdata/equal.txt has %d lines, and needs %d: -update writes them", len(known), all)
	}
	if got := o.line(seed); got != known[seed] {
		t.Errorf("it is judged\n%s, and was\n%s", got, known[seed])
	}
	if runtime.GOARCH != "amd64" {
		return // other processors round some figures otherwise
	}
	var differ []string
	left := maps.Clone(o)
	for _, line := range known[all:] {
		digests := strings.Fields(line)
		kind := digests[0]
		if delete(left, kind); o.digest(kind) != digests[1+seed] {
			differ = append(differ, kind)
		}
	}
	differ = slices.AppendSeq(differ, maps.Keys(left))
	if len(differ) > 0 {
		t.Errorf("not as before: %s\nto see what changed, name a failproof of before in FAILPROOF_OLD; if it is meant, -update", strings.Join(differ, ", "))
	}
}

// compare holds outputs to those of another program, word for word.
func (o outputs) compare(t *testing.T, old outputs) {
	t.Helper()
	if before, now := old.verdict(), o.verdict(); before != now {
		t.Errorf("it is judged\n%s, and was\n%s", now, before)
	}
	kinds := maps.Clone(old)
	maps.Copy(kinds, o)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if old[kind] != o[kind] {
			diff := cmp.Diff(strings.Split(old[kind], "\n"), strings.Split(o[kind], "\n"))
			t.Errorf("%s (-old +new):\n%.4000s", kind, diff)
		}
	}
}
