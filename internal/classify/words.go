package classify

import "regexp"

// words is a pattern on the text of an error, with texts that it finds and near ones that it does not; tests read them.
type words struct {
	pattern *regexp.Regexp
	yes, no []string
}

func (w words) find(text string) bool       { return w.pattern.MatchString(text) }
func (w words) evidence(text string) string { return w.pattern.FindString(text) }

// The patterns are read-only.
var (
	timeoutWords = words{
		pattern: regexp.MustCompile(`(?i)timed?out|\btimed[ _-]out\b|\btime[_-]out\b|\brequest time out\b|deadline[ _]?exceeded|exceeded (?:the |its |a )?(?:deadline|time limit)|` +
			`(?:deadline|time limit)(?: of [^,.;]{1,20})? (?:was |has been |is )?(?:exceeded|reached|passed|expired)|took too long to (?:respond|answer)|no (?:response|answer) within \d`),
		yes: []string{
			"timeout", "request timed out", "Request timed out after 30s", "context deadline exceeded", "DEADLINE_EXCEEDED: try later",
			"connect ETIMEDOUT 10.0.0.1:443", "ESOCKETTIMEDOUT", "net/http: i/o timeout", "ReadTimeoutError: Read timed out. (read timeout=30)",
			"The operation exceeded the time limit", "deadline of 30 s was exceeded", "the model took too long to respond", "no answer within 30 seconds", "time-out",
		},
		no: []string{"out of time zones", "runtime output was lost", "JavaScript runtime out of memory", "connection reset by peer", "a timely outcome", "rate limit exceeded"},
	}

	// timeoutNamed finds a parameter of the request that is called timeout: the request is at fault, not the time.
	timeoutNamed = words{
		pattern: regexp.MustCompile(`(?i)(?:unsupported|unknown|unrecogni[sz]ed|invalid|unexpected|illegal)[ _](?:keyword )?(?:parameter|argument|value|field|key|option|property)s?\b[^.\n]{0,30}timeout`),
		yes:     []string{"Unsupported parameter: 'timeout'", "invalid value for timeout", "unexpected keyword argument 'timeout'"},
		no:      []string{"timeout: unknown host", "request timed out: unsupported parameter"},
	}

	crashWords = words{
		pattern: regexp.MustCompile(`(?i)\bpanic(?:ked)?\b|segmentation fault|\bsegfault|\bsig(?:segv|kill|abrt|bus|ill|fpe|sys)\b|signal: (?:killed|aborted|segmentation)|killed by signal|` +
			`\bout of memory\b|\boom\b|oomkill|outofmemory|core dumped|\bexit(?:ed)?(?: with)?(?: status| code)?[ :=]+(?:0*[1-9]\d{0,2}|-\d+)\b|exit (?:status|code) (?:0*[1-9]\d{0,2}|-\d+)\b|` +
			`\bstack overflow\b|\bcrash(?:ed|es|ing)?\b|(?:process|worker|server|model) (?:died|terminated unexpectedly|was killed)|access violation|illegal instruction|\bfatal error:`),
		yes: []string{
			"panic: runtime error: index out of range", "thread 'main' panicked at src/main.rs:1", "Segmentation fault (core dumped)", "signal: killed",
			"SIGKILL", "CUDA out of memory. Tried to allocate 2 GiB", "container was OOMKilled", "exit status 1", "process exited with code 137", "exit code: 134",
			"exited with status -11", "the model server crashed", "worker died", "java.lang.OutOfMemoryError: Java heap space", "fatal error: stack overflow",
		},
		no: []string{
			"connection reset by peer", "exit status 0", "exited with code 0", "the zoom factor is wrong", "room not found", "unexpected EOF",
			"invalid exit strategy", "panicle not found", "out of memorable names",
		},
	}

	// filterWords find a content filter's answer among errors.
	filterWords = words{
		pattern: regexp.MustCompile(`(?i)content[ _-]?filter|content_policy_violation|content management policy|responsibleaipolicyviolation|\binvalid_prompt\b|\bcyber_policy\b|prohibited_content|guardrail_intervened|` +
			`violat\w+ (?:of )?(?:our |the |openai'?s? )?(?:usage|content|safety|acceptable use)[ _]polic|(?:prompt|response|input|output|content|completion) (?:was|is|has been|were) (?:blocked|flagged)|` +
			`(?:blocked|rejected|flagged)(?: by| as a result of| due to| because of| for)? (?:our |the |its )?(?:safety|content|moderation)|block_?reason`),
		yes: []string{
			"Error code: 400 - {'error': {'code': 'content_filter'}}", "400 content_policy_violation",
			"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
			"Invalid prompt: your prompt was flagged as potentially violating our usage policy (invalid_prompt)",
			"Your request was rejected as a result of our safety system.", "The prompt was blocked.", "promptFeedback.blockReason: SAFETY", "cyber_policy",
		},
		no: []string{"Your IP was blocked.", "request blocked by firewall", "the filter is empty", "file content is empty", "this violates the JSON schema"},
	}

	// outageWords find what is neither the prompt's nor the parameters' fault, though providers send some of it as 400.
	outageWords = words{
		pattern: regexp.MustCompile(`(?i)rate[ _-]?limit|too many requests|tokens per (?:min|day)|requests per (?:min|day)|\btpm\b|\brpm\b|quota|billing|credit balance|insufficient (?:funds|credit|balance)|payment|` +
			`unauthori[sz]ed|authentication|invalid[ _]x?-?api[ _-]?key|api[ _-]?key|permission|forbidden|access denied|overloaded|unavailable|bad gateway|internal server error|at capacity|` +
			`connection (?:reset|refused|closed|aborted)|\beconn|no such host|dns|tls|certificate|\beof\b`),
		yes: []string{
			"429 Rate limit reached for gpt-5-mini on tokens per min (TPM)", "You exceeded your current quota", "insufficient_quota: check your billing details",
			"Your credit balance is too low to access the API", "Incorrect API key provided (invalid_request_error)", "invalid x-api-key", "Overloaded",
			"503 Service Unavailable", "read: connection reset by peer", "ECONNREFUSED", "unexpected EOF",
		},
		no: []string{"context_length_exceeded", "unsupported parameter: top_p", "prompt is too long: 210000 tokens > 200000 maximum"},
	}

	rejectedWords = words{
		pattern: regexp.MustCompile(`(?i)context[ _]length|context[ _]window|maximum (?:context|prompt|input) length|(?:prompt|input|request|message)s? (?:is |are )?too (?:long|large)|too many (?:input )?tokens|` +
			`reduce the length|string_above_max_length|invalid[ _]?request|invalid[ _]argument|validationexception|bad request|unprocessable|request entity too large|payload too large|` +
			`(?:unsupported|unknown|unrecogni[sz]ed|invalid)[ _](?:request )?(?:parameter|argument|value|field)|(?:max_tokens|temperature|top_p)\b[^.\n]{0,40}(?:too (?:large|high|low|small)|must be|not supported|exceed)`),
		yes: []string{
			"context_length_exceeded", "This model's maximum context length is 8192 tokens, however you requested 9000", "prompt is too long: 210000 tokens > 200000 maximum",
			"invalid_request_error: messages: at least one message is required", "Unsupported parameter: 'top_p'", "Unknown parameter: seed", "Unsupported value: 'temperature' does not support 0",
			"Bad Request", "max_tokens is too large: 99999", "input is too long for requested model", "model_context_window_exceeded",
		},
		no: []string{"model not found", "something went wrong", "stream ended early"},
	}
)
