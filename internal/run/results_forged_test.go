package run

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/results"
)

// four are eight runs each of four cases, of which change makes those of the first.
func four(change func(run int) string) string {
	var out strings.Builder
	for _, name := range []string{"a", "b", "c", "d"} {
		for run := range 8 {
			line := fmt.Sprintf(`{"case":%q,"run":%d,"passed":true}`, name, run+1)
			if name == "a" {
				line = change(run + 1)
			}
			if line != "" {
				out.WriteString(line + "\n")
			}
		}
	}
	return out.String()
}

// fourRows are the same as promptfoo writes them; more are keys of the first case's rows.
func fourRows(t *testing.T, more func(run int) map[string]any) string {
	t.Helper()
	var rows []map[string]any
	for _, name := range []string{"a", "b", "c", "d"} {
		for run := range 8 {
			row := map[string]any{"provider": "p", "promptIdx": 0, "prompt": map[string]any{"label": "x"}, "vars": map[string]any{"q": name}, "success": true, "score": 1}
			if name == "a" {
				row["success"], row["score"] = false, 0
				for key, value := range more(run) {
					row[key] = value
				}
			}
			rows = append(rows, row)
		}
	}
	text, err := json.Marshal(map[string]any{"results": map[string]any{"results": rows}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A case of four that breaks for good is red, however its runs are written down, as long as no run that failed is
// called right.
func TestNoFormOfABrokenCaseIsGreen(t *testing.T) {
	bad := func(keys string) string { return four(func(run int) string { return fmt.Sprintf(keys, run) }) }
	plain := bad(`{"case":"a","run":%d,"passed":false}`)
	lines := map[string]string{
		"plain": plain, "carriage returns": strings.ReplaceAll(plain, "\n", "\r\n"), "a cut end": plain[:len(plain)-20],
		"another alias": bad(`{"test_id":"a","run":%d,"passed":false}`), "an alias that differs": bad(`{"case":"z","id":"a","run":%d,"passed":false}`),
		"a space": bad(`{"case":"a ","run":%d,"passed":false}`), "another letter": bad(`{"case":"а","run":%d,"passed":false}`),
		"a line break": bad(`{"case":"a\nb","run":%d,"passed":false}`), "half a pair": bad(`{"case":"a\ud800","run":%d,"passed":false}`),
		"another name": bad(`{"case":"z","run":%d,"passed":false}`), "a name and an input": bad(`{"case":"z","input":"x","run":%d,"passed":false}`),
		"another suite": bad(`{"case":"a","suite":"z","run":%d,"passed":false}`), "a number as the name": bad(`{"case":1,"run":%d,"passed":false}`),
		"a list as the name": bad(`{"case":["a"],"run":%d,"passed":false}`), "an input each": bad(`{"case":"a","input":"%d","passed":false}`), "no number": four(func(int) string { return `{"case":"a","passed":false}` }),
		"runs below 0": bad(`{"case":"a","run":-%d,"passed":false}`), "runs by name": bad(`{"case":"a","run":"r%d","passed":false}`),
		"a score beside": bad(`{"case":"a","run":%d,"passed":false,"score":1}`), "a key twice": bad(`{"case":"a","run":%d,"passed":false,"Passed":true}`),
		"a text": bad(`{"case":"a","run":%d,"passed":"true"}`), "null": bad(`{"case":"a","run":%d,"passed":null}`), "NaN": bad(`{"case":"a","run":%d,"score":NaN}`),
		"beyond all numbers": bad(`{"case":"a","run":%d,"score":1e999}`), "above 1": bad(`{"case":"a","run":%d,"score":2}`),
		"an error": bad(`{"case":"a","run":%d,"error":"x","passed":true}`), "a blank error": bad(`{"case":"a","run":%d,"error":" ","passed":false}`),
		"no error": bad(`{"case":"a","run":%d,"error":"None","passed":false}`), "one run is left": four(func(run int) string {
			return map[int]string{1: `{"case":"a","run":1,"passed":true}`}[run]
		}),
		"one right run and errors": four(func(run int) string {
			if run == 1 {
				return `{"case":"a","run":1,"passed":true}`
			}
			return fmt.Sprintf(`{"case":"a","run":%d,"error":"x"}`, run)
		}),
		"one run under another name": four(func(run int) string { return map[int]string{1: `{"case":"z","run":1,"passed":false}`}[run] }),
		"promptfoo's rows behind":    plain + `{"promptIdx":0,"vars":{"q":"a"},"success":true}`, "XML behind": plain + "<testsuite/>", "a mark twice": "\ufeff\ufeff" + plain,
		"a list": "[]", "nothing": "", "NUL": plain + "\x00", "depth": plain + strings.Repeat("[", 70) + strings.Repeat("]", 70),
	}
	rows := map[string]string{}
	for rule, more := range map[string]func(int) map[string]any{
		"plain":    func(int) map[string]any { return nil },
		"an error": func(int) map[string]any { return map[string]any{"failureReason": 2, "success": true} },
		"an error inside": func(int) map[string]any {
			return map[string]any{"response": map[string]any{"error": "x"}, "success": true}
		},
		"a text":            func(int) map[string]any { return map[string]any{"success": "true"} },
		"null":              func(int) map[string]any { return map[string]any{"success": nil} },
		"a key twice":       func(int) map[string]any { return map[string]any{"SUCCESS": true} },
		"a weight":          func(int) map[string]any { return map[string]any{"score": 5} },
		"another provider":  func(int) map[string]any { return map[string]any{"provider": "q"} },
		"another prompt":    func(int) map[string]any { return map[string]any{"prompt": map[string]any{"label": "y"}} },
		"another variable":  func(n int) map[string]any { return map[string]any{"vars": map[string]any{"q": "a", "n": n}} },
		"a list":            func(int) map[string]any { return map[string]any{"vars": map[string]any{"q": []string{"a"}}} },
		"a description":     func(int) map[string]any { return map[string]any{"testCase": map[string]any{"description": "z"}} },
		"many descriptions": func(n int) map[string]any { return map[string]any{"testCase": map[string]any{"description": n}} },
		"an id": func(int) map[string]any {
			return map[string]any{"testCase": map[string]any{"metadata": map[string]any{"id": "z"}}}
		},
		"assertions":      func(int) map[string]any { return map[string]any{"testCase": map[string]any{"assert": []int{1}}} },
		"many assertions": func(n int) map[string]any { return map[string]any{"testCase": map[string]any{"assert": []int{n}}} },
	} {
		rows[rule] = fourRows(t, more)
	}
	tests := map[string]string{}
	const others = `<testcase name="b"/><testcase name="c"/><testcase name="d"/>`
	for rule, inside := range map[string]string{
		"plain": `<testcase name="a"><failure/></testcase>`, "an error": `<testcase name="a"><error/></testcase>`, "skipped as well": `<testcase name="a"><skipped/><failure/></testcase>`,
		"an error that is skipped": `<testcase name="a"><error/><skipped/></testcase>`, "a score": `<testcase name="a"><properties><property name="score" value="1"/></properties><failure/></testcase>`,
		"inside its output": `<testcase name="a"><system-out><failure/></system-out></testcase>`, "another space of names": `<testcase name="a"><x:failure xmlns:x="u"/></testcase>`,
		"again": `<testcase name="a"><failure/></testcase><testcase name="a"/>`, "again before": `<testcase name="a"/><testcase name="a"><failure/></testcase>`,
		"a class": `<testcase classname="z" name="a"><failure/></testcase>`, "in no test": `<testcase name="a"/><failure/>`, "an error in no test": `<error/><testcase name="a"/>`,
		"a second root": `<testcase name="a"><failure/></testcase></testsuite><testsuite><testcase name="a"/>`, "a test in a test": `<testcase name="a"><testcase name="a"/><failure/></testcase>`,
		"a status": `<testcase name="a" status="FAILED"/>`, "a status of an error": `<testcase name="a" status="error"/>`,
		"a new one of the name":   `<testsuite name="q"><testcase name="a"/></testsuite><testsuite name="r"><testcase name="a"><failure/></testcase></testsuite>`,
		"one of the name crashes": `<testsuite name="q"><testcase name="a"/></testsuite><testsuite name="r"><testcase name="a"><error/></testcase></testsuite>`,
		"a name twice":            `<testcase name="a" name="z"><failure/></testcase>`, "an end": `<testcase name="a"><failure/>`,
	} {
		tests[rule] = "<testsuite>" + inside + others + "</testsuite>"
	}
	tests["a document type"] = `<!DOCTYPE a [<!ENTITY x "y">]>` + tests["plain"]
	right := four(func(run int) string { return fmt.Sprintf(`{"case":"a","run":%d,"passed":true}`, run) })
	for _, format := range []struct {
		name, base string
		heads      map[string]string
	}{
		{"jsonl", right, lines},
		{"promptfoo", fourRows(t, func(int) map[string]any { return map[string]any{"success": true, "score": 1} }), rows},
		{"junit", `<testsuite><testcase name="a"/>` + others + `</testsuite>`, tests},
	} {
		base := fstest.MapFS{"r": {Data: []byte(format.base)}}
		if got := verdictOf(t, base, base); got != report.Passed {
			t.Fatalf("%s: the base itself is %s", format.name, got)
		}
		for rule, text := range format.heads {
			head := fstest.MapFS{"r": {Data: []byte(text)}}
			if _, err := results.Read(head, "r", results.Options{}); err != nil {
				continue // it is refused
			}
			if got := verdictOf(t, base, head); got == report.Passed {
				t.Errorf("%s, %s: %s", format.name, rule, got)
			}
		}
	}
}
