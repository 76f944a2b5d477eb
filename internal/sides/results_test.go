package sides_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// openResults reads both sides and opens the results.
func openResults(t *testing.T, in sides.Inputs) (*sides.Sides, []sides.Results, error) {
	t.Helper()
	in.AcceptsResults = true
	s, err := sides.Read(in)
	if len(s.Faults) > 0 {
		t.Fatal(s.Faults)
	}
	return s, s.Results, err
}

// textOf is what a result file says; "" without one.
func textOf(t *testing.T, f sides.ResultFiles) string {
	t.Helper()
	if f.Tree == nil {
		return ""
	}
	text, err := fs.ReadFile(f.Tree, f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFilesThatTheCallerNamesReplaceTheConfiguredOnes(t *testing.T) {
	const one = "version: 1\nresults: { a: { format: jsonl, base: b.jsonl, head: h.jsonl, runs: \"r(1)\" } }\n"
	const two = "version: 1\nresults: { a: { format: jsonl, head: h.jsonl }, b: { format: junit, head: o.jsonl } }\n"
	files := runtest.Files{"b.jsonl": "base", "h.jsonl": "head", "o.jsonl": "other"}
	for _, c := range []struct {
		rule, config string
		own          *sides.ResultPaths
		want         []string // base, head, format and runs of each
		state        string
		wrong        string
	}{
		{"as configured", one, nil, []string{"base head jsonl r(1)"}, "compared", ""},
		{"nothing is named", one, &sides.ResultPaths{}, []string{"base head jsonl r(1)"}, "compared", ""},
		{"another head", one, &sides.ResultPaths{Head: "o.jsonl"}, []string{"base other jsonl r(1)"}, "compared", ""},
		{"another base", one, &sides.ResultPaths{Base: "o.jsonl"}, []string{"other head jsonl r(1)"}, "compared", ""},
		{"another format and other runs", one, &sides.ResultPaths{Format: "junit", Runs: regexp.MustCompile("n(1)")}, []string{"base head junit n(1)"}, "compared", ""},
		{"none are configured", "version: 1\n", &sides.ResultPaths{Head: "h.jsonl"}, []string{" head  "}, "none", ""},
		{"two runners", two, nil, []string{" head jsonl ", " other junit "}, "none", ""},
		{"two runners, and nothing named", two, &sides.ResultPaths{}, []string{" head jsonl ", " other junit "}, "none", ""},
		{"two runners and files of one", two, &sides.ResultPaths{Head: "o.jsonl"}, nil, "none", "the configuration names results of 2 runners"},
		{"neither", "version: 1\n", &sides.ResultPaths{}, nil, "none", "no results are named"},
		{"only those of the base", "version: 1\n", &sides.ResultPaths{Base: "b.jsonl"}, nil, "none", "results of the change are not named"},
		{"a file that is not there", one, &sides.ResultPaths{Head: "gone.jsonl"}, nil, "none", "there are no results in gone.jsonl"},
		{"a folder that is not there", one, &sides.ResultPaths{Head: "../gone/x.jsonl"}, nil, "none", "there are no results in ../gone/x.jsonl"},
		{"an artifact outside of the action", one, &sides.ResultPaths{Base: "artifact:x"}, nil, "none", "artifact:x is an artifact of a workflow"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in := runtest.Inputs(t, files.Merge(runtest.Files{"failproof.yml": c.config}), nil, nil)
			in.Results = c.own
			s, all, err := openResults(t, in)
			wantInputError(t, err, c.wrong)
			var got []string
			for _, r := range all {
				runs := ""
				if r.RunPattern != nil {
					runs = r.RunPattern.String()
				}
				got = append(got, textOf(t, r.Base)+" "+textOf(t, r.Head)+" "+r.Format+" "+runs)
			}
			if !slices.Equal(got, c.want) || s.BaseState != c.state {
				t.Errorf("%s: %q, want %s: %q", s.BaseState, got, c.state, c.want)
			}
		})
	}
}

// A change chooses no threshold that its results are compared by.
func TestOnlyAChangeWithoutResultsOfTheBaseIsAFirstRun(t *testing.T) {
	const results = "version: 1\nphase: baseline\nresults: { a: { format: jsonl, head: h.jsonl, base: b.jsonl } }\n"
	const lax = "version: 1\nresults: { a: { format: jsonl, head: h.jsonl, base: b.jsonl, mode: noisy, pass_at: 0.05 } }\n"
	const alone = "version: 1\nphase: baseline\nresults: { a: { format: jsonl, head: h.jsonl } }\n"
	for _, c := range []struct {
		rule   string
		config string
		base   runtest.Files
		own    *sides.ResultPaths
		fork   bool
		want   []string
	}{
		{"without any, the change's own rules apply", alone, runtest.Files{}, nil, false, []string{"first_run baseline 0.15 head"}},
		{"but not a fork's", alone, runtest.Files{}, nil, true, []string{"none deployment 0.85 head", "later configuration"}},
		{"with results in the base's commit, the defaults apply", results, runtest.Files{"b.jsonl": ""}, nil, false, []string{"compared deployment 0.85 head", "later configuration"}},
		{"and with results that the caller names", alone, runtest.Files{}, &sides.ResultPaths{Base: "o.jsonl"}, false, []string{"compared deployment 0.85 head", "later configuration"}},
		{"nor do a lax mode and bar of its results", lax, runtest.Files{"b.jsonl": ""}, nil, false, []string{"compared deployment 0.85 head", "later configuration"}},
		{"nor those of a fork", lax, runtest.Files{"b.jsonl": ""}, nil, true, []string{"compared deployment 0.85 head", "later configuration"}},
		{"without a configuration, nothing is proposed", "", runtest.Files{}, &sides.ResultPaths{Head: "h.jsonl"}, false, []string{"none deployment 0.85 head"}},
		{"nor by a fork", "", runtest.Files{}, &sides.ResultPaths{Head: "h.jsonl"}, true, []string{"none deployment 0.85 head"}},
		{"the base's rules stay", results, runtest.Files{"failproof.yml": alone}, nil, false, []string{"none baseline 0.15 base", "later results.a"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			files := runtest.Files{"h.jsonl": "", "o.jsonl": ""}
			if c.config != "" {
				files["failproof.yml"] = c.config
			}
			in := runtest.Inputs(t, files, c.base, nil)
			in.Results, in.Fork = c.own, c.fork
			s, _, err := openResults(t, in)
			if got := state(s); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
			for _, r := range s.Results {
				if r.Mode == config.ModeNoisy || r.PassThreshold != nil && *r.PassThreshold < 0.85 {
					t.Errorf("a laxer mode or bar reads the results: %+v", r)
				}
			}
		})
	}
}

// Whoever writes the change may write any file of the checkout, also one that looks like the base's.
func TestTheResultsOfTheBaseAreNeverTheChanges(t *testing.T) {
	const config = "version: 1\nresults: { a: { format: jsonl, base: out/b.jsonl, head: h.jsonl } }\n"
	files := runtest.Files{"failproof.yml": config, "h.jsonl": "head"}
	brought := "the change brings out/b.jsonl of its own, which is not read as the base"
	for _, c := range []struct {
		rule                string
		base, head, folder  runtest.Files // files of the base commit, of the head commit and of the folder
		absolute, link, bad bool          // the file is named by its full path, is a link, or the head cannot be read
		want, wrong         string
	}{
		{rule: "the base commit's file is read", base: runtest.Files{"out/b.jsonl": "base"}, head: runtest.Files{"out/b.jsonl": "forged"}, want: "base"},
		{rule: "a job's own file is read", folder: runtest.Files{"out/b.jsonl": "a job's"}, want: "a job's"},
		{rule: "one that the change brings is not", head: runtest.Files{"out/b.jsonl": "forged"}, wrong: brought},
		{rule: "by its full path", head: runtest.Files{"out/b.jsonl": "forged"}, absolute: true, wrong: "of its own, which is not read as the base"},
		{rule: "a job's own file by its full path is read", folder: runtest.Files{"out/b.jsonl": "a job's"}, absolute: true, want: "a job's"},
		{rule: "a link to other results is not read", link: true, folder: runtest.Files{"own.jsonl": "head"}, wrong: "out/b.jsonl in out/b.jsonl is a link"},
		{rule: "if the commit cannot be read, nothing is", bad: true, head: runtest.Files{"x": ""}, wrong: "whether the change brings out/b.jsonl of its own cannot be told"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			repo := newClone(t)
			repo.commit(files.Merge(c.base))
			repo.ref("refs/heads/base")
			head := repo.commit(c.head)
			repo.write(c.folder)
			in, err := repo.inputs("").WithBase("base")
			if err != nil {
				t.Fatal(err)
			}
			if c.absolute {
				in.Results = &sides.ResultPaths{Base: filepath.Join(repo.dir, "out", "b.jsonl")}
			}
			if c.link {
				out := filepath.Join(repo.dir, "out")
				err := errors.Join(os.Mkdir(out, 0o777), os.Symlink("../own.jsonl", filepath.Join(out, "b.jsonl")))
				if err != nil {
					t.Skip(err)
				}
			}
			if c.bad {
				repo.loseFiles(head)
			}
			s, all, err := openResults(t, in)
			if wantInputError(t, err, c.wrong); err != nil {
				return
			}
			if got := textOf(t, all[0].Base); got != c.want || s.BaseState != "compared" {
				t.Errorf("%s with %q, want %q", s.BaseState, got, c.want)
			}
		})
	}
}

func TestResultsMayBeOutsideOfTheFolderButNoLinkLeadsToThem(t *testing.T) {
	in := runtest.Inputs(t, runtest.Files{"failproof.yml": "version: 1\n", "out/h.jsonl": "head"}, nil, nil)
	other := runtest.Folder(t, runtest.Files{"x/o.jsonl": "outside"})
	for _, link := range []string{filepath.Join(in.Dir, "link"), filepath.Join(other, "link")} {
		if err := os.Symlink(filepath.Join(in.Dir, "out"), link); err != nil {
			t.Skip(err)
		}
	}
	relative, err := filepath.Rel(in.Dir, filepath.Join(other, "x", "o.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"out/h.jsonl": "head", "out/../out/h.jsonl": "head", relative: "outside",
		filepath.Join(other, "x", "o.jsonl"): "outside",
		"link/h.jsonl":                       "", "link": "", filepath.Join(other, "link"): "",
	} {
		in.Results = &sides.ResultPaths{Head: path}
		_, all, err := openResults(t, in)
		if want == "" {
			wantInputError(t, err, "there are no results in "+path,
				"is a link, which could lead to the other side's results")
		} else if err != nil || textOf(t, all[0].Head) != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

func TestAnArtifactMayBeMissingOnTheBaseAlone(t *testing.T) {
	const config = "version: 1\nresults: { a: { format: jsonl, base: \"artifact:evals@main\", head: \"artifact:evals\" } }\n"
	tree := fstest.MapFS{"x": {Data: []byte("text")}}
	broken := errors.New("the API is down")
	for _, c := range []struct {
		rule       string
		base, head fs.FS
		err        error
		state      string
		wrong      string
	}{
		{"both are there", tree, tree, nil, "compared", ""},
		{"the base's is not", nil, tree, nil, "missing", ""},
		{"the head's is not", tree, nil, nil, "none", "there is no artifact artifact:evals"},
		{"one cannot be opened", tree, tree, broken, "none", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in := runtest.Inputs(t, runtest.Files{"failproof.yml": config}, nil, nil)
			in.Artifact = func(name string) (fs.FS, string, error) {
				if name == "evals" {
					return c.head, "", c.err
				}
				return c.base, "made by " + name, nil
			}
			s, all, err := openResults(t, in)
			if c.err != nil {
				if !errors.Is(err, c.err) {
					t.Errorf("error %v, want %v", err, c.err)
				}
			} else {
				wantInputError(t, err, c.wrong)
			}
			if s.BaseState != c.state {
				t.Errorf("the base is %s, want %s", s.BaseState, c.state)
			}
			if err != nil {
				return
			}
			r := all[0]
			if !slices.Equal(r.Notes, []string{"made by evals@main"}) || r.Head.Path != "." ||
				r.Head.Name != "artifact:evals" {
				t.Errorf("notes %q, head %+v", r.Notes, r.Head)
			}
		})
	}
}
