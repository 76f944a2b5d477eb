package promptfoo

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/redact"
)

// settings has the settings of a provider for its endpoint.
type settings struct {
	src    *source
	target *target
	base   string
	key    string // the environment variable with the API key, or ""
	file   string // the path of the file with the token, or ""
	model  string

	own                       map[string]*value // values by their keys in a target
	headers, extra            *value
	deployment, version, host string
}

// environmentName matches an environment variable in the forms that promptfoo has for texts.
const environmentName = `\{\{\s*env\.(\w+)\s*\}\}|\$\{(\w+)\}`

var (
	inEnvironment = regexp.MustCompile(`^\s*(?:` + environmentName + `|\$(\w+))\s*$`)
	headerEnv     = regexp.MustCompile(`^(.*?)(?:` + environmentName + `)$`)
)

// read reads config, the settings of a provider. Settings for which a target has no key go into extra_body.
func (s *settings) read(config node) {
	effort := func(n node) { s.own["reasoning_effort"] = valueOf(n.Node) }
	tools := func(n node) { s.target.tools = s.src.fromFile(n, document.Quote(n.text())) }
	body := func(n node) {
		for key, value := range n.entries() {
			s.more(key.Text, value)
		}
	}
	handle := handlers{
		"temperature": s.number("temperature"), "top_p": s.number("top_p"), "topP": s.number("top_p"),
		"seed": s.number("seed"), "stop": func(n node) { s.own["stop"] = texts(n.texts()) },
		"reasoning_effort": effort,
		"reasoning":        func(n node) { s.src.keys(n, "of `reasoning`", handlers{"effort": effort}) },
		"generationConfig": s.read,

		"apiBaseUrl": s.address, "apiKey": s.apiKey, "headers": s.headerMap, "region": nil, "projectId": nil,
		"apiHost":        func(n node) { s.host = n.text() },
		"apiVersion":     func(n node) { s.version = n.text() },
		"deploymentName": func(n node) { s.deployment = n.text() },
		"workspaceUrl":   func(n node) { s.base = strings.TrimSuffix(n.text(), "/") + "/serving-endpoints" },
		"apiKeyEnvar":    func(n node) { s.key = n.text() },
		"organization":   func(n node) { s.header(n, "OpenAI-Organization", n) },

		"tools": tools, "functions": tools,
		"response_format":   func(n node) { s.target.schema = readResponseFormat(s.src, n) },
		"responseSchema":    func(n node) { s.target.schema = s.src.fromFile(n, document.Quote(n.text())) },
		"systemInstruction": s.system, "instructions": s.system, "systemPrompt": s.system, "system": s.system,
		"extra_body": body, "passthrough": body,
	}
	if choice := config.get("tool_choice"); choice.text() == "auto" {
		handle["tool_choice"] = func(n node) { s.src.add(LeftOut, n, "`tool_choice: auto`", calledFree, "") }
	}
	for _, name := range []string{"max_tokens", "maxTokens", "max_completion_tokens", "max_output_tokens",
		"maxOutputTokens", "num_predict", "max_new_tokens"} {
		handle[name] = s.number("max_tokens")
	}
	for _, name := range bodyKeys {
		handle[name] = func(n node) { s.more(name, n) }
	}
	s.src.keys(config, "of the provider", handle)
}

// number returns a handler that stores a number as the value of the given key of the target.
func (s *settings) number(key string) func(node) {
	return func(n node) {
		if n.Kind != document.Number || key == "max_tokens" && strings.Trim(n.Text, "0123456789") != "" {
			s.src.add(ToDo, n, "`"+key+"` of the provider", "it is not a number that the target can have", "")
			return
		}
		s.own[key] = valueOf(n.Node)
	}
}

// bodyKeys are the settings for which a target has no key. They go into extra_body.
var bodyKeys = []string{"frequency_penalty", "presence_penalty", "top_k", "min_p", "repetition_penalty",
	"repeat_penalty", "logit_bias", "logprobs", "top_logprobs", "user", "metadata",
	"service_tier", "verbosity", "parallel_tool_calls", "chat_template_kwargs", "safe_prompt", "num_ctx", "mirostat",
	"max_tool_calls", "truncation", "search_parameters", "provider", "transforms"}

// more adds a member to extra_body, which only targets with `provider: openai` have.
func (s *settings) more(key string, n node) {
	text := jsonOf(n.Node)
	switch {
	case s.target.provider() != "openai":
		s.src.add(ToDo, n, "`"+key+"` of the provider", "it cannot be set for a target of this kind", "")
	case redact.Keys(text) != text:
		s.src.add(ToDo, n, "`"+key+"` of the provider", "it contains something like a key", "")
	default:
		s.extra.set(key, valueOf(n.Node))
	}
}

func (s *settings) address(n node) {
	if u, ok := address(n.text()); !ok || u.RawQuery != "" {
		s.src.add(ToDo, n, "`apiBaseUrl`", "it is not a plain address", "write it into `base_url` of the target")
		return
	}
	s.base = strings.TrimSuffix(n.text(), "/")
}

// apiKey reads the name of the environment variable with the API key. If the configuration contains the key itself,
// apiKey reports it without repeating it.
func (s *settings) apiKey(n node) {
	if m := inEnvironment.FindStringSubmatch(n.text()); m != nil {
		s.key = m[1] + m[2] + m[3]
		return
	}
	s.src.add(ToDo, n, "`apiKey`", "keys are never written into files; it is not repeated here",
		"put it into the variable "+s.key+"; if this file was committed, make a new key")
}

func (s *settings) headerMap(n node) {
	for key, value := range n.entries() {
		s.header(key, key.Text, value)
	}
}

var (
	// ownHeader matches the headers that failproof or the connection sets.
	ownHeader = regexp.MustCompile(`(?i)^(accept|accept-encoding|connection|content-.*|expect|host|keep-alive|te|` +
		`trailer|transfer-encoding|upgrade|proxy-.*)$`)
	// keyHeader matches the headers that carry keys.
	keyHeader = regexp.MustCompile(`(?i)^(authorization|api-key|x-api-key|x-goog-api-key|cookie)$`)
)

func (s *settings) header(at node, name string, n node) {
	what, text := "the header "+document.Quote(name), n.text()
	env := headerEnv.FindStringSubmatch(text)
	switch {
	case strings.EqualFold(name, "content-type") && strings.Contains(text, "json"):
		s.src.add(LeftOut, at, what, "failproof sets it itself", "")
	case ownHeader.MatchString(name):
		s.src.add(ToDo, at, what, "failproof sets it itself", "")
	case env != nil:
		s.headers.set(name, mapOf().set("env", str(env[2]+env[3])).some("prefix", str(env[1])))
		if strings.EqualFold(name, "authorization") {
			s.key = ""
		}
	case strings.Contains(text, "{{"), strings.Contains(text, "${"):
		s.src.add(ToDo, at, what, "its value is computed", "`{ env: NAME, prefix: \"…\" }` for that of a variable")
	case keyHeader.MatchString(name), redact.Keys(text) != text:
		s.src.add(ToDo, at, what, "keys are never written into files; it is not repeated here",
			"`"+name+": { env: NAME }`")
	default:
		s.headers.set(name, str(text))
	}
}

// system reads the instructions n, a message that precedes every prompt.
func (s *settings) system(n node) {
	text, err := s.src.textOf(n)
	for _, part := range n.get("parts").items() {
		text += part.get("text").text()
	}
	t := parseTemplate(text)
	if s.target.system = strings.TrimSpace(t.text); err != nil || text == "" || t.problem != "" {
		s.target.system = ""
		s.src.add(ToDo, n, "the instructions of the provider", "they are not text with variables",
			"a message with `role: system` in the prompt")
	}
}

// locate completes the address of the service where from config. It does nothing if config names another address.
func (s *settings) locate(where service, config node) {
	s.model = cmp.Or(s.deployment, s.model)
	if s.base != where.base {
		return
	}
	host := strings.TrimSuffix(strings.TrimPrefix(s.host, "https://"), "/")
	switch {
	case !plainPart.MatchString(host):
	case s.base == "":
		s.base = "https://" + host + "/v1"
	case plainPart.MatchString(s.version):
		s.base = "https://" + host + "/openai/deployments/" + s.model + "?api-version=" + s.version
	default:
		s.base = strings.Replace(s.base, "YOUR-RESOURCE.openai.azure.com", host, 1)
	}
	for _, part := range [][2]string{{"us-central1", "region"}, {"us-east-1", "region"}, {"YOUR-PROJECT", "projectId"}} {
		text := config.get(part[1]).text()
		if text != "" && !plainPart.MatchString(text) {
			text = "YOUR-" + strings.ToUpper(part[1])
		}
		s.base = strings.ReplaceAll(s.base, part[0], cmp.Or(text, part[0]))
	}
	if strings.Contains(s.base, "YOUR-") {
		s.src.add(ToDo, s.target.from, "the address of "+document.Quote(s.target.id),
			"a part of it comes from the environment", "write it into `base_url` of the target")
	} else if strings.HasPrefix(s.base, "http://localhost:") {
		s.src.add(Changed, s.target.from, s.target.title(), "it is called at "+s.base+", its default address", "")
	}
}

// write sets the keys of the target.
func (s *settings) write() {
	v := s.target.value
	v.set("model", str(s.model)).some("base_url", str(s.base)).some("api", str(s.target.api))
	if u, ok := address(s.base); ok {
		s.target.overHTTP(u)
	}
	if v.some("api_key_file", str(s.file)); s.file == "" {
		v.some("api_key_env", str(s.key))
	}
	for _, key := range []string{"temperature", "top_p", "max_tokens", "reasoning_effort", "seed", "stop"} {
		lacks := key == "reasoning_effort" && s.target.provider() != "openai" ||
			(key == "seed" || key == "stop") && (s.target.provider() != "openai" || s.target.api == "responses")
		if lacks && s.own[key] != nil {
			s.src.add(ToDo, s.target.from, "`"+key+"` of the provider", "it cannot be set for a target of this kind", "")
			continue
		}
		v.set(key, s.own[key])
	}
	v.mark("structured_output", !s.target.schema.missing()).some("headers", s.headers).some("extra_body", s.extra)
}
