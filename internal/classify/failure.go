package classify

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

// failureBytes bounds how much of an error is searched: its head says what happened, the rest is a stack trace.
const failureBytes = 64 << 10

// failed reports whether a failure says anything; an empty error is no error.
func failed(f *model.Failure) bool {
	return f != nil && (f.Message != "" || f.Reason != "" || f.LimitSeconds > 0)
}

// failure classifies an error: a timeout, else a crash, else an error. Document 003's first rule opens this branch and
// its second and third refine it; read one after the other they could never be reached.
func failure(f model.Failure) Classification {
	text := string(f.Message)
	text = text[:min(len(text), failureBytes)]
	switch {
	case f.LimitSeconds > 0, f.Reason == model.ReasonTimeout:
		return timeout(f, text)
	case f.Reason == model.ReasonCrash:
		return crashed(f)
	case f.Reason != "":
		return systemError(f, f.Reason)
	}
	status := httpStatus(text)
	switch {
	case isTimeout(text, status):
		return timeout(f, text)
	case crashWords.find(text):
		return crashed(f)
	case filterWords.find(text) && !isOutage(status):
		return filtered(f, text)
	case isRejected(text, status):
		return systemError(f, reasonRejected)
	}
	return systemError(f, "")
}

func timeout(f model.Failure, text string) Classification {
	d := Details{LimitSeconds: f.LimitSeconds, ErrorDetails: cut(string(f.Message), errorRunes)}
	if d.LimitSeconds <= 0 {
		d.LimitSeconds = limitSeconds(text)
	}
	if f.Reason == "" && crashWords.find(text) {
		d.AlsoMatched = []Category{Crash}
	}
	return Classification{Primary: Timeout, Details: d}
}

// crashed is a process that died. An answer that is empty is a crash of another kind, and the candidate's own.
func crashed(f model.Failure) Classification {
	return Classification{Primary: Crash, Details: Details{ErrorDetails: cut(string(f.Message), errorRunes)}}
}

// systemError is an error; one whose request the provider rejected as bad or too long is the candidate's own.
func systemError(f model.Failure, reason string) Classification {
	return Classification{Primary: Error, Details: Details{
		ErrorDetails: cut(string(f.Message), errorRunes),
		Reason:       reason,
		CandidateOwn: reason == reasonRejected || reason == model.ReasonContextLength,
	}}
}

// filtered is a refusal that came as an error: the provider's content filter turned the request or the answer down.
func filtered(f model.Failure, text string) Classification {
	return Classification{Primary: Refusal, Details: Details{
		Rule:         "provider_filter",
		Kind:         refusal.Declined,
		Evidence:     cut(filterWords.evidence(text), evidenceRunes),
		ErrorDetails: cut(string(f.Message), errorRunes),
	}}
}

func isTimeout(text string, status int) bool {
	if status == 408 || status == 504 || status == 524 {
		return true
	}
	return timeoutWords.find(text) && !timeoutNamed.find(text)
}

// isOutage knows the statuses that say nothing about the request.
func isOutage(status int) bool { return status == 429 || status >= 500 }

// isRejected reports whether a provider turned the request down as bad or too long, which sending it again would not
// change. Keys, quotas, limits and outages are nobody's prompt.
func isRejected(text string, status int) bool {
	switch {
	case isOutage(status), outageWords.find(text):
		return false
	case status == 400 || status == 413 || status == 422:
		return true
	case status >= 400:
		return false // 401, 403, 404, …
	}
	return rejectedWords.find(text)
}

var statusPattern = regexp.MustCompile(`(?i)(?:^|\b(?:https?(?:/[\d.]+)?|status|code|error)["')]?[ :=(\["']{1,4})([45]\d\d)\b` +
	`|\b([45]\d\d) (?:bad request|unauthorized|payment required|forbidden|not found|request timeout|conflict|payload too large|` +
	`request entity too large|content too large|unprocessable|too many requests|internal server error|bad gateway|service unavailable|gateway time|client error|server error)`)

// httpStatus returns the first status code, 400 to 599, that an error names as one; 0 if it names none.
func httpStatus(text string) int {
	m := statusPattern.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	code, err := strconv.Atoi(m[1] + m[2]) // one of them is empty
	if err != nil {
		return 0
	}
	return code
}

var (
	// limitBehind finds "after 30s", "timeout of 30000ms", "(read timeout=30)"; limitBefore finds "30 s timeout".
	limitBehind = regexp.MustCompile(`(?i)(?:timed?[ _-]?out|deadline|time limit|limit|after|within|exceeded|waited)[^0-9\n]{0,24}?(\d+(?:\.\d+)?(?:[hms]\d+(?:\.\d+)?)*) ?(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\b`)
	limitBefore = regexp.MustCompile(`(?i)\b(\d+(?:\.\d+)?)[ -]?(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)[ -](?:time|deadline|limit)`)
	limitPlain  = regexp.MustCompile(`(?i)timeout ?= ?(\d+(?:\.\d+)?)(?:[),. ]|$)`)
)

// limitSeconds returns the limit that a timeout's text names, in seconds, or 0.
func limitSeconds(text string) float64 {
	for _, pattern := range []*regexp.Regexp{limitBehind, limitBefore} {
		if m := pattern.FindStringSubmatch(text); m != nil {
			return seconds(m[1], m[2])
		}
	}
	if m := limitPlain.FindStringSubmatch(text); m != nil {
		return seconds(m[1], "s") // Python's requests names seconds without a unit
	}
	return 0
}

// seconds converts a figure, or a duration such as 1m30 with its last unit apart.
func seconds(figure, unit string) float64 {
	total := 0.0
	for {
		i := strings.IndexAny(figure, "hms")
		if i < 0 {
			break
		}
		total += figureSeconds(figure[:i], figure[i:i+1])
		figure = figure[i+1:]
	}
	return total + figureSeconds(figure, unit)
}

func figureSeconds(figure, unit string) float64 {
	n, err := strconv.ParseFloat(figure, 64)
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
