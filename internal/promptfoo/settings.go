package promptfoo

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/redact"
)

// settings are what a provider's configuration says.
type settings struct {
	src    *source
	target *target
	base   string
	key    string // the variable that holds the key; "" for none
	file   string // that holds a token
	model  string

	own                       map[string]*value // by the target's key
	headers, extra            *value
	deployment, version, host string
}

var inEnvironment = regexp.MustCompile(`^\s*(?:\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}|\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?)\s*$`)

// envOf returns the environment variable that a value names.
func envOf(text string) (string, bool) {
	m := inEnvironment.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return m[1] + m[2], true
}

// read reads the settings of an endpoint. Those that a target lacks go into its extra_body.
func (s *settings) read(config node) {
	number := func(key string) func(node) {
		return func(n node) {
			if n.Kind != document.Number {
				s.src.addToDo(n, "a setting of the provider", "it is not a number", "")
				return
			}
			s.own[key] = valueOf(n.Node)
		}
	}
	effort := func(n node) { s.own["reasoning_effort"] = valueOf(n.Node) }
	tools := func(n node) { s.target.tools = s.src.fromFile(n, document.Quote(n.text())) }
	body := func(n node) {
		for key, value := range n.entries() {
			s.more(key.Text, value)
		}
	}
	by := handlers{
		"temperature": number("temperature"), "top_p": number("top_p"), "topP": number("top_p"), "seed": number("seed"),
		"stop":             func(n node) { s.own["stop"] = texts(n.texts()) },
		"reasoning_effort": effort, "reasoning": func(n node) {
			s.src.keys(n, "of `reasoning`",
				handlers{"effort": effort})
		},
		"generationConfig": s.read,

		"apiBaseUrl": s.address, "apiKey": s.apiKey, "headers": s.headerMap, "region": nil, "projectId": nil,
		"apiHost":        func(n node) { s.host = n.text() },
		"apiVersion":     func(n node) { s.version = n.text() },
		"deploymentName": func(n node) { s.deployment = n.text() },
		"workspaceUrl":   func(n node) { s.base = strings.TrimSuffix(n.text(), "/") + "/serving-endpoints" },
		"apiKeyEnvar":    func(n node) { s.key = n.text() },
		"organization":   func(n node) { s.header(n, "OpenAI-Organization", n) },

		"tools": tools, "functions": tools, "tool_choice": s.toolChoice, "function_call": s.toolChoice,
		"response_format":   func(n node) { s.target.schema = readResponseFormat(s.src, n) },
		"responseSchema":    func(n node) { s.target.schema = s.src.fromFile(n, document.Quote(n.text())) },
		"systemInstruction": s.system, "instructions": s.system, "systemPrompt": s.system, "system": s.system,
		"extra_body": body, "passthrough": body,
	}
	for _, name := range []string{"max_tokens", "maxTokens", "max_completion_tokens", "max_output_tokens",
		"maxOutputTokens", "num_predict", "max_new_tokens"} {
		by[name] = number("max_tokens")
	}
	s.src.skipAll(by, "the model decides whether it calls a tool", "toolConfig", "tool_config")
	s.src.skipAll(by, "the target's `price` sets what tokens cost, in dollars a million", "cost",
		"inputCost", "outputCost")
	s.src.skipAll(by, "failproof decides on retries, up to the target's `patience`", "maxRetries")
	s.src.skipAll(by, "the target has a `timeout` of its own", "timeoutMs", "timeout")
	s.src.skipAll(by, "reasoning text is not part of an answer", "showThinking")
	s.src.skipAll(by, "a target without `api_key_env` needs no key", "apiKeyRequired")
	s.src.skipAll(by, "nothing is uploaded", "store")
	s.src.skipAll(by, "it does not change answers", "loggingConfig")
	for _, name := range bodyKeys {
		by[name] = func(n node) { s.more(name, n) }
	}
	s.src.keys(config, "of the provider", by)
}

// bodyKeys are sent to an endpoint as they are.
var bodyKeys = []string{"frequency_penalty", "presence_penalty", "top_k", "min_p", "repetition_penalty",
	"repeat_penalty", "logit_bias", "logprobs", "top_logprobs", "user", "metadata",
	"service_tier", "verbosity", "parallel_tool_calls", "chat_template_kwargs", "safe_prompt", "num_ctx", "mirostat",
	"max_tool_calls", "truncation", "search_parameters", "provider", "transforms"}

// more adds a member to the body. A target of Anthropic's takes none.
func (s *settings) more(key string, n node) {
	text := jsonOf(n.Node)
	switch {
	case s.target.value.get("provider").text != "openai":
		s.src.addToDo(n, "`"+key+"` of the provider", "it cannot be set for a target of this kind", "")
	case redact.Keys(text) != text:
		s.src.addToDo(n, "`"+key+"` of the provider", "it contains something like a key", "")
	default:
		s.extra.set(key, valueOf(n.Node))
	}
}

func (s *settings) address(n node) {
	if u, ok := address(n.text()); !ok || u.RawQuery != "" {
		s.src.addToDo(n, "`apiBaseUrl`", "it is not a plain address", "write it into `base_url` of the target")
		return
	}
	s.base = strings.TrimSuffix(n.text(), "/")
}

// apiKey reads the variable of a key. A key itself is never repeated.
func (s *settings) apiKey(n node) {
	if name, ok := envOf(n.text()); ok {
		s.key = name
		return
	}
	s.src.addToDo(n, "`apiKey`", "keys are never written into files; it is not repeated here",
		"put it into the variable "+s.key+"; if this file was committed, make a new key")
}

func (s *settings) headerMap(n node) {
	for key, value := range n.entries() {
		s.header(key, key.Text, value)
	}
}

// ownHeader matches headers that failproof or the connection sets.
var ownHeader = regexp.MustCompile(`(?i)^(accept|accept-encoding|connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$`)

// keyHeader matches headers that hold keys.
var keyHeader = regexp.MustCompile(`(?i)^(authorization|api-key|x-api-key|x-goog-api-key|cookie)$`)

var headerEnv = regexp.MustCompile(`^(.*?)(\{\{\s*env\.[A-Za-z_][A-Za-z0-9_]*\s*\}\}|\$\{[A-Za-z_][A-Za-z0-9_]*\})$`)

func (s *settings) header(at node, name string, n node) {
	what := "the header " + document.Quote(name)
	text := n.text()
	env := headerEnv.FindStringSubmatch(text)
	switch {
	case env != nil && !ownHeader.MatchString(name):
		variable, _ := envOf(env[2])
		s.headers.set(name, mapOf().set("env", str(variable)).some("prefix", str(env[1])))
		if strings.EqualFold(name, "authorization") {
			s.key = ""
		}
	case strings.EqualFold(name, "content-type") && strings.Contains(text, "json"):
		s.src.addLeftOut(at, what, "failproof sets it itself")
	case ownHeader.MatchString(name):
		s.src.addToDo(at, what, "failproof sets it itself", "")
	case strings.Contains(text, "{{"), strings.Contains(text, "${"):
		s.src.addToDo(at, what, "its value is computed", "`{ env: NAME, prefix: \"…\" }` for that of a variable")
	case keyHeader.MatchString(name), redact.Keys(text) != text:
		s.src.addToDo(at, what, "keys are never written into files; it is not repeated here",
			"`"+name+": { env: NAME }`")
	default:
		s.headers.set(name, str(text))
	}
}

// system reads the message that goes before every prompt.
func (s *settings) system(n node) {
	what := "the instructions of the provider"
	text, err := s.src.textOf(n)
	if err != nil {
		if why, is := errors.AsType[refusal](err); is {
			s.src.addToDo(n, what, why.why, "")
		}
		return
	}
	for _, part := range n.get("parts").items() {
		text += part.get("text").text()
	}
	t := parseTemplate(text)
	if text == "" || t.problem != "" {
		s.src.addToDo(n, what, "they are not text with variables", "a message with `role: system` in the prompt")
		return
	}
	s.target.system = strings.TrimSpace(t.text)
}

// azure makes the address of a deployment.
func (s *settings) azure() {
	s.model = cmp.Or(s.deployment, s.model)
	host := strings.TrimSuffix(strings.TrimPrefix(s.host, "https://"), "/")
	switch {
	case s.base != "":
		return
	case host == "" || !plainPart.MatchString(host):
		host = "YOUR-RESOURCE.openai.azure.com"
		s.src.addToDo(s.target.from, "the host of "+document.Quote(s.target.id), "it comes from the environment",
			"write it into `base_url` of the target")
	}
	s.base = "https://" + host + "/openai/v1"
	if s.version != "" && plainPart.MatchString(s.version) {
		s.base = "https://" + host + "/openai/deployments/" + s.model + "?api-version=" + s.version
	}
}

func (s *settings) write() {
	v := s.target.value
	if s.host != "" && s.base == "" && plainPart.MatchString(s.host) {
		s.base = "https://" + s.host + "/v1"
	}
	v.set("model", str(s.model)).some("base_url", str(s.base)).some("api", str(s.target.api))
	if u, ok := address(s.base); ok {
		s.target.overHTTP(u)
	}
	if v.some("api_key_file", str(s.file)); s.file == "" {
		v.some("api_key_env", str(s.key))
	}
	v.set("temperature", s.own["temperature"]).set("top_p", s.own["top_p"]).set("max_tokens", s.own["max_tokens"])
	effort, seed, stop := s.own["reasoning_effort"], s.own["seed"], s.own["stop"]
	openai, marks := v.get("provider").text == "openai", seed != nil || stop != nil
	switch {
	case !openai && (marks || effort != nil):
		s.src.addToDo(s.target.from, "`reasoning_effort`, `seed` or `stop` of the provider",
			"it cannot be set for a target of this kind", "")
	case openai && s.target.api == "responses" && marks:
		v.set("reasoning_effort", effort)
		s.src.addToDo(s.target.from, "`seed` or `stop` of the provider", "the Responses API has neither", "")
	default:
		v.set("reasoning_effort", effort).set("seed", seed).set("stop", stop)
	}
	v.mark("structured_output", !s.target.schema.missing()).some("headers", s.headers).some("extra_body", s.extra)
	s.checkMaxTokens()
}

func (s *settings) checkMaxTokens() {
	most := s.own["max_tokens"]
	if most == nil {
		return
	}
	if n, err := strconv.Atoi(most.text); err != nil || n < 1 {
		s.src.addToDo(s.target.from, "`max_tokens` of the provider", "it is not a whole number", "")
	}
}

// fromFile returns a value, or the content of the file that it names. If there is none, it reports what it was for.
func (src *source) fromFile(n node, what string) node {
	if !strings.HasPrefix(n.text(), "file://") {
		return n
	}
	full, why := under(src.dir, n.Text)
	if why == "" && codeFile.MatchString(n.Text) {
		why = "it is code, which is not run"
	}
	if why != "" {
		src.addToDo(n, what, why, "")
		return node{}
	}
	root, _ := src.parse(full, n)
	return root
}

func (s *settings) toolChoice(n node) {
	if n.text() == "auto" {
		s.src.addLeftOut(n, "`tool_choice: auto`", "the model decides whether it calls a tool")
		return
	}
	s.src.addToDo(n, "`tool_choice`", "the model decides whether it calls a tool",
		"`expected_tools` lists the calls that the answer must make")
}
