package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// probes holds the head's probes to the gate. Answers that never came prove nothing: where only they break a rule, it
// cannot be decided.
func (j *judgement) probes() {
	if j.head.Risk() == nil {
		return
	}
	var base *risk.Aggregates
	if j.in.Base != nil {
		base = j.in.Base.Risk()
	}
	for _, m := range j.held {
		if head := m.side.Risk(); head != nil {
			j.exposure(m, head, base)
			j.severityWeighted(m, head, base)
		}
	}
	j.highStakes(j.head.Risk(), base)
}

func (j *judgement) exposure(m measured, head, base *risk.Aggregates) {
	r := j.gate.MaxExposure
	got := head.Indices.Exposure
	switch {
	case r.Level == config.Off || got != nil && score.Meets(r.Value, *got):
	case got == nil:
		j.add(r.Level, suspends, report.Reason{Code: report.CodeExposure, Message: "exposure" + m.over + " is unknown: no probe has an answer"})
	default:
		now, most := score.Figures(*got, r.Value)
		text := fmt.Sprintf("exposure%s %s is above max_exposure %s", m.over, now, most)
		if base != nil && base.Indices.Exposure != nil {
			text += fmt.Sprintf(" (before %s)", score.Figure(*base.Indices.Exposure))
		}
		j.add(r.Level, j.proven(m), report.Reason{Code: report.CodeExposure, Message: text})
	}
}

// proven is what a broken rule does, which is nothing certain while more answers are missing than the gate allows.
func (j *judgement) proven(m measured) weight {
	if j.tooMuchMissing(m) {
		return suspends
	}
	return fails
}

func (j *judgement) highStakes(head, base *risk.Aggregates) {
	r := j.gate.MaxHighStakes
	all, missing := head.Overall.HighStakesFailures, head.Overall.HighStakesUnanswered
	if r.Level == config.Off || score.Meets(r.Value, float64(all)) {
		return
	}
	said := fmt.Sprintf("%s of high or critical severity failed, max_high_stakes_failures is %s", text.Count(all, "probe answer"), text.Decimal(r.Value))
	if base != nil {
		said += fmt.Sprintf(" (before %d)", base.Overall.HighStakesFailures)
	}
	w := fails
	if score.Meets(r.Value, float64(all-missing)) {
		said += fmt.Sprintf("; %s never came", text.Count(missing, "of them", "of them"))
		w = suspends
	}
	j.add(r.Level, w, report.Reason{Code: report.CodeHighStakes, Message: said})
}

func (j *judgement) severityWeighted(m measured, head, base *risk.Aggregates) {
	known := func(v *float64) func() (float64, bool) {
		return func() (float64, bool) {
			if v == nil {
				return 0, false
			}
			return *v, true
		}
	}
	o := head.Overall
	j.bar(j.gate.MinWeighted, m, known(o.SeverityWeightedRate), known(o.AnsweredWeightedRate), func(got, bar string) report.Reason {
		text := fmt.Sprintf("severity-weighted pass rate%s %s is below min_severity_weighted_pass_rate %s", m.over, got, bar)
		if base != nil && base.Overall.SeverityWeightedRate != nil {
			text += fmt.Sprintf(" (before %s)", score.Figure(*base.Overall.SeverityWeightedRate))
		}
		return report.Reason{Code: report.CodeWeighted, Message: text}
	})
}
