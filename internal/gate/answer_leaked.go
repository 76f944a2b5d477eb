package gate

import (
	"fmt"
	"strconv"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// Leak is a variable that a change begins to send to a suite's cases, and whose value alone passes them.
type Leak struct {
	Variable, Suite string
	Cases, Looked   int // that it passes, of those that were looked at
}

// AnswerTold names the variables that tell a prompt the answers by which it is judged.
var AnswerTold = Rule{
	Code: "answer_leaked", Level: config.Warn,
	Title: fixedTitle("a new variable gives away the answer"), Look: "see whether the prompt may be told that " +
		"where it is used",
	Doc: "The change sends a new variable that contains the expected answer.",
	check: func(r *run) []finding {
		var all names
		for _, leak := range r.Leaks {
			all.put(fmt.Sprintf("%s to %s (%d of %s)", strconv.Quote(leak.Variable), leak.Suite, leak.Cases, text.Count(leak.Looked, "case")))
		}
		return all.asFindings(warns, "this change sends a new variable that contains the expected answer")
	},
}
