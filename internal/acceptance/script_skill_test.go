package acceptance_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/skilleval"
)

// skillServer starts an OpenAI-compatible server that is model and judge, whose address goes into SERVER. The model
// answers a task by the line of its skill that begins with the task's first word. The judge goes by the words in
// quotes; text shows every criterion without the word "file", or none with the argument "no".
func skillServer(ts *testscript.TestScript, _ bool, args []string) {
	never := len(args) == 1 && args[0] == "no"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Messages) != 2 {
			http.Error(w, "no two messages", http.StatusBadRequest)
			return
		}
		system, user := asked.Messages[0].Content, asked.Messages[1].Content
		text := ""
		switch put := modeltest.ParseQuestion(user); {
		case strings.HasPrefix(system, "You say whether the text"):
			text = modeltest.VerdictJSON(!never && !strings.Contains(put.Criterion, "file"), "So it is.")
		case strings.HasPrefix(system, "You grade one answer"):
			if _, reference, found := strings.Cut(user, "[REFERENCE "); found && put.Criterion == skilleval.ReferenceCriterion {
				_, reference, _ = strings.Cut(reference, "| ")
				put.Criterion, _, _ = strings.Cut(reference, "\n")
			}
			text = modeltest.ContainsVerdict(put)
		default:
			text = bySkill(system, user)
		}
		modeltest.JSON(modeltest.Completion(text))(w, r)
	}))
	ts.Defer(s.Close)
	ts.Setenv("SERVER", s.URL+"/v1")
}

// bySkill is the line of a skill for a task, with the task's files behind it.
func bySkill(system, task string) string {
	first, _, _ := strings.Cut(task, " ")
	for line := range strings.Lines(system) {
		if rest, found := strings.CutPrefix(line, "- "+first+" "); found {
			_, files, _ := strings.Cut(task, "<file")
			return strings.TrimSpace(rest) + files
		}
	}
	return "I do not know."
}
