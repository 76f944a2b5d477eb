package results_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/results"
	"github.com/failproof/failproof/internal/suiteid"
)

func side(t *testing.T, files fs.FS, name string, o results.Options) *results.Side {
	t.Helper()
	s, err := results.Read(files, name, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func file(text string) fs.FS { return fstest.MapFS{"r": {Data: []byte(text)}} }

// told are the cases of a side, as "suite/id passes of runs"; "!" stands before runs without an answer, "*" behind a
// case that must pass.
func told(t *testing.T, p *results.Pairing, s *results.Side) (out []string) {
	t.Helper()
	type count struct{ passed, lost, all int }
	counts := map[string]*count{}
	var order []string
	err := p.Each(s, results.RunInfo{Hide: strings.Clone}, func(r report.Result) error {
		name := r.SuiteID + "/" + r.CaseID + map[bool]string{true: "*"}[r.MustPass]
		if counts[name] == nil {
			counts[name] = &count{}
			order = append(order, name)
		}
		c := counts[name]
		c.all++
		c.passed += r.Scores.Accuracy
		if r.Classification.Unscored() {
			c.lost++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range order {
		c := counts[name]
		out = append(out, fmt.Sprintf("%s %d of %d%s", name, c.passed, c.all-c.lost, strings.Repeat("!", c.lost)))
	}
	return out
}

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestJSONLines(t *testing.T) {
	at := 0.5
	for _, c := range []struct {
		rule, text string
		want       []string
	}{
		{"a case is named by its aliases", `{"case":"a","passed":true}` + "\n\n" + `{"case_id":"b","passed":false}` + "\n" + `{"test_id":"c","score":0.5}` + "\n" +
			`{"testId":"d","score":0.4}` + "\n" + `{"id":5,"passed":true}`,
			[]string{"results/a 1 of 1", "results/b 0 of 1", "results/c 1 of 1", "results/d 0 of 1", "results/5 1 of 1"}},
		{"runs in any order", `{"case":"a","run":2,"passed":false}` + "\n" + `{"case":"a","run":1,"passed":true}`, []string{"results/a 1 of 2"}},
		{"runs without a number are counted", `{"case":"a","passed":false}` + "\n" + `{"case":"a","passed":true}`, []string{"results/a 1 of 2"}},
		{"an error is no run", `{"case":"a","error":"HTTP 503","passed":false}` + "\n" + `{"case":"a","passed":true}`, []string{"results/a 1 of 1!"}},
		{"no error is none", `{"case":"a","error":null,"passed":true}` + "\n" + `{"case":"a","error":false,"passed":true}` + "\n" +
			`{"case":"a","error":{},"passed":true}` + "\n" + `{"case":"a","error":[],"passed":true}` + "\n" + `{"case":"a","error":0,"passed":true}`, []string{"results/a 5 of 5"}},
		{"another input is another case", `{"case":"a","input":"1","passed":true}` + "\n" + `{"case":"a","input":"2","passed":false}` + "\n" + `{"case":"a","input":"1","passed":true}`,
			[]string{"results/a 2 of 2", "results/a (2) 0 of 1"}},
		{"runs with a number may differ in their input", `{"case":"a","input":"1","run":1,"passed":true}` + "\n" + `{"case":"a","input":"2","run":2,"passed":false}`, []string{"results/a 1 of 2"}},
		{"a line without an input is a run of the only case of its name", `{"case":"a","error":"503"}` + "\n" + `{"case":"a","input":"1","passed":true}`, []string{"results/a 1 of 1!"}},
		{"and of none if there are several", `{"case":"a","error":"503"}` + "\n" + `{"case":"a","input":"1","passed":true}` + "\n" + `{"case":"a","input":"2","passed":true}`,
			[]string{"results/a 0 of 0!", "results/a (2) 1 of 1", "results/a (3) 1 of 1"}},
		{"suites", `{"suite":"s one","case":"a","passed":true}` + "\n" + `{"suite":"t","case":"a","passed":true}`, []string{"s-one/a 1 of 1", "t/a 1 of 1"}},
		{"a byte order mark", "\ufeff" + `{"case":"a","passed":true}`, []string{"results/a 1 of 1"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := side(t, file(c.text), "r", results.Options{PassAt: &at})
			equal(t, told(t, results.Pair(results.Rules{}, nil, s), s), c.want...)
		})
	}
}

func TestWhatIsRefused(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)
	for _, c := range []struct{ rule, text, want string }{
		{"nothing", "", "the file has no text"},
		{"no text", "\xff{", "UTF-8"},
		{"another format", `{"testCases":[]}`, "fits no format"},
		{"promptfoo's XML", "<promptfoo></promptfoo>", "-o x.json"},
		{"a key twice", `{"case":"a","passed":true,"passed":false}`, `line 1: the key "passed" is there twice`},
		{"a key twice in another case of its letters", `{"case":"a","passed":true,"Passed":false}`, `is there twice`},
		{"a value of another kind", `{"case":"a","passed":true}` + "\n" + `{"case":"a","passed":"yes"}`, "line 2: passed is a JSON string"},
		{"no case", `{"case":"a","passed":true}` + "\n" + `{"passed":true}`, "line 2: no `case`"},
		{"no verdict", `{"case":"a"}`, "neither `passed` nor `score`"},
		{"a score without its bar", `{"case":"a","score":0.9}`, "set `pass_at`"},
		{"a score out of range", `{"case":"a","score":9}`, "expected 0 to 1"},
		{"more than a value on a line", `{"case":"a","passed":true} {}`, "something follows"},
		{"no JSON", `{"case":"a","passed":true}` + "\n" + `{"case`, "line 2: it ends within a JSON value"},
		{"no JSON at all", `{"case":"a","passed":true}` + "\n" + `{case}`, "line 2: it is no valid JSON"},
		{"one value over several lines", "{\n\"case\":\"a\",\"passed\":true}", "of JSON lines each on one line"},
		{"a file of promptfoo's that is cut", `{"results":{"results":[{"success":true`, "it ends within a JSON value"},
		{"a row without a verdict", `{"results":{"results":[null]}}`, "row 1: `success` is missing"},
		{"two files in one", "<testsuite><testcase name='a'/></testsuite><testsuite><testcase name='b'/></testsuite>", "an element follows the first one"},
		{"another encoding", "<?xml version='1.0' encoding='UTF-16'?><testsuite/>", "save it as UTF-8"},
		{"letters of another encoding", "<?xml version='1.0' encoding='ISO-8859-1'?><testsuite name='é'/>", "save it as UTF-8"},
		{"too deep", `{"case":"a","passed":true,"x":` + deep + `}`, "deeper than 64"},
		{"a long text", `{"case":"a","passed":true,"output":"` + strings.Repeat("x", 1<<20+1) + `"}`, "more than 1 MiB"},
		{"a run twice", `{"case":"a","run":1,"passed":true}` + "\n" + `{"case":"a","run":1,"passed":false}`, "run 1 of case \"a\" is there twice, first in r, line 1"},
		{"a document type", "<!DOCTYPE x [<!ENTITY a \"b\">]><testsuite><testcase name='&a;'/></testsuite>", "document type"},
		{"a document type within", "<testsuite><!DOCTYPE x><testcase name='a'/></testsuite>", "document type"},
		{"an entity", "<testsuite><testcase name='&a;'/></testsuite>", "no valid XML"},
		{"XML that is cut", "<testsuite><testcase name='a'/>", "no valid XML"},
		{"deep XML", "<testsuite>" + strings.Repeat("<a>", 80), "deeper than 64"},
		{"a test without a name", "<testsuite><testcase/></testsuite>", "has no name"},
		{"no test", "<testsuite/>", "holds no results"},
		{"JSON behind JSON", `{"results":{"results":[]}} {}`, "something follows"},
		{"two formats", `{"case":"a","promptIdx":0,"vars":{}}`, "fits promptfoo and jsonl; name the format with --format"},
		{"too many runs", strings.Repeat(`{"case":"a","passed":true}`+"\n", 1001), "case \"a\" has more than 1000 runs"},
		{"a long value in XML", "<testsuite><testcase name='" + strings.Repeat("a", 1<<20+1) + "'/></testsuite>", "more than 1 MiB"},
		{"a long text in XML", "<testsuite>" + strings.Repeat("a", 1<<20+1) + "</testsuite>", "more than 1 MiB"},
		{"a score that is no number", "<testsuite><testcase name='a'><properties><property name='score' value='x'/></properties></testcase></testsuite>", `score is "x"`},
		{"failures that no test has", `<testsuites failures="1"><testsuite failures="1" errors="2"><testcase name="a"><error/></testcase></testsuite></testsuites>`,
			"a suite that ends after row 1 counts 3 failures and errors, and its tests hold 1"},
		{"a count that is no number", `<testsuites failures="1.0"><testsuite><testcase name="a"/></testsuite></testsuites>`, "a suite behind row 0 counts failures=\"1.0\"; expected a whole number"},
		{"a count with spaces", `<testsuites failures=" 1 "><testsuite><testcase name="a"/></testsuite></testsuites>`, "counts 1 failures and errors, and its tests hold 0"},
		{"an error that no test has", `<testsuites errors="1"><testsuite><testcase name="a"/></testsuite></testsuites>`, "counts 1 failures and errors, and its tests hold 0"},
		{"a wrong row", `{"results":{"results":[{"success":1}]}}`, "row 1: success is a JSON number"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := results.Read(file(c.text), "r", results.Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "r: ") {
				t.Errorf("%v; want a fault of r that says %q", err, c.want)
			}
		})
	}
}

func TestWhatIsRefusedInANamedFormat(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"junit", "<html/>", `its first element is "html"; expected testsuites or testsuite`},
		{"promptfoo", `{"results":3}`, "`results` is no list and no object"},
		{"promptfoo", `{"results":{}}`, "`results` holds no `results`"},
		{"jsonl", "[1]", "it is a JSON array; expected an object"},
	} {
		_, err := results.Read(file(c.text), "r", results.Options{Format: c.format})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: %v; want a fault that says %q", c.text, c.format, err, c.want)
		}
	}
}

// Each suite of several runners keeps its name, cases and pairs. Fewer runs of one runner are seen beside another's.
func TestSeveralRunnersAreOnePairing(t *testing.T) {
	pair := func(name, base, head string) *results.Pairing {
		options := results.Options{}
		return results.Pair(results.Rules{Name: name, MustPass: []string{"b"}}, side(t, file(base), "r", options), side(t, file(head), "r", options))
	}
	line := func(name string) string {
		return `{"suite":"s","case":"` + name + `","passed":true,"input":"` + name + `"}` + "\n"
	}
	rows := rowsOf(row("p", "x", "1", ""))
	p := results.Merge([]*results.Pairing{
		pair("one", line("a")+line("a")+line("gone"), strings.ReplaceAll(line("a"), `"case":"a"`, `"case":"b"`)),
		pair("two", strings.Repeat(line("a"), 3), strings.Repeat(line("a"), 3)),
		results.Pair(results.Rules{Name: "three"}, nil, side(t, rows, "r", results.Options{})),
	})
	equal(t, told(t, p, p.Base), "one.s/a* 2 of 2", "one.s/gone 1 of 1", "two.s/a 3 of 3")
	equal(t, told(t, p, p.Head), "one.s/b* 1 of 1", "two.s/a 3 of 3", "three/1 1 of 1")
	equal(t, p.Renamed, "b")
	equal(t, p.Formats, "jsonl", "promptfoo")
	if p.BaseCases != 3 || p.PairedCases != 2 || p.ShowsAssertions || p.Runs != [2]int{2, 1} || !p.InSeveralSuites("a") {
		t.Errorf("%d of %d cases pair, assertions %v, runs %v", p.PairedCases, p.BaseCases, p.ShowsAssertions, p.Runs)
	}
	if plans, _ := p.Plans(p.Head); len(plans) != 3 || plans[2].Target != "p" {
		t.Errorf("the plans are %+v", plans)
	}
}

func TestALongNameIsCutAndStaysUnique(t *testing.T) {
	long := strings.Repeat("é", 150)
	s := side(t, file(`{"case":"`+long+`1","passed":true}`+"\n"+`{"case":"`+long+`2","passed":true}`), "r", results.Options{})
	all := each(t, results.Pair(results.Rules{}, nil, s), s)
	if a, b := all[0].CaseID, all[1].CaseID; a == b || !utf8.ValidString(a) || utf8.RuneCountInString(a) > 150 {
		t.Errorf("the cases are called %s and %s", a, b)
	}
}

func TestFoldersHoldParts(t *testing.T) {
	for _, c := range []struct {
		rule  string
		files fstest.MapFS
		want  string // of the fault; "": there is none
	}{
		{"parts with other cases", fstest.MapFS{"f/a": {Data: []byte(`{"case":"a","passed":true}`)}, "f/x/b": {Data: []byte(`{"case":"b","passed":true}`)}}, ""},
		{"parts with other runs", fstest.MapFS{"f/a": {Data: []byte(`{"case":"a","run":1,"passed":true}`)}, "f/b": {Data: []byte(`{"case":"a","run":2,"passed":true}`)}}, ""},
		{"parts whose suites tell tests of one name apart", fstest.MapFS{"f/a": {Data: []byte(`<testsuite name="x"><testcase name="a"/></testsuite>`)},
			"f/b": {Data: []byte(`<testsuite name="y"><testcase name="a"/></testsuite>`)}}, ""},
		{"parts of one suite do not", fstest.MapFS{"f/a": {Data: []byte(`<testsuite name="x"><testcase name="a"/></testsuite>`)},
			"f/b": {Data: []byte(`<testsuite name="x"><testcase name="a"/></testsuite>`)}}, "neither says which run it is"},
		{"a run in two", fstest.MapFS{"f/a": {Data: []byte(`{"case":"a","run":1,"passed":true}`)}, "f/b": {Data: []byte(`{"case":"a","run":1,"passed":true}`)}}, "f/b: line 1: run 1"},
		{"a case in two without a run", fstest.MapFS{"f/a": {Data: []byte(`{"case":"a","passed":true}`)}, "f/b": {Data: []byte(`{"case":"a","passed":true}`)}}, "neither says which run it is"},
		{"two formats", fstest.MapFS{"f/a": {Data: []byte(`{"case":"a","passed":true}`)}, "f/b": {Data: []byte(`<testsuite><testcase name="a"/></testsuite>`)}}, "one format a side"},
		{"a link", fstest.MapFS{"f/a": {Data: []byte("b"), Mode: fs.ModeSymlink}}, "no regular file"},
		{"no file", fstest.MapFS{"f": {Mode: fs.ModeDir}}, "holds no file"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := results.Read(c.files, "f", results.Options{})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

func TestJUnit(t *testing.T) {
	runs := regexp.MustCompile(`-(\d+)\]$`)
	s := side(t, file(`<?xml version="1.0"?><testsuites><testsuite><testcase classname="c" name="t[a-1]"/><testcase classname="c" name="t[a-2]"><failure>no</failure></testcase>
		<testcase classname="c" name="u"><skipped/></testcase><testcase name="v"><error message="fixture"/></testcase></testsuite></testsuites>`), "r", results.Options{Runs: runs})
	equal(t, told(t, results.Pair(results.Rules{}, nil, s), s), "results/c::t[a] 1 of 2", "results/v 0 of 0!")
	both := side(t, file(`<?xml version="1.0" encoding="us-ascii"?><testsuite><testcase name="a"><failure/><skipped/></testcase><testcase name="b"><failure/><error/></testcase></testsuite>`),
		"r", results.Options{})
	equal(t, told(t, results.Pair(results.Rules{}, nil, both), both), "results/a 0 of 1", "results/b 0 of 1")
	again := side(t, file(`<testsuite><testcase name="a-1]"><failure/></testcase><testcase name="a-1]"><error message="failed on teardown"/></testcase><testcase name="a-2]"/></testsuite>`),
		"r", results.Options{Runs: runs})
	equal(t, told(t, results.Pair(results.Rules{}, nil, again), again), "results/a] 1 of 2")
	one := side(t, file(`<testsuite><testcase name="t[1]"/><testcase name="t[2]"/></testsuite>`), "r", results.Options{Runs: regexp.MustCompile(`\[(\d+)\]$`)})
	equal(t, told(t, results.Pair(results.Rules{}, nil, one), one), "results/t 2 of 2")
}

func TestJUnitTestsOfOneName(t *testing.T) {
	for _, c := range []struct {
		rule, base, head string
		want             []string // of the head
		repeated         []string
	}{
		{"suites tell them apart", `<testsuite name="x"><testcase name="a"/></testsuite><testsuite name="y"><testcase name="a"><failure/></testcase></testsuite>`,
			`<testsuite name="y"><testcase name="a"/></testsuite><testsuite name="x"><testcase name="a"><failure/></testcase></testsuite>`,
			[]string{"results/a* 1 of 1", "results/a (2)* 0 of 1"}, nil},
		{"suites within suites", `<testsuite name="x"><testsuite name="1"><testcase name="a"/></testsuite><testsuite name="2"><testcase name="a"/></testsuite></testsuite>`,
			`<testsuite name="x"><testsuite name="2"><testcase name="a"/></testsuite><testsuite name="1"><testcase name="a"/></testsuite></testsuite>`,
			[]string{"results/a* 1 of 1", "results/a (2)* 1 of 1"}, nil},
		{"files of tests", `<testcase name="a" file="f"/><testcase name="a" file="g"/>`, `<testcase name="a" file="g"/><testcase name="a" file="f"/>`,
			[]string{"results/a* 1 of 1", "results/a (2)* 1 of 1"}, nil},
		{"files of suites", `<testsuite file="f"><testcase name="a"/></testsuite><testsuite file="g"><testcase name="a"/></testsuite>`,
			`<testsuite file="f"><testcase name="a"/></testsuite><testsuite file="h"><testcase name="a"/></testsuite>`,
			[]string{"results/a* 1 of 1", "results/a (2)* 1 of 1"}, nil},
		{"nothing else does", `<testcase name="a"/>`, `<testcase name="a"/><testcase name="a"><failure/></testcase>`, []string{"results/a* 1 of 2"}, []string{"a"}},
		{"nor on the base", `<testcase name="a"/><testcase name="a"/>`, `<testcase name="a"/>`, []string{"results/a* 1 of 1"}, []string{"a"}},
		{"a suite of another name has the same tests", `<testsuite name="x"><testcase name="a"/></testsuite>`, `<testsuite name="y"><testcase name="a"/></testsuite>`, []string{"results/a* 1 of 1"}, nil},
		{"runs with a number are told", `<testcase name="a-1]"/><testcase name="a-2]"/>`, `<testcase name="a-1]"/><testcase name="a-2]"/>`, []string{"results/a] 2 of 2"}, nil},
		{"wherever they are", `<testcase name="a-1]"/><testcase name="a-2]"/>`, `<testcase name="a-1]" file="f"/><testsuite name="x"><testcase name="a-2]"/></testsuite>`,
			[]string{"results/a] 2 of 2"}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			o := results.Options{Runs: regexp.MustCompile(`-(\d+)\]$`)}
			base, head := side(t, file("<testsuites>"+c.base+"</testsuites>"), "r", o), side(t, file("<testsuites>"+c.head+"</testsuites>"), "r", o)
			p := results.Pair(results.Rules{MustPass: []string{"a"}}, base, head)
			equal(t, told(t, p, head), c.want...)
			equal(t, p.Repeated, c.repeated...)
			if p.PairedCases != p.BaseCases {
				t.Errorf("%d of %d cases pair", p.PairedCases, p.BaseCases)
			}
		})
	}
}

// A long name of a suite is not kept for each of its tests.
func TestALongNameOfASuiteIsKeptOnce(t *testing.T) {
	text := file(`<testsuite name="` + strings.Repeat("x", 1<<20) + `">` + strings.Repeat(`<testcase name="a"/>`, 500) + `</testsuite>`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	side(t, text, "r", results.Options{})
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 100<<20 {
		t.Errorf("%d MiB are allocated for a file of 1 MiB", (after.TotalAlloc-before.TotalAlloc)>>20)
	}
}

// Equal rows are the only runs that promptfoo shows.
func TestRowsOfPromptfooRepeatACase(t *testing.T) {
	s := side(t, rowsOf(row("p", "x", "1", ""), row("p", "x", "1", "")), "r", results.Options{})
	equal(t, results.Pair(results.Rules{}, nil, s).Repeated)
}

func TestWhatAJUnitFileMayLack(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"fewer tests than its suites count", `<testsuite tests="2"><testcase name="a"/></testsuite>`, "a suite that ends after row 1 counts 2 tests and holds 1: some may be missing"},
		{"the outermost of its suites", `<testsuites tests="3"><testsuite tests="2"><testcase name="a"/></testsuite></testsuites>`,
			"a suite that ends after row 1 counts 3 tests and holds 1: some may be missing"},
		{"as many", `<testsuite tests="2" failures="1" errors="1"><testcase name="a"><failure/></testcase><testcase name="b"><error/></testcase></testsuite>`, ""},
		{"a test that pytest lists twice", `<testsuite tests="1" failures="1" errors="1"><testcase name="a"><failure/></testcase><testcase name="a"><error/></testcase></testsuite>`, ""},
		{"failures beyond those that are counted", `<testsuite tests="1" failures="1"><testcase name="a"><failure/><failure/></testcase></testsuite>`, ""},
		{"counts that are no numbers", `<testsuite tests="two" failures="" errors="-1"><testcase name="a"/></testsuite>`, ""},
		{"failures of tests that were run again", `<testsuite tests="1" flakes="1"><testcase name="a"><flakyFailure/><flakyError/></testcase></testsuite>`,
			"tests failed and passed when run again, which counts as passed; such failures: 2"},
		{"reruns of a test that fails", `<testsuite tests="1" failures="1"><testcase name="a"><failure/><rerunFailure/></testcase></testsuite>`, ""},
	} {
		var got []string
		for _, note := range side(t, file(c.text), "r", results.Options{}).Notes {
			got = append(got, note.Error())
		}
		want := strings.Fields(c.want)
		if len(want) > 0 {
			want = []string{"r: " + c.want}
		}
		t.Run(c.rule, func(t *testing.T) { equal(t, got, want...) })
	}
}

func TestATestThatTheBaseRanAndTheHeadSkipsIsNamed(t *testing.T) {
	base := side(t, file(`<testsuite><testcase name="a"/><testcase name="b"/><testcase name="c"/></testsuite>`), "r", results.Options{})
	head := side(t, file(`<testsuite><testcase name="a"/><testcase name="b"><skipped/></testcase><testcase name="other"><skipped/></testcase></testsuite>`), "r", results.Options{})
	equal(t, results.Pair(results.Rules{}, base, head).Skipped, "b")
}

func TestATestThatDidNotRunIsNoCase(t *testing.T) {
	s := side(t, file(`<testsuite tests="4"><testcase name="a" status="run"/><testcase name="b" status="notrun"/><testcase name="c" status="Skipped"/><testcase name="d" status="disabled"><failure/></testcase></testsuite>`), "r", results.Options{})
	equal(t, told(t, results.Pair(results.Rules{}, nil, s), s), "results/a 1 of 1", "results/d 0 of 1")
}

func TestCasesWithAnswersOfSomeRunsAreNamed(t *testing.T) {
	lines := func(runs ...string) fs.FS {
		var b strings.Builder
		for _, one := range runs {
			for i, r := range one[1:] {
				fmt.Fprintf(&b, `{"case":%q,"run":%d,%s}`+"\n", one[:1], i+1, map[rune]string{'1': `"passed":true`, '0': `"passed":false`, 'e': `"error":"timeout"`}[r])
			}
		}
		return file(b.String() + `{"case":"once","passed":true}`)
	}
	base, head := side(t, lines("a111", "b110", "c11", "d1ee"), "r", results.Options{}), side(t, lines("a11", "b1e1", "c11", "deee"), "r", results.Options{})
	p := results.Pair(results.Rules{}, base, head)
	equal(t, p.Incomplete[0], "c (2 of 3)", "d (1 of 3)")
	twice := side(t, file(`{"case":"a","passed":true}`+"\n"+`{"case":"a","passed":true}`+"\n"+`{"case":"b","passed":true}`+"\n"+`{"case":"c","passed":true}`), "r", results.Options{})
	equal(t, results.Pair(results.Rules{}, nil, twice).Incomplete[1])
	equal(t, p.Incomplete[1], "a (2 of 3)", "b (2 of 3)", "c (2 of 3)")
	equal(t, results.Merge([]*results.Pairing{p, p}).Incomplete[0], "c (2 of 3)", "d (1 of 3)", "c (2 of 3)", "d (1 of 3)")
}

// row is a row of promptfoo's, of which some matter.
func row(provider, prompt, vars, more string) string {
	return fmt.Sprintf(`{"provider":%q,"promptIdx":0,"prompt":{"label":%q},"vars":{"q":%q},"success":true,"score":1,"testCase":{%s}}`, provider, prompt, vars, more)
}

func failing(row string) string { return strings.Replace(row, `"success":true`, `"success":false`, 1) }

func rowsOf(rows ...string) fs.FS {
	return file(`{"config":{"description":"x"},"results":{"version":3,"results":[` + strings.Join(rows, ",") + `]}}`)
}

func TestPairing(t *testing.T) {
	for _, c := range []struct {
		rule       string
		base, head []string
		want       string // base=head, of the cases of the base
	}{
		{"by the variables, whatever the order", []string{row("p", "x", "1", ""), row("p", "x", "2", "")}, []string{row("p", "x", "0", ""), row("p", "x", "2", ""), row("p", "x", "1", "")},
			"results/1=results/1 results/2=results/2"},
		{"a description is a name alone", []string{row("p", "x", "1", `"description":"old"`)}, []string{row("p", "x", "1", `"description":"new"`)}, "results/old=results/new"},
		{"another provider in its place", []string{row("p", "x", "1", "")}, []string{row("q", "x", "1", "")}, "results/1=results/1"},
		{"a prompt by its file", []string{row("p", "a.txt: old", "1", ""), row("p", "b.txt: b", "1", "")}, []string{row("p", "b.txt: b", "1", ""), row("p", "a.txt: new", "1", "")},
			"results@b.txt/1=results@b.txt/1 results@a.txt/1=results@a.txt/1"},
		{"a prompt more", []string{row("p", "a.txt: old", "1", "")}, []string{row("p", "b.txt: b", "1", ""), row("p", "a.txt: new", "1", "")}, "results@a.txt/1=results@a.txt/1"},
		{"equal variables by their assertions", []string{row("p", "x", "1", `"assert":[{"type":"a"}]`), row("p", "x", "1", `"assert":[{"type":"b"}]`)},
			[]string{row("p", "x", "1", `"assert":[{"type":"b"}]`), row("p", "x", "1", `"assert":[{"type":"a"}]`)}, "results/1=results/1 (2) results/1 (2)=results/1"},
		{"other assertions", []string{row("p", "x", "1", `"assert":[{"type":"a"}]`)}, []string{row("p", "x", "1", `"assert":[{"type":"b"}]`)}, "results/1=results/1"},
		{"removed and new", []string{row("p", "x", "1", "")}, []string{row("p", "x", "2", "")}, "results/1="},
		{"a new test that passes hides none that fails", []string{row("p", "x", "1", `"assert":[1]`)}, []string{row("p", "x", "1", `"assert":[2]`), failing(row("p", "x", "1", `"assert":[3]`))},
			"results/1=results/1 (2)"},
		{"nor one of several", []string{failing(row("p", "x", "1", `"assert":[1]`)), row("p", "x", "1", `"assert":[2]`)},
			[]string{row("p", "x", "1", `"assert":[3]`), row("p", "x", "1", `"assert":[4]`), failing(row("p", "x", "1", `"assert":[5]`))},
			"results/1=results/1 results/1 (2)=results/1 (3)"},
		{"as many are in order", []string{row("p", "x", "1", `"assert":[1]`), failing(row("p", "x", "1", `"assert":[2]`))},
			[]string{row("p", "x", "1", `"assert":[3]`), failing(row("p", "x", "1", `"assert":[4]`))}, "results/1=results/1 results/1 (2)=results/1 (2)"},
		{"another id of one input", []string{row("p", "x", "1", `"metadata":{"id":"a"}`)}, []string{row("p", "x", "1", `"metadata":{"id":"b"}`)}, "results/a=results/b"},
		{"no guess among several of one input", []string{row("p", "x", "1", `"metadata":{"id":"a"}`)}, []string{row("p", "x", "1", `"metadata":{"id":"b"}`), row("p", "x", "1", `"metadata":{"id":"c"}`)}, "results/a="},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := side(t, rowsOf(c.base...), "r", results.Options{}), side(t, rowsOf(c.head...), "r", results.Options{})
			p := results.Pair(results.Rules{}, base, head)
			ids := map[suiteid.Name]bool{}
			for _, r := range each(t, p, head) {
				ids[suiteid.Name{Suite: r.SuiteID, Case: r.CaseID}] = true
			}
			var got []string
			for _, r := range each(t, p, base) {
				was := r.SuiteID + "/" + r.CaseID
				is := p.Names.Head(suiteid.Name{Suite: r.SuiteID, Case: r.CaseID})
				if ids[is] {
					was += "=" + is.Suite + "/" + is.Case
				} else {
					was += "="
				}
				got = append(got, was)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func each(t *testing.T, p *results.Pairing, s *results.Side) (all []report.Result) {
	t.Helper()
	if err := p.Each(s, results.RunInfo{Hide: strings.Clone}, func(r report.Result) error { all = append(all, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestMustPassHoldsByEitherName(t *testing.T) {
	base := side(t, rowsOf(row("p", "x", "1", `"description":"late refund"`), row("p", "x", "2", `"description":"other"`)), "r", results.Options{})
	head := side(t, rowsOf(row("p", "x", "1", `"description":"renamed"`), row("p", "x", "2", `"description":"other"`)), "r", results.Options{})
	p := results.Pair(results.Rules{MustPass: []string{"late*", "latte*"}}, base, head)
	equal(t, told(t, p, base), "results/late refund* 1 of 1", "results/other 1 of 1")
	equal(t, told(t, p, head), "results/renamed* 1 of 1", "results/other 1 of 1")
	equal(t, p.UnusedMustPass, "latte*")
}

// A change that leaves out the runs that fail leaves a hole, and no pass.
func TestRunsThatTheHeadLeavesOutAreMissing(t *testing.T) {
	lines := func(runs map[string]int) fs.FS {
		var b strings.Builder
		for _, name := range []string{"a", "b"} {
			for i := range runs[name] {
				fmt.Fprintf(&b, "{\"case\":%q,\"run\":%d,\"passed\":true}\n", name, i+1)
			}
		}
		return file(b.String())
	}
	for _, c := range []struct {
		rule       string
		base, head map[string]int
		want       []string
	}{
		{"of one case", map[string]int{"a": 3, "b": 3}, map[string]int{"a": 1, "b": 3}, []string{"results/a 1 of 1!!", "results/b 3 of 3"}},
		{"no more than the base has", map[string]int{"a": 2, "b": 3}, map[string]int{"a": 1, "b": 3}, []string{"results/a 1 of 1!", "results/b 3 of 3"}},
		{"of all cases: the runner was told so", map[string]int{"a": 3, "b": 3}, map[string]int{"a": 1, "b": 1}, []string{"results/a 1 of 1", "results/b 1 of 1"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := side(t, lines(c.base), "r", results.Options{}), side(t, lines(c.head), "r", results.Options{})
			p := results.Pair(results.Rules{}, base, head)
			equal(t, told(t, p, head), c.want...)
			if want := [2]int{3, max(c.head["a"], c.head["b"])}; p.Runs != want {
				t.Errorf("the most runs are %v, want %v", p.Runs, want)
			}
		})
	}
}

// Runs that have numbers tell as well that each case lacks others.
func TestAllCasesLackOtherRuns(t *testing.T) {
	lines := func(of map[string][]int) fs.FS {
		var b strings.Builder
		for _, name := range []string{"a", "b"} {
			for _, n := range of[name] {
				fmt.Fprintf(&b, "{\"case\":%q,\"run\":%d,\"passed\":true}\n", name, n)
			}
		}
		return file(b.String())
	}
	all := map[string][]int{"a": {1, 2, 3, 4}, "b": {1, 2, 3, 4}}
	for _, c := range []struct {
		head map[string][]int
		want []string
	}{
		{map[string][]int{"a": {1, 3}, "b": {2, 3}}, []string{"results/a 2 of 2!", "results/b 2 of 2!"}},
		{map[string][]int{"a": {1, 2}, "b": {1, 2}}, []string{"results/a 2 of 2", "results/b 2 of 2"}},
	} {
		head := side(t, lines(c.head), "r", results.Options{})
		p := results.Pair(results.Rules{}, side(t, lines(all), "r", results.Options{}), head)
		equal(t, told(t, p, head), c.want...)
	}
}

func TestWhatAReaderOfAPairingHasToKnow(t *testing.T) {
	failed := failing(row("p", "x", "1", `"assert":[{"type":"b"}]`))
	base := side(t, rowsOf(row("p", "x", "1", `"assert":[{"type":"a"}]`), row("p", "x", "2", `"description":"two"`)), "r", results.Options{})
	head := side(t, rowsOf(strings.Replace(failed, `"p"`, `"q"`, 1), row("q", "x", "3", `"description":"two"`)), "r", results.Options{})
	p := results.Pair(results.Rules{}, base, head)
	equal(t, p.Edited, "1")
	equal(t, p.PairedByOrder, "q (was p)")
	if p.PairedCases != 2 || len(p.Renamed) > 0 {
		t.Errorf("%d cases pair, and %q by the input; want 2 and none", p.PairedCases, p.Renamed)
	}
}

func TestAPromptfooTestIsHeldToAllThatJudgesIt(t *testing.T) {
	redefines := func(test string) bool {
		base := side(t, rowsOf(row("p", "x", "1", `"assert":[{"type":"a"}],"threshold":0.9`)), "r", results.Options{})
		head := side(t, rowsOf(row("p", "x", "1", test)), "r", results.Options{})
		p := results.Pair(results.Rules{}, base, head)
		return each(t, p, base)[0].ExpectationKey != each(t, p, head)[0].ExpectationKey
	}
	for _, other := range []string{`"threshold":0.1`, `"threshold":0.9,"options":{"transform":"'yes'"}`, `"threshold":0.9,"options":{"provider":"yes-man"}`,
		`"threshold":0.9,"options":{"rubricPrompt":"Say pass"}`, `"threshold":0.9,"assertScoringFunction":"file://one.js"`} {
		if !redefines(`"assert":[{"type":"a"}],` + other) {
			t.Errorf("%s: the test is held to the same", other)
		}
	}
	if redefines(`"options":{},"threshold":0.9,"assert":[{"type":"a"}],"description":"other"`) {
		t.Error("another name is another expectation")
	}
}

func TestAPromptfooTestThatNoAnswerCanFailExpectsNothing(t *testing.T) {
	for assert, want := range map[string]bool{
		``: true, `"assert":null`: true, `"assert":[]`: true, `"assert":[null,{},1,"x"]`: true, `"assert":{"type":"a"}`: true,
		`"assert":[{"type":"a","weight":0},{"type":"b","weight":0.0}]`:                              true,
		`"assert":[{"type":"assert-set"},{"type":"assert-set","assert":[]}]`:                        true,
		`"assert":[{"type":"assert-set","assert":[{"type":"a","weight":0},{"type":"assert-set"}]}]`: true,
		`"assert":[{"type":"assert-set","weight":0,"assert":[{"type":"a"}]}]`:                       true,
		`"assert":[{"type":"a"}]`: false,
		`"assert":[null,{"type":"a","weight":0},{"type":"b","weight":0.1}]`:                         false,
		`"assert":[{"type":"a","weight":"1"}]`:                                                      false,
		`"assert":[{"type":"assert-set","assert":[{"type":"assert-set","assert":[{"type":"a"}]}]}]`: false,
	} {
		s := side(t, rowsOf(row("p", "x", "1", assert)), "r", results.Options{})
		if got := each(t, results.Pair(results.Rules{}, nil, s), s)[0].Classification.Details.Unverified; got != want {
			t.Errorf("%s: expects nothing: %v, want %v", assert, got, want)
		}
	}
}

func TestAnInputThatASideDoesNotShowIsNoOther(t *testing.T) {
	base := side(t, file(`{"case":"a","passed":true,"input":"x"}`), "r", results.Options{})
	head := side(t, file(`{"case":"a","error":"503"}`), "r", results.Options{})
	p := results.Pair(results.Rules{}, base, head)
	if was, is := each(t, p, base)[0].InputKey, each(t, p, head)[0].InputKey; was != is {
		t.Error("the head has another input")
	}
	equal(t, p.OtherInput)
	head = side(t, file(`{"case":"a","passed":true,"input":"y"}`), "r", results.Options{})
	equal(t, results.Pair(results.Rules{}, base, head).OtherInput, "a")
}

func TestLinesOfPromptfooAreItsRows(t *testing.T) {
	lines := side(t, file(row("p", "x", "1", "")+"\n"+row("p", "x", "1", "")), "r", results.Options{})
	whole := side(t, rowsOf(row("p", "x", "1", ""), row("p", "x", "1", "")), "r", results.Options{})
	equal(t, told(t, results.Pair(results.Rules{}, nil, lines), lines), told(t, results.Pair(results.Rules{}, nil, whole), whole)...)
}

// Whatever a file holds, it is read or refused, and what is read has results that are such.
func FuzzRead(f *testing.F) {
	for _, text := range []string{`{"case":"a","passed":true}`, `{"results":{"results":[` + row("p", "x: y", "1", `"assert":[]`) + `]}}`, row("p", "x", "1", ""),
		`<testsuite><testcase classname="c" name="t[a-1]" file="a.py" line="3"><properties><property name="score" value="0.5"/></properties><failure>x</failure></testcase></testsuite>`} {
		f.Add(text)
	}
	bar := 0.5
	f.Fuzz(func(t *testing.T, text string) {
		s, err := results.Read(file(text), "r", results.Options{Runs: regexp.MustCompile(`-(\d+)\]$`), PassAt: &bar})
		if err != nil {
			return
		}
		p := results.Pair(results.Rules{MustPass: []string{"a*"}}, s, s)
		if p.PairedCases != p.BaseCases {
			t.Errorf("%d of %d cases are found in the same file", p.PairedCases, p.BaseCases)
		}
		var b report.Builder
		b.Plan(p.Plans(s))
		for _, r := range each(t, p, s) {
			if err := b.Add(r, report.Ref{}); err != nil {
				t.Error(err)
			}
		}
	})
}

// A pattern for the numbers of runs that fits no name is a mistake, if it fits none of either side.
func TestAPatternOfRunsThatFitsNothingIsTold(t *testing.T) {
	const numbered, plain = `<testsuite><testcase name="a-1]"/></testsuite>`, `<testsuite><testcase name="a"/></testsuite>`
	for _, c := range []struct {
		rule, base, head string // base "": none
		none             bool
	}{
		{"no base, and a number", "", numbered, false},
		{"no base, and no number", "", plain, true},
		{"none on either side", plain, plain, true},
		{"one on the base", numbered, plain, false},
		{"one on the head", plain, numbered, false},
	} {
		o := results.Options{Runs: regexp.MustCompile(`-(\d+)\]$`)}
		var base *results.Side
		if c.base != "" {
			base = side(t, file(c.base), "r", o)
		}
		if got := results.Pair(results.Rules{}, base, side(t, file(c.head), "r", o)).NoRunFound; got != c.none {
			t.Errorf("%s: %v", c.rule, got)
		}
	}
	s := side(t, file(plain), "r", results.Options{})
	if results.Pair(results.Rules{}, s, s).NoRunFound {
		t.Error("without a pattern, one fits nothing")
	}
}

func TestWhatARunnerSaysOfAFailureIsKept(t *testing.T) {
	s := side(t, file(`<testsuite><testcase name="a"><failure message="it said no"/></testcase></testsuite>`), "r", results.Options{})
	all := each(t, results.Pair(results.Rules{}, nil, s), s)
	if unmet := all[0].Classification.Details.Unmet; len(unmet) != 1 || !strings.Contains(unmet[0].Reason, "it said no") {
		t.Errorf("unmet %+v", unmet)
	}
}

// Cases of two suites that are renamed keep their suite.
func TestARenamedCaseHasItsNameInItsSuite(t *testing.T) {
	line := func(suite, name, input string) string {
		return `{"suite":"` + suite + `","case":"` + name + `","input":"` + input + `","passed":true}` + "\n"
	}
	base := side(t, file(line("s", "a", "1")+line("t", "a", "2")), "r", results.Options{})
	head := side(t, file(line("s", "b", "1")+line("t", "c", "2")), "r", results.Options{})
	p := results.Pair(results.Rules{}, base, head)
	for was, want := range map[suiteid.Name]suiteid.Name{{Suite: "s", Case: "a"}: {Suite: "s", Case: "b"}, {Suite: "t", Case: "a"}: {Suite: "t", Case: "c"}} {
		if got := p.Names.Head(was); got != want {
			t.Errorf("%v is %v on the head, want %v", was, got, want)
		}
	}
}
