package recorded_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
)

// Of the recorded reruns of a case, the own ones are those of the head's request, and the paired ones those that both
// sides have of one comparison.
func TestWhichRecordedRerunsCount(t *testing.T) {
	fast := recorded.Target{Name: "fast", Provider: "openai", Model: "m", Temperature: new(0.0)}
	rerun := func(side, fields string) string {
		return line(`"fresh":"`+side+`","request_key":"KEY","base_key":"b","raw_response":"x",`+fields) + "\n"
	}
	head, base := rerun("head", fromFast), rerun("base", fromFast)
	for _, c := range []struct {
		rule, lines string
		own, paired int
	}{
		{"both sides", head + base, 1, 1},
		{"of two trials", head + base + strings.ReplaceAll(head+base, `"raw`, `"trial":2,"raw`), 2, 2},
		{"the head alone", head, 1, 0},
		{"another trial of the base", head + strings.Replace(base, `"raw`, `"trial":2,"raw`, 1), 1, 0},
		{"the base of another comparison", head + strings.Replace(base, `"base_key":"b"`, `"base_key":"c"`, 1), 1, 0},
		{"the head of another comparison", strings.Replace(head, `"base_key":"b"`, `"base_key":"c"`, 1) + base, 1, 0},
		{"the base's other request", head + strings.Replace(base, `"request_key":"`, `"request_key":"0`, 1), 1, 0},
		{"another request", strings.Replace(head, `"request_key":"`, `"request_key":"0`, 1) + base, 0, 0},
		{"another model", strings.Replace(head, `"model":"m"`, `"model":"n"`, 1) + base, 0, 0},
		{"a target that is gone", strings.Replace(head, `"name":"fast"`, `"name":"slow"`, 1) + base, 1, 1},
		{"by hand", rerun("head", `"by_hand":true`) + base, 0, 0},
	} {
		client, key, targets := load(t, c.lines), model.Request{Provider: model.Recorded}.Key(), map[string]recorded.Target{"fast": fast}
		own := client.OwnReruns("s", "a", key, targets)
		b, h := client.Reruns("s", "a", recorded.Pair{BaseKey: "b", HeadKey: key, BaseTargets: targets, HeadTargets: targets})
		if own.Len() != c.own || len(own.Samples()) != c.own || b.Len() != c.paired || h.Len() != c.paired {
			t.Errorf("%s: %d own and %d and %d paired reruns, want %d and %d", c.rule, own.Len(), b.Len(), h.Len(), c.own, c.paired)
		}
	}
}

func TestHowManySamplesAnAnswerStandsFor(t *testing.T) {
	of := func(draws int) string {
		return line(fmt.Sprintf(`"request_key":"KEY","raw_response":"x","draws":%d,%s`, draws, fromFast))
	}
	for _, c := range []struct {
		rule, base, head string
		most             int
	}{
		{"one", "", of(1), 0},
		{"several", "", of(3), 3},
		{"as many as the base", of(3), of(3), 0},
		{"more than the base", of(2), of(3), 3},
		{"of another request of the base", strings.Replace(of(3), `"request_key":"`, `"request_key":"0`, 1), of(3), 3},
		{"of another trial", strings.Replace(of(3), `"raw`, `"trial":2,"raw`, 1), of(3) + "\n" + strings.Replace(of(2), `"raw`, `"trial":2,"raw`, 1), 3},
	} {
		if got := load(t, c.head).Answers("s", "a").MostSamples(load(t, c.base).Answers("s", "a")); got != c.most {
			t.Errorf("%s: %d, want %d", c.rule, got, c.most)
		}
	}
}
