package config

// provider has the properties of one value of the key `provider` of targets.
type provider struct {
	needs     []string // keys that a target must have
	asks      bool     // it sends requests or runs a command
	costs     bool     // its answers may state their cost
	toolless  bool     // its requests cannot declare tools
	keyHeader string   // header that carries the key, in lower case; "" for none
	address   string   // default address; "" for none
	mostOut   int      // token limit of an answer if the target sets none; 0: the API has no such default
}

// providers has all providers by name. The schema lists their names too. Each provider that sends requests has a
// package below internal/model.
var providers = map[string]provider{
	"recorded":   {needs: []string{"path"}},
	"echo":       {},
	"openai":     {needs: []string{"model"}, asks: true, keyHeader: "authorization", address: "https://api.openai.com/v1"},
	"anthropic":  {needs: []string{"model"}, asks: true, keyHeader: "x-api-key", address: "https://api.anthropic.com", mostOut: 4096}, // the API requires a limit
	ProviderHTTP: {needs: []string{"url", "body", "answer"}, asks: true, keyHeader: "authorization", toolless: true},
	"exec":       {needs: []string{"command"}, asks: true, costs: true, toolless: true},
}

// Live reports whether the target calls a model or runs a command, which costs money or needs trust. It returns false
// for the zero Target.
func (t Target) Live() bool { return providers[t.Provider].asks }

// TellsCost reports whether the target's answers may state their cost.
func (t Target) TellsCost() bool { return providers[t.Provider].costs || t.HTTP.Answer.Usage != nil }

// Toolless reports whether requests to the target cannot declare tools.
func (t Target) Toolless() bool { return providers[t.Provider].toolless }

// MostOut returns the token limit of an answer that the provider with the given name has for targets without a limit.
// It returns 0 if the provider has none.
func MostOut(name string) int { return providers[name].mostOut }
