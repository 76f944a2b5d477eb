package promptfoo

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/text"
)

// target is a target that is made from a provider of promptfoo.
type target struct {
	name    string
	id      string // promptfoo's name for the provider
	label   string
	origin  node
	tools   string   // the tools that the target may call, as JSON in the form of Chat Completions, or ""
	system  string   // a message that precedes every prompt
	prompts []string // labels of the prompts that it answers; none means all prompts
	schema  node     // the JSON Schema of its answers

	transform transform

	model, api, baseURL string
	keyEnv              string            // the environment variable with the API key, or ""
	keys                map[string]*value // the values of failproof's keys
	headers, extra      *value
}

func (t *target) title() string { return "the provider " + document.Quote(t.id) }

func (t *target) provider() string { return t.keys["provider"].text }

// keyOrder has the keys of a target in the order in which they are written.
var keyOrder = strings.Fields(`provider url model base_url api allow_http api_key_env temperature top_p max_tokens
	reasoning_effort seed stop structured_output headers extra_body body answer`)

// value returns the target for failproof's configuration.
func (t *target) value() *value {
	v := mapOf()
	for _, key := range keyOrder {
		v.setNonEmpty(key, t.keys[key])
	}
	return v
}

// service is the address of an endpoint and the environment variable with its key.
type service struct{ baseURL, keyEnv string }

// services has the endpoints by the prefix in ids of promptfoo's providers. What follows YOUR- depends on the user.
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
	"databricks":  {"https://YOUR-WORKSPACE.cloud.databricks.com/serving-endpoints", "DATABRICKS_TOKEN"},
	"anthropic":   {"", "ANTHROPIC_API_KEY"},
	"azure":       {"https://YOUR-RESOURCE.openai.azure.com/openai/v1", "AZURE_API_KEY"},
	"azureopenai": {"https://YOUR-RESOURCE.openai.azure.com/openai/v1", "AZURE_API_KEY"},
}

// unsupportedKinds are the second parts of ids of providers that do not answer prompts with text.
var unsupportedKinds = []string{"image", "embedding", "embeddings", "assistant", "realtime", "audio", "tts",
	"transcription", "moderation", "live", "completion", "agents", "codex-sdk", "claude-agent-sdk", "video"}

// ownProgram describes the nearest equivalent of a provider that failproof cannot call.
const ownProgram = "your own program that calls it, with `provider: exec`; or a proxy with OpenAI's API, with " +
	"`provider: openai` and `base_url`"

// targets has the targets that are made from the providers of a configuration.
type targets struct {
	hasStored bool // whether stored answers are imported too
	list      []*target
	judge     *target    // the target that grades answers; nil if no grader was converted
	names     text.Names // of all targets
}

// read makes targets from the providers in n.
func (ts *targets) read(n node) {
	for _, item := range n.items() {
		if providerFile.MatchString(item.text()) {
			ts.read(contentOf(item))
		} else if t := readProvider(resolve(item)); t != nil {
			t.name = ts.freeName(t)
			ts.list = append(ts.list, t)
		}
	}
}

// providerFile matches the path of a file with providers.
var providerFile = regexp.MustCompile(`^file://.*\.(yaml|yml|json)$`)

var notInTarget = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// freeName returns a name for t that no other target has. It is made from the label or the model.
func (ts *targets) freeName(t *target) string {
	name := cmp.Or(t.label, t.model[strings.LastIndex(t.model, "/")+1:], t.provider())
	name = cmp.Or(strings.Trim(notInTarget.ReplaceAllString(name, "-"), "-._"), "target")
	return freeName(&ts.names, name[:min(len(name), 50)], "")
}

// readGrader reads n, a provider that grades answers. The first grader becomes the judge.
func (ts *targets) readGrader(n node) {
	skip := func(n node) {
		addFinding(LeftOut, n, "the provider of embeddings", "the judge decides on similarity")
	}
	switch {
	case n.isMissing() || ts.judge != nil && ts.judge.origin.Node == n.Node:
		return
	case !n.get("text").isMissing(), !n.get("embedding").isMissing():
		handleKeys(n, "of the grader", handlers{"text": ts.readGrader, "id": nil, "embedding": skip})
		return
	case strings.Contains(n.text(), ":embedding"):
		skip(n)
		return
	}
	switch t := readProvider(n); {
	case t == nil || ts.judge != nil && ts.judge.id == t.id:
	case ts.judge != nil:
		addFinding(Changed, n, "the grader "+document.Quote(t.id), "there is one judge, "+document.Quote(ts.judge.id))
	case t.provider() == "echo", t.provider() == "http":
		addFinding(ToDo, n, "the grader "+document.Quote(t.id), "a judge is a model",
			"a target of `openai` or `anthropic` under `judges`")
	default:
		t.label = "grader"
		t.name, ts.judge = ts.freeName(t), t
	}
}

// readProvider returns the target for the provider n. If failproof cannot call it, it reports why and returns nil.
func readProvider(n node) *target {
	var id, config node
	t := &target{origin: n, keys: map[string]*value{}, headers: mapOf(), extra: mapOf()}
	switch {
	case n.isScalar():
		id = n
	case n.isMap() && n.get("id").isMissing() && len(n.Keys) == 1: // { "openai:gpt-5": { config: … } }
		id = n.with(n.Keys[0])
		n = n.with(n.Values[0])
	}
	if n.isMap() {
		handleKeys(n, "of a provider", handlers{
			"id": storeIn(&id), "config": storeIn(&config), "label": func(n node) { t.label = n.text() },
			"prompts":   func(n node) { t.prompts = n.texts() },
			"transform": func(n node) { t.transform = readTransform(n) },
		})
	}
	t.id = strings.TrimSpace(id.text())
	if err := t.complete(config); err != nil {
		addError(t.origin, t.title(), err)
		return nil
	}
	return t
}

// complete completes t from its id and the settings config of its provider. The error is a conversionError.
func (t *target) complete(config node) error {
	prefix, model, _ := strings.Cut(t.id, ":")
	kind, rest, _ := strings.Cut(model, ":")
	svc, known := services[prefix]
	switch {
	case t.id == "echo":
		t.keys["provider"] = str("echo")
		handleKeys(config, "of the provider", nil)
		return nil
	case prefix == "http", prefix == "https":
		return completeApplication(t, config)
	case strings.Contains(t.id, "{{"):
		return because("its name is computed", "a target with the name of the model as it is")
	case slices.Contains(unsupportedKinds, kind):
		return because("it gives no text to a prompt, or is more than a model", ownProgram)
	case !known:
		return because("failproof calls endpoints with OpenAI's or Anthropic's API", ownProgram)
	}
	if slices.Contains([]string{"chat", "responses", "messages", "codex"}, kind) && rest != "" {
		model = rest
		if kind == "responses" {
			t.api = kind
		}
	}
	t.keys["provider"] = str("openai")
	if prefix == "anthropic" {
		t.keys["provider"] = str("anthropic")
	}
	t.model, t.baseURL, t.keyEnv = model, svc.baseURL, svc.keyEnv
	t.read(config)
	reportDefault(t, svc)
	t.setEndpoint()
	return nil
}

// parseAddress parses text as an address, and reports whether it can be the address of a target.
func parseAddress(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") && u.User == nil &&
		u.Fragment == "" && !strings.Contains(text, "{{")
}

// completeApplication makes t a target with `provider: http`: an address, a body, and an expression that finds
// the answer. If that is impossible, it returns the reason.
func completeApplication(t *target, config node) error {
	t.keys["provider"] = str("http")
	var url, body, answer node
	method := "POST"
	if strings.Contains(t.id, "://") {
		url = t.origin.withText(t.id)
	}
	handleKeys(config, "of the provider", handlers{
		"url": storeIn(&url), "method": func(n node) { method = n.text() }, "body": storeIn(&body),
		"transformResponse": storeIn(&answer), "responseParser": storeIn(&answer), "headers": t.readHeaders,
	})
	parsedURL, ok := parseAddress(url.text())
	if !ok {
		return because("its address is missing or computed", "`provider: http` with the address in `url`")
	} else if !strings.EqualFold(method, "POST") {
		return because("an application is called with POST", "`method` of the target")
	}
	sent, err := requestBody(body)
	if err != nil {
		return because(err.Error(),
			"`body`, an object with `{{ prompt }}`, `{{ messages }}` and `{{ vars.NAME }}` in its values")
	}
	t.setAllowHTTP(parsedURL)
	t.keys["url"], t.keys["headers"] = str(url.text()), t.headers
	t.keys["body"], t.keys["answer"] = sent, str(answerPath(t, answer))
	return nil
}

// setAllowHTTP sets `allow_http` if the address u is plain http to another machine.
func (t *target) setAllowHTTP(u *url.URL) {
	if u.Scheme == "http" && !slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname()) {
		t.keys["allow_http"] = literal("true")
	}
}

// requestBody returns the body of a request to an application, with variables written as in the `body` of a target.
func requestBody(n node) (body *value, err error) {
	usesCase := false
	body = convertNode(n.Node)
	err = body.replaceTexts(func(text string) (string, error) {
		if !hasPlaceholders(text) {
			return text, nil
		}
		t, err := parseTemplate(text)
		usesCase = usesCase || len(t.vars) > 0
		return placeholder.ReplaceAllStringFunc(t.text, func(place string) string {
			if place == "{{ prompt }}" {
				return place
			}
			return "{{ vars." + place[3:]
		}), err
	})
	if err == nil && (!n.isMap() || !usesCase) {
		err = because("its body is not an object with variables in its values")
	}
	return body, err
}

// answerPath returns the expression that finds the text of the answer in a response. n is promptfoo's code for this.
func answerPath(t *target, n node) string {
	const guess = "response.json.choices[0].message.content"
	if m := pathInResponse.FindStringSubmatch(strings.TrimSpace(n.text())); m != nil {
		path := "response.json" + strings.ReplaceAll(m[1], "?.", ".")
		if _, err := expect.CompileExtract(path); err == nil {
			return path
		}
	}
	if n.isMissing() {
		n = t.origin
	}
	addFinding(ToDo, n, "the answer of "+document.Quote(t.id), "no path in JSON says where it is in a response",
		"`answer` of the target, an expression over `response.json`; it is `"+guess+"` now")
	return guess
}

// pathInResponse matches code for a path in the JSON of a response, alone or as the result of a one-line function.
var pathInResponse = regexp.MustCompile(`^(?:\(?(?:\w+(?:,\s*\w+)*)?\)?\s*=>\s*)?(?:json|data|response)((?:\??\.[A-Za-z_]\w*|\[\d+\]|\[(?:'\w+'|"\w+")\])*);?$`)
