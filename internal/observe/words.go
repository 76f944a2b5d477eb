package observe

import "strings"

// stopWords are English words that say nothing about what a text is about. They stay in the embedding, as in
// scikit-learn's default, and only name no group.
var stopWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`
		about above after again all also always am an and any are as at be because been before being below between both but
		by can cannot could did do does doing don down each either else even ever every few for from further get give given
		go got had has have having he her here hers him his how however if in into is isn it its itself just ll let like
		made make many may me might more most much must my need no nor not now of off on once one only or other our out over
		own per please re same say says shall she should since so some such than that the their them then there these they
		this those though through to too two under until up upon us use used using ve very want was we well were what when
		where whether which while who whom whose why will with within without would yes yet you your yours`) {
		out[w] = true
	}
	return out
}()
