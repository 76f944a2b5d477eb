package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// maxShown bounds a setting that is told as it is, in bytes; of a longer one its digest stands, since each recorded answer repeats it.
const maxShown = 60

// Settings are what of a target's configuration a request is made of, beside the model and the parameters of sampling: by key, nil
// if nothing is. They enter the request key, and recorded answers are held to them: with another of them it is another who answers.
// Where a key comes from, how fast and how long the target is asked, and (of all but http, whose address is its name) where it
// stands are no part of them. No secret is in them.
func (t Target) Settings() map[string]string {
	var out map[string]string
	set := func(key, value string) {
		if value == "" {
			return
		}
		if len(value) > maxShown {
			sum := sha256.Sum256([]byte(value))
			value = "sha256:" + hex.EncodeToString(sum[:16])
		}
		if out == nil {
			out = map[string]string{}
		}
		out[key] = value
	}
	if t.API != APIChat {
		set("api", t.API)
	}
	set("reasoning_effort", t.ReasoningEffort)
	set("seed", optional(t.Seed))
	if len(t.Stop) > 0 {
		set("stop", fmt.Sprintf("%q", t.Stop))
	}
	set("extra_body", t.ExtraBody)
	set("headers", t.headersWith(func(string) string { return "…" }))
	if t.StructuredOutput {
		set("structured_output", strconv.FormatBool(true))
	}
	if t.Provider == ProviderHTTP {
		set("url", t.HTTP.URL)
		set("method", t.HTTP.Method)
		set("body", t.HTTP.Body.String())
		set("answer", t.HTTP.Answer.String())
	}
	return out
}
