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
// means 0. The bool is false if no header has a valid value.
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

// figure parses a number of units and returns it as a duration. The bool is false if text is no number.
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

// kinds lists the headers of each kind of limit, in OpenAI's protocol and in Anthropic's.
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

// pause returns the wait after an answer whose headers say that a limit is used up. The reset header has the time until
// the whole limit is available again. pause assumes that the next request needs the same share of the limit as the last
// one, and returns that share of the reset time. It is 0 without a positive limit; Azure sends 0 and -1.
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
