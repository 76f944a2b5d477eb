package github_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
)

func check() *failproof.Check {
	return &failproof.Check{Name: "failproof", Title: "Prompt gate passed", Summary: "All is well.\n"}
}

func annotations(n int) (out []failproof.Annotation) {
	for i := range n {
		out = append(out, failproof.Annotation{Path: "suites/a.yaml", Line: i + 1, Level: "failure", Title: "regressed", Message: fmt.Sprint("case ", i)})
	}
	return out
}

// publishCheck publishes a check run and no comment.
func publishCheck(t *testing.T, h hub, c *failproof.Check) (failproof.Published, []failproof.Warning) {
	t.Helper()
	p := h.said(41, "x")
	p.Mode, p.Check = failproof.CommentNever, c
	return h.publish(t, p)
}

func TestACheckRunIsCompleteAtOnce(t *testing.T) {
	h := newHub()
	published, warnings := publishCheck(t, h, check())
	wantCodes(t, warnings)
	all := h.Checks()
	if len(all) != 1 || all[0].Name != "failproof" || all[0].HeadSHA != h.head || all[0].Status != "completed" || all[0].Conclusion != "success" {
		t.Errorf("check runs %+v", all)
	}
	if want := fmt.Sprintf("https://github.com/octo/prompts/runs/%d", all[0].ID); published.CheckURL != want {
		t.Errorf("URL %q, want %q", published.CheckURL, want)
	}
	if all[0].DetailsURL != "https://github.com/octo/prompts/actions/runs/41/attempts/1" {
		t.Errorf("details %q", all[0].DetailsURL)
	}
}

func TestAnnotationsAreSentInFifties(t *testing.T) {
	for _, c := range []struct{ give, shown, calls, left int }{
		{0, 0, 1, 0}, {1, 1, 1, 0}, {50, 50, 1, 0}, {51, 51, 2, 0}, {500, 500, 10, 0}, {501, 500, 10, 1}, {10000, 500, 10, 9500},
	} {
		t.Run(fmt.Sprint(c.give), func(t *testing.T) {
			h := newHub()
			ch := check()
			ch.Annotations = annotations(c.give)
			_, warnings := publishCheck(t, h, ch)
			wantCodes(t, warnings)
			got := h.Checks()[0]
			if len(got.Annotations) != c.shown || h.TakeWrites() != c.calls {
				t.Errorf("%d annotations, want %d in %d calls", len(got.Annotations), c.shown, c.calls)
			}
			for i, a := range got.Annotations {
				if want := fmt.Sprint("case ", i); a.Message != want {
					t.Fatalf("annotation %d is %q, want %q", i, a.Message, want)
				}
			}
			if said := fmt.Sprintf("%d more annotations are not shown", c.left); strings.Contains(got.Summary, said) != (c.left > 0) {
				t.Errorf("summary %q, %d left out", got.Summary, c.left)
			}
		})
	}
}

func TestCheckRunsKeepGitHubsLimits(t *testing.T) {
	h := newHub()
	ch := check()
	ch.Title = strings.Repeat("🙂", 200)
	ch.Summary = strings.Repeat("🙂🙂🙂\n", 65536)
	ch.Annotations = []failproof.Annotation{
		{Path: "a.yaml", Line: 0, Level: "error", Title: strings.Repeat("日", 300), Message: strings.Repeat("日", 70000)},
		{Path: "/etc/passwd", Line: 1, Level: "failure", Message: "absolute"},
		{Path: "../a.yaml", Line: 1, Level: "failure", Message: "outside"},
		{Path: "a/./b.yaml", Line: 1, Level: "failure", Message: "not clean"},
		{Path: "", Line: 1, Level: "failure", Message: "nowhere"},
		{Path: "a.yaml", Line: 1, Level: "failure", Message: ""},
		{Path: "b.yaml", Line: -3, Level: "warning", Message: "m"},
	}
	_, warnings := publishCheck(t, h, ch)
	wantCodes(t, warnings)
	got := h.Checks()[0]
	if len(got.Annotations) != 2 || got.Annotations[0].Level != "notice" || got.Annotations[0].Start != 1 || got.Annotations[1].Path != "b.yaml" {
		t.Errorf("annotations %.300v", got.Annotations)
	}
	for _, text := range []string{got.Title, got.Summary, got.Annotations[0].Title, got.Annotations[0].Message} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			t.Error("a character was split")
		}
	}
	if !strings.Contains(got.Summary, "5 more annotations are not shown") || len(got.Summary) < 60000 {
		t.Errorf("summary of %d bytes", len(got.Summary))
	}
}

func TestAFailedGateHasAFailedCheckRun(t *testing.T) {
	h := newHub()
	p := h.said(41, "x")
	p.Failed, p.Check = true, check()
	h.publish(t, p)
	if got := h.Checks()[0].Conclusion; got != "failure" {
		t.Errorf("the check run concluded %q", got)
	}
}

func TestFaultsOfCheckRuns(t *testing.T) {
	path := regexp.MustCompile(`/check-runs`)
	for _, c := range []struct {
		rule        string
		fault       githubtest.Fault
		want        []string
		runs, shown int
	}{
		{"a 502 that made the check run makes no second one", githubtest.Fault{Method: "POST", Path: path, Times: 1, Status: 502, CarryOut: true}, nil, 1, 120},
		{"a 502 that made nothing is repeated", githubtest.Fault{Method: "POST", Path: path, Times: 1, Status: 502}, nil, 1, 120},
		{"a cut connection after annotations were added doubles none", githubtest.Fault{Method: "PATCH", Path: path, Times: 1, CloseConnection: true, CarryOut: true}, nil, 1, 120},
		{"a cut connection before annotations were added loses none", githubtest.Fault{Method: "PATCH", Path: path, Times: 1, CloseConnection: true}, nil, 1, 120},
		{"422 takes the annotations away, not the check run", githubtest.Fault{Method: "POST", Path: path, Times: 1, Status: 422, Body: `{"message":"Invalid request"}`}, []string{"annotations"}, 1, 0},
		{"422 on further annotations leaves the first", githubtest.Fault{Method: "PATCH", Path: path, Times: 1, Status: 422, Body: `{"message":"Invalid request"}`}, []string{"annotations"}, 1, 50},
		{"422 without annotations is a warning", githubtest.Fault{Method: "POST", Path: path, Status: 422, Body: `{"message":"No commit found for SHA"}`}, []string{"annotations", "check"}, 0, 0},
		{"404", githubtest.Fault{Method: "POST", Path: path, Status: 404, Body: `{"message":"Not Found"}`}, []string{"check"}, 0, 0},
		{"GitHub stays broken", githubtest.Fault{Method: "POST", Path: path, Status: 500}, []string{"check"}, 0, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			h.AddFault(c.fault)
			ch := check()
			ch.Annotations = annotations(120)
			_, warnings := publishCheck(t, h, ch)
			wantCodes(t, warnings, c.want...)
			all := h.Checks()
			if len(all) != c.runs || c.runs > 0 && len(all[0].Annotations) != c.shown {
				t.Errorf("%d check runs, want %d with %d annotations: %.200v", len(all), c.runs, c.shown, all)
			}
		})
	}
}

func TestEveryAttemptHasItsOwnCheckRun(t *testing.T) {
	h := newHub()
	p := h.said(41, "x")
	p.Mode, p.Check = failproof.CommentNever, check()
	h.publish(t, p)
	p.run.Attempt = 2
	h.publish(t, p)
	all := h.Checks()
	if len(all) != 2 || all[0].ExternalID == all[1].ExternalID {
		t.Errorf("check runs %+v", all)
	}
}
