package classify

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

// maxFailureBytes limits how many bytes of an error's text are searched, from its beginning on. The rest is usually a
// stack trace.
const maxFailureBytes = 64 << 10

// isFailure reports whether f describes a failure. A nil f describes none. Neither does an f without a message, a
// reason and a time limit.
func isFailure(f *model.Failure) bool {
	return f != nil && (f.Message != "" || f.Reason != "" || f.LimitSeconds > 0)
}

// classifyFailure classifies the failure f as a timeout, a crash, a filtered request or another error. It tries
// timeouts and crashes first, because the rule for other errors matches them too.
func classifyFailure(f model.Failure) Classification {
	text := string(f.Message)
	text = text[:min(len(text), maxFailureBytes)]
	switch {
	case f.LimitSeconds > 0, f.Reason == model.ReasonTimeout:
		return classifyTimeout(f, text)
	case f.Reason == model.ReasonCrash:
		return classifyCrash(f)
	case f.Reason != "":
		return classifyError(f, f.Reason)
	}
	status := httpStatus(text)
	switch {
	case isTimeout(text, status):
		return classifyTimeout(f, text)
	case crashWords.MatchString(text):
		return classifyCrash(f)
	case filterWords.MatchString(text) && !isOutage(status):
		return classifyFiltered(f, text)
	case isRejected(text, status):
		return classifyError(f, reasonRejected)
	}
	return classifyError(f, "")
}

func classifyTimeout(f model.Failure, text string) Classification {
	d := Details{LimitSeconds: f.LimitSeconds, ErrorDetails: truncate(string(f.Message), maxErrorRunes),
		Reason: f.Reason}
	if d.LimitSeconds <= 0 {
		d.LimitSeconds = limitSeconds(text)
	}
	if f.Reason == "" && crashWords.MatchString(text) {
		d.AlsoMatched = []Category{Crash}
	}
	return Classification{Primary: Timeout, Details: d}
}

// classifyCrash classifies the failure of a process that died. The tested prompt or model is not to blame for it. An
// empty answer is a crash too, but Classify blames the prompt or model for it.
func classifyCrash(f model.Failure) Classification {
	return Classification{Primary: Crash, Details: Details{ErrorDetails: truncate(string(f.Message), maxErrorRunes)}}
}

// UnscoredError classifies an error that the tested prompt or model did not cause.
func UnscoredError(f model.Failure) Classification {
	return Classification{Primary: Error, Details: Details{ErrorDetails: truncate(string(f.Message), maxErrorRunes),
		Reason: f.Reason}, End: f.End}
}

// classifyError classifies an error with the given reason. If the provider rejected the request as bad or too long, the
// tested prompt or model caused the error.
func classifyError(f model.Failure, reason string) Classification {
	f.Reason = reason
	c := UnscoredError(f)
	c.Details.CausedByPromptOrModel = reason == reasonRejected || reason == model.ReasonContextLength
	return c
}

// classifyFiltered classifies an error as a refusal, because the provider's content filter rejected the request or the
// answer.
func classifyFiltered(f model.Failure, text string) Classification {
	return Classification{Primary: Refusal, Details: Details{Rule: "provider_filter", Kind: refusal.Declined,
		Evidence:     truncate(filterWords.FindString(text), maxEvidenceRunes),
		ErrorDetails: truncate(string(f.Message), maxErrorRunes)}}
}

func isTimeout(text string, status int) bool {
	if status == 408 || status == 504 || status == 524 {
		return true
	}
	return timeoutWords.MatchString(text) && !timeoutParameter.MatchString(text)
}

// isOutage reports whether status is 429 or at least 500. Such a status does not depend on the request.
func isOutage(status int) bool { return status == 429 || status >= 500 }

// isRejected reports whether a provider rejected the request as bad or too long, so that a retry would not help. Errors
// about keys, quotas, rate limits and outages do not count.
func isRejected(text string, status int) bool {
	switch {
	case isOutage(status), outageWords.MatchString(text):
		return false
	case status == 400 || status == 413 || status == 422:
		return true
	case status >= 400:
		return false // 401, 403, 404, …
	}
	return rejectedWords.MatchString(text)
}

var statusPattern = regexp.MustCompile(`(?i)(?:^|\b(?:https?(?:/[\d.]+)?|status|code|error)["')]?[ :=(\["']{1,4})([45]\d\d)\b` +
	`|\b([45]\d\d) (?:bad request|unauthorized|payment required|forbidden|not found|request timeout|conflict|payload too large|` +
	`request entity too large|content too large|unprocessable|too many requests|internal server error|bad gateway|service unavailable|gateway time|client error|server error)`)

// httpStatus returns the first HTTP status from 400 to 599 that text names, as in "status 404" or "503 service
// unavailable". It returns 0 if there is none.
func httpStatus(text string) int {
	m := statusPattern.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	code, _ := strconv.Atoi(m[1] + m[2]) // one group is empty, the other has three digits
	return code
}

var (
	// limitAfterKeyword matches a limit after its keyword: "after 30s", "timeout of 30000ms". limitBeforeKeyword
	// matches a limit before its keyword: "30 s timeout". limitWithoutUnit matches a limit without a unit: "(read
	// timeout=30)".
	limitAfterKeyword  = regexp.MustCompile(`(?i)(?:timed?[ _-]?out|deadline|time limit|limit|after|within|exceeded|waited)[^0-9\n]{0,24}?(\d+(?:\.\d+)?(?:[hms]\d+(?:\.\d+)?)*) ?(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\b`)
	limitBeforeKeyword = regexp.MustCompile(`(?i)\b(\d+(?:\.\d+)?)[ -]?(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)[ -](?:time|deadline|limit)`)
	limitWithoutUnit   = regexp.MustCompile(`(?i)timeout ?= ?(\d+(?:\.\d+)?)(?:[),. ]|$)`)
)

// limitSeconds returns the time limit that the text of a timeout names, in seconds, or 0 if it names none.
func limitSeconds(text string) float64 {
	for _, pattern := range []*regexp.Regexp{limitAfterKeyword, limitBeforeKeyword} {
		if m := pattern.FindStringSubmatch(text); m != nil {
			return toSeconds(m[1], m[2])
		}
	}
	if m := limitWithoutUnit.FindStringSubmatch(text); m != nil {
		return toSeconds(m[1], "s") // Python's library requests names seconds without a unit
	}
	return 0
}

// toSeconds converts number and its unit to seconds. number may also be the beginning of a duration, such as 1m30 with
// the unit s.
func toSeconds(number, unit string) float64 {
	total := 0.0
	for i := strings.IndexAny(number, "hms"); i >= 0; i = strings.IndexAny(number, "hms") {
		total += parseSeconds(number[:i], number[i:i+1])
		number = number[i+1:]
	}
	return total + parseSeconds(number, unit)
}

func parseSeconds(number, unit string) float64 {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0 // more digits than a number holds
	}
	switch unit = strings.ToLower(unit); {
	case strings.HasPrefix(unit, "ms"), strings.HasPrefix(unit, "mil"):
		return n / 1000
	case unit[0] == 'm':
		return n * 60
	case unit[0] == 'h':
		return n * 3600
	}
	return n
}

// Patterns of the texts of errors.
var (
	timeoutWords = regexp.MustCompile(`(?i)timed?out|\btimed[ _-]out\b|\btime[_-]out\b|\brequest time out\b|deadline[ _]?exceeded|exceeded (?:the |its |a )?(?:deadline|time limit)|` +
		`(?:deadline|time limit)(?: of [^,.;]{1,20})? (?:was |has been |is )?(?:exceeded|reached|passed|expired)|took too long to (?:respond|answer)|no (?:response|answer) within \d`)

	// timeoutParameter matches errors about a request parameter whose name contains timeout. In such an error the
	// request is wrong, and nothing timed out.
	timeoutParameter = regexp.MustCompile(`(?i)(?:unsupported|unknown|unrecogni[sz]ed|invalid|unexpected|illegal)[ _](?:keyword )?(?:parameter|argument|value|field|key|option|property)s?\b[^.\n]{0,30}timeout`)

	crashWords = regexp.MustCompile(`(?i)\bpanic(?:ked)?\b|segmentation fault|\bsegfault|\bsig(?:segv|kill|abrt|bus|ill|fpe|sys)\b|signal: (?:killed|aborted|segmentation)|killed by signal|` +
		`\bout of memory\b|\boom\b|oomkill|outofmemory|core dumped|\bexit(?:ed)?(?: with)?(?: status| code)?[ :=]+(?:0*[1-9]\d{0,2}|-\d+)\b|exit (?:status|code) (?:0*[1-9]\d{0,2}|-\d+)\b|` +
		`\bstack overflow\b|\bcrash(?:ed|es|ing)?\b|(?:process|worker|server|model) (?:died|terminated unexpectedly|was killed)|access violation|illegal instruction|\bfatal error:`)

	// filterWords matches errors of content filters.
	filterWords = regexp.MustCompile(`(?i)content[ _-]?filter|content_policy_violation|content management policy|responsibleaipolicyviolation|\binvalid_prompt\b|\bcyber_policy\b|prohibited_content|guardrail_intervened|` +
		`violat\w+ (?:of )?(?:our |the |openai'?s? )?(?:usage|content|safety|acceptable use)[ _]polic|(?:prompt|response|input|output|content|completion) (?:was|is|has been|were) (?:blocked|flagged)|` +
		`(?:blocked|rejected|flagged)(?: by| as a result of| due to| because of| for)? (?:our |the |its )?(?:safety|content|moderation)|block_?reason`)

	// outageWords matches errors that neither the prompt nor the parameters cause. Providers send some of them as 400.
	outageWords = regexp.MustCompile(`(?i)rate[ _-]?limit|too many requests|tokens per (?:min|day)|requests per (?:min|day)|\btpm\b|\brpm\b|quota|billing|credit balance|insufficient (?:funds|credit|balance)|payment|` +
		`unauthori[sz]ed|authentication|invalid[ _]x?-?api[ _-]?key|api[ _-]?key|permission|forbidden|access denied|overloaded|unavailable|bad gateway|internal server error|at capacity|` +
		`connection (?:reset|refused|closed|aborted)|\beconn|no such host|dns|tls|certificate|\beof\b`)

	rejectedWords = regexp.MustCompile(`(?i)context[ _]length|context[ _]window|maximum (?:context|prompt|input) length|(?:prompt|input|request|message)s? (?:is |are )?too (?:long|large)|too many (?:input )?tokens|` +
		`reduce the length|string_above_max_length|invalid[ _]?request|invalid[ _]argument|validationexception|bad request|unprocessable|request entity too large|payload too large|` +
		`(?:unsupported|unknown|unrecogni[sz]ed|invalid)[ _](?:request )?(?:parameter|argument|value|field)|(?:max_tokens|temperature|top_p)\b[^.\n]{0,40}(?:too (?:large|high|low|small)|must be|not supported|exceed)`)
)
