package recorded_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/suiteid"
)

// fields splits "s/a:K s/b:L" into suite, case and key of each.
func fields(text string) (out [][3]string) {
	for one := range strings.FieldsSeq(text) {
		name, key, _ := strings.Cut(one, ":")
		suite, id, _ := strings.Cut(name, "/")
		out = append(out, [3]string{suite, id, key})
	}
	return out
}

// movesOf returns the moves of a client as "1=s/b 2=s/a": the new name of each line.
func movesOf(client *recorded.Client) string {
	moves := client.Moves()
	slices.SortFunc(moves, func(a, b recorded.RenamedAnswer) int { return cmp.Compare(a.Line, b.Line) })
	var got []string
	for _, m := range moves {
		got = append(got, fmt.Sprintf("%d=%s/%s", m.Line, m.NewName.Suite, m.NewName.Case))
	}
	return strings.Join(got, " ")
}

func TestAnAnswerBelongsToTheCaseWhoseRequestItAnswers(t *testing.T) {
	for _, c := range []struct{ rule, cases, lines, want string }{
		{"two swap their names", "s/a:L s/b:K", "s/a:K s/b:L", "1=s/b 2=s/a"},
		{"one is renamed", "s/c:K", "s/a:K", "1=s/c"},
		{"one is inserted before others", "s/a:N s/b:K s/c:L", "s/a:K s/b:L", "1=s/b 2=s/c"},
		{"one is removed before others", "s/a:L s/b:M", "s/a:K s/b:L s/c:M", "1=s/c 2=s/a 3=s/b"},
		{"three go round in a ring", "s/a:M s/b:K s/c:L", "s/a:K s/b:L s/c:M", "1=s/b 2=s/c 3=s/a"},
		{"each is at its place", "s/a:K s/b:L", "s/a:K s/b:L", ""},
		{"an answer without a key is the case's own", "s/a:K s/b:L", "s/a:L s/b:", ""},
		{"an answer of a case with an equal request stays there", "s/a:K s/b:K", "s/a:K", ""},
		{"equal requests, in their order", "s/c:K s/d:K", "s/a:K s/b:K", "1=s/c 2=s/d"},
		{"no case sends that request", "s/a:N", "s/a:K s/b:L", ""},
		{"reruns go along", "s/a:L s/b:K", "s/a:K s/a:K?head s/b:L", "1=s/b 2=s/b 3=s/a"},
		{"a rerun is no answer", "s/b:K", "s/a:K?head", ""},
		{"a case with reruns alone", "s/b:K", "s/a:K s/b:L?head", "1=s/b 2=s/a"},
		{"of a renamed suite in the new file", "s/a:K", "old/a:K", "1=s/a"},
	} {
		var lines []string
		for _, f := range fields(c.lines) {
			key, side, _ := strings.Cut(f[2], "?")
			lines = append(lines, fmt.Sprintf(`{"suite_id":"%s","case_id":"%s","request_key":"%s","fresh":"%s","raw_response":"x"}`, f[0], f[1], key, side))
		}
		client, faults := recorded.Load(fstest.MapFS{"s.jsonl": {Data: []byte(strings.Join(lines, "\n"))}}, "{suite}.jsonl", []string{"s"}, nil)
		if len(faults) > 0 {
			t.Fatalf("%s: %v", c.rule, faults)
		}
		client.Bind(recorded.Binding{Cases: func() (out []recorded.Case) {
			for _, f := range fields(c.cases) {
				out = append(out, recorded.Case{Name: suiteid.Name{Suite: f[0], Case: f[1]}, Key: f[2]})
			}
			return out
		}})
		if got := movesOf(client); got != c.want {
			t.Errorf("%s: moves %q, want %q", c.rule, got, c.want)
		}
	}
}

// An answer that was not changed stays with its case when the case changes its name and its request.
func TestAnAnswerBelongsToTheCaseThatHadItsNameOnTheBase(t *testing.T) {
	for _, c := range []struct{ rule, cases, was, base, lines, want string }{
		{"two swap their names, and the prompt changes", "s/a:M s/b:N", "s/b s/a", "s/a:K s/b:L", "s/a:K s/b:L", "1=s/b 2=s/a"},
		{"without keys", "s/a:M s/b:N", "s/b s/a", "s/a: s/b:", "s/a: s/b:", "1=s/b 2=s/a"},
		{"a name goes on to the next", "s/b:M s/c:N", "s/a s/b", "s/a:K s/b:L s/c:O", "s/a:K s/b:L s/c:O", "1=s/b 2=s/c 3=s/a"},
		{"an answer was written under the new name", "s/a:M s/b:N", "s/b s/a", "s/a:K s/b:L", "s/a:M s/b:N", ""},
		{"an answer with other words than on the base", "s/a:M s/b:N", "s/b s/a", "", "s/a:K s/b:L", ""},
		{"also with other words, if no case has the old name", "s/c:M", "s/a", "", "s/a:K", "1=s/c"},
		{"the suite has another name, too", "t/c:M", "s/a", "s/a:K", "s/a:K", "1=t/c"},
		{"a name is that of a removed case", "s/b:M", "s/a", "s/a:K s/b:L", "s/a:K s/b:L", "1=s/b 2=s/a"},
		{"a new answer stands under it", "s/b:M", "s/a", "s/a:K", "s/a:K s/b:", ""},
		{"another suite asks the same", "t/a:M u/a:M", "s/a u/a", "s/a:K u/a:K", "s/a:K u/a:K", "1=t/a"},
		{"each keeps its name", "s/a:M s/b:N", "s/a s/b", "s/a:K s/b:L", "s/a:K s/b:L", ""},
	} {
		write := func(text string) string {
			var lines []string
			for _, f := range fields(text) {
				lines = append(lines, fmt.Sprintf(`{"suite_id":"%s","case_id":"%s","request_key":"%s","raw_response":"of %[2]s"}`, f[0], f[1], f[2]))
			}
			return strings.Join(lines, "\n")
		}
		load := func(lines string) *recorded.Client {
			client, _ := recorded.Load(fstest.MapFS{"r.jsonl": {Data: []byte(lines)}}, "r.jsonl", []string{"s", "t", "u"}, nil)
			return client
		}
		base, was := load(write(c.base)), fields(c.was)
		var cases []recorded.Case
		names := map[suiteid.Name]suiteid.Name{}
		for i, f := range fields(c.cases) {
			one := recorded.Case{Name: suiteid.Name{Suite: f[0], Case: f[1]}, SuiteID: f[0], Key: f[2]}
			cases, names[one.Name] = append(cases, one), suiteid.Name{Suite: was[i][0], Case: was[i][1]}
		}
		binding := recorded.Binding{Cases: func() []recorded.Case { return cases }, BaseAnswers: func(name suiteid.Name) recorded.Answers {
			return base.Answers(name.Suite, name.Case)
		}, BaseCase: func(suiteID, caseID string) recorded.BaseCase {
			name := names[suiteid.Name{Suite: suiteID, Case: caseID}]
			return recorded.BaseCase{Answers: base.Answers(name.Suite, name.Case), SuiteID: name.Suite, CaseID: name.Case}
		}}
		client := load(write(c.lines))
		client.Bind(binding)
		if got := movesOf(client); got != c.want {
			t.Errorf("%s: moves %q, want %q", c.rule, got, c.want)
		}
		moved := map[int]suiteid.Name{}
		for _, m := range client.Moves() {
			moved[m.Line] = m.NewName
		}
		client = load(string(recorded.Rename([]byte(write(c.lines)), moved)))
		client.Bind(binding)
		if again := movesOf(client); again != "" {
			t.Errorf("%s: after the moves, it moves %q", c.rule, again)
		}
	}
}

// With each answer compared with each case, this took more than a minute.
func TestManyAnswersToOneRequestAreMovedAtOnce(t *testing.T) {
	const n = 30_000
	var lines strings.Builder
	var cases []recorded.Case
	for i := range n {
		fmt.Fprintf(&lines, `{"suite_id":"s","case_id":"a%d","request_key":"K","raw_response":"x"}`+"\n", i)
		cases = append(cases, recorded.Case{Name: suiteid.Name{Suite: "s", Case: fmt.Sprintf("b%d", i)}, SuiteID: "s", Key: "K"})
	}
	client := load(t, lines.String())
	base := func(_, id string) recorded.BaseCase {
		was := "a" + id[1:]
		return recorded.BaseCase{Answers: client.Answers("s", was), SuiteID: "s", CaseID: was}
	}
	for rule, binding := range map[string]recorded.Binding{
		"the base is known": {BaseCase: base, BaseAnswers: func(name suiteid.Name) recorded.Answers { return client.Answers(name.Suite, name.Case) }},
		"there is no base":  {},
	} {
		binding.Cases = func() []recorded.Case { return cases }
		client.Bind(binding)
		start := time.Now()
		if moves := client.Moves(); len(moves) != n || moves[n-1].NewName != cases[n-1].Name {
			t.Errorf("%s: %d moves, the last %+v; want %d, to %v", rule, len(moves), moves[len(moves)-1], n, cases[n-1].Name)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s: it took %s", rule, took)
		}
	}
}

// A file that several suites share may have answers of suites that the run does not read.
func TestAnAnswerOfASuiteThatIsNotReadStays(t *testing.T) {
	client, _ := recorded.Load(fstest.MapFS{"all.jsonl": {Data: []byte(`{"suite_id":"t","case_id":"a","request_key":"K","raw_response":"x"}`)}},
		"all.jsonl", []string{"s"}, nil)
	client.Bind(recorded.Binding{Cases: func() []recorded.Case { return []recorded.Case{{Name: suiteid.Name{Suite: "s", Case: "a"}, Key: "K"}} }})
	if moves := client.Moves(); len(moves) > 0 {
		t.Errorf("moves %+v", moves)
	}
}

// What a run advises for an answer that is stale or missing, and whom the answer is of.
func TestTheRemedyForAnAnswerOfAnotherCaseIsToMoveIt(t *testing.T) {
	request := func(id string) model.Request {
		return model.Request{SuiteID: "s", CaseID: id, Trial: 1, Provider: model.Recorded, Messages: []model.Message{{Role: "user", Content: id + " asks"}}}
	}
	line := func(id, asked string, change func(*model.Request)) string {
		q := request(asked)
		if change != nil {
			change(&q)
		}
		return fmt.Sprintf(`{"suite_id":"s","case_id":"%s","request_key":"%s","by_hand":true,"raw_response":"x"}`, id, q.Key())
	}
	const move = "run `failproof record --stamp`, which moves answers to their cases: "
	for _, c := range []struct{ rule, lines, asked, want string }{
		{"of another case", line("a", "b", nil) + "\n" + line("b", "a", nil), "a", move + "stale, made for another case"},
		{"under a former name", line("c", "a", nil), "a", move + "no recording: "},
		{"of another prompt", line("a", "c", nil), "a", "again: stale, made for another prompt or input"},
		{"with white space", line("a", "a", func(q *model.Request) { q.Messages[0].Content += "\n" }), "a", "stamp: stale, made for this prompt with other white space"},
		{"of nobody", line("b", "b", nil), "a", "write: no recording: "},
	} {
		client := load(t, c.lines)
		client.Bind(recorded.Binding{
			Cases: func() (out []recorded.Case) {
				for _, id := range []string{"a", "b"} {
					out = append(out, recorded.Case{Name: suiteid.Name{Suite: "s", Case: id}, Key: request(id).Key()})
				}
				return out
			},
			HowToRecord: func(_ string, n recorded.Need) string {
				return map[recorded.Need]string{recorded.NeedStaleByHand: "again", recorded.NeedStamp: "stamp", recorded.NeedMissing: "write"}[n]
			},
		})
		r, err := client.Answer(t.Context(), request(c.asked))
		if err != nil || r.Failure == nil || !strings.HasPrefix(string(r.Failure.Message), c.want) {
			t.Errorf("%s: %+v, %v, want %q", c.rule, r.Failure, err, c.want)
		}
	}
}

// A line that has the request key of another case names that case, because a stamp would bind it to the wrong question.
func TestAnUnstampedAnswerNamesTheOtherCaseThatItAnswers(t *testing.T) {
	asked := model.Request{SuiteID: "s", CaseID: "a", Trial: 1, Provider: model.Recorded}
	for key, want := range map[string]string{"K": "b", "L": ""} {
		client := load(t, `{"suite_id":"s","case_id":"a","request_key":"`+key+`","raw_response":"x"}`)
		base := load(t, `{"suite_id":"s","case_id":"c","request_key":"L","raw_response":"x"}`)
		client.Bind(recorded.Binding{
			Cases:    func() []recorded.Case { return []recorded.Case{{Name: suiteid.Name{Suite: "s", Case: "b"}, Key: "K"}} },
			BaseCase: func(string, string) recorded.BaseCase { return recorded.BaseCase{} },
			OnBase:   func(key string) recorded.Answers { return base.ByRequest()[key] },
		})
		got := client.UnstampedAnswers(asked)
		if len(got) != 1 || got[0].Of.Case != want || got[0].Unchanged != (key == "L") {
			t.Errorf("request key %s: %+v, want case %q", key, got, want)
		}
	}
}
