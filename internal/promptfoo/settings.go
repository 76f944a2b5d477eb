package promptfoo

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/text"
)

// environmentName matches an environment variable in the forms that promptfoo has for texts.
const environmentName = `\{\{\s*env\.(\w+)\s*\}\}|\$\{(\w+)\}`

var (
	inEnvironment = regexp.MustCompile(`^\s*(?:` + environmentName + `|\$(\w+))\s*$`)
	headerEnv     = regexp.MustCompile(`^(.*?)(?:` + environmentName + `)$`)
)

// read reads config, the settings of a provider. Settings for which a target has no key go into extra_body.
func (t *target) read(config node) {
	tokens := t.numberHandler("max_tokens")
	effort := func(n node) { t.keys["reasoning_effort"] = convertNode(n.Node) }
	tools := func(n node) { readTools(t, copyOf(n, "the list of tools")) }
	body := func(n node) {
		for key, value := range entriesOf(n, "the body of a request") {
			t.addExtra(key.Text, value)
		}
	}
	handle := text.ByName(handlers{
		"temperature": t.numberHandler("temperature"), "top_p|topP": t.numberHandler("top_p"),
		"max_tokens|maxTokens|max_completion_tokens": tokens, "max_output_tokens|maxOutputTokens": tokens,
		"num_predict|max_new_tokens": tokens,
		"seed":                       t.numberHandler("seed"),
		"stop":                       func(n node) { t.keys["stop"] = textList(n.texts()) },
		"reasoning_effort":           effort,
		"reasoning":                  func(n node) { handleKeys(n, "of `reasoning`", handlers{"effort": effort}) },
		"generationConfig":           t.read,

		"apiBaseUrl": func(n node) { t.setAddress(n, n.text()) }, "apiHost": t.readHost,
		"apiKey": t.readAPIKey, "headers": t.readHeaders,
		"deploymentName": func(n node) { t.model = n.text() },
		"workspaceUrl":   func(n node) { t.setAddress(n, strings.TrimSuffix(n.text(), "/")+"/serving-endpoints") },
		"apiKeyEnvar":    func(n node) { t.keyEnv = n.text() },
		"organization":   func(n node) { t.readHeader(n, "OpenAI-Organization", n) },

		"tools|functions": tools,
		"response_format": func(n node) { t.schema = readResponseFormat(n) },
		"responseSchema":  storeIn(&t.schema),

		"systemInstruction|instructions|systemPrompt|system": t.readSystem,

		"extra_body|passthrough": body,
	})
	if config.get("tool_choice").text() == "auto" {
		handle["tool_choice"] = func(n node) {
			addFinding(LeftOut, n, "`tool_choice: auto`", toolChoiceReason)
		}
	}
	for _, name := range bodyKeys {
		handle[name] = func(n node) { t.addExtra(name, n) }
	}
	handleKeys(config, "of the provider", handle)
}

// numberHandler returns a handler that stores a number as the value of the given key of the target.
func (t *target) numberHandler(key string) func(node) {
	return func(n node) {
		if n.Kind != document.Number || key == "max_tokens" && strings.Trim(n.Text, "0123456789") != "" {
			addFinding(ToDo, n, "`"+key+"` of the provider", "it is not a number that the target can have")
			return
		}
		t.keys[key] = convertNode(n.Node)
	}
}

// bodyKeys are the settings for which a target has no key. They go into extra_body.
var bodyKeys = []string{"frequency_penalty", "presence_penalty", "top_k", "min_p", "repetition_penalty",
	"repeat_penalty", "logit_bias", "logprobs", "top_logprobs", "user", "metadata",
	"service_tier", "verbosity", "parallel_tool_calls", "chat_template_kwargs", "safe_prompt", "num_ctx", "mirostat",
	"max_tool_calls", "truncation", "search_parameters", "provider", "transforms"}

// addExtra adds a member to extra_body, which only targets with `provider: openai` have.
func (t *target) addExtra(key string, n node) {
	text := jsonOf(n.Node)
	switch {
	case t.provider() != "openai":
		addFinding(ToDo, n, "`"+key+"` of the provider", "it cannot be set for a target of this kind")
	case redact.RedactKeys(text) != text:
		addFinding(ToDo, n, "`"+key+"` of the provider", "it contains something like a key")
	default:
		t.extra.set(key, convertNode(n.Node))
	}
}

// setAddress sets the address of the endpoint, as n says.
func (t *target) setAddress(n node, address string) {
	if u, ok := parseAddress(address); !ok || u.RawQuery != "" {
		addFinding(ToDo, n, "the address of "+document.Quote(t.id), "it is not a plain address",
			"write it into `base_url` of the target")
		return
	}
	t.baseURL = strings.TrimSuffix(address, "/")
}

// readHost reads the host of an endpoint, which only OpenAI and Azure have.
func (t *target) readHost(n node) {
	const host = "YOUR-RESOURCE.openai.azure.com"
	address := cmp.Or(t.baseURL, "https://"+host+"/v1")
	if !strings.Contains(address, host) {
		address = ""
	}
	t.setAddress(n, strings.Replace(address, host, strings.TrimSuffix(strings.TrimPrefix(n.text(), "https://"), "/"), 1))
}

// readAPIKey reads the name of the environment variable with the API key. If the configuration contains the key itself,
// readAPIKey reports it without repeating it.
func (t *target) readAPIKey(n node) {
	if m := inEnvironment.FindStringSubmatch(n.text()); m != nil {
		t.keyEnv = m[1] + m[2] + m[3]
		return
	}
	addFinding(ToDo, n, "`apiKey`", "keys are never written into files; it is not repeated here",
		"put it into the variable "+t.keyEnv+"; if this file was committed, make a new key")
}

func (t *target) readHeaders(n node) {
	for key, value := range entriesOf(n, "`headers`") {
		t.readHeader(key, key.Text, value)
	}
}

var (
	// reservedHeader matches the headers that failproof or the connection sets.
	reservedHeader = regexp.MustCompile(`(?i)^(accept|accept-encoding|connection|content-.*|expect|host|keep-alive|te|` +
		`trailer|transfer-encoding|upgrade|proxy-.*)$`)
	// keyHeader matches the headers that carry keys.
	keyHeader = regexp.MustCompile(`(?i)^(authorization|api-key|x-api-key|x-goog-api-key|cookie)$`)
)

func (t *target) readHeader(origin node, name string, n node) {
	what, text := "the header "+document.Quote(name), n.text()
	env := headerEnv.FindStringSubmatch(text)
	switch {
	case reservedHeader.MatchString(name):
		addFinding(LeftOut, origin, what, "failproof sets it itself")
	case env != nil:
		t.headers.set(name, mapOf().set("env", str(env[2]+env[3])).setNonEmpty("prefix", str(env[1])))
		if strings.EqualFold(name, "authorization") {
			t.keyEnv = ""
		}
	case strings.Contains(text, "{{"), strings.Contains(text, "${"):
		addFinding(ToDo, origin, what, "its value is computed", "`{ env: NAME, prefix: \"…\" }` for that of a variable")
	case keyHeader.MatchString(name), redact.RedactKeys(text) != text:
		addFinding(ToDo, origin, what, "keys are never written into files; it is not repeated here",
			"`"+name+": { env: NAME }`")
	default:
		t.headers.set(name, str(text))
	}
}

// readSystem reads the instructions n, a message that precedes every prompt.
func (t *target) readSystem(n node) {
	text, err := textOf(n)
	for _, part := range n.get("parts").items() {
		text += part.get("text").text()
	}
	parsed, wrong := parseTemplate(text)
	if err != nil || text == "" || wrong != nil {
		addFinding(ToDo, n, "the instructions of the provider", "they are not text with variables",
			"a message with `role: system` in the prompt")
		return
	}
	if t.system = strings.TrimSpace(parsed.text); n.namesFile() {
		addCopied(n, "the instructions of the provider", "")
	}
}

// reportDefault reports that the target has the default address of the service svc, if that is not the same everywhere.
func reportDefault(t *target, svc service) {
	switch {
	case t.baseURL != svc.baseURL:
	case strings.Contains(t.baseURL, "YOUR-"):
		addFinding(ToDo, t.origin, "the address of "+document.Quote(t.id),
			"a part of it comes from the environment", "write it into `base_url` of the target")
	case strings.HasPrefix(t.baseURL, "http://localhost:"):
		addFinding(Changed, t.origin, t.title(), "it is called at "+t.baseURL+", its default address")
	}
}

// setEndpoint sets the keys that say which model is called, and where. It leaves out settings that the target cannot
// have.
func (t *target) setEndpoint() {
	for _, key := range []string{"reasoning_effort", "seed", "stop"} {
		supported := t.provider() == "openai" && (t.api != "responses" || key == "reasoning_effort")
		if t.keys[key] != nil && !supported {
			addFinding(ToDo, t.origin, "`"+key+"` of the provider", "it cannot be set for a target of this kind")
			delete(t.keys, key)
		}
	}
	if u, ok := parseAddress(t.baseURL); ok {
		t.setAllowHTTP(u)
	}
	t.keys["model"], t.keys["base_url"], t.keys["api"] = str(t.model), str(t.baseURL), str(t.api)
	t.keys["api_key_env"], t.keys["headers"], t.keys["extra_body"] = str(t.keyEnv), t.headers, t.extra
	if !t.schema.isMissing() {
		t.keys["structured_output"] = literal("true")
	}
}
