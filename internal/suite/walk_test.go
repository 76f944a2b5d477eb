package suite

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFinding(t *testing.T) {
	good := "version: 1\n" + hello + "cases: [{ id: a }]\n"
	cases := []struct {
		rule  string
		globs []string
		files map[string]string
		want  []string // diagnostics
		ids   string   // of the suites
	}{
		{"suites come by id", []string{"suites/**/*.yaml"}, map[string]string{"suites/b.yaml": good, "suites/a/z.yaml": good}, nil, "a/z b"},
		{"a file that two globs name is read once", []string{"suites/*.yaml", "**/*.yaml"}, map[string]string{"suites/b.yaml": good}, nil, "b"},
		{"a named file keeps the id that the configuration gives it", []string{"./suites/a/z.yaml"},
			map[string]string{"suites/b.yaml": good, "suites/a/z.yaml": good}, nil, "a/z"},
		{"C311: a glob that matches nothing is warned of", []string{"suites/*.yaml", "more/*.yaml"}, map[string]string{"suites/b.yaml": good},
			[]string{`more/*.yaml:0:0 warning no-suites: suites: "more/*.yaml" matches nothing`}, "b"},
		{"C311: it is a fault when all of them match nothing", []string{"x/*.yaml", "y/*.yaml"}, map[string]string{"suites/b.yaml": good},
			[]string{"x/*.yaml:0:0 no-suites: ", "y/*.yaml:0:0 no-suites: "}, ""},
		{"files that are no suites are named", []string{"*.md"}, map[string]string{"a.md": "x"}, []string{`*.md:0:0 no-suites: suites: "*.md" matches no suite file, only others such as "a.md"`}, ""},
		{"a named file exists", []string{"suites/b.yaml", "suites/c.yaml"}, map[string]string{"suites/b.yaml": good},
			[]string{"suites/c.yaml:0:0 suite-file: does not exist"}, "b"},
		{"a named folder is walked", []string{"suites"}, map[string]string{"suites/b.yaml": good, "suites/deep/c.yaml": good, "d.yaml": good}, nil, "b deep/c"},
		{"a recording in a named folder is no suite", []string{"."}, map[string]string{"suites/b.yaml": good, "recordings/suites/b.jsonl": "{}"}, nil, "b"},
		{"a linked folder is not walked", []string{"up"}, map[string]string{"suites/b.yaml": good, "up@": "suites"}, []string{"up:0:0 suite-file: cannot be read: is a symbolic link"}, ""},
		{"a folder that is not there is told with the one that is meant", []string{"suits/**/*.yaml"}, map[string]string{"suites/b.yaml": good},
			[]string{"suits/**/*.yaml:0:0 no-suites: suites: \"suits/**/*.yaml\" matches nothing; there is no folder \"suits\", did you mean \"suites\"?"}, ""},
		{"a glob of another ending is told with what there is", []string{"suites/*.yml"}, map[string]string{"suites/b.yaml": good},
			[]string{`suites/*.yml:0:0 no-suites: suites: "suites/*.yml" matches nothing; "suites" holds others, such as "b.yaml"`}, ""},
		{"a named file is told with the one that is meant", []string{"suites/refnd.yaml"}, map[string]string{"suites/refund.yaml": good},
			[]string{`suites/refnd.yaml:0:0 suite-file: does not exist; it was named as a suite file; did you mean "suites/refund.yaml"?`}, ""},
		{"an id that a path gives is told with the file", []string{"a/refund", "desk", "b@fast", "c"},
			map[string]string{"suites/a/refund.yaml": good, "suites/d.yaml": "id: desk\n" + good, "suites/b.prompt.yml": promptText, "suites/e.yaml": "{"}, []string{
				`a/refund:0:0 suite-file: …suite "a/refund" is "suites/a/refund.yaml": write that`, `b@fast:0:0 suite-file: …"suites/b.prompt.yml": write that`,
				"c:0:0 suite-file: does not exist; it was named as a suite file", "desk:0:0 suite-file: does not exist; it was named as a suite file"}, ""},
		{"a named file has a known ending", []string{"suites/b.txt"}, map[string]string{"suites/b.txt": good},
			[]string{"suites/b.txt:0:0 suite-file: is not a suite file"}, ""},
		{"suites must be named", nil, map[string]string{"suites/b.yaml": good}, []string{"failproof.yml:0:0 no-suites: "}, ""},
		{"C305: a linked folder is not entered", []string{"**/*.yaml"}, map[string]string{"suites/b.yaml": good, "suites/up@": ".."}, nil, "b"},
		{"C617: a linked suite is refused", []string{"suites/*.yaml"}, map[string]string{"suites/b.yaml": good, "suites/c.yaml@": "b.yaml"},
			[]string{"suites/c.yaml:0:0 link: is a symbolic link"}, "b"},
		{"a named suite is no link", []string{"suites/c.yaml"}, map[string]string{"suites/b.yaml": good, "suites/c.yaml@": "b.yaml"},
			[]string{"suites/c.yaml:0:0 suite-file: cannot be read: is a symbolic link"}, ""},
		{"the folder of the suites is no link", []string{"suites/*.yaml", "more/*.yaml"},
			map[string]string{"suites@": "more", "more/a.yaml": good}, []string{"suites:0:0 link: is a symbolic link"}, "a"},
		{"folders of tools are not searched", []string{"**/*.yaml"}, map[string]string{
			"a.yaml": good, ".git/b.yaml": good, ".failproof/c.yaml": good, "x/node_modules/d.yaml": good}, nil, "a"},
		{"the configuration is no suite", []string{"*.yml"}, map[string]string{"a.yml": good, "failproof.yml": "version: 1"}, nil, "a"},
		{"the schema of an answer is no suite", []string{"suites/*.json"}, map[string]string{
			"suites/a.json": `{"version":1,"messages":[{"role":"user","content":"x"}],"cases":[{"id":"a"}]}`, "suites/a.schema.json": "{}"}, nil, "a"},
		{"other files that match are warned of", []string{"suites/**"}, map[string]string{"suites/a.yaml": good, "suites/p.md": "x"},
			[]string{`suites/**:0:0 warning glob: …"suites/p.md"`}, "a"},
		{"C310: a glob that is none is a fault", []string{"../*"}, map[string]string{"a.yaml": good}, []string{`../*:0:0 glob: suites: "../*" has a ".."`}, ""},
		{"a glob with ! takes files out, wherever it stands", []string{"!suites/b*.yaml", "suites/*.yaml"},
			map[string]string{"suites/a.yaml": good, "suites/b.yaml": good, "suites/b2.yaml": "no suite"}, nil, "a"},
		{"it takes out folders too", []string{"**/*.yaml", "!drafts", "!**/old/**"},
			map[string]string{"a.yaml": good, "drafts/b.yaml": good, "x/old/y/c.yaml": good}, nil, "a"},
		{"what is named without a pattern is in", []string{"suites/a.yaml", "!suites/*.yaml"}, map[string]string{"suites/a.yaml": good, "suites/b.yaml": good}, nil, "a"},
		{"something must be left", []string{"suites/*.yaml", "!suites/**"}, map[string]string{"suites/a.yaml": good},
			[]string{`suites/*.yaml:0:0 no-suites: suites: "suites/*.yaml" matches nothing`}, ""},
		{"taking out is not naming", []string{"!suites/b.yaml"}, map[string]string{"suites/a.yaml": good}, []string{"failproof.yml:0:0 no-suites: "}, ""},
		{"what is taken out is a glob like any other", []string{"*.yaml", "!../*", "!"}, map[string]string{"a.yaml": good},
			[]string{`!:0:0 glob: …is empty`, `!../*:0:0 glob: …has a ".."`}, "a"},
		{"a file called …_prompt.yml is a prompt file by what it holds", []string{"prompts/*.yml"}, map[string]string{
			"prompts/a_prompt.yml": promptText, "prompts/b_prompt.yml": good, "prompts/c_prompt.yml": "messages: [{ role: user, content: hi }]\n"},
			[]string{"prompts/c_prompt.yml:1:1 warning no-cases: …is skipped"}, "a_prompt b_prompt"},
		{"a file with cases is a suite, whatever it is called", []string{"suites/*", "**/*.prompt.yml"}, map[string]string{
			"suites/a.prompt.yaml": good, "b.prompt.yml": good, "suites/c.prompts.yml": good, "d.prompt.yml": promptText}, nil, "a b c.prompts d"},
		{"misspelled cases make no prompt file that is skipped", []string{"suites/*"}, map[string]string{"suites/a.prompt.yaml": strings.Replace(good, "cases:", "caess:", 1)},
			[]string{"suites/a.prompt.yaml:3:1 unknown-key: …did you mean `cases`?"}, ""},
		{"what a suite is called makes none of its keys another format's", []string{"suites/*"}, map[string]string{"suites/a.prompt.yaml": good + "testData: [{ a: 1 }]\n"},
			[]string{"suites/a.prompt.yaml:4:1 unknown-key: …"}, ""},
		{"C307: a file has a name that can be shown", []string{"suites/*.yaml"}, map[string]string{"suites/a\nb.yaml": good},
			[]string{"suites/a\nb.yaml:0:0 path: …'\\n'"}, ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			suites, ds := loadOpen(tree(c.files), settings(), c.globs)
			check(t, ds, c.want)
			var ids []string
			for _, s := range suites {
				ids = append(ids, s.ID)
			}
			if got := strings.Join(ids, " "); got != c.ids {
				t.Errorf("suites %q, want %q", got, c.ids)
			}
		})
	}
}

func TestC312TooManyFilesAreAFault(t *testing.T) {
	files := map[string]string{}
	for i := range maxFiles {
		files[fmt.Sprintf("suites/%05d.yaml", i)] = ""
	}
	_, ds := loaded(files)
	check(t, ds, []string{"failproof.yml:0:0 too-many-files: suites: 10000 files match"})
}

func TestC306SpecialFilesAreRefused(t *testing.T) {
	fsys := fstest.MapFS{"suites/a.yaml": {Mode: fs.ModeNamedPipe}, "suites/b.yaml": {Mode: fs.ModeDevice}}
	_, ds := Load(fsys, settings(), settings().Suites)
	check(t, ds, []string{"suites/a.yaml:0:0 not-a-file: ", "suites/b.yaml:0:0 not-a-file: "})
}

func TestAConfigurationElsewhereIsToldWherePathsBegin(t *testing.T) {
	for at, want := range map[string]string{"failproof.yml": "", ".github/failproof.yml": "", "other.yml": "",
		"services/a/failproof.yml": `; paths begin in the current folder, not in that of the configuration, "services/a"`} {
		c := settings()
		c.Path = at
		_, ds := loadOpen(tree(nil), c, []string{"suites/*.yaml"})
		if message := `suites: "suites/*.yaml" matches nothing; there is no folder "suites"` + want; len(ds) != 1 || ds[0].Message != message {
			t.Errorf("%s: %v, want %q", at, ds, message)
		}
	}
}
