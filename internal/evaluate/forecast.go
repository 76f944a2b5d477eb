package evaluate

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
)

// usualAnswer stands for an answer that nobody knows yet: about 250 tokens.
var usualAnswer = model.Untrusted(strings.Repeat("words of it ", 84))

// Gradings yields what the judge is going to be asked of the answers of a plan, vote by vote. Of recorded answers it is known; of others
// each is taken to be of usual length, and one that is kept to be graded anew.
func Gradings(p Plan) iter.Seq[Question] {
	return func(yield func(Question) bool) {
		panel := p.panel()
		if panel == nil {
			return
		}
		begun := false
		for one := range newQuestioner(&p).all() {
			a := answered{question: one, response: model.Response{Text: usualAnswer}}
			if !one.target.Live {
				r, err := one.target.Client.Answer(context.Background(), one.request) // which asks nobody
				if err != nil || !gradeable(r) {
					continue
				}
				a.response = r
			}
			for _, request := range panel.wanted(one, a) {
				if !begun {
					begun = true
					for _, c := range judge.Controls() {
						asking, err := panel.judge.Ask(c.Question)
						if err == nil && !yield(Question{Target: panel.judge.Target.Name, Request: asking.Request}) {
							return
						}
					}
				}
				for range panel.judge.Votes {
					if !yield(Question{Target: panel.judge.Target.Name, Request: request, Compared: one.compared}) {
						return
					}
				}
			}
		}
	}
}

// wanted are the questions on an answer that no recorded verdict answers. Those of a shared answer are asked once.
func (p *Panel) wanted(one *question, a answered) (out []model.Request) {
	var asked []string
	for _, r := range one.readings {
		for _, g := range r.gradings(a) {
			for _, c := range g.c.Rubric.Criteria {
				it := &item{of: g, grade: Grade{Criterion: c}}
				recorded := func(v model.Verdict) bool { return v.Key == it.asking.Key }
				if p.put(it) && !slices.Contains(asked, it.asking.Key) && !slices.ContainsFunc(a.response.Verdicts, recorded) {
					asked, out = append(asked, it.asking.Key), append(out, it.asking.Request)
				}
			}
		}
	}
	return out
}
