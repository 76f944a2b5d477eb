package promptfoo

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/text"
)

// settings has the settings of a provider for its endpoint.
type settings struct {
	src     *source
	target  *target
	baseURL string
	keyEnv  string // the environment variable with the API key, or ""
	model   string

	targetKeys     map[string]*value // values by their keys in a target
	headers, extra *value
}

// environmentName matches an environment variable in the forms that promptfoo has for texts.
const environmentName = `\{\{\s*env\.(\w+)\s*\}\}|\$\{(\w+)\}`

var (
	inEnvironment = regexp.MustCompile(`^\s*(?:` + environmentName + `|\$(\w+))\s*$`)
	headerEnv     = regexp.MustCompile(`^(.*?)(?:` + environmentName + `)$`)
)

// read reads config, the settings of a provider. Settings for which a target has no key go into extra_body.
func (s *settings) read(config node) {
	tokens := s.numberHandler("max_tokens")
	effort := func(n node) { s.targetKeys["reasoning_effort"] = convertNode(n.Node) }
	tools := func(n node) { s.target.readTools(s.src, s.src.copyOf(n, "the list of tools")) }
	body := func(n node) {
		for key, value := range s.src.entriesOf(n, "the body of a request") {
			s.addExtra(key.Text, value)
		}
	}
	handle := text.ByName(handlers{
		"temperature": s.numberHandler("temperature"), "top_p|topP": s.numberHandler("top_p"),
		"max_tokens|maxTokens|max_completion_tokens": tokens, "max_output_tokens|maxOutputTokens": tokens,
		"num_predict|max_new_tokens": tokens,
		"seed":                       s.numberHandler("seed"),
		"stop":                       func(n node) { s.targetKeys["stop"] = textList(n.texts()) },
		"reasoning_effort":           effort,
		"reasoning":                  func(n node) { s.src.handleKeys(n, "of `reasoning`", handlers{"effort": effort}) },
		"generationConfig":           s.read,

		"apiBaseUrl": func(n node) { s.setAddress(n, n.text()) }, "apiHost": s.readHost,
		"apiKey": s.readAPIKey, "headers": s.readHeaders,
		"deploymentName": func(n node) { s.model = n.text() },
		"workspaceUrl":   func(n node) { s.setAddress(n, strings.TrimSuffix(n.text(), "/")+"/serving-endpoints") },
		"apiKeyEnvar":    func(n node) { s.keyEnv = n.text() },
		"organization":   func(n node) { s.readHeader(n, "OpenAI-Organization", n) },

		"tools|functions": tools,
		"response_format": func(n node) { s.target.schema = readResponseFormat(s.src, n) },
		"responseSchema":  storeIn(&s.target.schema),

		"systemInstruction|instructions|systemPrompt|system": s.readSystem,

		"extra_body|passthrough": body,
	})
	if config.get("tool_choice").text() == "auto" {
		handle["tool_choice"] = func(n node) {
			s.src.addFinding(LeftOut, n, "`tool_choice: auto`", toolChoiceReason, "")
		}
	}
	for _, name := range bodyKeys {
		handle[name] = func(n node) { s.addExtra(name, n) }
	}
	s.src.handleKeys(config, "of the provider", handle)
}

// numberHandler returns a handler that stores a number as the value of the given key of the target.
func (s *settings) numberHandler(key string) func(node) {
	return func(n node) {
		if n.Kind != document.Number || key == "max_tokens" && strings.Trim(n.Text, "0123456789") != "" {
			s.src.addFinding(ToDo, n, "`"+key+"` of the provider", "it is not a number that the target can have", "")
			return
		}
		s.targetKeys[key] = convertNode(n.Node)
	}
}

// bodyKeys are the settings for which a target has no key. They go into extra_body.
var bodyKeys = []string{"frequency_penalty", "presence_penalty", "top_k", "min_p", "repetition_penalty",
	"repeat_penalty", "logit_bias", "logprobs", "top_logprobs", "user", "metadata",
	"service_tier", "verbosity", "parallel_tool_calls", "chat_template_kwargs", "safe_prompt", "num_ctx", "mirostat",
	"max_tool_calls", "truncation", "search_parameters", "provider", "transforms"}

// addExtra adds a member to extra_body, which only targets with `provider: openai` have.
func (s *settings) addExtra(key string, n node) {
	text := jsonOf(n.Node)
	switch {
	case s.target.provider() != "openai":
		s.src.addFinding(ToDo, n, "`"+key+"` of the provider", "it cannot be set for a target of this kind", "")
	case redact.RedactKeys(text) != text:
		s.src.addFinding(ToDo, n, "`"+key+"` of the provider", "it contains something like a key", "")
	default:
		s.extra.set(key, convertNode(n.Node))
	}
}

// setAddress sets the address of the endpoint, as n says.
func (s *settings) setAddress(n node, address string) {
	if u, ok := parseAddress(address); !ok || u.RawQuery != "" {
		s.src.addFinding(ToDo, n, "the address of "+document.Quote(s.target.id), "it is not a plain address",
			"write it into `base_url` of the target")
		return
	}
	s.baseURL = strings.TrimSuffix(address, "/")
}

// readHost reads the host of an endpoint, which only OpenAI and Azure have.
func (s *settings) readHost(n node) {
	const host = "YOUR-RESOURCE.openai.azure.com"
	address := cmp.Or(s.baseURL, "https://"+host+"/v1")
	if !strings.Contains(address, host) {
		address = ""
	}
	s.setAddress(n, strings.Replace(address, host, strings.TrimSuffix(strings.TrimPrefix(n.text(), "https://"), "/"), 1))
}

// readAPIKey reads the name of the environment variable with the API key. If the configuration contains the key itself,
// readAPIKey reports it without repeating it.
func (s *settings) readAPIKey(n node) {
	if m := inEnvironment.FindStringSubmatch(n.text()); m != nil {
		s.keyEnv = m[1] + m[2] + m[3]
		return
	}
	s.src.addFinding(ToDo, n, "`apiKey`", "keys are never written into files; it is not repeated here",
		"put it into the variable "+s.keyEnv+"; if this file was committed, make a new key")
}

func (s *settings) readHeaders(n node) {
	for key, value := range s.src.entriesOf(n, "`headers`") {
		s.readHeader(key, key.Text, value)
	}
}

var (
	// reservedHeader matches the headers that failproof or the connection sets.
	reservedHeader = regexp.MustCompile(`(?i)^(accept|accept-encoding|connection|content-.*|expect|host|keep-alive|te|` +
		`trailer|transfer-encoding|upgrade|proxy-.*)$`)
	// keyHeader matches the headers that carry keys.
	keyHeader = regexp.MustCompile(`(?i)^(authorization|api-key|x-api-key|x-goog-api-key|cookie)$`)
)

func (s *settings) readHeader(origin node, name string, n node) {
	what, text := "the header "+document.Quote(name), n.text()
	env := headerEnv.FindStringSubmatch(text)
	switch {
	case reservedHeader.MatchString(name):
		s.src.addFinding(LeftOut, origin, what, "failproof sets it itself", "")
	case env != nil:
		s.headers.set(name, mapOf().set("env", str(env[2]+env[3])).setNonEmpty("prefix", str(env[1])))
		if strings.EqualFold(name, "authorization") {
			s.keyEnv = ""
		}
	case strings.Contains(text, "{{"), strings.Contains(text, "${"):
		s.src.addFinding(ToDo, origin, what, "its value is computed",
			"`{ env: NAME, prefix: \"…\" }` for that of a variable")
	case keyHeader.MatchString(name), redact.RedactKeys(text) != text:
		s.src.addFinding(ToDo, origin, what, "keys are never written into files; it is not repeated here",
			"`"+name+": { env: NAME }`")
	default:
		s.headers.set(name, str(text))
	}
}

// readSystem reads the instructions n, a message that precedes every prompt.
func (s *settings) readSystem(n node) {
	text, err := s.src.textOf(n)
	for _, part := range n.get("parts").items() {
		text += part.get("text").text()
	}
	t := parseTemplate(text)
	if s.target.system = strings.TrimSpace(t.text); err != nil || text == "" || t.problem != "" {
		s.target.system = ""
		s.src.addFinding(ToDo, n, "the instructions of the provider", "they are not text with variables",
			"a message with `role: system` in the prompt")
	} else if n.namesFile() {
		s.src.addCopied(n, "the instructions of the provider", "")
	}
}

// reportDefault reports that the target has the default address of the service svc, if that is not the same everywhere.
func (s *settings) reportDefault(svc service) {
	switch {
	case s.baseURL != svc.baseURL:
	case strings.Contains(s.baseURL, "YOUR-"):
		s.src.addFinding(ToDo, s.target.origin, "the address of "+document.Quote(s.target.id),
			"a part of it comes from the environment", "write it into `base_url` of the target")
	case strings.HasPrefix(s.baseURL, "http://localhost:"):
		s.src.addFinding(Changed, s.target.origin, s.target.title(), "it is called at "+s.baseURL+
			", its default address", "")
	}
}

// setKeys sets the keys of the target.
func (s *settings) setKeys() {
	v := s.target.value
	v.set("model", str(s.model)).setNonEmpty("base_url", str(s.baseURL)).setNonEmpty("api", str(s.target.api))
	if u, ok := parseAddress(s.baseURL); ok {
		s.target.setAllowHTTP(u)
	}
	v.setNonEmpty("api_key_env", str(s.keyEnv))
	for _, key := range []string{"temperature", "top_p", "max_tokens", "reasoning_effort", "seed", "stop"} {
		unsupported := key == "reasoning_effort" && s.target.provider() != "openai" ||
			(key == "seed" || key == "stop") && (s.target.provider() != "openai" || s.target.api == "responses")
		if unsupported && s.targetKeys[key] != nil {
			s.src.addFinding(ToDo, s.target.origin, "`"+key+"` of the provider",
				"it cannot be set for a target of this kind", "")
			continue
		}
		v.set(key, s.targetKeys[key])
	}
	v.setTrue("structured_output", !s.target.schema.isMissing()).setNonEmpty("headers",
		s.headers).setNonEmpty("extra_body", s.extra)
}
