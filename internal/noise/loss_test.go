package noise_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/report"
)

// A case that has an answer on the base alone is asked again. u is what is no answer, e an outage.
func TestAnswersThatTheHeadAloneLoses(t *testing.T) {
	for _, c := range []struct {
		rule    string
		one     string
		rounds  string
		suspect []string
		status  report.Status
	}{
		{"what is never an answer is a regression", "a 1/e unreadable", "1u", []string{"a confirmed 8/8 0/8"}, report.Regressed},
		{"in turn with wrong answers too", "a 1/e unreadable", "1u 10 10", []string{"a confirmed 8/8 0/8"}, report.Regressed},
		{"an outage among them is asked over", "a 1/e unreadable", "1u 1e 1u", []string{"a confirmed 8/8 0/8"}, report.Regressed},
		{"and outages alone prove nothing more", "a 1/e unreadable", "1u 1e", []string{"a incomplete 1/1 0/1"}, report.Errored},
		{"one that came back is flaky", "a 1/e unreadable", "11", []string{"a cleared 3/3 3/3"}, report.Flaky},
		{"one that neither side answers says nothing", "a 1/e unreadable", "uu", []string{"a cleared 0/3 0/3"}, report.Errored},
		{"one that is wrong on the base is no worse", "a 0/e unreadable", "0u", []string{"a cleared 0/3 0/3"}, report.Errored},
		{"an outage in all of four rounds is the head's, and no score", "a 1/e outage", "1e", []string{"a lost 4/4 0/4"}, report.Errored},
		{"though the base lost one as well", "a 1/e outage", "ee 1e", []string{"a lost 3/4 0/4"}, report.Errored},
		{"but not two: who lost them is open", "a 1/e outage", "ee ee 1e", []string{"a incomplete 0/0 0/0"}, report.Errored},
		{"as it is if the base is never answered", "a 1/e outage", "ee", []string{"a incomplete 0/0 0/0"}, report.Errored},
		{"even where the head is right", "a 1/e outage", "e1", []string{"a incomplete 0/0 0/0"}, report.Errored},
		{"or wrong", "a 1/e outage", "e0", []string{"a incomplete 0/0 0/0"}, report.Errored},
		{"a wrong answer proves nothing by the outages behind it", "a 1/e outage", "10 1e", []string{"a incomplete 1/1 0/1"}, report.Errored},
		{"an outage that is over is flaky, after one round", "a 1/e outage", "11", []string{"a cleared 1/1 1/1"}, report.Flaky},
		{"after four at most", "a 1/e outage", "1e 1e 1e 11", []string{"a cleared 1/1 1/1"}, report.Flaky},
		{"it may be a wrong answer that comes back, which is asked again like any", "a 1/e outage", "1e 10", []string{"a confirmed 8/8 0/8"}, report.Regressed},
		{"or now so and now so", "a 1/e outage", "10 11", []string{"a cleared 4/4 3/4"}, report.Flaky},
		{"what nobody was asked for is no loss", "a 1/e unasked", "", nil, report.Errored},
		{"nor is what neither side answers at first", "a e/e outage", "", nil, report.Errored},
		{"nor a case in quarantine, or one whose answer serves both sides", "a 1/e outage quarantined reused", "", nil, report.Errored},
		{"most of several trials decide", "a 111/1ee outage", "1e", []string{"a lost 4/4 0/4"}, report.Errored},
		{"one of three is none", "a 111/11e outage", "", nil, report.StillPassing},
		{"a round that nobody was asked for is asked over", "a 1/e outage", "1n 1e", []string{"a lost 4/4 0/4"}, report.Errored},
		{"as often as there is room", "a 1/e outage", "1n", []string{"a incomplete 0/0 0/0"}, report.Errored},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := procedure(t, defaults(), c.one)
			answers{"a": c.rounds}.run(t, p)
			if diff := cmp.Diff(c.suspect, brief(p.Finding().Numbers.Confirm)); diff != "" {
				t.Errorf("suspects (-want +got):\n%s", diff)
			}
			if got := p.Status("s", "a"); got != c.status {
				t.Errorf("status %s, want %s", got, c.status)
			}
		})
	}
}

// Whatever comes, a candidate is confirmed by rounds alone in which both sides answered, and cleared by nothing but
// answers.
func TestARoundThatLacksASideDecidesNothing(t *testing.T) {
	rounds := []string{"11", "10", "1u", "1e", "e1", "e0", "ee", "1n", "n0"}
	whole := func(round string) bool { return !strings.ContainsAny(round, "en") }
	for _, first := range []string{"1/0", "1/e outage", "1/e unreadable"} {
		for _, a := range rounds {
			for _, b := range rounds {
				for _, c := range rounds {
					p := procedure(t, defaults(), "a "+first)
					answers{"a": a + " " + b + " " + c}.run(t, p)
					candidate := p.Finding().Numbers.Confirm.Candidates[0]
					decided := candidate.State == report.CandidateConfirmed || candidate.State == report.CandidateCleared
					if decided && !whole(a) && !whole(b) && !whole(c) {
						t.Errorf("%s, asked again: %s %s %s: %s", first, a, b, c, candidate.State)
					}
					if candidate.State == report.CandidateConfirmed && candidate.Rounds < 4 {
						t.Errorf("%s, asked again: %s %s %s: confirmed by %d rounds", first, a, b, c, candidate.Rounds)
					}
				}
			}
		}
	}
}

func TestLossesAndFlipsAreOneFamily(t *testing.T) {
	p := procedure(t, defaults(), append(many("1/e unreadable", 3), many("1/0", 5)...)...)
	for _, ask := range p.Needs() {
		if ask.NoRetry != (ask.CaseID[:3] == "1-e") {
			t.Errorf("%+v: only where no answer came is a failure not asked again", ask)
		}
	}
	if n := p.Finding().UnansweredIncomplete(); n != 3 {
		t.Errorf("%d losses lack fresh answers, want 3: a flip is none", n)
	}
	test := p.Finding().Numbers.Confirm
	if len(test.Candidates) != 8 || *test.Level != 0.005/8 {
		t.Errorf("%d suspects at %v each, want 8 at %v", len(test.Candidates), *test.Level, 0.005/8)
	}
}

func TestALossEntersNoDelta(t *testing.T) {
	p := procedure(t, defaults(), append(many("1/1", 3), "a 1/e unreadable")...)
	answers{"a": "1u"}.run(t, p)
	if all := p.Finding().Numbers.Overall; all.Cases != 3 || all.Delta != 0 {
		t.Errorf("%d cases, delta %v; want 3 and 0", all.Cases, all.Delta)
	}
}
