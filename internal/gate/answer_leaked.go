package gate

import (
	"fmt"
	"strconv"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// Leak is a variable that a change newly sends to a suite's cases, and whose value alone passes most of them. It may
// also be several such variables, as NAME and NAME, whose values pass together.
type Leak struct {
	Variable, Suite string
	Cases, Checked  int // cases that the value passes, of a sample of those that send it
}

// AnswerLeaked reports variables that give the expected answer away to a prompt.
var AnswerLeaked = Rule{
	Code: "answer_leaked", Level: config.Warn,
	Title: fixedTitle("new variables give away the answer"), ReviewStep: "see whether the prompt may be told that " +
		"where it is used",
	Doc: "The change sends new variables that contain the expected answer, one alone or several together.",
	check: func(r *Run) []finding {
		var all names
		for _, leak := range r.Leaks {
			all.addText(fmt.Sprintf("%s to %s (it gives away %d of %s)", strconv.Quote(leak.Variable), leak.Suite,
				leak.Cases, text.Count(leak.Checked, "checked case")))
		}
		return all.asFindings(effectWarns, "this change sends new variables that contain the expected answer")
	},
}
