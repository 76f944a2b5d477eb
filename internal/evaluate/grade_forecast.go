package evaluate

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
)

// placeholderAnswer is a placeholder of about 250 tokens for an unknown answer.
var placeholderAnswer = model.Untrusted(strings.Repeat("words of it ", 84))

// factsPerQuestion is an assumption of forecasts: of so many key facts, the rules miss one, and the judge is asked
// about it.
const factsPerQuestion = 3

// ForecastGradings yields the questions to the judge that a forecast expects for the plan p, once for each vote.
// Recorded answers are known. Live answers are assumed to have the usual length and to lack some key facts.
func ForecastGradings(p Plan) iter.Seq[Question] {
	return func(yield func(Question) bool) {
		panel := p.panel()
		if panel == nil {
			return
		}
		g := gradingForecast{panel: panel, controlsCounted: map[bool]bool{}, counted: map[string]bool{}}
		for t := range newQuestionBuilder(&p).all() {
			for _, one := range t.asked() {
				for _, q := range g.questions(one) {
					if !yield(q) {
						return
					}
				}
			}
		}
	}
}

// gradingForecast is the state of ForecastGradings.
type gradingForecast struct {
	panel           *Panel
	controlsCounted map[bool]bool   // kinds of questions whose control questions were counted
	counted         map[string]bool // keys of counted questions; true for questions whether text suffices
	facts           int             // key facts of live answers so far
}

// questions returns the questions to the judge that are expected about the answer to the question asked.
func (g *gradingForecast) questions(asked *question) (out []Question) {
	asked.response = model.Response{Text: placeholderAnswer}
	if !asked.own.target.Live {
		r, err := asked.own.target.Client.Answer(context.Background(), asked.request) // makes no call
		if err != nil || !hasTextToGrade(r) {
			return nil
		}
		asked.response = r
	}
	name := g.panel.judge.Target.Name
	for _, wanted := range g.unrecordedItems(asked) {
		if wanted.grade.Fact != "" && asked.own.target.Live {
			if g.facts++; g.facts%factsPerQuestion != 1 {
				continue
			}
		}
		if wanted.asksSufficiency && g.counted[wanted.question.Key] {
			continue
		}
		g.counted[wanted.question.Key] = wanted.asksSufficiency
		if !g.controlsCounted[wanted.asksSufficiency] {
			g.controlsCounted[wanted.asksSufficiency] = true
			for _, c := range judge.Controls(wanted.asksSufficiency) {
				if asking, err := g.panel.judge.Prepare(c.Question); err == nil {
					out = append(out, Question{Target: name, Request: asking.Request})
				}
			}
		}
		for range g.panel.judge.Votes {
			out = append(out, Question{Target: name, Request: wanted.question.Request, Compared: asked.compared})
		}
	}
	return out
}

// unrecordedItems returns the questions to the judge about the answer to the question asked that have no recorded
// verdict. It returns equal questions once.
func (g *gradingForecast) unrecordedItems(asked *question) (out []*item) {
	var keys []string
	for _, q := range asked.trial.questions {
		if q.asked != asked {
			continue
		}
		for _, x := range q.gradings() {
			for _, it := range x.allItems() {
				if it.decided || !g.panel.prepare(it) {
					continue
				}
				recorded := func(v model.Verdict) bool {
					needsRun := v.Shows && !v.Met && v.Criterion == it.grade.Text
					return v.Key == it.question.Key || needsRun && !it.asksSufficiency
				}
				if !slices.Contains(keys, it.question.Key) && !slices.ContainsFunc(asked.response.Verdicts, recorded) {
					keys, out = append(keys, it.question.Key), append(out, it)
				}
			}
		}
	}
	return out
}
