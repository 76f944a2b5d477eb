package suite

import (
	"cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

// override sets the model and the parameters that the file names in the request of the suite s, in place of the
// target's.
func (f *modelsFile) override(s *Suite, to *suiteRequest) {
	r := &to.request
	r.Model = cmp.Or(f.root.Get("model").AsText(), r.Model)
	f.readParameters(&r.Parameters, f.root.Get("modelParameters").AsMap())
	r.Parameters.ResponseFormat = f.root.Get("responseFormat").AsText()
	r.Parameters.JSONSchema = f.jsonSchema()
	if r.Parameters.ResponseFormat == "json_schema" && value(f.root, "jsonSchema") == nil {
		f.faults.ErrorAt(f.root.Get("responseFormat").Pos, "missing-key", "responseFormat json_schema needs `jsonSchema`")
	}
	f.limit(s, r, to.target)
}

// limit limits the model and the number of tokens that a fork's prompt file may request of a live target. It records
// the requests that it refused in the suite.
func (f *modelsFile) limit(s *Suite, q *model.Request, t config.Target) {
	if _, known := f.file.loader.config.Targets[s.Target]; known && !t.Live() {
		return
	}
	wants := config.PromptRequest{Model: q.Model, MaxTokens: q.Parameters.MaxTokens}
	may, p := f.file.loader.config.PromptBounds.Limit(s.ID, wants, t), suitePair{head: s}
	s.ignored = append(p.diffSetting("model", may.Model, wants.Model),
		p.diffSetting("max_tokens", format(may.MaxTokens), format(wants.MaxTokens))...)
	q.Model, q.Parameters.MaxTokens = may.Model, may.MaxTokens
}

// RequestChanges returns the changes of the model, the parameters and the format that prompt files request. It leaves
// out the values that both sides take from their targets, because these are changes of the targets.
func RequestChanges(both Pairing) (changes []config.Change) {
	for _, p := range both.suites() {
		for _, pair := range p.cases {
			b, h := cmp.Or(pair.BaseSuite, p.base), pair.HeadSuite
			if b == nil || h == nil || len(b.Cases) == 0 || !b.PromptFile && !h.PromptFile {
				continue
			}
			was, now := b.Cases[0].parsed, h.Cases[0].parsed
			before, after := was.settings(), now.settings()
			for i, key := range config.PromptFileKeys {
				ofTargets := before[i] == targetSettings(was.target)[i] && after[i] == targetSettings(now.target)[i]
				if before[i] != after[i] && !ofTargets {
					changes = append(changes, suitePair{head: h}.effectiveChange(key, before[i], after[i]))
				}
			}
		}
	}
	return uniqueChanges(changes)
}

// settings returns the settings of the request, in the order of config.PromptFileKeys.
func (r *suiteRequest) settings() [len(config.PromptFileKeys)]string {
	p := r.request.Parameters
	return [...]string{r.request.Model, format(p.Temperature), format(p.TopP), format(p.MaxTokens),
		p.ResponseFormat, p.JSONSchema}
}

// targetSettings returns the same settings of a target, which has no format.
func targetSettings(t config.Target) [len(config.PromptFileKeys)]string {
	return [...]string{t.Model, format(t.Temperature), format(t.TopP), format(t.MaxTokens), "", ""}
}

// IgnoredSettings returns the settings of prompt files that have no effect, because the base does not allow them.
func IgnoredSettings(suites []*Suite) (changes []config.Change) {
	for _, s := range suites {
		changes = append(changes, s.ignored...)
	}
	return uniqueChanges(changes)
}

// NewPromptBounds returns the limits for a fork's prompt files. Allowed are the models that c or the base's prompt
// files name, and for each suite what its prompt file requests on the base.
func NewPromptBounds(c *config.Config, base []*Suite) *config.PromptBounds {
	b := &config.PromptBounds{Suites: map[string]config.PromptRequest{}}
	for _, t := range c.Targets {
		b.Models = append(b.Models, t.Model)
	}
	for _, s := range base {
		if s.PromptFile && len(s.Cases) > 0 {
			q := s.Cases[0].Open().Prompt
			b.Models = append(b.Models, q.Model)
			asks := config.PromptRequest{Model: q.Model, MaxTokens: q.Parameters.MaxTokens}
			b.Suites[s.ID] = asks
			if written := suiteid.AuthorID(s.ID); b.Suites[written] == (config.PromptRequest{}) {
				b.Suites[written] = asks
			}
		}
	}
	return b
}

// readParameters reads the sampling parameters at n into p.
func (f *modelsFile) readParameters(p *model.Parameters, n *document.Node) {
	f.faults.reportUnreadKeys(n, "modelParameters.", parameterKeys)
	if v, ok := n.Get("temperature").AsNumber(); ok {
		p.Temperature = &v
	}
	if v, ok := n.Get("topP").AsNumber(); ok {
		p.TopP = &v
	}
	if v, ok := n.Get("maxTokens").AsNumber(); ok {
		p.MaxTokens = new(int(v))
	}
}
