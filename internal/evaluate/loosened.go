package evaluate

import (
	"context"
	"strings"

	"github.com/failproof/failproof/internal/suite"
)

// unrelated has texts that answer no question. A case that expects some form of its answer, such as a number or a
// sentence, rejects one of them.
var unrelated = []string{
	"grey",
	"4711",
	"The ferry leaves the old harbour when the tide is high enough.",
	strings.Repeat("Three oak trees stand behind the mill. Nobody knows who planted them.\n\n", 50),
}

// Loosens reports whether the head's case accepts all unrelated texts, while the base's rejects one.
func (e *Evaluator) Loosens(p suite.Pair) bool {
	return p.Base != nil && suite.Redefined(p.Base, p.Head) && e.acceptsAll(p.Head) &&
		!e.acceptsAll(p.Base)
}

// acceptsAll reports whether all unrelated texts pass the case c. It is false if a model judges c.
func (e *Evaluator) acceptsAll(c *suite.Case) bool {
	opened := c.Open()
	if opened.Graded() || opened.Semantic() || opened.Probe != nil {
		return false
	}
	for _, text := range unrelated {
		if !e.PassesAs(context.Background(), &opened, text) {
			return false
		}
	}
	return true
}
