package config

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

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
