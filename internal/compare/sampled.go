package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
)

// sampledDrop tests whether the score of the strict cases that were sampled from a model fell beyond chance. It returns
// nil if there are no such cases. It uses the first answers alone. Cases that were sampled once a side can fail the run
// only if the gate names a max_drop; otherwise their drop is a possible one.
func sampledDrop(c Comparison, g config.Gate) *noise.Finding {
	once := func(p *Case) bool { return isStrictSampled(p) || isSampledOnce(p) }
	if g.DropSetting(false).Level != config.Off {
		return testSampled(c, g, once)
	}
	several := testSampled(c, g, isStrictSampled)
	if several != nil && (several.Drop || several.PossibleDrop) {
		return several
	}
	if all := testSampled(c, g, once); all != nil && (all.Drop || all.PossibleDrop) {
		all.Drop, all.PossibleDrop = false, true
		return all
	}
	return several
}

func testSampled(c Comparison, g config.Gate, filter func(*Case) bool) *noise.Finding {
	if c.Count(filter) == 0 {
		return nil
	}
	s := c.settings(g)
	s.Confirm, s.Recheck = 0, 0
	return new(newProcedure(c, s, filter).Finding())
}
