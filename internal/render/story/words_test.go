package story

import (
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

func TestTitle(t *testing.T) {
	cases := []struct {
		rule string
		r    *report.Report
		want string
	}{
		{"a pass says first what became of the answers", rendertest.PassedRun(), "No answer broke: 42 of 45 answers right"},
		{"a failed score stands first", rendertest.FailedRun(), "2 of 45 cases broke, one critical"},
		{"a prompt that no broken case is asked by broke nothing", otherPrompt(rendertest.FailedRun()), "2 of 45 cases broke, one critical"},
		{"a score that decided nothing is left to the summary", rendertest.MustPassRun(), "Failed: 1 answer that must never break is wrong"},
		{"the cause of most missing answers is named", rendertest.UndecidedRun(), "No verdict: 9 of 45 answers without a score, mostly since the rate limit of the target is reached"},
		{"a judge that nobody has checked is named", judgedRun(0), "No answer broke: 42 of 45 answers right; the judge is a model that nobody has checked"},
		{"one that was checked is not", judgedRun(40), "No answer broke: 42 of 45 answers right"},
		{"faults are counted, warnings not", rendertest.InvalidRun(), "Nothing was run: 3 errors in 3 files"},
		{"no base", rendertest.FirstRun(), "42 of 45 answers right: no base to compare with"},
		{"fresh runs confirm", rendertest.ConfirmedRun(), "1 of 20 answers broke"},
		{"a recorded regression is not called confirmed", rendertest.MixedRun(), "2 of 32 answers broke"},
		{"a drop without a broken case", rendertest.ScoreDropRun(), "The answers got worse as a whole: 8 of 20 cases worse, none better"},
		{"a drop of one of two suites", oneSuiteDropped(), "The answers got worse as a whole: 7 of 12 cases of classify worse, none better"},
		{"a suspicion is no proof", rendertest.PossibleDropRun(), "Passed with warnings: the score fell by 12.5 points, perhaps by chance; 19 of 20 answers right; 1 perhaps fixed"},
		{"a suite without a weight is compared, and enters no delta", weightlessRun(), "No answer broke: 42 of 45 answers right"},
		{"a bar that noise may have missed is no plain pass", rendertest.WithinNoiseRun(), "Passed with warnings: the score is below its threshold, perhaps by noise; 19 of 20 answers right"},
		{"an answer that does not come any more is no score", rendertest.LostAnswersRun(), "No verdict: 2 of 20 answers without a score; 1 case had an answer before"},
		{"nobody to ask again", rendertest.IncompleteRerunsRun(), "No verdict: 1 answer flipped and could not be asked again"},
		{"stale answers are to be made anew", rendertest.StaleRun(), "No verdict: recorded answers are stale; 3 answers without a score"},
		{"a warning without words is left to the reasons", warnedRun(gate.StaleRecording.Code), "Passed with warnings: 42 of 45 answers right"},
		{"answers that were kept by hand are told", rendertest.UnchangedRun(), "Passed with warnings: answers were kept by hand though what is asked changed; 41 of 45 answers right, 1 not judged"},
		{"nothing in scope", rendertest.EmptyScopeRun(), "Nothing to test: no suite is affected"},
		{"a new case that fails is told, whatever the gate says", newRun(rendertest.PassedRun()), "Passed with warnings: 1 new case fails; 42 of 45 answers right"},
		{"criteria that need a run are parted from what broke", needingRun(rendertest.FailedRun()), "2 of 45 cases broke, one critical; 5 criteria need a run and were not judged"},
		{"and are told once", needingRun(rendertest.FailedRun(), report.Reason{Code: "needs_run", Level: report.LevelError}), "2 of 45 cases broke, one critical; 14 of 19 criteria judged"},
		{"and in a pass", needingRun(rendertest.PassedRun()), "No answer broke: 42 of 45 answers right; 5 criteria need a run and were not judged"},
		{"and beside what broke", newRun(rendertest.FailedRun()), "2 of 45 cases broke, one critical; 1 new case fails"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := storyOf(c.r, show.Links{}).Title; got != c.want {
				t.Errorf("Title = %q, want %q", got, c.want)
			}
		})
	}
}

// warnedRun returns a passed run with a warning of the given code.
func warnedRun(code string) *report.Report {
	r := rendertest.PassedRun()
	r.Reasons = []report.Reason{rendertest.Warning(code, "see here")}
	return r
}

// oneSuiteDropped returns a run in which one suite got worse and another better.
func oneSuiteDropped() *report.Report {
	r := rendertest.ScoreDropRun()
	n := r.Statistics.Noise
	n.Overall.PWorse = 0.7
	dropped, rose := *n.Overall, *n.Overall
	dropped.SuiteID, dropped.Cases, dropped.Worse, dropped.PWorse = "classify", 12, 7, 0.001
	rose.SuiteID, rose.Delta, rose.PWorse = "reply", 0.3, 0.99
	n.Suites = []report.Scope{dropped, rose}
	return r
}

// needingRun adds 5 criteria that need a run, and the reasons, to a report.
func needingRun(r *report.Report, more ...report.Reason) *report.Report {
	r.Criteria = &report.CriteriaCount{All: 19, Judged: 14, NotJudged: []report.NotJudged{{SuiteID: "support/refunds", Criterion: "A file is saved", Cases: []string{"a"}}}}
	r.Reasons = append(r.Reasons, more...)
	return r
}

// otherPrompt changes only a prompt that the broken suite does not use.
func otherPrompt(r *report.Report) *report.Report {
	r.Prompts = []report.Prompt{{Path: "prompts/other.md", Suites: []string{"support/other"}, Base: "a", Head: "b"}}
	return r
}

// newRun adds a passing and a failing new case.
func newRun(r *report.Report) *report.Report {
	rendertest.AddChange(r, report.New, "added", nil, rendertest.PassOutcome("a refund")).Kind = report.KindNew
	rendertest.AddChange(r, report.New, "added-and-wrong", nil, rendertest.FailOutcome("a refund", "a voucher")).Kind = report.KindFailing
	return r
}

// TestWordsOfNoise checks the words about chance: how often a result would happen by chance, and never that a likely
// result is unlikely.
func TestWordsOfNoise(t *testing.T) {
	for _, c := range []struct {
		rule string
		r    *report.Report
		want string
	}{
		{"nothing moved: what the run could have found", rendertest.NoisyRun(), "find a drop of every case alike from about 63 points on. To find 10 points, plan about 170 answers on each side."},
		{"a split that chance makes proves nothing", rendertest.IncompleteRerunsRun(), "By the first answers, 1 of 20 cases got worse, none better. If nothing changed, a result at least this bad " +
			"happens in 1 of 2 runs, so by itself it proves nothing."},
		{"nor is it said of what is confirmed, which is no chance", rendertest.ConfirmedRun(), "3 of 20 cases got worse, none better. The first answers"},
		{"no score rises above 100%", rendertest.BrokenAmongManyRun(), "The score moved by −2.0 points; repeated, it would move by −20.0 points to +5.0 points in 95 of 100 runs."},
		{"one that chance hardly makes is told as it is", rendertest.ScoreDropRun(), "8 of 20 cases got worse, none better. If nothing changed, a result at least this bad happens in 1 of 256 runs. "},
		{"a drop has its range", rendertest.ScoreDropRun(), "The score moved by −13.3 points; repeated, it would move by −21.8 points to −4.0 points in 95 of 100 runs."},
		{"a drop of one of two suites is told of that suite", oneSuiteDropped(), "7 of 12 cases of classify got worse, none better. If nothing changed, a result at least this bad happens in 1 of 1,000 runs."},
		{"and so is its range", oneSuiteDropped(), "The score of classify moved by −13.3 points"},
		{"a second look is told", rendertest.RecheckedRun(), "Every case of the suites that fell was asked 5 times more on both sides: 12 cases worse, 2 better. That happens in less than 1 of a million runs if nothing changed. The score moved by −18.0 points"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			text := statistics(c.r)
			if !strings.Contains(text, c.want) || c.want == "" && text != "" {
				t.Errorf("how = %q, want %q in it", text, c.want)
			}
			if strings.Contains(text, "unlikely") {
				t.Errorf("%q calls something unlikely", text)
			}
		})
	}
}

func TestWhatRerunsShowedStandsAtTheCase(t *testing.T) {
	for _, c := range []struct {
		r        *report.Report
		id, want string
	}{
		{rendertest.ConfirmedRun(), "late-parcel", "asked again: right 2 of 2 before, 2 of 2 now"},
		{rendertest.ConfirmedRun(), "refund-policy", "asked again: right 8 of 8 before, 0 of 8 now"},
		{rendertest.BrokenAmongManyRun(), "refund-policy", "looks broken, not proven: expected `a manager`, got `We will refund you.`; asked again: right 7 of 8 before, 0 of 8 now"},
		{rendertest.LostAnswersRun(), "long-letter", "no answer within 30 s; asked again: no answer 0 of 4 before, 4 of 4 now"},
	} {
		v := storyOf(c.r, show.Links{})
		at, _ := v.Find("support/refund", c.id)
		if got := caseChange(v, at).Markdown(show.SentenceRunes); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q in it", c.id, got, c.want)
		}
	}
}

func TestFewCasesGetNoPlan(t *testing.T) {
	n := rendertest.NoisyRun().Statistics.Noise
	if n.Planning.Cases = 19; sensitivity(n) != nil {
		t.Error("of 19 cases it says how far a score has to fall")
	}
}

// TestTheTitleCountsTheBrokenAmongTheAnswered checks that the title counts broken answers out of all cases that could
// break, with redefined ones and those that lost their answer.
func TestTheTitleCountsTheBrokenAmongTheAnswered(t *testing.T) {
	r := rendertest.PassedRun() // 41 cases
	r.Verdict, r.DeltaCases = report.Failed, 1
	rendertest.AddChange(r, report.Regressed, "asked-anew", rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
	rendertest.AddChange(r, report.Redefined, "other", rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes"))
	for _, status := range []report.Status{report.New, report.Removed, report.Errored} {
		rendertest.AddChange(r, status, string(status), rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes"))
	}
	rendertest.AddChange(r, report.StillPassing, "shaky", rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes")).Quarantined = true
	if got := brokenTitle(newStory(rendertest.SortChanges(r), rendertest.Links())); !strings.HasSuffix(got, "1 of 43 answers broke") {
		t.Errorf("got %q", got)
	}
}

func TestARecordedErrorIsNotToBeRunAgain(t *testing.T) {
	for calls, want := range map[int]string{0: "record these lines again", 1: "Run the job again when the target answers"} {
		r := rendertest.PassedRun()
		r.Verdict, r.Calls.Provider, r.Unscored = report.Undecided, calls, 1
		broken := &report.Outcome{Primary: "error", Trials: 1, Unscored: 1, Details: &classify.Details{ErrorDetails: "overloaded"}}
		rendertest.AddChange(r, report.Errored, "c", rendertest.PassOutcome("yes"), broken)
		var got strings.Builder
		for _, p := range storyOf(r, rendertest.Links()).Next {
			got.WriteString(p.Plain(100))
		}
		if !strings.Contains(got.String(), want) {
			t.Errorf("%d calls: got %q, want %q in it", calls, got.String(), want)
		}
	}
}

// strictLiveRun returns a run of a live target with mode strict.
func strictLiveRun() *report.Report {
	r := rendertest.FailedRun()
	r.Statistics = &report.Statistics{Mode: report.ModeStrict, Strict: 45, StrictLive: 45}
	return r
}

// weightlessRun returns a run of recordings whose only suite has no weight.
func weightlessRun() *report.Report {
	r := rendertest.PassedRun()
	r.RunScore, r.Delta, r.DeltaCases = rendertest.Ptr(0.95), nil, 0
	r.Statistics = &report.Statistics{Mode: report.ModeStrict, Strict: 4}
	return r
}

// storyOf returns the story of a report whose changes have no kinds yet.
func storyOf(r *report.Report, l show.Links) *Story { return New(rendertest.SortChanges(r), l) }

// TestAComparisonOfNothingIsNoGreenPass checks also that a warning has its line.
func TestAComparisonOfNothingIsNoGreenPass(t *testing.T) {
	for _, c := range []struct {
		rule      string
		status    report.Status
		underBase *classify.Category
		icon      string
		title     string
		reasons   int
	}{
		{"all cases are redefined", report.Redefined, nil, "⚠️", "Passed with warnings: no case could be compared; 1 of 1 answer right", 1},
		{"the old expectation judged them", report.Redefined, new(classify.Pass), "✅", "The one answer is still right: 1 redefined case passes the old expectation as well", 0},
		{"all cases are new", report.New, nil, "✅", "1 of 1 answer right: every case is new", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.PassedRun()
			r.Changes, r.Counts, r.Cases, r.DeltaCases, r.Statistics, r.Reasons = nil, map[report.Status]int{}, 1, 0, nil, nil
			r.PassedCases, r.Trials = 1, 1
			one := rendertest.AddChange(r, c.status, "a", rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes"))
			one.Head.UnderBase = c.underBase
			if v := storyOf(r, show.Links{}); v.Icon() != c.icon || v.Title != c.title || len(v.Reasons) != c.reasons {
				t.Errorf("%s %s %v, want %s %s and %d lines", v.Icon(), v.Title, v.Reasons, c.icon, c.title, c.reasons)
			}
		})
	}
}

// statistics returns the statistics of a run as plain text, a line for each row.
func statistics(r *report.Report) string {
	p := statisticsSection(newStory(rendertest.SortChanges(r), show.Links{}), nil)
	var b strings.Builder
	b.WriteString(show.JoinPhrases(" ", p.Text).Plain(show.QuoteRunes))
	if p.Table == nil {
		return b.String()
	}
	for _, row := range p.Table.Rows {
		var cells []string
		for _, c := range row.Cells {
			cells = append(cells, c.Text.Plain(show.NameRunes))
		}
		b.WriteString("\n" + strings.Join(cells, " | "))
	}
	return b.String()
}

func TestASuspectedDropIsNotCalledNothing(t *testing.T) {
	const want = "happens in 1 of 32 runs, which is suspicious; the gate blocks from 1 of 200 on."
	if got := statistics(rendertest.PossibleDropRun()); !strings.Contains(got, want) {
		t.Errorf("it does not say %q:\n%s", want, got)
	}
}

// One right answer of a model may be luck, whether it came in this run or was recorded before.
func TestAFixThatOneAnswerShowsMayBeChance(t *testing.T) {
	for _, c := range []struct {
		rule string
		c    report.Change
		want bool
	}{
		{"live", report.Change{Change: report.Fixed, Noisy: true, Head: &report.Outcome{Trials: 1}}, true},
		{"recorded from a model", report.Change{Change: report.Fixed, Sampled: true, Head: &report.Outcome{Trials: 1}}, true},
		{"recorded several times", report.Change{Change: report.Fixed, Sampled: true, Head: &report.Outcome{Trials: 3}}, false},
		{"written by a person", report.Change{Change: report.Fixed, Head: &report.Outcome{Trials: 1}}, false},
	} {
		if got := PerhapsFixed(c.c); got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}

func judgedRun(labels int) *report.Report {
	r := rendertest.PassedRun()
	r.Judge = &report.JudgeInfo{Model: "grader", Decides: true, Labels: labels, Agreed: labels}
	return r
}

func TestTheWrongAnswersOfTheSuiteThatFailedComeFirst(t *testing.T) {
	r := rendertest.PassedRun()
	r.Verdict, r.Reasons = report.Failed, []report.Reason{{Code: "min_score", Level: report.LevelError, SuiteID: "low", Message: "suite low: score 0.91 is below min_score 0.95"}}
	for _, c := range []struct {
		suite, id string
		status    report.Status
		kind      report.Kind
	}{{"other", "wrong-before-as-well", report.StillFailing, report.KindFailing}, {"low", "wrong", report.StillFailing, report.KindFailing}, {"low", "flaky", report.Flaky, report.KindFlaky}} {
		one := rendertest.AddChange(r, c.status, c.id, rendertest.FailOutcome("a", "b"), rendertest.FailOutcome("a", "b"))
		one.SuiteID, one.Kind = c.suite, c.kind
	}
	deciding, others := wrongAnswers(storyOf(r, show.Links{}))
	var got []string
	for _, c := range append(deciding.Cases, others.Cases...) {
		got = append(got, c.SuiteID+"/"+c.CaseID)
	}
	if text := strings.Join(got, " "); !strings.HasPrefix(text, "low/wrong low/flaky ") || len(deciding.Cases) != 2 {
		t.Errorf("%d decide of %q", len(deciding.Cases), text)
	}
}

func TestAFlipThatMostRerunsShowIsPerhapsBroken(t *testing.T) {
	for _, c := range []struct {
		before, now int
		want        string
	}{{5, 1, "perhaps broken: "}, {5, 3, "flaky: "}, {3, 1, "flaky: "}} {
		r := rendertest.NoisyRun()
		r.Suites[0].Cases = 45
		rendertest.AddChange(r, report.Flaky, "wavers", rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
		r.Statistics.Noise.Confirm.Candidates = []report.Candidate{{SuiteID: r.Suites[0].SuiteID, CaseID: "wavers",
			State: report.CandidateCleared, Rounds: 6, BasePasses: c.before, HeadPasses: c.now}}
		v := storyOf(r, show.Links{})
		at, _ := v.Find(r.Suites[0].SuiteID, "wavers")
		got, broken := caseChange(v, at).Plain(show.SentenceRunes), strings.HasPrefix(c.want, "perhaps")
		_, state := suiteState(v, v.Suites[slices.IndexFunc(v.Suites, func(s SuiteRow) bool { return s.SuiteID == at.SuiteID })])
		if !strings.HasPrefix(got, c.want) || strings.Contains(state, "1 perhaps broken") != broken || strings.Contains(movedPart(v), "1 perhaps broken") != broken {
			t.Errorf("right %d of 6 before, %d now: %q, %q and %q, want %q", c.before, c.now, got, state, movedPart(v), c.want)
		}
	}
}

// TestTheScoreSaysOneReason checks the words behind a score that edited cases moved.
func TestTheScoreSaysOneReason(t *testing.T) {
	for _, c := range []struct {
		rule              string
		kind              report.Kind
		unscored, unknown int
		summary, state    string
	}{
		{"an edit moved it", report.KindFailing, 0, 0, "score 100% → 50% because 1 case was redefined", "moved by 1 redefined case"},
		{"an edit that may hide a failure is told once", report.KindMayHide, 0, 0, "score 100% → 50% because 1 case was redefined", "1 redefined"},
		{"a missing answer moved it", report.KindMissing, 1, 0, "score 100% → 50%", "lower than before"},
		{"and what nothing judged", report.KindFailing, 0, 1, "score 100% → 50% if what was not judged is right", "moved by 1 redefined case"},
	} {
		head := &report.Outcome{Primary: classify.Fail, Trials: 1, Unscored: c.unscored}
		r := &report.Report{Verdict: report.Passed, Cases: 1, Trials: 1, PassedCases: c.unknown, Unverified: c.unknown, RunScore: rendertest.Ptr(0.5), BaseRunScore: rendertest.Ptr(1.0),
			Run: report.Run{BaseState: report.BaseCompared}, Suites: []report.SuiteSummary{{SuiteID: "s", Cases: 1, Score: rendertest.Ptr(0.5), BaseScore: rendertest.Ptr(1.0)}},
			Changes: []report.Change{{SuiteID: "s", CaseID: "a", Change: report.Redefined, Kind: c.kind, Base: rendertest.PassOutcome("yes"), Head: head}}}
		v := newStory(r, show.Links{})
		if got := scoreWords(v).Plain(show.NameRunes); got != c.summary {
			t.Errorf("%s: %q, want %q", c.rule, got, c.summary)
		}
		if _, got := suiteState(v, v.Suites[0]); got != c.state {
			t.Errorf("%s: %q, want %q", c.rule, got, c.state)
		}
	}
	if got := rightPart(&Story{Report: &report.Report{}}); got != "no case is judged" {
		t.Errorf("of no case: %q", got)
	}
}
