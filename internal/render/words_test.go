package render

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/report"
)

func TestNumbers(t *testing.T) {
	plain := func(text string) string { return strings.ReplaceAll(text, hard, " ") }
	cases := []struct{ rule, got, want string }{
		{"a score has one digit", percent(0.8744), "87.4%"},
		{"a score that is no number", percent(math.NaN()), "–"},
		{"a score that is not all has as many digits as show that", percent(0.9996), "99.96%"},
		{"so has one that is not nothing", percent(0.0004), "0.04%"},
		{"all is all", percent(1), "100.0%"},
		{"what adding up leaves over is not", percent(1 - 1e-13), "100.0%"},
		{"a bar is shown as it was set", bar(ptr(0.8999999)), "89.99999%"},
		{"a bar of thirds and the like has no digits of its own", bar(ptr(0.57)), "57%"},
		{"a difference that is not all", points(-0.9996), "−99.96" + hard + "pp"},
		{"nor none", points(0.0000004), "+0.00004" + hard + "pp"},
		{"a bar has no idle digits", bar(ptr(0.9)), "90%"},
		{"a bar keeps its digits", bar(ptr(0.8755)), "87.55%"},
		{"a bar of nothing", bar(ptr(0.0)), "0%"},
		{"no bar", bar(nil), "–"},
		{"a missed bar is told from the score", against(ptr(0.89996), ptr(0.9)), "89.996%"},
		{"a met bar needs no more digits", against(ptr(0.9), ptr(0.9)), "90.0%"},
		{"a rise has a sign and an arrow", plain(moved(ptr(0.011))), "▲ +1.1 pp"},
		{"a fall has a sign and an arrow", plain(moved(ptr(-0.041))), "▼ −4.1 pp"},
		{"a tiny fall is not nothing", plain(moved(ptr(-0.00004))), "▼ −0.004 pp"},
		{"no move has no arrow", plain(moved(ptr(0.0))), "±0.0 pp"},
		{"no comparison", moved(nil), "–"},
		{"thousands are grouped", count(1_234_567, "case"), "1,234,567 cases"},
		{"one is singular", count(1, "case"), "1 case"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("got %q, want %q", c.got, c.want)
			}
		})
	}
}

func TestHappened(t *testing.T) {
	unmet := func(u ...expect.Unmet) classify.Details { return classify.Details{Unmet: u} }
	cases := []struct {
		rule    string
		primary classify.Category
		d       classify.Details
		want    string
	}{
		{"a policy and the words that broke it", classify.PolicyViolation, classify.Details{PolicyName: "no-promises", Evidence: "we will refund"}, "policy `no-promises` matched `we will refund`"},
		{"a wrong format tells where", classify.WrongFormat, classify.Details{ErrorMessage: "Unexpected token 'T' in JSON at position 0"}, "Unexpected token 'T' in JSON at position 0"},
		{"a wrong format without a message", classify.WrongFormat, classify.Details{}, "not of the expected format"},
		{"a refusal and its rule", classify.Refusal, classify.Details{Evidence: "I can't", Rule: "inability"}, "refused: `I can't` (rule `inability`)"},
		{"what was expected and what came", classify.Fail, unmet(expect.Unmet{Criterion: "expected_response", Expected: "yes", Actual: "no"}), "expected `yes`, got `no`"},
		{"an assertion that is not true", classify.Fail, unmet(expect.Unmet{Criterion: "assert", Expected: "a > 1", Reason: "not true"}), "`a > 1` is not true"},
		{"further criteria are counted", classify.Fail, unmet(expect.Unmet{Criterion: "assert", Expected: "a"}, expect.Unmet{}), "`a` is not true (and 1 more)"},
		{"an overall score and its bar", classify.Fail, unmet(expect.Unmet{Criterion: "overall_score", Actual: "0.610", Expected: "at least 0.850"}), "overall score 0.610, needs at least 0.850"},
		{"an expected refusal that did not come", classify.Fail, classify.Details{Expected: classify.Refusal}, "expected `refusal`"},
		{"a deadline", classify.Timeout, classify.Details{LimitSeconds: 30}, "no answer within 30 s"},
		{"an empty answer", classify.Crash, classify.Details{Reason: "empty_response"}, "the answer is empty"},
		{"an error", classify.Error, classify.Details{ErrorDetails: "HTTP 500"}, "HTTP 500"},
		{"an error without words", classify.Error, classify.Details{Reason: "stale_recording"}, "no answer: `stale_recording`"},
		{"a pass that nothing checked", classify.Pass, classify.Details{Unverified: true}, "nothing to hold the answer to"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := happened(&report.Outcome{Primary: c.primary, Details: &c.d}).markdown(quoteRunes)
			if got != c.want {
				t.Errorf("happened(%s, %+v) = %q, want %q", c.primary, c.d, got, c.want)
			}
		})
	}
}

func TestTitle(t *testing.T) {
	cases := []struct {
		rule string
		r    *report.Report
		want string
	}{
		{"a pass tells score, bar and regressions", plainRun(), "Prompt gate passed: score 93.1% (+0.4 pp), needs 90%, no regressions"},
		{"a failed score stands first", failedRun(), "Prompt gate failed: score 87.4% (−4.1 pp), needs 90%, 2 regressions (1 critical), 1 suite below the bar"},
		{"a must-pass case stands before the score", mustPassRun(), "Prompt gate failed: 1 must-pass case failed, score 93.1% (+0.4 pp), needs 90%"},
		{"missing answers are no prompt failure", undecidedRun(), "Prompt gate undecided: 9 of 45 answers missing, not a prompt failure"},
		{"faults are counted, warnings not", invalidRun(), "Prompt gate did not run: 3 faults in 3 files"},
		{"no base", firstRun(), "Prompt gate passed: score 93.1%, needs 90%, no base to compare with"},
		{"fresh runs confirm", confirmedRun(), "Prompt gate failed: 1 confirmed regression, score 80.0% (−15.0 pp), needs 90%"},
		{"a recorded regression is not called confirmed", mixedRun(), "Prompt gate failed: 2 regressions, score 80.0% (−15.0 pp), needs 90%"},
		{"a drop without a broken case", droppedRun(), "Prompt gate failed: the suite as a whole got worse, score 81.7% (−13.3 pp), needs 90%"},
		{"a suspicion is no proof", suspectedRun(), "Prompt gate passed: score 82.5% (−12.5 pp), needs 90%, no confirmed regressions, 1 fixed, a drop is suspected, not proven, 1 warning"},
		{"a suite without a weight is compared, and enters no delta", weightlessRun(), "Prompt gate passed: score 95.0%, needs 90%, no regressions"},
		{"a bar that noise may have missed is no plain pass", excusedRun(), "Prompt gate passed: score 80.0% (−5.0 pp), needs 85%, no confirmed regressions, the bar is missed, perhaps by noise, 1 warning"},
		{"an answer that does not come any more is no score", lostRun(), "Prompt gate undecided: 1 case without an answer here, answered on the base, no score of the prompt"},
		{"nobody to ask again", openRun(), "Prompt gate undecided: cases that flipped could not be asked again, no verdict on the prompt"},
		{"stale answers are to be made anew", staleRun(), "Prompt gate undecided: the recorded answers of 3 cases are stale, make them anew"},
		{"answers that were kept by hand are counted", keptRun(), "Prompt gate passed: score 93.1% (+0.4 pp), needs 90%, no regressions, 2 cases kept by hand, 1 warning"},
		{"nothing in scope", nothingRun(), "Prompt gate passed: no suite is affected, nothing was run"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := Title(c.r); got != c.want {
				t.Errorf("Title = %q, want %q", got, c.want)
			}
		})
	}
}

func TestFactsAreTheOnlyPlaceForWhatDiffersBetweenRuns(t *testing.T) {
	r := failedRun()
	comment := Comment(r, links())
	want := "<sub>45 cases, 225 answers · 90 calls · 48,210 tokens · about 0.11 USD · 1 min 42 s · failproof `0.1.0` · " +
		"[full report](https://github.com/acme/prompts/actions/runs/123456789)</sub>\n"
	if got := Facts(r, links()); got != want {
		t.Errorf("Facts = %q, want %q", got, want)
	}
	r.Run.ID, r.Run.StartedAt, r.Run.FinishedAt, r.Calls = "2", "2027-01-01T00:00:00Z", "2027-01-01T00:00:01Z", report.Calls{Cached: 9}
	l := links()
	l.RunURL += "0"
	if diff := cmp.Diff(comment, Comment(r, l)); diff != "" {
		t.Errorf("Comment differs for another run of the same revisions (-first +second):\n%s", diff)
	}
}

func TestAnnotations(t *testing.T) {
	r := failedRun()
	r.Diagnostics = []document.Diagnostic{{Severity: document.Warning, Path: "a.yaml", Rule: "always-true", Message: "the pattern\nmatches"}}
	var got []string
	for _, a := range Annotations(r) {
		got = append(got, strings.Join([]string{a.Level, a.Path, a.Title, a.Message}, " | "))
	}
	want := []string{
		"failure | suites/support/refund.yaml | Regression: refund-over-limit | pass 5/5 → policy_violation 0/5: policy “no-promises” matched “We will refund you in full”",
		"failure | suites/support/refund.yaml | Regression: angry-customer | pass 5/5 → wrong_format 1/5: Unexpected token 'S' in JSON at position 0",
		"warning | a.yaml | failproof: always-true | the pattern matches",
		"warning | suites/support/refund.yaml | Failing: known-issue | fail → fail: expected “a refund”, got “a voucher”",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Annotations differ (-want +got):\n%s", diff)
	}
}

func TestColourIsForTerminalsThatShowIt(t *testing.T) {
	if plain := table(t, failedRun(), TableOptions{}); strings.Contains(plain, "\x1b") {
		t.Errorf("Table without colour holds escape sequences: %q", plain)
	}
	if coloured := table(t, failedRun(), TableOptions{Color: true}); !strings.Contains(coloured, "\x1b[31m❌ Prompt gate failed") {
		t.Errorf("Table with colour = %q", coloured)
	}
}

// Whatever chance makes of it, a reader is told how often, and never that it is unlikely where it is not.
func TestWordsOfNoise(t *testing.T) {
	for _, c := range []struct {
		rule string
		r    *report.Report
		want string
	}{
		{"nothing moved: nothing to tell", noisyRun(), ""},
		{"a split that chance makes proves nothing", confirmedRun(), "3 of 20 cases flipped from pass to fail, none the other way. If nothing changed, a result at least this bad " +
			"happens in 1 of 8 runs, so by itself it proves nothing."},
		{"one that chance hardly makes is told as it is", droppedRun(), "8 of 20 cases flipped from pass to fail, none the other way. If nothing changed, a result at least this bad " +
			"happens in 1 of 256 runs. The"},
		{"what was asked again, and why", confirmedRun(), "The 3 cases that flipped were asked again, up to 8 times on both sides, and only those answers count: 1 is confirmed, 2 are not and do not block."},
		{"a proof is told in runs", confirmedRun(), "“refund-policy” passed 8 of 8 fresh runs on the base and failed 8 of 8 here (1 in 12,870 if nothing changed)."},
		{"a drop has its range", droppedRun(), "No single case is clearly broken, but the suite as a whole got worse. Score −13.3 pp (asked again, it would lie between −21.8 pp and −4.0 pp)."},
		{"a second look is told", recheckedRun(), "The score had fallen, so every case of the suites that fell was asked 5 times more on both sides: −18.0 pp, 12 cases worse, 2 better. That happens in less than 1 of a million runs if nothing changed."},
		{"a broken case among many is said to look so", brokenAmongManyRun(), "1 looks broken and is not proven, 19 do not. “refund-policy” looks broken (7/8 → 0/8), not proven among 20."},
		{"so are cases that lost their answer", lostRun(), "The 2 cases that lost their answer were asked again, up to 8 times on both sides, and only those answers count: none is confirmed, 1 has no answer here in any of them."},
		{"a suspicion comes with advice", suspectedRun(), "Add trials or set `recheck: 5` to be sure."},
		{"recorded answers count as they are", replayedRun(), "2 of 45 common cases passed on the base and fail here, 1 went the other way. Where several answers are recorded, most of them decide."},
		{"beside live ones they stand for themselves, and one draw a side is called that", mixedRun(), "1 of 12 recorded cases passed on the base and fails here, none went the other way. " +
			"What was recorded once a side from a model may flip by itself; `failproof record --base` asks such cases again. 3 of 20 cases flipped from pass to fail"},
		{"a live model that is taken as it is, is said to be", strictLiveRun(), "`mode: strict` takes the answers of live targets as they are: a flip may be noise, and is not asked again."},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			for _, p := range newView(c.r, Links{}).how() {
				got = append(got, p.plain(quoteRunes))
			}
			text := strings.Join(got, " ")
			if !strings.Contains(text, c.want) || c.want == "" && text != "" {
				t.Errorf("how = %q, want %q in it", text, c.want)
			}
			if strings.Contains(text, "unlikely") {
				t.Errorf("%q calls something unlikely", text)
			}
		})
	}
}

func TestWordsOfWhatTheRunCouldHaveFound(t *testing.T) {
	want := "No regression found. With 20 cases and 20 answers on each side, this run finds a drop of every case alike from about 63 points on; " +
		"single broken cases are usually found regardless, up to 20 at once. To find 10 points, plan about 170 answers on each side (20 cases × 9 trials)."
	if got := newView(noisyRun(), Links{}).limits(); got != want {
		t.Errorf("limits = %q, want %q", got, want)
	}
}
