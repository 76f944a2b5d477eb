package wire

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// Longest waits that are accepted.
const (
	maxAfter = 365 * 24 * time.Hour // callers compare it with the time left; this only bounds the number
	maxPause = time.Minute
)

// RetryAfter returns the wait before a retry: Retry-After-Ms, or Retry-After in seconds or as a date. A past date
// means 0. It is false if there is no valid value.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if after, ok := figure(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return after, true
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if after, ok := figure(text, time.Second); ok {
		return after, true
	}
	if date, err := http.ParseTime(text); err == nil {
		return clamp(date.Sub(now)), true
	}
	return 0, false
}

// figure returns a number of units as a duration.
func figure(text string, unit time.Duration) (time.Duration, bool) {
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

// kinds are the kinds of limits with their headers, for OpenAI's protocol and for Anthropic's.
var kinds = []struct {
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

// pause returns the wait after an answer whose headers say that a limit is used up. The headers' reset is the time
// until the whole limit is back. The next request is taken to need as large a share of the limit as the last one, and
// waits for that share of the reset. Without a positive limit there is no pause: Azure sends 0 and -1.
func pause(h http.Header, now time.Time, used model.Usage) (longest time.Duration) {
	for _, k := range kinds {
		limit, err := strconv.Atoi(h.Get(k.limit))
		if err != nil || limit <= 0 || h.Get(k.remaining) != "0" {
			continue
		}
		need := 1
		if k.tokens {
			need = max(used.TokensIn+used.TokensOut, 1)
		}
		share := min(float64(need)/float64(limit), 1)
		longest = max(longest, time.Duration(share*float64(reset(h.Get(k.reset), now))))
	}
	return min(longest, maxPause)
}

// reset parses 6m0s, a number of seconds or a date. It is 0 if the value is invalid or past.
func reset(text string, now time.Time) time.Duration {
	if d, err := time.ParseDuration(text); err == nil {
		return clamp(d)
	}
	if d, ok := figure(text, time.Second); ok {
		return d
	}
	if date, err := time.Parse(time.RFC3339, text); err == nil {
		return clamp(date.Sub(now))
	}
	return 0
}
