package cli_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

func TestAFirstRunShowsTheAnswersThatAPersonHasToSee(t *testing.T) {
	const answer = "Summary - Something happened."
	r := newRepo(t, 1, modeltest.TextStep(func(string) string { return answer }))
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "suites/*.yaml", "prompts/*.prompt.yml", 1))
	r.write("prompts/p.prompt.yml", "name: p\nmodel: m\nmessages: [{ role: user, content: \"{{input}}\" }]\n"+
		"testData: [{ input: x, expected: Summary - A fox jumped over a lazy dog. }]\n"+
		"evaluators: [{ name: starts, string: { startsWith: 'Summary -' } }, { name: alike, uses: github/similarity }]\n")
	o := r.run()
	o.expect(t, "a first run", cli.ExitPassed, 1)
	_, fold, found := strings.Cut(o.comment, "<summary>The answer</summary>")
	if !found || !strings.Contains(fold, answer) {
		t.Errorf("the answer is nowhere in\n%s", o.comment)
	}
}
