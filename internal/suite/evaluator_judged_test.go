package suite

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
)

// gradedFile loads one prompt file under a configuration with a judge.
func gradedFile(text string) ([]*Suite, []document.Diagnostic) {
	cfg := settings()
	cfg.Judge = &config.Judge{Target: "fast", Votes: 1}
	return loadOpen(tree(map[string]string{"prompts/sum.prompt.yml": text}), cfg, []string{"**/*.prompt.yml"})
}

const gradedHead = "messages: [{ role: user, content: \"{{ input }} {{ tone }}\" }]\ntestData: [{ input: a fox, tone: warm }, { input: a dog, tone: dry }]\nevaluators:\n"

func TestAnEvaluatorThatAsksAModelIsACriterionOfTheJudge(t *testing.T) {
	suites, ds := gradedFile(gradedHead + `  - name: fits
    llm:
      modelId: openai/gpt-4o
      systemPrompt: You grade summaries.
      prompt: "Does {{completion}} sum up {{input}} in a {{ tone }} tone?"
      choices: [{ choice: "1", score: 0 }, { choice: "2", score: 0.49 }, { choice: 3, score: 0.5 }, { choice: "4", score: 1 }]
`)
	check(t, ds, nil)
	for _, k := range suites[0].Cases {
		body := k.Open()
		if body.Rubric == nil || len(body.Rubric.Criteria) != 1 || len(body.SkippedEvaluators) != 0 {
			t.Fatalf("%s has the rubric %+v and skips %v, want one criterion and nothing", k.ID, body.Rubric, body.SkippedEvaluators)
		}
		const want = "fits: followed to the letter, the instructions below end in “3” or “4”, and not in “1” or “2”.\n" +
			"{{completion}} in them stands for ANSWER, any other {{name}} for what ASKED holds under that name.\n\n" +
			"You grade summaries.\n\nDoes {{completion}} sum up {{input}} in a {{ tone }} tone?"
		if got := body.Rubric.Criteria[0].Text; got != want {
			t.Errorf("%s is graded by\n%s\nwant\n%s", k.ID, got, want)
		}
	}
}

func TestWhatAnEvaluatorsModelIsToSayIsPartOfWhatJudgesACase(t *testing.T) {
	const choices = "choices: [{ choice: good, score: 1 }, { choice: bad, score: 0 }] } }\n"
	key := func(evaluators string) string {
		suites, ds := gradedFile(gradedHead + evaluators)
		check(t, ds, nil)
		return suites[0].Cases[0].Keys().ExpectationKey.String()
	}
	was := key("  - { name: a, llm: { prompt: \"Good? {{completion}}\", " + choices)
	if key("  - { name: a, llm: { prompt: \"Fine? {{completion}}\", "+choices) == was {
		t.Error("another prompt judges by the same key")
	}
	if key("  - { name: a, llm: { prompt: \"Good? {{completion}}\", "+strings.Replace(choices, "score: 0 }", "score: 0 }, { choice: fair, score: 0.6 }", 1)) == was {
		t.Error("other scores of the choices judge by the same key")
	}
	if key("  - { name: a, llm: { modelId: openai/other, prompt: \"Good? {{completion}}\", "+choices) != was {
		t.Error("the model, which is not asked, is part of the key")
	}
}

func TestAnEvaluatorThatNoModelCouldAnswerIsAFault(t *testing.T) {
	const two = "choices: [{ choice: good, score: 1 }, { choice: bad, score: 0 }]"
	cases := []struct {
		rule, llm string
		want      []string
	}{
		{"it is a map", "yes please", []string{"4:21 type: `llm` is \"yes please\"; expected a map"}},
		{"it has a prompt", "{ " + two + " }", []string{"4:21 evaluator: the evaluator has no `prompt`"}},
		{"it has choices", "{ prompt: good }", []string{"4:21 evaluator: …expected a list of { choice: …, score: 0 to 1 }"}},
		{"a choice is a map", "{ prompt: good, choices: [good, bad] }", []string{"4:47 type: item 1 of `choices` is \"good\"; expected a map", "4:53 type: "}},
		{"a choice has a score", "{ prompt: good, choices: [{ choice: good }] }", []string{"4:47 missing-key: `score` is missing in item 1 of `choices`"}},
		{"a score lies between 0 and 1", "{ prompt: good, choices: [{ choice: good, score: 5 }] }", []string{"4:46 evaluator: the choices tell no good answer", "4:70 range: `score` is 5"}},
		{"some choice is good enough, and some is not", "{ prompt: good, choices: [{ choice: good, score: 1 }] }", []string{"4:46 evaluator: the choices tell no good answer"}},
		{"a variable is in the row", "{ prompt: \"{{completion}} {{ mood }}\", " + two + " }", []string{"4:47 undefined-variable: "}},
		{"other keys change nothing", "{ prompt: good, temperature: 1, " + two + " }", []string{"4:37 warning unknown-key: "}},
		{"it is not longer than a criterion", "{ prompt: " + strings.Repeat("x", 4000) + ", " + two + " }", []string{"4:31 evaluator: with its choices"}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := gradedFile(gradedHead + "  - { name: a, llm: " + c.llm + " }\n")
			var want []string
			for _, w := range c.want {
				want = append(want, "prompts/sum.prompt.yml:"+w)
			}
			check(t, ds, want)
		})
	}
}
