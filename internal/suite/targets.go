package suite

import (
	"cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/suiteid"
)

// named is a target's name where it stands.
type named struct {
	name string
	at   document.Position
}

// answeredBy returns the suite as it is answered: one for each of its targets, which differ in their ids and in nothing that the file says.
// root may be nil for a file that cannot say who answers.
func (f *file) answeredBy(s *Suite, root *document.Node) []*Suite {
	targets := f.targets(s, root)
	out := make([]*Suite, len(targets))
	for i, t := range targets {
		one := *s
		if one.Target = t.name; len(targets) > 1 {
			one.ID = suiteid.Of(s.ID, t.name)
		}
		in := f.config.Targets[t.name]
		if one.Trials = cmp.Or(s.Trials, in.Trials); in.Live() { // a recording has as many answers as were recorded
			one.Trials = cmp.Or(one.Trials, f.config.Gate.Trials)
		}
		one.Trials = max(one.Trials, 1)
		f.knows(t)
		out[i] = &one
	}
	f.apart(targets)
	return out
}

// answered returns the suite as it is answered, when read has gathered its cases for each of its targets; nil gathers none.
func (f *file) answered(s *Suite, root *document.Node, read func(*Suite) *collector) []*Suite {
	all, collectors := f.answeredBy(s, root), []*collector{}
	for _, one := range all {
		if c := read(one); c != nil {
			collectors = append(collectors, c)
		}
	}
	closeAll(collectors)
	return all
}

// targets are who answers the suite, at least one.
func (f *file) targets(s *Suite, root *document.Node) (out []named) {
	one, list := root.Get("target"), root.Get("targets")
	if one != nil && list != nil {
		f.faults.errorAt(list.Pos, "target", "both `target` and `targets` say who answers; keep `targets`")
	}
	for _, at := range list.List() {
		if name := at.AsText(); name != "" {
			out = append(out, named{name, at.Pos})
		}
	}
	switch name := one.AsText(); {
	case len(out) > 0:
	case name != "":
		out = []named{{name, one.Pos}}
	default:
		for _, name := range f.config.DefaultTargets {
			out = append(out, named{name, s.Pos})
		}
	}
	if len(out) == 0 {
		f.faults.errorAt(s.Pos, "target", "the suite names no `target` and the configuration no `default_target`")
		out = []named{{at: s.Pos}}
	}
	return out
}

// knows reports a target that the configuration in force has not.
func (f *file) knows(t named) {
	_, known := f.config.Targets[t.name]
	why, withheld := f.config.Withheld[t.name]
	switch {
	case known, t.name == "":
	case withheld:
		f.faults.errorAt(t.at, "target", "target %s %s", document.Quote(t.name), why)
	default:
		f.faults.errorAt(t.at, "target", "target %s is not in the configuration%s", document.Quote(t.name), meant(t.name, f.config.Targets))
	}
}

// apart refuses two of a suite's targets whose answers would be the lines of one file: each of them would be answered by the other's.
func (f *file) apart(targets []named) {
	of := map[string]string{}
	for _, named := range targets {
		t := f.config.Targets[named.name]
		if other := of[t.Path]; t.Path != "" && other != "" && other != t.Name {
			f.faults.errorAt(named.at, "target", "targets %s and %s both read the recordings %s, in which nothing tells their answers apart; give each a `path` of its own",
				document.Quote(other), document.Quote(t.Name), document.Quote(t.Path))
		}
		of[t.Path] = t.Name
	}
}
