package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// note keeps how the file writes its settings, for Changes to show.
func (c *Config) note(root *document.Node) {
	c.written = map[string]string{}
	for i, key := range root.Keys {
		c.noteEntry(key.Text, root.Values[i])
	}
}

// noteEntry keeps an entry and, for those that hold others by name, each of these too.
func (c *Config) noteEntry(path string, n *document.Node) {
	c.written[path] = oneLine(n)
	for i, key := range n.Keys {
		c.noteEntry(path+"."+key.Text, n.Values[i])
	}
}

// oneLine writes a value in YAML's flow style.
func oneLine(n *document.Node) string {
	switch n.Kind {
	case document.Null:
		return "null"
	case document.String:
		if bare.MatchString(n.Text) {
			return n.Text
		}
		return strconv.Quote(n.Text)
	case document.List:
		parts := make([]string, n.Len())
		for i, item := range n.Items() {
			parts[i] = oneLine(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case document.Map:
		parts := make([]string, len(n.Keys))
		for i, key := range n.Keys {
			parts[i] = key.Text + ": " + oneLine(n.Values[i])
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return n.Text
}

// bare is text that needs no quotes to be seen as text.
var bare = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 ._/*-]*$|^[0-9]+[a-z]+$`)

// setting is one entry whose value base and head may differ in. value is equal where the meaning is equal.
type setting struct{ key, value string }

// settings lists what the base decides alone, in the order of the file's description.
func (c *Config) settings() []setting {
	g := c.Gate
	out := []setting{
		{"phase", string(c.Phase)},
		{"gate.min_run_score", g.MinRunScore.unlike()},
		{"gate.max_regressions", g.MaxRegressions.meaning()},
		{"gate.max_drop", g.MaxDrop.unlike()},
		{"gate.max_unscored", g.MaxUnscored.unlike()},
		{"gate.max_unverified", g.MaxUnverified.meaning()},
		{"gate.min_cases", g.MinCases.meaning()},
		{"gate.max_exposure", g.MaxExposure.meaning()},
		{"gate.max_high_stakes_failures", g.MaxHighStakes.meaning()},
		{"gate.min_severity_weighted_pass_rate", g.MinWeighted.meaning()},
		{"gate.on_removed", string(g.OnRemoved)},
		{"gate.on_redefined", string(g.OnRedefined)},
		{"gate.on_must_pass_change", string(g.OnMustPassChange)},
		{"gate.on_policy_change", string(g.OnPolicyChange)},
		{"gate.fail_on", g.FailOn},
		{"gate.on_inconclusive", string(g.OnInconclusive)},
		{"gate.mode", g.Mode},
		{"gate.trials", strconv.Itoa(g.Trials)},
		{"gate.confirm", strconv.Itoa(g.Confirm)},
		{"gate.recheck", g.recheck()},
		{"gate.alpha", fmt.Sprint(g.Alpha)},
		{"gate.quarantine", g.quarantined()},
		{"refusal.extra_patterns", fmt.Sprintf("%q", texts(c.Refusal.ExtraPatterns))},
		{"refusal.language", c.Refusal.Language},
	}
	out = append(out, c.Scoring.settings()...)
	out = append(out, c.Semantic.settings()...)
	out = append(out, c.Judge.settings()...)
	return append(out, []setting{
		{"recordings.stale", c.Recordings.Stale},
		{"recordings.verify", strconv.Itoa(c.Recordings.Verify)},
		{"limits.max_calls", strconv.Itoa(c.Limits.MaxCalls)},
		{"limits.max_tokens", strconv.Itoa(c.Limits.MaxTokens)},
		{"limits.max_cost_usd", fmt.Sprint(c.Limits.MaxCostUSD)},
		{"limits.max_cases", strconv.Itoa(c.Limits.MaxCases)},
		{"limits.max_wall", fmt.Sprint(c.Limits.MaxWallSeconds)},
		{"explain", strconv.Itoa(c.Explain.MaxCalls)},
		{"secrets.redact_patterns", fmt.Sprintf("%q", texts(c.Secrets.RedactPatterns))},
	}...)
}

// meaning is equal for rules that decide alike.
func (r Rule) meaning() string {
	if r.Level == Off {
		return string(Off)
	}
	return fmt.Sprint(r.Value, " ", r.Level)
}

// unlike is the meaning of a rule whose default holds otherwise than the same figure where the file names it.
func (r Rule) unlike() string {
	if r.Set || r.Level == Off {
		return r.meaning()
	}
	return r.meaning() + " by default"
}

func texts(patterns []*regexp.Regexp) []string {
	out := make([]string, len(patterns))
	for i, p := range patterns {
		out[i] = p.String()
	}
	return out
}

// meaning is equal for policies that forbid alike.
func (p Policy) meaning() string { return fmt.Sprintf("%q %v", texts(p.Patterns), p.ApplyAll) }

func optional[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}
