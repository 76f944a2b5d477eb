package config

// provider has the properties of one value of the key `provider` of targets.
type provider struct {
	requiredKeys    []string // keys that a target must have
	live            bool     // it sends requests or runs a command
	statesCost      bool     // its answers may state their cost
	toolless        bool     // its requests cannot declare tools
	keyHeader       string   // header that carries the key, in lower case; "" for none
	address         string   // default address; "" for none
	maxOutputTokens int      // token limit of an answer if the target sets none; 0: the API has no such default
}

// providers has all providers by name. The schema lists their names too. Each provider that sends requests has a
// package below internal/model.
var providers = map[string]provider{
	"recorded": {requiredKeys: []string{"path"}},
	"echo":     {},
	"openai": {requiredKeys: []string{"model"}, live: true, keyHeader: "authorization",
		address: "https://api.openai.com/v1"},
	"anthropic": {requiredKeys: []string{"model"}, live: true, keyHeader: "x-api-key", address: "https://api.anthropic.com", maxOutputTokens: 4096}, // the API requires a limit
	ProviderHTTP: {requiredKeys: []string{"url", "body", "answer"}, live: true, keyHeader: "authorization",
		toolless: true},
	"exec": {requiredKeys: []string{"command"}, live: true, statesCost: true, toolless: true},
}

// Live reports whether the target calls a model or runs a command, which costs money or needs trust. It returns false
// for the zero Target.
func (t Target) Live() bool { return providers[t.Provider].live }

// StatesCost reports whether the target's answers may state their cost.
func (t Target) StatesCost() bool {
	return providers[t.Provider].statesCost || t.HTTP.Answer.Usage != nil
}

// Toolless reports whether requests to the target cannot declare tools.
func (t Target) Toolless() bool { return providers[t.Provider].toolless }

// MaxOutputTokens returns the token limit of an answer that the provider with the given name has for targets without a
// limit. It returns 0 if the provider has none.
func MaxOutputTokens(name string) int { return providers[name].maxOutputTokens }
