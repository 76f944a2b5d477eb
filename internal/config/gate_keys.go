package config

import (
	"encoding/json"
	"fmt"
	"reflect"
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

// GateJSON is the type of a gate in JSON: a field for each key, of type Setting or Level, then the fields of Gate.
var GateJSON = func() reflect.Type {
	var fields []reflect.StructField
	for k, key := range keys {
		f := reflect.StructField{Name: fmt.Sprint("Key", k), Type: reflect.TypeFor[Setting](), Tag: reflect.StructTag(`json:"` + key.name + `"`)}
		if key.levelOnly {
			f.Type = reflect.TypeFor[Level]()
		}
		fields = append(fields, f)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Gate]()) {
		if f.Tag.Get("json") != "-" {
			fields = append(fields, f)
		}
	}
	return reflect.StructOf(fields)
}()

// eachField calls visit with each field of a value of GateJSON, and with the part of g that it stands for.
func (g *Gate) eachField(inJSON reflect.Value, visit func(inJSON, own reflect.Value)) {
	for i := range inJSON.NumField() {
		var own reflect.Value
		switch k := Key(i); {
		case k >= keyCount:
			own = reflect.ValueOf(g).Elem().FieldByName(GateJSON.Field(i).Name)
		case k.IsLevel():
			own = reflect.ValueOf(&g.Settings[k].Level).Elem()
		default:
			own = reflect.ValueOf(&g.Settings[k]).Elem()
		}
		visit(inJSON.Field(i), own)
	}
}

// MarshalJSON returns the gate in the form of GateJSON.
func (g Gate) MarshalJSON() ([]byte, error) {
	out := reflect.New(GateJSON).Elem()
	g.eachField(out, func(inJSON, own reflect.Value) { inJSON.Set(own) })
	return json.Marshal(out.Interface())
}

// UnmarshalJSON reads the gate of a report. A missing setting gets its default.
func (g *Gate) UnmarshalJSON(text []byte) error {
	*g = defaultGate(Baseline)
	read := reflect.New(GateJSON)
	g.eachField(read.Elem(), func(inJSON, own reflect.Value) { inJSON.Set(own) })
	if err := json.Unmarshal(text, read.Interface()); err != nil {
		return err
	}
	g.eachField(read.Elem(), func(inJSON, own reflect.Value) { own.Set(inJSON) })
	return nil
}
