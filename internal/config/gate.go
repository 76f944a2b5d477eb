package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suiteid"
)

// Defaults of Gate.Confirm and Gate.Alpha.
const (
	defaultConfirm = 8
	defaultAlpha   = 0.01
)

// defaultGate returns the gate of a configuration that sets no key of the gate. Its values for MaxDrop and MaxUnscored
// are the defaults for noisy cases. DropSetting and UnscoredSetting return the defaults for other cases.
func defaultGate(phase Phase) Gate {
	g := Gate{Mode: ModeAuto, Trials: 1, Confirm: defaultConfirm, Pooled: PooledOn, Alpha: defaultAlpha, FailOn: FailOnError}
	for k, key := range keys {
		g.Settings[k] = key.normal
	}
	g.Settings[MinRunScore].Value = phase.Threshold()
	return g
}

// ForHead returns the gate that applies to a head. fork reports whether the head comes from a fork. For a fork, some
// default levels are stricter, because a maintainer must approve a stranger's change of rules or expectations. A level
// that the file sets applies to every head.
func (g Gate) ForHead(fork bool) Gate {
	for k, key := range keys {
		if fork && key.fork != "" && !g.Settings[k].Set {
			g.Settings[k].Level = key.fork
		}
	}
	return g
}

// Setting returns the setting of the key k.
func (g Gate) Setting(k Key) Setting { return g.Settings[k] }

// UnscoredSetting returns the setting for missing answers to noisy cases, or to strict cases if noisy is false. If the
// file does not set it, no answer to a strict case may be missing, because a recording has all answers.
func (g Gate) UnscoredSetting(noisy bool) Setting {
	if s := g.Setting(MaxUnscored); noisy || s.Set {
		return s
	}
	return Setting{Level: g.Setting(MaxUnscored).Level}
}

// DropSetting returns the setting for a drop of the score. several reports whether the cases have several answers per
// side. If the file does not set it, the rule is off for cases with one answer per side, because only flips decide
// about these.
func (g Gate) DropSetting(several bool) Setting {
	if s := g.Setting(MaxDrop); several || s.Set {
		return s
	}
	return Setting{Level: Off}
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

// ActiveOn returns the gate with only the quarantines that apply on the given day. expired has the quarantines that
// ended before that day. day has the form 2006-01-02.
func (g Gate) ActiveOn(day string) (active Gate, expired []Quarantine) {
	active = g
	active.Quarantine = nil
	for _, q := range g.Quarantine {
		if q.Expires < day {
			expired = append(expired, q)
		} else {
			active.Quarantine = append(active.Quarantine, q)
		}
	}
	return active, expired
}

// IsQuarantined reports whether the case is in quarantine. An entry names the suite either with its target, or without
// a target to mean all targets.
func (g Gate) IsQuarantined(suiteID, caseID string) bool {
	return slices.ContainsFunc(g.Quarantine, func(q Quarantine) bool { return q.Holds(suiteID, caseID) })
}

// UnusedQuarantines returns the quarantines that name none of the cases. The function cases passes each case to yield.
func (g Gate) UnusedQuarantines(cases func(yield func(suiteID, caseID string))) []Quarantine {
	unused := slices.Clone(g.Quarantine)
	cases(func(suiteID, caseID string) {
		unused = slices.DeleteFunc(unused, func(q Quarantine) bool { return q.Holds(suiteID, caseID) })
	})
	return unused
}

// UnusedText says that no case has the name of q.
func (q Quarantine) UnusedText() string {
	return "no case is called " + document.Quote(q.ID) + ", which is in quarantine; correct the id, as SUITE/CASE, or remove the entry"
}

// Holds reports whether q names the case.
func (q Quarantine) Holds(suiteID, caseID string) bool {
	return q.ID == suiteID+"/"+caseID || q.ID == suiteid.AuthorID(suiteID)+"/"+caseID
}

func (g *Gate) recheckText() string {
	if g.Recheck == nil {
		return "auto"
	}
	return fmt.Sprint(*g.Recheck)
}

// quarantineText returns the quarantines as one text, so that a change of them can be shown.
func (g *Gate) quarantineText() string {
	var parts []string
	for _, q := range g.Quarantine {
		parts = append(parts, fmt.Sprintf("%s until %s (%s)", q.ID, q.Expires, q.Reason))
	}
	return strings.Join(parts, ", ")
}

// gatePrefix is the prefix of the keys of gate settings, such as gate.max_drop.
const gatePrefix = "gate."

// entries returns the entries of the gate, in the order in which changes are listed. Their pointers are to fields of g.
func (g *Gate) entries() (out []entry) {
	for k, key := range keys {
		setting := &g.Settings[k]
		e := entry{gatePrefix + key.name, setting, nil}
		switch {
		case key.levelOnly:
			e.meaningFunc = func() string { return string(setting.Level) }
		case key.unlike:
			e.meaningFunc = setting.meaningWithDefault
		}
		out = append(out, e)
	}
	return append(out, []entry{
		{"gate.fail_on", &g.FailOn, nil},
		{"gate.mode", &g.Mode, nil},
		{"gate.trials", &g.Trials, nil},
		{"gate.confirm", &g.Confirm, nil},
		{"gate.pooled", &g.Pooled, nil},
		{"gate.recheck", &g.Recheck, g.recheckText},
		{"gate.alpha", &g.Alpha, nil},
		{"gate.quarantine", nil, g.quarantineText},
	}...)
}

// settingOf reads a setting such as 0.85, warn, off, or {value: 0.85, level: warn}. If n has another form, it returns
// setting unchanged. The schema rejects a form that the key cannot have.
func settingOf(n *document.Node, setting Setting) Setting {
	if level := Level(wordOf(n)); level != "" {
		return Setting{Level: level, Set: true}
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

// WithStricter returns g with each stricter setting of head in place of its own. taken has the sorted keys of these
// settings. Only keys in allowed, such as gate.min_run_score, are considered. If allowed is nil or contains the key
// gate, every key is considered.
func (g Gate) WithStricter(head Gate, allowed []string) (out Gate, taken []string) {
	for k, other := range head.Settings {
		key := gatePrefix + Key(k).String()
		if allowed != nil && !slices.Contains(allowed, "gate") && !slices.Contains(allowed, key) {
			continue
		}
		if isStricter(other, g.Settings[k], Key(k)) {
			g.Settings[k], taken = other, append(taken, key)
		}
	}
	slices.Sort(taken)
	return g, taken
}

// isStricter reports whether the setting a of the key k is stricter than the setting b.
func isStricter(a, b Setting, k Key) bool {
	switch {
	case a.Level != b.Level:
		return a.Level.Stricter(b.Level)
	case a.Level == Off:
		return false
	case keys[k].atLeast:
		return a.Value > b.Value
	}
	return a.Value < b.Value
}

// Stricter reports whether l is stricter than the level than. The order is off, warn, error.
func (l Level) Stricter(than Level) bool { return rank(l) > rank(than) }

func rank(l Level) int { return slices.Index([]Level{Off, Warn, Err}, l) }

const (
	alphaTests   = 3     // tests that share alpha: of all first answers, of flipped cases, and of the recheck
	enoughTrials = 4     // smallest number of first answers per case that can show a drop without reruns
	leastAlpha   = 0.001 // smallest alpha that the schema allows
	maxAnswers   = 100   // largest number of trials, of confirming reruns and of recheck reruns
)

// checkConfirmable rejects settings with which no regression can be confirmed. With such settings, the gate would pass
// every change.
func checkConfirmable(r *reader, g Gate, n *document.Node) {
	if g.Mode == ModeStrict || g.Alpha < leastAlpha || g.Confirm > maxAnswers {
		return // flips need no confirmation, or the schema rejects the value
	}
	node := cmp.Or(n.Get("confirm"), n.Get("alpha"), n)
	switch level := g.Alpha / alphaTests; {
	case g.Confirm == 0 && g.Trials < enoughTrials:
		r.ErrorAt(node.Pos, "proves-nothing", "confirm is 0 and trials is %d: flipped cases are not rerun, and so few "+
			"answers cannot confirm a regression; "+
			"set confirm to %d, or trials to %d or more", g.Trials, defaultConfirm, enoughTrials)
	case g.Confirm > 0 && stats.MaxProvable(g.Confirm, level) == 0:
		reruns := g.Confirm
		for stats.MaxProvable(reruns, level) == 0 {
			reruns++
		}
		r.ErrorAt(node.Pos, "proves-nothing", "confirm is %d, which cannot confirm a regression at alpha %s; set "+
			"confirm to %d or more", g.Confirm, strconv.FormatFloat(g.Alpha, 'g', -1, 64), reruns)
	}
}
