package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/redact"
)

// EnvVars returns the names of the environment variables that the target's client reads. The variable with the API
// key comes first.
func (t Target) EnvVars() (names []string) {
	if t.APIKeyEnv != "" {
		names = append(names, t.APIKeyEnv)
	}
	for _, h := range t.Headers {
		if h.Env != "" && !slices.Contains(names, h.Env) {
			names = append(names, h.Env)
		}
	}
	return names
}

// checkKey reports an API key that is given twice, and a key file that may be in the repository.
func checkKey(r *reader, t Target, n *document.Node) {
	if t.APIKeyEnv != "" && t.APIKeyFile != "" {
		r.ErrorAt(n.KeyPos("api_key_file"), "contradiction", "`api_key_file` and `api_key_env` both name the "+
			"key; keep one of them")
	}
	if t.APIKeyFile != "" && !isAbsolute(t.APIKeyFile) {
		r.ErrorAt(n.Get("api_key_file").Pos, "path", "api_key_file %s is not an absolute path outside of the "+
			"repository; a pull request could write a file in the repository",
			document.Quote(t.APIKeyFile))
	}
	keyHeader := providers[t.Provider].keyHeader
	for _, h := range t.Headers {
		if strings.EqualFold(h.Name, keyHeader) && (t.APIKeyEnv != "" || t.APIKeyFile != "") {
			r.ErrorAt(n.Get("headers").Pos, "contradiction", "header %s carries the key; remove the header or the "+
				"key", document.Quote(h.Name))
		}
	}
}

// isAbsolute reports whether a path is absolute on Unix or Windows, has no "..", and is not in /proc or /dev.
func isAbsolute(path string) bool {
	drive := len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
	plain := strings.ReplaceAll(path, `\`, "/")
	return (strings.HasPrefix(path, "/") || drive) && !strings.Contains(plain+"/", "/../") && !strings.HasPrefix(plain, "/proc/") && !strings.HasPrefix(plain, "/dev/")
}

// reservedPrefixes are the prefixes of the runner's variables: its tokens, addresses and the inputs of actions. No
// configuration can send them to a provider.
var reservedPrefixes = []string{"GITHUB_", "ACTIONS_", "RUNNER_", "INPUT_"}

// IsReservedVar reports whether the environment variable with the given name is the runner's own. It ignores letter
// case, because some systems do.
func IsReservedVar(variable string) bool {
	return slices.ContainsFunc(reservedPrefixes, func(prefix string) bool { return strings.HasPrefix(strings.ToUpper(variable), prefix) })
}

// envName returns the name in n of an environment variable whose value, such as an API key, is sent to a provider. It
// reports a reserved name. key is the key of the entry in the file.
func (r *reader) envName(n *document.Node, key string) string {
	name := n.AsText()
	if IsReservedVar(name) {
		r.ErrorAt(n.Pos, "reserved-variable", "%s names %s, a variable of the runner; no variable that begins with "+
			"%s is sent to a provider: "+
			"put the key into your own variable", key, document.Quote(name), strings.Join(reservedPrefixes, ", "))
	}
	return name
}

// Header is one header of a target's requests. Its value is written in the file or read from a variable.
type Header struct {
	Name  string
	Value string // as written in the file; if Env is set, a prefix of the variable's value
	Env   string // the environment variable; "" if the value is written in the file
}

// reservedHeaders are the headers that failproof or the connection sets.
var reservedHeaders = []string{"accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
	"te", "trailer", "transfer-encoding", "upgrade"}

// keyHeaders are the headers that carry keys. A key must not be written in a file.
var keyHeaders = []string{"authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie"}

func readHeaders(r *reader, n *document.Node) (out []Header) {
	seen := map[string]bool{}
	for key, value := range n.Entries() {
		h := Header{key.Text, value.AsText(), ""}
		if value.Kind == document.Map {
			h.Env, h.Value = r.envName(value.Get("env"), "headers"), value.Get("prefix").AsText()
		}
		lower := strings.ToLower(h.Name)
		switch {
		case seen[lower]:
			r.ErrorAt(key.Pos, "header", "header %s is there twice; header names ignore letter case", document.Quote(h.Name))
		case slices.Contains(reservedHeaders, lower) || strings.HasPrefix(lower, "proxy-"):
			r.ErrorAt(key.Pos, "header", "failproof sets the header %s itself; remove it", document.Quote(h.Name))
		case h.Env == "" && (slices.Contains(keyHeaders, lower) || looksSecret(h.Value)):
			r.ErrorAt(value.Pos, "header", "header %s contains a key; write %s: { env: NAME }, and put the key into "+
				"that variable", document.Quote(h.Name), h.Name)
		case strings.Contains(h.Value, "{{") || strings.Contains(h.Value, "${"):
			r.ErrorAt(value.Pos, "header", "the value of header %s is sent as written; to send a variable, write { "+
				"env: NAME, prefix: \"…\" }", document.Quote(h.Name))
		}
		seen[lower] = true
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b Header) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return out
}

func looksSecret(text string) bool { return redact.RedactKeys(text) != text }

// headersText returns a function that returns the target's headers on one line. In place of the value of a variable,
// that function writes the result of replacement.
func (t *Target) headersText(replacement func(variable string) string) func() string {
	return func() string {
		all := make([]string, len(t.Headers))
		for i, h := range t.Headers {
			all[i] = h.Name + ": " + h.Value
			if h.Env != "" {
				all[i] += replacement(h.Env)
			}
		}
		return strings.Join(all, "; ")
	}
}
