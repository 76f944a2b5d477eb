package config

import (
	"cmp"
	"strconv"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/stats"
)

const (
	mostLooks      = 3 // that share alpha: all first answers, the cases that flipped, the recheck
	enoughTrials   = 4 // first answers of a case by which its fall shows, where nothing is asked again
	leastAlpha     = 0.001
	mostOfAnything = 100
)

// checkNoise refuses settings by which nothing could ever be proven: a gate that passes whatever it is shown.
func (r *reader) checkNoise(g Gate, n *document.Node) {
	if g.Mode == ModeStrict || g.Alpha < leastAlpha || g.Alpha > 1 || g.Confirm > mostOfAnything {
		return // nothing is to be proven, or the schema refuses it
	}
	at := cmp.Or(n.Get("confirm"), n.Get("alpha"), n)
	switch level := g.Alpha / mostLooks; {
	case g.Confirm == 0 && g.Trials < enoughTrials:
		r.errorAt(at, "proves-nothing", "confirm is 0 and trials is %d: a case that flips is not asked again, and so few answers prove nothing; "+
			"set confirm to %d, or trials to %d or more", g.Trials, defaultConfirm, enoughTrials)
	case g.Confirm > 0 && stats.Provable(g.Confirm, level) == 0:
		r.errorAt(at, "proves-nothing", "confirm is %d, which proves nothing at an alpha of %s: so few answers come out all right on the base and all wrong here "+
			"more often than that by chance; set confirm to %d or more", g.Confirm, strconv.FormatFloat(g.Alpha, 'g', -1, 64), leastConfirm(level))
	}
}

// leastConfirm is the fewest rounds that prove a case broken at a level.
func leastConfirm(level float64) int {
	for m := 1; m < mostOfAnything; m++ {
		if stats.Provable(m, level) > 0 {
			return m
		}
	}
	return mostOfAnything
}
