package recorded_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
)

// line writes a recording of case a, with the key of an empty request in place of KEY.
func line(fields string) string {
	key := model.Request{Provider: model.Recorded}.Key()
	return `{"suite_id":"s","case_id":"a",` + strings.ReplaceAll(fields, "KEY", key) + "}"
}

const fromFast = `"target":{"name":"fast","provider":"openai","model":"m","temperature":0}`

func TestAnAnswerHoldsForTheRequestAndTheTargetThatItWasMadeFor(t *testing.T) {
	zero, one, most := 0.0, 1.0, 100
	fast := recorded.Target{Name: "fast", Provider: "openai", Model: "m", Temperature: &zero}
	other := func(change func(*recorded.Target)) map[string]recorded.Target {
		t := fast
		change(&t)
		return map[string]recorded.Target{"fast": t}
	}
	known := map[string]recorded.Target{"fast": fast}
	for _, c := range []struct {
		rule    string
		head    string
		base    string // "" for no recording there
		changed bool
		targets map[string]recorded.Target
		why     string // "" if it holds
	}{
		{"its own key and its own target", `"request_key":"KEY","raw_response":"x",` + fromFast, "", true, known, ""},
		{"another key", `"request_key":"00","raw_response":"x"`, "", false, known, "made for another prompt or input"},
		{"no key, and the same request", `"raw_response":"x"`, "", false, known, ""},
		{"no key, and another request", `"raw_response":"x"`, "", true, known, "the prompt changed and the answer has no request key"},
		{"another answer without a key is not excused", `"raw_response":"y"`, `"request_key":"KEY","raw_response":"x"`, true, known, "the prompt changed and the answer has no request key"},
		{"another model", `"request_key":"KEY","raw_response":"x",` + fromFast, "", false, other(func(t *recorded.Target) { t.Model = "n" }),
			"fast had model m, has model n now"},
		{"another provider", `"request_key":"KEY","raw_response":"x",` + fromFast, "", false, other(func(t *recorded.Target) { t.Provider = "exec" }),
			"provider openai, has provider exec now"},
		{"another temperature", `"request_key":"KEY","raw_response":"x",` + fromFast, "", false, other(func(t *recorded.Target) { t.Temperature = &one }),
			"temperature 0, has temperature 1 now"},
		{"a temperature that is set no more", `"request_key":"KEY","raw_response":"x",` + fromFast, "", false, other(func(t *recorded.Target) { t.Temperature = nil }),
			"temperature 0, has temperature (none) now"},
		{"another top_p", `"request_key":"KEY","raw_response":"x",` + fromFast, "", false, other(func(t *recorded.Target) { t.TopP = &one }),
			"top_p (none), has top_p 1 now"},
		{"another limit", `"request_key":"KEY","raw_response":"x",` + fromFast, "", false, other(func(t *recorded.Target) { t.MaxTokens = &most }),
			"max_tokens (none), has max_tokens 100 now"},
		{"another setting", `"request_key":"KEY","raw_response":"x",` + fromFast, "", false,
			other(func(t *recorded.Target) { t.Settings = map[string]string{"reasoning_effort": "high"} }), "reasoning_effort (none), has reasoning_effort high now"},
		{"a setting that is there no more", `"request_key":"KEY","raw_response":"x",` + strings.Replace(fromFast, `"model"`, `"settings":{"seed":"7"},"model"`, 1), "", false, known,
			"seed 7, has seed (none) now"},
		{"the same setting", `"request_key":"KEY","raw_response":"x",` + strings.Replace(fromFast, `"model"`, `"settings":{"seed":"7"},"model"`, 1), "", false,
			other(func(t *recorded.Target) { t.Settings = map[string]string{"seed": "7"} }), ""},
		{"a target that is gone binds nothing", `"request_key":"KEY","raw_response":"x",` + fromFast, "", false, nil, ""},
		{"the base's answer without its target is still from it", `"request_key":"KEY","raw_response":"x"`, `"raw_response":"x",` + fromFast, false,
			other(func(t *recorded.Target) { t.Model = "n" }), "model m, has model n now"},
		{"another answer than the base's is not", `"request_key":"KEY","raw_response":"y"`, `"raw_response":"x",` + fromFast, false,
			other(func(t *recorded.Target) { t.Model = "n" }), ""},
		{"nor is one that says that it is by hand", `"request_key":"KEY","by_hand":true,"raw_response":"x"`, `"raw_response":"x",` + fromFast, false,
			other(func(t *recorded.Target) { t.Model = "n" }), ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			client := load(t, line(c.head))
			base := load(t, "")
			if c.base != "" {
				base = load(t, line(c.base))
			}
			client.Bind(recorded.Binding{
				Targets: c.targets,
				BaseCase: func(suiteID, caseID string) recorded.BaseCase {
					return recorded.BaseCase{RequestChanged: c.changed, Answers: base.Answers(suiteID, caseID)}
				},
				HowToRecord: func(suiteID string, _ recorded.Need) string { return "remedy " + suiteID },
			})
			r, err := client.Answer(context.Background(), model.Request{SuiteID: "s", CaseID: "a", Trial: 1, Provider: model.Recorded})
			switch {
			case err != nil:
				t.Fatal(err)
			case c.why == "" && r.Failure != nil:
				t.Errorf("Failure = %s, want none", r.Failure.Message)
			case c.why == "":
			case r.Failure == nil || r.Failure.Reason != model.ReasonStale:
				t.Errorf("Failure = %+v, want a stale recording", r.Failure)
			case !strings.HasPrefix(string(r.Failure.Message), "remedy s: stale, ") ||
				!strings.Contains(string(r.Failure.Message), c.why):
				t.Errorf("Failure = %q, want what mends it first, then %q", r.Failure.Message, c.why)
			}
		})
	}
}

func TestAnAnswerIsADrawIfATargetGaveItAndNobodyWroteIt(t *testing.T) {
	for fields, want := range map[string]bool{
		`"raw_response":"x"`:                            false,
		`"raw_response":"x",` + fromFast:                true,
		`"raw_response":"x","by_hand":true,` + fromFast: false,
	} {
		got := ask(t, load(t, line(fields)), "a", 1)
		if got.Sampled != want {
			t.Errorf("%s: Drawn = %v, want %v", fields, got.Sampled, want)
		}
	}
}

func TestAnAnswerIsKeptIfSomebodyWroteItAndItIsTheBasesAlthoughWhatIsAskedChanged(t *testing.T) {
	same := map[string]recorded.Target{"fast": {Name: "fast", Provider: "openai", Model: "m", Temperature: new(float64)}}
	other := map[string]recorded.Target{"fast": {Name: "fast", Provider: "openai", Model: "n"}}
	for _, c := range []struct {
		rule       string
		head, base string
		changed    bool
		targets    map[string]recorded.Target
		want       bool
	}{
		{"the same answer to another request", `"request_key":"KEY","by_hand":true,"raw_response":"x"`, `"raw_response":"x"`, true, same, true},
		{"without a word of who wrote it", `"request_key":"KEY","raw_response":"x"`, `"raw_response":"x"`, true, same, true},
		{"the same answer to the same request", `"request_key":"KEY","by_hand":true,"raw_response":"x"`, `"raw_response":"x"`, false, same, false},
		{"another answer", `"request_key":"KEY","by_hand":true,"raw_response":"y"`, `"raw_response":"x"`, true, same, false},
		{"the same answer of a model that was asked", `"request_key":"KEY","raw_response":"x",` + fromFast, `"raw_response":"x"`, true, same, false},
		{"of a model that is not asked any more", `"request_key":"KEY","by_hand":true,"raw_response":"x"`, `"raw_response":"x",` + fromFast, false, other, true},
		{"of a model that the line does not name any more", `"request_key":"KEY","raw_response":"x"`, `"raw_response":"x",` + fromFast, true, same, true},
		{"of a target that there is not", `"request_key":"KEY","raw_response":"x","target":{"name":"gone","provider":"openai"}`, `"raw_response":"x"`, true, same, true},
		{"of a target that the head alone names", `"request_key":"KEY","raw_response":"x","target":{"name":"new","provider":"openai"}`, `"raw_response":"x"`, true, same, false},
		{"of a model that still is", `"request_key":"KEY","by_hand":true,"raw_response":"x"`, `"raw_response":"x",` + fromFast, false, same, false},
		{"white space makes no other answer", `"request_key":"KEY","by_hand":true,"raw_response":" x\n\n y "`, `"raw_response":"x y"`, true, same, true},
		{"other facts beside the text make no other answer", `"request_key":"KEY","by_hand":true,"raw_response":"x","model_id":"z","latency_ms":3,"finish_reason":"stop"`,
			`"raw_response":"x"`, true, same, true},
	} {
		client, base := load(t, line(c.head)), load(t, line(c.base))
		client.Bind(recorded.Binding{Targets: c.targets, HeadOnlyTargets: []string{"new"}, BaseCase: func(suiteID, caseID string) recorded.BaseCase {
			return recorded.BaseCase{RequestChanged: c.changed, Answers: base.Answers(suiteID, caseID)}
		}})
		r, err := client.Answer(context.Background(), model.Request{SuiteID: "s", CaseID: "a", Trial: 1, Provider: model.Recorded})
		if err != nil || r.Failure != nil || r.Unchanged != c.want {
			t.Errorf("%s: Answer = %+v, %v, want Kept = %v", c.rule, r, err, c.want)
		}
	}
}

func TestWhatTheBaseHasCountsAsItIs(t *testing.T) {
	client := load(t, line(`"request_key":"00","raw_response":"x",`+fromFast))
	client.Bind(recorded.Binding{Unchecked: true, Targets: map[string]recorded.Target{"fast": {Name: "fast", Provider: "exec"}}})
	r, err := client.Answer(context.Background(), model.Request{SuiteID: "s", CaseID: "a", Trial: 1, Provider: model.Recorded})
	if err != nil || r.Failure != nil || r.Text != "x" {
		t.Errorf("Answer = %+v, %v, want x", r, err)
	}
}

func TestAKeyOfARecordedCaseHoldsNeitherProviderNorWhatTheTargetSets(t *testing.T) {
	messages := []model.Message{{Role: model.RoleUser, Content: "hi"}}
	if (model.Request{Provider: model.Recorded, Messages: messages}).Key() != (model.Request{Messages: messages}).Key() {
		t.Error("the provider of a recorded case is part of its key")
	}
	if (model.Request{Provider: "openai", Messages: messages}).Key() == (model.Request{Messages: messages}).Key() {
		t.Error("the provider of a live case is no part of its key")
	}
}

func TestALineThatIsTooLongIsAFaultWithItsPlaceAndItsLimit(t *testing.T) {
	long := `{"suite_id":"s","case_id":"a","raw_response":"` + strings.Repeat("x", 30<<20) + `"}`
	text := line(`"raw_response":"first"`) + "\n" + long + "\n" + strings.Replace(line(`"raw_response":"third"`), `"a"`, `"b"`, 1)
	client, faults := recorded.Load(fstest.MapFS{"r": {Data: []byte(text)}}, "r", nil, nil)
	if len(faults) != 1 || faults[0].Line != 2 || faults[0].Path != "r" ||
		faults[0].Message != "the line is 30.0 MiB long; a recorded answer may be at most 16 MiB: shorten it, or leave the case out" {
		t.Errorf("Load found %v", faults)
	}
	if got := ask(t, client, "b", 1); got.Text != "third" {
		t.Errorf("the answer behind the long line is %+v", got)
	}
}

func TestAnAnswerOfAnotherTargetIsNoneOfTheOneThatIsRecorded(t *testing.T) {
	zero := 0.0
	fast := recorded.Target{Name: "fast", Provider: "openai", Model: "m", Temperature: &zero}
	known := map[string]recorded.Target{"fast": fast, "careful": {Name: "careful", Provider: "openai", Model: "l"}}
	for _, c := range []struct {
		rule, records string
		targets       map[string]recorded.Target
		stale         bool
	}{
		{"its own", "fast", known, false},
		{"nobody says whose they are", "", known, false},
		{"another's", "careful", known, true},
		{"whether a target that is gone is another, nobody can tell", "careful", map[string]recorded.Target{"careful": known["careful"]}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			client, faults := recorded.Load(fstest.MapFS{"r.jsonl": {Data: []byte(line(`"request_key":"KEY","raw_response":"x",` + fromFast))}}, "r.jsonl", []string{"s"}, nil)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			client.Bind(recorded.Binding{Targets: c.targets, LiveTarget: c.records})
			got, err := client.Answer(context.Background(), model.Request{SuiteID: "s@any", CaseID: "a", Trial: 1, Provider: model.Recorded})
			if err != nil {
				t.Fatal(err)
			}
			why := ""
			if got.Failure != nil {
				why = string(got.Failure.Message)
			}
			if c.stale != strings.Contains(why, "recorded from fast, but these are recordings of careful") {
				t.Errorf("it is said: %q", why)
			}
		})
	}
}

func TestWhatARequestSetsItselfIsNotTheTargets(t *testing.T) {
	limit := model.Request{Parameters: model.Parameters{MaxTokens: new(9)}}
	for _, c := range []struct {
		rule string
		now  recorded.Target
		own  model.Request
		want bool
	}{
		{"the request has its own model", recorded.Target{Model: "n"}, model.Request{Model: "own"}, true},
		{"it has none", recorded.Target{Model: "n"}, model.Request{}, false},
		{"its own limit alone", recorded.Target{Model: "n"}, limit, false},
		{"its own limit", recorded.Target{Model: "m", MaxTokens: new(5)}, limit, true},
		{"its own model, of another provider", recorded.Target{Model: "m", Provider: "exec"}, model.Request{Model: "own"}, false},
		{"its own model, and another setting",
			recorded.Target{Model: "m", Settings: map[string]string{"seed": "7"}}, model.Request{Model: "own"}, false},
	} {
		if got := (recorded.Target{Model: "m"}).AnswersAlike(c.now, c.own); got != c.want {
			t.Errorf("%s: alike %v, want %v", c.rule, got, c.want)
		}
	}
}
