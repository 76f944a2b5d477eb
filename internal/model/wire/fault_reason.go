package wire

import (
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
)

// filtered is a reason besides those of package model: a content filter stopped the request or the answer.
const filtered = "filtered"

// reasonCodes lists the reasons with the codes, in lower case, with which providers report them. An error with a narrow
// reason often also has the code or the status of a wider reason, so narrow reasons come first. Sources: the error
// pages of OpenAI, Azure, Anthropic, OpenRouter and Mistral, google.rpc.Code, and the sources of vLLM, llama.cpp and
// Ollama.
var reasonCodes = []struct {
	reason string
	codes  []string
}{
	{filtered, []string{"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "invalid_prompt",
		"cyber_policy", "content_blocked", "moderation", "content_filtered", "safety"}},
	{model.ReasonContextLength, []string{"context_length_exceeded", "exceed_context_size_error",
		"model_context_window_exceeded", "context_window_exceeded", "string_above_max_length",
		"model_max_prompt_tokens_exceeded"}},
	{model.ReasonQuota, []string{"insufficient_quota", "credit_balance_exhausted", "billing_error",
		"billing_hard_limit_reached", "billing_not_active", "insufficient_credits", "insufficient_balance",
		"spend_limit_reached", "payment_required"}},
	{model.ReasonAuth, []string{"invalid_api_key", "authentication_error", "permission_error", "api_key_invalid",
		"unauthenticated", "permission_denied", "unauthorized", "invalid_authentication", "access_terminated",
		"account_deactivated"}},
	{model.ReasonRateLimit, []string{"rate_limit_exceeded", "rate_limit_error", "rate_limit", "resource_exhausted",
		"too_many_requests", "tokens_exceeded_error", "ratelimitreached"}},
	{model.ReasonNotFound, []string{"model_not_found", "not_found_error", "not_found", "deploymentnotfound",
		"notfounderror"}},
	{model.ReasonTimeout, []string{"timeout_error", "deadline_exceeded", "timeout", "request_timeout"}},
	{model.ReasonServer, []string{"server_error", "internal_server_error", "internal", "overloaded_error", "api_error",
		"unavailable", "unavailable_error", "engine_overloaded", "service_unavailable", "internalservererror",
		"provider_unavailable"}},
	{model.ReasonRejected, rejectedCodes},
}

var rejectedCodes = []string{"invalid_request_error", "invalid_argument", "bad_request", "badrequesterror",
	"request_too_large", "failed_precondition", "invalid_request"}

// Words in messages that classify an error if its code does not.
var (
	filterWords  = regexp.MustCompile(`(?i)content (?:management )?polic|content[ _-]?filter|usage polic|\bmoderation\b|\bflagged\b|guardrail|safety (?:system|filter|setting)`)
	blockedWords = regexp.MustCompile(`(?i)\bblocked\b`)
	tooLongWords = regexp.MustCompile(`(?i)context[ _-](?:length|window|size)|prompt is too long|input is too long|too many (?:input |prompt )?tokens|` +
		`(?:input|prompt) token count.{0,80}exceeds|exceeds? the (?:available|maximum|model'?s).{0,40}(?:context|tokens)|longer than the (?:maximum )?model length`)
	quotaWords = regexp.MustCompile(`(?i)credit balance|insufficient (?:quota|credits?|funds|balance)|exceeded your current quota|(?:spend(?:ing)?|api usage|billing)(?: hard)? limits?|out of call volume quota|requires more credits`)
	keyWords   = regexp.MustCompile(`(?i)api key (?:not valid|is invalid|expired|not found)|(?:invalid|incorrect|missing) api[ _-]?key`)
)

func (f fault) reason() string {
	if f.Status == 402 && f.After > 0 {
		// OpenRouter reserves money for requests under way and returns it later.
		return model.ReasonRateLimit
	}
	if r := f.byMessage(); r != "" {
		return r
	}
	if r := f.byCode(); r != "" {
		return r
	}
	if r := byStatus(f.Status); r != "" {
		return r
	}
	if f.Message == "" && len(f.Codes) == 0 {
		return model.ReasonProtocol // {"error": {}} in a successful response
	}
	return model.ReasonServer
}

// byCode returns the narrowest reason that the error's codes name and that fits the status, or "".
func (f fault) byCode() string {
	for _, one := range reasonCodes {
		for _, code := range f.Codes {
			if slices.Contains(one.codes, normalizeCode(code)) && f.fits(one.reason) {
				return one.reason
			}
		}
	}
	return ""
}

// normalizeCode returns a code in lower case and with _ between its words, as reasonCodes has it.
func normalizeCode(code string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(code)))
}

// rejectedStatuses are the HTTP statuses of a rejected request. 0 stands for an error that names no status.
var rejectedStatuses = []int{0, 400, 413, 422}

// fits reports whether an error with this status can have the given reason. Unspecific codes such as
// "invalid_request_error" also come with 401, 404 and 429. The status then tells more than the code.
func (f fault) fits(reason string) bool {
	specific := reason == filtered || reason == model.ReasonContextLength || reason == model.ReasonQuota
	switch {
	case slices.Contains(rejectedStatuses, f.Status):
		return true
	case f.Status >= 500:
		return reason == model.ReasonTimeout || reason == model.ReasonServer || reason == model.ReasonContextLength
	case f.Status == 429:
		return reason == model.ReasonQuota
	}
	return specific
}

// byMessage returns the reason that the words of the message name, or "". It reads the message only if the status means
// a rejected request, or is 403 or 429.
func (f fault) byMessage() string {
	rejected := slices.Contains(rejectedStatuses, f.Status)
	forbidden := rejected || f.Status == 403
	exhausted := slices.ContainsFunc(f.Codes, func(c string) bool { return normalizeCode(c) == "resource_exhausted" })
	switch {
	case f.isAboutContent() && (forbidden && filterWords.MatchString(f.Message) || rejected &&
		blockedWords.MatchString(f.Message)):
		return filtered
	case rejected && tooLongWords.MatchString(f.Message):
		return model.ReasonContextLength
	// Gemini also says "exceeded your current quota" for a limit per minute.
	case (forbidden || f.Status == 429) && !exhausted && quotaWords.MatchString(f.Message):
		return model.ReasonQuota
	case rejected && keyWords.MatchString(f.Message):
		return model.ReasonAuth
	}
	return ""
}

// isAboutContent reports whether an error may be about the prompt. Such an error names no field except the prompt, and
// its codes say no more than that the request was rejected. The words of any other message do not count as a refusal:
// the message may quote the request, such as a schema with a field "flagged".
func (f fault) isAboutContent() bool {
	switch f.Param {
	case "", "prompt", "messages", "input":
		return !slices.ContainsFunc(f.Codes,
			func(code string) bool { return !slices.Contains(rejectedCodes, normalizeCode(code)) })
	}
	return false
}

func byStatus(status int) string {
	switch status {
	case 400, 413, 422:
		return model.ReasonRejected
	case 401, 403, 407:
		return model.ReasonAuth
	case 402:
		return model.ReasonQuota
	case 404, 410:
		return model.ReasonNotFound
	case 408, 504, 522, 524:
		return model.ReasonTimeout
	case 409, 425:
		return model.ReasonServer
	case 429:
		return model.ReasonRateLimit
	}
	switch {
	case status >= 500:
		return model.ReasonServer
	case status >= 300:
		return model.ReasonProtocol
	}
	return ""
}
