package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/failproof/failproof/internal/document"
)

// Judge says which model grades answers by the criteria of suites. All of it is the base's to decide, and so is all of the target that
// it names: who is judged chooses neither the judge nor how it is asked.
type Judge struct {
	Target string // the name of a live target
	Votes  int    // of one verdict, odd
}

// judgeKey begins the keys of the judge; it is the only one that a configuration may have.
const judgeKey = "judges.default"

func (r *reader) judge(n *document.Node, targets map[string]Target) *Judge {
	if n == nil || n.Kind != document.Map {
		return nil
	}
	j := &Judge{Target: textOf(n.Get("target")), Votes: cmp.Or(wholeOf(n.Get("votes")), 1)}
	at := n.Get("target")
	t, known := targets[j.Target]
	switch {
	case j.Target == "":
		return nil // the schema says that it is missing
	case !known:
		hint := ""
		if like, ok := document.Suggest(j.Target, slices.Sorted(maps.Keys(targets))); ok {
			hint = "; did you mean " + document.Quote(like) + "?"
		}
		r.errorAt(at, "target", "the judge's target %s is not one of targets%s", document.Quote(j.Target), hint)
	case !t.Live():
		r.errorAt(at, "target", "the judge's target %s is %s; a judge is a live target, and its verdicts are recorded beside the answers", document.Quote(j.Target), t.Provider)
	case t.Provider == ProviderHTTP && !t.HTTP.Body.Uses("messages"):
		r.errorAt(at, "target", "the judge's target %s is sent no messages, in which a judge is asked; put {{ messages }} into its body", document.Quote(j.Target))
	}
	if j.Votes%2 == 0 {
		r.errorAt(n.Get("votes"), "range", "votes is %d; an even number of votes may be a tie", j.Votes)
	}
	return j
}

// settings lists what the base decides alone.
func (j *Judge) settings() []setting {
	if j == nil {
		j = &Judge{}
	}
	votes := ""
	if j.Votes > 0 {
		votes = strconv.Itoa(j.Votes)
	}
	return []setting{{judgeKey + ".target", j.Target}, {judgeKey + ".votes", votes}}
}

// judges reports whether the configuration's judge is asked at a target.
func (c *Config) judges(target string) bool { return c.Judge != nil && c.Judge.Target == target }

// JudgesAlone reports a live target at which the judge is asked while others answer: it is not the one that answers are recorded from
// where nobody says which.
func (c *Config) JudgesAlone(target string) bool {
	if !c.judges(target) {
		return false
	}
	for name, t := range c.Targets {
		if name != target && t.Live() {
			return true
		}
	}
	return false
}

// withoutJudge takes a judge that the file names out of force, and says why.
func (c *Config) withoutJudge(format string, args ...any) {
	c.Judge, c.NoJudge = nil, fmt.Sprintf(format, args...)
}
