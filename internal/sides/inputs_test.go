package sides_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// wantInputError reports an error that is not about the user's input, or has none of the words. No words stand for no
// error.
func wantInputError(t *testing.T, err error, words ...string) {
	t.Helper()
	if words[0] == "" {
		if err != nil {
			t.Errorf("error %v", err)
		}
		return
	}
	var wrong fault.Input
	said := func(words string) bool { return strings.Contains(err.Error(), words) }
	if !errors.As(err, &wrong) || !slices.ContainsFunc(words, said) {
		t.Errorf("error %v, want a fault.Input with %q", err, words)
	}
}

func TestTheRulesAreTheBranchsAndTheBaseIsTheMergeBase(t *testing.T) {
	c := newClone(t)
	fork := c.commit(runtest.Files{"a": "1"})
	c.checkout("topic")
	topic := c.commit(runtest.Files{"b": "1"})
	c.checkout("master")
	ahead := c.commit(runtest.Files{"a": "2"})
	c.checkout("topic")
	for _, one := range []struct{ rule, head, base, rules, wantBase, name, ref string }{
		{"of a working tree", "", "master", ahead, fork, "master", source.MergeBaseRef},
		{"of a commit", "master", "topic", topic, fork, "topic", source.MergeBaseRef},
		{"a base without commits of its own has the rules too", "topic", fork, "", fork, fork, ""},
		{"the head itself", "", "HEAD", "", topic, "HEAD", ""},
		{"a folder has no merge base", "./", "master", "", ahead, "master", ""},
		{"nor has a base that is a folder", "", "./", "", "", "./", ""},
	} {
		t.Run(one.rule, func(t *testing.T) {
			in, err := c.inputs(one.head).WithBase(one.base)
			if err != nil {
				t.Fatal(err)
			}
			rules := ""
			if in.Rules != nil {
				rules = in.Rules.Revision.SHA
			}
			base := in.Base.Revision
			if rules != one.rules || base.SHA != one.wantBase || base.Name != one.name || base.Ref != one.ref {
				t.Errorf("rules %q, base %+v, want %+v", rules, base, one)
			}
			warned := len(in.Warnings) == 1 && in.Warnings[0].Code == "base_ahead" &&
				strings.HasPrefix(in.Warnings[0].Message, one.base+" is ahead of the merge base")
			if warned != (one.rules != "") || len(in.Warnings) > 1 {
				t.Errorf("warnings %v", in.Warnings)
			}
		})
	}
}

func TestABaseThatCannotBeOpenedIsAnInputError(t *testing.T) {
	c := newClone(t)
	c.commit(nil)
	for _, head := range []string{"", "./"} {
		in, err := c.inputs(head).WithBase("gone")
		if wantInputError(t, err, `open the base: open revision "gone"`); in.Base != nil {
			t.Errorf("the base is %v", in.Base.Revision)
		}
	}
	strangers := newClone(t)
	strangers.commit(nil)
	strangers.ref("refs/heads/other")
	strangers.commit(nil)
	other := newClone(t)
	other.commit(runtest.Files{"x": "y"})
	in := strangers.inputs("")
	in.Head = other.inputs("HEAD").Head
	_, err := in.WithBase("other")
	wantInputError(t, err, "find the merge base: merge base of")
}

func TestAHeadThatCannotBeOpenedIsAnInputError(t *testing.T) {
	c := newClone(t)
	_, err := sides.OpenHead(c.dir, "gone")
	wantInputError(t, err, "open the head: ")
	_, err = sides.OpenHead(filepath.Join(c.dir, "gone"), "")
	wantInputError(t, err, "open the working tree: ")
}

// storedReport is the smallest report.json, with the given warnings.
func storedReport(t *testing.T, warnings ...report.Warning) string {
	t.Helper()
	s := sides.New(runtest.Inputs(t, nil, nil, nil))
	s.Warnings = warnings
	rep := s.NewReport(time.Unix(0, 0))
	rep.Verdict = report.Passed
	text, err := rep.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOnlyAValueWrittenAsAPathIsAStoredReport(t *testing.T) {
	c := newClone(t)
	c.commit(nil)
	text := storedReport(t)
	c.write(runtest.Files{"out/report.json": text, "other.json": text, "both/report.json": text,
		"both/failproof.yml": "version: 1\n", "tree/failproof.yml": "version: 1\n", "tree/report.json/x": "", "main": text})
	for base, want := range map[string]string{
		"./out": "out", "out/": "out", "./out/report.json": "out", "./other.json": ".",
		filepath.Join(c.dir, "out"): "out",
		"./tree":                    "a tree", ".": "a tree",
		"main": "write ./main for the file of that name", "out": "write ./out for the folder of that name",
		"./gone": "open the base",
		"./both": "both holds a report and a configuration", "./both/report.json": "both",
	} {
		t.Run(base, func(t *testing.T) {
			in, err := c.inputs("").WithBase(base)
			switch {
			case in.Stored != nil:
				if from, _ := filepath.Rel(c.dir, in.Stored.Folder); err != nil || from != want || in.Base != nil {
					t.Errorf("the report in %s, %v, want %s", from, err, want)
				}
			case in.Base != nil:
				if err != nil || want != "a tree" || in.Base.Revision.Kind != source.KindFolder {
					t.Errorf("tree %v, %v, want %s", in.Base.Revision, err, want)
				}
			default:
				wantInputError(t, err, want)
			}
		})
	}
}

// A change may bring a report of any name, and in any folder that the command names.
func TestAStoredReportThatTheChangeBringsIsRefused(t *testing.T) {
	text := storedReport(t)
	for _, one := range []struct{ rule, brought, base, want string }{
		{"a report", "out/report.json", "./out", "the change brings report.json of its own in"},
		{"by its file", "out/report.json", "./out/report.json", "the change brings report.json of its own in"},
		{"of another name", "out/main.json", "./out/main.json", "the change brings main.json of its own in"},
		{"its results", "out/results.jsonl", "./out", "the change brings results.jsonl of its own in"},
		{"another file", "out/page.html", "./out", ""},
		{"another report", "out/main.json", "./out", ""},
	} {
		t.Run(one.rule, func(t *testing.T) {
			c := newClone(t)
			c.commit(runtest.Files{one.brought: text})
			c.write(runtest.Files{"out/report.json": text, "out/results.jsonl": ""})
			_, err := c.inputs("").WithBase(one.base)
			wantInputError(t, err, one.want)
		})
	}
}

func TestABaseWhoseFilesCannotBeReadIsNone(t *testing.T) {
	c := newClone(t)
	common := c.commit(runtest.Files{"a": "1"})
	c.checkout("topic")
	topic := c.commit(runtest.Files{"a": "2", "b": "2"})
	c.checkout("master")
	c.commit(runtest.Files{"a": "3"})
	c.checkout("topic")
	c.write(runtest.Files{"out/report.json": storedReport(t)})
	in := c.inputs("")
	c.loseFiles(common)
	_, err := in.WithBase("master")
	wantInputError(t, err, "open the merge base: ")
	c.loseFiles(topic)
	_, err = in.WithBase("./out")
	wantInputError(t, err, "could not tell whether the change contains report.json in ")
}

func TestAStoredReportOfOnlySomeCasesIsRefused(t *testing.T) {
	c := newClone(t)
	for code, want := range map[string]string{report.WarnOnlySome: "has only some cases (by --case a)", "other": ""} {
		c.write(runtest.Files{"out/report.json": storedReport(t, report.Warning{Code: code, Message: "by --case a"})})
		_, err := c.inputs("").WithBase("./out")
		wantInputError(t, err, want)
	}
	c.write(runtest.Files{"out/report.json": "{}"})
	_, err := c.inputs("").WithBase("./out")
	wantInputError(t, err, "it has no schema_version")
}

func TestTheLastCommitIsTheBaseIfThereIsOne(t *testing.T) {
	in := runtest.Inputs(t, nil, nil, nil)
	if got, err := in.WithLastCommit(); got.Base != nil || err != nil {
		t.Errorf("without a repository: %v, %v", got.Base, err)
	}
	c := newClone(t)
	if got, err := c.inputs("").WithLastCommit(); got.Base != nil || err != nil {
		t.Errorf("without a commit: %v, %v", got.Base, err)
	}
	sha := c.commit(runtest.Files{"a": "1"})
	if got, err := c.inputs("").WithLastCommit(); err != nil || got.Base == nil || got.Base.Revision.SHA != sha {
		t.Errorf("with a commit: %v, %v", got.Base, err)
	}
	c.loseFiles(sha)
	_, err := c.inputs("").WithLastCommit()
	wantInputError(t, err, "open the last commit: ")
}

func TestTheDefaultBranchIsOneThatTheChangeCannotChoose(t *testing.T) {
	const head, main, master = "refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master"
	for _, one := range []struct {
		rule string
		refs []string // besides the checked-out branch topic
		want string
	}{
		{"the head of origin", []string{head, main, master, "refs/heads/main"}, head},
		{"also with one branch", []string{head, main}, head},
		{"main of origin", []string{main, "refs/heads/main", "refs/heads/master"}, main},
		{"master of origin", []string{master, "refs/heads/main"}, master},
		{"both are there", []string{main, master}, "origin has both main and master"},
		{"main", []string{"refs/heads/main", "refs/heads/master"}, "refs/heads/main"},
		{"master", []string{"refs/heads/master"}, "refs/heads/master"},
		{"none", nil, "neither origin/HEAD nor main nor master is known here; name a revision or a folder. If origin"},
		{"another one", []string{"refs/heads/trunk"}, "name a revision or a folder, such as `--base trunk`."},
	} {
		t.Run(one.rule, func(t *testing.T) {
			c := newClone(t)
			c.begin("topic")
			c.commit(nil)
			for _, name := range one.refs {
				c.ref(name)
			}
			got, err := sides.DefaultBranch(c.dir)
			if strings.HasPrefix(one.want, "refs/") {
				if got != one.want || err != nil {
					t.Errorf("%s, %v, want %s", got, err, one.want)
				}
				return
			}
			wantInputError(t, err, one.want)
		})
	}
	_, err := sides.DefaultBranch(t.TempDir())
	wantInputError(t, err, "this is no git repository")
}

func TestABranchBranchedFromTheDefaultBranchUnlessItIsThat(t *testing.T) {
	c := newClone(t)
	c.commit(nil)
	if got, err := sides.BranchedFrom(c.dir); got != "" || err != nil {
		t.Errorf("on master: %q, %v", got, err)
	}
	c.checkout("topic")
	if got, err := sides.BranchedFrom(c.dir); got != "refs/heads/master" || err != nil {
		t.Errorf("on topic: %q, %v", got, err)
	}
	if got, err := sides.BranchedFrom(t.TempDir()); got != "" || err != nil {
		t.Errorf("outside of a repository: %q, %v", got, err)
	}
	c = newClone(t)
	c.begin("trunk")
	c.commit(nil)
	if got, err := sides.BranchedFrom(c.dir); got != "" || err != nil {
		t.Errorf("on the only branch: %q, %v", got, err)
	}
	c.ref("refs/remotes/origin/trunk")
	c.ref("refs/remotes/origin/HEAD-office")
	_, err := sides.BranchedFrom(c.dir)
	wantInputError(t, err, "such as `--base HEAD-office`. If origin")
}

func TestTheConfigurationAboveIsTheNearestOneOfTheRepository(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "failproof.yml"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c := newClone(t)
	c.write(runtest.Files{"a/failproof.yml": "version: 1\n", "a/b/c/x": "", "d/x": ""})
	for dir, want := range map[string]string{"a/b/c": "a", "a/b": "a", "a": "", "d": "", ".": "", outside: ""} {
		got, found := sides.ConfigAbove(sides.PathIn(c.dir, dir))
		if want != "" {
			want = filepath.Join(c.dir, want)
		}
		if got != want || found != (want != "") {
			t.Errorf("above %s: %q, %v, want %q", dir, got, found, want)
		}
	}
	c.write(runtest.Files{"failproof.yml": "version: 1\n"})
	if got, found := sides.ConfigAbove(filepath.Join(c.dir, "d")); got != c.dir || !found {
		t.Errorf("above d: %q, %v, want the root", got, found)
	}
	if got, found := sides.ConfigAbove(filepath.Join(c.dir, "a", "b", "c")); got != filepath.Join(c.dir, "a") || !found {
		t.Errorf("above a/b/c: %q, %v, want a", got, found)
	}
}

func TestTheTimeIsSourceDateEpochIfItIsANumber(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	const nowUTC = "2026-01-02T02:04:05Z"
	for epoch, want := range map[string]string{"": nowUTC, "1": "1970-01-01T00:00:01Z", "soon": nowUTC} {
		in := sides.Inputs{Now: func() time.Time { return now }, Getenv: func(name string) string {
			return map[string]string{"SOURCE_DATE_EPOCH": epoch}[name]
		}}
		if got := sides.Timestamp(in.Time()); got != want || in.Time().Location() != time.UTC {
			t.Errorf("%q: %s, want %s", epoch, got, want)
		}
	}
	if got := sides.Timestamp(now); got != nowUTC {
		t.Errorf("a time elsewhere is %s", got)
	}
}
