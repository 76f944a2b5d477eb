package wire

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// Longest waits that are taken from headers.
const (
	maxAfter = 365 * 24 * time.Hour // only prevents an overflow: callers compare the wait with the time left
	maxPause = time.Minute
)

// RetryAfter returns the wait before a retry that the headers h state: Retry-After-Ms, or else Retry-After. The bool is
// false if no header has a valid value.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if after, ok := parseDuration(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return after, true
	}
	return parseWait(h.Get("Retry-After"), now)
}

// parseWait returns the wait that text states: a number of seconds, a duration such as 6m0s, or the date of its end. A
// past date means 0. The bool is false if text is none of these.
func parseWait(text string, now time.Time) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if wait, ok := parseDuration(text, time.Second); ok {
		return wait, true
	}
	if wait, err := time.ParseDuration(text); err == nil {
		return clamp(wait), true
	}
	date, err := http.ParseTime(text)
	if err != nil {
		date, err = time.Parse(time.RFC3339, text)
	}
	if err != nil {
		return 0, false
	}
	return clamp(date.Sub(now)), true
}

// parseDuration returns the number in text, times unit, as a duration. The bool is false if text is no number.
func parseDuration(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, false
	}
	if n >= float64(maxAfter/unit) {
		return maxAfter, true
	}
	return clamp(time.Duration(n * float64(unit))), true
}

func clamp(d time.Duration) time.Duration { return min(max(d, 0), maxAfter) }

// limitHeaders lists the headers for each kind of rate limit, in OpenAI's protocol and in Anthropic's.
var limitHeaders = []struct {
	limit, remaining, reset string
	tokens                  bool
}{
	{"X-Ratelimit-Limit-Requests", "X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests", false},
	{"X-Ratelimit-Limit-Tokens", "X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens", true},
	{"Anthropic-Ratelimit-Requests-Limit", "Anthropic-Ratelimit-Requests-Remaining",
		"Anthropic-Ratelimit-Requests-Reset", false},
	{"Anthropic-Ratelimit-Tokens-Limit", "Anthropic-Ratelimit-Tokens-Remaining",
		"Anthropic-Ratelimit-Tokens-Reset", true},
}

// limitPause returns how long to wait before the next request if the headers h say that a limit is used up. Otherwise
// it returns 0. used is what the last request used.
//
// The reset header has the time until the whole limit is available again. pause assumes that the next request needs the
// same share of the limit as the last one, and returns that share of the time. A limit that is not positive does not
// count, because Azure sends 0 and -1.
func limitPause(h http.Header, now time.Time, used model.Usage) (longest time.Duration) {
	for _, k := range limitHeaders {
		limit, err := strconv.Atoi(h.Get(k.limit))
		if err != nil || limit <= 0 || h.Get(k.remaining) != "0" {
			continue
		}
		need := 1
		if k.tokens {
			need = max(used.TokensIn+used.TokensOut, 1)
		}
		share := min(float64(need)/float64(limit), 1)
		untilReset, _ := parseWait(h.Get(k.reset), now)
		longest = max(longest, time.Duration(share*float64(untilReset)))
	}
	return min(longest, maxPause)
}
