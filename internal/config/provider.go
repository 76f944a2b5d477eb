package config

// provider has the properties of a target's `provider`.
type provider struct {
	needs     []string // required keys
	asks      bool     // it sends requests or runs a command
	costs     bool     // its answers may state their cost
	toolless  bool     // it takes no tools
	keyHeader string   // header of the key, in small letters; "" for none
	address   string   // default address; "" for none
	mostOut   int      // token limit of an answer if the target sets none; 0: the model decides
}

// providers has all providers. The schema lists their names too. Each provider that sends requests has a package.
var providers = map[string]provider{
	"recorded":   {needs: []string{"path"}},
	"echo":       {},
	"openai":     {needs: []string{"model"}, asks: true, keyHeader: "authorization", address: "https://api.openai.com/v1"},
	"anthropic":  {needs: []string{"model"}, asks: true, keyHeader: "x-api-key", address: "https://api.anthropic.com", mostOut: 4096}, // the API requires a limit
	ProviderHTTP: {needs: []string{"url", "body", "answer"}, asks: true, keyHeader: "authorization", toolless: true},
	"exec":       {needs: []string{"command"}, asks: true, costs: true, toolless: true},
}

// Live reports whether the target calls a model or runs a command, which costs money or needs trust. The zero Target
// does not.
func (t Target) Live() bool { return providers[t.Provider].asks }

// TellsCost reports whether the target's answers may state their cost.
func (t Target) TellsCost() bool { return providers[t.Provider].costs || t.HTTP.Answer.Usage != nil }

// Toolless reports whether a target takes no tools.
func (t Target) Toolless() bool { return providers[t.Provider].toolless }

// MostOut returns the provider's token limit of an answer for targets that set no limit. It is 0 if the provider has
// none.
func MostOut(name string) int { return providers[name].mostOut }
