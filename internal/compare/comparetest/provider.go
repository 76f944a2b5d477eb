package comparetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// Rerunner answers reruns from a list for each case, which has a category of the base and one of the head for each
// rerun. After the end of the list, the last pair repeats.
type Rerunner struct {
	Base, Head report.Builder
	Reruns     int // reruns so far, each on both sides
	answers    map[string]string
	used       map[string]int
}

// NewRerunner returns a Rerunner for the scene in lines. Each element of answers is "suite/case base/head base/head …".
func NewRerunner(t testing.TB, lines []string, answers ...string) *Rerunner {
	s := &Scene{}
	s.AddLines(t, lines...)
	p := &Rerunner{Base: s.Base, Head: s.Head, answers: map[string]string{}, used: map[string]int{}}
	for _, a := range answers {
		id, rounds, _ := strings.Cut(a, " ")
		p.answers[id] = rounds
	}
	return p
}

// Rerun adds the wanted answers to both sides.
func (p *Rerunner) Rerun(wants []report.RerunRequest) error {
	for _, w := range wants {
		id := w.SuiteID + "/" + w.CaseID
		rounds := strings.Fields(p.answers[id])
		if len(rounds) == 0 {
			return fmt.Errorf("case %s was asked again", id)
		}
		for trial := w.FirstNumber; trial < w.FirstNumber+w.Rounds; trial++ {
			base, head, _ := strings.Cut(rounds[min(p.used[id], len(rounds)-1)], "/")
			p.used[id]++
			p.Reruns++
			for to, category := range map[*report.Builder]string{&p.Base: base, &p.Head: head} {
				r := Result(w.SuiteID, w.CaseID, trial, category)
				r.RerunReason = w.Reason
				if err := to.Add(r, report.Ref{}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// GateWithReruns returns the gate's defaults without a configuration file, but without a run threshold and a pooled
// test.
func GateWithReruns() config.Gate {
	g := config.Default().Gate
	g.Pooled = config.PooledOff
	g.Settings[config.MinRunScore].Level = config.Off
	return g
}

// NoisyGate returns the gate's defaults in mode noisy, without a run threshold.
func NoisyGate() config.Gate {
	g := GateWithoutReruns()
	g.Settings[config.MaxDrop], g.Settings[config.MaxUnscored] = config.Default().Gate.Settings[config.MaxDrop], config.Default().Gate.Settings[config.MaxUnscored]
	g.Mode, g.Confirm, g.Alpha, g.Settings[config.OnInconclusive].Level = config.ModeNoisy, 8, 0.01, config.Warn
	return g
}
