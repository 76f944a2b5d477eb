package config

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Variables are the names of the variables that a target's client reads, the key's first.
func (t Target) Variables() (names []string) {
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

// checkKey refuses a key in two places, and one inside of the repository.
func (r *reader) checkKey(t Target, n *document.Node) {
	if t.APIKeyEnv != "" && t.APIKeyFile != "" {
		r.faultAt(n.KeyPos("api_key_file"), "contradiction", "`api_key_file` and `api_key_env` both name the key; keep one of them")
	}
	if t.APIKeyFile != "" && !isAbsolute(t.APIKeyFile) {
		r.errorAt(n.Get("api_key_file"), "path", "api_key_file %s is not a whole path outside of the repository: what is in the repository is a pull request's to write",
			document.Quote(t.APIKeyFile))
	}
	own := providers[t.Provider].keyHeader
	for _, h := range t.Headers {
		if strings.EqualFold(h.Name, own) && (t.APIKeyEnv != "" || t.APIKeyFile != "") {
			r.errorAt(n.Get("headers"), "contradiction", "header %s is where the key goes; leave out either it or the key", document.Quote(h.Name))
		}
	}
}

// isAbsolute reports a path that begins at a root, of whatever system, and takes no way back.
func isAbsolute(path string) bool {
	drive := len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
	plain := strings.ReplaceAll(path, `\`, "/")
	return (strings.HasPrefix(path, "/") || drive) && !strings.Contains(plain+"/", "/../") && !strings.HasPrefix(plain, "/proc/") && !strings.HasPrefix(plain, "/dev/")
}

// reservedPrefixes begin the names of the runner's own variables: its tokens, its addresses and the inputs of actions. Whatever
// a configuration says, none of them goes to a provider.
var reservedPrefixes = []string{"GITHUB_", "ACTIONS_", "RUNNER_", "INPUT_"}

// Reserved reports whether a variable is the runner's own, in letters of either case: some systems tell no difference.
func Reserved(variable string) bool {
	return slices.ContainsFunc(reservedPrefixes, func(prefix string) bool { return strings.HasPrefix(strings.ToUpper(variable), prefix) })
}

// variable reads the name of the variable that holds a key, or something else that is sent; key is where it is named.
func (r *reader) variable(n *document.Node, key string) string {
	name := n.AsText()
	if Reserved(name) {
		r.errorAt(n, "reserved-variable", "%s names %s, a variable of the runner; what begins with %s is never sent to a provider: "+
			"put the key into a variable of your own", key, document.Quote(name), strings.Join(reservedPrefixes, ", "))
	}
	return name
}
