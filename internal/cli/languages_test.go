package cli_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/comment"
	"github.com/failproof/failproof/internal/render/machine"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/report"
)

// Answers in the languages of the world are read in every output as they were written.
func TestWordsOfOtherLanguagesComeThroughInEverySink(t *testing.T) {
	texts := map[string]string{
		"Persian":  "می\u200cخواهم ببینم",
		"Hindi":    "क्\u200dष और क्\u200cष",
		"Arabic":   "مرحبا، كيف حالك؟",
		"Thai":     "ภาษาไทยสวัสดี",
		"Japanese": "日本語のテキスト",
		"emoji":    "👩\u200d🚀 ❤\ufe0f\u200d🔥 👨\u200d👩\u200d👧",
	}
	for language, text := range texts {
		r := rendertest.PassedRun()
		r.Changes, r.Verdict = nil, report.Failed
		rendertest.AddChange(r, report.Regressed, "one", rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", text)).Input = model.Untrusted(text)
		for sink, got := range sinks(t, r) {
			if !strings.Contains(got, text) {
				t.Errorf("%s: %q is not in the %s:\n%s", language, text, sink, got)
			}
		}
	}
}

// sinks are the outputs of a report, as a reader of each format sees them.
func sinks(t *testing.T, r *report.Report) map[string]string {
	t.Helper()
	v := story.New(rendertest.SortChanges(r), show.Links{})
	out := map[string]string{"comment": comment.Markdown(v)}
	var b bytes.Buffer
	write := func(sink string, err error) {
		if err != nil {
			t.Fatalf("%s: %v", sink, err)
		}
		out[sink] = b.String()
		b.Reset()
	}
	write("table", terminal.Write(&b, v, terminal.Options{Width: 200}))
	write("page", page.Write(&b, v, report.ResultFinders{}))
	out["page"] = html.UnescapeString(out["page"])
	out["JUnit"] = string(machine.JUnit(v))
	var suites struct {
		Failure string `xml:"testsuite>testcase>failure"`
	}
	if err := xml.Unmarshal([]byte(out["JUnit"]), &suites); err != nil {
		t.Fatal(err)
	}
	out["JUnit"] = suites.Failure
	out["SARIF"] = decoded(t, machine.SARIF(v))
	write("report", r.Write(show.JSONWriter(&b)))
	out["report"] = decoded(t, []byte(out["report"]))
	for _, a := range machine.Annotations(v) {
		out["annotations"] += a.Message
	}
	if len(out) != 7 {
		t.Fatalf("%d sinks, want seven", len(out))
	}
	return out
}

// decoded is JSON with its escapes undone.
func decoded(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
