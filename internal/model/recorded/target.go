package recorded

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// Target is the live target that gave a recorded answer, with its settings at that time.
type Target struct {
	Name        string   `json:"name"`
	Provider    string   `json:"provider"`
	Model       string   `json:"model,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	MaxTokens   *int     `json:"max_tokens,omitempty"`

	Settings map[string]string `json:"settings,omitempty"` // further settings, by key
}

// AnswersAlike reports whether two targets answer the request of a recorded case with equal settings. What the request
// sets itself, as a prompt file does, is not the target's.
func (t Target) AnswersAlike(other Target, q model.Request) bool {
	return t.with(q).Equals(other.with(q))
}

// with returns the target with the model and parameters that the request of a recorded case sets itself.
func (t Target) with(q model.Request) Target {
	t.Model = cmp.Or(q.Model, t.Model)
	t.Temperature = cmp.Or(q.Parameters.Temperature, t.Temperature)
	t.TopP = cmp.Or(q.Parameters.TopP, t.TopP)
	t.MaxTokens = cmp.Or(q.Parameters.MaxTokens, t.MaxTokens)
	return t
}

// Equals reports whether two targets have equal settings, whatever their names.
func (t Target) Equals(other Target) bool { return t.firstDifference(other) == "" }

// quotedValue returns a name or value from a pull request. If it is not plain, it is quoted, so that it cannot continue
// the message around it.
func quotedValue(value string) string {
	if value == unset || plainValue.MatchString(value) {
		return value
	}
	return document.Quote(value)
}

var plainValue = regexp.MustCompile(`^[A-Za-z0-9._:/@+-]{1,100}$`)

// firstDifference finds the first setting whose value differs between t and other. It returns the setting's name and
// its value in t, or "" if all settings are equal.
func (t Target) firstDifference(other Target) string {
	theirs := other.settings()
	for i, s := range t.settings() {
		if s != theirs[i] {
			return s[0] + " " + quotedValue(s[1])
		}
	}
	names := slices.Collect(maps.Keys(t.Settings))
	names = slices.AppendSeq(names, maps.Keys(other.Settings))
	for _, name := range slices.Sorted(slices.Values(names)) {
		if value := t.Settings[name]; value != other.Settings[name] {
			return quotedValue(name) + " " + quotedValue(cmp.Or(value, unset))
		}
	}
	return ""
}

// settings returns the settings of a target that an answer depends on, by name.
func (t Target) settings() [5][2]string {
	return [...][2]string{{"provider", t.Provider}, {"model", t.Model}, {"temperature", formatSetting(t.Temperature)},
		{"top_p", formatSetting(t.TopP)}, {"max_tokens", formatSetting(t.MaxTokens)}}
}

const unset = "(none)"

func formatSetting[T int | float64](v *T) string {
	if v == nil {
		return unset
	}
	return fmt.Sprint(*v)
}
