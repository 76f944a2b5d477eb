package config

import (
	"strings"
	"testing"
)

const judging = common + "judges: { default: { target: fast, votes: 3 } }\n"

func TestFaultsOfAJudge(t *testing.T) {
	for _, c := range []struct {
		rule, judges string
		want         []string // what each fault says
	}{
		{"a judge is a live target", "{ default: { target: fast } }", nil},
		{"it has a target", "{ default: { votes: 1 } }", []string{"target"}},
		{"and all faults are told at once", "{ default: { votes: 2 } }", []string{"`target` is missing", "an even number of votes"}},
		{"which is one of targets", "{ default: { target: fsat } }", []string{"\"fsat\" is not one of targets; did you mean `fast`?"}},
		{"a recording grades nothing", "{ default: { target: replay } }", []string{"is recorded; a judge is a live target"}},
		{"votes are odd", "{ default: { target: fast, votes: 2 } }", []string{"an even number of votes may be a tie"}},
		{"there is one judge", "{ default: { target: fast }, other: { target: fast } }", []string{"unknown key"}},
		{"and it is called default", "{ other: { target: fast } }", []string{"default", "unknown key"}},
		{"keys that do nothing are refused", "{ default: { target: fast, model: x } }", []string{"unknown key"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cfg, ds := load(common + "judges: " + c.judges + "\n")
			got := lines(ds)
			if len(got) != len(c.want) || (cfg == nil) != (len(c.want) > 0) {
				t.Fatalf("faults %v, want %v", got, c.want)
			}
			for i, want := range c.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("fault %s, want %s", got[i], want)
				}
			}
		})
	}
}

func TestTheJudgeIsTheBases(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(judging, old, new, 1) }
	labeled := func(bar string) string {
		return with("votes: 3", "votes: 3, labeled: people.jsonl, min_agreement: "+bar)
	}
	const other = "  other: { provider: openai, model: kind, base_url: https://evil.example/v1, api_key_env: KEY }\ngate:"
	for _, c := range []struct {
		rule, base, head string
		target           string // of the judge in force; "" for none
		announced        string
	}{
		{"a head that leaves it alone", judging, judging, "fast", ""},
		{"another target", with("gate:", other), strings.Replace(with("gate:", other), "target: fast, votes", "target: other, votes", 1), "fast", "judges.default.target: fast -> other"},
		{"fewer votes", judging, with("votes: 3", "votes: 1"), "fast", "judges.default.votes: 3 -> 1"},
		{"no judge", judging, common, "fast", "judges.default.target: fast -> "},
		{"another model where the judge is asked", judging, with("model: small", "model: kinder"), "fast", "targets.fast.model: small -> kinder"},
		{"another temperature where the judge is asked", judging, with("temperature: 0", "temperature: 1"), "fast", "targets.fast.temperature: 0 -> 1"},
		{"a lower agreement with people", labeled("0.9"), labeled("0.5"), "fast", "judges.default.min_agreement: 0.9 -> 0.5"},
		{"the default agreement, said out loud", labeled("0.8"), with("votes: 3", "votes: 3, labeled: people.jsonl"), "fast", ""},
		{"a first judge", common, judging, "", "judges.default.target:  -> fast"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			effective, told, _ := settled(t, c.base, c.head, false)
			target := ""
			if effective.Judge != nil {
				target = effective.Judge.Target
			}
			if target != c.target || (target == "") != (effective.NoJudgeReason != "") {
				t.Errorf("judge %+v, why not: %s", effective.Judge, effective.NoJudgeReason)
			}
			if target != "" && effective.Judge.Votes != 3 {
				t.Errorf("%d votes", effective.Judge.Votes)
			}
			if fast := effective.Targets["fast"]; fast.Model != "small" || *fast.Temperature != 0 {
				t.Errorf("the judge is asked as %+v", fast)
			}
			if c.announced == "" && len(told) > 0 || !strings.Contains(strings.Join(told, "\n"), c.announced) {
				t.Errorf("announced %v, want %s", told, c.announced)
			}
		})
	}
}

func TestWhatAJudgeIsSentMakesNoAnswerAnotherOne(t *testing.T) {
	const text = "version: 1\nsuites: [x]\ndefault_target: replay\ntargets:\n  replay: { provider: recorded, path: x }\n  fast: { provider: openai, model: m }\n" +
		"  grader: { provider: openai, model: j, structured_output: true }\n"
	for judges, want := range map[string]bool{"": true, "judges: { default: { target: grader } }\n": false} {
		cfg, ds := load(text + judges)
		if cfg == nil {
			t.Fatal(lines(ds))
		}
		if got := cfg.Targets["replay"].Inputs.Schema; got != want {
			t.Errorf("%q: recorded answers are held to the schema: %v, want %v", judges, got, want)
		}
		if own := ResolveAlone(cfg, CallNew); own.Targets["replay"].Inputs.Schema != want {
			t.Errorf("%q: otherwise in force", judges)
		}
	}
}

func TestAJudgeThatNobodyAgreedToIsNotAsked(t *testing.T) {
	head, _ := load(judging)
	if own := ResolveAlone(head, WithholdNew); own.Judge != nil || !strings.Contains(own.NoJudgeReason, "is not merged yet") {
		t.Errorf("judge %+v: %s", own.Judge, own.NoJudgeReason)
	}
	if first, _ := ResolveFirst(head, CallNew); first.Judge == nil {
		t.Error("the caller vouches for the head, and its judge is not asked")
	}
	if first, _ := ResolveFirst(head, WithholdNew); first.Judge != nil || first.NoJudgeReason == "" {
		t.Errorf("judge %+v: %s", first.Judge, first.NoJudgeReason)
	}
}

func TestAFaultyJudgeIsNotAsked(t *testing.T) {
	for _, text := range []string{
		strings.Replace(judging, "target: fast, votes: 3", "target: nobody", 1),
		strings.Replace(judging, "votes: 3", "votes: many", 1),
		strings.Replace(judging, "default: {", "defualt: {", 1),
		strings.Replace(judging, "model: small, ", "", 1), // its target falls
		common + "judges: all\n",
	} {
		got := salvage(text)
		if got.Config == nil || got.Config.Judge != nil && got.Config.Judge.Votes != 1 || got.Config.Judge == nil && !strings.Contains(got.Config.NoJudgeReason, "has an error in the base's configuration") {
			t.Errorf("%s\nkeeps %+v", text, got.Config)
		}
	}
	if got := salvage(judging + "limits: { max_calls: many }\n"); got.Config == nil || got.Config.Judge == nil || got.Config.NoJudgeReason != "" {
		t.Errorf("an error elsewhere takes the judge: %+v", got.Config)
	}
}
