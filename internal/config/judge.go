package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Judge is the model that grades answers by the criteria of suites. Only the base's configuration sets the judge and
// the judge's target, so that a head cannot choose its judge.
type Judge struct {
	Target string // name of a live target
	Votes  int    // number of votes for one verdict, odd

	LabelsPath   string  // path of a file with labels that people gave to answers; "" for none
	MinAgreement float64 // smallest share of the met labels, and of the unmet labels, with which the judge must agree
}

// defaultAgreement is the default of Judge.MinAgreement for a judge with labels.
const defaultAgreement = 0.8

// judgeKey is the key of the judge. A configuration has at most one judge.
const judgeKey = "judges.default"

func readJudge(r *reader, n *document.Node, targets map[string]Target) *Judge {
	if n == nil || n.Kind != document.Map {
		return nil
	}
	j := &Judge{Target: n.Get("target").AsText(), Votes: cmp.Or(intOf(n.Get("votes")), 1)}
	readLabels(r, j, n)
	at := n.Get("target")
	t, known := targets[j.Target]
	switch {
	case j.Target == "": // the schema reports it
	case !known:
		checkKnownTarget(r, at, "the judge's target", j.Target, targets)
	case !t.Live():
		r.ErrorAt(at.Pos, "target", "the judge's target %s is %s; a judge is a live target, and its verdicts are "+
			"recorded beside the answers", document.Quote(j.Target), t.Provider)
	case !t.sendsMessages():
		r.ErrorAt(at.Pos, "target", "the judge's target %s does not send messages, and the judge's question is one; "+
			"put {{ messages }} into its body", document.Quote(j.Target))
	}
	if j.Votes%2 == 0 {
		r.ErrorAt(n.Get("votes").Pos, "range", "votes is %d; an even number of votes may be a tie", j.Votes)
	}
	return j
}

func readLabels(r *reader, j *Judge, n *document.Node) {
	j.LabelsPath, j.MinAgreement = n.Get("labeled").AsText(), defaultAgreement
	if v, ok := n.Get("min_agreement").AsNumber(); ok {
		j.MinAgreement = v
	}
	switch wrong := pathProblem(j.LabelsPath); {
	case j.LabelsPath == "" && n.Get("min_agreement") != nil:
		r.ErrorAt(n.KeyPos("min_agreement"), "contradiction", "`min_agreement` needs `labeled`, a file of "+
			"answers that people labeled")
	case j.LabelsPath != "" && wrong != "":
		r.ErrorAt(n.Get("labeled").Pos, "path", "labeled %s %s", document.Quote(j.LabelsPath), wrong)
	case j.LabelsPath != "" && !strings.HasSuffix(j.LabelsPath, ".jsonl"):
		r.ErrorAt(n.Get("labeled").Pos, "path", "labeled %s does not end in .jsonl; write one JSON object a line", document.Quote(j.LabelsPath))
	}
}

// agreementText returns MinAgreement as a text, or "" if the configuration has no labels.
func (j *Judge) agreementText() string {
	if j.LabelsPath == "" {
		return ""
	}
	return fmt.Sprint(j.MinAgreement)
}

// isJudgeTarget reports whether the judge uses the target with the given name.
func (c *Config) isJudgeTarget(target string) bool { return c.Judge != nil && c.Judge.Target == target }

// IsOnlyJudge reports whether the judge uses the target with the given name, and the target is not a default target.
func (c *Config) IsOnlyJudge(target string) bool {
	return c.isJudgeTarget(target) && !slices.Contains(c.DefaultTargets, target)
}

// answeringTargets returns the targets that may answer cases: all targets except one that only the judge uses.
func (c *Config) answeringTargets() map[string]Target {
	out := maps.Clone(c.Targets)
	maps.DeleteFunc(out, func(name string, _ Target) bool { return c.IsOnlyJudge(name) })
	return out
}

// removeJudge removes the judge from c and records why it is not in effect.
func (c *Config) removeJudge(why string) { c.Judge, c.NoJudgeReason = nil, why }
