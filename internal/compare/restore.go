package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// Restore puts back what a stored report leaves out because the results beside it tell it: the cases that pass as before, in their
// places among the changes. The sides are joined. The error is that a result could not be read back.
func Restore(rep *report.Report, base, head *report.Side) error {
	type id struct{ suite, name string }
	told := map[id]report.Change{}
	for _, c := range rep.Changes.All() {
		told[id{c.SuiteID, c.CaseID}] = c
	}
	d := newDescriber(base, head)
	var all []report.Change
	pairs := pair(base, head, rep.GateOr(config.Gate{})).pairs
	plain := plainOutcomes(pairs)
	for _, s := range pairs {
		for p := range s.all() {
			name := id{s.id, s.name(p)}
			c, ok := told[name]
			if delete(told, name); !ok {
				p.last = short(report.StillPassing)
				said, err := d.said(p)
				if err != nil {
					return err
				}
				c = plain.change(s, p, said)
			}
			all = append(all, c)
		}
	}
	if len(told) == 0 { // else these are the results of another run
		rep.Changes = report.ChangesOf(slices.Clip(all)...)
	}
	return nil
}
