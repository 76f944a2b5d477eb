package config

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Key is the number of a setting of the gate. Each setting belongs to one rule and has a level.
type Key int

// The keys, in the order in which changes of them are listed.
const (
	MinRunScore Key = iota
	MaxRegressions
	MaxDrop
	MaxUnscored
	MaxUnverified
	MinCases
	MaxExposure
	MaxHighStakes
	MinWeighted
	MaxCostIncrease
	OnRemoved
	OnRedefined
	OnExpectationRemoved
	OnMustPassChange
	OnPolicyChange
	OnInconclusive
	OnUntestedPrompt
	keyCount
)

// keys describes each Key. Tests compare it with `gate` of schemas/config.schema.json and report.schema.json.
var keys = [keyCount]struct {
	name      string
	levelOnly bool    // the setting is a level without a figure
	atLeast   bool    // the figure is a minimum; otherwise it is a maximum
	normal    Setting // the default
	// fork is the default level for a fork; "" means the level of normal.
	fork Level
	// unlike is set if the default has another effect than a file that sets the same figure.
	unlike bool
}{
	// The phase sets the figure.
	MinRunScore:          {name: "min_run_score", atLeast: true, normal: Setting{Level: Err}, unlike: true},
	MaxRegressions:       {name: "max_regressions", normal: Setting{Level: Err}},
	MaxDrop:              {name: "max_drop", normal: Setting{Value: 0.02, Level: Err}, unlike: true},
	MaxUnscored:          {name: "max_unscored", normal: Setting{Value: 0.05, Level: Err}, unlike: true},
	MaxUnverified:        {name: "max_unverified", normal: Setting{Level: Off}},
	MinCases:             {name: "min_cases", atLeast: true, normal: Setting{Level: Off}},
	MaxExposure:          {name: "max_exposure", normal: Setting{Level: Off}},
	MaxHighStakes:        {name: "max_high_stakes_failures", normal: Setting{Level: Off}},
	MinWeighted:          {name: "min_severity_weighted_pass_rate", atLeast: true, normal: Setting{Level: Off}},
	MaxCostIncrease:      {name: "max_cost_increase", normal: Setting{Level: Off}},
	OnRemoved:            {name: "on_removed", levelOnly: true, normal: Setting{Level: Warn}, fork: Err},
	OnRedefined:          {name: "on_redefined", levelOnly: true, normal: Setting{Level: Warn}, fork: Err},
	OnExpectationRemoved: {name: "on_expectation_removed", levelOnly: true, normal: Setting{Level: Err}},
	OnMustPassChange:     {name: "on_must_pass_change", levelOnly: true, normal: Setting{Level: Err}},
	OnPolicyChange:       {name: "on_policy_change", levelOnly: true, normal: Setting{Level: Warn}, fork: Err},
	OnInconclusive:       {name: "on_inconclusive", levelOnly: true, normal: Setting{Level: Warn}},
	OnUntestedPrompt:     {name: "on_untested_prompt", levelOnly: true, normal: Setting{Level: Warn}},
}

// Keys returns all keys in the order of the constants.
func Keys() []Key {
	all := make([]Key, keyCount)
	for i := range all {
		all[i] = Key(i)
	}
	return all
}

// String returns the name of the key in the file, such as max_drop.
func (k Key) String() string { return keys[k].name }

// IsLevel reports whether the setting is a level without a figure.
func (k Key) IsLevel() bool { return keys[k].levelOnly }

// Setting is the value of a key. Value has no meaning if Level is Off, or if the key has only a level.
type Setting struct {
	Value float64 `json:"value"`
	Level Level   `json:"level"`
	Set   bool    `json:"named,omitempty"` // set by the configuration or an input; false: a default
}

// gateFields is a Gate without its methods. Its JSON has no settings.
type gateFields Gate

// jsonValue returns a pointer to the part of g that JSON has for the key k.
func (g *Gate) jsonValue(k Key) any {
	if k.IsLevel() {
		return &g.Settings[k].Level
	}
	return &g.Settings[k]
}

// MarshalJSON returns an object with the value of each key, then the other fields of g.
func (g Gate) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for _, k := range Keys() {
		value, err := json.Marshal(g.jsonValue(k))
		if err != nil {
			return nil, err
		}
		out = fmt.Appendf(out, "%q:%s,", k, value)
	}
	others, err := json.Marshal(gateFields(g))
	return append(out, others[1:]...), err
}

// UnmarshalJSON reads the gate of a report. A missing setting gets its default.
func (g *Gate) UnmarshalJSON(text []byte) error {
	*g = defaultGate(Baseline)
	var values map[string]json.RawMessage
	err := errors.Join(json.Unmarshal(text, &values), json.Unmarshal(text, (*gateFields)(g)))
	for _, k := range Keys() {
		if value, ok := values[k.String()]; ok {
			err = errors.Join(err, json.Unmarshal(value, g.jsonValue(k)))
		}
	}
	return err
}
