package score

import "iter"

// Mean is a weighted mean that values are added to one at a time. The zero value is ready. Sums are kept in the order
// of the calls, so equal input in equal order gives equal bits.
type Mean struct{ sum, weight float64 }

// Add counts value with weight; a weight of 0 never enters, not even with a NaN.
func (m *Mean) Add(value, weight float64) {
	if weight == 0 {
		return
	}
	// The conversions keep a compiler from fusing the product into the sum, which would differ between machines.
	m.sum += float64(value * weight)
	m.weight += weight
}

// Value returns the mean, and false when nothing with a weight was added.
func (m Mean) Value() (mean float64, ok bool) {
	if m.weight == 0 {
		return 0, false
	}
	return m.sum / m.weight, true
}

// Join adds what another mean has gathered.
func (m *Mean) Join(other Mean) {
	m.sum += other.sum
	m.weight += other.weight
}

// Tally counts the trials of one case. Unscored trials are among Trials and never among Passed.
type Tally struct{ Passed, Trials, Unscored int }

// Score is the mean accuracy of all trials, unscored ones counting 0 (document 000, section 2), and false when the
// case has no trial.
func (t Tally) Score() (mean float64, ok bool) { return share(t.Passed, t.Trials) }

// Answered is the mean accuracy of the trials that have an answer to judge, and false when none has.
func (t Tally) Answered() (mean float64, ok bool) { return share(t.Passed, t.Trials-t.Unscored) }

func share(part, whole int) (float64, bool) {
	if whole <= 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// Suite returns the suite score of document 000, section 3: the mean over the cases of the mean over their trials, in
// [0, 1], and false when there is no result to average. Over the cases of all suites it is the micro score.
func Suite(cases iter.Seq[Tally]) (mean float64, ok bool) { return average(cases, Tally.Score) }

// SuiteAnswered is the suite score over the trials that have an answer to judge, and false when none has.
func SuiteAnswered(cases iter.Seq[Tally]) (mean float64, ok bool) {
	return average(cases, Tally.Answered)
}

func average(cases iter.Seq[Tally], of func(Tally) (float64, bool)) (float64, bool) {
	var m Mean
	for c := range cases {
		if s, ok := of(c); ok {
			m.Add(s, 1)
		}
	}
	return m.Value()
}

// Weighted is a suite score with the suite's weight in the run score.
type Weighted struct{ Score, Weight float64 }

// Run returns the run score of document 000, section 4: the mean of the suite scores, weighted if weights are set, in
// [0, 1], and false when no suite has a score. A suite without a result is left out by the caller, never counted as 0.
func Run(suites []Weighted) (mean float64, ok bool) {
	var m Mean
	for _, s := range suites {
		m.Add(s.Score, s.Weight)
	}
	return m.Value()
}
