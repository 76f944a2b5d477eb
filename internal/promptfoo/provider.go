package promptfoo

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// target is a provider of promptfoo's, and the target made of it.
type target struct {
	name    string
	id      string // as promptfoo calls it
	label   string
	from    node
	value   *value
	tools   node     // that it is offered
	system  string   // a message that stands before every prompt
	prompts []string // labels of those that it is asked; none for all
	schema  node     // of its answers

	transform node // what takes a part of each answer
	api       string
}

// service is the endpoint of a provider's prefix, and the variable that holds its key.
type service struct{ base, key string }

var services = map[string]service{
	"openai":      {"", "OPENAI_API_KEY"},
	"openrouter":  {"https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"},
	"groq":        {"https://api.groq.com/openai/v1", "GROQ_API_KEY"},
	"deepseek":    {"https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"},
	"mistral":     {"https://api.mistral.ai/v1", "MISTRAL_API_KEY"},
	"xai":         {"https://api.x.ai/v1", "XAI_API_KEY"},
	"togetherai":  {"https://api.together.xyz/v1", "TOGETHER_API_KEY"},
	"fireworks":   {"https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"},
	"perplexity":  {"https://api.perplexity.ai", "PERPLEXITY_API_KEY"},
	"cerebras":    {"https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"},
	"hyperbolic":  {"https://api.hyperbolic.xyz/v1", "HYPERBOLIC_API_KEY"},
	"nscale":      {"https://inference.api.nscale.com/v1", "NSCALE_SERVICE_TOKEN"},
	"aimlapi":     {"https://api.aimlapi.com/v1", "AIML_API_KEY"},
	"cohere":      {"https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY"},
	"truefoundry": {"https://llm-gateway.truefoundry.com", "TRUEFOUNDRY_API_KEY"},
	"google":      {"https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"},
	"alibaba":     {"https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"},
	"sambanova":   {"https://api.sambanova.ai/v1", "SAMBANOVA_API_KEY"},
	"github":      {"https://models.github.ai/inference", "MODELS_TOKEN"},
	"litellm":     {"http://localhost:4000/v1", "LITELLM_API_KEY"},
	"ollama":      {"http://localhost:11434/v1", ""},
	"docker":      {"http://localhost:12434/engines/v1", ""},
	"localai":     {"http://localhost:8080/v1", ""},
	"vllm":        {"http://localhost:8000/v1", ""},
	"llamafile":   {"http://localhost:8080/v1", ""},
	"databricks":  {"", "DATABRICKS_TOKEN"},
	"anthropic":   {"", "ANTHROPIC_API_KEY"},
	"azure":       {"", "AZURE_API_KEY"},
	"azureopenai": {"", "AZURE_API_KEY"},
}

// noModel are the second parts of provider ids that name no model which answers with text.
var noModel = []string{"image", "embedding", "embeddings", "assistant", "realtime", "audio", "tts", "transcription",
	"moderation", "live", "agents", "codex-sdk", "claude-agent-sdk", "video", "kb",
	"classification", "token-classification", "sentence-similarity", "feature-extraction"}

// ownProgram is the alternative for a provider without such an endpoint.
const ownProgram = "your own program that calls it, with `provider: exec`; or a proxy with OpenAI's API, with " +
	"`provider: openai` and `base_url`"

// providers reads the providers.
func (im *importer) providers(n node) {
	for _, item := range n.items() {
		if providerFile.MatchString(item.text()) {
			im.src.following(item, func() {
				if inner := im.src.fromFile(item, document.Quote(item.text())); !inner.missing() {
					im.providers(inner)
				}
			})
			continue
		}
		before := len(im.src.findings)
		if t := readProvider(im.src, im.src.resolve(item)); t != nil {
			t.name = im.targetName(t)
			im.targets = append(im.targets, t)
			continue
		}
		for _, f := range im.src.findings[before:] {
			if f.Level == ToDo {
				says := strings.ReplaceAll(f.String(), "`", "")
				im.unasked = append(im.unasked, document.Line("Not converted, "+f.Place()+": "+says))
			}
		}
	}
}

// providerFile matches the name of a file that holds providers.
var providerFile = regexp.MustCompile(`^file://.*\.(yaml|yml|json)$`)

var notInTarget = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// targetName makes a name that no other target has, of the label or the model.
func (im *importer) targetName(t *target) string {
	name := t.label
	if name == "" {
		name = t.value.get("provider").text
		if m := t.value.get("model"); m != nil {
			name = m.text[strings.LastIndex(m.text, "/")+1:]
		}
	}
	name = cmp.Or(strings.Trim(notInTarget.ReplaceAllString(name, "-"), "-._"), "target")
	taken := func(name string) bool { return name == replayName || im.hasTarget(name) }
	return freeName(name[:min(len(name), 50)], "", taken)
}

func (im *importer) hasTarget(name string) bool {
	has := func(t *target) bool { return strings.EqualFold(t.name, name) }
	return slices.ContainsFunc(im.targets, has) || im.judge != nil && has(im.judge)
}

// readProvider reads a provider; nil if failproof cannot call it.
func readProvider(src *source, n node) *target {
	var id, config node
	t := &target{from: n}
	switch {
	case n.isScalar():
		id = n
	case n.isMap() && n.get("id").missing() && len(n.Keys) == 1: // { "openai:gpt-5": { config: … } }
		id = node{n.Keys[0], n.path}
		n = node{n.Values[0], n.path}
	}
	if n.isMap() {
		src.keys(n, "of a provider", handlers{
			"id": keep(&id), "config": keep(&config), "label": func(n node) { t.label = n.text() },
			"prompts": func(n node) { t.prompts = n.texts() },
			"delay": src.skip("`delay` of a provider",
				"the target's `requests_per_minute` sets the pace"),
			"env":       func(n node) { reportEnvironment(src, n) },
			"transform": func(n node) { t.transform = readTransform(src, n) },
		})
	}
	if id.text() == "" {
		src.addToDo(t.from, "a provider", "it has no id", "")
		return nil
	}
	if t.id = id.text(); makeTarget(src, t, config) {
		return t
	}
	return nil
}

// makeTarget makes the target of a provider from its id and configuration.
func makeTarget(src *source, t *target, config node) bool {
	id := strings.TrimSpace(t.id)
	prefix, rest, _ := strings.Cut(id, ":")
	cannot := func(why, instead string) bool {
		src.addToDo(t.from, "the provider "+document.Quote(id), why, instead)
		return false
	}
	switch {
	case id == "echo":
		t.value = mapOf().set("provider", str("echo"))
		src.keys(config, "of the provider", nil)
		return true
	case id == "http", id == "https", strings.HasPrefix(id, "http://"), strings.HasPrefix(id, "https://"):
		return applicationTarget(src, t, config)
	case codeFile.MatchString(id), strings.HasPrefix(id, "exec:"), strings.HasPrefix(id, "python:"),
		strings.HasPrefix(id, "golang:"), strings.HasPrefix(id, "file://"):
		return cannot("it is a program; here programs have another protocol: a line of JSON in, a line of JSON out",
			"`provider: exec` with `command: […]`, a program outside of the checkout")
	}
	if strings.Contains(id, "{{") {
		return cannot("its name is computed", "a target with the name of the model as it is")
	}
	kind, _, more := strings.Cut(rest, ":")
	if slices.Contains(noModel, kind) {
		return cannot("it gives no text to a prompt, or is more than a model", ownProgram)
	}
	where, known := services[prefix]
	switch {
	case prefix == "vertex":
		return vertexTarget(src, t, rest, config)
	case prefix == "bedrock" && strings.HasPrefix(rest, "openai."):
		region := cmp.Or(config.get("region").text(), "us-east-1")
		where, known = service{"https://bedrock-runtime." + region + ".amazonaws.com/openai/v1",
			"AWS_BEARER_TOKEN_BEDROCK"}, true
		kind, more = rest, false
	case !known:
		return cannot("failproof calls endpoints with OpenAI's or Anthropic's API", ownProgram)
	}
	model := rest
	if more && slices.Contains([]string{"chat", "responses", "messages", "completion", "codex"}, kind) {
		model = strings.TrimPrefix(rest, kind+":")
	} else {
		kind = ""
	}
	if kind == "completion" && prefix != "ollama" {
		return cannot("it completes text, and targets get messages", "a model that takes messages")
	}
	compatibleTarget(src, t, prefix, kind, model, where, config)
	return true
}

// compatibleTarget makes the target of an endpoint that speaks like OpenAI's or Anthropic's.
func compatibleTarget(src *source, t *target, prefix, kind, model string, where service, config node) {
	t.value = mapOf().set("provider", str("openai"))
	if prefix == "anthropic" {
		t.value = mapOf().set("provider", str("anthropic"))
	}
	if kind == "completion" {
		src.addChange(t.from, "the provider "+document.Quote(t.id), "it is sent the prompt as a message", "")
	}
	s := &settings{src: src, target: t, own: map[string]*value{}, headers: mapOf(), extra: mapOf(), base: where.base,
		key: where.key, model: model}
	if kind == "responses" {
		t.api = "responses"
	}
	s.read(config)
	switch prefix {
	case "azure", "azureopenai":
		s.azure()
	case "databricks":
		if s.base == "" {
			s.base = "https://YOUR-WORKSPACE.cloud.databricks.com/serving-endpoints"
			src.addToDo(t.from, "the provider "+document.Quote(t.id), "its address comes from the environment",
				"write it into `base_url` of the target")
		}
	case "litellm", "ollama", "docker", "localai", "vllm", "llamafile":
		src.addChange(t.from, "the provider "+document.Quote(t.id), "it is called at "+s.base+
			", its default address", "")
	case "github":
		src.addChange(t.from, "the provider "+document.Quote(t.id),
			"the runner's own token is never a target's; it is asked with the variable MODELS_TOKEN", "")
	}
	s.write()
}

// vertexTarget makes the target of a Gemini model on Vertex AI, which speaks like OpenAI's.
func vertexTarget(src *source, t *target, model string, config node) bool {
	if !strings.HasPrefix(model, "gemini-") {
		src.addToDo(t.from, "the provider "+document.Quote(t.id),
			"of Vertex AI, only Gemini models have OpenAI's API", ownProgram)
		return false
	}
	region, project := cmp.Or(config.get("region").text(), "us-central1"), config.get("projectId").text()
	t.value = mapOf().set("provider", str("openai"))
	s := &settings{src: src, target: t, own: map[string]*value{}, headers: mapOf(), extra: mapOf(), model: "google/" +
		model, file: "/var/run/tokens/vertex"}
	if project == "" {
		project = "YOUR-PROJECT"
		src.addToDo(t.from, "the project of "+document.Quote(t.id), "it comes from the environment",
			"write it into `base_url` of the target")
	}
	if !plainPart.MatchString(region) || !plainPart.MatchString(project) {
		src.addToDo(t.from, "the provider "+document.Quote(t.id), "its region or project is not a plain name", "")
		return false
	}
	s.base = "https://" + region + "-aiplatform.googleapis.com/v1/projects/" + project + "/locations/" + region +
		"/endpoints/openapi"
	src.addChange(t.from, "the provider "+document.Quote(t.id),
		"its token is read from the file that `api_key_file` names, which a step before failproof writes",
		"`gcloud auth print-access-token > /var/run/tokens/vertex`")
	s.read(config)
	s.write()
	return true
}

var plainPart = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// address reads an address, and reports whether a target may have it.
func address(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") && u.User == nil &&
		u.Fragment == "" && !strings.Contains(text, "{{")
}
