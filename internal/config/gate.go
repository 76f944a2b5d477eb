package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suiteid"
)

// Defaults of the statistics.
const (
	defaultConfirm = 8
	defaultAlpha   = 0.01
)

// defaultGate returns the gate of a file without settings. Its figures for drops and missing answers are those for
// noisy cases; see Drop and Unscored.
func defaultGate(phase Phase) Gate {
	g := Gate{Mode: ModeAuto, Trials: 1, Confirm: defaultConfirm, Pooled: PooledOn, Alpha: defaultAlpha, FailOn: FailOnError}
	for k, key := range keys {
		g.Settings[k] = key.normal
	}
	g.Settings[MinRunScore].Value = phase.Bar()
	return g
}

// For returns the gate for a head. For a fork, some levels are stricter by default, because a maintainer must approve
// a stranger's change of rules or expectations. A level in the file applies to everybody.
func (g Gate) For(fork bool) Gate {
	for k, key := range keys {
		if fork && key.fork != "" && !g.Settings[k].Set {
			g.Settings[k].Level = key.fork
		}
	}
	return g
}

// At returns the setting of a key.
func (g Gate) At(k Key) Setting { return g.Settings[k] }

// Unscored returns the rule on missing answers, for noisy cases or for strict ones. By default, no answer to a strict
// case may be missing, because a recording has all answers.
func (g Gate) Unscored(noisy bool) Setting {
	if s := g.At(MaxUnscored); noisy || s.Set {
		return s
	}
	return Setting{Level: g.At(MaxUnscored).Level}
}

// Drop returns the rule on a drop of the score. The parameter several is true for cases with several answers per side.
// By default, the rule is off for a case with one answer per side, and only flips decide about such a case.
func (g Gate) Drop(several bool) Setting {
	if s := g.At(MaxDrop); several || s.Set {
		return s
	}
	return Setting{Level: Off}
}

// readGate reads the parts of the gate that the method entries does not list.
func readGate(r *reader, n *document.Node, g *Gate) {
	for k, key := range keys {
		if key.unit == levelOnly {
			g.Settings[k].Set = wordOf(n.Get(key.name)) != ""
		}
	}
	checkNoise(r, *g, n)
	g.Quarantine = readQuarantine(r, n.Get("quarantine"))
}

func readQuarantine(r *reader, list *document.Node) (out []Quarantine) {
	for _, n := range list.List() {
		q := Quarantine{ID: n.Get("id").AsText(), Reason: n.Get("reason").AsText(), Expires: n.Get("expires").AsText(), Pos: n.Pos}
		if _, err := time.Parse(time.DateOnly, q.Expires); err != nil && len(q.Expires) == len(time.DateOnly) {
			r.ErrorAt(n.Get("expires").Pos, "date", "expires %s is not a date", document.Quote(q.Expires))
		}
		if q.ID != "" && slices.ContainsFunc(out, func(o Quarantine) bool { return o.ID == q.ID }) {
			r.ErrorAt(n.Get("id").Pos, "duplicate-id", "case %s is in quarantine already; keep one entry", document.Quote(q.ID))
		}
		out = append(out, q)
	}
	return out
}

// On returns the gate with only the quarantines that apply on a day, and the expired quarantines. The day has the form
// 2006-01-02.
func (g Gate) On(day string) (now Gate, expired []Quarantine) {
	now = g
	now.Quarantine = nil
	for _, q := range g.Quarantine {
		if q.Expires < day {
			expired = append(expired, q)
		} else {
			now.Quarantine = append(now.Quarantine, q)
		}
	}
	return now, expired
}

// Quarantines reports whether a case is in quarantine, for its suite's target or for all targets.
func (g Gate) Quarantines(suiteID, caseID string) bool {
	return slices.ContainsFunc(g.Quarantine, func(q Quarantine) bool {
		return q.ID == suiteID+"/"+caseID || q.ID == suiteid.AuthorID(suiteID)+"/"+caseID
	})
}

func (g *Gate) recheck() string {
	if g.Recheck == nil {
		return "auto"
	}
	return fmt.Sprint(*g.Recheck)
}

// quarantined formats the list of quarantines, so that a change of it can be shown.
func (g *Gate) quarantined() string {
	var parts []string
	for _, q := range g.Quarantine {
		parts = append(parts, fmt.Sprintf("%s until %s (%s)", q.ID, q.Expires, q.Reason))
	}
	return strings.Join(parts, ", ")
}

// gateKey is the prefix of the keys of the gate.
const gateKey = "gate."

// entries returns the entries of the gate with pointers to g's fields, in the order of the file's reference page.
func (g *Gate) entries() (out []entry) {
	for k, key := range keys {
		at := &g.Settings[k]
		e := entry{gateKey + key.name, at, nil}
		switch {
		case key.unit == levelOnly:
			e.at = &at.Level
		case key.unlike:
			e.said = at.unlike
		}
		out = append(out, e)
	}
	return append(out, []entry{
		{"gate.fail_on", &g.FailOn, nil},
		{"gate.mode", &g.Mode, nil},
		{"gate.trials", &g.Trials, nil},
		{"gate.confirm", &g.Confirm, nil},
		{"gate.pooled", &g.Pooled, nil},
		{"gate.recheck", &g.Recheck, g.recheck},
		{"gate.alpha", &g.Alpha, nil},
		{"gate.quarantine", nil, g.quarantined},
	}...)
}

// settingOf reads a setting such as 0.85, off, or {value: 0.85, level: warn}.
func settingOf(n *document.Node, setting Setting) Setting {
	if wordOf(n) == string(Off) {
		return Setting{Level: Off, Set: true}
	}
	figure, level := n, Err
	if n.AsMap() != nil {
		figure = n.Get("value")
		level = cmp.Or(Level(wordOf(n.Get("level"))), level)
	}
	if v, ok := figure.AsNumber(); ok {
		return Setting{Value: v, Level: level, Set: true}
	}
	return setting
}

// Stricter returns the gate g with those settings of head that are stricter than the ones of g. It also returns the
// keys of these settings. Only keys in allowed, such as gate.min_run_score, are considered; nil allows all keys. If an
// entry of the base has an error, g has its default, and the head may set a stricter value.
func (g Gate) Stricter(head Gate, allowed []string) (out Gate, taken []string) {
	for k, other := range head.Settings {
		key := gateKey + Key(k).String()
		if allowed != nil && !slices.Contains(allowed, "gate") && !slices.Contains(allowed, key) {
			continue
		}
		if stricter(other, g.Settings[k], Key(k)) {
			g.Settings[k], taken = other, append(taken, key)
		}
	}
	slices.Sort(taken)
	return g, taken
}

// stricter reports whether a is a stricter setting of the key k than b.
func stricter(a, b Setting, k Key) bool {
	switch {
	case a.Level != b.Level:
		return a.Level.Stricter(b.Level)
	case a.Level == Off, k.IsLevel():
		return false
	case k.atLeast():
		return a.Value > b.Value
	}
	return a.Value < b.Value
}

// Stricter reports whether a level is stricter than another.
func (l Level) Stricter(than Level) bool { return rank(l) > rank(than) }

func rank(l Level) int { return slices.Index([]Level{Off, Warn, Err}, l) }

const (
	mostLooks      = 3 // tests that share alpha: all first answers, flipped cases, and the recheck
	enoughTrials   = 4 // first answers per case that can show a drop without reruns
	leastAlpha     = 0.001
	mostOfAnything = 100
)

// checkNoise rejects settings that could never confirm a regression, because the gate would then pass anything.
func checkNoise(r *reader, g Gate, n *document.Node) {
	if g.Mode == ModeStrict || g.Alpha < leastAlpha || g.Confirm > mostOfAnything {
		return // flips need no confirmation, or the schema rejects the value
	}
	at := cmp.Or(n.Get("confirm"), n.Get("alpha"), n)
	switch level := g.Alpha / mostLooks; {
	case g.Confirm == 0 && g.Trials < enoughTrials:
		r.ErrorAt(at.Pos, "proves-nothing", "confirm is 0 and trials is %d: flipped cases are not rerun, and so few "+
			"answers cannot confirm a regression; "+
			"set confirm to %d, or trials to %d or more", g.Trials, defaultConfirm, enoughTrials)
	case g.Confirm > 0 && stats.Provable(g.Confirm, level) == 0:
		enough := g.Confirm
		for stats.Provable(enough, level) == 0 {
			enough++
		}
		r.ErrorAt(at.Pos, "proves-nothing", "confirm is %d, which cannot confirm a regression at alpha %s; set "+
			"confirm to %d or more", g.Confirm, strconv.FormatFloat(g.Alpha, 'g', -1, 64), enough)
	}
}

// Faults describes the gate's values that a configuration file cannot set. A report that was edited by hand may have
// such values.
func (g *Gate) Faults() (wrong []string) {
	if g == nil {
		return nil
	}
	hold := func(sound bool, format string, args ...any) {
		if !sound {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	within := func(v, limit float64) bool { return v >= 0 && v <= limit }
	for k, setting := range g.Settings {
		key := gateKey + Key(k).String()
		hold(rank(setting.Level) >= 0, "%s has the level %q; expected off, warn or error", key, setting.Level)
		switch keys[k].unit {
		case count:
			hold(within(setting.Value, math.MaxInt32), "%s is %v; expected 0 or more", key, setting.Value)
		case share:
			hold(within(setting.Value, 1), "%s is %v; expected 0 to 1", key, setting.Value)
		}
	}
	for _, n := range []*int{&g.Trials, &g.Confirm, g.Recheck} {
		hold(n == nil || within(float64(*n), mostOfAnything), "gate.trials, gate.confirm or gate.recheck is out "+
			"of range")
	}
	hold(g.Alpha >= 0 && g.Alpha < 1, "gate.alpha is %v; expected 0.001 to 0.05", g.Alpha)
	hold(g.Pooled == PooledOn || g.Pooled == PooledOff, "gate.pooled is %q; expected on or off", g.Pooled)
	hold(g.FailOn == FailOnError || g.FailOn == FailOnNever, "gate.fail_on is %q; expected error or never", g.FailOn)
	return wrong
}
